from bench import http, notifications
from bench.document import bars


def test_a_database_whose_measurement_failed_is_told_and_not_left_out(monkeypatch):
    monkeypatch.setenv("BENCH_CALLERS", "many")
    monkeypatch.setattr(http, "DATABASES", ("sqlite",))
    assert list(http.report())[-1] == "not measured: it ended with 1"


def test_the_bar_of_a_single_notice_is_a_row_like_all_others():
    (bar,) = bars({"notifications": [notifications.delay_bar(40.4)]})
    assert (bar.label, bar.found, bar.verdict) == (
        "notifications · within 100 ms of the commit",
        "the slowest took 40 ms",
        "met",
    )
    assert bar.margin == 2.5


def test_a_notice_that_came_too_late_misses_its_bar():
    (bar,) = bars({"notifications": [notifications.delay_bar(200)]})
    assert (bar.verdict, bar.margin) == ("MISSED", 0.5)

from bench import http, notifications
from bench.document import targets


def test_a_failed_measurement_is_reported(monkeypatch):
    monkeypatch.setenv("BENCH_CALLERS", "many")
    monkeypatch.setattr(http, "DATABASES", {"sqlite": ""})
    assert list(http.report())[-1] == "not measured: exit code 1"


def test_the_delay_of_a_single_notification_has_a_target():
    (target,) = targets({"notifications": [notifications.delay_target(40.4)]})
    assert (target.label, target.found, target.result) == (
        "notifications · within 100 ms of the commit",
        "the slowest took 40 ms",
        "met",
    )
    assert target.margin == 2.5


def test_a_late_notification_misses_its_target():
    (target,) = targets({"notifications": [notifications.delay_target(200)]})
    assert (target.result, target.margin) == ("MISSED", 0.5)

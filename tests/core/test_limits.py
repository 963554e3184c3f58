import secrets
import threading
from contextlib import suppress
from ipaddress import IPv6Address

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test import Client, RequestFactory

from config.environment import Environment
from core import rate_limits
from core.models import RateCount
from core.problems import status_of
from core.rate_limits import CacheOutage, address_of
from core.rates import Rate
from core.refusals import Refused

NOON = "2026-11-16T12:00:00Z"


@pytest.fixture(autouse=True)
def few(settings):
    settings.RATES = dict.fromkeys(settings.RATES, Rate(3, 60))
    cache.clear()


class TestRate:
    def test_a_rate_is_parsed(self):
        assert Rate.read("600/minute") == Rate(600, 60)
        assert Rate.read(" 5/hour ") == Rate(5, 3600)

    @pytest.mark.parametrize("written", ["", "5", "0/hour", "5/week", "-1/hour", "5 / hour", "many/hour"])
    def test_an_invalid_rate_is_refused(self, written):
        with pytest.raises(ValueError, match="is not a rate"):
            Rate.read(written)


class TestAddress:
    def ask(self, **extra):
        return Client().get("/api/v1/nowhere", **extra)

    def test_with_a_limit_of_three_a_minute_the_fourth_request_is_refused_until_the_next_minute(self):
        with time_machine.travel(NOON, tick=False) as clock:
            assert [self.ask().status_code for _ in range(4)] == [404, 404, 404, 429]
            clock.shift(45)
            answer = self.ask()
            assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
            assert answer.headers["Retry-After"] == "15"
            clock.shift(15)
            assert self.ask().status_code == 404

    def test_other_callers_are_not_affected(self):
        with time_machine.travel(NOON, tick=False):
            assert [self.ask(REMOTE_ADDR="10.0.0.1").status_code for _ in range(4)][-1] == 429
            assert self.ask(REMOTE_ADDR="10.0.0.2").status_code == 404

    def test_monitoring_requests_are_never_limited(self):
        assert {Client().get("/healthz").status_code for _ in range(5)} == {200}

    def test_an_unreachable_cache_blocks_nobody_and_is_not_tried_again_immediately(self, settings, monkeypatch, caplog):
        monkeypatch.setattr(CacheOutage, "until", 0.0)
        settings.CACHES = {"default": Environment({"BROKER_URL": "redis://127.0.0.1:1/0"}).cache("BROKER_URL")}
        assert {self.ask().status_code for _ in range(5)} == {404}
        assert caplog.text.count("could not reach the cache") == 1

    @time_machine.travel(NOON, tick=False)
    def test_with_redis_all_processes_share_their_counts(self, settings, redis_url, monkeypatch):
        monkeypatch.setattr(CacheOutage, "until", 0.0)
        monkeypatch.setattr("config.environment.CACHE_TIMEOUT", 10)
        settings.CACHES = {"default": Environment({"BROKER_URL": redis_url}).cache("BROKER_URL")}
        stranger = str(IPv6Address(secrets.randbits(128)))
        assert [self.ask(REMOTE_ADDR=stranger).status_code for _ in range(4)][-1] == 429


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "6.6.6.6", "10.0.0.9"),
        (1, "", "10.0.0.9"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "1.2.3.4"),
        (1, "nonsense", "unknown"),
        (1, ", 1.2.3.4", "1.2.3.4"),
        (1, ",", "10.0.0.9"),
        (2, "6.6.6.6,,1.2.3.4", "1.2.3.4"),
        (2, " , 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (1, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        (1, "::ffff:1.2.3.4", "1.2.3.4"),
        (1, "fe80::1%eth0", "fe80::/64"),
    ],
)
def test_only_trusted_proxies_can_report_the_callers_address(settings, proxies, forwarded, address):
    settings.TRUSTED_PROXIES = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert address_of(RequestFactory().get("/", REMOTE_ADDR="10.0.0.9", headers=headers)) == address


@pytest.mark.django_db
class TestStrictLimits:
    def test_with_a_limit_of_three_a_minute_the_refusal_of_the_fourth_attempt_says_how_long_to_wait(self):
        with time_machine.travel(NOON, tick=False) as clock:
            for _ in range(3):
                rate_limits.count_attempt("user", "ann")
            clock.shift(20)
            with pytest.raises(Refused) as refused:
                rate_limits.count_attempt("user", "ann")
            assert (status_of(refused.value), refused.value.data) == (429, {"retry_after": 40})

    def test_counting_restarts_when_the_window_ends(self):
        with time_machine.travel(NOON, tick=False) as clock:
            for _ in range(3):
                rate_limits.count_attempt("user", "ann")
            clock.shift(60)
            rate_limits.count_attempt("user", "ann")
            assert RateCount.objects.get().count == 1

    def test_each_scope_and_each_caller_has_its_own_count(self):
        for _ in range(3):
            rate_limits.count_attempt("user", "ann")
        rate_limits.count_attempt("user", "ben")
        rate_limits.count_attempt("address", "ann")

    def test_a_success_resets_the_count(self):
        for _ in range(3):
            rate_limits.count_attempt("user", "ann")
        rate_limits.reset("user", "ann")
        rate_limits.count_attempt("user", "ann")

    def test_a_process_whose_clock_is_slightly_behind_does_not_restart_the_count(self):
        with time_machine.travel(NOON, tick=False) as clock:
            rate_limits.count_attempt("user", "ann")
            for seconds in (-1, 1, -30, 30):
                clock.shift(seconds)
                with suppress(Refused):
                    rate_limits.count_attempt("user", "ann")
        assert RateCount.objects.get().count == 5

    def test_the_table_does_not_identify_callers(self):
        rate_limits.count_attempt("user", "ann@example.org")
        assert "ann" not in str(RateCount.objects.values_list())

    def test_old_counts_are_deleted(self):
        with time_machine.travel(NOON, tick=False) as clock:
            rate_limits.count_attempt("user", "ann")
            clock.shift(61)
            rate_limits.count_attempt("user", "ben")
            assert rate_limits.forget_old() == 1


@pytest.mark.django_db(transaction=True)
def test_simultaneous_attempts_are_all_counted():
    refusals = []

    def attempt():
        try:
            rate_limits.count_attempt("user", "ann")
        except Refused as refused:
            refusals.append(refused)
        finally:
            connection.close()

    threads = [threading.Thread(target=attempt) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert RateCount.objects.get().count == 12
    assert len(refusals) >= 9

"""Slow hosts and busy accounts never delay other people's webhooks."""

import re
import threading
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic, sleep
from typing import NamedTuple

import pytest
from django.db import connection
from django.utils import timezone

from notifications.models import Delivery, WebhookCall, WebhookHost
from notifications.webhooks import hosts, http, service, shares, targets
from notifications.webhooks.http import NotTaken, Taken
from notifications.webhooks.sender import deliver_due
from tests.games.builders import player
from tests.notifications.webhooks.listener import Listener

SILENT, REFUSED = NotTaken("It did not answer."), NotTaken("It answered 500.", 500)

pytestmark = pytest.mark.django_db(transaction=True)


class Flight(NamedTuple):
    call: WebhookCall
    began: float


class Tarpit(Listener):
    def __init__(self):
        super().__init__()
        self.opened = threading.Event()


@pytest.fixture
def tarpit(monkeypatch):
    """Run a server that accepts calls but doesn't respond until it is released."""
    monkeypatch.setattr(http, "SECONDS", 30.0)
    with Tarpit() as tarpit:
        tarpit.instead = lambda _: tarpit.opened.wait(30)
        yield tarpit


@contextmanager
def delivering(tarpit):
    """Run a worker in a separate thread. The hanging server responds when the block ends."""

    def work():
        deliver_due()
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield
    finally:
        tarpit.opened.set()
        worker.join(60)


def owe_calls(webhook, count, *, seconds_ago=0):
    now = timezone.now()
    due = now - timedelta(seconds=seconds_ago)
    WebhookCall.objects.bulk_create([WebhookCall(webhook=webhook, created_at=now, due_at=due) for _ in range(count)])


def test_ten_hosts_that_never_respond_do_not_delay_another_accounts_call(hook, tarpit, listener):
    mallory, ann = player("mallory"), player("ann")
    for path in range(service.MOST_WEBHOOKS):
        owe_calls(hook(mallory, url=tarpit.url(path=f"/{path}")), 10, seconds_ago=60)
    owe_calls(hook(ann), 1)
    with delivering(tarpit):
        assert listener.wait_for(1, 20)
        assert len(tarpit.heard) <= shares.EACH_USER
        assert not tarpit.opened.is_set()


def test_a_call_that_becomes_due_while_others_hang_is_made_immediately(hook, tarpit, listener):
    owe_calls(hook(player("mallory"), url=tarpit.url()), 40)
    ann = hook(player("ann"))
    with delivering(tarpit):
        assert tarpit.wait_for(1)
        owe_calls(ann, 1)
        assert listener.wait_for(1, 20)


def test_slow_hosts_of_four_accounts_do_not_delay_a_call_to_a_new_host(hook, tarpit, listener):
    for number in range(4):
        for path in ("/a", "/b"):
            owe_calls(hook(player(f"sock{number}"), url=tarpit.url(path=path)), 5, seconds_ago=60)
    with delivering(tarpit):
        assert tarpit.wait_for(4)
        owe_calls(hook(player("ann")), 1)
        assert listener.wait_for(1, 20)


def test_after_a_second_calls_to_new_hosts_that_hang_make_room_for_others(hook, tarpit, listener):
    for number in range(shares.NEW_AT_ONCE + 4):
        owe_calls(hook(player(f"sock{number}"), url=tarpit.url()), 2, seconds_ago=60)
    with delivering(tarpit):
        assert tarpit.wait_for(shares.NEW_AT_ONCE)
        owe_calls(hook(player("ann")), 1)
        assert listener.wait_for(1, 20)


def test_a_player_has_at_most_one_call_in_progress_to_hosts_that_are_not_quick(hook, tarpit):
    for path in ("/a", "/b"):
        owe_calls(hook(player("ann"), url=tarpit.url(path=path)), 3)
    with delivering(tarpit):
        assert tarpit.wait_for(1)
        sleep(1.5)
        assert len(tarpit.heard) == 1


def test_a_player_has_few_calls_in_progress_even_to_quick_hosts(hook, tarpit, listener):
    owe_calls(hook(player("mallory"), url=tarpit.url()), 10, seconds_ago=60)
    owe_calls(hook(player("ann")), 1)
    WebhookHost.objects.update(is_quick=True)
    with delivering(tarpit):
        assert tarpit.wait_for(shares.EACH_USER)
        assert listener.wait_for(1, 20)
        assert len(tarpit.heard) == shares.EACH_USER


def test_new_hosts_that_hang_never_take_all_connections(hook):
    calls = [WebhookCall(webhook=hook(player(f"sock{number}"))) for number in range(shares.NOT_QUICK_AT_ONCE)]
    in_progress = [Flight(call, monotonic() - 60) for call in calls]
    assert shares.NOT_QUICK_AT_ONCE < shares.AT_ONCE
    assert not shares.Shares(in_progress).has_room_for_hosts(None)
    assert shares.Shares(in_progress[: shares.SLOW_AT_ONCE]).has_room_for_hosts(None)


def test_slow_hosts_of_many_accounts_leave_room_for_quick_ones(hook, tarpit, listener):
    ann = hook(player("ann"))
    owe_calls(ann, 1)
    deliver_due()
    assert WebhookHost.objects.get(webhooks=ann).is_quick
    for number in range(shares.AT_ONCE):
        owe_calls(hook(player(f"sock{number}"), url=tarpit.url()), 2, seconds_ago=60)
    WebhookHost.objects.exclude(webhooks=ann).update(is_quick=False)
    with delivering(tarpit):
        assert tarpit.wait_for(shares.SLOW_AT_ONCE)
        owe_calls(ann, 1)
        assert listener.wait_for(2, 20)
        assert len(tarpit.heard) == shares.SLOW_AT_ONCE


def test_quick_hosts_of_many_accounts_that_suddenly_hang_make_room_for_others(hook, tarpit, listener):
    for number in range(shares.AT_ONCE // shares.EACH_USER):
        owe_calls(hook(player(f"sock{number}"), url=tarpit.url()), shares.EACH_USER, seconds_ago=60)
    ann = hook(player("ann"))
    WebhookHost.objects.update(is_quick=True)
    with delivering(tarpit):
        assert tarpit.wait_for(shares.AT_ONCE)
        owe_calls(ann, 1)
        assert listener.wait_for(1, 20)
        assert not tarpit.opened.is_set()


def test_a_call_beyond_its_share_is_made_later_and_does_not_count_as_an_attempt(hook, listener):
    owe_calls(hook(player("ann")), 40)
    deliver_due()
    assert set(WebhookCall.objects.values_list("delivery", "tries")) == {(Delivery.SENT, 1)}
    assert len(listener.heard) == 40


class TestResting:
    def answers(self, host, *answers, seconds=0.1):
        for answer in answers:
            hosts.note(host.key, answer, seconds, timezone.now())
        host.refresh_from_db()
        return host

    @pytest.fixture
    def host(self, hook):
        return hook(player("ann")).host

    def test_a_host_that_never_responds_is_left_alone_for_a_while(self, host, listener):
        assert self.answers(host, SILENT, SILENT).resting_until is None
        assert self.answers(host, SILENT).resting_until > timezone.now()
        owe_calls(host.webhooks.get(), 1)
        deliver_due()
        assert listener.heard == []
        WebhookHost.objects.update(resting_until=timezone.now())
        deliver_due()
        assert len(listener.heard) == 1

    def test_any_response_makes_the_host_available_again(self, host):
        assert self.answers(host, SILENT, SILENT, SILENT, REFUSED).resting_until is None

    def test_a_shared_host_that_responds_to_other_users_stays_available(self, host):
        assert self.answers(host, *[SILENT, Taken(200)] * 10).resting_until is None

    def test_a_slow_response_makes_a_host_slow_and_a_quick_one_makes_it_quick(self, host):
        assert not self.answers(host, Taken(200), seconds=hosts.QUICK + 1).is_quick
        assert self.answers(host, Taken(200)).is_quick

    def test_webhooks_at_the_same_address_share_a_host_and_another_port_is_a_different_host(self, hook, host, tarpit):
        assert hook(player("ben")).host == host
        assert hook(player("ben"), url=tarpit.url()).host != host

    def test_the_database_contains_only_a_keyed_hash_of_the_name_of_a_host(self, host, settings):
        target = targets.read(host.webhooks.get().url)
        assert re.fullmatch("[0-9a-f]{32}", host.key)
        assert hosts.host_of(target) == host
        settings.SECRET_KEY = "another secret key"
        assert hosts.host_of(target) != host

    def test_a_host_without_webhooks_is_deleted(self, host):
        hosts.forget_unused(timezone.now())
        assert WebhookHost.objects.count() == 1
        host.webhooks.all().delete()
        hosts.forget_unused(timezone.now())
        assert WebhookHost.objects.count() == 0

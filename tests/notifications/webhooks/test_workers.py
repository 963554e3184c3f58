"""Workers make each call once, and no call blocks another."""

import threading
from collections import Counter

import pytest

from config.celery import app
from core.jobs import Queue, runner
from notifications.models import Delivery, Notification, WebhookCall
from notifications.webhooks.sender import deliver_due
from tests.games.builders import awaited, player, running_match, say
from tests.games.racing import all_at_once, beside
from tests.notifications.webhooks.builders import EVERY_KIND
from tests.notifications.webhooks.listener import Listener
from tests.workers import worker_thread

pytestmark = pytest.mark.django_db


@pytest.fixture
def process(monkeypatch):
    """Replace the worker's stop signal, because other tests may have set it."""
    monkeypatch.setattr(runner, "_stopping", threading.Event())


@pytest.mark.django_db(transaction=True)
class TestWorkers:
    def test_a_move_wakes_a_worker_that_makes_the_call(self, hook, listener, mail_server):
        for name in ("ann", "ben", "cleo"):
            hook(player(name))
        with worker_thread(app):
            table = running_match()
            assert [heard.json["event"] for heard in listener.wait_for(1)] == ["your_turn"]
            seat = awaited(table)
            for move in turn_of(table, seat):
                say(table, seat.number, move)
            assert len(listener.wait_for(2)) == 2

    def test_two_processes_make_each_call_once(self, hook, listener):
        """Each process runs its own round of calls."""
        hook(player("ann"), EVERY_KIND)
        for _ in range(6):
            running_match(seats=2)
        assert all_at_once([deliver_due] * 2) == [None, None]
        assert Counter(heard.json["id"] for heard in listener.heard).most_common(1)[0][1] == 1
        assert set(WebhookCall.objects.values_list("delivery", flat=True)) == {Delivery.SENT}

    def test_a_second_round_does_not_start_while_another_is_running(self, hook, listener, process):
        hook(player("ann"), EVERY_KIND)
        running_match(seats=2)
        go_on = threading.Event()

        def hesitate(handler):
            go_on.wait(20)
            handler.send_response(200)
            handler.end_headers()

        listener.instead = hesitate
        first = beside(run_task)
        listener.wait_for(1)
        running_match(seats=2)
        run_task()
        assert len(listener.heard) == 1, "The running round handles the others."
        go_on.set()
        first.join()
        assert len(listener.heard) == WebhookCall.objects.count() > 1

    def test_a_wake_up_at_the_end_of_a_round_is_not_lost(self, hook, listener, process, monkeypatch):
        hook(player("ann"), EVERY_KIND)
        running_match(seats=2)
        claim, late = Queue.claim, iter([True])

        def and_then_somebody_moves(queue, now, most, among=None):
            claimed = claim(queue, now, most, among)
            if not claimed and next(late, False):
                running_match(seats=2)
                run_task()
            return claimed

        monkeypatch.setattr(Queue, "claim", and_then_somebody_moves)
        run_task()
        assert not Notification.objects.filter(is_for_webhooks=True).exists()
        assert set(WebhookCall.objects.values_list("delivery", flat=True)) == {Delivery.SENT}

    def test_a_slow_host_does_not_block_others(self, hook, listener):
        go_on = threading.Event()
        with Listener() as slow:
            slow.instead = lambda handler: go_on.wait(20)
            hook(player("ann"), EVERY_KIND, url=slow.url())
            hook(player("ann"), EVERY_KIND)
            running_match(seats=2)
            first = beside(deliver_due)
            assert listener.wait_for(1)
            go_on.set()
            first.join()


def run_task():
    """Act like a worker process, which runs one round at a time."""
    app.tasks["jobs.webhooks"]()


def turn_of(table, seat):
    row = next(row.row for row in table.engine.view(table.state, seat.drawn).rows if len(row.cards) < row.room)
    return ["draw", f"place {row}"]

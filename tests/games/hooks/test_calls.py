"""A webhook is a second way to hear the same notice: from the row to the other side's answer."""

import hashlib
import hmac
import json
import re
import threading
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from django.db import connection

from accounts.models import NoticeDelivery
from config.celery import app
from games import talk
from games.hooks import caller, calls, health, place, webhooks
from games.hooks.caller import deliver_due
from games.mail import sender
from games.models import Call, Notice, Seat, Webhook
from games.models.notice import Delivery, NoticeKind
from games.table import lay_table
from tests.games.builders import awaited, play_some, player, running_match, say, sitting
from tests.games.hooks.listener import Listener
from tests.workers import worker_thread

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
EVERY_KIND = webhooks.KINDS
DOCUMENT = Path(__file__).parents[3] / "docs" / "webhooks.md"

pytestmark = pytest.mark.django_db


def forget():
    Call.objects.all().delete()
    Notice.objects.all().delete()


def owe(seat, kind=NoticeKind.YOUR_TURN, **changes):
    now = datetime.now(UTC)
    facts = {"user": seat.user, "match": seat.match, "seat": seat.number, "turn": seat.match.turn, "kind": kind}
    return Notice.objects.create(**facts | {"owed_at": now, "due_at": now, "is_for_webhooks": True} | changes)


@pytest.fixture
def asked(hook, listener):
    """A player who is asked for a move and has a webhook; nobody has been told of anything yet."""
    table = running_match()
    seat = awaited(table)
    hook(sitting(seat), EVERY_KIND)
    forget()
    return seat


def fate(notice):
    deliver_due()
    call = notice.calls.get()
    return call.delivery, call.why


class TestTelling:
    def test_whoever_is_asked_has_their_webhook_called(self, hook, listener):
        hooks = {name: hook(player(name)) for name in ("ann", "ben", "cleo")}
        table = running_match()
        deliver_due()
        (heard,) = listener.heard
        seat = awaited(table)
        told = heard.json
        assert told["event"] == "your_turn"
        assert (told["player"], told["match"], told["game"], told["turn"]) == (
            seat.user.username,
            table.match.id,
            "coloretto",
            1,
        )
        assert told["url"] == f"http://localhost:8000/matches/{table.match.id}"
        assert datetime.fromisoformat(told["deadline"]) == seat.deadline
        assert told["message"].startswith("The match is on, and you are asked in Coloretto with ")
        assert Call.objects.get().webhook == hooks[seat.user.username]

    def test_chats_show_it_as_it_is(self, asked, listener):
        owe(asked)
        deliver_due()
        told = listener.heard[0].json
        assert told["text"] == f"{asked.user.name}: {told['message']}\n{told['url']}"
        assert told["content"].endswith(f"\n{told['url']}")
        assert told["allowed_mentions"] == {"parse": []}

    def test_a_name_or_a_title_is_text_in_a_chat_and_calls_nobody(self, asked, listener):
        asked.user.display_name = "<!channel> *Ann* [x](http://evil.example) @everyone"
        asked.user.save()
        owe(asked)
        deliver_due()
        told = listener.heard[0].json
        assert told["text"].startswith("&lt;!channel&gt; *Ann*")
        assert told["content"].startswith(r"\<!channel\> \*Ann\* \[x\]\(http\://evil.example\) \@everyone")

    def test_only_the_kinds_that_were_chosen_are_told(self, hook, listener):
        table = running_match()
        seat = awaited(table)
        hook(seat.user, [NoticeKind.MATCH_OVER])
        play_some(table)
        deliver_due()
        assert [heard.json["event"] for heard in listener.heard] == ["match_over"]
        assert " is over. " in listener.heard[0].json["message"]

    def test_who_said_something_is_told_but_not_what(self, hook, listener):
        """A chat may have other readers than the table."""
        table = running_match()
        hook(player("ann"), [NoticeKind.MESSAGE])
        talk.say(table.match.id, player("ben"), "Do not tell Cleo!")
        deliver_due()
        assert listener.heard[0].json["message"].startswith("Ben wrote: Coloretto with ")
        assert b"Cleo!" not in listener.heard[0].body

    def test_each_of_several_webhooks_is_called_once(self, hook, listener):
        for _ in range(3):
            hook(player("ann"), [NoticeKind.MATCH_STARTED, NoticeKind.YOUR_TURN])
        running_match()
        deliver_due()
        deliver_due()
        assert len(listener.heard) == len({heard.json["id"] for heard in listener.heard}) == 3

    def test_a_notice_to_somebody_without_a_webhook_makes_no_call(self):
        running_match()
        deliver_due()
        assert not Notice.objects.filter(is_for_webhooks=True).exists()
        assert not Call.objects.exists()

    def test_mail_goes_its_own_way(self, asked, listener, mailoutbox):
        listener.status = 500
        notice = owe(asked)
        deliver_due()
        sender.deliver_due()
        assert len(mailoutbox) == 1
        notice.refresh_from_db()
        assert (notice.delivery, notice.calls.get().delivery) == (Delivery.SENT, Delivery.QUEUED)


class TestSignature:
    def test_it_can_be_checked_with_the_secret_and_nothing_else(self, hook, listener):
        webhook = hook(player("ann"))
        with time_machine.travel(NOON, tick=False):
            webhooks.owe_test(player("ann"), webhook.pk)
            deliver_due()
        (heard,) = listener.heard
        time, _, given = heard.headers["Turnpost-Signature"].partition(",v1=")
        seconds = time.removeprefix("t=")
        assert int(seconds) == NOON.timestamp()
        signed = seconds.encode() + b"." + heard.body
        assert given == hmac.new(webhook.secret.encode(), signed, hashlib.sha256).hexdigest()
        assert webhook.secret.encode() not in heard.body

    def test_the_documented_check_accepts_it_and_nothing_that_was_changed_or_is_old(self, hook, listener):
        webhook = hook(player("ann"))
        webhooks.owe_test(player("ann"), webhook.pk)
        deliver_due()
        heard, found = listener.heard[0], {}
        exec(re.search(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1], found)
        check, header = found["is_genuine"], heard.headers["Turnpost-Signature"]
        assert check(webhook.secret, header, heard.body)
        assert not check(webhook.secret, header, heard.body + b" ")
        assert not check("another", header, heard.body)
        with time_machine.travel(datetime.now(UTC) + timedelta(minutes=6)):
            assert not check(webhook.secret, header, heard.body)

    def test_the_document_names_all_that_a_call_holds(self, asked, listener):
        owe(asked)
        deliver_due()
        shown = json.loads(re.search(r"```json\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1])
        assert set(shown) == set(listener.heard[0].json)

    def test_secret_and_address_are_locked_at_rest(self, hook, listener):
        webhook = hook(player("ann"))
        row = str(list(Webhook.objects.values()))
        assert webhook.secret not in row
        assert str(listener.port) not in row


class TestVerdict:
    def test_no_your_turn_to_somebody_who_has_moved_meanwhile(self, asked, listener):
        notice = owe(asked)
        say(lay_table(asked.match_id), asked.number, "draw")
        assert fate(notice) == (Delivery.SUPPRESSED, "It is not your turn any more.")
        assert listener.heard == []

    def test_a_muted_match_is_silent(self, asked, listener):
        Seat.objects.filter(pk=asked.pk).update(is_muted=True)
        assert fate(owe(asked)) == (Delivery.SUPPRESSED, "You muted this match.")

    def test_reminders_can_be_turned_off(self, asked, listener):
        asked.user.remind_at = []
        asked.user.save()
        assert fate(owe(asked, NoticeKind.REMINDER)) == (Delivery.SUPPRESSED, "You asked for no reminders.")

    def test_how_often_mail_comes_is_no_matter_for_webhooks(self, asked, listener):
        asked.user.notice_delivery = NoticeDelivery.NEVER
        asked.user.save()
        assert fate(owe(asked)) == (Delivery.SENT, "")

    def test_in_quiet_hours_it_waits(self, asked, listener):
        asked.user.quiet_from, asked.user.quiet_until = "22:00", "07:00"
        asked.user.save()
        with time_machine.travel(NOON.replace(hour=23), tick=False) as clock:
            assert fate(owe(asked)) == (Delivery.QUEUED, "These are your quiet hours.")
            clock.shift(timedelta(hours=8))
            deliver_due()
        assert len(listener.heard) == 1

    def test_a_webhook_that_was_switched_off_is_not_called(self, asked, listener):
        notice = owe(asked)
        calls.make_all()
        Webhook.objects.update(off_since=NOON)
        assert fate(notice) == (Delivery.SUPPRESSED, "The webhook is off.")


class TestTrouble:
    def test_a_side_that_is_away_for_an_hour_is_called_again_and_in_the_end_hears_it_once(self, asked, listener):
        with time_machine.travel(datetime.now(UTC), tick=False) as clock:
            start = datetime.now(UTC)
            notice = owe(asked)
            listener.status = 503
            while datetime.now(UTC) < start + timedelta(hours=1):
                deliver_due()
                clock.shift(15)
            assert notice.calls.get().delivery == Delivery.QUEUED
            assert 4 <= len(listener.heard) <= calls.MOST_TRIES
            listener.status = 200
            clock.shift(calls.LONGEST_DELAY)
            deliver_due()
            deliver_due()
        assert notice.calls.get().delivery == Delivery.SENT
        assert {heard.json["id"] for heard in listener.heard} == {notice.calls.get().pk}

    def test_after_so_many_tries_it_is_given_up(self, asked, listener):
        listener.status = 500
        notice = owe(asked)
        calls.make_all()
        Call.objects.update(tries=calls.MOST_TRIES - 1)
        assert fate(notice)[0] == Delivery.DEAD

    def test_what_was_refused_for_good_is_not_tried_again(self, asked, listener):
        listener.status = 404
        assert fate(owe(asked)) == (Delivery.DEAD, "127.0.0.1 answered 404.")

    def test_whoever_is_too_busy_is_left_alone_as_long_as_they_say(self, asked, listener):
        listener.status, listener.headers = 429, {"Retry-After": "1800"}
        with time_machine.travel(NOON, tick=False):
            notice = owe(asked)
            deliver_due()
            assert notice.calls.get().due_at == NOON + timedelta(seconds=1801)

    def test_each_wait_is_longer_and_never_the_same_for_all(self):
        waits = [{calls.delay(tries) for _ in range(20)} for tries in range(1, 11)]
        assert all(len(alike) > 1 for alike in waits)
        assert max(waits[0]) <= calls.FIRST_DELAY
        assert max(waits[-1]) <= calls.LONGEST_DELAY

    def test_a_notice_that_cannot_be_written_holds_up_no_other(self, asked, listener, monkeypatch):
        owe(asked, NoticeKind.REMINDER)
        honest = owe(asked)

        def of_notice(call, occasion, honestly=caller.body.of_notice):
            if occasion.notice.kind == NoticeKind.REMINDER:
                raise KeyError("poison")
            return honestly(call, occasion)

        monkeypatch.setattr(caller.body, "of_notice", of_notice)
        assert fate(honest)[0] == Delivery.SENT
        assert Call.objects.get(notice__kind=NoticeKind.REMINDER).why == "It could not be written: KeyError."

    def test_a_call_that_died_with_its_worker_is_made_by_another(self, asked, listener):
        owe(asked)
        calls.make_all()
        now = datetime.now(UTC)
        calls.claim(now, 10)
        deliver_due()
        assert listener.heard == [], "Until the lease ends, the call is the dead worker's."
        Call.objects.update(due_at=now)
        deliver_due()
        assert len(listener.heard) == 1

    def test_whoever_claims_takes_no_more_than_asked_for(self, asked):
        for kind in (NoticeKind.YOUR_TURN, NoticeKind.REMINDER):
            owe(asked, kind=kind)
        calls.make_all()
        assert Call.objects.count() == 2
        assert len(calls.claim(datetime.now(UTC), 1).calls) == 1
        assert len(calls.claim(datetime.now(UTC), 5).calls) == 1

    def test_a_name_that_leads_inside_by_now_is_not_called(self, asked, listener, settings):
        settings.WEBHOOKS_PRIVATE = False
        assert fate(owe(asked)) == (Delivery.DEAD, "127.0.0.1 is not in the public network.")
        assert listener.heard == []


class TestSwitchingOff:
    @pytest.fixture
    def webhook(self, hook):
        webhook = hook(player("ann"))
        forget()
        return webhook

    def fail(self, webhook, times, since):
        for number in range(times):
            health.note_failure(webhook.pk, "hooks.example.org answered 404.", since + number * timedelta(hours=3))
        webhook.refresh_from_db()

    def test_failures_in_a_row_over_a_day_switch_it_off_and_the_player_is_told(self, webhook, mailoutbox):
        self.fail(webhook, health.MOST_FAILURES, NOON)
        assert webhook.off_since
        sender.deliver_due()
        (mail,) = mailoutbox
        assert mail.to == ["ann@example.org"]
        assert mail.subject == "Your webhook to 127.0.0.1 was switched off"
        assert "hooks.example.org answered 404." in mail.body
        assert f"turnpost webhooks enable {webhook.pk}" in mail.body
        assert "/turns" not in mail.body

    def test_a_bad_evening_does_not(self, webhook):
        for _ in range(3 * health.MOST_FAILURES):
            health.note_failure(webhook.pk, "It hung up.", NOON)
        webhook.refresh_from_db()
        assert (webhook.off_since, webhook.failures) == (None, 3 * health.MOST_FAILURES)

    def test_few_failures_over_a_long_time_do_not(self, webhook):
        health.note_failure(webhook.pk, "It hung up.", NOON)
        health.note_failure(webhook.pk, "It hung up.", NOON + timedelta(days=30))
        webhook.refresh_from_db()
        assert webhook.off_since is None

    def test_one_call_that_is_taken_starts_the_count_anew(self, webhook):
        self.fail(webhook, health.MOST_FAILURES - 1, NOON)
        health.note_taken(webhook.pk, NOON + timedelta(days=2))
        self.fail(webhook, 1, NOON + timedelta(days=3))
        assert (webhook.off_since, webhook.failures) == (None, 1)

    def test_what_was_owed_to_it_then_is_not_called_later(self, webhook):
        running_match()
        Call.objects.all().delete()
        call = Call.objects.create(webhook=webhook, notice=Notice.objects.first(), made_at=NOON, due_at=NOON)
        self.fail(webhook, health.MOST_FAILURES, NOON)
        call.refresh_from_db()
        assert (call.delivery, call.why) == (Delivery.SUPPRESSED, "The webhook is off.")

    def test_it_is_switched_on_again_with_a_clean_slate(self, webhook, mailoutbox):
        self.fail(webhook, health.MOST_FAILURES, NOON)
        webhooks.enable(player("ann"), webhook.pk)
        self.fail(webhook, 1, NOON + timedelta(days=9))
        assert (webhook.off_since, webhook.failures) == (None, 1)
        sender.deliver_due()
        assert mailoutbox == [], "It is on again by now, so there is nothing to tell."

    def test_a_test_that_fails_does_not_count(self, webhook, listener):
        listener.status = 500
        call = webhooks.owe_test(player("ann"), webhook.pk)
        deliver_due()
        call.refresh_from_db()
        webhook.refresh_from_db()
        assert (call.delivery, call.status, webhook.failures) == (Delivery.DEAD, 500, 0)

    def test_a_webhook_that_is_off_can_be_tested(self, webhook, listener):
        self.fail(webhook, health.MOST_FAILURES, NOON)
        webhooks.owe_test(player("ann"), webhook.pk)
        deliver_due()
        assert listener.heard[0].json["event"] == "test"


@pytest.mark.django_db(transaction=True)
class TestWorkers:
    def test_a_move_wakes_a_worker_that_makes_the_call(self, hook, listener, sink):
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
        """Each has a round of its own, as if it had its own lock."""
        hook(player("ann"), EVERY_KIND)
        for _ in range(6):
            running_match(seats=2)
        start = threading.Barrier(2)

        def work():
            start.wait()
            caller.make_round(lambda: False)

        for worker in [beside(work), beside(work)]:
            worker.join()
        assert Counter(heard.json["id"] for heard in listener.heard).most_common(1)[0][1] == 1
        assert set(Call.objects.values_list("delivery", flat=True)) == {Delivery.SENT}

    def test_while_one_round_is_under_way_no_second_one_takes_a_worker(self, hook, listener):
        hook(player("ann"), EVERY_KIND)
        running_match(seats=2)
        go_on = threading.Event()

        def hesitate(handler):
            go_on.wait(20)
            handler.send_response(200)
            handler.end_headers()

        listener.instead = hesitate
        first = beside(deliver_due)
        listener.wait_for(1)
        running_match(seats=2)
        deliver_due()
        assert len(listener.heard) == 1, "The others are left to the round that is under way."
        go_on.set()
        first.join()
        assert len(listener.heard) == Call.objects.count() > 1

    def test_a_slow_side_holds_up_no_other(self, hook, listener):
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


def beside(work):
    """A thread that works with a connection of its own."""

    def run():
        try:
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def turn_of(table, seat):
    row = next(row.row for row in table.engine.view(table.state, seat.drawn).rows if len(row.cards) < row.room)
    return ["draw", f"place {row}"]


def test_the_name_is_looked_up_when_it_is_made_and_when_it_is_called(hook, listener, monkeypatch):
    asked = []

    def resolve(host, port):
        asked.append(host)
        return ["127.0.0.1"]

    monkeypatch.setattr(place, "resolve", resolve)
    webhook = hook(player("ann"), url=listener.url("hooks.example.org"))
    webhooks.owe_test(player("ann"), webhook.pk)
    deliver_due()
    assert asked == ["hooks.example.org"] * 2

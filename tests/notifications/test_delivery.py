"""Notifications get from the outbox to the mail server, even when things go wrong."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from demo.ports import free_port
from games.models import Seat
from games.services import chat
from notifications import letters, outbox
from notifications.context import load
from notifications.mail import sender
from notifications.mail.sender import deliver_due
from notifications.mail.smtp_client import MailServer
from notifications.models import Delivery, Notification, NotificationKind, random_id
from tests.databases import postgresql_only
from tests.games.builders import awaited, running_match, sitting
from tests.games.racing import all_at_once, beside
from tests.not_none import not_none
from tests.waiting import until

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)


def owe_turns(count):
    tables = [running_match(seats=2) for _ in range(count)]
    Notification.objects.exclude(kind=NotificationKind.YOUR_TURN).delete()
    return tables


def fates():
    return Counter(Notification.objects.values_list("delivery", flat=True))


@pytest.mark.django_db
class TestOneMail:
    def test_the_player_whose_turn_it_is_gets_an_email_with_their_moves(self, mail_server):
        (table,) = owe_turns(1)
        deliver_due()
        (mail,) = mail_server.arrived
        assert mail["To"] == sitting(awaited(table)).email
        assert mail["Subject"].startswith("Coloretto with ")
        assert mail["Subject"].endswith(": your turn")
        assert mail["List-Id"] == f"<{table.match.id}.matches.localhost>"
        assert (
            mail.get_body(["html"])
            .get_content()
            .partition('"display:none')[2]
            .partition(">")[2]
            .startswith("Coloretto with ")
        ), "The preview shows the main point."
        assert f'turnpost play {table.match.id} "draw" --turn 1' in mail.get_body(["plain"]).get_content()
        assert "Your moves" in mail.get_body(["html"]).get_content()
        assert fates() == {Delivery.SENT: 1}

    def test_all_emails_to_one_player_about_one_match_are_in_one_thread(self, mail_server):
        owe_turns(1)
        other = Notification.objects.get()
        other.pk, other.number = random_id(), 1
        other.save()
        deliver_due()
        first, second = mail_server.arrived
        assert first["References"] == second["References"] == first["In-Reply-To"]
        assert first["Message-ID"] != second["Message-ID"]
        assert first["Auto-Submitted"] == "auto-generated"

    def test_a_title_cannot_inject_headers(self, mail_server):
        (table,) = owe_turns(1)
        table.match.title = "Sunday\r\nBcc: everybody"
        table.match.save()
        deliver_due()
        (mail,) = mail_server.arrived
        assert mail["Bcc"] is None
        assert mail["Subject"].endswith("(Sunday Bcc: everybody): your turn")

    def test_a_name_cannot_inject_headers(self, mail_server):
        (table,) = owe_turns(1)
        other = next(seat for seat in table.seats if not seat.awaited_since)
        User.objects.filter(pk=other.user_id).update(display_name="Ben\r\nBcc: everybody\u2028x")
        deliver_due()
        (mail,) = mail_server.arrived
        assert mail["Bcc"] is None
        assert mail["Subject"] == "Coloretto with Ben Bcc: everybody x: your turn"

    def test_text_from_players_is_escaped(self, mail_server):
        (table,) = owe_turns(1)
        user = awaited(table).user
        not_none(user).display_name = "<img src=x>"
        not_none(user).save()
        deliver_due()
        assert "<img" not in mail_server.arrived[0].get_body(["html"]).get_content()

    def test_many_emails_share_one_connection(self, mail_server):
        owe_turns(5)
        deliver_due()
        assert (len(mail_server.arrived), mail_server.connections) == (5, 1)

    def test_the_number_of_queries_does_not_grow_with_the_number_of_emails(self, mail_server, monkeypatch):
        monkeypatch.setattr(sender, "FRESH_FOR", 60)
        counts = []
        for count in (2, 8):
            owe_turns(count)
            with CaptureQueriesContext(connection) as queries:
                deliver_due()
            counts.append(len(queries))
        assert counts[0] == counts[1] <= 15

    @pytest.mark.parametrize(("age", "groups"), [(0, [3]), (61, [3, 2, 1])])
    def test_emails_are_loaded_again_if_their_data_was_read_too_long_ago(self, mail_server, monkeypatch, age, groups):
        loaded = []

        def load_with_age(ids):
            loaded.append(len(ids))
            contexts = load(ids)
            for context in contexts:
                context.read_at -= age
            return contexts

        monkeypatch.setattr(sender, "FRESH_FOR", 60)
        monkeypatch.setattr(sender, "load", load_with_age)
        owe_turns(3)
        deliver_due()
        assert (loaded, len(mail_server.arrived)) == (groups, 3)


@pytest.mark.django_db
class TestFailures:
    def test_mail_is_delayed_but_not_lost_if_the_server_refuses_it_for_an_hour(self, mail_server):
        with time_machine.travel(NOON, tick=False) as clock:
            owe_turns(5)
            mail_server.refusal = "451 Try again later"
            while datetime.now(UTC) < NOON + timedelta(hours=1):
                deliver_due()
                clock.shift(15)
            assert (fates(), mail_server.arrived) == ({Delivery.QUEUED: 5}, [])
            assert "451 Try again later" in not_none(Notification.objects.first()).why
            assert max(Notification.objects.values_list("tries", flat=True)) < outbox.QUEUE.most_tries
            mail_server.refusal = ""
            clock.shift(outbox.QUEUE.backoff.longest)
            deliver_due()
        assert fates() == {Delivery.SENT: 5}
        assert len(mail_server.arrived) == 5

    def test_an_unreachable_server_is_tried_once_for_all_emails_and_again_later(self, mail_server, settings):
        with time_machine.travel(NOON, tick=False) as clock:
            owe_turns(3)
            port, settings.EMAIL_PORT = settings.EMAIL_PORT, free_port()
            deliver_due()
            assert fates() == {Delivery.QUEUED: 3}
            assert "Can't reach the mail server" in not_none(Notification.objects.first()).why
            assert not outbox.QUEUE.due(datetime.now(UTC)).exists()
            settings.EMAIL_PORT = port
            clock.shift(outbox.QUEUE.backoff.first)
            deliver_due()
        assert (fates(), len(mail_server.arrived)) == ({Delivery.SENT: 3}, 3)

    def test_each_delay_is_up_to_twice_as_long_as_the_previous_one_and_has_jitter(self):
        waits = [{outbox.QUEUE.backoff.delay(tries) for _ in range(20)} for tries in range(1, 16)]
        assert all(len(alike) > 1 for alike in waits)
        assert max(waits[0]) <= outbox.QUEUE.backoff.first
        assert all(max(longer) <= 4 * max(wait) for wait, longer in pairwise(waits))
        assert max(waits[-1]) <= outbox.QUEUE.backoff.longest

    def test_the_retries_cover_a_day_of_downtime(self):
        queue = outbox.QUEUE
        longest = [queue.backoff.longest_delay(tries) for tries in range(1, queue.most_tries)]
        shortest = [delay * queue.backoff.shortest_share for delay in longest]
        assert sum(shortest, timedelta()) >= timedelta(days=1)

    def test_a_notification_is_not_retried_after_the_last_attempt(self, mail_server):
        owe_turns(1)
        mail_server.refusal = "451 Try again later"
        Notification.objects.update(tries=outbox.QUEUE.most_tries - 1)
        deliver_due()
        assert fates() == {Delivery.DEAD: 1}

    def test_mail_to_a_permanently_rejected_address_is_not_retried(self, mail_server):
        owe_turns(1)
        mail_server.refusal = "550 No such user"
        deliver_due()
        assert fates() == {Delivery.BOUNCED: 1}
        assert Notification.objects.get().why == "The mail server rejected the address: 550 No such user"

    def test_a_notification_that_fails_to_render_does_not_block_others(self, mail_server, monkeypatch):
        poisoned, *_ = owe_turns(3)

        def write(context, honest=letters.WRITERS[NotificationKind.YOUR_TURN]):
            if context.notification.match_id == poisoned.match.id:
                raise KeyError("poison")
            return honest(context)

        monkeypatch.setitem(letters.WRITERS, NotificationKind.YOUR_TURN, write)
        deliver_due()
        assert fates() == {Delivery.SENT: 2, Delivery.QUEUED: 1}
        assert Notification.objects.get(match=poisoned.match).why == "Turnpost couldn't write this email (KeyError)."

    def test_a_notification_that_fails_to_send_does_not_block_others(self, mail_server):
        poisoned, *_ = owe_turns(3)
        nowhere = "x@" + "ü" * 60 + ".org"
        Notification.objects.filter(match=poisoned.match).update(email=nowhere, created_at=NOON - timedelta(days=9))
        deliver_due()
        assert fates() == {Delivery.SENT: 2, Delivery.QUEUED: 1}
        assert Notification.objects.get(match=poisoned.match).why.startswith(
            "Turnpost couldn't send this email (Unicode"
        )

    def test_any_response_from_the_mail_server_can_be_recorded(self, mail_server):
        owe_turns(1)
        mail_server.refusal = "451 Later\0\tplease"
        deliver_due()
        assert Notification.objects.get().why == "The mail server rejected the address: 451 Later please"

    def test_a_notification_that_crashes_the_worker_does_not_affect_others(self, mail_server, monkeypatch):
        poisoned, *_ = owe_turns(3)

        def die_of_poison(message):
            if poisoned.match.id in message.body:
                raise SystemExit

        with time_machine.travel(NOON + timedelta(days=999), tick=False) as clock:
            monkeypatch.setattr(MailServer, "send", lambda _, message: die_of_poison(message))
            deaths = 0
            for _ in range(2 * outbox.QUEUE.most_tries):
                try:
                    deliver_due()
                except SystemExit:
                    deaths += 1
                clock.shift(outbox.QUEUE.lease)
        assert fates() == {Delivery.SENT: 2, Delivery.DEAD: 1}
        assert deaths == outbox.QUEUE.most_tries

    def test_a_notification_claimed_by_another_worker_is_not_sent_again(self, mail_server):
        """The notification was claimed by a worker that was suspended for longer than the lease."""
        owe_turns(3)
        claim = outbox.QUEUE.claim(datetime.now(UTC), 10)
        with time_machine.travel(datetime.now(UTC) + outbox.QUEUE.lease, tick=False):
            deliver_due()
        with MailServer() as server:
            sender.deliver(not_none(claim), server, lambda: False)
        assert fates() == {Delivery.SENT: 3}
        assert len(mail_server.arrived) == 3

    def test_deleting_a_notification_while_it_is_being_sent_does_not_make_others_be_sent_twice(self, mail_server):
        tables = owe_turns(3)
        claim = outbox.QUEUE.claim(datetime.now(UTC), 10)
        Notification.objects.filter(match=tables[1].match).delete()
        with MailServer() as server:
            sender.deliver(not_none(claim), server, lambda: False)
        assert fates() == {Delivery.SENT: 2}
        assert len(mail_server.arrived) == 2


@pytest.mark.django_db(transaction=True)
def test_two_workers_running_at_once_send_each_notification_once(mail_server):
    owe_turns(8)
    assert all_at_once([deliver_due] * 2) == [None, None]
    assert fates() == {Delivery.SENT: 8}
    assert Counter(mail["Message-ID"] for mail in mail_server.arrived).most_common(1)[0][1] == 1


@postgresql_only
@pytest.mark.django_db(transaction=True)
def test_a_sent_email_is_recorded_even_while_another_transaction_locks_the_match(mail_server):
    tables = owe_turns(3)
    locked, *others = [table.match.id for table in tables]
    with transaction.atomic():
        assert list(Seat.objects.filter(match=locked).select_for_update())
        worker = beside(deliver_due)
        assert until(lambda: fates() == {Delivery.SENT: 3}, 10)
        assert mailed_in() == set(others)
    worker.join()
    assert mailed_in() == {locked, *others}


def mailed_in():
    return set(Seat.objects.exclude(mailed_at=None).values_list("match", flat=True))


@postgresql_only
@pytest.mark.django_db(transaction=True)
def test_a_queued_email_waits_for_a_message_that_is_about_to_be_posted(mail_server):
    table = running_match(seats=2)
    deliver_due()
    ann, ben = (sitting(seat) for seat in table.seats)
    chat.post_message(table.match.id, ann, "First of all")
    with transaction.atomic():
        chat.post_message(table.match.id, ann, "Last of all")
        worker = beside(deliver_due)
        worker.join(timeout=20)
        assert not worker.is_alive(), "The sender doesn't wait for the lock."
    deliver_due()
    told = [
        mail.get_body(["plain"]).get_content() for mail in mail_server.arrived if mail["X-Turnpost-Kind"] == "message"
    ]
    assert [(text.count("First of all"), text.count("Last of all")) for text in told] == [(1, 1)]
    assert Notification.objects.get(user=ben, kind=NotificationKind.MESSAGE).delivery == Delivery.SENT

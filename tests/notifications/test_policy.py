"""What is still worth a mail right before it is sent, and when."""

from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine

from accounts.models import MailFrequency
from clock import proposals
from games.models import Seat
from games.selectors.loading import load_match
from games.services import chat, invitations, lobby, visits
from notifications import outbox
from notifications.mail import sender
from notifications.mail.sender import deliver_due
from notifications.mail.smtp_client import MailServer
from notifications.models import Delivery, Notification, NotificationKind
from tests.games.builders import awaited, plan, player, running_match, say
from tests.notifications.owing import NOON, fate, owe, prefer

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    """A match whose start has been told; only what happens from here on is a notification."""
    table = running_match(zone="Europe/Berlin")
    Notification.objects.all().delete()
    return table


def test_no_your_turn_to_somebody_who_has_moved_meanwhile(table, sink):
    notification = owe(table, awaited(table))
    say(table, awaited(table).number, "draw")
    assert fate(notification) == (Delivery.SUPPRESSED, "It's no longer your turn.")
    assert sink.arrived == []


def test_of_a_mail_that_is_not_sent_it_is_known_when_that_was_found(table, sink):
    notification = owe(table, awaited(table))
    say(table, awaited(table).number, "draw")
    before = datetime.now(UTC)
    fate(notification)
    assert before < notification.due_at < datetime.now(UTC)


def test_no_your_turn_when_the_match_has_ended(table, sink):
    notification = owe(table, awaited(table))
    for seat in table.seats:
        proposals.abandon(table.match.id, seat.user, agreed=True)
    assert fate(notification) == (Delivery.SUPPRESSED, "The match is over.")


def test_who_has_left_the_table_before_the_start_is_not_told_what_is_said_there(sink):
    ann, ben = player("ann"), player("ben")
    match_id = lobby.create(ann, plan(is_private=True)).match.id
    invitations.invite(match_id, ann, "ben")
    lobby.join(match_id, ben)
    chat.post_message(match_id, ann, "Welcome!")
    notification = Notification.objects.get(user=ben, kind=NotificationKind.MESSAGE)
    lobby.leave(match_id, ben)
    chat.post_message(match_id, ann, "Good that he is gone.")
    assert fate(notification) == (Delivery.SUPPRESSED, "You're no longer in this match.")


def test_a_muted_match_is_silent(table, sink):
    Seat.objects.filter(pk=awaited(table).pk).update(is_muted=True)
    assert fate(owe(table, awaited(table))) == (Delivery.SUPPRESSED, "You muted this match.")


def test_an_address_that_is_not_confirmed_gets_nothing(table, sink):
    prefer(awaited(table), email_confirmed_at=None)
    assert fate(owe(table, awaited(table))) == (Delivery.SUPPRESSED, "The address isn't confirmed.")


def test_reminders_can_be_turned_off(table, sink):
    prefer(awaited(table), remind_at=[])
    assert fate(owe(table, awaited(table), NotificationKind.REMINDER)) == (
        Delivery.SUPPRESSED,
        "You turned off reminders.",
    )


def test_news_is_not_for_those_who_have_been_there_since(table, sink):
    onlooker = next(seat for seat in table.seats if not seat.awaited_since)
    notification = owe(table, onlooker, NotificationKind.NEWS)
    visits.record(load_match(table.match.id), onlooker.user)
    assert fate(notification) == (Delivery.SUPPRESSED, "You've already seen it.")


def test_news_that_came_while_somebody_looked_is_news_to_them(table, sink):
    onlooker = next(seat for seat in table.seats if not seat.awaited_since)
    looked_at = load_match(table.match.id)
    say(table, awaited(table).number, "draw")
    notification = owe(table, onlooker, NotificationKind.NEWS)
    visits.record(looked_at, onlooker.user)
    assert fate(notification) == (Delivery.SENT, "")


class TestOneMailUntilIVisit:
    @pytest.fixture(autouse=True)
    def wish(self, table):
        prefer(awaited(table), mail_frequency=MailFrequency.UNTIL_VISIT)

    def test_a_second_turn_without_a_visit_is_not_told(self, table, sink):
        assert fate(owe(table, awaited(table)))[0] == Delivery.SENT
        again = owe(table, awaited(table), number=1)
        assert fate(again)[0] == Delivery.SUPPRESSED
        assert len(sink.arrived) == 1

    def test_neither_is_one_that_falls_due_together_with_the_first(self, table, sink):
        owe(table, awaited(table))
        again = owe(table, awaited(table), number=1)
        news = owe(table, awaited(table), NotificationKind.NEWS)
        assert [fate(notification)[0] for notification in (again, news)] == [Delivery.SUPPRESSED] * 2
        assert len(sink.arrived) == 1

    @pytest.mark.parametrize("refusal", ["", "451 Later"])
    def test_nor_one_that_another_worker_has_at_the_same_moment(self, table, sink, monkeypatch, refusal):
        owed = [owe(table, awaited(table), number=number) for number in (0, 1)]
        sink.refusal = refusal
        with MailServer() as server:
            self.meet_while_sending(monkeypatch, deliver_due)
            sender.deliver(outbox.QUEUE.claim(datetime.now(UTC), 1), server, lambda: False)
        sink.refusal = ""
        with time_machine.travel(datetime.now(UTC) + timedelta(hours=1), tick=False):
            assert {fate(notification)[0] for notification in owed} == {Delivery.SENT, Delivery.SUPPRESSED}
        assert len(sink.arrived) == 1

    def meet_while_sending(self, monkeypatch, act):
        """Does it once, between the verdict on a mail and its sending."""
        honest = MailServer.send

        def send(server, message):
            monkeypatch.setattr(MailServer, "send", honest)
            act()
            honest(server, message)

        monkeypatch.setattr(MailServer, "send", send)

    def test_looking_at_the_match_is_a_visit(self, table, sink):
        assert fate(owe(table, awaited(table)))[0] == Delivery.SENT
        visits.record(load_match(table.match.id), awaited(table).user)
        assert fate(owe(table, awaited(table), number=1))[0] == Delivery.SENT

    def test_looking_at_another_match_is_none(self, table, sink):
        other = running_match(zone="Europe/Berlin")
        Notification.objects.all().delete()
        assert fate(owe(table, awaited(table)))[0] == Delivery.SENT
        visits.record(load_match(other.match.id), awaited(table).user)
        assert fate(owe(table, awaited(table), number=1))[0] == Delivery.SUPPRESSED

    def test_a_message_does_not_swallow_the_turn_that_follows(self, table, sink):
        other = next(seat for seat in table.seats if not seat.awaited_since)
        chat.post_message(table.match.id, other.user, "Hello!")
        deliver_due()
        assert fate(owe(table, awaited(table)))[0] == Delivery.SENT


class TestQuietHours:
    @pytest.fixture(autouse=True)
    def wish(self, table):
        prefer(awaited(table), quiet_from=time(22), quiet_until=time(7))

    @pytest.mark.parametrize(
        ("now", "until"),
        [
            (datetime(2026, 3, 28, 21, 30, tzinfo=UTC), datetime(2026, 3, 29, 5, 0, tzinfo=UTC)),
            (datetime(2026, 3, 29, 4, 59, tzinfo=UTC), datetime(2026, 3, 29, 5, 0, tzinfo=UTC)),
            (datetime(2026, 10, 24, 20, 30, tzinfo=UTC), datetime(2026, 10, 25, 6, 0, tzinfo=UTC)),
        ],
    )
    def test_mail_waits_for_their_end_where_the_player_lives(self, table, sink, now, until):
        with time_machine.travel(now, tick=False):
            notification = owe(table, awaited(table))
            assert fate(notification) == (Delivery.QUEUED, "Waiting for the end of your quiet hours.")
            assert notification.due_at == until
        with time_machine.travel(until, tick=False):
            assert fate(notification) == (Delivery.SENT, "")

    def test_outside_them_it_goes_at_once(self, table, sink):
        with time_machine.travel(NOON, tick=False):
            assert fate(owe(table, awaited(table))) == (Delivery.SENT, "")

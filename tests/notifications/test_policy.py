"""The policy decides whether and when a notification is sent."""

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
from tests.not_none import not_none
from tests.notifications.builders import NOON, notify, outcome, prefer

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    """Create a running match without notifications."""
    table = running_match(zone="Europe/Berlin")
    Notification.objects.all().delete()
    return table


def test_a_turn_email_is_not_sent_to_a_player_who_has_moved(table, mail_server):
    notification = notify(table, awaited(table))
    say(table, awaited(table).number, "draw")
    assert outcome(notification) == (Delivery.SUPPRESSED, "It's no longer your turn.")
    assert mail_server.arrived == []


def test_the_time_when_an_email_is_suppressed_is_recorded(table, mail_server):
    notification = notify(table, awaited(table))
    say(table, awaited(table).number, "draw")
    before = datetime.now(UTC)
    outcome(notification)
    assert before < notification.due_at < datetime.now(UTC)


def test_a_turn_email_is_not_sent_after_the_match_has_ended(table, mail_server):
    notification = notify(table, awaited(table))
    for seat in table.seats:
        proposals.abandon(table.match.id, seat.user, agreed=True)
    assert outcome(notification) == (Delivery.SUPPRESSED, "The match is over.")


def test_a_player_who_left_before_the_start_gets_no_messages(mail_server):
    ann, ben = player("ann"), player("ben")
    match_id = lobby.create(ann, plan(is_private=True)).match.id
    invitations.invite(match_id, ann, "ben")
    lobby.join(match_id, ben)
    chat.post_message(match_id, ann, "Welcome!")
    notification = Notification.objects.get(user=ben, kind=NotificationKind.MESSAGE)
    lobby.leave(match_id, ben)
    chat.post_message(match_id, ann, "Good that he is gone.")
    assert outcome(notification) == (Delivery.SUPPRESSED, "You're no longer in this match.")


def test_no_email_is_sent_about_a_muted_match(table, mail_server):
    Seat.objects.filter(pk=awaited(table).pk).update(is_muted=True)
    assert outcome(notify(table, awaited(table))) == (Delivery.SUPPRESSED, "You muted this match.")


def test_no_email_is_sent_to_an_unconfirmed_address(table, mail_server):
    prefer(awaited(table), email_confirmed_at=None)
    assert outcome(notify(table, awaited(table))) == (Delivery.SUPPRESSED, "The address isn't confirmed.")


def test_reminders_can_be_turned_off(table, mail_server):
    prefer(awaited(table), remind_at=[])
    assert outcome(notify(table, awaited(table), NotificationKind.REMINDER)) == (
        Delivery.SUPPRESSED,
        "You turned off reminders.",
    )


def test_news_is_not_sent_once_the_player_has_visited_the_match(table, mail_server):
    onlooker = next(seat for seat in table.seats if not seat.awaited_since)
    notification = notify(table, onlooker, NotificationKind.NEWS)
    visits.record(load_match(table.match.id), onlooker.user)
    assert outcome(notification) == (Delivery.SUPPRESSED, "You've already seen it.")


def test_news_that_arrives_during_a_visit_is_sent(table, mail_server):
    onlooker = next(seat for seat in table.seats if not seat.awaited_since)
    looked_at = load_match(table.match.id)
    say(table, awaited(table).number, "draw")
    notification = notify(table, onlooker, NotificationKind.NEWS)
    visits.record(looked_at, onlooker.user)
    assert outcome(notification) == (Delivery.SENT, "")


class TestOneMailUntilVisit:
    @pytest.fixture(autouse=True)
    def preference(self, table):
        prefer(awaited(table), mail_frequency=MailFrequency.UNTIL_VISIT)

    def test_a_second_turn_is_not_mailed_until_the_player_has_visited_the_match(self, table, mail_server):
        assert outcome(notify(table, awaited(table)))[0] == Delivery.SENT
        again = notify(table, awaited(table), number=1)
        assert outcome(again)[0] == Delivery.SUPPRESSED
        assert len(mail_server.arrived) == 1

    def test_a_second_turn_that_is_due_together_with_the_first_is_not_mailed(self, table, mail_server):
        notify(table, awaited(table))
        again = notify(table, awaited(table), number=1)
        news = notify(table, awaited(table), NotificationKind.NEWS)
        assert [outcome(notification)[0] for notification in (again, news)] == [Delivery.SUPPRESSED] * 2
        assert len(mail_server.arrived) == 1

    @pytest.mark.parametrize("refusal", ["", "451 Later"])
    def test_a_second_turn_is_not_mailed_while_a_worker_sends_the_first(self, table, mail_server, monkeypatch, refusal):
        queued = [notify(table, awaited(table), number=number) for number in (0, 1)]
        mail_server.refusal = refusal
        with MailServer() as server:
            self.meet_while_sending(monkeypatch, deliver_due)
            sender.deliver(not_none(outbox.QUEUE.claim(datetime.now(UTC), 1)), server, lambda: False)
        mail_server.refusal = ""
        with time_machine.travel(datetime.now(UTC) + timedelta(hours=1), tick=False):
            assert {outcome(notification)[0] for notification in queued} == {Delivery.SENT, Delivery.SUPPRESSED}
        assert len(mail_server.arrived) == 1

    def meet_while_sending(self, monkeypatch, act):
        """Call `act` once, after the decision to send and before sending."""
        honest = MailServer.send

        def send(server, message):
            monkeypatch.setattr(MailServer, "send", honest)
            act()
            honest(server, message)

        monkeypatch.setattr(MailServer, "send", send)

    def test_viewing_the_match_counts_as_a_visit(self, table, mail_server):
        assert outcome(notify(table, awaited(table)))[0] == Delivery.SENT
        visits.record(load_match(table.match.id), awaited(table).user)
        assert outcome(notify(table, awaited(table), number=1))[0] == Delivery.SENT

    def test_viewing_another_match_does_not_count_as_a_visit(self, table, mail_server):
        other = running_match(zone="Europe/Berlin")
        Notification.objects.all().delete()
        assert outcome(notify(table, awaited(table)))[0] == Delivery.SENT
        visits.record(load_match(other.match.id), awaited(table).user)
        assert outcome(notify(table, awaited(table), number=1))[0] == Delivery.SUPPRESSED

    def test_a_message_does_not_suppress_the_next_turn(self, table, mail_server):
        other = next(seat for seat in table.seats if not seat.awaited_since)
        chat.post_message(table.match.id, other.user, "Hello!")
        deliver_due()
        assert outcome(notify(table, awaited(table)))[0] == Delivery.SENT


class TestQuietHours:
    @pytest.fixture(autouse=True)
    def preference(self, table):
        prefer(awaited(table), quiet_from=time(22), quiet_until=time(7))

    @pytest.mark.parametrize(
        ("now", "until"),
        [
            (datetime(2026, 3, 28, 21, 30, tzinfo=UTC), datetime(2026, 3, 29, 5, 0, tzinfo=UTC)),
            (datetime(2026, 3, 29, 4, 59, tzinfo=UTC), datetime(2026, 3, 29, 5, 0, tzinfo=UTC)),
            (datetime(2026, 10, 24, 20, 30, tzinfo=UTC), datetime(2026, 10, 25, 6, 0, tzinfo=UTC)),
        ],
    )
    def test_mail_waits_for_the_end_of_quiet_hours_in_the_players_time_zone(self, table, mail_server, now, until):
        with time_machine.travel(now, tick=False):
            notification = notify(table, awaited(table))
            assert outcome(notification) == (Delivery.QUEUED, "Waiting for the end of your quiet hours.")
            assert notification.due_at == until
        with time_machine.travel(until, tick=False):
            assert outcome(notification) == (Delivery.SENT, "")

    def test_mail_outside_quiet_hours_is_sent_immediately(self, table, mail_server):
        with time_machine.travel(NOON, tick=False):
            assert outcome(notify(table, awaited(table))) == (Delivery.SENT, "")

from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine

from accounts.models import MailFrequency
from games.models import Seat
from games.selectors.loading import load_match
from games.services import chat, visits
from notifications.delivery_log import settle
from notifications.mail.sender import deliver_due
from notifications.models import Delivery, Notification, NotificationKind
from notifications.policy import digest_time
from tests.games.builders import awaited, play_some, player, running_match
from tests.notifications.builders import NOON, notify, outcome, prefer

pytestmark = pytest.mark.django_db


class TestDigest:
    def wait_in(self, count, delivery):
        """Create a player with this many matches waiting for them, and return the player with the notifications."""
        tables = []
        for number in range(count):
            with time_machine.travel(NOON - timedelta(minutes=30 - number), tick=False):
                table = running_match(seats=2, zone="Europe/Berlin")
                Seat.objects.filter(match=table.match).update(awaited_since=None, asked_turn=None)
                mine = Seat.objects.filter(match=table.match, user=player("ann", time_zone="Europe/Berlin"))
                mine.update(awaited_since=datetime.now(UTC), asked_turn=table.match.turn, deadline=NOON + timedelta(7))
                tables.append(load_match(table.match.id))
        seats = [awaited(table) for table in tables]
        prefer(seats[0], mail_frequency=delivery)
        Notification.objects.all().delete()
        return tables, seats

    @pytest.mark.parametrize(
        ("delivery", "due"),
        [
            (MailFrequency.HOURLY, datetime(2026, 3, 28, 12, 0, tzinfo=UTC)),
            (MailFrequency.DAILY, datetime(2026, 3, 29, 6, 0, tzinfo=UTC)),
        ],
    )
    def test_a_digest_lists_every_waiting_match_in_order_of_waiting_time(self, mail_server, delivery, due):
        tables, seats = self.wait_in(3, delivery)
        with time_machine.travel(NOON, tick=False):
            notifications = [notify(table, seat) for table, seat in zip(tables, seats, strict=True)]
            deliver_due()
            assert set(Notification.objects.filter(kind="your_turn").values_list("delivery", flat=True)) == {"gathered"}
            assert Notification.objects.get(kind=NotificationKind.DIGEST).due_at == due
        with time_machine.travel(due, tick=False):
            deliver_due()
        (mail,) = mail_server.arrived
        text = mail.get_body(["plain"]).get_content()
        places = [text.index(table.match.id) for table in tables]
        assert mail["Subject"] == "It's your turn in 3 matches"
        assert places == sorted(places)
        assert {outcome(notification)[0] for notification in notifications} == {Delivery.SENT}

    def test_the_digest_is_sent_within_an_hour_when_clocks_are_set_back(self):
        user = player("ann", time_zone="Europe/Berlin", mail_frequency=MailFrequency.HOURLY)
        first, second = datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
        assert digest_time(user, first) == datetime(2026, 10, 25, 1, 0, tzinfo=UTC)
        assert digest_time(user, second) == datetime(2026, 10, 25, 2, 0, tzinfo=UTC)

    def test_a_turn_is_mailed_immediately_if_its_deadline_comes_before_the_digest(self, mail_server):
        tables, seats = self.wait_in(1, MailFrequency.DAILY)
        Seat.objects.filter(pk=seats[0].pk).update(deadline=NOON + timedelta(hours=2))
        with time_machine.travel(NOON, tick=False):
            assert outcome(notify(tables[0], seats[0])) == (Delivery.SENT, "")

    def test_a_turn_is_mailed_immediately_if_quiet_hours_delay_the_digest_past_its_deadline(self, mail_server):
        tables, seats = self.wait_in(1, MailFrequency.DAILY)
        prefer(seats[0], quiet_from=time(22), quiet_until=time(10))
        nine_next_morning = datetime(2026, 3, 29, 7, 0, tzinfo=UTC)
        Seat.objects.filter(pk=seats[0].pk).update(deadline=nine_next_morning)
        with time_machine.travel(NOON, tick=False):
            assert outcome(notify(tables[0], seats[0])) == (Delivery.SENT, "")

    def digest_of(self, mail_server, *notifications):
        """Return the text of the next digest."""
        with time_machine.travel(NOON, tick=False):
            deliver_due()
            assert {Notification.objects.get(pk=notification.pk).delivery for notification in notifications} == {
                Delivery.GATHERED
            }
        with time_machine.travel(NOON + timedelta(hours=1), tick=False):
            deliver_due()
        (mail,) = mail_server.arrived
        return mail.get_body(["plain"]).get_content()

    def test_a_digest_contains_messages_from_all_matches(self, mail_server):
        tables, seats = self.wait_in(2, MailFrequency.HOURLY)
        Seat.objects.filter(pk=seats[1].pk).update(awaited_since=None, asked_turn=None)
        with time_machine.travel(NOON, tick=False):
            for table, words in zip(tables, ("I wait for you!", "Guests came."), strict=True):
                visits.record(load_match(table.match.id), seats[0].user)
                chat.post_message(table.match.id, player("ben", time_zone="Europe/Berlin"), words)
                chat.post_message(table.match.id, player("ben", time_zone="Europe/Berlin"), "No hurry.")
        said = Notification.objects.filter(kind=NotificationKind.MESSAGE)
        text = self.digest_of(mail_server, *said)
        assert [text.count(words) for words in ("I wait for you!", "Guests came.", "No hurry.")] == [1, 1, 2]
        assert set(said.values_list("delivery", flat=True)) == {Delivery.SENT}

    def test_a_digest_contains_the_score_of_a_finished_match(self, mail_server):
        _, seats = self.wait_in(1, MailFrequency.HOURLY)
        with time_machine.travel(NOON, tick=False):
            Seat.objects.update(awaited_since=None)
            over = play_some(running_match(seats=2, zone="Europe/Berlin"))
            visits.record(load_match(over.match.id), seats[0].user)
            Notification.objects.exclude(kind=NotificationKind.MATCH_OVER, user=seats[0].user).delete()
        text = self.digest_of(mail_server, Notification.objects.get())
        assert "Final score" in text

    def test_a_digest_reports_a_missed_deadline(self, mail_server):
        tables, seats = self.wait_in(1, MailFrequency.HOURLY)
        with time_machine.travel(NOON, tick=False):
            passed = notify(tables[0], seats[0], NotificationKind.DEADLINE_PASSED, data={"late": [seats[0].number]})
        assert "a minimal move was made for you" in " ".join(self.digest_of(mail_server, passed).split())

    def test_an_empty_digest_is_not_sent(self, mail_server):
        tables, seats = self.wait_in(1, MailFrequency.HOURLY)
        with time_machine.travel(NOON, tick=False):
            notification = notify(tables[0], seats[0])
            deliver_due()
        Seat.objects.filter(match=tables[0].match).update(awaited_since=None, asked_turn=None, is_muted=True)
        with time_machine.travel(NOON + timedelta(hours=1), tick=False):
            assert outcome(notification) == (Delivery.SUPPRESSED, "Nothing is waiting for you.")
        assert mail_server.arrived == []

    def test_after_the_clock_was_ahead_notifications_wait_for_a_digest_that_has_not_been_sent_yet(self, mail_server):
        tables, seats = self.wait_in(1, MailFrequency.HOURLY)
        at = digest_time(seats[0].user, NOON)
        gone = {"created_at": at, "due_at": at, "delivery": Delivery.SENT}
        Notification.objects.create(user=seats[0].user, kind=NotificationKind.DIGEST, **gone)
        with time_machine.travel(NOON, tick=False):
            notification = notify(tables[0], seats[0])
            assert outcome(notification)[0] == Delivery.QUEUED
            assert notification.due_at == at

    def test_notifications_that_come_too_late_for_a_digest_wait_for_the_next_one(self, mail_server):
        tables, seats = self.wait_in(2, MailFrequency.HOURLY)
        with time_machine.travel(NOON, tick=False):
            notify(tables[0], seats[0])
            deliver_due()
            late = notify(
                tables[1], seats[1], delivery=Delivery.GATHERED, digest=Notification.objects.get(kind="digest")
            )
        with time_machine.travel(NOON + timedelta(hours=1), tick=False):
            digest = Notification.objects.get(kind="digest")
            digest.delivery = Delivery.SENT
            digest.save()
            settle(digest, contained=[])
            late.refresh_from_db()
            assert late.delivery == Delivery.QUEUED

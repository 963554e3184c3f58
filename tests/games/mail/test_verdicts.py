"""What is still worth a mail right before it is sent, and when."""

from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine

from accounts.models import NoticeDelivery
from games import invitations, lobby, talk, visits
from games.mail import outbox, sender
from games.mail.digest import settle
from games.mail.post import MailServer
from games.mail.preferences import digest_time
from games.mail.sender import deliver_due
from games.models import Notice, Seat
from games.models.notice import Delivery, NoticeKind
from games.table import lay_table
from tests.games.builders import awaited, plan, play_some, player, running_match, say

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 28, 11, 0, tzinfo=UTC)  # the clocks in Berlin go forward in the night that follows


@pytest.fixture
def table():
    """A match whose start has been told; only what happens from here on is a notice."""
    table = running_match(zone="Europe/Berlin")
    Notice.objects.all().delete()
    return table


def prefer(seat, **wishes):
    for name, value in wishes.items():
        setattr(seat.user, name, value)
    seat.user.save()


def owe(table, seat, kind=NoticeKind.YOUR_TURN, turn=None, **changes):
    now = datetime.now(UTC)
    turn = lay_table(table.match.id).match.turn if turn is None else turn
    facts = {"user": seat.user, "match": table.match, "seat": seat.number, "turn": turn, "kind": kind}
    return Notice.objects.create(**facts | {"owed_at": now, "due_at": now} | changes)


def fate(notice):
    deliver_due()
    notice.refresh_from_db()
    return notice.delivery, notice.why


def test_no_your_turn_to_somebody_who_has_moved_meanwhile(table, sink):
    notice = owe(table, awaited(table))
    say(table, awaited(table).number, "draw")
    assert fate(notice) == (Delivery.SUPPRESSED, "It is not your turn any more.")
    assert sink.arrived == []


def test_of_a_mail_that_is_not_sent_it_is_known_when_that_was_found(table, sink):
    notice = owe(table, awaited(table))
    say(table, awaited(table).number, "draw")
    before = datetime.now(UTC)
    fate(notice)
    assert before < notice.due_at < datetime.now(UTC)


def test_no_your_turn_when_the_match_has_ended(table, sink):
    notice = owe(table, awaited(table))
    for seat in table.seats:
        lobby.abandon(table.match.id, seat.user, agreed=True)
    assert fate(notice) == (Delivery.SUPPRESSED, "The match is over.")


def test_who_has_left_the_table_before_the_start_is_not_told_what_is_said_there(sink):
    ann, ben = player("ann"), player("ben")
    match_id = lobby.create(ann, plan(is_private=True)).match.id
    invitations.invite(match_id, ann, "ben")
    lobby.join(match_id, ben)
    talk.say(match_id, ann, "Welcome!")
    notice = Notice.objects.get(user=ben, kind=NoticeKind.MESSAGE)
    lobby.leave(match_id, ben)
    talk.say(match_id, ann, "Good that he is gone.")
    assert fate(notice) == (Delivery.SUPPRESSED, "You do not play in this match any more.")


def test_a_muted_match_is_silent(table, sink):
    Seat.objects.filter(pk=awaited(table).pk).update(is_muted=True)
    assert fate(owe(table, awaited(table))) == (Delivery.SUPPRESSED, "You muted this match.")


def test_an_address_that_is_not_confirmed_gets_nothing(table, sink):
    prefer(awaited(table), email_confirmed_at=None)
    assert fate(owe(table, awaited(table))) == (Delivery.SUPPRESSED, "The address is not confirmed.")


def test_reminders_can_be_turned_off(table, sink):
    prefer(awaited(table), remind_at=[])
    assert fate(owe(table, awaited(table), NoticeKind.REMINDER)) == (
        Delivery.SUPPRESSED,
        "You asked for no reminders.",
    )


def test_news_is_not_for_those_who_have_been_there_since(table, sink):
    onlooker = next(seat for seat in table.seats if not seat.awaited_since)
    notice = owe(table, onlooker, NoticeKind.NEWS)
    visits.note(lay_table(table.match.id), onlooker.user)
    assert fate(notice) == (Delivery.SUPPRESSED, "You have seen it.")


def test_news_that_came_while_somebody_looked_is_news_to_them(table, sink):
    onlooker = next(seat for seat in table.seats if not seat.awaited_since)
    looked_at = lay_table(table.match.id)
    say(table, awaited(table).number, "draw")
    notice = owe(table, onlooker, NoticeKind.NEWS)
    visits.note(looked_at, onlooker.user)
    assert fate(notice) == (Delivery.SENT, "")


class TestOneMailUntilIVisit:
    @pytest.fixture(autouse=True)
    def wish(self, table):
        prefer(awaited(table), notice_delivery=NoticeDelivery.UNTIL_VISIT)

    def test_a_second_turn_without_a_visit_is_not_told(self, table, sink):
        assert fate(owe(table, awaited(table)))[0] == Delivery.SENT
        again = owe(table, awaited(table), occasion=1)
        assert fate(again)[0] == Delivery.SUPPRESSED
        assert len(sink.arrived) == 1

    def test_neither_is_one_that_falls_due_together_with_the_first(self, table, sink):
        owe(table, awaited(table))
        again = owe(table, awaited(table), occasion=1)
        news = owe(table, awaited(table), NoticeKind.NEWS)
        assert [fate(notice)[0] for notice in (again, news)] == [Delivery.SUPPRESSED] * 2
        assert len(sink.arrived) == 1

    @pytest.mark.parametrize("refusal", ["", "451 Later"])
    def test_nor_one_that_another_worker_has_at_the_same_moment(self, table, sink, monkeypatch, refusal):
        owed = [owe(table, awaited(table), occasion=occasion) for occasion in (0, 1)]
        sink.refusal = refusal
        with MailServer() as server:
            self.meet_while_sending(monkeypatch, deliver_due)
            sender.deliver(outbox.claim(datetime.now(UTC), 1), server, lambda: False)
        sink.refusal = ""
        with time_machine.travel(datetime.now(UTC) + timedelta(hours=1), tick=False):
            assert {fate(notice)[0] for notice in owed} == {Delivery.SENT, Delivery.SUPPRESSED}
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
        visits.note(lay_table(table.match.id), awaited(table).user)
        assert fate(owe(table, awaited(table), occasion=1))[0] == Delivery.SENT

    def test_looking_at_another_match_is_none(self, table, sink):
        other = running_match(zone="Europe/Berlin")
        Notice.objects.all().delete()
        assert fate(owe(table, awaited(table)))[0] == Delivery.SENT
        visits.note(lay_table(other.match.id), awaited(table).user)
        assert fate(owe(table, awaited(table), occasion=1))[0] == Delivery.SUPPRESSED

    def test_a_message_does_not_swallow_the_turn_that_follows(self, table, sink):
        other = next(seat for seat in table.seats if not seat.awaited_since)
        talk.say(table.match.id, other.user, "Hello!")
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
            notice = owe(table, awaited(table))
            assert fate(notice) == (Delivery.QUEUED, "These are your quiet hours.")
            assert notice.due_at == until
        with time_machine.travel(until, tick=False):
            assert fate(notice) == (Delivery.SENT, "")

    def test_outside_them_it_goes_at_once(self, table, sink):
        with time_machine.travel(NOON, tick=False):
            assert fate(owe(table, awaited(table))) == (Delivery.SENT, "")


class TestDigest:
    def wait_in(self, count, delivery):
        """A player who is awaited in so many matches, one after the other, and what they are owed."""
        tables = []
        for number in range(count):
            with time_machine.travel(NOON - timedelta(minutes=30 - number), tick=False):
                table = running_match(seats=2, zone="Europe/Berlin")
                Seat.objects.filter(match=table.match).update(awaited_since=None, asked_turn=None)
                mine = Seat.objects.filter(match=table.match, user=player("ann", time_zone="Europe/Berlin"))
                mine.update(awaited_since=datetime.now(UTC), asked_turn=table.match.turn, deadline=NOON + timedelta(7))
                tables.append(lay_table(table.match.id))
        seats = [awaited(table) for table in tables]
        prefer(seats[0], notice_delivery=delivery)
        Notice.objects.all().delete()
        return tables, seats

    @pytest.mark.parametrize(
        ("delivery", "due"),
        [
            (NoticeDelivery.HOURLY, datetime(2026, 3, 28, 12, 0, tzinfo=UTC)),
            (NoticeDelivery.DAILY, datetime(2026, 3, 29, 6, 0, tzinfo=UTC)),
        ],
    )
    def test_all_that_waits_comes_in_one_mail_the_longest_waiting_first(self, sink, delivery, due):
        tables, seats = self.wait_in(3, delivery)
        with time_machine.travel(NOON, tick=False):
            notices = [owe(table, seat) for table, seat in zip(tables, seats, strict=True)]
            deliver_due()
            assert set(Notice.objects.filter(kind="your_turn").values_list("delivery", flat=True)) == {"gathered"}
            assert Notice.objects.get(kind=NoticeKind.DIGEST).due_at == due
        with time_machine.travel(due, tick=False):
            deliver_due()
        (mail,) = sink.arrived
        text = mail.get_body(["plain"]).get_content()
        places = [text.index(table.match.id) for table in tables]
        assert mail["Subject"] == "3 matches wait for you"
        assert places == sorted(places)
        assert {fate(notice)[0] for notice in notices} == {Delivery.SENT}

    def test_in_the_hour_that_comes_twice_the_digest_still_comes_within_an_hour(self):
        user = player("ann", time_zone="Europe/Berlin", notice_delivery=NoticeDelivery.HOURLY)
        first, second = datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
        assert digest_time(user, first) == datetime(2026, 10, 25, 1, 0, tzinfo=UTC)
        assert digest_time(user, second) == datetime(2026, 10, 25, 2, 0, tzinfo=UTC)

    def test_a_turn_that_would_be_over_by_then_is_told_at_once(self, sink):
        tables, seats = self.wait_in(1, NoticeDelivery.DAILY)
        Seat.objects.filter(pk=seats[0].pk).update(deadline=NOON + timedelta(hours=2))
        with time_machine.travel(NOON, tick=False):
            assert fate(owe(tables[0], seats[0])) == (Delivery.SENT, "")

    def digest_of(self, sink, *notices):
        """What the hour's digest says, once the notices are gathered."""
        with time_machine.travel(NOON, tick=False):
            deliver_due()
            assert {Notice.objects.get(pk=notice.pk).delivery for notice in notices} == {Delivery.GATHERED}
        with time_machine.travel(NOON + timedelta(hours=1), tick=False):
            deliver_due()
        (mail,) = sink.arrived
        return mail.get_body(["plain"]).get_content()

    def test_what_was_said_is_in_it_whether_the_match_waits_or_not(self, sink):
        tables, seats = self.wait_in(2, NoticeDelivery.HOURLY)
        Seat.objects.filter(pk=seats[1].pk).update(awaited_since=None, asked_turn=None)
        with time_machine.travel(NOON, tick=False):
            for table, words in zip(tables, ("I wait for you!", "Guests came."), strict=True):
                visits.note(lay_table(table.match.id), seats[0].user)
                talk.say(table.match.id, player("ben", time_zone="Europe/Berlin"), words)
                talk.say(table.match.id, player("ben", time_zone="Europe/Berlin"), "No hurry.")
        said = Notice.objects.filter(kind=NoticeKind.MESSAGE)
        text = self.digest_of(sink, *said)
        assert [text.count(words) for words in ("I wait for you!", "Guests came.", "No hurry.")] == [1, 1, 2]
        assert set(said.values_list("delivery", flat=True)) == {Delivery.SENT}

    def test_a_match_that_ended_comes_with_its_score(self, sink):
        _, seats = self.wait_in(1, NoticeDelivery.HOURLY)
        with time_machine.travel(NOON, tick=False):
            Seat.objects.update(awaited_since=None)
            over = play_some(running_match(seats=2, zone="Europe/Berlin"))
            visits.note(lay_table(over.match.id), seats[0].user)
            Notice.objects.exclude(kind=NoticeKind.MATCH_OVER, user=seats[0].user).delete()
        text = self.digest_of(sink, Notice.objects.get())
        assert "The full score" in text

    def test_a_deadline_that_passed_is_told(self, sink):
        tables, seats = self.wait_in(1, NoticeDelivery.HOURLY)
        with time_machine.travel(NOON, tick=False):
            passed = owe(tables[0], seats[0], NoticeKind.DEADLINE_PASSED, data={"late": [seats[0].number]})
        assert "a harmless move was made for you" in " ".join(self.digest_of(sink, passed).split())

    def test_nothing_is_sent_when_nothing_waits_any_more(self, sink):
        tables, seats = self.wait_in(1, NoticeDelivery.HOURLY)
        with time_machine.travel(NOON, tick=False):
            notice = owe(tables[0], seats[0])
            deliver_due()
        Seat.objects.filter(match=tables[0].match).update(awaited_since=None, asked_turn=None, is_muted=True)
        with time_machine.travel(NOON + timedelta(hours=1), tick=False):
            assert fate(notice) == (Delivery.SUPPRESSED, "Nothing waits for you any more.")
        assert sink.arrived == []

    def test_after_the_clock_was_ahead_it_waits_for_a_digest_that_has_not_gone(self, sink):
        tables, seats = self.wait_in(1, NoticeDelivery.HOURLY)
        at = digest_time(seats[0].user, NOON)
        gone = {"owed_at": at, "due_at": at, "delivery": Delivery.SENT}
        Notice.objects.create(user=seats[0].user, kind=NoticeKind.DIGEST, **gone)
        with time_machine.travel(NOON, tick=False):
            notice = owe(tables[0], seats[0])
            assert fate(notice)[0] == Delivery.QUEUED
            assert notice.due_at == at

    def test_what_comes_too_late_for_a_digest_waits_for_the_next(self, sink):
        tables, seats = self.wait_in(2, NoticeDelivery.HOURLY)
        with time_machine.travel(NOON, tick=False):
            owe(tables[0], seats[0])
            deliver_due()
            late = owe(tables[1], seats[1], delivery=Delivery.GATHERED, digest=Notice.objects.get(kind="digest"))
        with time_machine.travel(NOON + timedelta(hours=1), tick=False):
            digest = Notice.objects.get(kind="digest")
            digest.delivery = Delivery.SENT
            digest.save()
            settle(digest, told=[])
            late.refresh_from_db()
            assert late.delivery == Delivery.QUEUED

"""The reckoning after a storm finds what is missing."""

import secrets
import threading
from dataclasses import replace
from datetime import timedelta
from random import Random
from types import SimpleNamespace

import pytest
from django.db.models import F
from django.utils import timezone

from cli.local_store import LocalStore
from games.engine.dice import Dice
from games.models import Event, Match, Move, Seat, StoredResult
from games.selectors import proofs
from games.selectors.loading import load_match
from notifications.mail import sender
from notifications.mail.envelope import message_id
from notifications.mail.sender import deliver_due
from notifications.models import Delivery, Notification, NotificationKind
from notifications.policy import Suppress, judge
from tests.acceptance.storm.__main__ import about_proofs
from tests.acceptance.storm.doormat import Arrived
from tests.acceptance.storm.players import Player
from tests.acceptance.storm.reckoning import about_notifications, about_what_was_not_sent, as_told, complaints
from tests.callers import caller
from tests.games.builders import play_some, running_match, send, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

COLORETTO = {"game": "coloretto", "options": {"edition": "modern"}}
COLORADO_COUNTY = {"game": "colorado-county"}


@pytest.fixture
def game():
    return COLORADO_COUNTY


@pytest.fixture
def played(game):
    """A finished match whose moves were all acknowledged, and whose notifications have all arrived."""
    table = play_with_keys(running_match(seats=2, **game))
    Notification.objects.filter(kind=NotificationKind.INVITATION).delete()
    Notification.objects.update(delivery=Delivery.SENT, tries=1)
    return table


def play_with_keys(table):
    dice = Dice(b"\7" * 32)
    while awaited := sorted(table.engine.awaiting(table.state)):
        seat = table.seats[dice.choice(awaited)]
        move = table.engine.notation(table.engine.sample(table.state, seat.drawn, dice))
        key = key_of(table.match.moves_made + 1)
        assert send(table.match.id, sitting(seat), move, table.match.turn, key).status == 200
        table = load_match(table.match.id)
    return table


def key_of(number):
    return f"key {number}"


def promised():
    tables = [load_match(match.pk) for match in Match.objects.all()]
    moves = [(table, move) for table in tables for move in table.match.moves.all()]
    return [replace(as_told(table, move), key=key_of(move.number)) for table, move in moves]


def arrived():
    return [
        Arrived(message_id(notification.pk), notification.user.email)
        for notification in Notification.objects.select_related("user")
    ]


def found(acknowledged, mails):
    return "\n".join(complaints(acknowledged, mails))


@pytest.mark.parametrize("game", [COLORETTO, COLORADO_COUNTY], ids=["coloretto", "colorado-county"])
def test_it_finds_nothing_where_nothing_is_lost(played):
    assert found(promised(), arrived()) == ""


def test_it_finds_a_move_that_was_acknowledged_and_is_gone(played):
    acknowledged = promised()
    Move.objects.latest("number").delete()
    assert "acknowledged 1 times and is kept 0" in found(acknowledged, arrived())


def test_it_finds_a_move_that_was_made_twice(played):
    assert "nobody was told" in found(promised()[:-1], arrived())


def test_it_finds_a_move_that_is_not_kept_as_it_was_acknowledged(played):
    *others, last = promised()
    for changed in ({"notation": "another"}, {"seat": 7}, {"turn": 999}, {"username": "zoe"}):
        assert "acknowledged 1 times and is kept 0" in found([*others, replace(last, **changed)], arrived())


def test_it_finds_a_result_that_is_gone(played):
    StoredResult.objects.filter(key=key_of(3)).delete()
    assert "no result is kept for" in found(promised(), arrived())


def test_it_finds_a_result_that_nobody_was_told(played):
    first, *others = promised()
    said = found([replace(first, key="another key"), *others], arrived())
    assert "is not the one that was acknowledged" in said
    assert "key another key" in said


def test_it_finds_a_result_of_another_move(played):
    other = StoredResult.objects.get(key=key_of(4)).content
    StoredResult.objects.filter(key=key_of(3)).update(content=other)
    assert "is not the one that was acknowledged" in found(promised(), arrived())


def test_it_finds_an_event_that_was_changed(played):
    Event.objects.filter(number=3).update(hash="0" * 64)
    said = found(promised(), arrived())
    assert "event 3" in said
    assert "1 of 1 matches differ" in said


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        (COLORETTO, NotificationKind.MATCH_STARTED),
        (COLORETTO, NotificationKind.YOUR_TURN),
        (COLORADO_COUNTY, NotificationKind.YOUR_TURN),
        (COLORADO_COUNTY, NotificationKind.NEWS),
        (COLORADO_COUNTY, NotificationKind.MATCH_OVER),
    ],
)
def test_it_finds_a_notification_that_was_never_written(played, kind):
    Notification.objects.filter(kind=kind).latest("turn").delete()
    assert "never written" in found(promised(), arrived())


def test_it_finds_a_notification_that_nobody_is_owed(played):
    Notification.objects.filter(kind=NotificationKind.YOUR_TURN).latest("turn").delete()
    Notification.objects.filter(kind=NotificationKind.MATCH_OVER, seat=0).update(kind=NotificationKind.YOUR_TURN)
    assert "1 more of this notification than anybody is owed" in found(promised(), arrived())


def test_it_finds_a_notification_that_was_never_sent(played):
    for delivery in (Delivery.QUEUED, Delivery.SENDING, Delivery.DEAD):
        Notification.objects.filter(pk=Notification.objects.latest("created_at").pk).update(delivery=delivery)
        assert f"is {delivery}" in found(promised(), arrived())


def test_it_finds_a_notification_that_never_arrived(played):
    assert "never arrived" in found(promised(), arrived()[1:])


def test_it_finds_a_notification_that_reached_somebody_else(played):
    (first, *others) = arrived()
    said = found(promised(), [first._replace(address="zoe@example.org"), *others])
    assert "never arrived" in said
    assert "that nobody was owed" in said


def test_a_mail_may_come_as_often_as_it_was_tried_and_no_more(played):
    mails = arrived()
    twice = [*mails, mails[0]]
    assert "arrived 2 times, and was tried 1 times" in found(promised(), twice)
    Notification.objects.update(tries=2)
    assert found(promised(), twice) == ""


def leave_out(notifications, why, when):
    """As the service does: `when` it found the reason, as a moment or as a field of the notification."""
    notifications.update(delivery=Delivery.SUPPRESSED, why=why, due_at=when)


class TestNotificationsThatWereLeftOut:
    @pytest.fixture
    def over_at(self, played):
        return played.match.ended_at

    def asked(self):
        return Notification.objects.filter(kind=NotificationKind.YOUR_TURN)

    @pytest.mark.parametrize("game", [COLORETTO, COLORADO_COUNTY], ids=["coloretto", "colorado-county"])
    def test_a_question_may_be_when_its_player_has_acted(self, over_at):
        leave_out(self.asked(), "It is not your turn any more.", over_at)
        assert found(promised(), arrived()) == ""

    @pytest.mark.parametrize("game", [COLORETTO, COLORADO_COUNTY], ids=["coloretto", "colorado-county"])
    def test_a_question_may_not_be_when_its_player_acted_only_later(self, over_at):
        leave_out(self.asked(), "It is not your turn any more.", F("created_at"))
        assert found(promised(), arrived()).count("for a reason that was not true") == self.asked().count() > 10

    def test_a_question_may_not_be_while_it_stands(self):
        play_some(running_match(seats=2), 3)
        last = Notification.objects.filter(pk=self.asked().latest("turn").pk)
        leave_out(last, "It is not your turn any more.", timezone.now())
        assert f"{last.get()} was not sent, for a reason that was not true" in found([], [])

    def test_a_question_may_be_when_the_match_is_over_and_not_before(self, over_at):
        leave_out(self.asked(), "The match is over.", over_at)
        assert found(promised(), arrived()) == ""
        leave_out(self.asked(), "The match is over.", over_at - timedelta(microseconds=1))
        assert found(promised(), arrived()).count("for a reason that was not true") == self.asked().count()

    def test_news_may_be_when_its_player_was_there_since_and_not_before(self, over_at):
        news = Notification.objects.filter(
            pk=Notification.objects.filter(kind=NotificationKind.NEWS).earliest("turn").pk
        )
        leave_out(news, "You have seen it.", over_at)
        assert found(promised(), arrived()) == ""
        leave_out(news, "You have seen it.", F("created_at"))
        assert "for a reason that was not true" in found(promised(), arrived())
        leave_out(news, "You have seen it.", over_at)
        Seat.objects.update(visited_at=news.get().created_at)
        assert "for a reason that was not true" in found(promised(), arrived())

    def test_none_may_be_for_another_reason(self, over_at):
        leave_out(self.asked(), "You muted this match.", over_at)
        assert "was not sent: You muted this match." in found(promised(), arrived())


class TestTheServiceItself:
    """With its own sender, which looks at what is owed after every second move."""

    @pytest.fixture
    def mailed(self, sink):
        def play(moves):
            table = running_match(seats=2, **COLORADO_COUNTY)
            Notification.objects.filter(kind=NotificationKind.INVITATION).delete()
            for _ in range(moves):
                table = play_some(table, 2, seed=secrets.token_bytes())
                deliver_due()
            return [Arrived(mail["Message-ID"], mail["To"]) for mail in sink.arrived]

        return play

    def about_notifications(self, mails):
        return [*about_notifications(mails), *about_what_was_not_sent()]

    def test_leaves_out_only_what_is_needless(self, mailed):
        mails = mailed(10)
        assert {Delivery.SENT, Delivery.SUPPRESSED} <= set(Notification.objects.values_list("delivery", flat=True))
        assert self.about_notifications(mails) == []

    def test_is_found_out_if_it_never_asks_anybody(self, mailed, monkeypatch):
        monkeypatch.setattr(sender, "judge", self.never_ask)
        assert any("for a reason that was not true" in said for said in self.about_notifications(mailed(10)))

    @staticmethod
    def never_ask(context):
        is_question = context.notification.kind == NotificationKind.YOUR_TURN
        return Suppress("It is not your turn any more.") if is_question else judge(context)


def test_the_end_of_a_match_may_not_be_left_out(played):
    Notification.objects.filter(kind=NotificationKind.MATCH_OVER).update(
        delivery=Delivery.SUPPRESSED, why="The match is over."
    )
    assert "was not sent" in found(promised(), arrived())


def test_it_finds_a_match_that_stands_still():
    table = play_some(running_match(seats=2), 3)
    assert "not finished" in found([], [])
    assert load_match(table.match.id).match.phase == "running"


class TestProofs:
    @pytest.fixture
    def table(self):
        return play_some(running_match(seats=2, **COLORETTO), 3)

    @pytest.fixture
    def notes(self, table, tmp_path):
        """What somebody's client has noted during the match."""
        noted = LocalStore(tmp_path)
        noted.save_snapshot(caller().get(f"/api/v1/matches/{table.match.id}").json(), None)
        return noted

    def told(self, table, notes, document):
        server = SimpleNamespace(get_bytes=lambda path: document)
        player = Player("ann", [server], threading.Event(), Random(1), notes)
        return "\n".join(about_proofs({table.match.id: [player]}))

    def test_one_that_holds_is_not_complained_about(self, table, notes):
        assert self.told(table, notes, proofs.proof(play_some(table))) == ""

    def test_it_finds_one_that_does_not_hold(self, table, notes):
        document = proofs.proof(play_some(table))
        kept = Event.objects.get(number=3).hash.encode()
        assert "The proof does not hold" in self.told(table, notes, document.replace(kept, b"0" * 64))

    def test_it_finds_one_of_another_match_than_the_players_saw(self, table, notes):
        other = play_some(running_match(seats=2, **COLORETTO))
        notes.save_snapshot(caller().get(f"/api/v1/matches/{table.match.id}").json() | {"id": other.match.id}, None)
        assert "recorded another" in self.told(other, notes, proofs.proof(other))

"""The checks after a storm find everything that is missing."""

import secrets
import threading
from dataclasses import replace
from datetime import timedelta
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.db.models import F
from django.utils import timezone

from cli.client import Server
from cli.fairness_notes import note_match
from cli.local_store import LocalStore
from games.engine.dice import Dice
from games.models import Event, Match, Move, Seat, StoredResult
from games.selectors import proofs
from games.selectors.loading import load_match
from notifications.mail import sender
from notifications.mail.envelope import message_id
from notifications.mail.sender import deliver_due
from notifications.models import Delivery, Notification, NotificationKind
from notifications.policy import Suppress, decide
from tests.acceptance.storm.__main__ import check_proofs
from tests.acceptance.storm.mail_counter import Arrived
from tests.acceptance.storm.players import Player
from tests.acceptance.storm.verification import acknowledgment_of, check_deliveries, check_suppressed, complaints
from tests.callers import caller
from tests.games.builders import play_some, running_match, send, sitting
from tests.not_none import not_none

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

COLORETTO: dict[str, Any] = {"game": "coloretto", "options": {"edition": "modern"}}
COLORADO_COUNTY = {"game": "colorado-county"}


@pytest.fixture
def game():
    return COLORADO_COUNTY


@pytest.fixture
def played(game):
    """Create a finished match whose moves were all acknowledged and whose notifications all arrived."""
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
    return [replace(acknowledgment_of(table, move), key=key_of(move.number)) for table, move in moves]


def arrived():
    return [
        Arrived(message_id(notification.pk), not_none(notification.user).email)
        for notification in Notification.objects.select_related("user")
    ]


def found(acknowledged, mails):
    return "\n".join(complaints(acknowledged, mails))


@pytest.mark.parametrize("game", [COLORETTO, COLORADO_COUNTY], ids=["coloretto", "colorado-county"])
def test_nothing_is_reported_if_nothing_is_lost(played):
    assert found(promised(), arrived()) == ""


def test_an_acknowledged_move_that_is_missing_is_reported(played):
    acknowledged = promised()
    Move.objects.latest("number").delete()
    assert "acknowledged 1 times and is stored 0" in found(acknowledged, arrived())


def test_a_move_that_was_never_acknowledged_is_reported(played):
    assert "never acknowledged" in found(promised()[:-1], arrived())


def test_a_move_stored_differently_than_acknowledged_is_reported(played):
    *others, last = promised()
    for changed in ({"notation": "another"}, {"seat": 7}, {"turn": 999}, {"username": "zoe"}):
        assert "acknowledged 1 times and is stored 0" in found([*others, replace(last, **changed)], arrived())


def test_a_missing_result_is_reported(played):
    StoredResult.objects.filter(key=key_of(3)).delete()
    assert "no result is stored for" in found(promised(), arrived())


def test_a_result_stored_with_another_key_is_reported(played):
    first, *others = promised()
    said = found([replace(first, key="another key"), *others], arrived())
    assert "is not the one that was acknowledged" in said
    assert "key another key" in said


def test_a_result_that_belongs_to_another_move_is_reported(played):
    other = StoredResult.objects.get(key=key_of(4)).content
    StoredResult.objects.filter(key=key_of(3)).update(content=other)
    assert "is not the one that was acknowledged" in found(promised(), arrived())


def test_a_changed_event_is_reported(played):
    Event.objects.filter(number=3).update(hash="0" * 64)
    said = found(promised(), arrived())
    assert "event 3" in said
    assert "Replayed 1 match and found differences in 1" in said


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
def test_a_notification_that_was_never_written_is_reported(played, kind):
    Notification.objects.filter(kind=kind).latest("turn").delete()
    assert "never written" in found(promised(), arrived())


def test_an_unexpected_notification_is_reported(played):
    Notification.objects.filter(kind=NotificationKind.YOUR_TURN).latest("turn").delete()
    Notification.objects.filter(kind=NotificationKind.MATCH_OVER, seat=0).update(kind=NotificationKind.YOUR_TURN)
    assert "written 1 times too often" in found(promised(), arrived())


def test_a_notification_that_was_never_sent_is_reported(played):
    for delivery in (Delivery.QUEUED, Delivery.SENDING, Delivery.DEAD):
        Notification.objects.filter(pk=Notification.objects.latest("created_at").pk).update(delivery=delivery)
        assert f"is {delivery}" in found(promised(), arrived())


def test_a_notification_that_never_arrived_is_reported(played):
    assert "never arrived" in found(promised(), arrived()[1:])


def test_a_notification_that_reached_somebody_else_is_reported(played):
    (first, *others) = arrived()
    said = found(promised(), [first._replace(address="zoe@example.org"), *others])
    assert "never arrived" in said
    assert "an unexpected email arrived" in said


def test_an_email_may_arrive_as_often_as_it_was_sent_but_not_more_often(played):
    mails = arrived()
    twice = [*mails, mails[0]]
    assert "arrived 2 times but was tried 1 times" in found(promised(), twice)
    Notification.objects.update(tries=2)
    assert found(promised(), twice) == ""


def suppress(notifications, why, when):
    """Suppress notifications the way the service does. `when` is a time, or the name of a field of the notification."""
    notifications.update(delivery=Delivery.SUPPRESSED, why=why, due_at=when)


class TestSuppressedNotifications:
    @pytest.fixture
    def over_at(self, played):
        return played.match.ended_at

    def asked(self):
        return Notification.objects.filter(kind=NotificationKind.YOUR_TURN)

    @pytest.mark.parametrize("game", [COLORETTO, COLORADO_COUNTY], ids=["coloretto", "colorado-county"])
    def test_a_turn_notification_may_be_suppressed_after_its_player_acted(self, over_at):
        suppress(self.asked(), "It's no longer your turn.", over_at)
        assert found(promised(), arrived()) == ""

    @pytest.mark.parametrize("game", [COLORETTO, COLORADO_COUNTY], ids=["coloretto", "colorado-county"])
    def test_a_turn_notification_must_not_be_suppressed_before_its_player_acted(self, over_at):
        suppress(self.asked(), "It's no longer your turn.", F("created_at"))
        assert found(promised(), arrived()).count("for a false reason") == self.asked().count() > 10

    def test_a_turn_notification_must_not_be_suppressed_while_it_is_still_the_players_turn(self):
        play_some(running_match(seats=2), 3)
        last = Notification.objects.filter(pk=self.asked().latest("turn").pk)
        suppress(last, "It's no longer your turn.", timezone.now())
        assert f"{last.get()} was suppressed for a false reason" in found([], [])

    def test_a_turn_notification_may_be_suppressed_after_the_match_but_not_before_its_end(self, over_at):
        suppress(self.asked(), "The match is over.", over_at)
        assert found(promised(), arrived()) == ""
        suppress(self.asked(), "The match is over.", over_at - timedelta(microseconds=1))
        assert found(promised(), arrived()).count("for a false reason") == self.asked().count()

    def test_news_may_be_suppressed_after_a_visit_but_not_before(self, over_at):
        news = Notification.objects.filter(
            pk=Notification.objects.filter(kind=NotificationKind.NEWS).earliest("turn").pk
        )
        suppress(news, "You've already seen it.", over_at)
        assert found(promised(), arrived()) == ""
        suppress(news, "You've already seen it.", F("created_at"))
        assert "for a false reason" in found(promised(), arrived())
        suppress(news, "You've already seen it.", over_at)
        Seat.objects.update(visited_at=news.get().created_at)
        assert "for a false reason" in found(promised(), arrived())

    def test_nothing_may_be_suppressed_for_any_other_reason(self, over_at):
        suppress(self.asked(), "You muted this match.", over_at)
        assert "was not sent: You muted this match." in found(promised(), arrived())


class TestRealSender:
    """These tests use the real sender, which runs after every second move."""

    @pytest.fixture
    def mailed(self, mail_server):
        def play(moves):
            table = running_match(seats=2, **COLORADO_COUNTY)
            Notification.objects.filter(kind=NotificationKind.INVITATION).delete()
            for _ in range(moves):
                table = play_some(table, 2, seed=secrets.token_bytes())
                deliver_due()
            return [Arrived(mail["Message-ID"], mail["To"]) for mail in mail_server.arrived]

        return play

    def complaints(self, mails):
        return [*check_deliveries(mails), *check_suppressed()]

    def test_the_sender_suppresses_only_what_is_not_needed(self, mailed):
        mails = mailed(10)
        assert {Delivery.SENT, Delivery.SUPPRESSED} <= set(Notification.objects.values_list("delivery", flat=True))
        assert self.complaints(mails) == []

    def test_a_sender_that_suppresses_every_turn_is_reported(self, mailed, monkeypatch):
        monkeypatch.setattr(sender, "decide", self.never_ask)
        assert any("for a false reason" in said for said in self.complaints(mailed(10)))

    @staticmethod
    def never_ask(context):
        is_question = context.notification.kind == NotificationKind.YOUR_TURN
        return Suppress("It's no longer your turn.") if is_question else decide(context)


def test_the_result_of_a_match_must_not_be_suppressed(played):
    Notification.objects.filter(kind=NotificationKind.MATCH_OVER).update(
        delivery=Delivery.SUPPRESSED, why="The match is over."
    )
    assert "was not sent" in found(promised(), arrived())


def test_an_unfinished_match_is_reported():
    table = play_some(running_match(seats=2), 3)
    assert "not finished" in found([], [])
    assert load_match(table.match.id).match.phase == "running"


class TestProofs:
    @pytest.fixture
    def table(self):
        return play_some(running_match(seats=2, **COLORETTO), 3)

    @pytest.fixture
    def notes(self, table, tmp_path):
        """Return the notes that a player's client took during the match."""
        noted = LocalStore(tmp_path)
        note_match(noted, caller().get(f"/api/v1/matches/{table.match.id}").json())
        return noted

    def complaints(self, table, notes, document):
        server = SimpleNamespace(get_bytes=lambda path: document)
        player = Player("ann", [cast(Server, server)], threading.Event(), Random(1), notes)
        return "\n".join(check_proofs({table.match.id: [player]}))

    def test_a_valid_proof_is_accepted(self, table, notes):
        assert self.complaints(table, notes, proofs.proof(play_some(table))) == ""

    def test_an_invalid_proof_is_reported(self, table, notes):
        document = proofs.proof(play_some(table))
        kept = Event.objects.get(number=3).hash.encode()
        assert "The proof is invalid" in self.complaints(table, notes, document.replace(kept, b"0" * 64))

    def test_a_proof_of_another_match_is_reported(self, table, notes):
        other = play_some(running_match(seats=2, **COLORETTO))
        note_match(notes, caller().get(f"/api/v1/matches/{table.match.id}").json() | {"id": other.match.id})
        assert "doesn't match the hash it published" in self.complaints(other, notes, proofs.proof(other))

"""A player who resigns comes last, and a stand-in plays the seat to the end."""

import json

import msgspec
import pytest
from django.test import Client

from clock import proposals, resignations, stand_ins, sweep
from core.problems import status_of
from core.refusals import Refused
from games.engine.base import Outcome
from games.models import Absent, Phase
from games.selectors.loading import load_match
from games.services import audit, moves
from notifications.context import load
from notifications.letters import write
from notifications.letters.as_text import as_text
from notifications.models import Notification
from tests.games.api.clients import Caller
from tests.games.builders import play_some, player, running_match, send, sitting
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


def refusal(call, *args, **kwargs):
    with pytest.raises(Refused) as refused:
        call(*args, **kwargs)
    return status_of(refused.value), refused.value.code


@pytest.fixture
def table():
    return running_match(seats=3, absent=Absent.MINIMAL)


def seat_of(table, user):
    return next(seat for seat in load_match(table.match.id).seats if seat.user_id == user.pk)


def test_a_stand_in_plays_for_a_player_who_resigned(table, turn_of):
    ann = turn_of(table)
    resignations.resign(table.match.id, ann)
    sweep.sweep()
    assert seat_of(table, ann).awaited_since is None


def test_a_player_who_resigned_cannot_come_back(table):
    ben = player("ben")
    resignations.resign(table.match.id, ben)
    assert refusal(stand_ins.come_back, table.match.id, ben) == (409, "resigned")
    assert refusal(resignations.resign, table.match.id, ben) == (409, "resigned")
    answer = send(table.match.id, ben, "draw", load_match(table.match.id).match.turn)
    assert (answer.status, b'"resigned"' in answer.body) == (409, True)


def test_all_other_players_are_notified(table):
    resignations.resign(table.match.id, player("ben"))
    told = Notification.objects.filter(kind="resigned").order_by("pk")
    assert {one.user for one in told} == {player("ann"), player("cleo")}
    letter = write(load([told[0].pk])[0])
    assert letter.subject.endswith(": Ben resigned")


def test_a_proposal_that_only_the_resigned_player_had_to_vote_on_is_decided(table):
    proposals.abandon(table.match.id, player("ann"), agreed=True)
    proposals.abandon(table.match.id, player("cleo"), agreed=True)
    resignations.resign(table.match.id, player("ben"))
    assert load_match(table.match.id).match.phase == Phase.ABANDONED


def test_a_player_who_resigned_comes_last_regardless_of_points(table):
    seats = load_match(table.match.id).seats
    seats[0].resigned_at = table.match.started_at
    outcome = Outcome(points=(50, 10, 20), places=(1, 3, 2), lines=((), (), ()), reason="")
    assert moves.final_places(seats, outcome) == [3, 2, 1]


def test_the_final_places_are_stored_and_pass_the_audit(table):
    quitter = player("ben")
    resignations.resign(table.match.id, quitter)
    finished = play_some(load_match(table.match.id))
    assert finished.match.phase == Phase.FINISHED
    assert seat_of(table, quitter).place == 3
    assert list(audit.differences(load_match(table.match.id))) == []


@pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
def test_nobody_is_told_that_the_resigned_player_won(game):
    """This is checked on boards, in logs and emails, in the API, and on the page with the result."""
    finished = play_some(running_match(game, seats=2))
    winner, loser = sorted(finished.seats, key=lambda seat: not_none(seat.place))
    winner.resigned_at = finished.match.started_at
    for seat, place in zip(finished.seats, moves.final_places(finished.seats, outcome_of(finished)), strict=True):
        seat.place = place
    finished.save_seats()
    match_id, name = finished.match.id, sitting(loser).name
    told = (
        json.dumps(Caller().get(f"/matches/{match_id}?text=1").json()),
        json.dumps(Caller().get(f"/matches/{match_id}/log?limit=200").json()),
        Client().get(f"/matches/{match_id}").content.decode(),
        as_text(write(load([Notification.objects.get(kind="match_over", user=player("ann")).pk])[0])),
    )
    for text in told:
        assert f"{sitting(winner).name} won" not in text
        assert "You won" not in text or sitting(loser) == player("ann")
    assert f"{name} won with {loser.points} point" in told[2]
    match = json.loads(told[0])
    assert match["outcome"]["places"] == [seat["place"] for seat in match["seats"]]
    assert (loser.place, winner.place) == (1, 2)


def outcome_of(finished):
    return msgspec.convert(finished.match.outcome, Outcome)


@pytest.fixture
def turn_of():
    return lambda table: sitting(next(seat for seat in table.seats if seat.awaited_since))

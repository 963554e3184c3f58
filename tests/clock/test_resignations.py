"""A player who resigns comes last, and a stand-in plays on."""

import pytest

from clock import proposals, resignations, stand_ins, sweep
from core.problems import status_of
from core.refusals import Refused
from games.engine.base import Outcome
from games.models import Absent, Phase
from games.selectors.loading import load_match
from games.services import audit, moves
from notifications.context import load
from notifications.letters import write
from notifications.models import Notification
from tests.games.builders import play_some, player, running_match, send, sitting

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


def test_nobody_comes_back_from_a_resignation(table):
    ben = player("ben")
    resignations.resign(table.match.id, ben)
    assert refusal(stand_ins.come_back, table.match.id, ben) == (409, "resigned")
    assert refusal(resignations.resign, table.match.id, ben) == (409, "resigned")
    answer = send(table.match.id, ben, "draw", load_match(table.match.id).match.turn)
    assert (answer.status, b'"resigned"' in answer.body) == (409, True)


def test_everyone_else_is_told(table):
    resignations.resign(table.match.id, player("ben"))
    told = Notification.objects.filter(kind="resigned").order_by("pk")
    assert {one.user for one in told} == {player("ann"), player("cleo")}
    letter = write(load([told[0].pk])[0])
    assert letter.subject.startswith("Ben resigned")


def test_a_proposal_that_waited_for_the_resigned_player_is_decided(table):
    proposals.abandon(table.match.id, player("ann"), agreed=True)
    proposals.abandon(table.match.id, player("cleo"), agreed=True)
    resignations.resign(table.match.id, player("ben"))
    assert load_match(table.match.id).match.phase == Phase.ABANDONED


def test_the_seat_counts_as_last_whatever_its_points(table):
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


@pytest.fixture
def turn_of():
    return lambda table: sitting(next(seat for seat in table.seats if seat.awaited_since))

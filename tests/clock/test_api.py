from datetime import timedelta

import pytest
import time_machine

from clock.sweep import sweep
from games.models.pace import Pace
from tests.games.api.clients import Caller
from tests.games.builders import awaited, player, running_match, sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(hush):
    return running_match("hush", 3, pace=Pace(timedelta(days=1), patience=1))


@pytest.fixture
def players(table):
    return [Caller(sitting(seat)) for seat in table.seats]


def at(table, rest=""):
    return f"/matches/{table.match.id}{rest}"


@pytest.fixture
def left(table, players):
    """Let seat 0 time out, so that a stand-in plays it."""
    for other in players[1:]:
        other.post(at(table, "/moves"), {"move": "name 2", "turn": table.match.turn})
    with time_machine.travel(awaited(table).deadline):
        sweep()
    return table


def test_a_seat_shows_its_deadline_and_its_bank_and_whether_a_stand_in_plays_it(left, players):
    seats = players[1].get(at(left)).json()["seats"]
    assert [seat["stand_in"] for seat in seats] == [True, False, False]
    assert [bool(seat["deadline"]) for seat in seats] == [False, True, True]


def test_a_pace_is_shown_with_all_its_parts():
    ann = Caller(player("ann"))
    wanted = {"move_time": "36h", "bank": "5d", "weekends_off": True, "patience": 2}
    made = ann.post("/matches", {"game": "coloretto", "seats": 3, "pace": wanted}).json()
    assert made["pace"] == {"move_time": 129_600, "bank": 432_000, "weekends_off": True, "patience": 2}


@pytest.mark.parametrize(
    "pace", [{}, {"bank": "3d"}, {"move_time": "24h", "patience": 0}, {"move_time": "24h", "x": 1}]
)
def test_an_invalid_pace_is_refused(pace):
    refused = Caller(player("ann")).post("/matches", {"game": "coloretto", "seats": 3, "pace": pace})
    assert (refused.status_code, list(refused.json()["data"]["fields"])) == (400, ["pace"])


def test_coming_back_takes_the_seat_back(left, players):
    assert players[0].post(at(left, "/back")).json()["seats"][0]["stand_in"] is False


def test_an_extension_is_proposed_and_voted_on_and_granted(table, players):
    made = players[0].post(at(table, "/proposals"), {"kind": "extension", "time": "36h"})
    assert made.status_code == 201
    number = made.json()["number"]
    voted = players[1].post(at(table, f"/proposals/{number}/vote"), {"agree": True}).json()
    assert (voted["status"], voted["votes"]) == ("open", {"0": True, "1": True})
    settled = players[2].post(at(table, f"/proposals/{number}/vote"), {"agree": True}).json()
    assert settled["status"] == "agreed"
    assert settled["text"].endswith("proposed extending their own deadline by 1 day 12 hours. The players agreed.")


def proposal_in_list(table, caller):
    (shown,) = caller.get(at(table, "/proposals")).json()
    return shown["status"], shown["text"].partition(". ")[2]


def test_an_extension_becomes_obsolete_when_its_player_moves(table, players):
    players[0].post(at(table, "/proposals"), {"kind": "extension", "time": "36h"})
    assert proposal_in_list(table, players[1]) == (
        "open",
        f"Waiting for you and {table.names[2]} to vote.",
    )
    players[0].post(at(table, "/moves"), {"move": "name 2", "turn": table.match.turn})
    assert proposal_in_list(table, players[1]) == ("obsolete", "It is no longer relevant.")


def test_withdrawing_a_sealed_move_reopens_its_extension(table, players):
    number = players[0].post(at(table, "/proposals"), {"kind": "extension", "time": "36h"}).json()["number"]
    players[0].post(at(table, "/moves"), {"move": "name 2", "turn": table.match.turn})
    players[0].post(at(table, "/moves"), {"move": "withdraw", "turn": table.match.turn})
    assert proposal_in_list(table, players[1])[0] == "open"
    assert players[1].post(at(table, f"/proposals/{number}/vote"), {"agree": True}).status_code == 200


def test_proposals_in_a_finished_match_are_obsolete(table, players):
    players[0].post(at(table, "/proposals"), {"kind": "pause", "time": "2d"})
    for one in players:
        one.post(at(table, "/abandon"), {"agree": True})
    assert proposal_in_list(table, players[1])[0] == "obsolete"


def test_the_offer_of_a_seat_becomes_obsolete_when_its_player_comes_back(left, players):
    player("emil")
    wanted = {"kind": "replacement", "seat": 0, "newcomer": "emil"}
    number = players[1].post(at(left, "/proposals"), wanted).json()["number"]
    players[2].post(at(left, f"/proposals/{number}/vote"), {"agree": True})
    assert proposal_in_list(left, players[1])[0] == "agreed"
    players[0].post(at(left, "/back"))
    assert proposal_in_list(left, players[1])[0] == "obsolete"


def test_a_pause_shows_when_it_ends(table, players):
    number = players[0].post(at(table, "/proposals"), {"kind": "pause", "time": "10d"}).json()["number"]
    for other in players[1:]:
        other.post(at(table, f"/proposals/{number}/vote"), {"agree": True})
    assert players[0].get(at(table)).json()["paused_until"]


def test_a_seat_is_offered_and_accepted(left, players):
    emil = Caller(player("emil"))
    wanted = {"kind": "replacement", "seat": 0, "newcomer": "emil"}
    number = players[1].post(at(left, "/proposals"), wanted).json()["number"]
    assert emil.get(at(left, "/proposals")).status_code == 403
    players[2].post(at(left, f"/proposals/{number}/vote"), {"agree": True})
    assert [one["number"] for one in emil.get(at(left, "/proposals")).json()] == [number]
    taken = emil.post(at(left, f"/proposals/{number}/accept")).json()
    assert taken["you"] == 0


def test_an_offered_seat_can_be_declined(left, players):
    emil = Caller(player("emil"))
    wanted = {"kind": "replacement", "seat": 0, "newcomer": "emil"}
    number = players[1].post(at(left, "/proposals"), wanted).json()["number"]
    players[2].post(at(left, f"/proposals/{number}/vote"), {"agree": True})
    assert emil.post(at(left, f"/proposals/{number}/decline")).status_code == 204
    assert players[1].get(at(left, "/proposals")).json()[0]["status"] == "declined"


def test_only_players_can_propose_and_vote(table, players):
    stranger = Caller(player("emil"))
    assert stranger.post(at(table, "/proposals"), {"kind": "pause", "time": "1d"}).status_code == 403
    number = players[0].post(at(table, "/proposals"), {"kind": "pause", "time": "1d"}).json()["number"]
    assert stranger.post(at(table, f"/proposals/{number}/vote"), {"agree": True}).status_code == 403
    assert stranger.post(at(table, "/back")).status_code == 403


@pytest.mark.parametrize(
    "body",
    [{}, {"kind": "rain"}, {"kind": "pause"}, {"kind": "extension", "time": "soon"}, {"kind": "pause", "time": -1}],
)
def test_an_invalid_proposal_is_refused(table, players, body):
    assert players[0].post(at(table, "/proposals"), body).status_code == 400


def test_a_replacement_needs_a_seat_and_a_newcomer(left, players):
    assert players[1].post(at(left, "/proposals"), {"kind": "replacement"}).status_code in (400, 404)
    player("emil")
    assert players[1].post(at(left, "/proposals"), {"kind": "replacement", "newcomer": "emil"}).status_code == 400


def test_an_unknown_proposal_cannot_be_voted_on(table, players):
    assert players[0].post(at(table, "/proposals/99/vote"), {"agree": True}).status_code == 404

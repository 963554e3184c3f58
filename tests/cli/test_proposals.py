from datetime import timedelta

import pytest
import time_machine

from tests.cli.shapes import check
from tests.games.builders import sitting

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table():
    from games.models.pace import Pace
    from tests.games.builders import running_match

    return running_match("coloretto", 3, pace=Pace(timedelta(days=1), patience=1))


@pytest.fixture
def asked(table, machine_of):
    from tests.games.builders import awaited

    return machine_of(sitting(awaited(table)).username)


@pytest.fixture
def others(table, machine_of, asked):
    return [machine_of(seat.user.username) for seat in table.seats if seat.user.username != asked.name]


@pytest.fixture
def left(table, asked):
    """Give the seat of the player whose turn it is to a stand-in."""
    from clock.sweep import sweep
    from tests.games.builders import awaited

    with time_machine.travel(awaited(table).deadline):
        sweep()
    return asked.name


def test_a_proposal_for_more_time_is_accepted_and_the_time_is_granted(table, asked, others):
    match_id = table.match.id
    check("propose_time", asked.json("propose", "time", "36h", "--match", match_id))
    assert "by 1 day 12 hours." in others[0].ok("proposals", match_id)
    assert f"turnpost agree {match_id} --proposal" in others[0].ok("proposals", match_id)
    assert "turnpost agree" not in asked.ok("proposals", match_id), "Players can't vote on their own extension."
    check("agree", others[0].json("agree", match_id))
    assert "The players agreed." in others[1].ok("agree", match_id)
    check("proposals", asked.json("proposals", match_id))


def test_a_proposal_for_more_time_becomes_obsolete_once_the_player_moves(table, asked, others):
    match_id = table.match.id
    asked.ok("propose", "time", "36h", "--match", match_id)
    for move in ("draw", "place 1"):
        asked.ok("play", match_id, move)
    shown = others[0].ok("proposals", match_id)
    assert "It is no longer relevant." in shown
    assert "turnpost agree" not in shown
    check("proposals", others[0].json("proposals", match_id))


def test_a_player_can_propose_more_time_for_another_by_name(table, asked, others):
    shown = others[0].ok("propose", "time", "2d", "--for", asked.name.upper(), "--match", table.match.id)
    assert f"proposed extending {asked.name.title()}'s deadline by 2 days." in shown
    done = others[0].run("propose", "time", "2d", "--for", "nobody", "--match", table.match.id)
    assert done.exit_code == 2
    assert asked.name in done.stderr


def test_everyone_must_agree_to_a_pause_and_to_ending_it_early(table, asked, others):
    match_id = table.match.id
    check("propose_pause", asked.json("propose", "pause", "7d", "--match", match_id))
    for other in others:
        other.ok("agree", match_id)
    assert asked.json("board", match_id)["match"]["paused_until"]
    check("propose_resume", asked.json("propose", "resume", "--match", match_id))
    for other in others:
        other.ok("agree", match_id)
    assert "ending the pause. The players agreed." in asked.ok("proposals", match_id)


def test_a_single_refusal_rejects_a_pause(table, asked, others):
    asked.ok("propose", "pause", "7d", "--match", table.match.id)
    check("refuse", others[0].json("refuse", table.match.id))
    assert "no: " in asked.ok("proposals", table.match.id)
    done = others[1].run("agree", table.match.id)
    assert done.exit_code == 2
    assert f"turnpost proposals {table.match.id}" in done.stderr


def test_a_player_who_accepts_an_offered_seat_gets_it(table, left, others, machine_of):
    emil, match_id = machine_of("emil"), table.match.id
    check("propose_replacement", others[0].json("propose", "replacement", left, "emil", "--match", match_id))
    others[1].ok("agree", match_id)
    assert f"turnpost agree {match_id}" in emil.ok("proposals", match_id)
    assert "The seat is yours." in emil.ok("agree", match_id)
    assert emil.json("board", match_id)["match"]["you"] is not None


def test_an_offered_seat_can_be_declined(table, left, others, machine_of):
    emil, match_id = machine_of("emil"), table.match.id
    others[0].ok("propose", "replacement", left, "emil", "--match", match_id)
    others[1].ok("agree", match_id)
    assert "declined" in emil.ok("refuse", match_id)
    assert "Emil declined the seat." in others[0].ok("proposals", match_id)


def test_the_vote_to_end_a_match_shows_who_has_not_agreed_and_how_to_withdraw(table, asked, others):
    match_id = table.match.id
    shown = asked.ok("abandon", match_id, "--yes")
    names = " and ".join(seat.user.name for seat in table.seats if seat.user.username != asked.name)
    assert f"You would like to end the match without a result. Waiting for {names} to agree." in shown
    assert f"Take it back: turnpost abandon {match_id} --no-agree" in shown
    assert "would like to end" not in asked.ok("abandon", match_id, "--no-agree", "--yes")


def test_the_other_players_see_the_vote_and_the_command_to_agree(table, asked, others):
    match_id = table.match.id
    asked.ok("abandon", match_id, "--yes")
    shown = others[0].ok("board", match_id, "--style", "speech")
    assert f"{asked.name.title()} would like to end the match without a result. Waiting for you and " in shown
    assert f"Agree: turnpost abandon {match_id}" in shown
    others[0].ok("abandon", match_id, "--yes")
    assert "Waiting for you to agree." in others[1].ok("board", match_id)
    assert "The match has ended." in others[1].ok("abandon", match_id, "--yes")


def test_a_stand_in_does_not_vote(table, left, others, machine_of):
    others[0].ok("abandon", table.match.id, "--yes")
    assert "Waiting for you to agree." in others[1].ok("board", table.match.id)
    assert "turnpost abandon" not in machine_of(left).ok("board", table.match.id)


def test_the_number_is_required_if_there_are_several_proposals(table, asked, others):
    match_id = table.match.id
    asked.ok("propose", "pause", "7d", "--match", match_id)
    number = asked.json("propose", "time", "2d", "--match", match_id)["proposal"]["number"]
    done = others[0].run("agree", match_id)
    assert done.exit_code == 2
    assert "--proposal NUMBER" in done.stderr
    agreed = others[0].json("agree", match_id, "--proposal", str(number))["proposal"]
    assert (agreed["number"], agreed["kind"]) == (number, "extension")


def test_only_a_stand_ins_seat_can_be_given_to_a_new_player(table, asked, others, machine_of):
    machine_of("emil")
    done = others[0].run("propose", "replacement", asked.name, "emil", "--match", table.match.id)
    assert done.exit_code == 3
    assert "turnpost propose time" in done.stderr


def test_an_empty_list_shows_how_to_make_a_proposal(table, asked):
    assert "turnpost propose --help" in asked.ok("proposals", table.match.id)

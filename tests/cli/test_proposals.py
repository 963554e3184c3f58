"""What players decide together, from the shell."""

from datetime import timedelta

import pytest
import time_machine

from tests.cli.shapes import check

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table():
    from games.models.pace import Pace
    from tests.games.builders import running_match

    return running_match("coloretto", 3, pace=Pace(timedelta(days=1), patience=1))


@pytest.fixture
def asked(table, machine_of):
    """Whose move it is."""
    from tests.games.builders import awaited

    return machine_of(awaited(table).user.username)


@pytest.fixture
def others(table, machine_of, asked):
    return [machine_of(seat.user.username) for seat in table.seats if seat.user.username != asked.name]


@pytest.fixture
def left(table, asked):
    """A stand-in plays the seat of whoever was asked."""
    from clock.sweep import sweep
    from tests.games.builders import awaited

    with time_machine.travel(awaited(table).deadline):
        sweep()
    return asked.name


def test_more_time_is_proposed_agreed_to_and_granted(table, asked, others):
    match_id = table.match.id
    check("propose_time", asked.json("propose", "time", "36h", "--match", match_id))
    assert "by 1 day 12 hours." in others[0].ok("proposals", match_id)
    assert f"turnpost agree {match_id} --proposal" in others[0].ok("proposals", match_id)
    assert "turnpost agree" not in asked.ok("proposals", match_id), "Nobody decides about their own time."
    check("agree", others[0].json("agree", match_id))
    assert "The players agreed." in others[1].ok("agree", match_id)
    check("proposals", asked.json("proposals", match_id))


def test_more_time_for_a_move_that_has_been_made_is_not_asked_for_any_more(table, asked, others):
    match_id = table.match.id
    asked.ok("propose", "time", "36h", "--match", match_id)
    for move in ("draw", "place 1"):
        asked.ok("play", match_id, move)
    shown = others[0].ok("proposals", match_id)
    assert "It is no longer relevant." in shown
    assert "turnpost agree" not in shown
    check("proposals", others[0].json("proposals", match_id))


def test_time_for_somebody_else_is_asked_for_by_their_name(table, asked, others):
    shown = others[0].ok("propose", "time", "2d", "--for", asked.name.upper(), "--match", table.match.id)
    assert f"proposed extending {asked.name.title()}'s deadline by 2 days." in shown
    done = others[0].run("propose", "time", "2d", "--for", "nobody", "--match", table.match.id)
    assert done.exit_code == 2
    assert asked.name in done.stderr


def test_a_pause_is_agreed_by_all_and_ended_by_all(table, asked, others):
    match_id = table.match.id
    check("propose_pause", asked.json("propose", "pause", "7d", "--match", match_id))
    for other in others:
        other.ok("agree", match_id)
    assert asked.json("board", match_id)["match"]["paused_until"]
    check("propose_resume", asked.json("propose", "resume", "--match", match_id))
    for other in others:
        other.ok("agree", match_id)
    assert "ending the pause. The players agreed." in asked.ok("proposals", match_id)


def test_one_refusal_is_enough_against_a_pause(table, asked, others):
    asked.ok("propose", "pause", "7d", "--match", table.match.id)
    check("refuse", others[0].json("refuse", table.match.id))
    assert "no: " in asked.ok("proposals", table.match.id)
    done = others[1].run("agree", table.match.id)
    assert done.exit_code == 2
    assert f"turnpost proposals {table.match.id}" in done.stderr


def test_a_seat_is_handed_over_to_somebody_who_takes_it(table, left, others, machine_of):
    emil, match_id = machine_of("emil"), table.match.id
    check("propose_replacement", others[0].json("propose", "replacement", left, "emil", "--match", match_id))
    others[1].ok("agree", match_id)
    assert f"turnpost agree {match_id}" in emil.ok("proposals", match_id)
    assert "The seat is yours." in emil.ok("agree", match_id)
    assert emil.json("board", match_id)["match"]["you"] is not None


def test_an_offered_seat_is_declined(table, left, others, machine_of):
    emil, match_id = machine_of("emil"), table.match.id
    others[0].ok("propose", "replacement", left, "emil", "--match", match_id)
    others[1].ok("agree", match_id)
    assert "declined" in emil.ok("refuse", match_id)
    assert "Emil declined the seat." in others[0].ok("proposals", match_id)


def test_who_would_end_a_match_sees_who_is_missing_and_how_to_take_it_back(table, asked, others):
    match_id = table.match.id
    shown = asked.ok("abandon", match_id, "--yes")
    names = " and ".join(seat.user.name for seat in table.seats if seat.user.username != asked.name)
    assert f"You would like to end the match without a result. Still to agree: {names}." in shown
    assert f"Take it back: turnpost abandon {match_id} --no-agree" in shown
    assert "would like to end" not in asked.ok("abandon", match_id, "--no-agree", "--yes")


def test_the_others_see_it_on_the_board_with_the_command_that_agrees(table, asked, others):
    match_id = table.match.id
    asked.ok("abandon", match_id, "--yes")
    shown = others[0].ok("board", match_id, "--style", "speech")
    assert f"{asked.name.title()} would like to end the match without a result. Still to agree: you and " in shown
    assert f"Agree: turnpost abandon {match_id}" in shown
    others[0].ok("abandon", match_id, "--yes")
    assert "Still to agree: you." in others[1].ok("board", match_id)
    assert "The match has ended." in others[1].ok("abandon", match_id, "--yes")


def test_a_stand_in_has_no_say_in_that(table, left, others, machine_of):
    others[0].ok("abandon", table.match.id, "--yes")
    assert "Still to agree: you." in others[1].ok("board", table.match.id)
    assert "turnpost abandon" not in machine_of(left).ok("board", table.match.id)


def test_where_several_wait_the_number_says_which(table, asked, others):
    match_id = table.match.id
    asked.ok("propose", "pause", "7d", "--match", match_id)
    number = asked.json("propose", "time", "2d", "--match", match_id)["proposal"]["number"]
    done = others[0].run("agree", match_id)
    assert done.exit_code == 2
    assert "--proposal NUMBER" in done.stderr
    agreed = others[0].json("agree", match_id, "--proposal", str(number))["proposal"]
    assert (agreed["number"], agreed["kind"]) == (number, "extension")


def test_a_seat_that_is_played_cannot_be_handed_over(table, asked, others, machine_of):
    machine_of("emil")
    done = others[0].run("propose", "replacement", asked.name, "emil", "--match", table.match.id)
    assert done.exit_code == 3
    assert "turnpost propose time" in done.stderr


def test_without_any_the_list_says_how_to_propose(table, asked):
    assert "turnpost propose --help" in asked.ok("proposals", table.match.id)

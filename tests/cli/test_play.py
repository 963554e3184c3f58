import pytest

from tests.cli.shapes import check
from tests.games.builders import play_some, running_match, sitting

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_move_takes_a_single_command(match, awaited):
    shown = awaited.ok("play", match.match.id, "draw")
    assert "drew" in shown
    assert "place 1" in shown


def test_a_move_can_be_typed_directly_after_next(match, awaited):
    awaited.ok("next")
    assert "drew" in awaited.ok("draw")
    assert "placed" in awaited.ok("place", "1")


def test_a_player_who_last_looked_before_the_start_must_look_again(machine_of):
    ann, ben = machine_of("ann"), machine_of("ben")
    match_id = ann.json("new", "coloretto", "--seats", "2")["match"]["id"]
    ben.ok("join", match_id)
    for done in (player.run("play", match_id, "draw", "--turn", "0") for player in (ann, ben)):
        assert done.exit_code == 6
        assert "You haven't seen the current board yet. The match is now on turn 1. Nothing was played." in done.stderr


def test_a_move_is_called_sealed_only_while_it_is_sealed(machine_of):
    table = running_match("colorado-county", seats=2)
    first, last = (machine_of(sitting(seat).username).ok("play", table.match.id, "bid none") for seat in table.seats)
    assert "Your move 'bid none' is sealed until everyone has moved." in first
    assert "Bids were revealed" in last
    assert "sealed" not in last


def test_no_id_is_needed_if_only_one_match_is_waiting(match, awaited):
    assert "drew" in awaited.ok("draw")


def test_the_start_of_a_known_id_is_enough(match, awaited):
    awaited.ok("board", match.match.id)
    assert "drew" in awaited.ok("play", match.match.id[:4], "draw")


def test_a_refused_move_exits_with_3_and_lists_the_possible_moves(match, awaited):
    done = awaited.run("play", match.match.id, "take", "1")
    assert done.exit_code == 3
    assert done.stdout == ""
    assert "Row 1 is empty." in done.stderr
    assert "Try 'draw'." in done.stderr


def test_an_unknown_move_is_refused_with_examples_of_valid_ones(match, awaited):
    done = awaited.run("play", match.match.id, "dance")
    assert done.exit_code == 3
    assert "Try 'draw', 'place 2' or 'take 3'." in done.stderr


def test_a_move_for_an_old_board_is_not_played(match, awaited):
    awaited.ok("board", match.match.id)
    play_some(match, 2)
    done = awaited.run("play", match.match.id, "draw")
    assert done.exit_code == 6
    assert "Nothing was played." in done.stderr
    assert f"turnpost board {match.match.id}" in done.stderr


def test_a_dry_run_plays_nothing(match, awaited):
    told = awaited.ok("play", match.match.id, "draw", "--dry-run")
    assert "The move would reveal the card you draw." in told
    match.match.refresh_from_db()
    assert match.match.turn == 1


def test_the_turn_can_be_given_as_in_an_email(match, awaited):
    assert awaited.run("play", match.match.id, "draw", "--turn", "7").exit_code == 6
    assert awaited.run("play", match.match.id, "draw", "--turn", "1").exit_code == 0


def test_a_player_whose_turn_it_is_not_has_no_moves(match, other):
    assert other.run("moves", match.match.id).exit_code == 3
    done = other.run("play", match.match.id, "draw")
    assert done.exit_code == 3
    assert "It isn't your turn." in done.stderr


def test_there_is_nothing_to_withdraw_in_a_game_without_sealed_moves(match, awaited):
    assert awaited.run("withdraw", match.match.id).exit_code == 3


def test_play_commands_print_their_documented_json(match, awaited):
    check("status", awaited.json("status"))
    check("next", awaited.json("next"))
    check("board", awaited.json("board", match.match.id))
    check("moves", awaited.json("moves", match.match.id))
    check("play --dry-run", awaited.json("play", match.match.id, "draw", "--dry-run"))
    check("play", awaited.json("play", match.match.id, "draw"))
    check("use", awaited.json("use", match.match.id))


def test_a_problem_is_printed_to_stderr_as_json(match, awaited):
    import json

    done = awaited.run("play", match.match.id, "take", "1", "--json")
    assert done.stdout == ""
    problem = json.loads(done.stderr)
    check("problem", problem)
    assert (problem["code"], problem["exit_code"]) == ("row_empty", 3)


def test_programs_can_use_the_turn_in_each_response_for_the_next_move(match, awaited):
    awaited.json("board", match.match.id)
    drawn = awaited.json("play", match.match.id, "draw")
    placed = awaited.json("play", match.match.id, "place", "1")
    assert (drawn["turn"], placed["turn"]) == (2, 3)


def test_a_response_does_not_mark_a_later_turn_as_seen(match, awaited, other):
    """The response doesn't include later moves by other players."""
    match_id = match.match.id
    awaited.json("board", match_id)
    awaited.json("play", match_id, "draw")
    awaited.json("play", match_id, "place", "1")
    other.json("play", match_id, "draw")
    other.json("play", match_id, "place", "2")
    assert awaited.run("play", match_id, "draw", "--json").exit_code == 6

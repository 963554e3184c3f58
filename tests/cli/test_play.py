"""From what waits to a move played, as typed at a shell."""

import pytest

from tests.cli.shapes import check
from tests.games.builders import play_some, running_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match():
    return running_match(seats=2, title="Friday")


@pytest.fixture
def awaited(match, desk):
    """The player whose turn it is, at their machine."""
    return desk(match.seats[match.state.to_move].user.username)


@pytest.fixture
def other(match, desk):
    return desk(match.seats[1 - match.state.to_move].user.username)


def test_status_lists_what_waits_and_names_the_next_command(match, awaited, other):
    shown = awaited.ok("status")
    assert "One match waits for you." in shown
    assert match.match.id in shown
    assert f"{match.seats[1 - match.state.to_move].user.name} (Friday)" in shown
    assert "Next: turnpost next" in shown
    assert "Nothing waits for you." in other.ok("status")


def test_all_that_wait_are_counted_however_many_there_are(match, awaited, monkeypatch):
    from django.utils import timezone

    from games.models import Seat
    from rest.paging import CursorPages
    from tests.games.builders import running_match

    monkeypatch.setattr("cli.commands.matches.MAX_PAGE_SIZE", 2)
    monkeypatch.setattr(CursorPages, "page_size", 2)
    for _ in range(2):
        running_match(seats=2)
    Seat.objects.update(awaited_since=timezone.now())
    assert "3 matches wait for you." in awaited.ok("status")
    assert len(awaited.json("status")["waiting"]) == 3


def test_turnpost_alone_shows_what_waits(match, awaited):
    assert "One match waits for you." in awaited.ok()


def test_next_shows_the_board_the_choices_and_the_order_to_type(match, awaited):
    shown = awaited.ok("next")
    assert "Row 1" in shown
    assert "1  draw" in shown
    assert f"turnpost play {match.match.id} draw" in shown


def test_a_move_is_one_line(match, awaited):
    shown = awaited.ok("play", match.match.id, "draw")
    assert "drew" in shown
    assert "place 1" in shown


def test_after_next_the_bare_words_of_a_move_are_an_order(match, awaited):
    awaited.ok("next")
    assert "drew" in awaited.ok("draw")
    assert "placed" in awaited.ok("place", "1")


def test_use_chooses_the_match_for_bare_words(match, awaited):
    awaited.ok("use", match.match.id)
    assert "drew" in awaited.ok("draw")


def test_choosing_a_match_shows_the_board_that_the_next_move_is_for(match, awaited):
    shown = awaited.ok("use", match.match.id)
    assert "Row 1" in shown
    assert "1  draw" in shown
    check("use", awaited.json("use", match.match.id))


def test_a_player_who_saw_the_match_only_before_it_began_is_told_so_in_words(desk):
    ann, ben = desk("ann"), desk("ben")
    match_id = ann.json("new", "coloretto", "--seats", "2")["match"]["id"]
    ben.ok("join", match_id)
    for done in (player.run("play", match_id, "draw", "--turn", "0") for player in (ann, ben)):
        assert done.exit_code == 6
        assert "You decided before the match began, and it is on turn 1 now. Nothing was played." in done.stderr


def test_a_move_is_called_sealed_only_while_it_is(desk):
    table = running_match("colorado-county", seats=2)
    first, last = (desk(seat.user.username).ok("play", table.match.id, "bid none") for seat in table.seats)
    assert "Your move 'bid none' is sealed until all are in." in first
    assert "Bids were revealed" in last
    assert "sealed" not in last


def test_with_one_match_waiting_no_choice_is_needed(match, awaited):
    assert "drew" in awaited.ok("draw")


def test_the_beginning_of_an_id_is_enough_once_it_was_seen(match, awaited):
    awaited.ok("board", match.match.id)
    assert "drew" in awaited.ok("play", match.match.id[:4], "draw")


def test_a_refused_move_ends_with_3_and_says_what_instead(match, awaited):
    done = awaited.run("play", match.match.id, "take", "1")
    assert done.exit_code == 3
    assert done.stdout == ""
    assert "Row 1 holds no card yet." in done.stderr
    assert "Write 'draw'." in done.stderr


def test_an_order_that_is_no_move_is_refused_with_examples(match, awaited):
    done = awaited.run("play", match.match.id, "dance")
    assert done.exit_code == 3
    assert "Write 'draw', 'place 2' or 'take 3'." in done.stderr


def test_a_move_decided_on_an_old_board_is_not_played(match, awaited):
    awaited.ok("board", match.match.id)
    play_some(match, 2)
    done = awaited.run("play", match.match.id, "draw")
    assert done.exit_code == 6
    assert "Nothing was played." in done.stderr
    assert f"turnpost board {match.match.id}" in done.stderr


def test_looking_again_shows_what_happened_since(match, awaited):
    awaited.ok("board", match.match.id)
    play_some(match, 2)
    shown = awaited.ok("board", match.match.id)
    assert "Since you looked last:" in shown
    assert "placed" in shown


def test_a_dry_run_tells_and_plays_nothing(match, awaited):
    told = awaited.ok("play", match.match.id, "draw", "--dry-run")
    assert "cannot be known" in told
    match.match.refresh_from_db()
    assert match.match.turn == 1


def test_a_turn_can_be_named_as_in_a_mail(match, awaited):
    assert awaited.run("play", match.match.id, "draw", "--turn", "7").exit_code == 6
    assert awaited.run("play", match.match.id, "draw", "--turn", "1").exit_code == 0


def test_who_is_not_asked_has_no_moves_and_may_not_move(match, other):
    assert other.run("moves", match.match.id).exit_code == 3
    done = other.run("play", match.match.id, "draw")
    assert done.exit_code == 3
    assert "another player's turn" in done.stderr


def test_nothing_sealed_can_be_withdrawn_in_an_open_game(match, awaited):
    assert awaited.run("withdraw", match.match.id).exit_code == 3


def test_without_a_login_the_exit_code_is_4_and_the_hint_is_how_to_begin(machine):
    done = machine.run("status")
    assert done.exit_code == 4
    assert "turnpost login" in done.stderr


def test_a_match_that_does_not_exist_is_refused_with_a_hint(awaited):
    done = awaited.run("board", "zzzzzzzzz")
    assert done.exit_code == 3
    assert "There is no match 'zzzzzzzzz' here for you." in done.stderr


def test_an_unknown_command_is_a_usage_error_with_a_guess(machine):
    done = machine.run("baord")
    assert done.exit_code == 2
    assert "board" in done.stderr


@pytest.mark.parametrize("order", [["play"], ["play", "k7m2x9q4a"], ["use"], ["matches", "all"]])
def test_an_order_without_its_parts_is_a_usage_error(machine, order):
    assert machine.run(*order).exit_code == 2


def test_json_has_its_documented_shape_all_along_the_way(match, awaited):
    check("status", awaited.json("status"))
    check("next", awaited.json("next"))
    check("board", awaited.json("board", match.match.id))
    check("moves", awaited.json("moves", match.match.id))
    check("preview", awaited.json("play", match.match.id, "draw", "--dry-run"))
    check("play", awaited.json("play", match.match.id, "draw"))
    check("use", awaited.json("use", match.match.id))


def test_a_problem_as_json_goes_to_stderr(match, awaited):
    import json

    done = awaited.run("play", match.match.id, "take", "1", "--json")
    assert done.stdout == ""
    problem = json.loads(done.stderr)
    check("problem", problem)
    assert (problem["code"], problem["exit_code"]) == ("row_empty", 3)


def test_programs_play_move_after_move_on_the_turn_each_answer_told(match, awaited):
    awaited.json("board", match.match.id)
    drawn = awaited.json("play", match.match.id, "draw")
    placed = awaited.json("play", match.match.id, "place", "1")
    assert (drawn["turn"], placed["turn"]) == (2, 3)


def test_an_answer_does_not_make_a_later_turn_seen(match, awaited, other):
    """What others did after the answer is not in it."""
    match_id = match.match.id
    awaited.json("board", match_id)
    awaited.json("play", match_id, "draw")
    awaited.json("play", match_id, "place", "1")
    other.json("play", match_id, "draw")
    other.json("play", match_id, "place", "2")
    assert awaited.run("play", match_id, "draw", "--json").exit_code == 6


def test_what_waits_is_there_for_programs_too(match, awaited):
    check("status", awaited.json())
    assert [waiting["id"] for waiting in awaited.json()["waiting"]] == [match.match.id]
    misplaced = awaited.run("--json", "status")
    assert misplaced.exit_code == 2
    assert "turnpost status --json" in misplaced.stderr


def test_groups_of_commands_show_the_same_to_programs_as_their_first_command(awaited):
    assert awaited.json("notify") == awaited.json("notify", "show")
    assert awaited.json("webhooks") == awaited.json("webhooks", "list")

"""The prompt and the screens of both games work in terminals of 80×24 and 120×40."""

import re

import pytest

from cli.interactive import Table
from cli.match_fetch import fetch_match
from cli.render.style import Style
from cli.session import Session
from games.models import Message, Move
from games.selectors.loading import load_match
from games.services import bot_moves
from tests.cli.terminal import Terminal
from tests.games.builders import awaited as awaited_seat
from tests.games.builders import play_some, running_match, say, sitting

pytestmark = pytest.mark.django_db(transaction=True)
PROMPT = r"\(\? for help\):$"
SIZES = {"80×24": {"lines": 24, "columns": 80}, "120×40": {"lines": 40, "columns": 120}}


@pytest.fixture(params=list(SIZES.values()), ids=list(SIZES))
def size(request):
    return request.param


def player_to_move(table, machine_of):
    return machine_of(sitting(awaited_seat(table)).username)


@pytest.mark.parametrize("seats", [2, 4])
def test_a_whole_colorado_county_table_fits_on_the_screen(machine_of, size, seats):
    table = running_match("colorado-county", seats=seats)
    terminal = Terminal(player_to_move(table, machine_of), "next", **size)
    screen = terminal.shows(PROMPT)
    assert screen.startswith("Colorado County, round 1 of 4")
    assert table.match.id in terminal.lines[0]
    assert len(re.findall(r"^ ?\d+ [ (~\[].*", screen, re.MULTILINE)) == 10
    assert all(part in screen for part in ("Lakes", "★", "cowboys", "Your cowboys: ", "bid none"))
    assert len(re.findall(r"^[▶✓ ] \[[A-D]\] ", screen, re.MULTILINE)) == seats
    terminal.press("ctrl-d")
    assert terminal.ends() == 0


@pytest.mark.parametrize("seats", [2, 5])
def test_a_whole_coloretto_table_fits_on_the_screen(machine_of, size, seats):
    table = running_match(seats=seats)
    terminal = Terminal(player_to_move(table, machine_of), "next", **size)
    screen = terminal.shows(PROMPT)
    assert screen.startswith("Coloretto, modern edition")
    assert "Row 1" in screen
    assert "Press Enter to play 'draw' (? for help):" in screen
    terminal.press("ctrl-d")
    assert terminal.ends() == 0


def test_every_turn_of_the_history_fits_on_the_screen(machine_of, size):
    table = play_some(running_match("colorado-county", seats=4), 12)
    terminal = Terminal(player_to_move(table, machine_of), "history", table.match.id, **size)
    turns = load_match(table.match.id).match.turn
    for number in range(1, turns + 1):
        screen = terminal.shows(rf"{number} of {turns} \(Enter: next, b: back, number: go to, q: quit\)$")
        assert screen.startswith(f"Turn {number}\n")
        assert "Colorado County, round" in screen
        terminal.press("enter")
    assert terminal.ends() == 0


def test_a_wide_screen_shows_the_log_beside_the_board(machine_of):
    table = play_some(running_match(seats=2), 6)
    terminal = Terminal(player_to_move(table, machine_of), "next", lines=40, columns=120)
    terminal.shows(PROMPT)
    assert terminal.lines[0].endswith("Log")
    beside = "\n".join(line[83:] for line in terminal.lines)
    assert "Game 1 was dealt." in beside
    assert len(re.findall("(drew|took|placed)", beside)) >= 3
    terminal.press("ctrl-d")
    assert terminal.ends() == 0


def test_the_screen_is_redrawn_when_the_size_of_the_window_changes(machine_of):
    table = play_some(running_match(seats=2), 6)
    terminal = Terminal(player_to_move(table, machine_of), "next", lines=40, columns=120)
    terminal.shows(PROMPT)
    terminal.press("dr")
    terminal.shows(r"help\): dr$")
    terminal.resize(24, 80)
    terminal.shows(r"^Coloretto[^L]*help\): dr$")
    terminal.resize(40, 120)
    terminal.shows(r"^Coloretto.* Log\n[\s\S]*Game 1 was dealt[\s\S]*help\): dr$")
    terminal.press("\x15", "ctrl-d")
    assert terminal.ends() == 0


def test_a_text_is_redrawn_when_the_size_of_the_window_changes(machine_of):
    table = running_match(seats=2)
    terminal = Terminal(player_to_move(table, machine_of), "next")
    terminal.shows(PROMPT)
    terminal.press("help", "enter")
    terminal.shows(r"on its\n +own shows[\s\S]*or type a move:$")
    terminal.press("dr")
    terminal.shows("or type a move: dr$")
    terminal.resize(40, 120)
    terminal.shows(r"on its own shows[\s\S]*or type a move: dr$")
    terminal.press("\x15", "enter")
    terminal.shows(PROMPT)
    terminal.press("ctrl-d")
    assert terminal.ends() == 0


def test_a_window_that_becomes_wider_has_room_for_the_log(machine_of):
    table = play_some(running_match(seats=2), 6)
    terminal = Terminal(player_to_move(table, machine_of), "next")
    terminal.shows(PROMPT)
    terminal.resize(40, 120)
    terminal.shows(r"^Coloretto.* Log\n[\s\S]*Game 1 was dealt[\s\S]*help\):$")
    terminal.press("ctrl-d")
    assert terminal.ends() == 0


def test_the_screen_is_redrawn_in_place_and_shows_everything_only_once(machine_of, size):
    table = running_match(seats=2)
    terminal = Terminal(player_to_move(table, machine_of), "next", **size)
    terminal.shows("Press Enter to play 'draw'")
    terminal.press("enter")
    screen = terminal.shows(r"Your move \(\? for help\):$")
    assert screen.count("Row 1") == 1
    assert screen[: screen.index("Your move")].count("Choose a row.") == 1
    board = "\n".join(line[:80] for line in terminal.lines)
    assert len(re.findall("You drew", board)) == 1
    terminal.press("ctrl-d")
    assert terminal.ends() == 0


def test_pressing_enter_closes_the_help_without_playing_anything(machine_of, size):
    table = running_match(seats=2)
    terminal = Terminal(player_to_move(table, machine_of), "next", **size)
    terminal.shows("Press Enter to play 'draw'")
    terminal.press("?", "enter")
    terminal.shows("Press Enter to go back, or type a move:$")
    terminal.press("enter")
    terminal.shows(r"Press Enter to play 'draw' \(\? for help\):$")
    assert load_match(table.match.id).match.moves_made == 0
    terminal.press("ctrl-d")
    assert terminal.ends() == 0


def test_a_line_can_be_edited_and_recalled_and_completed(machine_of):
    table = running_match(seats=2)
    machine = player_to_move(table, machine_of)
    terminal = Terminal(machine, "next")
    terminal.shows(PROMPT)
    terminal.press("lgo", "left", "left", "left")
    terminal.press("\x1b[C", "\x1b[3~", "\x1b[C", "g")
    terminal.shows("help\\): log$")
    terminal.press("\x15", "dr", "tab")
    terminal.shows("help\\): draw$")
    terminal.press("enter")
    terminal.shows(r"Your move .*:$")
    terminal.press("up")
    terminal.shows(r"help\): draw$")
    terminal.press("\x15", "pl", "tab", "tab", "tab")
    screen = terminal.shows(r"Next: 1  2  3\s+Your move .*: place$")
    assert screen.startswith("Coloretto")
    terminal.press("\x15", "ctrl-d")
    assert terminal.ends() == 0
    again = Terminal(machine, "board", table.match.id)
    again.shows(PROMPT)
    again.press("up")
    again.shows(r"help\): draw$")
    again.press("ctrl-d", "\x15", "ctrl-d")
    assert again.ends() == 0


def test_bids_and_plans_are_completed_word_by_word(machine_of):
    table = running_match("colorado-county", seats=2)
    seat = awaited_seat(table)
    terminal = Terminal(player_to_move(table, machine_of), "next")
    terminal.shows(PROMPT)
    cowboys = [str(number) for number in table.engine.view(table.state, seat.number).cowboys]
    terminal.press(f"bid {cowboys[0]} ", "tab")
    terminal.shows(rf"plan\n+.*: bid {cowboys[0]}$")
    assert all(re.search(rf"\b{number}\b", terminal.text) for number in cowboys[1:])
    terminal.press("plan ", "tab")
    assert terminal.shows(r"\nNext: 1  2.*\n+.* plan$").startswith("Colorado County")
    terminal.press("\x15", "ctrl-d")
    assert terminal.ends() == 0


def test_moves_are_listed_by_letter_so_that_a_number_never_plays_the_wrong_row(machine_of):
    table = play_some(running_match(seats=2), 1)
    terminal = Terminal(player_to_move(table, machine_of), "next")
    terminal.shows(r"a  place 1")
    terminal.press("2", "enter")
    terminal.shows("Which move is 2\\?")
    assert Move.objects.count() == 1
    terminal.press("b", "enter")
    terminal.shows(r"Play 'place 2'\? \[Y/n\]")
    terminal.press("n", "enter")
    terminal.shows(PROMPT)
    terminal.press("b", "enter")
    terminal.shows(r"Play 'place 2'\? \[Y/n\]")
    terminal.press("enter")
    terminal.shows("Waiting for ")
    terminal.press("enter")
    assert terminal.ends() == 0
    assert "on row 2." in terminal.text
    assert Move.objects.count() == 2


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("board", "R red|B blue"),
        ("moves", "a  draw"),
        ("log", "Game 1 was dealt"),
        ("help", "say Good luck"),
        ("?", "choose a move from the list"),
        ("say Good luck, all", "Your message was sent."),
        ("withdraw", "Coloretto has no sealed moves."),
        ("undo", "Coloretto has no sealed moves."),
        ("c", "There is no move c. The list ends at a."),
        ("dance", "That isn't a Coloretto move."),
        ("drwa", "I don't know 'drwa'. Did you mean 'draw'\\?"),
        ("borad", "I don't know 'borad'. Did you mean 'board'\\?"),
        ("status", "'status' doesn't work at this prompt. Leave with q, then type: turnpost status"),
        ("turnpost undo", "Coloretto has no sealed moves."),
        ("order dance", "isn't a standing order|I don't|Examples"),
    ],
)
def test_a_command_at_the_prompt_shows_its_result_and_prompts_again(machine_of, typed, shown):
    table = running_match(seats=2)
    terminal = Terminal(player_to_move(table, machine_of), "next")
    terminal.shows(PROMPT)
    terminal.press(typed, "enter")
    terminal.shows(shown)
    if typed in ("board", "moves", "log", "help", "?"):
        terminal.shows("Press Enter to go back, or type a move:$")
        terminal.press("q", "enter")
    terminal.shows(PROMPT)
    terminal.press("q", "enter")
    assert terminal.ends() == 0
    assert "Nothing was played." in terminal.text
    assert Message.objects.filter(text="Good luck, all").count() == typed.startswith("say")


def test_the_log_at_the_prompt_leaves_out_who_has_decided(machine_of):
    table = running_match("colorado-county", seats=2)
    seat = awaited_seat(table)
    machine = player_to_move(table, machine_of)
    say(table, next(one for one in table.seats if one.number != seat.number).number, "bid none")
    assert "has decided" in machine.ok("log", table.match.id)
    terminal = Terminal(machine, "next", lines=60)
    terminal.shows(PROMPT)
    terminal.press("log", "enter")
    terminal.shows("Press Enter to go back, or type a move:$")
    assert "Round 1 began." in terminal.text
    assert not re.search("has decided|You drew 15 cowboys", terminal.text)
    terminal.press("q", "enter")
    terminal.shows(PROMPT)
    terminal.press("q", "enter")
    assert terminal.ends() == 0


@pytest.mark.parametrize("lines", [-1, 0, 1])
def test_text_that_just_fits_stays_until_the_player_goes_back(machine_of, lines):
    table = play_some(running_match(seats=2), 8)
    machine = player_to_move(table, machine_of)
    length = len(machine.ok("log", table.match.id).rstrip("\n").splitlines())
    terminal = Terminal(machine, "next", lines=length + 1 + lines, PAGER="less")
    terminal.shows(PROMPT)
    terminal.press("log", "enter")
    if lines < 0:
        terminal.shows("q to go back$")
        terminal.press("q")
    else:
        assert terminal.shows("Press Enter to go back, or type a move:$").startswith("Turn 1\n")
        terminal.press("quit", "enter")
    terminal.shows(PROMPT)
    terminal.press("q", "enter")
    assert terminal.ends() == 0


def test_long_text_is_shown_in_a_pager_and_then_the_board_returns(machine_of):
    table = running_match(seats=2)
    terminal = Terminal(player_to_move(table, machine_of), "next", PAGER="less", LESS="-R")
    terminal.shows(PROMPT)
    terminal.press("rules", "enter")
    terminal.shows("Press Space for more, or q to go back$")
    assert "Coloretto" in terminal.text
    terminal.press("q")
    terminal.shows(PROMPT)
    terminal.press("quit", "enter")
    assert terminal.ends() == 0


def test_the_last_page_in_the_pager_says_so(machine_of):
    table = running_match(seats=2)
    terminal = Terminal(player_to_move(table, machine_of), "next", PAGER="less")
    terminal.shows(PROMPT)
    terminal.press("rules", "enter")
    terminal.shows("Press Space for more, or q to go back$")
    terminal.press("G")
    terminal.shows("This is the end\\. Press q to go back$")
    terminal.press("q")
    terminal.shows(PROMPT)
    terminal.press("quit", "enter")
    assert terminal.ends() == 0


@pytest.mark.parametrize("options", ["-R", "RM"])
def test_what_is_typed_in_the_pager_saves_no_file_and_runs_no_program(machine_of, options):
    table = running_match(seats=2)
    terminal = Terminal(player_to_move(table, machine_of), "next", PAGER="less", LESS=options)
    terminal.shows(PROMPT)
    terminal.press("rules", "enter")
    terminal.shows("or q to go back$")
    for keys in (["s", "file", "enter"], ["!"], ["|"], ["v"]):
        terminal.press(*keys)
        terminal.shows("not available")
        terminal.press("enter")
        terminal.shows("or q to go back$")
    terminal.press("q")
    terminal.shows(PROMPT)
    terminal.press("quit", "enter")
    assert terminal.ends() == 0


def test_help_that_is_longer_than_the_screen_does_not_scroll_away(machine):
    terminal = Terminal(machine, "help", PAGER="less")
    terminal.shows("Press Space for more, or q to go back$")
    assert terminal.lines[0].strip().startswith("Usage: turnpost")
    terminal.press("q")
    assert terminal.ends() == 0


def test_a_long_log_begins_with_the_latest_events(machine_of):
    table = play_some(running_match(seats=2), 30)
    terminal = Terminal(player_to_move(table, machine_of), "next", PAGER="less")
    terminal.shows(PROMPT)
    terminal.press("log", "enter")
    terminal.shows("This is the end\\. Press q to go back$")
    assert f"Turn {load_match(table.match.id).match.turn}" in terminal.text
    terminal.press("q")
    terminal.shows(PROMPT)
    terminal.press("quit", "enter")
    assert terminal.ends() == 0


@pytest.mark.parametrize(("key", "code"), [("ctrl-c", 130), ("ctrl-d", 0)])
def test_ctrl_c_and_ctrl_d_leave_the_prompt_cleanly(machine_of, key, code):
    table = running_match(seats=2)
    terminal = Terminal(player_to_move(table, machine_of), "next")
    terminal.shows(PROMPT)
    terminal.press(key)
    assert terminal.ends() == code
    assert b"Traceback" not in terminal.output
    assert terminal.output.count(b"\x1b[?1049h") == terminal.output.count(b"\x1b[?1049l") == 1
    assert Move.objects.count() == 0


@pytest.mark.parametrize("keys", [["ctrl-c"], ["ctrl-d"], ["n", "enter"]], ids=["ctrl-c", "ctrl-d", "n"])
def test_leaving_a_confirmation_plays_nothing_and_returns_to_the_prompt(machine_of, keys):
    table = play_some(running_match(seats=2), 1)
    terminal = Terminal(player_to_move(table, machine_of), "next")
    terminal.shows("a  place 1")
    terminal.press("a", "enter")
    terminal.shows(r"Play 'place 1'\? \[Y/n\]$")
    terminal.press(*keys)
    terminal.shows(r"Nothing was played\.\s+Your move \(\? for help\):$")
    terminal.press("q", "enter")
    assert terminal.ends() == 0
    assert Move.objects.count() == 1


def test_a_sealed_bid_can_be_taken_back_at_the_prompt(machine_of):
    table = running_match("colorado-county", seats=2)
    terminal = Terminal(player_to_move(table, machine_of), "next")
    terminal.shows(PROMPT)
    terminal.press("bid none", "enter")
    terminal.shows("Your move 'bid none' is sealed until everyone has moved.")
    terminal.shows("type 'withdraw' to decide again:$")
    terminal.press("undo", "enter")
    terminal.shows(r"Your move \(\? for help\):$")
    terminal.press("q", "enter")
    assert terminal.ends() == 0
    loaded = load_match(table.match.id)
    assert loaded.engine.awaiting(loaded.state) == {0, 1}


def test_the_board_stays_on_the_screen_while_a_bot_decides(machine_of):
    ann = machine_of("ann")
    match_id = ann.json("new", "colorado-county", "--bots", "1", "--level", "easy")["match"]["id"]
    terminal = Terminal(ann, "board", match_id)
    terminal.shows(PROMPT)
    terminal.press("bid none", "enter")
    screen = terminal.shows(r"Ada \(bot\) … \(Ctrl-C to leave\)$")
    assert screen.startswith("Colorado County")
    assert "Your move 'bid none' is sealed until everyone has moved." in screen
    terminal.press("boa")
    while (table := load_match(match_id)).match.turn == 1 or awaited_seat(table).is_bot:
        bot_moves.play_due()
    assert "sealed" not in terminal.shows(r"help\): boa$")
    assert not re.search(rb"leave\)[^\x1b]*boa", terminal.output), "What is typed is shown only at a prompt."
    terminal.press("\x15", "ctrl-d")
    assert terminal.ends() == 0


def test_new_messages_are_shown_with_the_board(machine_of):
    table = running_match(seats=2)
    machine = player_to_move(table, machine_of)
    machine.ok("board", table.match.id)
    other = next(seat for seat in table.seats if sitting(seat).username != machine.name)
    machine_of(sitting(other).username).ok("say", table.match.id, "Your turn, take your time")
    shown = machine.ok("board", table.match.id)
    assert f"{sitting(other).name}: Your turn, take your time" in shown
    assert "take your time" not in machine.ok("board", table.match.id)


def test_only_messages_that_can_be_reported_have_a_number(machine_of):
    table = running_match(seats=2)
    machine = player_to_move(table, machine_of)
    other = next(sitting(seat) for seat in table.seats if sitting(seat).username != machine.name)
    machine_of(other.username).ok("say", table.match.id, "Hello")
    number, report = Message.objects.get().pk, f"turnpost report {table.match.id}"
    for is_demo in (False, True):
        session = Session(Style(), is_demo=is_demo, environment=machine.environment)
        at_table = Table(session, fetch_match(session, table.match.id))
        at_table.handle("messages")
        assert at_table.details is not None
        shown = at_table.details(Style())
        assert shown.endswith(": Hello" if is_demo else f"\n\nTo report a message: {report} {number}")
        assert (f"(number {number})" in shown) != is_demo


def test_screen_readers_get_plain_lines_and_no_drawing(machine_of):
    table = running_match(seats=2)
    terminal = Terminal(player_to_move(table, machine_of), "next", "--style", "speech")
    terminal.shows(PROMPT)
    terminal.press("q", "enter")
    assert terminal.ends() == 0
    assert b"\x1b[" not in terminal.output


def put_up_for_sale(table, seller=1):
    """Play until this seat can sell a square, and then sell it."""
    for number in range(200):
        table = load_match(table.match.id)
        offered = map(table.engine.notation, table.engine.choices(table.state, seller).moves)
        if sale := next((move for move in offered if move.startswith("sell ")), ""):
            say(table, seller, sale)
            return load_match(table.match.id)
        play_some(table, 1, seed=bytes([number]) * 32)
    raise AssertionError("nobody could sell land")


def test_a_standing_order_answers_all_sales_and_can_be_withdrawn(machine_of):
    table = put_up_for_sale(running_match("colorado-county", seats=2))
    terminal = Terminal(machine_of(sitting(table.seats[0]).username), "next")
    terminal.shows(r"b  not interested[\s\S]*help\):$")
    terminal.press("order never interested", "enter")
    terminal.shows("Standing order: never interested")
    assert load_match(table.match.id).match.turn > table.match.turn
    terminal.press("order off", "enter")
    terminal.shows("You have 0 standing orders now.")
    terminal.press("q", "enter")
    assert terminal.ends() == 0


def test_a_standing_order_is_suggested_after_the_first_identical_answer(machine_of):
    table = put_up_for_sale(running_match("colorado-county", seats=2))
    machine = machine_of(sitting(table.seats[0]).username)
    session = Session(Style(), environment=machine.environment)
    at_table = Table(session, fetch_match(session, table.match.id))
    assert at_table.suggested_order == ""
    at_table.make_move("not interested", is_certain=True)
    put_up_for_sale(table)
    again = Table(session, fetch_match(session, table.match.id))
    assert again.suggested_order == "To answer 'not interested' every time, type: order never interested for the match"

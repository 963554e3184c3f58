"""Players use a real terminal, from the first command to the end of a match."""

import os
import re
import sys
from pathlib import Path

import pexpect
import pytest

from accounts import links
from accounts.models import Registration, User
from cli.commands.demo import tally
from games.models import Match
from games.selectors.loading import load_match
from tests.cli.conftest import Machine
from tests.cli.terminal import Terminal as ScreenTerminal
from tests.games.builders import awaited, play_some, running_match, send, sitting

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "Gr33n cowboys ride"
PATIENCE = 60
PROMPT = r"\(\? for help\):$"
REMATCH = r"Rematch\? \[Y/n, or easy, normal or hard to change the level; \? for help\]$"
PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


class Terminal:
    def __init__(self, machine):
        self.machine = machine

    def type(self, *words):
        """Start a command as if it had been typed in a shell."""
        environment = {
            **self.machine.environment,
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "NO_COLOR": "1",
        }
        program = ["-c", "from cli.main import app; app(prog_name='turnpost')", *words]
        return pexpect.spawn(
            sys.executable,
            program,
            env=environment,
            dimensions=(50, 80),
            encoding="utf-8",
            timeout=PATIENCE,
        )

    def leaves(self, child):
        """Leave the prompt, which stays open while others move, unless the match has ended."""
        if child.expect([r"\(\? for help\):|to leave\):", pexpect.EOF]) == 0:
            child.sendline("q")
        return self.ends(child)

    def ends(self, child):
        child.expect(pexpect.EOF)
        child.close()
        return child.exitstatus


@pytest.fixture
def terminal(tmp_path, live_server):
    return Terminal(Machine(tmp_path / "dora", live_server.url))


def register(terminal):
    child = apply(terminal)
    code = links.confirmation_code(Registration.objects.get())
    child.sendline(f"{(int(code) + 1) % 10**6:06}")
    child.expect_exact("The code is wrong.")
    child.expect_exact("Code from the email: ")
    child.sendline(code)
    child.expect_exact("Welcome, dora.")
    assert terminal.ends(child) == 0
    assert PASSWORD not in (child.before or "")


def apply(terminal):
    child = terminal.type("register")
    for question, typed in [
        ("Username: ", "dora"),
        ("Email address: ", "dora@example.org"),
        ("Password: ", PASSWORD),
        ("Repeat password: ", "something else"),
        ("Password: ", PASSWORD),
        ("Repeat password: ", PASSWORD),
    ]:
        child.expect_exact(question)
        child.sendline(typed)
    child.expect_exact("Code from the email: ")
    return child


@pytest.mark.slow
def test_after_a_registration_error_only_invalid_values_are_prompted_for_again(terminal, machine_of):
    machine_of("ann")
    child = terminal.type("register")
    for question, typed in [
        ("Username: ", "ann"),
        ("Email address: ", "dora@example"),
        ("Password: ", PASSWORD),
        ("Repeat password: ", PASSWORD),
    ]:
        child.expect_exact(question)
        child.sendline(typed)
    asked_again = ""
    for question, typed in [("Email address: ", "dora@example.org"), ("Username: ", "dora")]:
        child.expect_exact(question)
        asked_again += child.before
        child.sendline(typed)
    child.expect_exact("Code from the email: ")
    asked_again += child.before
    assert "This username is taken." in asked_again
    assert not re.search("Password:|Repeat", asked_again)
    registration = Registration.objects.get()
    assert (registration.username, registration.email) == ("dora", "dora@example.org")
    User.objects.filter(username="ann").update(username="dora")
    child.sendline(links.confirmation_code(registration))
    child.expect_exact("was taken by someone else in the meantime.")
    child.expect_exact("Username: ")
    child.sendline("do")
    child.expect_exact("Username: ")
    child.sendline("dora2")
    child.expect_exact("Welcome, dora2.")
    assert terminal.ends(child) == 0


@pytest.mark.slow
def test_registering_prompts_again_after_a_weak_password(terminal):
    child = terminal.type("register", "--username", "dora", "--email", "dora@example.org")
    for password in ("12345", PASSWORD):
        for question in ("Password: ", "Repeat password: "):
            child.expect_exact(question)
            child.sendline(password)
    child.expect_exact("Code from the email: ")
    assert Registration.objects.get().username == "dora"
    child.sendcontrol("c")
    child.expect_exact("turnpost register --code CODE")
    terminal.ends(child)


def her_turn(terminal, table):
    """Take a row if possible, otherwise draw."""
    child = terminal.type("next", "--yes")
    notation = best(table, seat_of(table, "dora"))
    child.expect_exact("(? for help):")
    child.sendline(notation)
    if notation == "draw":
        child.expect_exact("(? for help):")
        child.sendline("a")
    assert terminal.leaves(child) == 0


def second_thoughts(terminal, table):
    """Type a move that doesn't exist, text that isn't a move, and a move's letter. Then leave."""
    child = terminal.type("next")
    offered = table.engine.choices(table.state, seat_of(table, "dora").number).moves
    for typed, answer in [
        ("99", "Which move is 99?"),
        ("dance", "That isn't a Coloretto move."),
        ("a", f"Play '{table.engine.notation(offered[0])}'? [Y/n] "),
    ]:
        child.expect_exact("(? for help):")
        child.sendline(typed)
        child.expect_exact(answer)
    child.sendline("n")
    child.expect_exact("(? for help):")
    child.sendline("q")
    assert terminal.ends(child) == 0


def his_turn(table):
    seat = seat_of(table, "ben")
    assert send(table.match.id, seat.user, best(table, seat, draws=True), table.match.turn).status == 200


def best(table, seat, draws=False):
    offered = [table.engine.notation(move) for move in table.engine.choices(table.state, seat.number).moves]
    return offered[0] if draws else offered[-1]


def seat_of(table, name):
    return next(seat for seat in table.seats if seat.user.username == name)


@pytest.mark.slow
def test_a_new_player_registers_and_joins_and_plays_to_the_end(terminal, machine_of):
    register(terminal)
    match_id = machine_of("ben").json("new", "coloretto", "--seats", "2")["match"]["id"]

    joined = terminal.type("join", match_id)
    joined.expect_exact("Row 1")
    assert terminal.ends(joined) == 0

    hesitated = False
    while (table := load_match(match_id)).match.phase == "running":
        if not seat_of(table, "dora").awaited_since:
            his_turn(table)
        elif hesitated:
            her_turn(terminal, table)
        else:
            second_thoughts(terminal, table)
            hesitated = True

    checked = terminal.type("verify", match_id)
    checked.expect_exact("The match was fair: the proof fits this client's notes, and nobody could choose the cards.")
    assert terminal.ends(checked) == 0
    assert Match.objects.get(pk=match_id).phase == "finished"


def test_irreversible_commands_ask_for_confirmation_at_the_terminal(terminal, machine_of):
    ben = machine_of("ben")
    match_id = ben.json("new", "coloretto", "--seats", "3")["match"]["id"]
    asked = Terminal(ben).type("cancel", match_id)
    asked.expect_exact("Cancel this match? [y/N] ")
    asked.sendline("")
    assert terminal.ends(asked) == 0
    assert Match.objects.get(pk=match_id).phase == "gathering"


def test_an_interrupt_ends_a_command_without_a_traceback(terminal, machine_of):
    ben = machine_of("ben")
    ben.json("new", "coloretto", "--seats", "3")
    asked = Terminal(ben).type("cancel")
    asked.expect_exact("[y/N] ")
    assert "Traceback" not in interrupt(asked)
    assert terminal.ends(asked) == 130


def interrupt(child, seconds_to_end=2):
    """Interrupt the command, and return the output that follows."""
    for _ in range(15):  # an interrupt between the question and the wait for an answer would be lost
        child.sendcontrol("c")
        if child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=seconds_to_end) == 0:
            break
    return child.before


def test_a_player_who_leaves_without_entering_the_code_learns_how_to_continue(terminal):
    asked = apply(terminal)
    assert "turnpost register --code CODE" in interrupt(asked)
    assert terminal.ends(asked) == 130
    child = terminal.type("register", "--code", links.confirmation_code(Registration.objects.get()))
    child.expect_exact("Password: ")
    child.sendline(PASSWORD)
    child.expect_exact("Welcome, dora.")
    assert terminal.ends(child) == 0


def test_a_second_account_replaces_the_first_only_after_confirmation(machine_of):
    ann = machine_of("ann")
    machine_of("ben")
    terminal = Terminal(ann)
    for words in (["register"], ["login", "ben"]):
        child = terminal.type(*words)
        child.expect_exact("You're logged in as ann. To keep that account, use --profile NAME.")
        child.expect_exact("Replace it? [y/N] ")
        child.sendline("n")
        assert terminal.ends(child) == 0
    assert ann.json("whoami")["username"] == "ann"
    child = terminal.type("login", "ben")
    child.expect_exact("Replace it? [y/N] ")
    child.sendline("y")
    child.expect_exact("Password: ")
    child.sendline("correct horse")
    child.expect_exact("Welcome, Ben.")
    assert terminal.ends(child) == 0


def test_a_player_can_step_through_a_finished_match(terminal, machine_of):
    match = play_some(running_match(seats=2))
    child = Terminal(machine_of("ann")).type("history", match.match.id)
    child.expect_exact("Turn 1")
    child.expect("1 of \\d+ ")
    child.sendline("")
    child.expect("2 of \\d+ ")
    child.sendline("b")
    child.expect("1 of \\d+ ")
    child.sendline("9999")
    child.expect_exact("The match is over.")
    child.sendline("q")
    assert terminal.ends(child) == 0


def test_colors_are_used_only_in_terminals_and_boards_are_drawn_even_without_them(terminal, machine_of):
    match = running_match(seats=2)
    waiting = match.seats[1 - match.state.to_move].user.username
    child = Terminal(machine_of(waiting)).type("board", match.match.id)
    child.expect_exact("──")
    assert terminal.ends(child) == 0
    assert "\x1b[" not in child.before


def test_login_prompts_for_missing_values(terminal, machine_of):
    machine_of("ann")
    child = terminal.type("login")
    child.expect_exact("Username or email address: ")
    child.sendline("ann")
    child.expect_exact("Password: ")
    child.sendline("correct horse")
    child.expect_exact("Welcome, Ann.")
    assert terminal.ends(child) == 0


def test_an_answer_can_be_edited_with_the_arrow_keys(terminal):
    window = ScreenTerminal(terminal.machine, "login")
    window.shows("Username or email address:$")
    window.press("bn", "left", "e", "enter")
    assert "Username or email address: ben\n" in window.shows("Password:$")
    window.press("ctrl-c")
    assert window.ends() == 130


def test_password_prompts_for_the_current_password_and_twice_for_the_new_one(terminal, machine_of):
    child = Terminal(machine_of("ann")).type("password")
    for question, typed in [
        ("Current password: ", "correct horse"),
        ("New password: ", PASSWORD),
        ("Repeat password: ", PASSWORD),
    ]:
        child.expect_exact(question)
        child.sendline(typed)
    child.expect_exact("Password changed.")
    assert terminal.ends(child) == 0


def test_the_demo_starts_within_seconds_and_looks_as_documented(terminal):
    child = terminal.type("demo", "--seats", "3")
    child.expect_exact("[normal] ")
    child.sendline("")
    child.expect_exact("(? for help):", timeout=120)
    sample = PAGE.read_text().split("[normal]\n")[1].split("```")[0]
    for part in ("Coloretto, modern edition", "Supply ", "  Row 1  ", "  now", "You're playing against ", "Your moves"):
        assert part in child.before
        assert part in sample
    child.sendline("a")
    child.expect_exact("Choose a row.")
    child.expect_exact("▶ to move, now: points if the game ended now")
    child.expect_exact("(? for help):")
    child.sendline("leave")
    child.expect_exact("Leave and lose this match? [y/N] ")
    child.sendline("y")
    child.expect_exact("You left the match. Nothing was saved.")
    assert terminal.ends(child) == 0


@pytest.mark.slow
def test_the_demo_continues_until_the_player_leaves_and_suggests_no_other_command(terminal):
    child = terminal.type("demo", "--level", "easy")
    said = ""
    for typed, answer in [
        ("help", "place 2 "),
        ("dance", "That isn't a Coloretto move."),
        ("a", "Your moves"),
    ]:
        child.expect(r"(\(\? for help\)|or type a move):", timeout=120)
        said += child.before
        child.sendline(typed)
        child.expect_exact(answer)
    said += interrupt(child, seconds_to_end=20)
    assert "You left the match." in said
    assert re.findall("turnpost .+", said) == ["turnpost register\r"]
    assert terminal.ends(child) == 0


@pytest.mark.parametrize(
    "keys",
    [
        ("q", "enter"),
        pytest.param(("exit", "enter"), marks=pytest.mark.slow),
        pytest.param(("ctrl-d",), marks=pytest.mark.slow),
    ],
)
def test_leaving_a_match_of_the_demo_needs_confirmation(terminal, keys):
    demo = ScreenTerminal(terminal.machine, "demo", "--level", "easy", "--seats", "2")
    demo.shows(PROMPT)
    demo.press("moves", "enter")
    demo.shows("Press Enter to go back, or type a move:$")
    demo.press(*keys)
    demo.shows(PROMPT)
    demo.press(*keys)
    demo.shows(r"Leave and lose this match\? \[y/N\]$")
    assert demo.lines[0].startswith("Coloretto")
    demo.press("enter")
    demo.shows(PROMPT)
    demo.press(*keys)
    demo.shows(r"Leave and lose this match\? \[y/N\]$")
    demo.press("y", "enter")
    assert demo.ends() == 0
    assert "You left the match. Nothing was saved.\nPlay with people: turnpost register" in demo.text


@pytest.mark.parametrize(
    ("won", "played", "told"),
    [(0, 0, ""), (1, 1, "You've won 1 of 1 match."), (0, 2, "You've won 0 of 2 matches.")],
)
def test_the_tally_counts_only_finished_matches(won, played, told):
    assert tally(won, played) == told


@pytest.mark.slow
def test_the_demo_asks_for_a_level_until_the_answer_is_valid(terminal):
    child = terminal.type("demo", "--seats", "2")
    for typed in ("brutal", "h"):
        child.expect_exact("How strong should the bots be: easy, normal or hard? [normal] ")
        child.sendline(typed)
        if typed == "brutal":
            child.expect_exact("There is no level called 'brutal'. Choose one of: easy, normal, hard.")
    child.expect_exact("You're playing against a hard bot.", timeout=120)
    child.expect_exact("(? for help):", timeout=120)
    for typed in ("leave", "y"):
        child.sendline(typed)
    assert terminal.ends(child) == 0


@pytest.mark.slow
def test_after_a_whole_match_against_a_bot_there_can_be_a_rematch_at_another_level(terminal):
    demo = ScreenTerminal(terminal.machine, "demo", "--seats", "2", "--level", "easy", lines=60)
    play_to_the_end(demo)
    assert "The match is over." in demo.text
    assert "✓ The match was fair: " in demo.text
    demo.answer("maybe", "enter")
    demo.shows("There is no level called 'maybe'. Choose one of: easy, normal, hard.")
    for typed, shown in (
        ("board", "Where the points come from"),
        ("log", "This is the end. Press q to go back$"),
        ("rules", "or q to go back$"),
        ("?", "play again, against bots of this level"),
    ):
        demo.shows(REMATCH)
        demo.answer(typed, "enter")
        if "q to go back" in demo.shows(shown):
            demo.press("q")
    demo.shows(REMATCH)
    demo.answer("normal", "enter")
    demo.shows(r"You're playing against a normal bot\.")
    play_to_the_end(demo)
    demo.shows("You've won [0-2] of 2 matches.")
    demo.answer("n", "enter")
    assert demo.ends() == 0
    assert "Thanks for playing." in demo.text


def play_to_the_end(demo):
    """Always choose the last move on the list, which takes a row if possible."""
    while not re.search(REMATCH, demo.shows(rf"for help\):$|{REMATCH}")):
        demo.answer(re.findall(r"^   ([a-z])  ", demo.text, re.MULTILINE)[-1], "enter")


def test_moving_out_of_turn_on_an_old_board_shows_the_new_board_and_how_to_wait(terminal, machine_of):
    match = running_match(seats=2)
    ann = machine_of(sitting(awaited(match)).username)
    ann.ok("board", match.match.id)
    play_some(match, 2)
    child = Terminal(ann).type("play", match.match.id, "draw")
    assert terminal.ends(child) == 6
    assert child.before.count("Nothing was played.") == 1
    assert f"turnpost watch {match.match.id} --until-my-turn" in child.before

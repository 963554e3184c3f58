"""A player at a real terminal, from the first command to the end of a match."""

import os
import re
import sys
from itertools import groupby
from pathlib import Path

import pexpect
import pytest

from accounts import links
from accounts.models import Registration
from games.models import Match
from games.selectors.loading import load_match
from tests.cli.conftest import Machine
from tests.games.builders import send

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "Gr33n cowboys ride"
PATIENCE = 60
PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


class Terminal:
    def __init__(self, machine):
        self.machine = machine

    def type(self, *words):
        """Start a command as if typed in a shell."""
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


def her_turn(terminal, table):
    """Take a row if possible, otherwise draw."""
    child = terminal.type("next", "--yes")
    notation = best(table, seat_of(table, "dora"))
    child.expect_exact("Type a number")
    child.sendline(notation)
    if notation == "draw":
        child.expect_exact("Type a number")
        child.sendline("1")
    assert terminal.ends(child) == 0


def second_thoughts(terminal, table):
    """Choose moves by number and as text, preview them, and answer no and yes."""
    child = terminal.type("next")
    notation = best(table, seat_of(table, "dora"))
    child.expect_exact("Your moves")
    child.expect_exact("Type a number")
    child.sendline("99")
    child.expect_exact("There's no move 99 in the list.")
    child.sendline("dance")
    child.expect_exact("That isn't a Coloretto move.")
    child.sendline(notation)
    child.expect_exact(f"Play '{notation}'? [Y/n] ")
    child.sendline("n")
    child.expect_exact("Type a number")
    child.sendline("")
    assert terminal.ends(child) == 0


def his_turn(table):
    seat = seat_of(table, "ben")
    assert send(table.match.id, seat.user, best(table, seat, draws=True), table.match.turn).status == 200


def best(table, seat, draws=False):
    offered = [table.engine.notation(move) for move in table.engine.choices(table.state, seat.number).moves]
    return offered[0] if draws else offered[-1]


def seat_of(table, name):
    return next(seat for seat in table.seats if seat.user.username == name)


def test_a_new_player_registers_joins_and_plays_to_the_end(terminal, machine_of):
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
    """Interrupt the command and return its output after that."""
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
    from tests.games.builders import play_some, running_match

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


def test_colors_are_used_only_at_terminals_and_no_color_still_draws_boards(terminal, machine_of):
    from tests.games.builders import running_match

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


# These lines differ from demo to demo: names and cards, the number of lines of a kind, and earlier moves.
KINDS_OF_LINES = {
    r"You're playing against (Ada and Grace|Grace and Ada) \(normal bots\)\.": "opponents",
    r"(Since your last move|  \S.+\.|)": "",
    r"Supply \d+ cards, \d+ of them before the last-round card": "supply",
    r"  Row \d .+": "row",
    r" +(\w+ +)+\+2  Jo  now": "head of the table",
    r"─+": "rule",
    r"[ ▶] ((Ada|Grace) \(bot\)|[\w-]+ \(you\)) [ ·0-9]+": "player",
    r"You (may|must) .+\.": "question",
    r"If the game ended now, you would have \d+ points? \(.+\)\.": "score",
    r"(\w \w+ )+\w \w+; Jo joker J\* golden joker": "legend",
    r"   \d  \w+( \d)?": "choice",
}


def kinds_of_lines(screen):
    """Return each line's kind, or the line itself if it never changes, without repetitions."""
    kinds = [kind_of(line.rstrip()) for line in screen.splitlines()]
    return [kind for kind, _ in groupby(filter(None, kinds))]


def kind_of(line):
    return next((kind for pattern, kind in KINDS_OF_LINES.items() if re.fullmatch(pattern, line)), line)


def test_the_demo_starts_in_seconds_and_looks_as_documented(terminal):
    child = terminal.type("demo")
    child.expect_exact("[normal] ")
    child.sendline("")
    child.expect_exact("Type a number or a move (help, rules, or leave to end the demo): ", timeout=120)
    sample = PAGE.read_text().split("[normal]\n")[1].split("Type a number")[0]
    assert kinds_of_lines(child.before) == kinds_of_lines(sample)
    child.sendline("1")
    child.expect_exact("Type a number")
    child.sendline("leave")
    child.expect_exact("You left the demo.")
    assert terminal.ends(child) == 0


def test_the_demo_continues_until_the_player_leaves_and_suggests_no_other_command(terminal):
    child = terminal.type("demo", "--level", "easy")
    said = ""
    for typed, answer in [
        ("", "Type a number"),
        ("help", "place 2 "),
        ("rules", "Coloretto"),
        ("dance", "That isn't a Coloretto move."),
        ("1", "Your moves"),
    ]:
        child.expect_exact("(help, rules, or leave to end the demo): ", timeout=120)
        said += child.before
        child.sendline(typed)
        child.expect_exact(answer)
    said += interrupt(child, seconds_to_end=20)
    assert "You left the demo." in said
    assert re.findall("turnpost .+", said) == ["turnpost register\r"]
    assert terminal.ends(child) == 0


def test_the_demo_asks_for_a_level_until_the_answer_is_valid(terminal):
    child = terminal.type("demo", "--seats", "2")
    for typed in ("brutal", "h"):
        child.expect_exact("How strong should the bots be: easy, normal or hard? [normal] ")
        child.sendline(typed)
        if typed == "brutal":
            child.expect_exact("There is no level called 'brutal'. Choose one of: easy, normal, hard.")
    child.expect_exact("You're playing against Ada (a hard bot).", timeout=120)
    child.expect_exact("Type a number", timeout=120)
    child.sendline("leave")
    assert terminal.ends(child) == 0


def test_a_whole_match_against_a_bot_is_followed_by_a_rematch_at_another_level(terminal):
    child = terminal.type("demo", "--seats", "2", "--level", "easy")
    play_to_the_end(child)
    child.expect_exact("Result")
    child.expect_exact("Ada (bot): ")
    child.expect_exact("✓ Every move is legal")
    child.expect_exact("Rematch? [Y/n, or easy, normal or hard to change the level] ")
    child.sendline("maybe")
    child.expect_exact("There is no level called 'maybe'. Choose one of: easy, normal, hard.")
    child.expect_exact("Rematch?")
    child.sendline("normal")
    child.expect_exact("You're playing against Ada (a normal bot).")
    play_to_the_end(child)
    child.expect("You've won [0-2] of 2 matches.")
    child.expect_exact("Rematch?")
    child.sendline("n")
    child.expect_exact("Thanks for playing.")
    assert terminal.ends(child) == 0


def play_to_the_end(child):
    """Always choose the last move on the list, which takes a row if possible."""
    while child.expect_exact(["Type a number", "The match is over."], timeout=120) == 0:
        child.sendline(re.findall(r"^   (\d)  ", child.before, re.MULTILINE)[-1])
        child.expect_exact("demo): ")

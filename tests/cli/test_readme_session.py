"""The session in the README works as printed. Registering asks for input, so test_interactive covers it."""

import re
import shlex
from pathlib import Path

import pytest

from games.selectors.loading import load_match
from tests.games.builders import awaited, play_some, say, sitting
from tests.not_none import not_none

pytestmark = pytest.mark.django_db(transaction=True)

README = Path(__file__).resolve().parent.parent.parent / "README.md"


def session():
    """Return the arguments of each `turnpost` line."""
    block = not_none(re.search(r"```\n(turnpost register.*?)```", README.read_text("utf-8"), re.DOTALL))[1]
    return [shlex.split(line, comments=True)[1:] for line in block.splitlines()]


def go_on_until(match_id, name, wanted):
    """Let the other players draw and place cards until this player can make this move."""
    for _ in range(100):
        table = load_match(match_id)
        seat = awaited(table)
        offered = [
            table.engine.notation(move) for move in table.engine.choices(table.state, not_none(seat.number)).moves
        ]
        if sitting(seat).username == name and wanted in offered:
            return
        say(table, seat.number, next((move for move in offered if not move.startswith("take")), offered[-1]))
    raise AssertionError(f"{name} never could {wanted}.")


def test_the_readme_session_works_as_printed(machine_of):
    register, new, home, look, draw, verify = session()
    assert register == ["register"]
    ann = machine_of("ann")
    ann.ok(*new)
    match_id = ann.json("whoami")["current"]
    ben = machine_of("ben")
    assert f"turnpost join {match_id}" in ben.ok()
    ben.ok("join", match_id)
    go_on_until(match_id, "ann", " ".join(draw))
    assert match_id in ann.ok(*home)
    assert "Row 2" in ann.ok(*look)
    assert "You drew" in ann.ok(*draw)
    play_some(load_match(match_id))
    assert "The proof fits this client's notes" in ann.ok(*verify)

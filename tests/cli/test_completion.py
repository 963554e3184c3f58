"""What the shell completes: instantly, from what was seen last, without a server."""

import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.render.style import Style
from cli.session import Session

MATCH = {"id": "k7m2x9q4a", "game": "coloretto", "title": "Friday", "turn": 3, "fairness": {}}
OTHER = {"id": "p3n5z8w2c", "game": "colorado-county", "title": "", "turn": 9, "fairness": {}}
CHOICES = {"moves": [{"notation": "draw"}, {"notation": "take 1"}, {"notation": "take 3"}], "forms": []}


@pytest.fixture
def complete(machine):
    from cli import config
    from cli.config import Config, Profile

    session = Session(Style(), environment=machine.environment)
    session.config = Config(machine.folder, profiles={"default": Profile(machine.url, "t")})
    config.save(session.config)
    session.store.set_current(MATCH["id"])
    session.store.save_snapshot(MATCH, CHOICES)
    session.store.save_snapshot(OTHER, {"moves": [{"notation": "bid none"}], "forms": []})

    def of(words: str) -> list[str]:
        asked = {
            "_TURNPOST_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
        }
        shown = CliRunner().invoke(app, env=machine.environment | asked, prog_name="turnpost")
        return shown.output.split()

    return of


def test_commands_and_the_verbs_of_ones_moves(complete):
    assert complete("turnpost wa") == ["watch"]
    assert complete("turnpost ta") == ["take"]
    assert complete("turnpost bi") == []


def test_ids_of_matches_seen_before(complete):
    assert complete("turnpost board k7") == ["k7m2x9q4a"]
    assert complete("turnpost board zz") == []


def test_the_next_word_of_a_move_in_the_current_match(complete):
    assert complete("turnpost play ta") == ["take"]
    assert complete("turnpost play take ") == ["1", "3"]
    assert complete("turnpost take ") == ["1", "3"]
    assert complete("turnpost play k7m2x9q4a ") == ["draw", "take"]


def test_the_next_word_of_a_move_in_the_match_that_was_named(complete):
    assert complete("turnpost play p3n5z8w2c ") == ["bid"]
    assert complete("turnpost play p3n5z8w2c bid ") == ["none"]


def test_games(complete):
    assert "coloretto" in complete("turnpost rules c")


def test_nothing_is_completed_from_a_damaged_configuration(machine, complete):
    (machine.folder / "profiles.json").write_text("{")
    assert complete("turnpost board k7") == []

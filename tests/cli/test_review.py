from time import monotonic
from types import SimpleNamespace

import pytest

from cli.commands import review
from cli.render.style import Style
from games.services import reviews
from tests.games.builders import play_some, running_match

MATCHED = "In 1 of 1 decision, your move was as good as any the search found."
GOOD = {"turn": 3, "move": "draw", "best": "draw", "chance": 0.5, "best_chance": 0.5, "cost": 0.0}


@pytest.fixture
def finished(monkeypatch):
    """Return a finished match that is reviewed while the client waits."""
    monkeypatch.setattr(reviews, "MOST_SECONDS", 1.0)
    monkeypatch.setattr(review, "POLL_SECONDS", 0)
    # Only the command's own sleep is replaced, because other threads sleep, too.
    clock = SimpleNamespace(monotonic=monotonic, sleep=lambda _: reviews.review_due())
    monkeypatch.setattr(review, "time", clock)
    return play_some(running_match(seats=2)).match.id


def test_the_costliest_moves_come_first(finished, machine_of):
    ann = machine_of("ann")
    done = ann.json("review", finished)
    assert done["state"] == "done"
    text = ann.ok("review", finished)
    worst = done["decisions"][0]
    assert f"Turn {worst['turn']}: you played {worst['move']}; the search prefers {worst['best']}." in text
    assert text.index("Your costliest moves") < text.index(f"Turn {worst['turn']}")


def test_piped_output_contains_nothing_but_the_review(finished, machine_of):
    done = machine_of("ann").run("review", finished, "--json")
    assert done.stdout.startswith("{")
    assert not done.stderr


def test_a_review_of_a_running_match_is_refused(machine_of):
    table = running_match(seats=2)
    ann = machine_of("ann")
    assert "Only finished matches can be reviewed." in ann.run("review", table.match.id).output


def test_a_review_without_mistakes_says_so():
    found = {"decisions": [GOOD], "total": 2, "missing": 0}
    assert review.review_text(found, Style()) == f"{MATCHED} You made no mistakes."


def test_an_incomplete_review_says_so():
    found = {"decisions": [GOOD], "total": 3, "missing": 2}
    missing = "The server couldn't review 2 of your moves."
    assert review.review_text(found, Style()) == f"{MATCHED} {missing}"
    assert review.review_text(found | {"decisions": []}, Style()) == missing
    costly = GOOD | {"best_chance": 0.9, "cost": 0.4}
    assert missing in review.review_text(found | {"decisions": [costly]}, Style())


def test_a_busy_server_is_reported(finished, machine_of, monkeypatch):
    monkeypatch.setattr(review, "LONGEST_WAIT", -1)
    assert "The review isn't ready yet." in machine_of("ann").run("review", finished).output

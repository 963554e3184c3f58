"""A move takes one request, and at most one more for the board."""

import pytest

from tests.cli.faulty_server import faulty, forward
from tests.cli.terminal import Terminal
from tests.games.builders import awaited, running_match, sitting

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def proxy(live_server):
    with faulty(forward(live_server.url)) as server:
        yield server


def requested(proxy):
    """Return the requests since the last call, without their queries."""
    made = [f"{method} {path.partition('?')[0].rpartition('/')[2]}" for method, path, *_ in proxy.requests]
    proxy.requests.clear()
    return made


@pytest.mark.parametrize(("game", "move"), [("coloretto", "draw"), ("colorado-county", "bid none")])
def test_a_command_that_plays_a_move_fetches_the_board_once(machine_of, proxy, game, move):
    table = running_match(game, seats=2)
    machine = machine_of(sitting(awaited(table)).username)
    machine.ok("use", table.match.id)
    machine.url = proxy.url
    assert machine.ok("play", table.match.id, *move.split())
    assert requested(proxy) == ["POST moves", "GET updates"]


def test_a_machine_that_has_never_seen_the_match_first_asks_which_turn_it_is_on(match, awaited, proxy):
    awaited.url = proxy.url
    awaited.ok("play", match.match.id, "draw")
    assert requested(proxy) == ["GET updates", "POST moves", "GET updates"]


def test_a_program_that_plays_a_move_fetches_no_board(match, awaited, proxy):
    awaited.ok("use", match.match.id)
    awaited.url = proxy.url
    assert awaited.json("draw")["turn"] == 2
    assert requested(proxy) == ["POST moves"]


def besides_the_stream(made, match_id):
    """Leave out the requests that an open prompt makes in the background: for the event stream, and for the match after
    each event."""
    return [request for request in made if request not in ("GET stream", f"GET {match_id}")]


def test_a_move_at_the_prompt_fetches_the_board_once_with_the_news(match, awaited, other, proxy):
    awaited.url = proxy.url
    terminal = Terminal(awaited, "board", match.match.id)
    terminal.shows("Press Enter to play 'draw'")
    assert besides_the_stream(requested(proxy), match.match.id) == ["GET updates"]
    terminal.press("enter")
    terminal.shows(r"a  place 1[\s\S]*Your move \(\? for help\):$")
    assert besides_the_stream(requested(proxy), match.match.id) == ["POST moves", "GET updates"]
    terminal.press("place 1", "enter")
    terminal.shows("Waiting for ")
    terminal.press("enter")
    assert terminal.ends() == 0
    assert besides_the_stream(requested(proxy), match.match.id) == ["POST moves", "GET updates"]
    other.ok("say", match.match.id, "Well done")
    assert "Well done" in awaited.ok("board", match.match.id)
    assert requested(proxy) == ["GET updates"]

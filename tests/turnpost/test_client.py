"""The typed client works with a running service, and so does the program in its documentation."""

import re
import subprocess
import sys
from datetime import timedelta

import pytest

from accounts.models import Token
from demo.ports import free_port
from games.selectors.loading import load_match
from games.shapes import Match, MoveAccepted
from tests.cli.faulty_server import answer, faulty, forward, hang_up
from tests.deploy.services import ROOT, environment, manage, running
from tests.games.builders import awaited, play_some, player, running_match, sitting
from tests.stream.conftest import running_service
from turnpost import Client, NeedsLogin, Refused, Stale, Unreachable

pytestmark = pytest.mark.any_database

PAGE = (ROOT / "docs" / "client.md").read_text()
[PROGRAM, *_] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def client_of(live_server):
    def client(user):
        return Client(live_server.url, Token.objects.create(user, timedelta(days=1), name="test")[1])

    return client


def test_a_match_can_be_played_with_typed_results(client_of):
    ann, ben = client_of(player("ann")), client_of(player("ben"))
    match = ann.create("coloretto", seats=2, title="Friday")
    assert (type(match), match.title, match.phase) == (Match, "Friday", "gathering")
    assert ben.join(match.id).phase == "running"
    mover = ann if ann.matches("waiting") else ben
    choices = mover.choices(match.id)
    assert mover.preview(match.id, choices.moves[0].notation, choices.turn).move.notation == choices.moves[0].notation
    assert mover.updates(match.id).choices == choices
    played = mover.play(match.id, choices.moves[0].notation, choices.turn)
    assert (type(played), played.turn) == (MoveAccepted, 2)
    assert [event.number for event in mover.log(match.id)][-1] == played.events[-1].number
    assert ann.say(match.id, "Good luck!").text == ben.messages(match.id)[0].text
    assert ann.me().username == "ann"


def test_a_move_sent_twice_with_the_same_key_is_played_once(client_of):
    table = running_match(seats=2)
    client = client_of(sitting(awaited(table)))
    first = client.play(table.match.id, "draw", 1, key="mine")
    assert client.play(table.match.id, "draw", 1, key="mine") == first
    assert load_match(table.match.id).match.turn == 2


def test_all_attempts_to_send_a_move_have_the_same_key(client_of, live_server):
    """The server gets the move, but its first response is lost."""
    table = running_match(seats=2)
    client = client_of(sitting(awaited(table)))
    with faulty(forward(live_server.url, then=hang_up), forward(live_server.url)) as proxy:
        client.server.url, client.server.pause = proxy.url, lambda _seconds: None
        assert client.play(table.match.id, "draw", 1).turn == 2
        client.play(table.match.id, "place 1", 2)
    first, again, other = [headers["Idempotency-Key"] for _, _, headers, _ in proxy.requests]
    assert first == again != other
    assert load_match(table.match.id).match.moves_made == 2


def test_requests_that_are_not_safe_to_repeat_are_sent_only_once(client_of, live_server):
    client = client_of(player("ann"))
    with faulty(forward(live_server.url, then=hang_up)) as proxy:
        client.server.url = proxy.url
        with pytest.raises(Unreachable):
            client.create("coloretto", seats=2)
    assert len(proxy.requests) == 1


def test_errors_are_raised_as_exceptions(client_of, live_server):
    table = running_match(seats=2)
    client = client_of(sitting(awaited(table)))
    with pytest.raises(Refused, match="That isn't a Coloretto move") as refused:
        client.play(table.match.id, "dance", 1)
    assert refused.value.hint
    with pytest.raises(Stale) as stale:
        client.play(table.match.id, "draw", 7)
    assert stale.value.data["turn"] == 1
    with pytest.raises(NeedsLogin):
        Client(live_server.url, "turnpost_" + "0" * 64).me()
    with pytest.raises(Unreachable):
        Client("http://127.0.0.1:9").games()


def test_logging_in_creates_a_token(live_server, db):
    player("ann")
    client = Client.log_in(live_server.url, "ann", "correct horse", name="my program")
    assert client.me().username == "ann"
    assert Token.objects.get().name == "my program"


def test_an_unexpected_response_raises_an_error():
    with faulty(answer(200, {"id": 5})) as server, pytest.raises(Unreachable, match="unexpected response"):
        Client(server.url).match("k7m2x9q4a")


CONNECTED = b'{"kind":"connected","cursor":"0","at":"2026-03-02T08:59:00Z","match":null,"turn":null,"data":{}}\n'
MALFORMED = {
    "nothing": b"",
    "HTML": b"<html>",
    "binary data": b'{"kind":"\xff"}',
    "deep nesting": CONNECTED.replace(b"{}", b'{"a":' + b"[" * 100_000),
}


@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED)
def test_a_stream_that_does_not_begin_with_an_event_raises_an_error(content):
    with faulty(answer(200, content)) as server, pytest.raises(Unreachable):
        Client(server.url).stream()


@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED)
def test_the_stream_reconnects_if_it_becomes_malformed(content):
    with faulty(answer(200, CONNECTED + content), answer(200, CONNECTED)) as server:
        client = Client(server.url)
        client.server.pause = lambda seconds: None
        assert kinds(client.stream(), 2) == ["connected", "connected"]


def kinds(events, count):
    return [next(events).kind for _ in range(count)]


def test_the_stream_continues_once_the_server_is_back(transactional_db):
    """Nothing is lost or repeated, even though the first server ends the stream."""
    table = running_match(seats=2)
    user = sitting(awaited(table))
    with running_service() as first:
        client = Client(first.url, first.token(user)[1])
        events = client.stream()
        assert next(events).kind == "connected"
        play_some(table, 1)
        assert kinds(events, 2) == ["move_made", "your_turn"]
    play_some(load_match(table.match.id), 1)
    with running_service() as second:
        client.server.url, client.server.pause = second.url, lambda seconds: None
        assert kinds(events, 2) == ["connected", "move_made"]


def test_an_expired_cursor_causes_an_error_that_says_how_to_continue(client_of):
    client = client_of(player("ann"))
    with pytest.raises(Refused) as refused:
        client.stream(after="7-00000000")
    assert (refused.value.code, refused.value.data["cursor"]) == ("cursor_expired", "0")


def test_the_command_line_does_not_load_the_typed_client():
    loaded = "import sys, cli.session; print('turnpost.client' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", loaded], cwd=ROOT, text=True) == "False\n"


@pytest.mark.slow
def test_the_documented_program_has_ten_lines_and_plays_a_whole_match(tmp_path):
    assert len([line for line in PROGRAM.splitlines() if line and not line.startswith(("import", "from"))]) <= 10
    port, variables = free_port(), {"TURNPOST_DATA": str(tmp_path / "data"), "TURNPOST_BOT_SECONDS": "0.1"}
    assert manage("migrate", **variables).returncode == 0
    make = "from tests.stream.conftest import Service; from tests.games.builders import player; "
    make += "print(Service(0, None).token(player('ann'))[1])"
    shell = [sys.executable, "manage.py", "shell", "-v0", "-c", make]
    token = subprocess.check_output(shell, cwd=ROOT, env=environment(**variables), text=True).strip()
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(port)]
    player_of = environment(TURNPOST_URL=f"http://127.0.0.1:{port}", TURNPOST_TOKEN=token)
    with running(command, port, tmp_path / "log", **variables):
        done = subprocess.run(
            [sys.executable, str(program)], env=player_of, capture_output=True, text=True, timeout=300
        )
    assert done.returncode == 0, done.stderr
    assert "points" in done.stdout

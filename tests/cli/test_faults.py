"""When the network or the server fails, nothing is lost and nothing is played twice."""

import json

import pytest

from cli.interactive import Table
from cli.match_fetch import fetch_match
from cli.render.style import Style
from cli.session import Session
from games.models import Move
from tests.cli.faulty_server import answer, faulty, forward, hang_up, silence
from tests.cli.shapes import check
from tests.games.builders import play_some, running_match, sitting
from turnpost import Unreachable, http

pytestmark = pytest.mark.django_db(transaction=True)
TROUBLE = {"code": "server_error", "message": "Something went wrong here.", "hint": "Try again.", "data": {}}
DOWN = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def _impatience(monkeypatch):
    monkeypatch.setattr(http, "RETRY_PAUSES", (0.0, 0.0))
    monkeypatch.setattr(http, "READ_SECONDS", 2.0)


def test_a_move_without_a_response_is_played_once(match, awaited, live_server):
    match_id = match.match.id
    awaited.ok("board", match_id)
    lost = forward(live_server.url, then=hang_up)
    with faulty(lost, forward(live_server.url)) as proxy:
        awaited.url = proxy.url
        assert "drew" in awaited.ok("play", match_id, "draw")
    assert Move.objects.count() == 1


def test_a_move_that_gets_no_response_is_saved_and_can_be_resent(match, awaited, live_server):
    match_id = match.match.id
    awaited.ok("board", match_id)
    with faulty(forward(live_server.url, then=hang_up)) as proxy:
        awaited.url = proxy.url
        done = awaited.run("play", match_id, "draw")
    assert done.exit_code == 5
    assert f"turnpost retry {match_id}" in done.stderr
    awaited.url = live_server.url
    assert "Not sent yet: 'draw'" in awaited.ok("status")
    assert "drew" in awaited.ok("retry", match_id)
    assert Move.objects.count() == 1
    assert "Not sent yet" not in awaited.ok("status")


def test_a_saved_move_is_never_played_on_a_later_turn(match, awaited, live_server):
    match_id = match.match.id
    awaited.ok("board", match_id)
    awaited.url = DOWN
    assert awaited.run("play", match_id, "draw").exit_code == 5
    awaited.url = live_server.url
    play_some(match, 2)
    done = awaited.run("retry", match_id)
    assert done.exit_code == 6
    assert Move.objects.count() == 2
    assert awaited.run("retry", match_id).exit_code == 3


def test_the_status_command_shows_a_saved_move_while_the_server_is_down(match, awaited):
    awaited.ok("board", match.match.id)
    awaited.url = DOWN
    awaited.run("play", match.match.id, "draw")
    for command in ([], ["status"]):
        done = awaited.run(*command)
        assert done.exit_code == 5
        assert f"Not sent yet: 'draw'. Send it: turnpost retry {match.match.id}" in done.stderr
    assert [order["move"] for order in json.loads(awaited.run("status", "--json").stderr)["data"]["unsent"]] == ["draw"]


def test_a_saved_move_can_be_dropped(match, awaited, live_server):
    awaited.ok("board", match.match.id)
    awaited.url = DOWN
    awaited.run("play", match.match.id, "draw")
    check("retry --drop", awaited.json("retry", "--drop"))
    assert awaited.run("retry").exit_code == 3


def test_a_server_error_exits_with_5_and_prints_the_servers_message(match, awaited):
    with faulty(answer(500, TROUBLE)) as server:
        awaited.url = server.url
        done = awaited.run("status")
    assert done.exit_code == 5
    assert "Something went wrong here." in done.stderr
    assert len(server.requests) == 3


def test_requests_are_silently_retried_until_the_server_recovers(match, awaited, live_server):
    with faulty(answer(500, TROUBLE), forward(live_server.url)) as proxy:
        awaited.url = proxy.url
        assert "One match is waiting for you." in awaited.ok("status")


def test_the_client_waits_until_a_rate_limit_is_over(match, awaited, live_server):
    with faulty(answer(429, TROUBLE, Retry_After="1"), forward(live_server.url)) as proxy:
        awaited.url = proxy.url
        assert "One match is waiting for you." in awaited.ok("status")


def test_a_request_times_out_if_the_server_never_responds(match, awaited, monkeypatch):
    monkeypatch.setattr(http, "READ_SECONDS", 0.2)
    with faulty(silence) as server:
        awaited.url = server.url
        done = awaited.run("status")
    assert done.exit_code == 5
    assert "didn't respond in time" in done.stderr


def test_the_last_board_seen_is_shown_offline_with_its_age(match, awaited):
    awaited.ok("board", match.match.id)
    awaited.url = DOWN
    shown = awaited.ok("board", match.match.id)
    assert "Can't reach the server. This is the board you saw less than a minute ago." in shown
    assert "Row 1" in shown
    check("board", awaited.json("board", match.match.id))
    assert awaited.json("board", match.match.id)["seen_at"]
    assert "draw" in awaited.ok("moves", match.match.id)


def test_a_match_that_was_never_seen_cannot_be_shown_offline(match, awaited):
    awaited.url = DOWN
    done = awaited.run("board", match.match.id)
    assert done.exit_code == 5
    assert "turnpost doctor" in done.stderr


def test_a_move_is_reported_as_played_even_if_the_network_fails_afterwards(match, awaited, live_server):
    awaited.ok("board", match.match.id)
    with faulty(forward(live_server.url), hang_up) as proxy:
        awaited.url = proxy.url
        shown = awaited.ok("play", match.match.id, "draw")
    assert "drew" in shown
    assert Move.objects.count() == 1


def test_a_move_at_the_prompt_is_reported_as_made_even_if_the_network_fails_afterwards(match, awaited, live_server):
    through = forward(live_server.url)
    with faulty(through, through, hang_up) as proxy:
        table = at_the_prompt(awaited, match, proxy)
        with pytest.raises(Unreachable) as told:
            table.make_move("draw", is_certain=True)
    assert told.value.message == f"You made your move 'draw'. The server at {proxy.url} can't be reached."
    assert Move.objects.count() == 1


def test_a_command_that_fails_at_the_prompt_leaves_the_prompt_open(match, awaited, live_server):
    with faulty(forward(live_server.url), hang_up) as proxy:
        table = at_the_prompt(awaited, match, proxy)
        table.handle("say Hello")
    assert "can't be reached" in table.notice
    assert not table.has_left


def at_the_prompt(machine, match, server):
    machine.url = server.url
    session = Session(Style(), environment=machine.environment)
    return Table(session, fetch_match(session, match.match.id))


def test_a_player_with_several_unsent_moves_must_choose_one(match, awaited):
    other = running_match(seats=2)
    seat = next(seat for seat in other.seats if sitting(seat).username == awaited.name)
    if other.state.to_move != seat.number:
        play_some(other, 2)
    for table in (match, other):
        awaited.ok("board", table.match.id)
    url, awaited.url = awaited.url, DOWN
    for table in (match, other):
        assert awaited.run("play", table.match.id, "draw").exit_code == 5
    awaited.url = url
    done = awaited.run("retry")
    assert (done.exit_code, Move.objects.filter(match=match.match).count()) == (2, 0)
    assert match.match.id in done.stderr
    assert other.match.id in done.stderr
    assert "drew" in awaited.ok("retry", match.match.id)


def test_unsent_moves_are_never_shown_to_or_sent_by_another_user_on_the_same_machine(match, awaited, machine_of):
    awaited.ok("board", match.match.id)
    url, awaited.url = awaited.url, DOWN
    assert awaited.run("play", match.match.id, "draw").exit_code == 5
    awaited.url = url
    owner, token = awaited.name, awaited.token
    awaited.name, newcomer = "emil", machine_of("emil")
    awaited.log_in(newcomer.token)
    assert "Not sent yet" not in awaited.ok("status")
    assert "Nothing to resend." in awaited.run("retry").stderr
    awaited.url = DOWN
    assert awaited.run("board", match.match.id).exit_code == 5
    awaited.url, awaited.name = url, owner
    awaited.log_in(token)
    assert "Not sent yet: 'draw'" in awaited.ok("status")

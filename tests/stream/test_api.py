"""Web processes respond to stream requests with all events so far, and close the connection."""

import json

import pytest

from accounts import browser_sessions
from stream import store
from stream.models import StreamEvent
from tests.games.builders import play_some, player, running_match, sitting

pytestmark = pytest.mark.django_db

HERE = "/api/v1/stream"


def lines(response):
    assert response.status_code == 200, response.content
    assert response.headers["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in response.content.splitlines()]


def test_stored_events_are_sent_in_order(api):
    table = play_some(running_match(seats=2), 6)
    user = sitting(table.seats[0])
    first, *events = lines(api(user).get(f"{HERE}?after=0"))
    assert (first["kind"], first["cursor"]) == ("connected", "0")
    stored = StreamEvent.objects.filter(user=user).order_by("id")
    assert [(event["kind"], event["turn"]) for event in events] == [(event.kind, event.turn) for event in stored]
    assert [int(event["cursor"].split("-")[0]) for event in events] == list(range(1, len(events) + 1))


def test_a_stream_continues_after_the_event_that_its_cursor_refers_to(api):
    table = play_some(running_match(seats=2), 6)
    client = api(sitting(table.seats[0]))
    _, *events = lines(client.get(f"{HERE}?after=0"))
    first, *rest = lines(client.get(f"{HERE}?after={events[2]['cursor']}"))
    assert first["cursor"] == events[2]["cursor"]
    assert rest == events[3:]


def test_without_a_cursor_only_new_events_are_sent(api):
    table = play_some(running_match(seats=2), 2)
    client = api(sitting(table.seats[0]))
    (first,) = lines(client.get(HERE))
    play_some(table, 1)
    assert [event["kind"] for event in lines(client.get(f"{HERE}?after={first['cursor']}"))][:2] == [
        "connected",
        "move_made",
    ]


def test_browsers_get_server_sent_events_and_send_the_last_event_id(api):
    table = play_some(running_match(seats=2), 2)
    client = api(sitting(table.seats[0]))
    answer = client.get(f"{HERE}?after=0", headers={"Accept": "text/event-stream"})
    assert answer.headers["Content-Type"] == "text/event-stream"
    first, *events = answer.content.decode().strip("\n").split("\n\n")
    assert first.startswith("retry: 3000\nid: 0\ndata: {")
    ids = [event.split("\n")[0].removeprefix("id: ") for event in events]
    assert [json.loads(event.split("data: ")[1])["cursor"] for event in events] == ids
    headers = {"Accept": "text/event-stream", "Last-Event-ID": ids[-1]}
    assert client.get(f"{HERE}?after=0", headers=headers).content.count(b"data: ") == 1


def test_a_cursor_for_a_deleted_event_causes_an_error_that_says_how_to_continue(api):
    user = player("ann")
    client = api(user)
    table = play_some(running_match(seats=2), 3)
    old = lines(client.get(f"{HERE}?after=0"))[1]["cursor"]
    StreamEvent.objects.filter(user=user, number=1).delete()
    refused = client.get(f"{HERE}?after={old}")
    assert (refused.status_code, refused.json()["code"]) == (410, "cursor_expired")
    assert refused.headers["Content-Type"] == "application/json"
    current = refused.json()["data"]["cursor"]
    assert refused.json()["hint"].endswith(f"continue with after={current}.")
    play_some(table, 1)
    assert [event["kind"] for event in lines(client.get(f"{HERE}?after={current}"))][:2] == ["connected", "move_made"]


def test_a_cursor_from_before_a_restore_is_refused(api):
    """The number exists but belongs to another event."""
    table = play_some(running_match(seats=2), 3)
    user = sitting(table.seats[0])
    cursor = lines(api(user).get(f"{HERE}?after=0"))[-1]["cursor"]
    StreamEvent.objects.filter(user=user, number=cursor.split("-")[0]).update(happened_at="2026-01-01T00:00:00Z")
    assert api(user).get(f"{HERE}?after={cursor}").status_code == 410


def test_another_users_cursor_is_refused(api):
    table = play_some(running_match(seats=2), 3)
    one, other = [sitting(seat) for seat in table.seats]
    cursor = lines(api(one).get(f"{HERE}?after=0"))[1]["cursor"]
    assert api(other).get(f"{HERE}?after={cursor}").status_code == 410


@pytest.mark.parametrize(
    "cursor", ["-1", "x", "1", "1-", "1-xyz", "0-00000000", "9" * 40, "1-00000000%00", "١-00000000"]
)
def test_an_invalid_cursor_is_refused(api, cursor):
    assert api(player("ann")).get(f"{HERE}?after={cursor}").status_code == 400


def test_the_stream_needs_a_login(api):
    assert api().get(HERE).json()["code"] == "not_authenticated"
    assert api().get(HERE, headers={"Accept": "text/event-stream"}).status_code == 401


def test_a_browser_session_for_the_whole_account_is_enough(client):
    ann = player("ann")
    client.cookies["session"] = browser_sessions.start(ann, "test")[1]
    assert client.get(HERE).status_code == 200


def test_a_session_for_one_match_is_not_enough(client):
    table = running_match(seats=2)
    ann = sitting(table.seats[0])
    for cookie in ("session", "seat"):
        client.cookies[cookie] = browser_sessions.start(ann, "test", table.match.id)[1]
    assert client.get(HERE).status_code == 401


class TestThePageOfAMatch:
    """Web processes do not keep connections open, so the page keeps polling."""

    def status(self, client, match_id):
        return client.get(f"/matches/{match_id}/stream").status_code

    def test_the_page_of_a_player_is_told_to_keep_polling(self, client):
        table = running_match(seats=2)
        ann = sitting(table.seats[0])
        client.cookies["session"] = browser_sessions.start(ann, "test")[1]
        answer = client.get(f"/matches/{table.match.id}/stream")
        assert (answer.status_code, answer.content) == (204, b"")

    def test_a_session_for_this_match_is_enough_but_not_one_for_another(self, client):
        table, elsewhere = running_match(seats=2), running_match(seats=2)
        client.cookies["seat"] = browser_sessions.start(sitting(table.seats[0]), "test", table.match.id)[1]
        assert self.status(client, table.match.id) == 204
        assert self.status(client, elsewhere.match.id) == 404

    def test_spectators_and_strangers_get_no_stream(self, client):
        table = running_match(seats=2)
        assert self.status(client, table.match.id) == 404
        client.cookies["session"] = browser_sessions.start(player("fritz"), "test")[1]
        assert self.status(client, table.match.id) == 404


def test_events_of_other_users_are_never_shown(api):
    play_some(running_match(seats=2), 6)
    store.number_new()
    assert len(lines(api(player("fritz")).get(f"{HERE}?after=0"))) == 1

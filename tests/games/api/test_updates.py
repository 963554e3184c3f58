"""One request returns a match with everything that is new to the caller."""

import pytest

from games.api import updates
from games.selectors.loading import load_match
from tests.games.api.clients import Caller
from tests.games.builders import awaited, play_some, player, running_match, sitting

pytestmark = pytest.mark.django_db


def test_each_part_is_the_same_as_in_the_response_of_its_own_endpoint():
    table = play_some(running_match("colorado-county"), 5)
    path = f"/matches/{table.match.id}"
    ann = Caller(sitting(awaited(table)))
    ann.post(f"{path}/messages", {"text": "Hello"})
    found = ann.get(f"{path}/updates?events=3&messages=0").json()
    assert found["match"] == ann.get(path).json()
    assert found["choices"] == ann.get(f"{path}/choices").json()
    assert found["choices"]["moves"] or found["choices"]["forms"]
    assert found["events"] == ann.get(f"{path}/log?since=3").json()["results"] != []
    assert found["messages"] == ann.get(f"{path}/messages").json()["results"] != []


def test_only_what_is_new_is_returned():
    table = play_some(running_match(), 5)
    path = f"/matches/{table.match.id}/updates"
    ann = Caller(player("ann"))
    for text in ("one", "two", "three"):
        ann.post(f"/matches/{table.match.id}/messages", {"text": text})
    latest = table.match.events_made
    found = ann.get(f"{path}?events={latest - 1}&messages=1").json()
    assert [event["number"] for event in found["events"]] == [latest]
    assert [message["text"] for message in found["messages"]] == ["three", "two"]
    again = ann.get(f"{path}?events={latest}&messages=3").json()
    assert (again["events"], again["messages"]) == ([], [])


def test_if_there_are_many_new_events_only_the_latest_are_returned(monkeypatch):
    monkeypatch.setattr(updates, "MOST_EVENTS", 2)
    table = play_some(running_match(), 8)
    latest = table.match.events_made
    found = Caller(player("ann")).get(f"/matches/{table.match.id}/updates?events=0").json()
    assert [event["number"] for event in found["events"]] == [latest - 1, latest]


def test_spectators_get_no_choices_and_no_messages():
    table = play_some(running_match(), 3)
    Caller(player("ann")).post(f"/matches/{table.match.id}/messages", {"text": "Hello"})
    for caller in (Caller(), Caller(player("emil"))):
        found = caller.get(f"/matches/{table.match.id}/updates?events=0&messages=0").json()
        assert (found["choices"], found["messages"]) == (None, [])
        assert found["events"]


def test_a_finished_match_has_no_choices():
    table = play_some(running_match())
    found = Caller(player("ann")).get(f"/matches/{table.match.id}/updates?events=0").json()
    assert (found["match"]["phase"], found["choices"]) == ("finished", None)


def test_fetching_updates_counts_as_a_visit():
    table = play_some(running_match(), 3)
    ann = player("ann")
    Caller(ann).get(f"/matches/{table.match.id}/updates?events=0")
    seat = load_match(table.match.id).seat_of(ann.pk)
    assert seat is not None
    assert seat.last_seen == table.match.events_made


@pytest.mark.parametrize("query", ["events=x", "events=-1", "messages=-1", "messages=1e9"])
def test_invalid_queries_are_refused(query):
    table = running_match()
    refused = Caller(player("ann")).get(f"/matches/{table.match.id}/updates?{query}")
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")

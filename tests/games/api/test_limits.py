import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.rates import Rate
from tests.games.api.clients import Caller
from tests.games.builders import player, running_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def limit(settings):
    cache.clear()

    def set_limit(scope, count):
        settings.RATES = settings.RATES | {scope: Rate(count, 3600)}

    yield set_limit
    cache.clear()


@pytest.fixture
def ann():
    return Caller(player("ann"))


def test_new_matches_are_rate_limited(ann, limit):
    limit("new_match", 2)
    wanted = {"game": "coloretto", "seats": 3}
    assert [ann.post("/matches", wanted).status_code for _ in range(3)] == [201, 201, 429]
    assert ann.get("/matches").status_code == 200
    assert Caller(player("ben")).post("/matches", wanted).status_code == 201


def test_lists_count_towards_the_general_limit_whether_or_not_the_framework_handles_them(ann, limit):
    limit("user", 2)
    unusual = {"Accept": "application/json, */*"}
    assert [ann.get("/matches", **headers).status_code for headers in ({}, unusual)] == [200, 200]
    [usual, framework] = [ann.get("/matches", **headers) for headers in ({}, unusual)]
    assert usual.status_code == framework.status_code == 429
    assert usual.json()["code"] == framework.json()["code"]
    assert usual.headers.keys() == framework.headers.keys()


def test_proposals_are_rate_limited(ann, limit):
    limit("proposal", 2)
    path = f"/matches/{running_match().match.id}/proposals"
    wanted = {"kind": "pause", "time": 86400}
    assert [ann.post(path, wanted).status_code for _ in range(3)] == [201, 201, 429]
    assert ann.get(path).status_code == 200


def test_messages_are_rate_limited(ann, limit):
    limit("message", 2)
    path = f"/matches/{running_match().match.id}/messages"
    assert [ann.post(path, {"text": "Hello"}).status_code for _ in range(3)] == [201, 201, 429]
    assert ann.get(path).status_code == 200


def test_dry_runs_are_rate_limited_and_moves_are_not(limit):
    table = running_match()
    asked = Caller(next(seat.user for seat in table.seats if seat.awaited_since))
    limit("dry_run", 2)
    path, move = f"/matches/{table.match.id}/moves", {"move": "draw", "turn": 1}
    assert [asked.post(f"{path}?dry_run=1", move).status_code for _ in range(3)] == [200, 200, 429]
    assert asked.post(path, move).status_code == 200


def test_invitations_are_rate_limited_per_sender(ann, limit):
    limit("invitation", 2)
    path = f"/matches/{ann.post('/matches', {'game': 'coloretto', 'seats': 3}).json()['id']}/invitations"
    answers = [ann.post(path, {"invitee": f"guest{number}@example.org"}).status_code for number in range(3)]
    assert answers == [201, 201, 429]


def test_invitations_are_rate_limited_per_recipient(limit):
    limit("invited", 2)
    answers = []
    for name in ("ann", "ben", "cleo"):
        host = Caller(player(name))
        match = host.post("/matches", {"game": "coloretto", "seats": 3}).json()["id"]
        answers.append(host.post(f"/matches/{match}/invitations", {"invitee": "Victim@example.org "}).status_code)
    assert answers == [201, 201, 429]


def test_counting_requests_needs_no_query(ann):
    table = running_match()
    ann.get(f"/matches/{table.match.id}")
    with CaptureQueriesContext(connection) as captured:
        ann.get(f"/matches/{table.match.id}/choices")
    assert not [query for query in captured if "tally" in query["sql"]]


def test_a_request_that_is_too_large_is_refused_without_being_read(ann):
    table = running_match()
    refused = ann.put(f"/matches/{table.match.id}/note", {"text": "x" * 70_000})
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("text", ["x" * 2001, "", "   ", None, ["a"], {"a": 1}])
def test_a_message_has_1_to_2000_characters(ann, text):
    path = f"/matches/{running_match().match.id}/messages"
    assert ann.post(path, {"text": text}).status_code == 400

"""Nonsensical requests to any URL get an error in the usual format, never a 500, and change nothing."""

import json

import pytest

from games.models import Event, Match, Message, Move, Note, Seat
from games.services import lobby
from tests.games.api.clients import Caller
from tests.games.api.document import of_a_match, paths
from tests.games.builders import plan, player, running_match

pytestmark = pytest.mark.django_db

BODIES = {
    "nothing that is JSON": b"{",
    "no UTF-8": b'{"text": "\xff\xfe"}',
    "a list": b"[1, 2]",
    "a text": b'"draw"',
    "a number": b"7",
    "null": b"null",
    "true": b"true",
    "NUL in a text": b'{"text": "a\\u0000b", "invitee": "a\\u0000b", "move": "a\\u0000b", "turn": 1}',
    "NUL in a name": b'{"te\\u0000xt": 1}',
    "half a surrogate pair": b'{"text": "\\ud800", "invitee": "\\ud800", "move": "\\ud800", "turn": 1}',
    "a huge number": b'{"turn": 1' + b"0" * 400 + b', "move": "draw", "seats": 1e400, "agree": 1}',
    "not a number": b'{"turn": NaN, "move": "draw", "agree": NaN, "text": NaN}',
    "deep nesting": b'{"move": ' + b"[" * 5000 + b"]" * 5000 + b', "turn": 1}',
    "deep options": b'{"move": ' + b'{"a":' * 100 + b"1" + b"}" * 100 + b', "turn": 1}',
    "the same name twice": b'{"turn": 1, "turn": "x", "move": 1, "move": [], "text": [], "invitee": {}, "agree": "no"}',
    "wrong types": b'{"turn": {}, "move": [], "text": {}, "invitee": [], "agree": [], "salt": {}, "muted": 7}',
    "wrong types in a proposal": b'{"kind": 1, "seat": "x", "time": []}',
    "a proto": b'{"__proto__": {}, "constructor": 1}',
}
MODELS = (Match, Seat, Move, Event, Message, Note)


def stored():
    return [list(model.objects.order_by("pk").values()) for model in MODELS]


def is_refusal(answer):
    return 400 <= answer.status_code < 500 and set(answer.json()) == {"code", "message", "hint", "data"}


def all_paths(method, match_id):
    known = {"{match_id}": match_id, "{number}": "1", "{slug}": "coloretto", "{token}": "x"}
    ours = [path for path in paths(method) if path.startswith(("/matches", "/invitations"))]
    for path in ours:
        for name, value in known.items():
            path = path.replace(name, value)  # noqa: PLW2901
        yield path


def send(caller, method, path, body, content_type="application/json"):
    return caller.client.generic(method.upper(), f"/api/v1{path}", body, content_type=content_type)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_nonsensical_body_is_refused_everywhere_and_changes_nothing(body):
    running, gathering = running_match().match.id, lobby.create(player("ann"), plan()).match.id
    ann, before = Caller(player("ann")), stored()
    for match_id in (running, gathering):
        for method in ("post", "put"):
            for path in all_paths(method, match_id):
                assert is_refusal(send(ann, method, path, body)), (method, path)
    assert stored() == before


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "é"]
)
def test_only_json_is_accepted(content_type):
    match_id = running_match().match.id
    ann = Caller(player("ann"))
    for path in all_paths("post", match_id):
        answer = send(ann, "post", path, b"move=draw&turn=1", content_type)
        assert (answer.status_code, is_refusal(answer)) == (415, True), path


@pytest.mark.parametrize("accept", ["text/html", "application/xml"])
def test_only_json_is_returned(accept):
    match_id = running_match().match.id
    for path in all_paths("get", match_id):
        assert Caller(player("ann")).get(path, Accept=accept).status_code == 406, path


WEIRD_IDS = ["%00", "%2e%2e", "%C3%A9", "a" * 5000, "-1", "1%20OR%201=1", "%F0%9F%8E%B2", "'", "%ff", "%0a"]


@pytest.mark.parametrize("weird", WEIRD_IDS, ids=lambda weird: weird[:12])
def test_a_nonsensical_url_is_not_found(weird):
    ann = Caller(player("ann"))
    for method in ("get", "post", "put", "delete"):
        for path in of_a_match(method):
            answer = send(ann, method, path.replace("{match_id}", weird).replace("{number}", "1"), b"{}")
            assert is_refusal(answer), (method, path)


@pytest.mark.parametrize("number", ["0", "99999999999999999999999999", "-1", "x", "%00", "1.5"])
def test_an_invitation_or_proposal_without_a_number_is_not_found(number):
    running, gathering = running_match().match.id, lobby.create(player("ann"), plan()).match.id
    ann = Caller(player("ann"))
    for match_id in (running, gathering):
        for method in ("post", "put", "delete"):
            for path in of_a_match(method):
                if "{number}" in path:
                    address = path.replace("{match_id}", match_id).replace("{number}", number)
                    assert is_refusal(send(ann, method, address, json.dumps({"agree": True}).encode())), address


@pytest.mark.parametrize("query", ["dry_run=maybe", "dry_run=", "dry_run=[]"])
def test_an_unclear_value_for_dry_run_plays_nothing(query):
    table = running_match()
    asked = Caller(next(seat.user for seat in table.seats if seat.awaited_since))
    answer = asked.post(f"/matches/{table.match.id}/moves?{query}", {"move": "draw", "turn": 1})
    assert (answer.status_code, Move.objects.exists()) == (400, False)


@pytest.mark.parametrize("method", ["PATCH", "TRACE", "PROPFIND", "OPTIONS", "HEAD"])
def test_other_methods_do_no_harm(method):
    match_id = running_match().match.id
    before = stored()
    for path in {*all_paths("get", match_id), *all_paths("post", match_id)}:
        assert send(Caller(player("ann")), method, path, b"{}").status_code < 500, path
    assert [rows for model, rows in zip(MODELS, stored(), strict=True) if model is not Seat] == [
        rows for model, rows in zip(MODELS, before, strict=True) if model is not Seat
    ]


@pytest.mark.parametrize(
    "token", ["", "Bearer", "Bearer x", "Bearer turnpost_" + "0" * 64, "Basic eDp5", "Bearer \xe9", "Token x y"]
)
def test_an_invalid_token_is_refused_even_where_none_is_needed(token):
    match_id = running_match().match.id
    status = Caller().get(f"/matches/{match_id}", Authorization=token).status_code
    assert status in (200, 401)
    assert (status == 401) == token.startswith("Bearer")

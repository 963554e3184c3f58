"""Every call refuses invalid bodies with a code, a message and a hint, and changes nothing.

Each example in the API schema is sent many times, each time with one value replaced with an oversized or malformed one.
"""

import json
from itertools import product

import pytest
from django.db import transaction

from tests.acceptance.security.calls import CALLS, addresses, bodies, parameters, schema, send, takes_a_body
from tests.acceptance.security.owned_data import owned_data, rows
from tests.acceptance.security.schemas import AN_HOUR, HOLE, forms, objects_with_holes
from tests.games.api.clients import ROOT, Caller
from tests.games.builders import player

pytestmark = pytest.mark.django_db

WRITES = [(method, path) for method, path in CALLS if takes_a_body(method, path)]
A_HOLE = json.dumps(HOLE).encode()
DEEP = b"[" * 20_000 + b"]" * 20_000
HUGE = b"9" * 5_000
NO_BODIES = {
    "cut off": b'{"move": ',
    "nested": b'{"move": ' + DEEP + b"}",
    "nested in names": b'{"a":' * 9_000 + b"1" + b"}" * 9_000,
    "a digit too many": HUGE,
    "not UTF-8": b'{"move": "\xff\xfe"}',
    "UTF-16": '{"move": "draw"}'.encode("utf-16"),
    "two documents": b"{}{}",
    "too large": b'{"move": "' + b"x" * 70_000 + b'"}',
}
BAD_VALUES = {
    "nested": DEEP,
    "a number of 5000 digits": HUGE,
    "a negative one": b"-" + HUGE,
    "infinity": b"1e999",
    "not a number": b"NaN",
    "just too large": str(2**63).encode(),
    "NUL": rb'"a\u0000b"',
    "half a surrogate pair": rb'"\ud800"',
    "a long text": b'"' + b"x" * 60_000 + b'"',
    "many": b"[" + b"0," * 20_000 + b"0]",
    "many names": json.dumps(dict.fromkeys(map(str, range(4_000)), 0)).encode(),
}


def is_refusal(answer):
    if not 400 <= answer.status_code < 500:
        return False
    said = answer.json()
    return set(said) == {"code", "message", "hint", "data"} and all(said[part] for part in ("code", "message", "hint"))


def with_bad_values(call):
    """Yield the examples with one value replaced at a time, and with each field duplicated."""
    for example in bodies(*call):
        for field, body in exchanged(call, example):
            written = json.dumps(body).encode()
            yield from ((f"{field}: {name}", written.replace(A_HOLE, value)) for name, value in BAD_VALUES.items())
        for field in example:
            more = json.dumps({**example, HOLE: example[field]}).encode()
            yield f"{field}: twice", more.replace(A_HOLE, json.dumps(field).encode())


def exchanged(call, example):
    """Yield bodies in which one field contains HOLE, each with the name of that field."""
    for body in objects_with_holes(forms(schema(*call))[0], example):
        (field,) = (name for name in body if body[name] != example.get(name))
        yield field, body


def tried(attempts):
    """Send each body as a user who is allowed to make the call. It must be refused because of the invalid field."""
    theirs = owned_data()
    owner = Caller(theirs.owner)
    before = rows()
    for (method, path), (what, body) in attempts:
        address = next(addresses(method, path, theirs.names))
        with transaction.atomic():
            answer = send(owner, method, address, body)
            assert is_refusal(answer), (method, path, what, answer.status_code, answer.content[:300])
            assert answer.status_code in (400, 413), (method, path, what, answer.content[:300])
            assert blamed(answer) <= {what.partition(":")[0]}, (method, path, what)
            transaction.set_rollback(True)
    assert rows() == before


def blamed(answer):
    return {field.partition(".")[0] for field in answer.json()["data"].get("fields", {}) if field}


def test_every_call_refuses_an_invalid_body():
    tried(product(WRITES, NO_BODIES.items()))


def test_every_call_refuses_an_oversized_or_malformed_field():
    tried((call, attempt) for call in WRITES for attempt in with_bad_values(call))


def test_control_every_field_in_the_schema_is_replaced():
    """This includes nested fields and fields without an example."""
    for call in WRITES:
        tries = [attempt for example in bodies(*call) for attempt in exchanged(call, example)]
        assert {field for field, _ in tries} == set(forms(schema(*call))[0]["properties"]), call
    matches, profile = ([body for _, body in exchanged(call, {})] for call in (("post", "/matches"), ("patch", "/me")))
    assert {"pace": {"move_time": AN_HOUR, "patience": HOLE}} in matches
    assert {"remind_at": [HOLE]} in profile


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/xml"])
def test_every_call_accepts_only_json(kind):
    theirs = owned_data()
    owner = Caller(theirs.owner)
    for method, path in WRITES:
        address = ROOT + next(addresses(method, path, theirs.names))
        answer = owner.client.generic(method.upper(), address, "move=draw", kind)
        assert (answer.status_code, is_refusal(answer)) == (415, True), (method, path)


@pytest.mark.parametrize("value", ["9" * 5_000, "1e999", "%00", "%ff", "-1", "[]", "x" * 5_000, "a%0d%0aSet-Cookie:x"])
def test_an_oversized_or_malformed_query_or_header_does_no_harm(value):
    """This applies to every query parameter and every header of each call."""
    theirs = owned_data()
    owner = Caller(player("ann"))
    for method, path in CALLS:
        for name in parameters(method, path, "query"):
            address = f"{next(addresses(method, path, theirs.names))}?{name}={value}"
            answer = send(owner, method, address, bodies(method, path)[0])
            assert answer.status_code < 300 or is_refusal(answer), (method, address[:80], answer.content[:300])
            assert "Set-Cookie" not in answer.headers
        for name in parameters(method, path, "header"):
            address = ROOT + next(addresses(method, path, theirs.names))
            content = json.dumps(bodies(method, path)[0]) if takes_a_body(method, path) else ""
            header = {f"HTTP_{name.upper().replace('-', '_')}": value}
            answer = owner.client.generic(method.upper(), address, content, "application/json", **header)
            assert answer.status_code < 300 or is_refusal(answer), (method, path, name, answer.content[:300])

"""No call shows or changes other people's data.

The calls, paths and bodies come from the API schema, so new endpoints are tested automatically. If an endpoint has a
new path parameter, the test fails until `owned_data` has a value for it.
"""

import re
from itertools import product

import pytest
from django.db import transaction
from django.test import Client

from accounts import browser_sessions
from tests.acceptance.security.calls import CALLS, addresses, bodies, following, parameters, queries, send
from tests.acceptance.security.endpoints import PAGE_NAMES, endpoints, pages
from tests.acceptance.security.owned_data import SECRETS, current_rows, owned_data, rows
from tests.games.api.clients import ROOT, Caller
from tests.games.builders import player, running_match

pytestmark = pytest.mark.django_db

ABOUT_THE_API = {f"{ROOT}/openapi.json", f"{ROOT}/docs"}


def tried(caller, method, path, names, theirs):
    """Yield the response to each path and body, and the owner's rows afterwards.

    Lists are read up to their second page.
    """
    for address, query, body in product(addresses(method, path, names), queries(method, path), bodies(method, path)):
        answer, left = tried_once(caller, method, address + query, body, theirs)
        yield address + query, answer, left
        if more := following(answer.content):
            yield more, *tried_once(caller, method, more, body, theirs)


def tried_once(caller, method, address, body, theirs):
    """Make one attempt, and roll it back."""
    with transaction.atomic():
        answer, left = send(caller, method, address, body), current_rows(theirs)
        transaction.set_rollback(True)
    return answer, left


def secrets_in(answer):
    said = answer.content + repr(answer.headers).encode()
    return [secret for secret in SECRETS if secret in said]


def somebody(name):
    """Return a stranger, a player with a match of their own, or somebody who isn't logged in."""
    if name is None:
        return Caller(), []
    user = player(name)
    own = [running_match(seats=2, players=("dora", "emil")).match.id] if name == "dora" else []
    return Caller(user), own


@pytest.mark.any_database
@pytest.mark.parametrize(
    "name", [pytest.param(None, marks=pytest.mark.slow), pytest.param("emil", marks=pytest.mark.slow), "dora"]
)
def test_other_peoples_data_is_neither_shown_nor_changed(name):
    theirs = owned_data()
    caller, own = somebody(name)
    names = theirs.names | {"match_id": theirs.names["match_id"] + own}
    for method, path in CALLS:
        for address, answer, left in tried(caller, method, path, names, theirs):
            what = f"{method} {address}"
            assert not secrets_in(answer), what
            if address == f"/matches/{theirs.gathering}/join":
                continue
            assert left == theirs.rows, what
            if any(match_id in address for match_id in theirs.hidden):
                assert answer.status_code in (401, 404), what
            elif method != "get" and any(match_id in address for match_id in (theirs.watched, theirs.gathering)):
                assert 400 <= answer.status_code < 500, what


INVENTED = {
    "match_id": "k7m2x9q4a",
    "number": 987_654,
    "vacation_id": 987_654,
    "token_id": "0" * 12,
    "session_id": "0" * 12,
}
HEADERS_WITH_TIMES = {"Expires"}
NO_SECRET_OR_ONE_ITSELF = {"slug", "username", "registration_id", "token"}
"""Games and usernames are public, and long random values are known only to the people who got them."""


def named(method, path, names):
    """Yield each combination of the owner's values, and a copy in which one value is invented."""
    asked = parameters(method, path, "path")
    for values in product(*(names[name] for name in asked)):
        real = dict(zip(asked, values, strict=True))
        for name in {*asked} - NO_SECRET_OR_ONE_ITSELF:
            yield name, real, real | {name: INVENTED[name]}


def told(caller, method, path, said):
    """Yield the status and content of the responses, without the requested ID."""
    for body in bodies(method, path):
        with transaction.atomic():
            answer = send(caller, method, path.format(**said), body)
            transaction.set_rollback(True)
        yield answer.status_code, answer.content.decode().replace(said.get("match_id", "-"), "-")


@pytest.mark.any_database
@pytest.mark.parametrize("name", [pytest.param("emil", marks=pytest.mark.slow), "dora"])
def test_strangers_cannot_tell_hidden_things_from_missing_ones(name):
    """Requests for other people's data get the same response as requests for invented IDs.

    Public matches are visible to everyone, but their players' data is not.
    """
    theirs = owned_data()
    caller, _ = somebody(name)
    for method, path in CALLS:
        for what, real, invented in named(method, path, theirs.names) if method != "get" else ():
            if what == "match_id" and real["match_id"] not in theirs.hidden:
                continue
            answers = [list(told(caller, method, path, said)) for said in (real, invented)]
            assert answers[0] == answers[1], f"{method} {path.format(**real)}"


def second_pages(theirs):
    """Yield the URLs of the second pages of the owner's lists, which other people might find in a log."""
    for method, path in CALLS:
        if "cursor" in parameters(method, path, "query"):
            owners = tried(Caller(theirs.owner), method, path, theirs.names, theirs)
            pages = [address for address, _, _ in owners if "cursor=" in address]
            assert pages, f"owned_data needs two entries for {path}."
            yield from pages


def test_the_second_pages_of_the_owners_lists_show_nothing_to_others():
    theirs = owned_data()
    others = [Caller(), Caller(player("emil"))]
    for page, other in product(second_pages(theirs), others):
        answer = send(other, "get", page, None)
        assert not secrets_in(answer), page
        assert answer.status_code in (401, 404) or not any(match_id in page for match_id in theirs.hidden), page


def test_every_endpoint_is_in_the_schema():
    """Endpoints that are missing from the schema would not be covered by these tests."""
    answered = [
        (method, address.removeprefix(ROOT))
        for address, view in endpoints()
        if address.startswith("/api/") and address not in ABOUT_THE_API
        for method in view.cls.http_method_names
        if hasattr(view.cls, method) and method != "options"
    ]
    assert sorted(answered) == sorted(CALLS)


def browser(user=None):
    """Return a browser in which this user is logged in."""
    client = Client()
    if user:
        client.cookies["session"] = browser_sessions.start(user, "test")[1]
    return client


def visited(client, method, page, match_id, names):
    """Return the status, headers and content of a page, without the ID of the match and the random token of the form.

    All changes are rolled back.
    """
    address = page.format(**names | {"match_id": match_id})
    with transaction.atomic():
        answer = getattr(client, method)(address, headers={"X-Request-ID": "asked"})
        left = rows()
        transaction.set_rollback(True)
    said = answer.content.decode() + repr([one for one in answer.headers.items() if one[0] not in HEADERS_WITH_TIMES])
    said = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", said)
    return answer.status_code, said.replace(match_id, "-"), left


@pytest.mark.any_database
@pytest.mark.parametrize(
    "name", [pytest.param(None, marks=pytest.mark.slow), pytest.param("emil", marks=pytest.mark.slow), "dora"]
)
def test_no_page_shows_or_changes_other_peoples_data(name):
    """To strangers, the page of a hidden match looks like the page of a match that doesn't exist."""
    theirs = owned_data()
    user = player(name) if name else None
    assert "/matches/{match_id}" in pages()
    for page, method in product(pages(), ("get", "post")):
        assert set(re.findall(r"{(\w+)}", page)) <= {"match_id", *PAGE_NAMES}, f"Add a value for {page} to PAGE_NAMES."
        seen = {}
        for match_id in (*theirs.names["match_id"], INVENTED["match_id"]) if "{match_id}" in page else ("-",):
            client = browser(user)
            status, said, left = visited(client, method, page, match_id, PAGE_NAMES)
            seen[match_id] = status, said
            assert status < 500, page
            assert not [secret for secret in SECRETS if secret.decode() in said], page
            if (page, match_id) != ("/matches/{match_id}/join", theirs.gathering):
                assert {key: left.get(key) for key in theirs.rows} == theirs.rows, page
        for hidden in theirs.hidden if "{match_id}" in page else ():
            assert seen[hidden] == seen[INVENTED["match_id"]], f"{method} {page}"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/matches/{match_id}/messages"),
        ("get", "/me"),
        ("get", "/tokens"),
        ("get", "/sessions"),
        ("get", "/me/export"),
        ("get", "/me/webhooks/{number}"),
        ("get", "/me/webhooks/{number}/calls"),
    ],
)
def test_control_the_owner_sees_their_data(method, path):
    theirs = owned_data()
    assert any(secrets_in(answer) for _, answer, _ in tried(Caller(theirs.owner), method, path, theirs.names, theirs))


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("delete", "/me/vacations/{vacation_id}"),
        ("delete", "/tokens/{token_id}"),
        ("delete", "/sessions/{session_id}"),
        ("delete", "/matches/{match_id}/invitations/{number}"),
        ("delete", "/me/webhooks/{number}"),
        ("put", "/matches/{match_id}/note"),
        ("post", "/matches/{match_id}/cancel"),
        ("post", "/matches/{match_id}/messages"),
    ],
)
def test_control_the_owner_can_change_their_data(method, path):
    theirs = owned_data()
    answers = [answer.status_code for _, answer, _ in tried(Caller(theirs.owner), method, path, theirs.names, theirs)]
    assert any(status < 300 for status in answers), answers

"""Every call of the API document, by everybody whom it does not concern: nothing of others is shown, nothing changed.

The calls, their addresses and their bodies come from the document, so a new endpoint is tried without anybody thinking
of it. One with a parameter that names something new fails until `owned_data` says what of theirs it can name.
"""

import re
from itertools import product

import pytest
from django.db import transaction
from django.test import Client

from tests.acceptance.security.calls import CALLS, addresses, bodies, following, parameters, queries, send
from tests.acceptance.security.endpoints import endpoints, pages
from tests.acceptance.security.owned_data import SECRETS, current_rows, owned_data
from tests.games.api.clients import ROOT, Caller
from tests.games.builders import player, running_match

pytestmark = pytest.mark.django_db

ABOUT_THE_API = {f"{ROOT}/openapi.json", f"{ROOT}/docs"}


def tried(caller, method, path, names, theirs):
    """What becomes of each address and body: the answer, and what is left of their things. A list is read on."""
    for address, query, body in product(addresses(method, path, names), queries(method, path), bodies(method, path)):
        answer, left = tried_once(caller, method, address + query, body, theirs)
        yield address + query, answer, left
        if more := following(answer.content):
            yield more, *tried_once(caller, method, more, body, theirs)


def tried_once(caller, method, address, body, theirs):
    """Each try is undone."""
    with transaction.atomic():
        answer, left = send(caller, method, address, body), current_rows(theirs)
        transaction.set_rollback(True)
    return answer, left


def secrets_in(answer):
    said = answer.content + repr(answer.headers).encode()
    return [secret for secret in SECRETS if secret in said]


def somebody(name):
    """A stranger, a player of another match who owns that one, or somebody who has not logged in."""
    if name is None:
        return Caller(), []
    user = player(name)
    own = [running_match(seats=2, players=("dora", "emil")).match.id] if name == "dora" else []
    return Caller(user), own


@pytest.mark.parametrize("name", [None, "emil", "dora"])
def test_what_belongs_to_others_is_neither_shown_nor_changed(name):
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
}
NO_SECRET_OR_ONE_ITSELF = {"slug", "registration_id", "token"}
"""Games are for all to see; and whoever knows what is long and random was told."""


def named(method, path, names):
    """What a call can name of theirs, each with the same call that names something invented in its place."""
    asked = parameters(method, path, "path")
    for values in product(*(names[name] for name in asked)):
        real = dict(zip(asked, values, strict=True))
        for name in {*asked} - NO_SECRET_OR_ONE_ITSELF:
            yield name, real, real | {name: INVENTED[name]}


def told(caller, method, path, said):
    """All that is told about it, except for the id that was asked for."""
    for body in bodies(method, path):
        with transaction.atomic():
            answer = send(caller, method, path.format(**said), body)
            transaction.set_rollback(True)
        yield answer.status_code, answer.content.decode().replace(said.get("match_id", "-"), "-")


@pytest.mark.parametrize("name", ["emil", "dora"])
def test_no_call_tells_a_stranger_what_there_is(name):
    """Whatever would be done with it, what is theirs looks like what was invented. Matches that anybody may watch are
    known to all, and what belongs to one is not."""
    theirs = owned_data()
    caller, _ = somebody(name)
    for method, path in CALLS:
        for what, real, invented in named(method, path, theirs.names) if method != "get" else ():
            if what == "match_id" and real["match_id"] not in theirs.hidden:
                continue
            answers = [list(told(caller, method, path, said)) for said in (real, invented)]
            assert answers[0] == answers[1], f"{method} {path.format(**real)}"


def second_pages(theirs):
    """Of every list of the owner's, as somebody might find their addresses in a log."""
    for method, path in CALLS:
        if "cursor" in parameters(method, path, "query"):
            owners = tried(Caller(theirs.owner), method, path, theirs.names, theirs)
            pages = [address for address, _, _ in owners if "cursor=" in address]
            assert pages, f"Let owned_data hold two entries of {path}."
            yield from pages


def test_where_their_lists_go_on_there_is_nothing_for_others():
    theirs = owned_data()
    others = [Caller(), Caller(player("emil"))]
    for page, other in product(second_pages(theirs), others):
        answer = send(other, "get", page, None)
        assert not secrets_in(answer), page
        assert answer.status_code in (401, 404) or not any(match_id in page for match_id in theirs.hidden), page


def test_every_call_that_is_answered_is_in_the_document():
    """Otherwise nobody would try it here."""
    answered = [
        (method, address.removeprefix(ROOT))
        for address, view in endpoints()
        if address.startswith("/api/") and address not in ABOUT_THE_API
        for method in view.cls.http_method_names
        if hasattr(view.cls, method) and method != "options"
    ]
    assert sorted(answered) == sorted(CALLS)


def test_no_page_shows_or_changes_them_either():
    theirs = owned_data()
    names = {"{match_id}": theirs.names["match_id"], "{token}": ["forged"], "{name}": ["20261116"]}
    assert "/matches/{match_id}" in pages()
    for page, method in product(pages(), ("get", "post")):
        assert set(re.findall(r"{\w+}", page)) <= set(names), f"Say above what of theirs {page} can name."
        named = next((name for name in names if name in page), "")
        for value in names.get(named, [""]):
            answer = getattr(Client(), method)(page.replace(named, value) if named else page)
            assert not secrets_in(answer), page
            assert answer.status_code in (404, 405) or value not in theirs.hidden, page
    assert current_rows(theirs) == theirs.rows


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/matches/{match_id}/messages"),
        ("get", "/me"),
        ("get", "/tokens"),
        ("get", "/me/export"),
        ("get", "/me/webhooks/{number}"),
        ("get", "/me/webhooks/{number}/calls"),
    ],
)
def test_as_a_control_the_owner_is_shown_them(method, path):
    theirs = owned_data()
    assert any(secrets_in(answer) for _, answer, _ in tried(Caller(theirs.owner), method, path, theirs.names, theirs))


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("delete", "/me/vacations/{vacation_id}"),
        ("delete", "/tokens/{token_id}"),
        ("delete", "/matches/{match_id}/invitations/{number}"),
        ("delete", "/me/webhooks/{number}"),
        ("put", "/matches/{match_id}/note"),
        ("post", "/matches/{match_id}/cancel"),
        ("post", "/matches/{match_id}/messages"),
    ],
)
def test_as_a_control_the_owner_can_change_them(method, path):
    theirs = owned_data()
    answers = [answer.status_code for _, answer, _ in tried(Caller(theirs.owner), method, path, theirs.names, theirs)]
    assert any(status < 300 for status in answers), answers

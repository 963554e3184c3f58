"""Make every possible request to the API and to web pages. The list of calls comes from the API schema."""

from collections.abc import Iterator
from itertools import product
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings

from games.engine.dice import Dice
from games.models import Phase
from games.selectors.loading import load_match
from notifications.move_links import move_link
from tests.acceptance.secrecy.sandbox import KEY, Sandbox, Viewer, rolled_back, seed_randomness
from tests.acceptance.security.calls import CALLS, addresses, bodies, following, queries
from tests.acceptance.security.endpoints import PAGE_NAMES, pages
from tests.games.api.document import ROOT

Seen = Iterator[tuple[str, Any]]
THE_SAME_FOR_ALL = {"/games", "/games/{slug}", "/games/{slug}/rules", "/invitations/{token}"}
"""Endpoints that show nothing about running matches and don't depend on the caller."""
OTHER_PAGES = {"/healthz", "/readyz", "/metrics", "/mail/", "/mail/{name}", "/mail/{name}/html"}
"""Pages for monitoring and for operators, including the mail folder of a local service."""
PAGES = [page for page in pages() if page not in OTHER_PAGES]
MOST_DRY_RUNS = 2


def ask(viewer: Viewer, method: str, address: str, body: Any = None, **headers: str) -> tuple[Any, ...]:
    """Return the status, headers and body of a response. The random seed depends only on the request."""
    seed_randomness(method, address, repr(body))
    viewer.client.cookies.pop("csrftoken", None)  # Otherwise only the first page in each world would set this cookie.
    content = None if method == "get" else body
    call = getattr(viewer.client, method)
    answer = call(
        address, content, format="json", headers={"X-Request-ID": "asked", **headers}, REMOTE_ADDR="192.0.2.7"
    )
    return answer.status_code, sorted(answer.headers.items()), answer.content


def reads(sandbox: Sandbox, viewer: Viewer) -> Seen:
    """Send a GET request to every endpoint and web page, including the second page of each list.

    Repeat each request with If-None-Match.
    """
    names = sandbox.names(viewer)
    for method, path in CALLS:
        if method == "get" and path not in THE_SAME_FOR_ALL:
            for address, query in product(addresses(method, path, names), queries(method, path)):
                yield from read(viewer, f"{ROOT}{address}{query}")
    for page in PAGES:
        yield from read(viewer, page.format(match_id=sandbox.match_id, **PAGE_NAMES))


def read(viewer: Viewer, address: str) -> Seen:
    answer = ask(viewer, "get", address)
    yield f"GET {address}", answer
    if tag := dict(answer[1]).get("ETag"):
        yield f"GET {address} again", ask(viewer, "get", address, **{"If-None-Match": tag})
    if more := following(answer[2]):
        yield f"GET {address} further", ask(viewer, "get", ROOT + more)


def stream(_: Sandbox, viewer: Viewer) -> Seen:
    """Read the event stream from the beginning, in both formats."""
    for accept in ("application/x-ndjson", "text/event-stream"):
        yield f"stream as {accept}", ask(viewer, "get", f"{ROOT}/stream?after=0", Accept=accept)


def tries(sandbox: Sandbox, viewer: Viewer) -> Seen:
    """Try every call that would change a match, using the examples in the schema. Each call is rolled back."""
    names = sandbox.names(viewer)
    for method, path in CALLS:
        if method != "get" and "{match_id}" in path:
            for address, body in product(addresses(method, path, names), bodies(method, path)):
                with rolled_back():
                    yield f"{method.upper()} {address} {body}", ask(viewer, method, ROOT + address, body)


def moves(sandbox: Sandbox, viewer: Viewer) -> Seen:
    """Try dry runs, refused moves and sealed moves.

    Some are legal, and others are illegal, malformed or stale, or use the owner's key.
    """
    now = load_match(sandbox.match_id)
    if viewer.seat is None or now.match.phase != Phase.RUNNING:
        return
    address, turn = f"{ROOT}/matches/{sandbox.match_id}/moves", now.match.turn
    written = moves_to_try(sandbox, viewer.seat)
    for move in written[:MOST_DRY_RUNS]:
        yield f"dry run of {move}", ask(viewer, "post", f"{address}?dry_run=1", {"move": move, "turn": turn})
    for move, decided in product([*written, "dance"], (0, turn)):
        if decided == turn and would_reveal(now, viewer.seat, move):
            continue
        for headers in ({}, {"Idempotency-Key": KEY}):
            with rolled_back():
                said = ask(viewer, "post", address, {"move": move, "turn": decided}, **headers)
                yield f"move {move} on turn {decided} {headers}", said


def taps(sandbox: Sandbox, viewer: Viewer) -> Seen:
    """Build a move in a browser without pressing the button that plays it, and open a move's page from an email."""
    now = load_match(sandbox.match_id)
    if viewer.seat is None or viewer.user is None or now.match.phase != Phase.RUNNING:
        return
    page = f"/matches/{sandbox.match_id}"
    for move in moves_to_try(sandbox, viewer.seat)[:MOST_DRY_RUNS]:
        for sent in ({"move": move}, {"tap": "Card 1"}, {"done": "1"}):
            answer = viewer.client.post(f"{page}/choose", sent, format="multipart", REMOTE_ADDR="192.0.2.7")
            where = answer.get("Location", "").partition("#")[0]
            yield f"tap {sent}", (answer.status_code, len(where))
            if where:
                draft = parse_qs(where)[f"{page}?draft"][0]
                seed_randomness("tap", repr(sent))
                yield f"after {sent}", viewer.client.get(where).content.decode().replace(draft, "…")
        link = move_link(now.seats[viewer.seat], viewer.user.email, now.match.turn, move)
        yield f"link to {move}", ask(viewer, "get", link.removeprefix(settings.PUBLIC_URL))


def moves_to_try(sandbox: Sandbox, seat: int) -> list[str]:
    engine, state = sandbox.table.engine, sandbox.table.state
    offered = [move for other in range(len(sandbox.table.seats)) for move in engine.choices(state, other).moves[:2]]
    own = [engine.sample(state, seat, Dice(b"\5" * 32))] if engine.choices(state, seat) else []
    return list(dict.fromkeys(engine.notation(move) for move in [*own, *offered]))[:6]


def would_reveal(now: Any, seat: int, move: str) -> bool:
    """Return whether a move reveals something by design, as open moves and the last sealed move do."""
    engine = now.engine
    made = engine.parse(move) if move != "dance" else None
    if made is None or engine.refusal(now.state, seat, made):
        return False
    return not engine.is_sealed(made) or engine.awaiting(now.state) == {seat}

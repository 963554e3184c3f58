"""Prepare whole matches as requests: every request of every player, ready to send."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import msgspec

SEATS = 3


def groups(count: int) -> list[list[Any]]:
    from django.utils import timezone

    from accounts.models import User

    made = []
    for number in range(count):
        names = [f"bench{number}x{seat}" for seat in range(SEATS)]
        users = [
            User.objects.create(username=name, email=f"{name}@example.org", email_confirmed_at=timezone.now())
            for name in names
        ]
        made.append([(user, token_for(user)) for user in users])
    return made


def token_for(user: Any) -> str:
    from accounts.models import Token

    _, written = Token.objects.create(user, timedelta(days=1), name="bench")  # type: ignore[no-untyped-call]
    return str(written)


def new_match(group: list[Any]) -> str:
    from games.models.pace import Pace
    from games.services import lobby

    plan = lobby.Plan("coloretto", SEATS, Pace(timedelta(days=3)))
    match_id = lobby.create(group[0][0], plan).match.id
    for user, _ in group[1:]:
        lobby.join(match_id, user)
    return match_id


def requests(group: list[Any], match_id: str) -> Iterator[bytes]:
    """Return the requests for all moves of a match. The seed determines the moves."""
    from games.engine.dice import Dice
    from games.selectors.loading import load_match

    tokens = {user.pk: token for user, token in group}
    table = load_match(match_id)
    engine, state, turn, will = table.engine, table.state, table.match.turn, Dice(table.seed, 10**6)
    while awaited := engine.awaiting(state):
        seat = table.seats[min(awaited)]
        move = engine.sample(state, seat.drawn, will)
        body = {"move": engine.notation(move), "turn": turn}
        yield request(f"/api/v1/matches/{match_id}/moves", tokens[seat.user_id], body)
        played = engine.play(state, seat.drawn, move, Dice(table.seed, turn))
        state, turn = played.state, turn + (not played.quiet)


def read(path: str, token: str, **headers: str) -> bytes:
    head = [f"GET {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}"]
    lines = [*head, *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def request(path: str, token: str, body: dict[str, Any]) -> bytes:
    content = msgspec.json.encode(body)
    head = [
        f"POST {path} HTTP/1.1",
        "Host: localhost",
        f"Authorization: Bearer {token}",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + content

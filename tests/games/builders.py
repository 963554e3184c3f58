"""Create players and matches for tests through the real services."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec
from django.utils import timezone

from accounts.models import User
from games.api.moves import move_response
from games.engine.dice import Dice
from games.models import Absent, Seat, Source
from games.models.pace import Pace
from games.selectors.loading import LoadedMatch, load_match
from games.services import invitations, lobby
from games.services.moves import Actor, MoveResult, RawMove, submit_move
from games.services.salts import Share
from games.shapes import MovePreview
from tests.not_none import not_none

NAMES = ["ann", "ben", "cleo", "dora", "emil"]


def player(name: str, **fields: Any) -> User:
    known = User.objects.filter(username=name, **fields).first()
    fields = {"display_name": name.title(), "email_confirmed_at": timezone.now()} | fields
    return known or User.objects.create_user(name, f"{name}@example.org", "correct horse", **fields)


def plan(game: str = "coloretto", seats: int = 3, **changes: Any) -> lobby.Plan:
    """Plan a match in which minimal moves are made for absent players, because those moves are known in advance.

    In tests/clock/test_absent_players.py, bots move for them.
    """
    usual: dict[str, Any] = {"pace": Pace(timedelta(days=3)), "absent": Absent.MINIMAL}
    return lobby.Plan(game=game, seat_count=seats, **usual | changes)


def running_match(
    game: str = "coloretto", seats: int = 3, zone: str = "UTC", players: Sequence[str] = NAMES, **changes: Any
) -> LoadedMatch:
    """Create a match that has just started, with fixed salts."""
    owner, *others = [player(name, time_zone=zone) for name in players[:seats]]
    match_id = lobby.create(owner, plan(game, seats, **changes)).match.id
    lobby.give_salt(match_id, owner, Share(f"salt of {owner.username}"))
    for other in others:
        invitations.invite(match_id, owner, other.username)
        lobby.join(match_id, other, Share(f"salt of {other.username}"))
    return load_match(match_id)


def awaited(table: LoadedMatch) -> Seat:
    return next(seat for seat in table.seats if seat.awaited_since)


def sitting(seat: Seat) -> User:
    """Return the user in this seat."""
    return not_none(seat.user)


@dataclass(frozen=True)
class Answer:
    """The result of a move, as the API would return it."""

    status: int
    body: bytes


def send(match_id: str, user: User | None, move: RawMove, turn: int, key: str | None = None) -> Answer:
    return as_answer(
        submit_move(match_id=match_id, actor=Actor(Source.API, not_none(user)), move=move, turn=turn, key=key)
    )


def as_answer(result: MoveResult | MovePreview) -> Answer:
    response = move_response(result)
    return Answer(response.status_code, response.content)


def say(table: LoadedMatch, seat: int | None, move: str | dict[str, Any]) -> Any:
    """Make a move on the current turn, and return the JSON of the response."""
    now = load_match(table.match.id)
    answer = send(now.match.id, sitting(now.seats[not_none(seat)]), move, now.match.turn)
    assert answer.status == 200, answer.body
    return msgspec.json.decode(answer.body)


def play_some(table: LoadedMatch, moves: int | None = None, seed: bytes = b"\7" * 32) -> LoadedMatch:
    """Play random legal moves through the service. By default, the match is played to its end."""
    dice, made, table = Dice(seed), 0, load_match(table.match.id)
    while made != moves and (awaited := sorted(table.engine.awaiting(table.state))):
        seat = table.seats[dice.choice(awaited)]
        move = table.engine.sample(table.state, seat.drawn, dice)
        assert send(table.match.id, sitting(seat), table.engine.notation(move), table.match.turn).status == 200
        made += 1
        table = load_match(table.match.id)
    return table

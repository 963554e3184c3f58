"""Check the server's responses, so that the rest of the client can rely on their shapes.

This module is loaded when the first response arrives, because commands that need no server shouldn't wait for it to
load.
"""

from threading import Lock
from typing import Any, TypeVar

import msgspec

from clock.shapes import Inbox, Proposal, Vacation
from core.shapes import Page
from games.shapes import (
    Boards,
    Choices,
    Game,
    GameWithSchemas,
    Invitation,
    LoggedEvent,
    Match,
    MatchSummary,
    Message,
    MoveAccepted,
    MovePreview,
    Note,
    Offer,
    Receipts,
    Review,
    Rules,
    StandingOrders,
    Updates,
)
from turnpost.errors import Unreachable

T = TypeVar("T")
DRY_RUN = "POST matches/*/moves?dry_run"
ANSWERS: dict[str, Any] = {
    "GET games": list[Game],
    "GET games/*": GameWithSchemas,
    "GET games/*/rules": Rules,
    "GET invitations/*": Offer,
    "POST invitations/*/accept": Match,
    "GET matches": Page[MatchSummary],
    "POST matches": Match,
    "GET matches/*": Match,
    "POST matches/*/abandon": Match,
    "POST matches/*/back": Match,
    "GET matches/*/boards": Boards,
    "POST matches/*/bots": Match,
    "POST matches/*/cancel": Match,
    "GET matches/*/choices": Choices,
    "GET matches/*/invitations": list[Invitation],
    "POST matches/*/invitations": Invitation,
    "POST matches/*/join": Match,
    "GET matches/*/log": Page[LoggedEvent],
    "GET matches/*/messages": Page[Message],
    "POST matches/*/messages": Message,
    "POST matches/*/moves": MoveAccepted,
    DRY_RUN: MovePreview,
    "GET matches/*/note": Note,
    "PUT matches/*/note": Note,
    "GET matches/*/orders": StandingOrders,
    "POST matches/*/orders": StandingOrders,
    "PUT matches/*/orders": StandingOrders,
    "DELETE matches/*/orders/*": StandingOrders,
    "POST matches/*/orders/resume": StandingOrders,
    "GET matches/*/proposals": list[Proposal],
    "POST matches/*/proposals": Proposal,
    "POST matches/*/proposals/*/accept": Match,
    "POST matches/*/proposals/*/vote": Proposal,
    "GET matches/*/receipts": Receipts,
    "POST matches/*/rematch": Match,
    "POST matches/*/resign": Match,
    "GET matches/*/review": Review,
    "PUT matches/*/salt": Match,
    "POST matches/*/start": Match,
    "GET matches/*/updates": Updates,
    "GET me/inbox": Inbox,
    "GET me/vacations": Page[Vacation],
    "POST me/vacations": Vacation,
}
"""The shape of the response to each request. Requests whose responses have no content aren't listed. The others are in
`turnpost.account_answers`."""

_prepared: set[Any] = set()
_preparing = Lock()


def check_answer(method: str, path: str, document: Any) -> None:
    """Raise Unreachable unless the response to this request has the right shape. The path may include a query."""
    shape = expected(method, path)
    if shape is not None:
        check_seats(convert(shape, document))


def expected(method: str, path: str) -> Any:
    path, _, query = path.partition("?")
    if "dry_run=1" in query.split("&"):
        return ANSWERS[DRY_RUN]
    if shape := most_specific(ANSWERS, method, path):
        return shape
    from turnpost.account_answers import ACCOUNT_ANSWERS

    return most_specific(ACCOUNT_ANSWERS, method, path)


def most_specific(answers: dict[str, Any], method: str, path: str) -> Any:
    words = path.split("/")
    fitting = [name for name in answers if fits(name, method, words)]
    return answers[min(fitting, key=lambda name: name.count("*"))] if fitting else None


def fits(name: str, method: str, words: list[str]) -> bool:
    wanted, _, pattern = name.partition(" ")
    parts = pattern.split("/")
    return wanted == method and len(parts) == len(words) and all(map(fits_word, parts, words))


def fits_word(part: str, word: str) -> bool:
    return part in ("*", word)


def convert(shape: type[T], document: Any) -> T:
    """Convert a JSON document. A newer server may send additional fields, but never fewer."""
    prepare(shape)
    try:
        return msgspec.convert(document, shape)
    except (msgspec.ValidationError, RecursionError) as error:
        raise unexpected(str(error)) from None


def prepare(shape: Any) -> None:
    """Let msgspec examine a type in one thread at a time. If two threads did so at once, the process would crash."""
    if shape not in _prepared:
        with _preparing:
            msgspec.json.Decoder(shape)
            _prepared.add(shape)


def check_seats(answer: Any) -> None:
    """Refuse a match that refers to seats it doesn't have."""
    for match in matches_in(answer):
        seats = range(len(match.seats))
        named = [match.you, *match.awaiting, *(seat.seat for seat in match.seats)]
        if any(seat is not None and seat not in seats for seat in named):
            raise unexpected("A match has a seat that doesn't exist")


def matches_in(answer: Any) -> list[MatchSummary]:
    if isinstance(answer, MatchSummary):
        return [answer]
    if isinstance(answer, Updates):
        return [answer.match]
    if isinstance(answer, Inbox):
        return answer.invitations
    return [one for one in answer.results if isinstance(one, MatchSummary)] if isinstance(answer, Page) else []


def unexpected(why: str) -> Unreachable:
    message = f"The server returned an unexpected response: {why}."
    return Unreachable("server_trouble", message, "Update this client, or try again in a minute.")

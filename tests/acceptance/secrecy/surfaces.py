"""Collect everything that each viewer can see."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.acceptance.secrecy import api, command_line, operators, outgoing, replies
from tests.acceptance.secrecy.api import Seen
from tests.acceptance.secrecy.sandbox import Sandbox, Viewer, rolled_back

Surface = Callable[[Sandbox, Viewer], Seen]
CHAT = Viewer("a reader of the players' chats")
OPERATOR = Viewer("the operator")
BASIC: list[Surface] = [api.reads, api.stream, outgoing.mails, outgoing.calls]
FROM_OUTSIDE: list[Surface] = [*BASIC, api.tries]
THOROUGH: list[Surface] = [*BASIC, api.moves, api.taps, outgoing.letters, replies.answers]
COMPLETE: list[Surface] = [*THOROUGH, api.tries, command_line.screens]
IN_THE_MAILBOX: list[Surface] = [outgoing.mails, outgoing.letters]
IN_CHATS: list[Surface] = [outgoing.calls_of_all, outgoing.chat_lines]
AS_OPERATOR: list[Surface] = [operators.pages, operators.metrics, operators.commands, operators.log_lines]


def all_seen(sandbox: Sandbox, looks: Mapping[Viewer, Iterable[Surface]]) -> dict[str, Any]:
    """Return everything that these viewers can see, by viewer and place. All reads are rolled back."""
    seen: dict[str, Any] = {}
    for viewer, surfaces in looks.items():
        for surface in surfaces:
            with rolled_back():
                seen |= {f"{viewer}: {where}": what for where, what in surface(sandbox, viewer)}
    return seen


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return the places where two worlds differ, and how."""
    places = dict.fromkeys([*one, *other])
    return [
        f"{place}\n  {first_difference(repr(one.get(place)), repr(other.get(place)))}"
        for place in places
        if one.get(place) != other.get(place)
    ]


def first_difference(one: str, other: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    start = max(0, at - 60)
    return f"…{one[start : at + 80]}\n  …{other[start : at + 80]}"

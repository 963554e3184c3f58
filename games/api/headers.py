"""What a request says in its headers."""

import re

from rest_framework.request import Request

from core.refusals import Refused
from games.api.bodies import HIGHEST_TURN

KEY = re.compile(r"[\x21-\x7e]{1,80}")
MATCH_TAG = re.compile(r'(?:W/)?"?([0-9]{1,10})(?:-[0-9a-f]+)?"?', re.ASCII)


def idempotency_key(request: Request) -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not KEY.fullmatch(key):
        raise Refused(
            400,
            "bad_key",
            "The Idempotency-Key cannot be read.",
            "Use 1 to 80 letters, digits or signs without spaces, such as a random UUID.",
        )
    return key


def decided_on(request: Request, in_body: int | None) -> int:
    """The turn a move was decided on: from the body, or from If-Match with the match's ETag. Only the turn in it
    counts, so that a new message at the table does not make a move stale."""
    in_header = if_match(request)
    if in_body is None and in_header is None:
        raise Refused(
            400,
            "turn_missing",
            "Say on which turn you decided.",
            "Send the match's turn with the move, or its ETag as If-Match.",
        )
    if None not in (in_body, in_header) and in_body != in_header:
        raise Refused(400, "two_turns", "The turn and If-Match do not agree.", "Send one of them.")
    return in_header if in_body is None else in_body  # type: ignore[return-value]


def if_match(request: Request) -> int | None:
    written = request.headers.get("If-Match")
    if written is None:
        return None
    tag = MATCH_TAG.fullmatch(written.strip())
    if not tag or int(tag[1]) > HIGHEST_TURN:
        raise Refused(400, "bad_tag", "If-Match is no ETag of a match.", "Send the ETag as the match came with it.")
    return int(tag[1])


def knows(request: Request, tag: str) -> bool:
    """Whether the caller has this version already."""
    known = request.headers.get("If-None-Match", "")
    return known.strip() == "*" or tag in (each.strip().removeprefix("W/") for each in known.split(","))

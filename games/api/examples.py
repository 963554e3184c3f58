"""Examples for the API docs, all taken from the same match."""

from typing import Any

from core.openapi import request_example, response_example
from games.engine.fairness import ARRANGEMENTS, fingerprint

ANN = {"username": "ann", "name": "Ann", "bot": False}
BEN = {"username": "ben", "name": "Ben", "bot": False}
MATCH = "k3v9mq2hd"
HASH = "9f2c4d1e8b7a6053c1d0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8"


def seat(number: int, player: dict[str, Any], *, awaited: bool) -> dict[str, Any]:
    return {
        "seat": number,
        "player": player,
        "level": None,
        "awaited": awaited,
        "awaited_since": "2026-03-02T09:00:00Z" if awaited else None,
        "deadline": "2026-03-05T09:00:00Z" if awaited else None,
        "bank": 604800,
        "stand_in": False,
        "resigned": False,
        "points": None,
        "place": None,
    }


def share(position: int, salt: str) -> dict[str, Any]:
    return {"position": position, "by": "player", "salt": salt, "commitment": None, "pseudonym": HASH}


PACE = {"move_time": 259200, "bank": 604800, "weekends_off": False, "patience": 3}
SUMMARY: dict[str, Any] = {
    "id": MATCH,
    "game": "coloretto",
    "title": "Tuesday table",
    "rules": 1,
    "options": {"edition": "modern", "scoring": "brown", "games": None},
    "private": False,
    "bots_allowed": False,
    "absent": "bot",
    "think": None,
    "phase": "running",
    "owner": ANN,
    "pace": PACE,
    "paused_until": None,
    "created_at": "2026-03-01T20:00:00Z",
    "started_at": "2026-03-02T09:00:00Z",
    "ended_at": None,
    "expires_at": None,
    "seats_wanted": 2,
    "seats_free": 0,
    "seats": [seat(0, BEN, awaited=True), seat(1, ANN, awaited=False)],
    "joined": True,
    "you": 1,
    "turn": 1,
    "awaiting": [0],
}
FAIRNESS: dict[str, Any] = {
    "salts": "open",
    "proves": ARRANGEMENTS["open"],
    "secret_hash": HASH,
    "players": [share(1, "rosebud"), share(2, "42")],
    "seating": [1, 0],
    "head": HASH,
    "fingerprint": fingerprint(HASH),
    "events": 1,
    "end": None,
    "reveal_by": None,
    "you": {"position": 1, "pseudonym_salt": "5f0e21c9d4b86a7730f1e2d3c4b5a697"},
    "key": HASH,
    "secret_signature": HASH + HASH,
    "head_signature": HASH + HASH,
}
ONE_MATCH = SUMMARY | {
    "view": {"seat": 1, "awaiting": [0], "supply": 60, "…": "depends on the game"},
    "picture": "Coloretto, modern …",
    "outcome": None,
    "invitations": [],
    "fairness": FAIRNESS,
    "abandon": [],
    "message_count": 0,
    "note": False,
    "muted": False,
    "bouncing": [],
}
SHOWN = response_example("As its players see it", ONE_MATCH)
JOINING = [request_example("With a salt", {"salt": "42"}), SHOWN]
WAITING_FOR_PLAYERS = response_example(
    "Waiting for players",
    ONE_MATCH
    | {
        "phase": "gathering",
        "started_at": None,
        "expires_at": "2026-03-31T20:00:00Z",
        "seats": [seat(0, ANN, awaited=False) | {"seat": None}],
        "you": None,
        "turn": 0,
        "awaiting": [],
        "view": None,
        "picture": None,
        "fairness": FAIRNESS
        | {
            "players": [share(1, "rosebud")],
            "seating": [],
            "head": None,
            "fingerprint": None,
            "head_signature": None,
            "events": 0,
        },
    },
    201,
)
NEW_MATCHES = [
    request_example(
        "Open to everyone", {"game": "coloretto", "seats": 4, "title": "Tuesday table", "salts": "committed"}
    ),
    request_example(
        "Private",
        {
            "game": "coloretto",
            "seats": 3,
            "private": True,
            "options": {"edition": "classic"},
            "pace": {"move_time": "3d", "bank": "7d", "weekends_off": True},
        },
    ),
    request_example("Against bots", {"game": "coloretto", "seats": 3, "bots": 2, "level": "hard"}),
    WAITING_FOR_PLAYERS,
]
CHOICES = response_example(
    "After drawing",
    {
        "turn": 7,
        "moves": [
            {"notation": "place 1", "move": {"move": "place", "row": 1, "schema": 1}},
            {"notation": "place 2", "move": {"move": "place", "row": 2, "schema": 1}},
        ],
        "forms": [],
    },
)
PLAYED: dict[str, Any] = {
    "match": MATCH,
    "turn": 8,
    "phase": "running",
    "awaiting": [0],
    "move": {"seat": 1, "notation": "place 2", "sealed": False, "receipt": None, "nonce": None, "signature": None},
    "events": [
        {
            "number": 9,
            "event": {"event": "card_placed", "seat": 1, "card": "B", "row": 2},
            "text": "You placed a blue card on row 2.",
        }
    ],
}
PREVIEWED = {
    "move": {"seat": 1, "notation": "draw", "sealed": False},
    "would": [],
    "uncertain": True,
    "awaiting": [1],
    "text": "The move would reveal the card you draw. It might also reveal the last-round card.",
}
MOVES = [
    request_example("In notation", {"move": "place 2", "turn": 7}),
    request_example("As JSON", {"move": {"move": "place", "row": 2}, "turn": 7}),
    response_example("Played", PLAYED),
    response_example("Previewed by a dry run", PREVIEWED),
]
OPEN_EVENT = {
    "number": 9,
    "turn": 8,
    "at": "2026-03-02T11:30:00Z",
    "hidden": False,
    "event": PLAYED["events"][0]["event"],
    "text": PLAYED["events"][0]["text"],
    "cause": {
        "at": "2026-03-02T11:30:00.000000Z",
        "by": "player",
        "move": {"move": "place", "row": 2, "schema": 1},
        "reveals": [],
        "seat": 1,
        "turn": 7,
    },
    "leaf": HASH,
    "hash": HASH,
}
LOG = [
    response_example("Visible to everyone", OPEN_EVENT),
    response_example(
        "Hidden from you", OPEN_EVENT | {"number": 10, "hidden": True, "event": None, "text": None, "cause": None}
    ),
]
BOARDS = response_example(
    "The first turn",
    {"boards": [{"turn": 1, "view": ONE_MATCH["view"], "picture": ONE_MATCH["picture"]}], "more": True},
)
RECEIPTS = response_example(
    "One revealed and one pending",
    {
        "opened": [
            {
                "turn": 3,
                "seat": 0,
                "shown": {"move": "bid", "tokens": [12, 45]},
                "nonce": HASH,
                "kept": HASH,
                "receipt": HASH,
            }
        ],
        "pending": {"turn": 4, "seat": 1, "receipt": HASH, "nonce": HASH[:32], "signature": HASH + HASH},
    },
)
INVITATION = {"number": 17, "player": BEN, "email": None, "invited_by": ANN, "made_at": "2026-03-01T20:05:00Z"}
PROPOSAL = {
    "number": 3,
    "kind": "extension",
    "status": "open",
    "text": "Ann proposed extending Ben's deadline by 1 day. Waiting for you to vote.",
    "made_by": ANN,
    "made_at": "2026-03-02T10:00:00Z",
    "seat": 0,
    "time": 86400,
    "newcomer": None,
    "votes": {"1": True},
}
MESSAGE = {"id": 5, "author": ANN, "text": "Good luck, everybody!", "posted_at": "2026-03-02T09:10:00Z"}
UPDATES = response_example(
    "After your own move", {"match": ONE_MATCH, "choices": None, "events": [OPEN_EVENT], "messages": [MESSAGE]}
)
NOTE = {"text": "Ben seems to be collecting blue.", "changed_at": "2026-03-02T09:12:00Z"}
ORDERS = {
    "match": MATCH,
    "turn": 7,
    "orders": [
        {
            "number": number,
            "order": order,
            "sealed": False,
            "lasts": "until the end of game 1",
            "until": "2026-05-01T09:12:00Z",
        }
        for number, order in enumerate(["take any worth 5", "else draw"], start=1)
    ],
    "stopped": None,
    "notes": [],
    "played": [],
    "language": [
        {"example": "take any worth 5", "meaning": "take the best row that is worth at least 5 points to you now"},
    ],
}
REVIEW = response_example(
    "One decision",
    {
        "match": MATCH,
        "state": "done",
        "done": 1,
        "total": 1,
        "missing": 0,
        "decisions": [
            {"turn": 7, "move": "place 2", "best": "place 1", "chance": 0.41, "best_chance": 0.52, "cost": 0.11}
        ],
    },
)
OFFER = {
    "invited_by": ANN,
    "game": "coloretto",
    "game_title": "Coloretto",
    "title": "Tuesday table",
    "match": MATCH,
    "pace": PACE,
    "bots_allowed": False,
    "absent": "bot",
    "salts": "open",
    "proves": ARRANGEMENTS["open"],
    "secret_hash": HASH,
    "key": HASH,
    "secret_signature": HASH + HASH,
    "seats_wanted": 2,
    "players": [ANN],
    "expires_at": "2026-03-31T20:00:00Z",
}
GAME = {
    "slug": "coloretto",
    "title": "Coloretto",
    "seats": [2, 3, 4, 5],
    "options": {
        "title": "Options",
        "type": "object",
        "properties": {"edition": {"enum": ["classic", "modern"], "default": "modern"}},
        "additionalProperties": False,
    },
    "notation": [{"example": "place 2", "meaning": "put the drawn card on row 2"}],
    "rules_url": "/api/v1/games/coloretto/rules",
}
PROOF = response_example(
    "Shortened",
    {
        "terms": {
            "match": MATCH,
            "game": "coloretto",
            "rules": 1,
            "options": SUMMARY["options"],
            "salts": "open",
            "secret_hash": HASH,
            "players": FAIRNESS["players"],
            "started_at": "2026-03-01T20:00:00.000000Z",
            "protocol": 2,
        },
        "secret": HASH,
        "seating": [1, 0],
        "moves": [
            {
                "turn": 1,
                "seat": 0,
                "at": "2026-03-02T07:30:00.000000Z",
                "by": "player",
                "move": {"move": "draw", "schema": 1},
                "sealed": False,
            }
        ],
        "events": [{"number": 9, "turn": 8, "event": OPEN_EVENT["event"], "audience": None, "hash": HASH}],
        "end": {"at": "2026-03-20T19:00:00.000000Z", "asked_by": [], "reason": "finished", "turn": 60},
        "head": HASH,
        "outcome": {"points": [21, 19], "places": [1, 2], "lines": [[], []], "reason": "finished"},
        "schema": 2,
    },
)

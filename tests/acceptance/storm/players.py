"""Players who poll for their turn and play one of the offered moves, with the HTTP client of the command line.

If they get no response, they resend the request with the same key to other servers until one responds.
"""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cli.client import Server
from cli.fairness_notes import note_match
from cli.local_store import LocalStore
from cli.move_submission import new_idempotency_key
from cli.problems import Refused, Stale, Unreachable
from cli.proof_check import check_proof
from cli.render.style import Style
from cli.session import Session

LONGEST_GAP = 300
BETWEEN_LOOKS = 1.0
"""The number of seconds between polls while it is not the player's turn."""
LOOKS = 0.05
"""The probability that a player loads the whole match before moving, and records it to check the proof later."""
REPEATS = 0.05
"""The probability that a player repeats an answered request, as if the response had been lost."""

SWITCHES = 0.05
"""The probability that a player switches servers without a reason."""


@dataclass(frozen=True)
class Acknowledged:
    """An acknowledged move, as described in the response."""

    match: str
    username: str
    seat: int
    turn: int
    notation: str
    receipt: str | None
    key: str = field(default="", compare=False)
    """The idempotency key. It is stored with the response, not with the move."""


@dataclass
class Player(threading.Thread):
    username: str
    servers: Sequence[Server]
    over: threading.Event
    rng: Random
    store: LocalStore | None = None
    """The client's notes on each match, for checking its proof."""
    between_looks: float = BETWEEN_LOOKS
    acknowledged: list[Acknowledged] = field(default_factory=list)
    asked_again: int = 0
    repeated: int = 0
    complaints: list[str] = field(default_factory=list)
    failures: list[BaseException] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(name=self.username, daemon=True)
        self.at = self.rng.randrange(len(self.servers))
        for server in self.servers:
            server.pause = self.pause

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        try:
            while not self.over.is_set():
                waiting = self.get("matches", which="waiting", limit=50)["results"]
                for match in waiting:
                    self.act_in(match["id"])
                if not waiting:
                    self.over.wait(self.between_looks)
        except BaseException as failure:  # noqa: BLE001 - raised by the thread that waits for this one
            self.failures.append(failure)
            self.over.set()

    def act_in(self, match_id: str) -> None:
        if self.rng.random() < LOOKS:
            self.look(match_id)
        choices = self.get(f"matches/{match_id}/choices")
        listed = [move["notation"] for move in choices["moves"] if move["notation"] != "withdraw"]
        listed += [form["example"] for form in choices["forms"]]
        if listed:
            self.order(match_id, {"move": self.rng.choice(listed), "turn": choices["turn"]})

    def look(self, match_id: str) -> None:
        if self.store:
            note_match(self.store, self.get(f"matches/{match_id}"))

    def order(self, match_id: str, order: dict[str, Any]) -> None:
        key = new_idempotency_key()
        try:
            answer = self.send(match_id, order, key)
        except Stale:
            return
        move = answer["move"]
        kept = Acknowledged(
            match_id, self.username, move["seat"], order["turn"], move["notation"], move["receipt"], key
        )
        self.acknowledged.append(kept)
        if self.rng.random() < REPEATS:
            self.repeated += 1
            if self.send(match_id, order, key) != answer:
                self.complaints.append(f"the same key got another answer: {kept}")

    def send(self, match_id: str, order: dict[str, Any], key: str) -> Any:
        return self.insist("post", f"matches/{match_id}/moves", order, key=key)

    def get(self, path: str, **params: Any) -> Any:
        return self.insist("get", path, **params)

    def insist(self, method: str, path: str, *body: Any, **details: Any) -> Any:
        """Try one server after another until one responds, and usually stay with it."""
        end = time.monotonic() + LONGEST_GAP
        if self.rng.random() < SWITCHES:
            self.at += 1
        while True:
            try:
                return getattr(self.servers[self.at % len(self.servers)], method)(path, *body, **details)
            except Unreachable:
                if time.monotonic() > end:
                    raise
                self.asked_again += 1
                self.at += 1

    def pause(self, seconds: float) -> None:
        self.asked_again += 1
        time.sleep(seconds)

    def proof_of(self, match_id: str) -> bytes:
        document: bytes = self.insist("get_bytes", f"matches/{match_id}/proof")
        return document

    def check(self, match_id: str, document: bytes) -> None:
        """Check the proof against the notes on the match, like `turnpost verify`. Raise Refused if it is invalid."""
        check_proof(self.store or Session(Style()).store, document, match_id)


def create_match(owner: Player, plan: dict[str, Any], others: Sequence[Player]) -> str:
    """Create a match that the other players join.

    This request has no idempotency key, so it must be sent before processes are killed.
    """
    match_id: str = owner.servers[0].post("matches", plan)["id"]
    for other in others:
        try:
            other.servers[-1].post(f"matches/{match_id}/join", {})
        except Refused as refusal:
            raise RuntimeError(f"{other.username} cannot join {match_id}: {refusal}") from refusal
    for player in (owner, *others):
        player.look(match_id)
    return match_id

"""A match with all its viewers, and worlds that are rolled back.

Everything in a world happens through the API, by mail or through the clock. Time stands still, and random numbers have
the same seed in every world, so equal views have equal bytes.
"""

import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import pytest
from django.db import transaction
from django.test import TestCase
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import browser_sessions
from accounts.models import Token, User
from clock import proposals
from clock.deadlines import LastGoodBeat
from clock.models import Heartbeat, Proposal, ProposalKind
from clock.proposal_rules import ProposalRequest
from clock.sweep import sweep
from games.engine.dice import Dice
from games.selectors.loading import LoadedMatch, load_match
from games.services import chat
from notifications.mail.sender import deliver_due
from notifications.models import Webhook
from notifications.webhooks import sender, service
from tests.games.builders import play_some, player, running_match, send, sitting
from tests.mail_server import RecordingMailServer
from tests.notifications.webhooks.listener import Listener

BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
KEY = "the-key-of-the-one-with-the-secret"


@dataclass(frozen=True)
class Viewer:
    """A person who looks at the match. If they don't play in it, `seat` is None."""

    name: str
    user: User | None = None
    seat: int | None = None
    token: str = ""
    session: str = ""
    """The key of their browser session, for the web pages."""

    @cached_property
    def client(self) -> APIClient:
        client = APIClient()
        if self.token:
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {self.token}")
        if self.session:
            client.cookies["session"] = self.session
        return client

    @property
    def is_player(self) -> bool:
        return self.seat is not None

    def __str__(self) -> str:
        return self.name


@dataclass
class Sandbox:
    clock: Any
    mail_server: RecordingMailServer
    listener: Listener
    url: str
    folder: Path
    table: LoadedMatch
    owner: int
    """The seat whose secret is changed."""
    moves: tuple[str, ...]
    """Two different moves that the owner could seal now. Games without sealed moves have none."""
    viewers: list[Viewer]
    logs: list[str] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    """The metrics at the start of this world."""
    patch: pytest.MonkeyPatch = field(default_factory=pytest.MonkeyPatch)
    """Patches that end together with the world."""

    @property
    def match_id(self) -> str:
        return self.table.match.id

    @property
    def players(self) -> list[Viewer]:
        return [viewer for viewer in self.viewers if viewer.is_player]

    @property
    def rivals(self) -> list[Viewer]:
        """The players who must not learn the secret."""
        return [player for player in self.players if player.seat != self.owner]

    @property
    def outsiders(self) -> list[Viewer]:
        """A player from another match, a spectator, and somebody who isn't logged in."""
        return [viewer for viewer in self.viewers if not viewer.is_player]

    def names(self, viewer: Viewer) -> dict[str, list[Any]]:
        """Return values for the path parameters."""
        hooks = Webhook.objects.filter(user__in=[viewer.user, sitting(self.table.seats[self.owner])])
        proposals = Proposal.objects.filter(match=self.match_id)
        return {
            "match_id": [self.match_id],
            "slug": [self.table.match.game],
            "number": [*hooks.values_list("pk", flat=True), *proposals.values_list("pk", flat=True)],
            "token": ["forged"],
            "vacation_id": [1],
            "token_id": ["0" * 8],
            "session_id": ["0" * 8],
            "registration_id": [1],
            "username": ["emil"],
        }

    def play(self, seat: int, move: str, key: str | None = None) -> None:
        """Play a move with a random seed that depends only on the move."""
        now = load_match(self.match_id)
        seed_randomness(seat, move, now.match.turn)
        answer = send(self.match_id, sitting(now.seats[seat]), move, now.match.turn, key)
        assert answer.status == 200, answer.body

    def later(self, **span: float) -> None:
        """Let time pass while the sweep keeps running."""
        self.clock.shift(timedelta(**span))
        Heartbeat.objects.update(at=timezone.now())

    def deliver(self) -> None:
        """Run the sweep and send everything that is due."""
        sweep()
        deliver_due()
        sender.deliver_due()

    def run(self, act: Callable[[], None]) -> None:
        """Run an action, its on-commit callbacks and the workers."""
        with TestCase.captureOnCommitCallbacks(execute=True):
            act()
        self.deliver()

    @contextmanager
    def world(self) -> Iterator[None]:
        """Run the block, and then roll back everything it did, including deliveries."""
        now = timezone.now()
        del self.mail_server.arrived[:], self.listener.heard[:], self.logs[:]
        seed_randomness(BEGAN)
        Ids.source.seed(repr(BEGAN))
        LastGoodBeat.at = None
        try:
            with rolled_back():
                yield
        finally:
            self.patch.undo()
            self.clock.move_to(now)


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class Ids:
    """A separate random source for IDs, which must be unique within a world."""

    source = random.Random()
    drawn: ClassVar[set[int]] = set()
    """All IDs generated so far, to tell them apart from other numbers."""

    @classmethod
    def draw(cls, bits: int) -> int:
        number = cls.source.getrandbits(bits)
        cls.drawn.add(number)
        return number


def seed_randomness(*seed: object) -> None:
    """Reseed the service's random number generator."""
    drawn = random.Random(repr(seed))
    secrets.token_bytes = lambda nbytes=None: drawn.randbytes(nbytes or 32)
    secrets.choice = drawn.choice


def set_up(
    game: str, *, clock: Any, mail_server: RecordingMailServer, listener: Listener, url: str, folder: Path
) -> Sandbox:
    seed_randomness(game)
    Ids.source.seed(game)
    Heartbeat.objects.update(at=timezone.now())
    elsewhere = play_some(running_match("coloretto", 2, players=("dora", "emil")), 3)
    table, owner, moves = a_round_with_secrets(game)
    for seat in table.seats:
        chat.post_message(table.match.id, sitting(seat), "Good luck!")
        chat.write_note(table.match.id, sitting(seat), f"My notes at seat {seat.number}.")
    pause = ProposalRequest(ProposalKind.PAUSE, time=timedelta(days=1))
    proposals.propose(table.match.id, sitting(table.seats[0]), pause)
    people = [*table.seats, *elsewhere.seats[:1]]
    viewers = [viewer_of(sitting(seat), seat.number if seat.match_id == table.match.id else None) for seat in people]
    viewers += [viewer_of(player("fritz"), None), Viewer("nobody")]
    for viewer in viewers:
        if viewer.user:
            service.create(viewer.user, listener.url(path=f"/{viewer.name}"), service.KINDS)
    User.objects.create_superuser("operator", "operator@example.org", "correct horse")
    sandbox = Sandbox(clock, mail_server, listener, url, folder, load_match(table.match.id), owner, moves, viewers)
    sandbox.deliver()
    return sandbox


def viewer_of(user: User, seat: int | None) -> Viewer:
    _, token = Token.objects.create(user, timedelta(days=3650), name="test")
    return Viewer(user.username, user, seat, token, browser_sessions.start(user, "test")[1])


def a_round_with_secrets(game: str) -> tuple[LoadedMatch, int, tuple[str, ...]]:
    """Play until at least two seats have to seal a move. Return the match, one of these seats and two of its possible
    moves.

    In a game without sealed moves, return the match after some moves.
    """
    table = play_some(running_match(game), 9)
    for step in range(60):
        asked, engine = sorted(table.engine.awaiting(table.state)), table.engine
        samples = [engine.sample(table.state, asked[-1], Dice(bytes([n]) * 32)) for n in range(9)]
        written = tuple(dict.fromkeys(engine.notation(move) for move in samples if engine.is_sealed(move)))
        if len(asked) >= 2 and len(written) >= 2:
            return table, asked[-1], written[:2]
        table = play_some(table, 1, seed=bytes([step]) * 32)
    assert not table.match.moves.filter(is_sealed=True).exists(), f"No two sealed moves of {game} to compare."
    return table, min(table.engine.awaiting(table.state)), ()

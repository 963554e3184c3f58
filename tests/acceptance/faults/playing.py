"""Players who play while something fails, and record the errors they get."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

from cli.problems import Problem
from tests.acceptance.storm.deployment import Deployment
from tests.acceptance.storm.players import Acknowledged, Player, create_match
from tests.acceptance.storm.recording_server import RecordingServer
from tests.waiting import until

TABLES: list[dict[str, Any]] = [{"game": "coloretto", "seats": 3}, {"game": "colorado-county", "seats": 2}]
LONGEST_WAIT = 120


@dataclass(frozen=True)
class Report:
    figures: dict[str, Any]
    complaints: list[str]


@dataclass
class Party:
    players: list[Player]
    tokens: list[str]

    @property
    def acknowledged(self) -> list[Acknowledged]:
        return [move for player in self.players for move in list(player.acknowledged)]

    @property
    def errors(self) -> list[Problem]:
        return [problem for recorder in self.recorders for problem in recorder.errors]

    @property
    def longest_wait(self) -> float:
        return max(wait for recorder in self.recorders for wait in recorder.waits)

    @property
    def recorders(self) -> list[RecordingServer]:
        return [server for player in self.players for server in player.servers if isinstance(server, RecordingServer)]

    def play_on(self, moves: int) -> None:
        """Wait until this many more moves have been acknowledged."""
        goal = len(self.acknowledged) + moves
        self.wait_for(lambda: len(self.acknowledged) >= goal, f"{moves} moves")

    def wait_for(self, condition: Callable[[], object], what: str) -> None:
        if not until(lambda: condition() or any(player.failures for player in self.players), LONGEST_WAIT):
            raise RuntimeError(f"This did not happen within {LONGEST_WAIT} seconds: {what}.")
        for player in self.players:
            for failure in player.failures:
                raise failure


@contextmanager
def playing(deployment: Deployment, matches: int, seed: int = 1) -> Iterator[Party]:
    """Play matches of both games until the block ends, and then wait for pending requests to finish."""
    rng, over = Random(seed), threading.Event()
    players, tokens = [], []
    for name in ("ann", "ben", "cleo", "dora"):
        tokens.append(registered(name))
        servers = [RecordingServer(part.url, tokens[-1]) for part in deployment.webs]
        players.append(Player(name, servers, over, Random(rng.random())))
    for number in range(matches):
        table = TABLES[number % len(TABLES)]
        owner, *others = rng.sample(players, table["seats"])
        create_match(owner, table, others)
    for player in players:
        player.start()
    try:
        yield Party(players, tokens)
    finally:
        over.set()
        for player in players:
            player.join()


def registered(name: str) -> str:
    from django.utils import timezone

    from accounts.models import Token, User

    user = User.objects.create_user(name, f"{name}@example.org", None, email_confirmed_at=timezone.now())
    return str(Token.objects.create(user, timedelta(days=1), name="faults")[1])


def unhelpful(told: Sequence[Problem]) -> Iterator[str]:
    """Find errors without a message or a hint, and errors that contain a traceback."""
    for problem in told:
        said = f"{problem.message} {problem.hint}"
        if not problem.message.endswith((".", "!")) or not problem.hint or "Traceback" in said:
            yield f"a player got an unhelpful error, {problem.code}: {said!r}"

"""People who play while something fails, and who write down what they were told meanwhile."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

from cli.problems import Problem
from tests.acceptance.storm.players import Acknowledged, Player, found
from tests.acceptance.storm.stage import Stage
from tests.acceptance.storm.witness import Witness
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
    def told(self) -> list[Problem]:
        return [problem for witness in self.witnesses for problem in witness.told]

    @property
    def longest_wait(self) -> float:
        return max(wait for witness in self.witnesses for wait in witness.waits)

    @property
    def witnesses(self) -> list[Witness]:
        return [server for player in self.players for server in player.servers if isinstance(server, Witness)]

    def play_on(self, moves: int) -> None:
        """Until so many more were acknowledged."""
        goal = len(self.acknowledged) + moves
        self.wait_for(lambda: len(self.acknowledged) >= goal, f"{moves} moves")

    def wait_for(self, condition: Callable[[], object], what: str) -> None:
        if not until(lambda: condition() or any(player.failures for player in self.players), LONGEST_WAIT):
            raise RuntimeError(f"This did not happen within {LONGEST_WAIT} seconds: {what}.")
        for player in self.players:
            for failure in player.failures:
                raise failure


@contextmanager
def playing(stage: Stage, matches: int, seed: int = 1) -> Iterator[Party]:
    """So many matches of both games, until the block ends; then everybody has the answer they waited for."""
    will, over = Random(seed), threading.Event()
    players, tokens = [], []
    for name in ("ann", "ben", "cleo", "dora"):
        tokens.append(registered(name))
        servers = [Witness(part.url, tokens[-1]) for part in stage.webs]
        players.append(Player(name, servers, over, Random(will.random())))
    for number in range(matches):
        table = TABLES[number % len(TABLES)]
        owner, *others = will.sample(players, table["seats"])
        found(owner, table, others)
    for player in players:
        player.start()
    try:
        yield Party(players, tokens)
    finally:
        over.set()
        for player in players:
            player.join()


def registered(name: str) -> str:
    """Somebody with an account; the token of their program."""
    from django.utils import timezone

    from accounts.models import Token, User

    user = User.objects.create_user(name, f"{name}@example.org", None, email_confirmed_at=timezone.now())
    return str(Token.objects.create(user, timedelta(days=1), name="faults")[1])


def unkind(told: Sequence[Problem]) -> Iterator[str]:
    """What people were told that is no sentence, or shows what only the log should."""
    for problem in told:
        said = f"{problem.message} {problem.hint}"
        if not problem.message.endswith((".", "!")) or not problem.hint or "Traceback" in said:
            yield f"somebody was told {problem.code}: {said!r}"

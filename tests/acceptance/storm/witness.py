"""The command line's client, which also keeps what went wrong and how long it waited for each answer."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cli.client import Retry, Server
from cli.problems import Problem

NO_ANSWER = "unreachable"


@dataclass
class Witness(Server):
    told: list[Problem] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def try_once(self, *words: Any, **request: Any) -> Any:
        began = time.monotonic()
        outcome = super().try_once(*words, **request)
        self.waits.append(time.monotonic() - began)
        if isinstance(outcome, Retry):
            self.told.append(outcome.problem)
        return outcome


def about_answers(witnesses: Iterable[Witness]) -> Iterator[str]:
    """Whoever is killed says nothing; so what was said was said by a part that had nothing to complain of."""
    for problem in (problem for witness in witnesses for problem in witness.told):
        if problem.code != NO_ANSWER:
            yield f"somebody was told {problem.code!r}: {problem.message}"

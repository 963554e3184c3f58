"""The HTTP client of the command line, which also records every error and every response time."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cli.client import Retry, Server
from cli.problems import Problem

NO_ANSWER = "unreachable"


@dataclass
class RecordingServer(Server):
    errors: list[Problem] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def try_once(self, *words: Any, **request: Any) -> Any:
        began = time.monotonic()
        outcome = super().try_once(*words, **request)
        self.waits.append(time.monotonic() - began)
        if isinstance(outcome, Retry):
            self.errors.append(outcome.problem)
        return outcome


def check_answers(recorders: Iterable[RecordingServer]) -> Iterator[str]:
    """Find error responses.

    A killed process sends no response, so every error comes from a process that should have worked.
    """
    for problem in (problem for recorder in recorders for problem in recorder.errors):
        if problem.code != NO_ANSWER:
            yield f"a player got the error {problem.code!r}: {problem.message}"

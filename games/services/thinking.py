"""Let bots think in separate processes. In a thread, they would slow down every request to the embedded service."""

import atexit
import logging
import os
import secrets
import subprocess
import sys
import threading
from typing import Any

import msgspec
from django.conf import settings

from games.bots import thinker
from games.bots.review import Comparison
from games.bots.thinker import Answer, Question
from games.engine.dice import SEED_BYTES
from games.engine.registry import AnyEngine

logger = logging.getLogger(__name__)

GRACE = 10.0
"""By how many seconds a bot may exceed its budget, for example on a busy machine, before it is stopped."""
LONGEST_REVIEW = 240.0
"""How many seconds the review of a decision may take before it is stopped. Its budget is CPU time, which takes
much longer on a busy machine."""


class ThinkingFailed(Exception):
    """Raised if the bot crashed or did not stop in time."""


class Thinker:
    """A process that answers one question at a time."""

    def __init__(self) -> None:
        """Start the process with a minimal environment. It needs no settings, and must not get our secrets."""
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", thinker.__name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": os.pathsep.join(sys.path)},
        )

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def ask(self, question: Question, longest: float) -> Answer:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise ThinkingFailed("The process has no pipes.")
        timer = threading.Timer(longest, self._process.kill)
        timer.start()
        try:
            stdin.write(msgspec.json.encode(question) + b"\n")
            stdin.flush()
            return msgspec.json.decode(stdout.readline(), type=Answer)
        except (OSError, msgspec.DecodeError):
            self.stop()
            raise ThinkingFailed("The process ended without an answer.") from None
        finally:
            timer.cancel()

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()


class Thinkers:
    """Processes that are waiting for a question. More are started as needed."""

    def __init__(self) -> None:
        self._idle: list[Thinker] = []
        self._lock = threading.Lock()

    def ask(self, question: Question, longest: float) -> Answer:
        """Return the answer. Raise ThinkingFailed if it takes longer than this many seconds."""
        thinker = self._take()
        answer = thinker.ask(question, longest)
        with self._lock:
            self._idle.append(thinker)
        return answer

    def _take(self) -> Thinker:
        with self._lock:
            while self._idle:
                thinker = self._idle.pop()
                if thinker.is_running:
                    return thinker
        return Thinker()

    def stop(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().stop()


_thinkers = Thinkers()
atexit.register(_thinkers.stop)


def decide(engine: AnyEngine, state: Any, seat: int, level: str, seconds: float) -> Any:
    """Return a bot's move. If the bot crashes or does not stop, return a minimal move."""
    try:
        asked = question(engine, state, seat, seconds, level=level)
        return engine.moves.load(answered(asked, seconds + GRACE))
    except ThinkingFailed as failure:
        logger.error("A %s bot could not decide, so it makes a minimal move. %s", level, failure)
        return engine.on_timeout(state, seat)


def compare(engine: AnyEngine, state: Any, seat: int, move: Any, seconds: float) -> Comparison | None:
    """Compare a player's move with the move that a search finds. Raise ThinkingFailed if the search fails."""
    asked = question(engine, state, seat, seconds, made=msgspec.Raw(engine.moves.dump(move)))
    found = msgspec.json.decode(answered(asked, LONGEST_REVIEW), type=Comparison | None)
    return msgspec.structs.replace(found, best=engine.read_move(found.best)) if found else None


def question(engine: AnyEngine, state: Any, seat: int, seconds: float, **more: Any) -> Question:
    return Question(
        game=engine.slug,
        rules=engine.rules_version,
        state=msgspec.Raw(engine.states.dump(state)),
        seat=seat,
        seed=secrets.token_bytes(SEED_BYTES),
        seconds=seconds,
        **more,
    )


def answered(asked: Question, longest: float) -> bytes:
    if not settings.BOT_PROCESSES:
        return bytes(thinker.find(asked))
    answer = _thinkers.ask(asked, longest)
    if answer.failure:
        raise ThinkingFailed(answer.failure)
    return bytes(answer.found)

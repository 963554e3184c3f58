"""A process that decides for bots, so that nothing else has to wait for them: `python -m games.bots.thinker`.

It reads questions as lines of JSON from its standard input, and answers each with one line of JSON.
"""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from games.bots.players import player
from games.bots.review import Comparison, compare
from games.engine.dice import Dice
from games.engine.registry import engine

NICE = 10
"""The process runs at a lower priority than requests, emails and the clock."""

NOTHING = msgspec.Raw(b"null")


class Question(msgspec.Struct, frozen=True):
    """Asks which move a bot of this level makes in this seat, or how good a player's move was."""

    game: str
    rules: int
    state: msgspec.Raw
    seat: int
    seed: bytes
    seconds: float
    level: str = ""
    made: msgspec.Raw = NOTHING
    """The move to review, if the question is about one."""


class Answer(msgspec.Struct, frozen=True):
    """The answer to a question, or a `failure`."""

    found: msgspec.Raw = NOTHING
    """A move or, if the question was about a player's move, a comparison."""
    failure: str = ""


def find(question: Question) -> msgspec.Raw:
    game = engine(question.game, question.rules)
    state, dice = game.states.load(bytes(question.state)), Dice(question.seed)
    found: Comparison | object
    if question.made == NOTHING:
        found = player(question.level).decide(game, state, question.seat, dice, seconds=question.seconds)
    else:
        made = game.moves.load(bytes(question.made))
        found = compare(game, state, question.seat, made, dice, seconds=question.seconds)
    return msgspec.Raw(msgspec.json.encode(found))


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Postpone garbage collection. It takes longer than most moves, and thinking leaves no reference cycles."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def answer(line: bytes) -> Answer:
    try:
        with no_garbage_collection():
            return Answer(find(msgspec.json.decode(line, type=Question)))
    except Exception as error:  # noqa: BLE001
        return Answer(failure=f"{type(error).__name__}: {error}")


def main() -> None:
    """Answer questions until standard input is closed, so that the process never outlives its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(msgspec.json.encode(answer(line)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

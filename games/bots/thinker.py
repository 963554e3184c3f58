"""A process that decides for bots, so that nothing else has to wait for them: `python -m games.bots.thinker`.

Questions come as lines of JSON on its standard input, and each gets one line of JSON as its answer.
"""

import os
import signal
import sys

import msgspec

from games.bots.players import player
from games.bots.review import Comparison, compare
from games.engine.dice import Dice
from games.engine.registry import engine

NICE = 10
"""Gives requests, emails and the clock priority."""


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
    """A move, or a comparison if the question was about one."""
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


def answer(line: bytes) -> Answer:
    try:
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

"""A process that thinks for bots, so that nothing else waits for them: `python -m games.bots.thinker`.

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
"""Requests, mail and the clock come first."""


NOTHING = msgspec.Raw(b"null")


class Question(msgspec.Struct, frozen=True):
    """Which move does a bot of this level make in this seat? Or how good was the move that a player made?"""

    game: str
    rules: int
    state: msgspec.Raw
    seat: int
    seed: bytes
    seconds: float
    level: str = ""
    made: msgspec.Raw = NOTHING
    """To review a decision: the move that was made."""


class Answer(msgspec.Struct, frozen=True):
    """The failure is empty if there is an answer."""

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
    """Ends when its standard input is closed, so it never outlives the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(msgspec.json.encode(answer(line)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

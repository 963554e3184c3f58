"""A process that thinks for bots, so that nothing else waits for them: `python -m games.bots.thinker`.

Questions come as lines of JSON on its standard input, and each gets one line of JSON as its answer.
"""

import os
import signal
import sys

import msgspec

from games.bots.players import player
from games.engine.dice import Dice
from games.engine.registry import engine

NICE = 10
"""Requests, mail and the clock come first."""


class Question(msgspec.Struct, frozen=True):
    """Which move does a bot of this level make in this seat?"""

    game: str
    rules: int
    state: msgspec.Raw
    seat: int
    level: str
    seed: bytes
    seconds: float


class Answer(msgspec.Struct, frozen=True):
    """The failure is empty if there is a move."""

    move: msgspec.Raw = msgspec.Raw(b"null")
    failure: str = ""


def decide(question: Question) -> msgspec.Raw:
    game = engine(question.game, question.rules)
    state = game.states.load(bytes(question.state))
    bot, dice = player(question.level), Dice(question.seed)
    return msgspec.Raw(game.moves.dump(bot.decide(game, state, question.seat, dice, seconds=question.seconds)))


def answer(line: bytes) -> Answer:
    try:
        return Answer(decide(msgspec.json.decode(line, type=Question)))
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

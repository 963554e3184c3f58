"""Somebody who kills a part of the service again and again, and lets it come back."""

import threading
from collections.abc import Sequence
from random import Random

from tests.acceptance.storm.parts import Part


class Killer(threading.Thread):
    """Kills its victims in turn, the first at once and then one every few seconds, and starts each again a little
    later: one at a time is gone."""

    def __init__(self, victims: Sequence[Part], every: float, most: int, will: Random) -> None:
        super().__init__(name="killer", daemon=True)
        self.victims, self.every, self.most, self.will = victims, every, most, will
        self._enough = threading.Event()
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            for number in range(self.most):
                pause = self.will.uniform(0.5, 1.5) * self.every if number else self.will.uniform(0, 1)
                if self._enough.wait(pause):
                    break
                self.strike(self.victims[number % len(self.victims)])
        except BaseException as failure:  # noqa: BLE001 - told by whoever waits for this thread
            self.failure = failure

    def strike(self, victim: Part) -> None:
        victim.kill()
        self._enough.wait(self.will.uniform(0, 1))
        victim.start()
        victim.wait()

    def stop(self) -> None:
        self._enough.set()
        self.join()
        if self.failure:
            raise self.failure

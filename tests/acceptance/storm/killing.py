"""Kill and restart processes of the service."""

import threading
from collections.abc import Sequence
from random import Random

from tests.acceptance.storm.parts import Part


class Killer(threading.Thread):
    """Kills its processes one after another, and restarts each one shortly afterwards.

    At most one process is down at a time.
    """

    def __init__(self, victims: Sequence[Part], every: float, most: int, rng: Random) -> None:
        super().__init__(name="killer", daemon=True)
        self.victims, self.every, self.most, self.rng = victims, every, most, rng
        self._enough = threading.Event()
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            for number in range(self.most):
                pause = self.rng.uniform(0.5, 1.5) * self.every if number else self.rng.uniform(0, 1)
                if self._enough.wait(pause):
                    break
                self.restart(self.victims[number % len(self.victims)])
        except BaseException as failure:  # noqa: BLE001 - raised again in stop()
            self.failure = failure

    def restart(self, victim: Part) -> None:
        victim.kill()
        self._enough.wait(self.rng.uniform(0, 1))
        victim.start()
        victim.wait()

    def stop(self) -> None:
        self._enough.set()
        self.join()
        if self.failure:
            raise self.failure

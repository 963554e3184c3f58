"""The broker is gone for a while, or takes connections and says nothing: moves go on, and notifications catch up after it."""

import time

from tests.acceptance.faults.playing import Party, Report, playing
from tests.acceptance.storm.gate import Gate
from tests.acceptance.storm.parts import running
from tests.acceptance.storm.stage import Stage, spread
from tests.waiting import until

MOVES_BEFORE, MOVES_MEANWHILE = 5, 10
CAUGHT_UP_AFTER = 180


def gone(broker: str, gone_for: float, matches: int, *, silent: bool) -> Report:
    with spread(broker, webs=1, workers=1) as stage, running(stage.parts):
        with playing(stage, matches) as party:
            party.play_on(MOVES_BEFORE)
            before = len(party.acknowledged)
            take_away(stage.gates["broker"], silent)
            began = time.monotonic()
            party.play_on(MOVES_MEANWHILE)
            until(lambda: time.monotonic() - began > gone_for, gone_for + 1)
            meanwhile, lasted = len(party.acknowledged) - before, time.monotonic() - began
        waited = waiting().count()
        figures = {
            "broker": broker,
            "seconds without it": round(lasted),
            "moves made meanwhile": meanwhile,
            "notifications that waited at its end": waited,
            "longest wait for an answer, seconds": round(party.longest_wait, 2),
        }
        bring_back(stage.gates["broker"], silent)
        began = time.monotonic()
        caught_up = until(lambda: not waiting().exists(), CAUGHT_UP_AFTER)
        figures["seconds until the last notification was out"] = round(time.monotonic() - began, 1)
        found = [] if caught_up else ["notifications did not catch up", *(part.last_words() for part in stage.parts)]
        found += [] if waited else ["nothing waited for the broker, so it was never gone"]
        return Report(figures, [*found, *complaints(stage, party)])


def take_away(gate: Gate, silent: bool) -> None:
    gate.freeze() if silent else gate.shut()


def bring_back(gate: Gate, silent: bool) -> None:
    gate.thaw() if silent else gate.open()


def waiting():  # type: ignore[no-untyped-def]
    from notifications.models import Delivery, Notification

    return Notification.objects.filter(delivery__in=[Delivery.QUEUED, Delivery.SENDING])


def complaints(stage: Stage, party: Party) -> list[str]:
    from tests.acceptance.faults import reckoning

    arrived = stage.sink.lies_there
    found = [f"somebody was told {problem.code!r}: {problem.message}" for problem in party.told]
    ended = [part for part in stage.parts if part.process and part.process.poll() is not None]
    gave_up = [f"{part.host.name} gave up:\n{part.last_words()}" for part in ended]
    return [*found, *gave_up, *reckoning.complaints(party.acknowledged, arrived)]

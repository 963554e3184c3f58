"""The broker is down or does not respond for a while. Players can still move, and notifications are sent later."""

import time

from tests.acceptance.faults.playing import Party, Report, playing
from tests.acceptance.storm.deployment import Deployment, distributed
from tests.acceptance.storm.parts import running
from tests.acceptance.storm.proxy import Proxy
from tests.waiting import until

MOVES_BEFORE, MOVES_MEANWHILE = 5, 10
NOTIFICATIONS_WAITING = 3
CAUGHT_UP_AFTER = 180


def gone(broker: str, gone_for: float, matches: int, *, silent: bool) -> Report:
    with distributed(broker, webs=1, workers=1) as deployment, running(deployment.parts):
        with playing(deployment, matches) as party:
            party.play_on(MOVES_BEFORE)
            before = len(party.acknowledged)
            take_away(deployment.proxies["broker"], silent)
            began = time.monotonic()
            party.play_on(MOVES_MEANWHILE)
            until(lambda: time.monotonic() - began > gone_for, gone_for + 1)
            # A busy worker first finishes the jobs it found before the broker went away.
            party.wait_for(lambda: waiting().count() >= NOTIFICATIONS_WAITING, "notifications that wait for the broker")
            waited = waiting().count()
            meanwhile, lasted = len(party.acknowledged) - before, time.monotonic() - began
        figures = {
            "broker": broker,
            "seconds without broker": round(lasted),
            "moves played meanwhile": meanwhile,
            "notifications waiting": waited,
            "longest response time in seconds": round(party.longest_wait, 2),
        }
        bring_back(deployment.proxies["broker"], silent)
        began = time.monotonic()
        caught_up = until(lambda: not waiting().exists(), CAUGHT_UP_AFTER)
        figures["seconds until the last notification was sent"] = round(time.monotonic() - began, 1)
        found = [] if caught_up else ["notifications did not catch up", *(part.log_tail() for part in deployment.parts)]
        return Report(figures, [*found, *complaints(deployment, party)])


def take_away(proxy: Proxy, silent: bool) -> None:
    proxy.freeze() if silent else proxy.shut()


def bring_back(proxy: Proxy, silent: bool) -> None:
    proxy.thaw() if silent else proxy.open()


def waiting():
    from notifications.models import Delivery, Notification

    return Notification.objects.filter(delivery__in=[Delivery.QUEUED, Delivery.SENDING])


def complaints(deployment: Deployment, party: Party) -> list[str]:
    from tests.acceptance.faults import verification

    arrived = deployment.mail_server.received
    found = [f"a player got the error {problem.code!r}: {problem.message}" for problem in party.errors]
    ended = [part for part in deployment.parts if part.process and part.process.poll() is not None]
    gave_up = [f"{part.host.name} gave up:\n{part.log_tail()}" for part in ended]
    return [*found, *gave_up, *verification.complaints(party.acknowledged, arrived)]

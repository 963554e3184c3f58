"""See the package. Exits with 1 if anything that was promised is not there, and says what."""

import argparse
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

from cli.local_store import LocalStore
from cli.problems import Refused
from tests.acceptance.storm.killing import Killer
from tests.acceptance.storm.parts import Part, running
from tests.acceptance.storm.players import BETWEEN_LOOKS, Player, found
from tests.acceptance.storm.stage import WEBS, WORKERS, Stage, embedded, spread
from tests.acceptance.storm.witness import Witness, about_answers
from tests.requirements import BROKERS

MOST_PEOPLE = 32
TABLES: list[dict[str, Any]] = [
    {"game": "coloretto", "seats": 3, "options": {"edition": "modern"}},
    {"game": "colorado-county", "seats": 2},
    {"game": "coloretto", "seats": 2, "options": {"edition": "modern"}},
    {"game": "colorado-county", "seats": 3},
]
"""The kinds of matches, one after the other; all take about as long, so that they are under way together."""
DRAINED_AFTER = 1_200
"""Seconds: a worker that was killed holds its notifications for the five minutes of its lease, and then the sweep
comes."""
TELL_EVERY = 60


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.acceptance.storm")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--kill-every", type=float, default=30, help="seconds from one kill to the next, on average")
    parser.add_argument("--kills", type=int, default=1_000, help="so many at most, of web and of worker processes each")
    parser.add_argument("--broker", choices=[*BROKERS, "none"], default="redis", help="none: everything in one process")
    parser.add_argument("--webs", type=int, default=WEBS, help="how many web processes")
    parser.add_argument("--workers", type=int, default=WORKERS, help="how many worker processes")
    parser.add_argument("--look-every", type=float, default=BETWEEN_LOOKS, help="seconds, for whom nothing waits")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--leases-end-at-once", action="store_true", help="do not wait for those of killed workers")
    return parser.parse_args()


def main(asked: argparse.Namespace) -> int:
    will = Random(asked.seed)
    with stage_for(asked) as stage, running(stage.parts):
        players = people(stage, min(MOST_PEOPLE, 3 * asked.matches), will, asked.look_every)
        tables = found_all(list(seatings(players, asked.matches, will)))
        print(f"{len(tables)} matches on {where(stage)}; the storm begins", flush=True)
        killers = [Killer(victims, asked.kill_every, asked.kills, will) for victims in in_danger(stage)]
        weather = play_in_the_storm(players, killers)
        for part in stage.parts:
            part.must_be_alive()
        drain(stage, at_once=asked.leases_end_at_once)
        return reckon(stage, players, tables, weather)


def stage_for(asked: argparse.Namespace) -> AbstractContextManager[Stage]:
    return embedded() if asked.broker == "none" else spread(asked.broker, webs=asked.webs, workers=asked.workers)


def where(stage: Stage) -> str:
    if len(stage.parts) == 1:
        return "one process"
    hosts = "hosts of their own" if stage.separate else "one host"
    return f"{len(stage.webs)} web and {len(stage.workers)} worker processes on {hosts}"


def people(stage: Stage, count: int, will: Random, between_looks: float) -> list[Player]:
    from django.utils import timezone

    from accounts.models import Token, User

    over, players = threading.Event(), []
    for name in (f"player{number:02}" for number in range(count)):
        user = User.objects.create_user(name, f"{name}@example.org", None, email_confirmed_at=timezone.now())
        token = Token.objects.create(user, timedelta(days=1), name="storm")[1]
        servers = [Witness(part.url, token) for part in stage.webs]
        notes = LocalStore(Path(os.environ["TURNPOST_DATA"], name))
        players.append(Player(name, servers, over, Random(will.random()), notes, between_looks))
    return players


def seatings(players: list[Player], matches: int, will: Random) -> Iterator[tuple[list[Player], dict[str, Any]]]:
    """Who plays what, for so many matches."""
    for plan in islice(cycle(TABLES), matches):
        yield will.sample(players, plan["seats"]), plan


def found_all(wanted: list[tuple[list[Player], dict[str, Any]]]) -> dict[str, list[Player]]:
    with ThreadPoolExecutor(8) as founders:
        ids = founders.map(lambda one: found(one[0][0], one[1], one[0][1:]), wanted)
        return {match_id: seated for match_id, (seated, _) in zip(ids, wanted, strict=True)}


def in_danger(stage: Stage) -> list[list[Part]]:
    """One web and one worker process at a time is gone; the beat is one of those who work behind the web."""
    return [group for group in (stage.webs, [*stage.workers, *stage.others]) if group]


@dataclass
class Weather:
    """How it went: seconds, and how many matches were under way at each look."""

    lasted: float = 0
    under_way: list[int] = field(default_factory=list)


def play_in_the_storm(players: list[Player], killers: list[Killer]) -> Weather:
    over, weather, began, told = players[0].over, Weather(), time.monotonic(), 0.0
    for thread in (*players, *killers):
        thread.start()
    try:
        while not over.wait(0.5):
            weather.lasted = time.monotonic() - began
            weather.under_way.append(matches_under_way())
            if not weather.under_way[-1]:
                over.set()
            if weather.lasted > told + TELL_EVERY:
                told = weather.lasted
                moves = sum(len(player.acknowledged) for player in players)
                print(f"{told:5.0f} s: {weather.under_way[-1]} matches under way, {moves} moves", flush=True)
    finally:
        over.set()
        for killer in killers:
            killer.stop()
        for player in players:
            player.join()
    for failure in [failure for player in players for failure in player.failures]:
        raise failure
    return weather


def matches_under_way() -> int:
    from games.models import Match, Phase

    return Match.objects.exclude(phase=Phase.FINISHED).count()


def drain(stage: Stage, *, at_once: bool) -> None:
    """Waits for the last notifications. With `at_once` the senders stop, so that none is being sent, and the
    leases end."""
    from django.utils import timezone

    from notifications.models import Delivery, Notification
    from tests.waiting import until

    if at_once:
        senders = stage.workers or stage.webs
        for part in senders:
            part.stop()
        Notification.objects.filter(delivery=Delivery.SENDING).update(due_at=timezone.now())
        senders[0].start()
    waiting = Notification.objects.filter(delivery__in=[Delivery.QUEUED, Delivery.SENDING])
    until(lambda: not waiting.exists(), DRAINED_AFTER)


def reckon(stage: Stage, players: list[Player], tables: dict[str, list[Player]], weather: Weather) -> int:
    from notifications.models import Delivery
    from tests.acceptance.storm import reckoning

    acknowledged = [one for player in players for one in player.acknowledged]
    unproven = list(about_proofs(tables))
    killed = {part.host.name: part.kills for part in stage.parts}
    figures = reckoning.figures(acknowledged, stage.sink.lies_there) | {
        "proofs that hold for every player": len(tables) - len(unproven),
        "killed": killed,
        "requests repeated, as no answer came": sum(player.asked_again for player in players),
        "moves sent twice on purpose": sum(player.repeated for player in players),
        "matches under way at half time": weather.under_way[len(weather.under_way) // 2],
        "seconds": round(weather.lasted),
    }
    print(json.dumps(figures, indent=2))
    witnesses = [server for player in players for server in player.servers if isinstance(server, Witness)]
    found = [complaint for player in players for complaint in player.complaints] + unproven
    found += about_answers(witnesses)
    found += [f"no process of {spared} was killed" for spared in unharmed(stage)]
    found += reckoning.complaints(acknowledged, stage.sink.lies_there)
    for complaint in found[:50]:
        print(complaint, file=sys.stderr)
    sent, suppressed = (sum(reckoning.by_kind(delivery).values()) for delivery in (Delivery.SENT, Delivery.SUPPRESSED))
    print(f"{sent} notifications were sent and {suppressed} suppressed.", end=" ")
    print("Something was lost." if found else "Nothing was lost.")
    return 1 if found else 0


def about_proofs(tables: dict[str, list[Player]]) -> Iterator[str]:
    """Each is fetched from the service and checked by everybody who played, with what they noted meanwhile."""
    for match_id, seated in tables.items():
        document = seated[0].proof_of(match_id)
        try:
            for player in seated:
                player.check(match_id, document)
        except Refused as failed:
            yield f"{match_id}: {failed}"


def unharmed(stage: Stage) -> list[str]:
    groups = {"the web": stage.webs, "the workers": stage.workers}
    return [name for name, parts in groups.items() if parts and not any(part.kills for part in parts)]


if __name__ == "__main__":
    sys.exit(main(arguments()))

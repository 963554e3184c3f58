"""Run a storm. If anything was lost, list the problems and exit with 1."""

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
from games.bots import LEVELS
from tests.acceptance.storm.deployment import WEBS, WORKERS, Deployment, distributed, single_process
from tests.acceptance.storm.killing import Killer
from tests.acceptance.storm.parts import Part, running
from tests.acceptance.storm.players import BETWEEN_LOOKS, Player, create_match
from tests.acceptance.storm.recording_server import RecordingServer, check_answers
from tests.requirements import BROKERS

MOST_PEOPLE = 32
TABLES: list[dict[str, Any]] = [
    {"game": "coloretto", "seats": 3, "options": {"edition": "modern"}},
    {"game": "colorado-county", "seats": 2},
    {"game": "coloretto", "seats": 2, "options": {"edition": "modern"}},
    {"game": "colorado-county", "seats": 3},
]
"""The kinds of matches, which are played in turn. All of them take about the same time."""
DRAINED_AFTER = 1_200
"""The maximum number of seconds to wait for the last notifications. If a worker was killed, its notifications are sent
only once its five-minute lease has expired and the next sweep has run."""
PRINT_EVERY = 10


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.acceptance.storm")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--kill-every", type=float, default=30, help="average seconds between kills")
    parser.add_argument(
        "--kills", type=int, default=1_000, help="maximum number of kills, for web processes and for workers"
    )
    parser.add_argument(
        "--broker", choices=[*BROKERS, "none"], default="redis", help="none runs everything in one process"
    )
    parser.add_argument("--webs", type=int, default=WEBS, help="number of web processes")
    parser.add_argument("--workers", type=int, default=WORKERS, help="number of worker processes")
    parser.add_argument("--look-every", type=float, default=BETWEEN_LOOKS, help="seconds between a player's polls")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", choices=LEVELS, help="let bots of this level play half of the seats")
    parser.add_argument(
        "--leases-end-at-once", action="store_true", help="do not wait for the leases of killed workers to end"
    )
    return parser.parse_args()


def main(asked: argparse.Namespace) -> int:
    rng = Random(asked.seed)
    with deployment_for(asked) as deployment, running(deployment.parts):
        from config.preparation import prepare_for_threads

        prepare_for_threads()
        players = people(deployment, min(MOST_PEOPLE, 3 * asked.matches), rng, asked.look_every)
        tables = create_matches(list(seatings(players, asked.matches, rng, asked.bots)))
        print(f"{len(tables)} matches on {where(deployment)}; starting to kill processes", flush=True)
        killers = [Killer(victims, asked.kill_every, asked.kills, rng) for victims in kill_groups(deployment)]
        progress = play_until_finished(players, killers)
        for part in deployment.parts:
            part.must_be_alive()
        drain(deployment, at_once=asked.leases_end_at_once)
        return report(deployment, players, tables, progress)


def deployment_for(asked: argparse.Namespace) -> AbstractContextManager[Deployment]:
    return (
        single_process()
        if asked.broker == "none"
        else distributed(asked.broker, webs=asked.webs, workers=asked.workers)
    )


def where(deployment: Deployment) -> str:
    if len(deployment.parts) == 1:
        return "one process"
    hosts = "separate hosts" if deployment.separate else "one host"
    return f"{len(deployment.webs)} web and {len(deployment.workers)} worker processes on {hosts}"


def people(deployment: Deployment, count: int, rng: Random, between_looks: float) -> list[Player]:
    from django.utils import timezone

    from accounts.models import Token, User

    over, players = threading.Event(), []
    for name in (f"player{number:02}" for number in range(count)):
        user = User.objects.create_user(name, f"{name}@example.org", None, email_confirmed_at=timezone.now())
        token = Token.objects.create(user, timedelta(days=1), name="storm")[1]
        servers = [RecordingServer(part.url, token) for part in deployment.webs]
        notes = LocalStore(Path(os.environ["TURNPOST_DATA"], name))
        players.append(Player(name, servers, over, Random(rng.random()), notes, between_looks))
    return players


def seatings(
    players: list[Player], matches: int, rng: Random, level: str | None
) -> Iterator[tuple[list[Player], dict[str, Any]]]:
    """Yield the players and the setup of each match.

    If the number of seats is odd, people and bots take turns getting the extra seat.
    """
    for number, plan in enumerate(islice(cycle(TABLES), matches)):
        bots = (plan["seats"] + number % 2) // 2 if level else 0
        yield rng.sample(players, plan["seats"] - bots), plan | ({"bots": bots, "level": level} if bots else {})


def create_matches(wanted: list[tuple[list[Player], dict[str, Any]]]) -> dict[str, list[Player]]:
    with ThreadPoolExecutor(8) as pool:
        ids = pool.map(lambda one: create_match(one[0][0], one[1], one[0][1:]), wanted)
        return {match_id: seated for match_id, (seated, _) in zip(ids, wanted, strict=True)}


def kill_groups(deployment: Deployment) -> list[list[Part]]:
    """Return groups of processes.

    At most one process in each group is down at a time. The beat belongs to the workers' group.
    """
    return [group for group in (deployment.webs, [*deployment.workers, *deployment.others]) if group]


@dataclass
class Progress:
    """The duration in seconds, and the number of running matches at each check."""

    lasted: float = 0
    under_way: list[int] = field(default_factory=list)


def play_until_finished(players: list[Player], killers: list[Killer]) -> Progress:
    over, progress, began, told = players[0].over, Progress(), time.monotonic(), 0.0
    for thread in (*players, *killers):
        thread.start()
    try:
        while not over.wait(0.5):
            progress.lasted = time.monotonic() - began
            progress.under_way.append(matches_under_way())
            if not progress.under_way[-1]:
                over.set()
            if sys.stderr.isatty() and progress.lasted > told + PRINT_EVERY:
                told = progress.lasted
                moves = sum(len(player.acknowledged) for player in players)
                text = f"{told:5.0f} s: {progress.under_way[-1]} matches under way, {moves} moves"
                print(text, file=sys.stderr, flush=True)
    finally:
        over.set()
        for killer in killers:
            killer.stop()
        for player in players:
            player.join()
    for failure in [failure for player in players for failure in player.failures]:
        raise failure
    return progress


def matches_under_way() -> int:
    from games.models import Match, Phase

    return Match.objects.exclude(phase=Phase.FINISHED).count()


def drain(deployment: Deployment, *, at_once: bool) -> None:
    """Wait for the last notifications.

    With `at_once`, restart the senders, end all leases, and send even delayed notifications.
    """
    from django.utils import timezone

    from notifications.models import Delivery, Notification
    from tests.waiting import until

    if at_once:
        senders = deployment.workers or deployment.webs
        for part in senders:
            part.stop()
    waiting = Notification.objects.filter(delivery__in=[Delivery.QUEUED, Delivery.SENDING])
    if at_once:
        waiting.update(due_at=timezone.now())
        senders[0].start()
    until(lambda: not waiting.exists(), DRAINED_AFTER)


def report(deployment: Deployment, players: list[Player], tables: dict[str, list[Player]], progress: Progress) -> int:
    from notifications.models import Delivery
    from tests.acceptance.storm import verification

    acknowledged = [one for player in players for one in player.acknowledged]
    unproven = list(check_proofs(tables))
    killed = {part.host.name: part.kills for part in deployment.parts}
    figures = verification.figures(acknowledged, deployment.mail_server.received) | {
        "proofs valid for every player": len(tables) - len(unproven),
        "killed": killed,
        "requests repeated after a lost response": sum(player.asked_again for player in players),
        "moves sent twice on purpose": sum(player.repeated for player in players),
        "matches running at half time": progress.under_way[len(progress.under_way) // 2],
        "seconds": round(progress.lasted),
    }
    print(json.dumps(figures, indent=2))
    recorders = [server for player in players for server in player.servers if isinstance(server, RecordingServer)]
    found = [complaint for player in players for complaint in player.complaints] + unproven
    found += check_answers(recorders)
    found += [f"no {kind} process was killed" for kind in never_killed(deployment)]
    found += verification.complaints(acknowledged, deployment.mail_server.received)
    for complaint in found[:50]:
        print(complaint, file=sys.stderr)
    sent, suppressed = (
        sum(verification.by_kind(delivery).values()) for delivery in (Delivery.SENT, Delivery.SUPPRESSED)
    )
    print(f"{sent} notifications were sent and {suppressed} suppressed.", end=" ")
    print("Something was lost." if found else "Nothing was lost.")
    return 1 if found else 0


def check_proofs(tables: dict[str, list[Player]]) -> Iterator[str]:
    """Fetch each proof, and check it against what each player's client recorded."""
    for match_id, seated in tables.items():
        document = seated[0].proof_of(match_id)
        try:
            for player in seated:
                player.check(match_id, document)
        except Refused as failed:
            yield f"{match_id}: {failed}"


def never_killed(deployment: Deployment) -> list[str]:
    groups = {"web": deployment.webs, "worker": deployment.workers}
    return [name for name, parts in groups.items() if parts and not any(part.kills for part in parts)]


if __name__ == "__main__":
    sys.exit(main(arguments()))

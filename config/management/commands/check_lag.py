from argparse import ArgumentParser
from math import isfinite
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.metrics import Backlog
from core.text import counted


def seconds(time: float) -> str:
    return counted(round(time), "second")


class Command(BaseCommand):
    help = "Check that sweeps run and notifications are sent. Fails if either is too far behind."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--max-seconds",
            type=int,
            default=120,
            help="maximum delay of sweeps and notifications, in seconds (default: 120)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        figures = {sample.name: sample.value for family in Backlog().collect() for sample in family.samples}
        if not figures["turnpost_database_up"]:
            raise CommandError("The database is unavailable.")
        swept, waited = figures["turnpost_sweep_age_seconds"], figures["turnpost_queue_age_seconds"]
        last = f"Last sweep: {seconds(swept)} ago." if isfinite(swept) else "No sweep has run yet."
        report = f"{last} Oldest due notification: {seconds(waited)} late."
        if max(swept, waited) > options["max_seconds"]:
            raise CommandError(report)
        self.stdout.write(report)

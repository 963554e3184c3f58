from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.metrics import Backlog


class Command(BaseCommand):
    help = "Check that the clock is sweeping and notifications are being sent. Fails if either is too far behind."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--max-seconds", type=int, default=120, help="how far behind either may be, in seconds (default: 120)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        figures = {sample.name: sample.value for family in Backlog().collect() for sample in family.samples}
        if not figures["turnpost_database_up"]:
            raise CommandError("The database is unavailable.")
        swept, waited = figures["turnpost_sweep_age_seconds"], figures["turnpost_queue_age_seconds"]
        report = f"Last sweep: {swept:.0f} seconds ago. Oldest due notification: {waited:.0f} seconds late."
        if max(swept, waited) > options["max_seconds"]:
            raise CommandError(report)
        self.stdout.write(report)

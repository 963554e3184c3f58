from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.metrics import Backlog


class Command(BaseCommand):
    help = "Says whether the clock sweeps and notifications leave; fails where either is too far behind."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--max-seconds", type=int, default=120, help="seconds that either may be behind (120)")

    def handle(self, *args: Any, **options: Any) -> None:
        figures = {sample.name: sample.value for family in Backlog().collect() for sample in family.samples}
        if not figures["turnpost_database_up"]:
            raise CommandError("The database does not answer.")
        swept, waited = figures["turnpost_sweep_age_seconds"], figures["turnpost_queue_age_seconds"]
        told = f"The clock swept {swept:.0f} seconds ago; the oldest due notification has waited {waited:.0f} seconds."
        if max(swept, waited) > options["max_seconds"]:
            raise CommandError(told)
        self.stdout.write(told)

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services.audit import audit


class Command(BaseCommand):
    help = "Replays stored matches from seed and moves, and reports the first difference in each."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", nargs="*", help="ids of matches; all that were played if none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        checked = broken = 0
        for match_id, difference in audit(options["match"]):
            checked += 1
            if difference:
                broken += 1
                self.stderr.write(f"{match_id}: {difference}")
        if broken:
            raise CommandError(f"{broken} of {checked} matches differ from what their moves lead to.")
        self.stdout.write(f"{checked} matches replayed, every byte as stored.")

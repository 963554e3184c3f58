from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.text import counted
from games.services.audit import audit


class Command(BaseCommand):
    help = "Replay stored matches from seed and moves, and report the first difference in each."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", nargs="*", help="match IDs (default: all matches)")

    def handle(self, *args: Any, **options: Any) -> None:
        checked = broken = 0
        for match_id, difference in audit(options["match"]):
            checked += 1
            if difference:
                broken += 1
                self.stderr.write(f"{match_id}: {difference}")
        if broken:
            raise CommandError(f"Replayed {counted(checked, 'match', 'matches')} and found differences in {broken}.")
        self.stdout.write(f"Replayed {counted(checked, 'match', 'matches')}. No differences found.")

from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand

from inbound.counts import RETENTION, attached, counted


def days(written: str) -> int:
    if not (written.isascii() and written.isdigit() and 0 < int(written) <= RETENTION.days):
        raise ArgumentTypeError(f"{written!r} is not a number of days from 1 to {RETENTION.days}.")
    return int(written)


class Command(BaseCommand):
    help = "Show how much mail arrived, how it arrived, and what happened to it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=days, default=7, help="number of days, including today (default: 7)")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = list(counted(options["days"]))
        for source, result, count in rows:
            self.stdout.write(f"{count:>8}  {source:<10}  {result}")
        for source, attachments in attached(options["days"]):
            things = "attachment" if attachments == 1 else "attachments"
            self.stdout.write(f"{attachments:>8}  {source:<10}  {things} (not read)")
        if not rows:
            self.stdout.write("No mail has arrived.")

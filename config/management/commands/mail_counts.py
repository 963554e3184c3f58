from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand

from inbound.counts import RETENTION, attached, counted


def days(written: str) -> int:
    if not (written.isascii() and written.isdigit() and 0 < int(written) <= RETENTION.days):
        raise ArgumentTypeError(f"{written!r} is no number of days from 1 to {RETENTION.days}, all that is kept.")
    return int(written)


class Command(BaseCommand):
    help = "Tells how much mail came in, by which way, and what became of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=days, default=7, help="of so many days, today among them (7)")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = list(counted(options["days"]))
        for source, verdict, count in rows:
            self.stdout.write(f"{count:>8}  {source:<10}  {verdict}")
        for source, attachments in attached(options["days"]):
            self.stdout.write(f"{attachments:>8}  {source:<10}  attachments (not read)")
        if not rows:
            self.stdout.write("No mail has come in.")

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from core.text import counted
from games.services import archiving as games
from notifications import archiving as notifications


class Command(BaseCommand):
    help = (
        "Archive all matches that ended at least TURNPOST_ARCHIVE_DAYS days ago. "
        "The service itself archives some of them every hour."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        matches = games.archive_due(timezone.now())
        told = notifications.archive_due(timezone.now())
        self.stdout.write(
            f"Archived {counted(matches, 'match', 'matches')} "
            f"and the notifications about {counted(told, 'match', 'matches')}."
        )

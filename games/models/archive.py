from django.db import models

from games.models.match import Match


class ArchivedLog(models.Model):
    """The moves and events of a match that ended a while ago, in place of their rows (games.services.archiving)."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="archived_log")
    content = models.BinaryField()
    """The moves and events, compressed and encrypted (games.selectors.packed_log)."""

    def __str__(self) -> str:
        return f"log of {self.match_id}"

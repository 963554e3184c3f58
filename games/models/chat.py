"""Messages between players, reports of messages, and private notes."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from core import vault
from games.models.match import Match


class Message(models.Model):
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="messages", db_index=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.CharField(max_length=2000)
    posted_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["match", "id"], name="messages_in_order")]

    def __str__(self) -> str:
        return f"message in {self.match_id}"


class Report(models.Model):
    """A player's report of a message to the operators.

    It contains a copy of the text, because the message can be deleted.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    message = models.ForeignKey(Message, null=True, on_delete=models.SET_NULL, related_name="reports")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.CharField(max_length=2000)
    reported_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=500, blank=True)
    made_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["message", "reported_by"], name="one_report_per_message_and_user")
        ]

    def __str__(self) -> str:
        return f"report of a message in {self.match_id}"


class Note(models.Model):
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notes", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    encrypted_text = models.TextField(blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "user"], name="one_note_per_user")]

    def __str__(self) -> str:
        return f"note on {self.match_id}"

    @property
    def text(self) -> str:
        return vault.decrypt(self.encrypted_text).decode() if self.encrypted_text else ""

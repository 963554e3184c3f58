from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Model, QuerySet

from core import vault
from core.text import counted
from games.models import ArchivedLog, Event, Match, Move, Note, Review, Seat, StoredResult
from inbound.models import InboundMail
from notifications.models import Webhook

BATCH = 500


class Command(BaseCommand):
    help = "Encrypt all secrets with the first key of TURNPOST_VAULT_KEYS, so that older keys can be removed."

    def handle(self, *args: Any, **options: Any) -> None:
        reencrypted = reencrypt_all(Match, ["encrypted_secret", "encrypted_state"])
        reencrypted += reencrypt_all(Seat, ["encrypted_orders"])
        reencrypted += reencrypt_all(Move, ["content", "nonce"], is_sealed=True)
        reencrypted += reencrypt_all(StoredResult, ["content"])
        reencrypted += reencrypt_all(Event, ["content"], audience__isnull=False)
        reencrypted += reencrypt_all(ArchivedLog, ["content"])
        reencrypted += reencrypt_all(Note, ["encrypted_text"])
        reencrypted += reencrypt_all(Review, ["encrypted_decisions"])
        reencrypted += reencrypt_all(Webhook, ["encrypted_url", "encrypted_secret"])
        reencrypted += reencrypt_all(InboundMail, ["content", "results"])
        self.stdout.write(f"Encrypted {counted(reencrypted, 'value')} with the newest key.")


def reencrypt_all(model: type[Model], fields: list[str], **which: Any) -> int:
    """Replace each value only if it has not changed since it was read, because matches may be played in the
    meantime."""
    done = 0
    for pk, *values in in_batches(model._default_manager.filter(**which).values_list("pk", *fields)):
        for field, value in zip(fields, values, strict=True):
            if value:
                unchanged = model._default_manager.filter(pk=pk, **{field: value})
                done += unchanged.update(**{field: reencrypted(value)})
    return done


def reencrypted(value: str | bytes | memoryview) -> str | bytes:
    """Encrypt a value with the newest key. Binary columns contain the bytes that the text form encodes."""
    if isinstance(value, str):
        return vault.reencrypt(value)
    return vault.to_bytes(vault.reencrypt(vault.from_bytes(bytes(value))))


def in_batches(rows: QuerySet[Any, Any]) -> Iterator[Any]:
    """Read rows in batches to save memory. Each row begins with its primary key."""
    batch = list(rows.order_by("pk")[:BATCH])
    while batch:
        yield from batch
        batch = list(rows.filter(pk__gt=batch[-1][0]).order_by("pk")[:BATCH])

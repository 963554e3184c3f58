from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Model

from games import vault
from games.models import Event, Match, Move, Refusal

BATCH = 500


class Command(BaseCommand):
    help = "Locks everything secret anew with the first key of TURNPOST_VAULT_KEYS, so that older keys can go."

    def handle(self, *args: Any, **options: Any) -> None:
        relocked = relock_all(Match, ["locked_secret", "locked_state"])
        relocked += relock_all(Move, ["content"], is_sealed=True)
        relocked += relock_all(Move, ["answer"])
        relocked += relock_all(Refusal, ["answer"])
        relocked += relock_all(Event, ["content"], audience__isnull=False)
        self.stdout.write(f"{relocked} records are locked with the newest key.")


def relock_all(model: type[Model], fields: list[str], **which: Any) -> int:
    """Each value is exchanged only if it is still the one that was read: a match may be played meanwhile."""
    done = 0
    rows = model._default_manager.filter(**which).values_list("pk", *fields).iterator(BATCH)
    for pk, *locked in rows:
        for field, value in zip(fields, locked, strict=True):
            if value:
                unchanged = model._default_manager.filter(pk=pk, **{field: value})
                done += unchanged.update(**{field: vault.relock(value)})
    return done

from collections.abc import Callable
from typing import Any

from django.db import migrations, models

from games import vault

BATCH = 500


def lock_nonces(apps: Any, _: Any) -> None:
    sealed = apps.get_model("games", "Move").objects.filter(is_sealed=True).exclude(nonce="")
    change(sealed, "nonce", lambda move: vault.lock(move.nonce.encode()))


def lock_hashes_with_answers(apps: Any, _: Any) -> None:
    for name in ("Move", "Refusal"):
        answered = apps.get_model("games", name).objects.exclude(answer="")
        change(answered, "answer", lambda kept: vault.lock(kept.request_hash.encode() + vault.unlock(kept.answer)))


def change(rows: Any, field: str, changed: Callable[[Any], str]) -> None:
    """In one transaction with the rest of the migration, so that nothing is ever locked twice."""
    for row in rows.iterator(BATCH):
        setattr(row, field, changed(row))
        row.save(update_fields=[field])


class Migration(migrations.Migration):
    dependencies = [("games", "0017_calls_by_age")]

    operations = [
        migrations.AlterField("move", "nonce", models.TextField(blank=True)),
        migrations.RunPython(lock_nonces, elidable=True),
        migrations.RunPython(lock_hashes_with_answers, elidable=True),
    ]

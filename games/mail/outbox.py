"""Notices on their way: rows first, in the transaction of what caused them; then the bell."""

from collections.abc import Sequence

from games.models import Notice


def owe(notices: Sequence[Notice]) -> None:
    """Writes the rows. A notice that is owed already (same match, seat, turn and kind) stays as it is."""
    if notices:
        Notice.objects.bulk_create(notices, ignore_conflicts=True)

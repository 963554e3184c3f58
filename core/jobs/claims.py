"""Work that waits in rows. Whoever does some of it claims it with a conditional update, and has it until the lease
ends: who has not dealt with it by then counts as dead, and it is due again."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F, Model, QuerySet

Row = TypeVar("Row", bound=Model)


def take(due: QuerySet[Row], most: int, *, until: datetime, **changes: Any) -> tuple[str, Sequence[Row]]:
    """The first of what is due, and the token of the claim; whoever else claims at the same moment gets others. The
    rows are as they were before."""
    token = uuid.uuid4().hex
    with transaction.atomic():
        # Read first: inside the update, PostgreSQL may look for free ones again and take more than were asked for.
        taken = list(due.select_for_update(skip_locked=True)[:most])
        mine = due.order_by().filter(pk__in=[row.pk for row in taken])
        mine.update(claim=token, due_at=until, tries=F("tries") + 1, **changes)
    return token, taken

"""Archive matches that ended a while ago: one compressed row replaces the rows of their moves and events.

Each match is archived in a transaction of its own, so an interrupted run leaves no match half archived, and the next
run continues.
"""

import logging
from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Q

from core import vault
from core.housekeeping import hourly
from core.metrics import ARCHIVED_MATCHES
from games.models import ArchivedLog, Event, Match, Move, Phase
from games.selectors import match_log, packed_log
from games.selectors.loading import load_match

logger = logging.getLogger(__name__)

ENDED = [Phase.FINISHED, Phase.ABANDONED]
BATCH = 100
MOST_PER_HOUR = 2000
"""How many matches an hourly run archives. After an upgrade, `manage.py archive` handles any number at once."""


@hourly
def archive_some(now: datetime) -> int:
    return archive_due(now, MOST_PER_HOUR)


def archive_due(now: datetime, most: int | None = None) -> int:
    """Archive matches, starting with those that ended first, and return how many were archived.

    A match that can't be archived, for example because its key is missing, stays as it is.
    """
    archived = 0
    for match_id in due(now):
        if archived == most:
            break
        try:
            archived += archive(match_id)
        except Match.DoesNotExist:
            continue  # It was a guest's match, which has been deleted in the meantime.
        except DatabaseError:
            raise
        except Exception:
            logger.exception("Match %s can't be archived", match_id)
    if archived:
        logger.info("Archived matches: %s", archived)
        ARCHIVED_MATCHES.inc(archived)
    return archived


def due(now: datetime) -> Iterator[str]:
    """Yield the IDs in batches. Each batch starts after the previous one, because matches in it may have failed."""
    waiting = Match.objects.filter(is_archived=False, phase__in=ENDED, ended_at__lte=now - settings.ARCHIVE_AFTER)
    rows = waiting.order_by("ended_at", "id").values_list("ended_at", "id")
    batch = list(rows[:BATCH])
    while batch:
        yield from (match_id for _, match_id in batch)
        ended_at, match_id = batch[-1]
        batch = list(rows.filter(Q(ended_at__gt=ended_at) | Q(ended_at=ended_at, id__gt=match_id))[:BATCH])


@transaction.atomic
def archive(match_id: str) -> bool:
    """Archive one match. Return False if another worker was faster."""
    loaded = load_match(match_id, lock=True)
    match = loaded.match
    if match.is_archived:
        return False
    content = packed_log.pack(loaded, match_log.moves(loaded), match_log.events(loaded))
    ArchivedLog.objects.create(match=match, content=content)
    Move.objects.filter(match=match).delete()
    Event.objects.filter(match=match).delete()
    match.encrypted_state = vault.encrypt(vault.decrypt(match.encrypted_state), compress=True)
    match.is_archived = True
    match.save(update_fields=["encrypted_state", "is_archived"])
    return True

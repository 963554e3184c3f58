"""From a due notice to the mail server's OK.

Many notices are claimed at once and sent over one connection, outside any transaction. They are looked at in small
groups, each loaded right before it is sent and noted right after, so that hardly anything changes in between and
hardly anything is sent twice if the process dies.
"""

import logging
import time
from collections.abc import Callable, Sequence

from django.utils import timezone

from core.log_context import about_match
from core.metrics import counters
from notifications import delivery_log, outbox
from notifications.context import Context, NothingToSay, load
from notifications.delivery_log import Entry, Failed, Result, Sent
from notifications.letters import write
from notifications.mail.envelope import seal
from notifications.mail.smtp_client import MailServer, NotAccepted, ServerGone
from notifications.models import Notification
from notifications.outbox import Claim
from notifications.policy import Send, Suppress, judge

logger = logging.getLogger(__name__)

CLAIMED_AT_ONCE = 200
LOOKED_AT_ONCE = 25
FRESH_FOR = 0.5
"""Seconds for which what was loaded may be acted on without a second look."""


def deliver_due(is_stopping: Callable[[], bool] = lambda: False) -> None:
    """Sends all that is due, or stops when the mail server is gone or the process is to end; the rest stays due."""
    with MailServer() as server:
        while not is_stopping() and (claim := outbox.claim(timezone.now(), CLAIMED_AT_ONCE)):
            try:
                deliver(claim, server, is_stopping)
            except ServerGone as error:
                logger.warning("No mail can be sent now: %s", error)
                return


def deliver(claim: Claim, server: MailServer, is_stopping: Callable[[], bool]) -> None:
    """Stops well before the lease ends: whatever is not done by then is left to another attempt."""
    give_up(claim)
    stop = time.monotonic() + outbox.LEASE.total_seconds() / 2
    left = [pk for pk in claim.ids if pk not in claim.worn_out]
    while left and time.monotonic() < stop and not is_stopping():
        entries: list[Entry] = []
        try:
            left = left[deliver_group(claim.token, left[:LOOKED_AT_ONCE], server, entries) :]
        except ServerGone as error:
            entries += rest_failed(left, entries, error)
            raise
        finally:
            delivery_log.note(claim.token, entries)
    delivery_log.release(claim.token, left)


def give_up(claim: Claim) -> None:
    """Whoever tried to send these came to an end each time, so nobody even looks at them again."""
    if claim.worn_out:
        failed = Failed("It could not be sent: each attempt ended on the way.", for_good=True)
        worn_out = Notification.objects.filter(pk__in=claim.worn_out)
        delivery_log.note(claim.token, [Entry(notice, failed) for notice in worn_out])


def deliver_group(token: str, ids: Sequence[int], server: MailServer, entries: list[Entry]) -> int:
    """Adds an entry for each notice, in their order, as long as what was loaded is fresh. Returns how far it came.
    What somebody else took over is left out: a machine that was paused does not notice that its lease has ended."""
    loaded_at = time.monotonic()
    for occasion in load(ids):
        if not outbox.is_held(occasion.notice, token):
            continue
        occasion.just_sent = [entry.notice for entry in entries if isinstance(entry.result, Sent)]
        gathered = [one.notice.pk for one in occasion.gathered]
        with about_match(occasion.notice.match_id):
            result = deliver_one(occasion, server)
        entries.append(Entry(occasion.notice, result, occasion.seat, gathered))
        if time.monotonic() > loaded_at + FRESH_FOR:
            return ids.index(occasion.notice.pk) + 1
    return len(ids)


def deliver_one(occasion: Context, server: MailServer) -> Result:
    try:
        verdict = judge(occasion)
        if not isinstance(verdict, Send):
            return verdict
        message = seal(occasion, write(occasion))
    except NothingToSay as reason:
        return Suppress(str(reason))
    except Exception as error:
        logger.exception("%s cannot be written", occasion.notice)
        return Failed(f"It could not be written: {type(error).__name__}.")
    try:
        server.send(message)
    except NotAccepted as refused:
        return Failed(refused.why, refused.for_good, refused.about_address)
    tell_sent(occasion.notice)
    return Sent()


def tell_sent(notice: Notification) -> None:
    """Which notice, and not to whom: a log is read by more people than the ledger."""
    counters.one_mail(notice.kind, (timezone.now() - notice.owed_at).total_seconds())
    logger.info("Sent %s", notice, extra={"notice": notice.pk, "kind": notice.kind})


def rest_failed(ids: Sequence[int], entries: Sequence[Entry], error: ServerGone) -> list[Entry]:
    done = [entry.notice.pk for entry in entries]
    rest = Notification.objects.filter(pk__in=ids).exclude(pk__in=done)
    return [Entry(notice, Failed(str(error))) for notice in rest]

"""Send due notifications by mail.

A worker claims many notifications and sends them over one connection, outside of any transaction. It loads them in
small groups right before sending, so that the data is fresh, and records the results right after, so that few emails
are sent twice after a crash. While the mail server accepts an email, the worker writes the next one.
"""

import logging
import time
from collections.abc import Sequence

from django.utils import timezone

from core.jobs import Claim, IsOver, worker
from core.logs import about_match
from core.metrics import NOTIFICATION_SECONDS
from notifications import delivery_log, outbox
from notifications.context import Context, NothingToSay, load
from notifications.delivery_log import Entry, Failed, Result, Sent
from notifications.letters import write
from notifications.mail.envelope import seal
from notifications.mail.message import Email
from notifications.mail.smtp_client import MailServer, NotAccepted, ServerGone
from notifications.models import Notification
from notifications.outbox import QUEUE
from notifications.policy import Send, Suppress, decide

logger = logging.getLogger(__name__)

CLAIMED_AT_ONCE = 200
LOOKED_AT_ONCE = 25
FRESH_FOR = 0.5
"""How long data counts as fresh after it was read, in seconds."""


@worker(outbox.MAIL)
def deliver_due(is_over: IsOver = lambda: False) -> None:
    """Send everything that is due, until the mail server becomes unavailable or time is up."""
    with MailServer() as server:
        for claim in QUEUE.claims(is_over, CLAIMED_AT_ONCE):
            try:
                deliver(claim, server, is_over)
            except ServerGone as error:
                logger.warning("Can't send mail now: %s", error)
                return


def deliver(claim: Claim[Notification], server: MailServer, is_over: IsOver) -> None:
    """Send the claimed notifications. Stop well before the lease ends, and release the remaining ones."""
    give_up(claim)
    stop = time.monotonic() + QUEUE.lease.total_seconds() / 2
    claimed = sorted(claim.jobs, key=lambda notification: (notification.created_at, notification.pk))
    left = [notification.pk for notification in claimed if notification not in claim.exhausted]
    while left and time.monotonic() < stop and not is_over():
        entries: list[Entry] = []
        try:
            left = left[deliver_group(claim.token, left[:LOOKED_AT_ONCE], server, entries) :]
        except ServerGone as error:
            entries += rest_failed(left, entries, error)
            raise
        finally:
            delivery_log.note(claim.token, entries)
    QUEUE.release(claim.token, left)


def give_up(claim: Claim[Notification]) -> None:
    if claim.exhausted:
        failed = Failed("Every attempt to send it was interrupted.", for_good=True)
        delivery_log.note(claim.token, [Entry(notification, failed) for notification in claim.exhausted])


def deliver_group(token: str, ids: Sequence[int], server: MailServer, entries: list[Entry]) -> int:
    """Send notifications in order while the data is fresh, and add an entry for each. Return how many were handled.

    Skip notifications that another worker has taken over, because the lease may have ended while this machine was
    suspended.
    """
    last: Context | None = None
    """What the email that the server hasn't accepted yet is about."""
    try:
        for context in load(ids):
            if not QUEUE.is_held(context.notification, token):
                continue
            if last and last.notification.match_id == context.notification.match_id:
                entries.append(accepted(last, server))  # The decision depends on it.
                last = None
            context.just_sent = [entry.notification for entry in entries if isinstance(entry.result, Sent)]
            with about_match(context.notification.match_id):
                written = compose(context)
            if last:
                entries.append(accepted(last, server))
                last = None
            result = send(written, server) if isinstance(written, Email) else written
            if result is None:
                last = context
            else:
                entries.append(entry_of(context, result))
            if time.monotonic() > context.read_at + FRESH_FOR:
                return ids.index(context.notification.pk) + 1
        return len(ids)
    finally:
        if last:
            entries.append(accepted(last, server))


def compose(context: Context) -> Email | Result:
    """Return the email, or the reason why there is none."""
    try:
        decision = decide(context)
        return seal(context, write(context)) if isinstance(decision, Send) else decision
    except NothingToSay as reason:
        return Suppress(str(reason))
    except Exception as error:
        logger.exception("Couldn't write %s", context.notification)
        return Failed(f"Turnpost couldn't write this email ({type(error).__name__}).")


def send(message: Email, server: MailServer) -> Result | None:
    """Send an email. Return None if the server may still reject it."""
    try:
        server.send(message)
    except NotAccepted as refused:
        return Failed(refused.why, refused.for_good, refused.about_address)
    return None


def accepted(context: Context, server: MailServer) -> Entry:
    """Wait until the server has accepted or rejected the email, and return the result."""
    with about_match(context.notification.match_id):
        try:
            server.wait()
        except NotAccepted as refused:
            return entry_of(context, Failed(refused.why, refused.for_good, refused.about_address))
        log_sent(context.notification)
        return entry_of(context, Sent())


def entry_of(context: Context, result: Result) -> Entry:
    return Entry(context.notification, result, context.seat, [one.notification.pk for one in context.gathered])


def log_sent(notification: Notification) -> None:
    """Log that an email was sent, without the recipient, because more people can read logs than the delivery log."""
    NOTIFICATION_SECONDS.labels(notification.kind).observe((timezone.now() - notification.created_at).total_seconds())
    logger.info("Sent %s", notification, extra={"notification": notification.public_id, "kind": notification.kind})


def rest_failed(ids: Sequence[int], entries: Sequence[Entry], error: ServerGone) -> list[Entry]:
    done = [entry.notification.pk for entry in entries]
    rest = Notification.objects.filter(pk__in=ids).exclude(pk__in=done)
    return [Entry(notification, Failed(str(error))) for notification in rest]

"""Handle bounces: update the notification, and stop or delay mail to its address.

The return address of each email is signed, so nobody can stop another user's mail with a forged bounce report.
"""

from datetime import datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from accounts.profile import profile_section
from accounts.shapes import MailState
from core import rate_limits, sql
from games.selectors import lists
from notifications import archive, outbox, smtp_replies
from notifications.models import BouncingAddress, Delivery, Notification, NotificationKind
from notifications.smtp_replies import MailOutcome, Report

FIRST_PAUSE = timedelta(hours=1)
LONGEST_PAUSE = timedelta(days=1)
MOST_DOUBLINGS = 10
MOST_BOUNCES = 6
BOUNCING_FOR = timedelta(days=3)
"""The minimum period over which MOST_BOUNCES soft bounces stop mail to an address."""
FORGOTTEN_AFTER = timedelta(days=10)
"""The time without a bounce after which counting starts over."""
ARRIVED = (Delivery.SENT, Delivery.DELIVERED)
EVENTS = {"delivered": MailOutcome.DELIVERED, "deferred": MailOutcome.DELAYED, "complained": MailOutcome.HARD}
REFUSALS = {"bounced", "rejected", "failed"}
STOPPED = "Fix your mailbox and request a test email, or use another address."
DELAYED = "We'll try again at that time. If you've fixed the problem, request a test email."
COMPLAINT = "You marked our email as spam."


def note_event(
    kind: str,
    why: str = "",
    *,
    reason: str = "",
    notification_id: int | None = None,
    address: str = "",
    at: datetime | None = None,
) -> None:
    """Handle a mail provider's report about a notification or, if the notification is unknown, about an address.

    `kind` and `reason` are django-anymail's event type and reject reason, and `why` is the other server's explanation.
    """
    report = event_report(kind, why, reason)
    if report is None:
        return
    if notification_id is not None:
        note(notification_id, report, address=address)
    elif address and report.outcome in (MailOutcome.SOFT, MailOutcome.HARD):
        note_at_address(User.objects.normalize_email(address), report, at)


@transaction.atomic
def note_at_address(email: str, report: Report, at: datetime | None) -> None:
    user = User.objects.filter(email=email).first()
    if at is None or not fixed_after(at, email, user.email_confirmed_at if user else None):
        record_bounce(email, report, timezone.now())


def event_report(kind: str, why: str, reason: str) -> Report | None:
    if kind in EVENTS:
        return Report(EVENTS[kind], COMPLAINT if kind == "complained" else smtp_replies.tidy(why))
    if kind not in REFUSALS:
        return None
    outcome = smtp_replies.severity("", why) if why else MailOutcome.SOFT
    if reason == "invalid" or (reason == "bounced" and not smtp_replies.has_status(why)):
        outcome = MailOutcome.HARD
    return Report(outcome, smtp_replies.tidy(why) or f"The email was {kind}.")


@transaction.atomic
def note(notification_id: int, report: Report, *, address: str = "", has_moved_on: bool = False) -> None:
    """Record a report about a notification.

    `address` is where the email was sent, if known. If the user has changed their address since then, the report
    doesn't affect the new one.
    """
    notification = archive.find(notification_id, lock=True)
    if notification is None or notification.delivery not in (*ARRIVED, Delivery.SENDING):
        return
    has_moved_on |= bool(address) and User.objects.normalize_email(address) != notification.address
    match report.outcome:
        case MailOutcome.DELIVERED:
            note_delivered(notification, has_moved_on=has_moved_on)
        case MailOutcome.DELAYED:
            change(notification, why=f"Delayed: {report.why}"[:200])
        case MailOutcome.SOFT | MailOutcome.HARD:
            note_bounce(notification, report, has_moved_on=has_moved_on)


def note_delivered(notification: Notification, *, has_moved_on: bool) -> None:
    change(notification, delivery=Delivery.DELIVERED, why="")
    before = notification.sent_at or timezone.now()
    if not has_moved_on:
        BouncingAddress.objects.filter(email=notification.address, bounced_at__lte=before).update(**no_bounces())


def note_bounce(notification: Notification, report: Report, *, has_moved_on: bool) -> None:
    """Record a bounce. After a soft bounce, the email is sent again later if it still matters."""
    change(notification, delivery=Delivery.BOUNCED, why=f"Bounced: {report.why}"[:200])
    if not has_moved_on and not is_outdated(notification):
        address_record = record_bounce(notification.address, report, timezone.now())
        if not address_record.is_stopped:
            change(notification, delivery=Delivery.QUEUED, due_at=address_record.quiet_until, tries=0)


def change(notification: Notification, **fields: object) -> None:
    """Update a notification, unless a worker is sending it. In that case, the bounce is recorded only for its
    address."""
    if notification.delivery != Delivery.SENDING:
        Notification.objects.filter(pk=notification.pk).update(**fields)


def is_outdated(notification: Notification) -> bool:
    """Return whether the email was sent before the user confirmed their current address."""
    confirmed = notification.user.email_confirmed_at if notification.user and not notification.email else None
    return notification.sent_at is not None and fixed_after(notification.sent_at, notification.address, confirmed)


def fixed_after(moment: datetime, email: str, confirmed: datetime | None) -> bool:
    address_record = BouncingAddress.objects.filter(email=email).first()
    cleared = address_record.cleared_at if address_record else None
    return any(later is not None and moment < later for later in (confirmed, cleared))


def record_bounce(email: str, report: Report, now: datetime) -> BouncingAddress:
    BouncingAddress.objects.get_or_create(email=email)
    address_record = BouncingAddress.objects.select_for_update().get(email=email)
    if address_record.bounced_at is None or now - address_record.bounced_at > FORGOTTEN_AFTER:
        address_record.since, address_record.bounces = None, 0
    address_record.since = address_record.since or now
    address_record.bounces += 1
    address_record.bounced_at, address_record.why = now, report.why[:200]
    address_record.quiet_until = now + min(
        FIRST_PAUSE * 2 ** min(address_record.bounces - 1, MOST_DOUBLINGS), LONGEST_PAUSE
    )
    lasting = address_record.bounces >= MOST_BOUNCES and now - address_record.since >= BOUNCING_FOR
    address_record.is_stopped = address_record.is_stopped or report.outcome == MailOutcome.HARD or lasting
    address_record.save()
    return address_record


def note_refused(email: str, said: str) -> BouncingAddress | None:
    """Record that the server rejected the address while we were sending.

    Only problems with the address or its mailbox count, because others may be our own fault.
    """
    outcome = smtp_replies.severity("", said)
    if outcome == MailOutcome.HARD or smtp_replies.is_full("", said) or smtp_replies.is_policy(said):
        return record_bounce(email, Report(outcome, smtp_replies.tidy(said)), timezone.now())
    return None


def clear(email: str) -> None:
    """Forget earlier bounces, because the owner has confirmed that email arrives or wants to try again."""
    BouncingAddress.objects.filter(email=email).update(**no_bounces(), cleared_at=timezone.now())


def no_bounces() -> dict[str, object]:
    return {"is_stopped": False, "why": "", "since": None, "bounces": 0, "bounced_at": None, "quiet_until": None}


BOUNCING = sql.Values("""
    SELECT seat.user_id FROM games_seat seat
    JOIN accounts_user player ON player.id = seat.user_id
    JOIN notifications_bouncingaddress address ON address.email = player.email
    WHERE seat.match_id = %s AND (address.is_stopped OR address.quiet_until > %s)""")


@lists.finds_bouncing
def bouncing_in(match_id: str) -> sql.Query:
    return BOUNCING, [match_id, connection.ops.adapt_datetimefield_value(timezone.now())]


@profile_section("mail")
def state_of(user: User) -> MailState:
    address_record = BouncingAddress.objects.filter(email=user.email).first()
    if address_record and address_record.is_stopped:
        return MailState(state="stopped", why=address_record.why, since=address_record.since, until=None, hint=STOPPED)
    if address_record and address_record.quiet_until and address_record.quiet_until > timezone.now():
        until = address_record.quiet_until
        return MailState(state="delayed", why=address_record.why, since=address_record.since, until=until, hint=DELAYED)
    return MailState(state="ok", why="", since=None, until=None, hint="")


def send_test(user: User) -> Notification:
    """Send a test email. This also resumes other mail until the next bounce."""
    rate_limits.count_attempt("mailbox", user.email, "test_mail")
    now = timezone.now()
    with transaction.atomic():
        clear(user.email)
        notification = Notification(user=user, kind=NotificationKind.TEST_MAIL, created_at=now, due_at=now)
        outbox.add([notification])
    return notification

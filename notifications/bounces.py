"""Handle bounces: update the notification and stop or delay mail to its address.

The return address in the envelope is signed, so nobody can stop another user's mail with a forged bounce report.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.profile import profile_section
from accounts.shapes import MailState
from core import rate_limits
from notifications import outbox, smtp_replies
from notifications.models import BouncingAddress, Delivery, Notification, NotificationKind
from notifications.smtp_replies import Fate, Report

FIRST_PAUSE = timedelta(hours=1)
LONGEST_PAUSE = timedelta(days=1)
MOST_DOUBLINGS = 10
MOST_BOUNCES = 6
BOUNCING_FOR = timedelta(days=3)
"""Mail to an address stops after MOST_BOUNCES soft bounces over at least this period."""
FORGOTTEN_AFTER = timedelta(days=10)
"""The count restarts after this long without a bounce."""
ARRIVED = (Delivery.SENT, Delivery.DELIVERED)
EVENTS = {"delivered": Fate.DELIVERED, "deferred": Fate.DELAYED, "complained": Fate.HARD}
REFUSALS = {"bounced", "rejected", "failed"}
STOPPED = "Fix your mailbox and request a test email (POST /me/test-mail), or use another address."
DELAYED = "We'll try again then. If you've fixed the problem, request a test email (POST /me/test-mail)."
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
    """Handle a mail provider's report about a notification or, if that is unknown, about an address. `kind` and
    `reason` are django-anymail's event type and reject reason, and `why` is the other server's text."""
    report = event_report(kind, why, reason)
    if report is None:
        return
    if notification_id is not None:
        note(notification_id, report, address=address)
    elif address and report.fate in (Fate.SOFT, Fate.HARD):
        note_at_address(User.objects.normalize_email(address), report, at)


@transaction.atomic
def note_at_address(email: str, report: Report, at: datetime | None) -> None:
    user = User.objects.filter(email=email).first()
    if at is None or not fixed_after(at, email, user.email_confirmed_at if user else None):
        note_trouble(email, report, timezone.now())


def event_report(kind: str, why: str, reason: str) -> Report | None:
    if kind in EVENTS:
        return Report(EVENTS[kind], COMPLAINT if kind == "complained" else smtp_replies.tidy(why))
    if kind not in REFUSALS:
        return None
    fate = smtp_replies.severity("", why) if why else Fate.SOFT
    if reason == "invalid" or (reason == "bounced" and not smtp_replies.has_status(why)):
        fate = Fate.HARD
    return Report(fate, smtp_replies.tidy(why) or f"The email was {kind}.")


@transaction.atomic
def note(notification_id: int, report: Report, *, address: str = "", has_moved_on: bool = False) -> None:
    """Record a report about a notification. `address` is where the email went, if known. If the user has a different
    address now, the report doesn't affect it."""
    notification = (
        Notification.objects.select_for_update(of=("self",)).select_related("user").filter(pk=notification_id).first()
    )
    if notification is None or notification.delivery not in (*ARRIVED, Delivery.SENDING):
        return
    has_moved_on |= bool(address) and User.objects.normalize_email(address) != notification.address
    match report.fate:
        case Fate.DELIVERED:
            note_delivered(notification, has_moved_on=has_moved_on)
        case Fate.DELAYED:
            change(notification, why=f"Delayed: {report.why}"[:200])
        case Fate.SOFT | Fate.HARD:
            note_bounce(notification, report, has_moved_on=has_moved_on)


def note_delivered(notification: Notification, *, has_moved_on: bool) -> None:
    change(notification, delivery=Delivery.DELIVERED, why="")
    before = notification.sent_at or timezone.now()
    if not has_moved_on:
        BouncingAddress.objects.filter(email=notification.address, bounced_at__lte=before).update(**no_trouble())


def note_bounce(notification: Notification, report: Report, *, has_moved_on: bool) -> None:
    """Record a bounce. After a soft bounce, the email is sent again later if it still matters by then."""
    change(notification, delivery=Delivery.BOUNCED, why=f"Bounced: {report.why}"[:200])
    if not has_moved_on and not is_outdated(notification):
        trouble = note_trouble(notification.address, report, timezone.now())
        if not trouble.is_stopped:
            change(notification, delivery=Delivery.QUEUED, due_at=trouble.quiet_until, tries=0)


def change(notification: Notification, **fields: object) -> None:
    """Update a notification, unless a worker is sending it. In that case, only its address records the bounce."""
    if notification.delivery != Delivery.SENDING:
        Notification.objects.filter(pk=notification.pk).update(**fields)


def is_outdated(notification: Notification) -> bool:
    """Return whether the email was sent before the user confirmed their current address."""
    confirmed = notification.user.email_confirmed_at if notification.user and not notification.email else None
    return notification.sent_at is not None and fixed_after(notification.sent_at, notification.address, confirmed)


def fixed_after(moment: datetime, email: str, confirmed: datetime | None) -> bool:
    trouble = BouncingAddress.objects.filter(email=email).first()
    cleared = trouble.cleared_at if trouble else None
    return any(later is not None and moment < later for later in (confirmed, cleared))


def note_trouble(email: str, report: Report, now: datetime) -> BouncingAddress:
    BouncingAddress.objects.get_or_create(email=email)
    trouble = BouncingAddress.objects.select_for_update().get(email=email)
    if trouble.bounced_at is None or now - trouble.bounced_at > FORGOTTEN_AFTER:
        trouble.since, trouble.bounces = None, 0
    trouble.since = trouble.since or now
    trouble.bounces += 1
    trouble.bounced_at, trouble.why = now, report.why[:200]
    trouble.quiet_until = now + min(FIRST_PAUSE * 2 ** min(trouble.bounces - 1, MOST_DOUBLINGS), LONGEST_PAUSE)
    lasting = trouble.bounces >= MOST_BOUNCES and now - trouble.since >= BOUNCING_FOR
    trouble.is_stopped = trouble.is_stopped or report.fate == Fate.HARD or lasting
    trouble.save()
    return trouble


def note_refused(email: str, said: str) -> BouncingAddress | None:
    """Record that the server rejected the address while we were sending. Only problems with the address or its
    mailbox count; others may be our own fault."""
    fate = smtp_replies.severity("", said)
    if fate == Fate.HARD or smtp_replies.is_full("", said):
        return note_trouble(email, Report(fate, smtp_replies.tidy(said)), timezone.now())
    return None


def clear(email: str) -> None:
    """Forget earlier bounces: the owner confirmed that email arrives, or wants to try again."""
    BouncingAddress.objects.filter(email=email).update(**no_trouble(), cleared_at=timezone.now())


def no_trouble() -> dict[str, object]:
    return {"is_stopped": False, "why": "", "since": None, "bounces": 0, "bounced_at": None, "quiet_until": None}


@profile_section("mail")
def state_of(user: User) -> MailState:
    trouble = BouncingAddress.objects.filter(email=user.email).first()
    if trouble and trouble.is_stopped:
        return MailState(state="stopped", why=trouble.why, since=trouble.since, until=None, hint=STOPPED)
    if trouble and trouble.quiet_until and trouble.quiet_until > timezone.now():
        until = trouble.quiet_until
        return MailState(state="delayed", why=trouble.why, since=trouble.since, until=until, hint=DELAYED)
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

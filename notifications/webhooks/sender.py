"""Make due webhook calls, several at a time, outside of any transaction.

Each player gets only a share of the calls in progress, and so do all slow hosts together, so that nobody waits for
another player's slow host. A process runs one round of calls at a time, so that mail and the clock always find a free
worker. The mail frequency doesn't apply to webhooks, but muted matches and quiet hours do. Outdated notifications are
skipped.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from django.db.models import prefetch_related_objects
from django.utils import timezone

from core.jobs import Claim, IsOver, worker
from notifications import outbox
from notifications.context import Context, NothingToSay, load
from notifications.models import NotificationKind, WebhookCall
from notifications.policy import Send, Suppress, Wait, quiet_until, reason_if_outdated
from notifications.webhooks import calls, hosts, http, signed_payload, targets
from notifications.webhooks.calls import QUEUE, Result
from notifications.webhooks.hosts import QUICK
from notifications.webhooks.http import Answer, NotTaken
from notifications.webhooks.shares import AT_ONCE, MOST_AT_ONCE, Shares
from notifications.webhooks.targets import Target

logger = logging.getLogger(__name__)

LOOK_AGAIN = 0.25
"""Seconds between checks for new calls while others are in progress."""


@dataclass(frozen=True)
class Outgoing:
    target: Target
    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True)
class CallInProgress:
    """A call in progress."""

    call: WebhookCall
    token: str
    answer: Future[tuple[Answer, float]]
    may_crash: bool
    began: float

    @property
    def hangs(self) -> bool:
        return time.monotonic() - self.began > QUICK


@worker(outbox.WEBHOOKS, longest=60)
def deliver_due(is_over: IsOver = lambda: False) -> None:
    """Make all due calls, including those that become due in the meantime."""
    in_progress: list[CallInProgress] = []
    with ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="webhook") as pool:
        while True:
            if not is_over():
                calls.make_all()
                start_due(in_progress, pool)
            if not in_progress:
                return
            done, _ = wait([current.answer for current in in_progress], LOOK_AGAIN, FIRST_COMPLETED)
            for current in in_progress:
                if current.answer in done:
                    note(current)
            in_progress = [current for current in in_progress if current.answer not in done]
            note_hanging(in_progress)


def start_due(in_progress: list[CallInProgress], pool: ThreadPoolExecutor) -> None:
    """Start due calls while there is room, and release those that exceed a share.

    A call that may crash the worker is made on its own.
    """
    while room := room_beside(in_progress):
        if in_progress and (in_progress[0].may_crash or QUEUE.has_left_behind(timezone.now())):
            return
        claim = QUEUE.claim(timezone.now(), room, Shares(in_progress).query)
        if claim is None:
            return
        prefetch_related_objects(claim.jobs, "webhook__user", "webhook__host")
        chosen = within_shares(claim.jobs, in_progress)
        QUEUE.release(claim.token, [call.pk for call in claim.jobs if call not in chosen])
        in_progress += started(chosen, claim, pool)


def room_beside(in_progress: Sequence[CallInProgress]) -> int:
    """Return how many calls may be started. Hosts that used to be quick and suddenly hang leave room for others."""
    return min(AT_ONCE - sum(not current.hangs for current in in_progress), MOST_AT_ONCE - len(in_progress))


def note_hanging(in_progress: Sequence[CallInProgress]) -> None:
    for current in in_progress:
        if current.hangs and current.call.webhook.host.is_quick:
            hosts.note_hanging(current.call.webhook.host)


def within_shares(claimed: Sequence[WebhookCall], in_progress: Sequence[CallInProgress]) -> list[WebhookCall]:
    """Return the calls that can be made without any player or the slow hosts exceeding their share."""
    shares, chosen = Shares(in_progress), list[WebhookCall]()
    for call in claimed:
        if shares.has_room_for(call):
            shares.add(call, time.monotonic())
            chosen.append(call)
    return chosen


def started(
    chosen: Sequence[WebhookCall], claim: Claim[WebhookCall], pool: ThreadPoolExecutor
) -> Iterator[CallInProgress]:
    """Start the chosen calls. Calls that can't be made are recorded immediately."""
    for call, context in with_contexts(chosen):
        if call in claim.exhausted:
            calls.note(call, claim.token, NotTaken("Every attempt to call it was interrupted.", again=False))
            continue
        written = prepare(call, context)
        if isinstance(written, Outgoing):
            yield CallInProgress(call, claim.token, pool.submit(timed, written), claim.may_crash, time.monotonic())
        else:
            calls.note(call, claim.token, written)


def note(current: CallInProgress) -> None:
    answer, seconds = current.answer.result()
    calls.note(current.call, current.token, answer)
    hosts.note(current.call.webhook.host_id, answer, seconds, timezone.now())


def with_contexts(claimed: Sequence[WebhookCall]) -> list[tuple[WebhookCall, Context | None]]:
    found = {
        context.notification.pk: context
        for context in load([each.notification_id for each in claimed if each.notification_id])
    }
    return [(call, found.get(call.notification_id or 0)) for call in claimed]


def prepare(call: WebhookCall, context: Context | None) -> Outgoing | Result:
    try:
        if context and not isinstance(decision := decide(call, context), Send):
            return decision
        content = signed_payload.of_notification(call, context) if context else signed_payload.of_test(call)
        target = targets.read(call.webhook.url)
        return Outgoing(target, content, signed_payload.headers(call.webhook, call, content, int(time.time())))
    except NothingToSay as reason:
        return Suppress(str(reason))
    except Exception as error:
        logger.exception("Couldn't write %s", call)
        return NotTaken(f"Turnpost couldn't write this call ({type(error).__name__}).")


def timed(outgoing: Outgoing) -> tuple[Answer, float]:
    start = time.monotonic()
    return send(outgoing), time.monotonic() - start


def send(outgoing: Outgoing) -> Answer:
    """Make the call. An unexpected error affects only this call."""
    try:
        return http.post(outgoing.target, outgoing.body, outgoing.headers)
    except Exception as error:
        logger.exception("Unexpected error in a webhook call")
        return NotTaken(f"Turnpost couldn't make this call ({type(error).__name__}).")


def decide(call: WebhookCall, context: Context) -> Send | Suppress | Wait:
    if why := reason_by_preferences(call, context) or reason_if_outdated(context):
        return Suppress(why)
    if until := quiet_until(call.webhook.user, context.now):
        return Wait(until, "Waiting for the end of your quiet hours.")
    return Send()


def reason_by_preferences(call: WebhookCall, context: Context) -> str:
    user, seat = call.webhook.user, context.seat
    if call.webhook.disabled_at:
        return "The webhook is off."
    if not user.is_active:
        return "The account is closed."
    if seat and seat.is_muted:
        return "You muted this match."
    if context.notification.kind == NotificationKind.REMINDER and not user.remind_at:
        return "You turned off reminders."
    return ""

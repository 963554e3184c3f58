"""From a due webhook call to the answer of the other side, outside any transaction, several at once.

A slow host holds up nobody else for long: each call has a few seconds, and only one round of calls is under way in a
process, so that mail and clock always find a free worker. Webhooks are a channel of their own: how often mail comes
does not matter to them. But what is too late for a mail is too late for them as well, a muted match is silent, and in
quiet hours they wait.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from django.db.models import prefetch_related_objects

from core.jobs import Claim, IsOver, worker
from notifications import outbox
from notifications.context import Context, NothingToSay, load
from notifications.models import NotificationKind, WebhookCall
from notifications.policy import Send, Suppress, Wait, quiet_until, reason_it_is_too_late
from notifications.webhooks import calls, http, signed_payload, targets
from notifications.webhooks.calls import QUEUE, Result
from notifications.webhooks.http import Answer, NotTaken
from notifications.webhooks.targets import Target

logger = logging.getLogger(__name__)

AT_ONCE = 16


@dataclass(frozen=True)
class Outgoing:
    """A call as it goes out."""

    target: Target
    body: bytes
    headers: dict[str, str]


@worker(outbox.WEBHOOKS, longest=60)
def deliver_due(is_over: IsOver = lambda: False) -> None:
    """Make all calls that are due."""
    calls.make_all()
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="webhook") as pool:
        for claim in QUEUE.claims(is_over, AT_ONCE):
            for call, result in results(claim, pool):
                calls.note(call, claim.token, result)
            calls.make_all()


def results(claim: Claim[WebhookCall], pool: ThreadPoolExecutor) -> Iterator[tuple[WebhookCall, Result]]:
    ready: list[tuple[WebhookCall, Outgoing]] = []
    for call in claim.exhausted:
        yield call, NotTaken("It could not be called: each attempt ended on the way.", again=False)
    for call, context in with_contexts([call for call in claim.jobs if call not in claim.exhausted]):
        written = prepare(call, context)
        if isinstance(written, Outgoing):
            ready.append((call, written))
        else:
            yield call, written
    answers = pool.map(send, [outgoing for _, outgoing in ready])
    yield from zip([call for call, _ in ready], answers, strict=True)


def with_contexts(claimed: Sequence[WebhookCall]) -> list[tuple[WebhookCall, Context | None]]:
    prefetch_related_objects(claimed, "webhook__user")
    found = {
        context.notification.pk: context
        for context in load([each.notification_id for each in claimed if each.notification_id])
    }
    return [(call, found.get(call.notification_id or 0)) for call in claimed]


def prepare(call: WebhookCall, context: Context | None) -> Outgoing | Result:
    try:
        if context and not isinstance(decision := judge(call, context), Send):
            return decision
        content = signed_payload.of_notification(call, context) if context else signed_payload.of_test(call)
        target = targets.read(call.webhook.url)
        return Outgoing(target, content, signed_payload.headers(call.webhook, call, content, int(time.time())))
    except NothingToSay as reason:
        return Suppress(str(reason))
    except Exception as error:
        logger.exception("%s cannot be written", call)
        return NotTaken(f"It could not be written: {type(error).__name__}.")


def send(outgoing: Outgoing) -> Answer:
    """What http.post does not foresee is the trouble of this call alone."""
    try:
        return http.post(outgoing.target, outgoing.body, outgoing.headers)
    except Exception as error:
        logger.exception("A call failed in a way that nobody foresaw")
        return NotTaken(f"It could not be called: {type(error).__name__}.")


def judge(call: WebhookCall, context: Context) -> Send | Suppress | Wait:
    if why := reason_to_be_silent(call, context) or reason_it_is_too_late(context):
        return Suppress(why)
    if until := quiet_until(call.webhook.user, context.now):
        return Wait(until, "These are your quiet hours.")
    return Send()


def reason_to_be_silent(call: WebhookCall, context: Context) -> str:
    user, seat = call.webhook.user, context.seat
    if call.webhook.disabled_at:
        return "The webhook is off."
    if not user.is_active:
        return "The account is closed."
    if seat and seat.is_muted:
        return "You muted this match."
    if context.notification.kind == NotificationKind.REMINDER and not user.remind_at:
        return "You asked for no reminders."
    return ""

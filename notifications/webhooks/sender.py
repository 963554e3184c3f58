"""From a due call to the answer of the other side, outside any transaction, several at once.

A side that is slow holds up nobody else for long: each call has a few seconds, and only one round of calls is under way
in a process, so that mail and clock always find a free worker.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from django.utils import timezone

from core import vault
from core.jobs.single_flight import Rounds
from notifications.context import Context, NothingToSay, load
from notifications.models import WebhookCall
from notifications.policy import Send, Suppress
from notifications.webhooks import body, calls, http, urls
from notifications.webhooks.calls import Claim, Result
from notifications.webhooks.http import Answer, NotTaken
from notifications.webhooks.policy import judge
from notifications.webhooks.urls import Place

logger = logging.getLogger(__name__)

AT_ONCE = 16
_rounds = Rounds(longest=60)


@dataclass(frozen=True)
class Outgoing:
    """A call as it goes out."""

    place: Place
    body: bytes
    headers: dict[str, str]


def deliver_due(is_stopping: Callable[[], bool] = lambda: False) -> None:
    """Makes all calls that are due, unless somebody in this process does so already."""
    _rounds.run(make_round, is_stopping)


def make_round(is_over: Callable[[], bool]) -> None:
    calls.make_all()
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="webhook") as pool:
        while not is_over() and (claim := calls.claim(timezone.now(), AT_ONCE)):
            for call, result in results(claim, pool):
                calls.note(call, result)
            calls.make_all()


def results(claim: Claim, pool: ThreadPoolExecutor) -> Iterator[tuple[WebhookCall, Result]]:
    ready: list[tuple[WebhookCall, Outgoing]] = []
    for call, occasion in with_occasions(claim.calls):
        written = prepare(call, occasion)
        if isinstance(written, Outgoing):
            ready.append((call, written))
        else:
            yield call, written
    answers = pool.map(send, [outgoing for _, outgoing in ready])
    yield from zip([call for call, _ in ready], answers, strict=True)


def with_occasions(claimed: Sequence[WebhookCall]) -> list[tuple[WebhookCall, Context | None]]:
    found = {occasion.notice.pk: occasion for occasion in load([call.notice_id for call in claimed if call.notice_id])}
    return [(call, found.get(call.notice_id or 0)) for call in claimed]


def prepare(call: WebhookCall, occasion: Context | None) -> Outgoing | Result:
    if call.tries > calls.MOST_TRIES:
        return NotTaken("It could not be called: each attempt ended on the way.", again=False)
    try:
        if occasion and not isinstance(verdict := judge(call, occasion), Send):
            return verdict
        content = body.of_notice(call, occasion) if occasion else body.of_test(call)
        where = urls.read(vault.unlock(call.webhook.locked_url).decode())
        return Outgoing(where, content, body.headers(call.webhook, call, content, int(time.time())))
    except NothingToSay as reason:
        return Suppress(str(reason))
    except Exception as error:
        logger.exception("%s cannot be written", call)
        return NotTaken(f"It could not be written: {type(error).__name__}.")


def send(outgoing: Outgoing) -> Answer:
    """What wire does not foresee is the trouble of this call alone."""
    try:
        return http.post(outgoing.place, outgoing.body, outgoing.headers)
    except Exception as error:
        logger.exception("A call failed in a way that nobody foresaw")
        return NotTaken(f"It could not be called: {type(error).__name__}.")

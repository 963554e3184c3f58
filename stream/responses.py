"""The response to a request for the stream, which contains the events so far.

A web process sends it and closes the connection, so streams never occupy its threads. Clients reconnect after a few
seconds. The stream server (stream.server) keeps the connection open after sending it.
"""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from accounts.models import BrowserSession, Token
from stream import store
from stream.cursors import number_behind
from stream.formats import SIGNALS, Format, connected, presented
from stream.models import StreamEvent

STAYS_OPEN = "turnpost.stays_open"
"""Marks a request to the stream server, which keeps the connection open."""


@dataclass(frozen=True)
class Subscription:
    """The events that a connection gets, and the token or browser session that it depends on."""

    user_id: int
    credential: tuple[type[Token] | type[BrowserSession], str]
    format: Format
    match: str = ""
    """The ID of the match whose events are sent, or an empty string for all matches."""

    def wants(self, event: StreamEvent) -> bool:
        return self.match in ("", event.match)


class StreamResponse(HttpResponse):
    def __init__(self, subscription: Subscription, number: int, events: bytes, *, is_whole: bool = True) -> None:
        """Create a response.

        If the events are useless without those that follow (`is_whole` is False), a web process tells the client not to
        come back.
        """
        content, status = (events, 200) if is_whole else (b"", 204)
        super().__init__(content, status=status, content_type=subscription.format.media_type)
        self.subscription = subscription
        self.events = events
        self.number = number
        """The number of the last event."""
        self.headers["Cache-Control"] = "no-store, no-transform"
        self.headers["X-Accel-Buffering"] = "no"


def events_so_far(subscription: Subscription, after: str | None) -> StreamResponse:
    """Return the events after a cursor, or none if there is no cursor."""
    store.number_new()
    user, form = subscription.user_id, subscription.format
    if after is None:
        last = store.last_event(user)
        return StreamResponse(subscription, (last and last.number) or 0, form.written(connected(last)))
    number = number_behind(user, after)
    last = StreamEvent.objects.filter(user=user, number=number).first()
    events = store.events_after(user, number)
    content = [form.written(connected(last)), *(form.written(presented(event)) for event in events)]
    return StreamResponse(subscription, (events[-1].number or 0) if events else number, b"".join(content))


def signals(request: HttpRequest, session: BrowserSession, match_id: str) -> StreamResponse:
    """Return a response for the page of a match. If a web process sends it, the page keeps polling."""
    store.number_new()
    user_id = session.user_id
    subscription = Subscription(user_id, (BrowserSession, session.digest), SIGNALS, match_id)
    last = store.last_event(user_id)
    content = SIGNALS.written(connected(last))
    return StreamResponse(subscription, (last and last.number) or 0, content, is_whole=STAYS_OPEN in request.META)

"""Deliver new events to the open streams of this process.

One thread waits for wake-ups. It numbers new events, reads them, and passes them to the event loop. Before it delivers
anything, it ends the streams of revoked tokens and sessions.
"""

import asyncio
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.models import Q
from django.utils import timezone

from accounts.models import BrowserSession, Token
from core.refusals import TooMany
from stream import store
from stream.formats import Format, presented
from stream.models import StreamEvent
from stream.responses import Subscription
from stream.wakeup import CHANNEL, listening_here

logger = logging.getLogger(__name__)

POLL_SECONDS = 1.0
"""The number of seconds between checks for new events without a wake-up."""
CHECK_SECONDS = 5.0
"""The number of seconds between checks for revoked tokens and sessions."""
HEARTBEAT_SECONDS = 15.0
MOST_PER_USER = 20
MOST_WAITING = 1000
"""The number of events that a client may be behind before it is disconnected. It can continue with its cursor."""
RETRY_AFTER = 10


class Follower:
    """An open stream, the events that it still has to send, and whether it should end. Used only in the event loop."""

    def __init__(self, subscription: Subscription) -> None:
        self.subscription = subscription
        self.is_over = False
        self._waiting: list[StreamEvent] = []
        self._news = asyncio.Event()

    def add(self, event: StreamEvent) -> None:
        self._waiting.append(event)
        if len(self._waiting) > MOST_WAITING:
            self.end()
        self._news.set()

    def beat(self) -> None:
        self._news.set()

    def end(self) -> None:
        self.is_over = True
        self._news.set()

    async def next_events(self) -> list[StreamEvent]:
        """Wait for events. An empty list is a heartbeat, or the end of the stream."""
        await self._news.wait()
        self._news.clear()
        events, self._waiting = self._waiting, []
        return events


class Hub:
    def __init__(self) -> None:
        self._followers: dict[int, set[Follower]] = defaultdict(set)
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._woken = threading.Event()
        self._position = 0
        self._checked = 0.0
        self._thread = threading.Thread(target=self._run, name="stream-feeder", daemon=True)

    def start(self) -> None:
        """Start in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._beating = self._loop.create_task(self._beat())
        listening_here.add(self._woken)
        self._thread.start()

    async def stop(self) -> None:
        """End all streams and the thread."""
        self._stopping.set()
        self._woken.set()
        self._beating.cancel()
        for follower in self._all():
            follower.end()
        await asyncio.to_thread(self._thread.join)

    def join(self, subscription: Subscription) -> Follower:
        with self._lock:
            if len(self._followers.get(subscription.user_id, ())) >= MOST_PER_USER:
                raise too_many(f"You already have {MOST_PER_USER} open streams.", "Close one of them.")
            if sum(map(len, self._followers.values())) >= settings.MOST_STREAMS:
                raise too_many("The server has no room for another stream.", "Try again later.")
            follower = Follower(subscription)
            self._followers[subscription.user_id].add(follower)
        return follower

    def leave(self, follower: Follower) -> None:
        user = follower.subscription.user_id
        with self._lock:
            self._followers[user].discard(follower)
            if not self._followers[user]:
                del self._followers[user]

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> list[Follower]:
        with self._lock:
            return [follower for theirs in self._followers.values() for follower in theirs]

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for follower in self._all():
                follower.beat()

    def _run(self) -> None:
        """Deliver events until the hub stops. If the database fails, events are only delayed."""
        listener: Any = None
        while not self._stopping.is_set():
            try:
                listener = listener or listening_connection()
                self._feed()
                self._check()
                self._wait(listener)
            except (DatabaseError, psycopg.Error) as error:
                logger.warning("Event streams are waiting for the database (%s).", error)
                if listener:
                    listener.close()
                listener = None
                connections.close_all()
                self._stopping.wait(POLL_SECONDS)
        if listener:
            listener.close()
        connections.close_all()

    def _wait(self, listener: Any) -> None:
        if listener:
            for _ in listener.notifies(timeout=POLL_SECONDS, stop_after=1):
                pass
        else:
            self._woken.wait(POLL_SECONDS)
            self._woken.clear()

    def _feed(self) -> None:
        """Deliver new events. Streams that begin later read the events before `latest` themselves."""
        latest = store.last_position()
        with self._lock:
            anybody = bool(self._followers)
        if not anybody:
            self._position = latest
            return
        store.number_new()
        while events := store.events_of_all_after(self._position):
            self._position = events[-1].position or 0
            with self._lock:
                concerned = [follower for event in events for follower in self._followers.get(event.user_id, ())]
            self._end_revoked(concerned)
            self._loop.call_soon_threadsafe(self._deliver, events)

    def _deliver(self, events: Iterable[StreamEvent]) -> None:
        for event in events:
            for follower in tuple(self._followers.get(event.user_id, ())):
                if not follower.is_over and follower.subscription.wants(event):
                    follower.add(event)

    def _check(self) -> None:
        if time.monotonic() - self._checked >= CHECK_SECONDS:
            self._checked = time.monotonic()
            self._end_revoked(self._all())

    def _end_revoked(self, followers: Iterable[Follower]) -> None:
        used = {follower.subscription.credential for follower in followers}
        revoked = used - valid(used)
        for follower in followers:
            if follower.subscription.credential in revoked:
                self._loop.call_soon_threadsafe(follower.end)


def valid(credentials: set[tuple[type[Token] | type[BrowserSession], str]]) -> set[tuple[Any, str]]:
    """Return the credentials that are still valid for logging in."""
    now = timezone.now()
    tokens = [digest for model, digest in credentials if model is Token]
    sessions = [digest for model, digest in credentials if model is BrowserSession]
    found: set[tuple[Any, str]] = set()
    if tokens:
        lasting = Q(expiry__isnull=True) | Q(expiry__gt=now)
        known = Token.objects.filter(lasting, pk__in=tokens, user__is_active=True)
        found |= {(Token, digest) for digest in known.values_list("pk", flat=True)}
    if sessions:
        open_ones = BrowserSession.objects.filter(pk__in=sessions, expires_at__gt=now, user__is_active=True)
        found |= {(BrowserSession, digest) for digest in open_ones.values_list("pk", flat=True)}
    return found


def too_many(message: str, hint: str) -> TooMany:
    return TooMany("too_many_streams", message, hint, retry_after=RETRY_AFTER)


def listening_connection() -> Any:
    """Return a connection that receives wake-ups from all processes. Return None if only this process sends any."""
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor != "postgresql":
        return None
    parameters = database.get_connection_params()
    for name in ("context", "cursor_factory", "server_side_binding"):
        parameters.pop(name, None)
    listener = psycopg.connect(**parameters, autocommit=True)
    listener.execute(f"LISTEN {CHANNEL}")
    return listener


def written(event: StreamEvent, form: Format) -> bytes:
    """Write an event in a format, and reuse the result for all other streams in that format."""
    cache: dict[Format, bytes] = event.__dict__.setdefault("_written", {})
    if form not in cache:
        cache[form] = form.written(presented(event))
    return cache[form]

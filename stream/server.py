"""An ASGI application that keeps streams open without occupying threads.

Each request passes through Django like any other, in one of a few threads. If the response is a StreamResponse, the
event loop continues it with new events.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

from django.core import signals
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.base import BaseHandler
from django.db import DatabaseError, close_old_connections
from django.http import Http404, HttpResponseBase
from django.urls import set_script_prefix

from core.problems import problem_of
from core.refusals import Refused
from stream import store
from stream.hub import Follower, Hub, valid, written
from stream.models import StreamEvent
from stream.responses import STAYS_OPEN, StreamResponse, Subscription

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
STREAMS = re.compile(r"/api/v1/stream|/matches/[^/]+/stream")
MONITORING = {"/healthz", "/readyz"}
"""The paths that this process serves besides streams. Everything else belongs to the web processes."""
THREADS = 4


class StreamServer:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._handler = BaseHandler()
        self._handler.load_middleware()
        self._threads = ThreadPoolExecutor(THREADS, "stream-request")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError("The stream server speaks only HTTP.")
        response = await self._in_thread(self._respond, scope)
        if not isinstance(response, StreamResponse):
            await send_whole(response, send)
            return
        try:
            follower = self._hub.join(response.subscription)
        except Refused as refused:
            await send_whole(refusal(refused), send)
            return
        leaving = asyncio.ensure_future(end_when_disconnected(receive, follower))
        try:
            await self._follow(response, follower, send)
        except DatabaseError as error:
            logger.warning("Ended a stream because its events could not be read (%s).", error)
        finally:
            leaving.cancel()
            self._hub.leave(follower)

    def _respond(self, scope: Scope) -> HttpResponseBase:
        set_script_prefix("")
        signals.request_started.send(type(self), scope=scope)
        response = refusal(Http404())
        try:
            if STREAMS.fullmatch(scope["path"]) or scope["path"] in MONITORING:
                request = ASGIRequest(scope, BytesIO())
                request.META[STAYS_OPEN] = True
                response = self._handler.get_response(request)
        finally:
            response.close()  # Also sends request_finished, which closes old database connections.
        return response

    async def _follow(self, response: StreamResponse, follower: Follower, send: Send) -> None:
        """Send the events so far, then those that were committed before the hub knew about this stream, and then new
        ones."""
        subscription, number = response.subscription, response.number
        await send({"type": "http.response.start", "status": 200, "headers": raw_headers(response)})
        await send_part(response.events, send)
        while missed := await self._in_thread(missed_events, subscription.user_id, number):
            number = missed[-1].number or number
            if not await self._in_thread(is_valid, subscription):
                follower.end()
                break
            await send_part(joined(missed, follower), send)
        while not follower.is_over:
            events = [event for event in await follower.next_events() if (event.number or 0) > number]
            if events:
                number = events[-1].number or number
                await send_part(joined(events, follower), send)
            elif not follower.is_over:
                await send_part(subscription.format.heartbeat, send)
        await send({"type": "http.response.body", "body": b""})

    async def _in_thread(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *arguments)


def missed_events(user_id: int, number: int) -> list[StreamEvent]:
    try:
        return store.events_after(user_id, number)
    finally:
        close_old_connections()


def is_valid(subscription: Subscription) -> bool:
    try:
        return bool(valid({subscription.credential}))
    finally:
        close_old_connections()


def joined(events: list[StreamEvent], follower: Follower) -> bytes:
    subscription = follower.subscription
    return b"".join(written(event, subscription.format) for event in events if subscription.wants(event))


async def end_when_disconnected(receive: Receive, follower: Follower) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    follower.end()


def refusal(error: Refused | Http404) -> HttpResponseBase:
    problem: Any = problem_of(error)
    response: HttpResponseBase = problem.as_json()
    return response


def raw_headers(response: HttpResponseBase) -> list[tuple[bytes, bytes]]:
    cookies = [("Set-Cookie", cookie.OutputString()) for cookie in response.cookies.values()]
    pairs = [(name, value) for name, value in response.headers.items() if name != "Content-Length"]
    return [(name.lower().encode("ascii"), value.encode("latin-1")) for name, value in [*pairs, *cookies]]


async def send_whole(response: HttpResponseBase, send: Send) -> None:
    await send({"type": "http.response.start", "status": response.status_code, "headers": raw_headers(response)})
    await send({"type": "http.response.body", "body": getattr(response, "content", b"")})


async def send_part(body: bytes, send: Send) -> None:
    if body:
        await send({"type": "http.response.body", "body": body, "more_body": True})

"""Run the whole service in one process: web server, event streams, worker, beat and, optionally, an SMTP listener."""

import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from config.celery import app
from config.wsgi import application
from core.jobs.celery_runtime import EmbeddedBeat, EmbeddedWorker
from core.web_server import WebServer
from inbound.smtp_server import ListenAddress, Listener
from stream.listening import EmbeddedStreams, allow_many_connections

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Options:
    host: str
    port: int
    threads: int
    """The number of threads for requests."""
    senders: int
    """The number of threads for tasks. With 0, the process only serves web requests."""
    mail_port: int = 0
    """The port for incoming emails on the same host. With 0, the process does not receive emails."""


class CannotListen(Exception):
    """Raised if the port is in use, or if the address does not belong to this machine."""


def serve(options: Options, when_ready: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT, then finish open requests and running tasks before returning."""
    with ExitStack() as running:
        allow_many_connections()
        streams = EmbeddedStreams()
        web = web_server(options, streams)
        stop_with_signals(web)
        streams.launch()
        running.callback(streams.halt)
        if options.senders:
            for part in (EmbeddedWorker(app, options.senders), EmbeddedBeat(app)):
                part.launch()
                running.callback(part.halt)
        if options.mail_port:
            listener = Listener(ListenAddress(options.host, options.mail_port))
            with listening_at(options.host, options.mail_port):
                listener.launch()
            running.callback(listener.halt)
        when_ready()
        logger.info("Listening on http://%s:%s", options.host, options.port)
        web.run()
        logger.info("Stopping")


def web_server(options: Options, streams: EmbeddedStreams) -> WebServer:
    with listening_at(options.host, options.port):
        return WebServer(
            application,
            host=options.host,
            port=options.port,
            threads=options.threads,
            read_seconds=settings.READ_SECONDS,
            takeover=streams,
            largest_request=settings.CALL_LIMIT if settings.INBOUND_PROVIDERS else settings.PAGE_LIMIT,
            # Django needs these headers. It knows how many proxies to trust, and serves some pages only without a
            # proxy.
            clear_untrusted_proxy_headers=False,
        )


@contextmanager
def listening_at(host: str, port: int) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise CannotListen(f"Cannot listen on {host}:{port}: {getattr(error, 'strerror', error)}.") from error


def stop_with_signals(web: WebServer) -> None:
    """Stop gracefully on the first signal, and immediately on the second."""

    def stop(number: int, _: Any) -> None:
        signal.signal(number, signal.default_int_handler)
        web.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)

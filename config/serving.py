"""Run the whole service in one process: web server, worker, beat and, if wanted, an SMTP listener for replies."""

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

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Options:
    host: str
    port: int
    threads: int
    """The number of threads for requests."""
    senders: int
    """The number of threads for tasks; 0 for a process that only serves the web."""
    mail_port: int = 0
    """The port for incoming emails, on the same host; 0 for none."""


class CannotListen(Exception):
    """Raised if the port is in use, or if the address does not belong to this machine."""


def serve(options: Options, when_ready: Callable[[], None]) -> None:
    """Run until SIGTERM or SIGINT, and then until open requests and running tasks are done."""
    with ExitStack() as running:
        web = web_server(options)
        stop_with_signals(web)
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


def web_server(options: Options) -> WebServer:
    with listening_at(options.host, options.port):
        return WebServer(
            application,
            host=options.host,
            port=options.port,
            threads=options.threads,
            read_seconds=settings.READ_SECONDS,
            largest_request=settings.CALL_LIMIT if settings.INBOUND_PROVIDERS else settings.PAGE_LIMIT,
            # Django knows how many proxies to trust, and hides some pages behind a proxy.
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

"""The whole service in one process: web, worker and beat, and a listener for mail if it is asked for."""

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
from core.web_server import Web
from inbound.smtp_server import ListenAddress, Listener

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Options:
    host: str
    port: int
    threads: int
    """That answer requests."""
    senders: int
    """That run tasks; none on a machine that only serves the web."""
    mail_port: int = 0
    """Where replies are received, on the same host; none if it is 0."""


class CannotListen(Exception):
    """Another program does, or the address is none of this machine's."""


def serve(options: Options, when_ready: Callable[[], None]) -> None:
    """Returns after SIGTERM or SIGINT, when requests and tasks under way are done."""
    with ExitStack() as running:
        web = web_at(options)
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


def web_at(options: Options) -> Web:
    with listening_at(options.host, options.port):
        return Web(
            application,
            host=options.host,
            port=options.port,
            threads=options.threads,
            read_seconds=settings.READ_SECONDS,
            largest_request=settings.CALL_LIMIT if settings.INBOUND_PROVIDERS else settings.PAGE_LIMIT,
            # Django knows how many proxies to trust, and that some pages are for nobody behind a proxy.
            clear_untrusted_proxy_headers=False,
        )


@contextmanager
def listening_at(host: str, port: int) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise CannotListen(f"Port {port} at {host} cannot be used: {getattr(error, 'strerror', error)}.") from error


def stop_with_signals(web: Web) -> None:
    """The first signal is a wish; whoever repeats it does not want to wait."""

    def stop(number: int, _: Any) -> None:
        signal.signal(number, signal.default_int_handler)
        web.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)

"""The whole service in one process: web, worker and beat."""

import logging
import signal
import sys
from contextlib import ExitStack
from dataclasses import dataclass

from django.conf import settings
from waitress.server import create_server

from config.background import Beat, Worker
from config.celery import app
from config.wsgi import application

logger = logging.getLogger(__name__)

LARGEST_REQUEST = 2**20


@dataclass(frozen=True)
class Options:
    host: str
    port: int
    threads: int
    """That answer requests."""
    senders: int
    """That run tasks; none on a machine that only serves the web."""


def serve(options: Options) -> None:
    """Returns after SIGTERM or SIGINT, when requests and tasks under way are done."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with ExitStack() as running:
        server = create_server(
            application,
            host=options.host,
            port=options.port,
            threads=options.threads,
            ident="turnpost",
            max_request_body_size=LARGEST_REQUEST,
            # Django knows how many proxies to trust, and needs to see what they say.
            clear_untrusted_proxy_headers=not settings.TRUSTED_PROXIES,
        )
        running.callback(server.close)
        if options.senders:
            for part in (Worker(app, options.senders), Beat(app)):
                part.launch()
                running.callback(part.halt)
        logger.info("Listening on http://%s:%s", options.host, options.port)
        server.run()
        logger.info("Stopping")

import signal
import sys
import threading
from contextlib import ExitStack, suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.celery import app
from config.preparation import prepare_for_threads
from core.jobs.celery_runtime import EmbeddedWorker
from core.web_server import port
from inbound.smtp_server import ListenAddress, Listener


class Command(BaseCommand):
    help = "Receive replies and bounces from a mail server. A worker processes them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=port, default=2525, help="port to listen on (default: 2525)")
        parser.add_argument("--lmtp", action="store_true", help="speak only LMTP, not SMTP")

    def handle(self, *args: Any, **options: Any) -> None:
        """Listen until SIGTERM or SIGINT, then store the emails that are being received before exiting.

        Without a broker, no other process would know about the emails, so this one also handles them.
        """
        if not settings.REPLY_DOMAIN:
            raise CommandError("Set TURNPOST_REPLY_DOMAIN to the domain whose mail this service receives.")
        prepare_for_threads()
        listener = Listener(ListenAddress(options["host"], options["port"], options["lmtp"]))
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())
        try:
            listener.launch()
        except OSError as error:
            raise CommandError(f"Cannot listen on {options['host']}:{options['port']}: {error}.") from error
        with ExitStack() as running, suppress(KeyboardInterrupt):
            running.callback(listener.halt)
            if settings.CELERY_BROKER_URL.startswith("memory"):
                worker = EmbeddedWorker(app, 1)
                worker.launch()
                running.callback(worker.halt)
            threading.Event().wait()

import signal
import sys
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.web_server import port
from inbound.smtp_server import ListenAddress, Listener


class Command(BaseCommand):
    help = "Receive replies and bounces from a mail server. A worker processes them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=port, default=2525, help="port to listen on (default: 2525)")
        parser.add_argument("--lmtp", action="store_true", help="speak LMTP instead of SMTP")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until SIGTERM or SIGINT, and then until emails in progress have been stored."""
        if not settings.REPLY_DOMAIN:
            raise CommandError("Set TURNPOST_REPLY_DOMAIN to the domain whose mail this service receives.")
        listener = Listener(ListenAddress(options["host"], options["port"], options["lmtp"]))
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())
        try:
            listener.launch()
        except OSError as error:
            raise CommandError(f"Cannot listen on {options['host']}:{options['port']}: {error}.") from error
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            self.stdout.write("")
        finally:
            listener.halt()

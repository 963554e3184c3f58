import signal
import sys
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.web_server import port
from inbound.smtp_server import ListenAddress, Listener


class Command(BaseCommand):
    help = "Listens for the mail server that brings replies and bounces; a worker deals with them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=port, default=2525, help="the port to listen on (2525)")
        parser.add_argument("--lmtp", action="store_true", help="speak LMTP instead of SMTP")

    def handle(self, *args: Any, **options: Any) -> None:
        """Returns after SIGTERM or SIGINT, when what is under way has been kept."""
        if not settings.REPLY_DOMAIN:
            raise CommandError("Set TURNPOST_REPLY_DOMAIN to the domain whose mail comes here.")
        listener = Listener(ListenAddress(options["host"], options["port"], options["lmtp"]))
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())
        try:
            listener.launch()
        except OSError as error:
            raise CommandError(f"Mail cannot be received at {options['host']}:{options['port']}: {error}.") from error
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            self.stdout.write("")
        finally:
            listener.halt()

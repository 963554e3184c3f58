from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.preparation import prepare_for_threads
from core.web_server import port
from stream.listening import serve


class Command(BaseCommand):
    help = "Serve event streams. Web processes answer all other requests."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=port, default=8001, help="port to listen on (default: 8001)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until SIGTERM or SIGINT. Clients then connect to another process, or try again later."""
        host, number = options["host"], options["port"]
        prepare_for_threads()
        try:
            serve(host, number, when_ready=lambda: self.stdout.write(f"Event streams: http://{host}:{number}"))
        except OSError as error:
            raise CommandError(f"Cannot listen on {host}:{number}: {error.strerror}.") from error

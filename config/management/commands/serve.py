import os
import shutil
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from config.serving import CannotListen, Options, serve
from core.health import missing_migrations
from core.old_database import refuse_if_old
from core.web_server import port

GREETING = """
Turnpost is running at {url}
  API docs:       {url}/api/v1/docs"""
WHERE_MAIL_IS = "  outgoing mail:  {url}/mail/ (not actually sent)"
HOW_TO_JOIN = """
To play, in another terminal:
  {turnpost} register --server {url}
  {turnpost} new coloretto --seats 2
  {turnpost} matches open     list the matches you can join
  {turnpost}                  list the matches waiting for you
"""


class Command(BaseCommand):
    help = "Run the whole service in one process: web, mail and clock."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=port, default=8000, help="port to listen on (default: 8000)")
        parser.add_argument("--threads", type=int, default=8, help="threads for requests (default: 8)")
        parser.add_argument("--senders", type=int, default=2, help="threads for mail and the clock (default: 2)")
        parser.add_argument("--web-only", action="store_true", help="handle web requests only; workers run elsewhere")
        parser.add_argument(
            "--mail-port", type=port, default=0, help="also receive replies by SMTP or LMTP on this port"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["web_only"] and settings.CELERY_BROKER_URL.startswith("memory"):
            raise CommandError("--web-only needs Redis or RabbitMQ: set BROKER_URL, or omit --web-only.")
        if options["mail_port"] and not settings.REPLY_DOMAIN:
            raise CommandError("Set TURNPOST_REPLY_DOMAIN to the domain whose mail this service receives.")
        self.prepare_database()
        senders = 0 if options["web_only"] else options["senders"]
        if not settings.URL_IS_GIVEN:
            settings.PUBLIC_URL = f"http://localhost:{options['port']}"
            settings.CSRF_TRUSTED_ORIGINS = [settings.PUBLIC_URL]
        wanted = Options(options["host"], options["port"], options["threads"], senders, options["mail_port"])
        try:
            serve(wanted, when_ready=self.greet)
        except CannotListen as error:
            raise CommandError(f"{error} Choose another port with --port, or: make serve PORT=8001") from error

    def prepare_database(self) -> None:
        """Migrate the embedded database. Operators migrate other databases themselves."""
        refuse_if_old()
        if not missing_migrations():
            return
        if connection.vendor != "sqlite":
            raise CommandError("The database is not up to date. Run: manage.py migrate")
        call_command("migrate", verbosity=0)

    def greet(self) -> None:
        parts = [GREETING, *[WHERE_MAIL_IS] * settings.MAIL_PAGE, HOW_TO_JOIN]
        self.stdout.write("\n".join(parts).format(url=settings.PUBLIC_URL, turnpost=client()))
        self.stdout.flush()  # Otherwise, a log or pipe would get the greeting only when the process ends.


def client() -> str:
    """Return the name of the client if it is on PATH, otherwise the path of the client next to this Python."""
    return "turnpost" if shutil.which("turnpost") else os.path.relpath(Path(sys.executable).with_name("turnpost"))

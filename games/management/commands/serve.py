from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from config.serving import Options, serve


class Command(BaseCommand):
    help = "Runs the whole service in one process: the web, the mail and the clock."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on (8000)")
        parser.add_argument("--threads", type=int, default=8, help="threads that answer requests (8)")
        parser.add_argument("--senders", type=int, default=2, help="threads that send mail and keep the clock (2)")
        parser.add_argument("--web-only", action="store_true", help="only the web: other machines run Celery")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["web_only"] and settings.CELERY_BROKER_URL.startswith("memory"):
            raise CommandError(
                "Others can only hear the bell of a real broker. Set BROKER_URL, or leave --web-only out."
            )
        self.prepare_database()
        senders = 0 if options["web_only"] else options["senders"]
        self.greet()
        serve(Options(options["host"], options["port"], options["threads"], senders))

    def prepare_database(self) -> None:
        """The embedded one is kept up to date; another is changed only by whoever runs it."""
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return
        if connection.vendor != "sqlite":
            raise CommandError("The database is not up to date. Run: manage.py migrate")
        call_command("migrate", verbosity=0)

    def greet(self) -> None:
        self.stdout.write(f"Turnpost is at {settings.PUBLIC_URL}, and its API at {settings.PUBLIC_URL}/api/v1/docs")
        if settings.MAIL_PAGE:
            self.stdout.write(f"Its mail is not sent, but can be read at {settings.PUBLIC_URL}/mail/")

"""Run a temporary embedded service for trying a game. It stops when the process that started it ends."""

import json
import secrets
import sys
import threading
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler, get_internal_wsgi_application
from django.utils import timezone

from accounts.models import Token, User
from games.bots import player
from games.engine.dice import SEED_BYTES, Dice
from games.selectors.loading import load_match

LONG_ENOUGH = timedelta(days=1)


class SilentRequestHandler(WSGIRequestHandler):
    disable_nagle_algorithm = True
    """Nagle's algorithm would delay each response by 40 ms."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing, so that the player sees only the board."""


class Command(BaseCommand):
    help = (
        "Serve a temporary demo on a free local port, and print its URL and a token for each player as JSON. "
        'Answers lines like {"match": "k7m2x9q4a", "seat": 1, "level": "hard", "seconds": 1} with a bot\'s move.'
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("players", nargs="+", help="usernames; all but the first are bots")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        player, *bots = options["players"]
        tokens = [guest(player), *(guest(name, is_bot=True) for name in bots)]
        server = ThreadedWSGIServer(("127.0.0.1", 0), SilentRequestHandler)
        server.set_app(get_internal_wsgi_application())
        self.stdout.write(json.dumps({"url": f"http://127.0.0.1:{server.server_port}", "tokens": tokens}))
        self.stdout.flush()
        threading.Thread(target=self.decide_for_bots, args=[server], daemon=True).start()
        server.serve_forever(poll_interval=0.05)
        server.server_close()

    def decide_for_bots(self, server: ThreadedWSGIServer) -> None:
        """Respond to each line with a move until the caller closes standard input or exits."""
        try:
            for line in sys.stdin:
                self.stdout.write(json.dumps({"move": bot_move(**json.loads(line))}))
                self.stdout.flush()
        finally:
            server.shutdown()


def bot_move(match: str, seat: int, level: str, seconds: float) -> str:
    loaded = load_match(match)
    dice = Dice(secrets.token_bytes(SEED_BYTES))
    move = player(level).decide(loaded.engine, loaded.state, seat, dice, seconds=seconds)
    return loaded.engine.notation(move)


def guest(name: str, *, is_bot: bool = False) -> str:
    """Create an account. A bot's name ends in (bot) wherever it is shown."""
    username, now = name.lower(), timezone.now()
    user = User.objects.create_user(
        username, f"{username}@localhost.localdomain", None, display_name=name, email_confirmed_at=now, is_bot=is_bot
    )
    _, written = Token.objects.create(user, LONG_ENOUGH, name="demo")  # type: ignore[no-untyped-call]
    return str(written)

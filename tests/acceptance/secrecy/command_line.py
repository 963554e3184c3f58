"""The output of the command line, run against the service over HTTP."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from django.core.wsgi import get_wsgi_application
from django.db import connections

from cli.problems import USAGE
from cli.render.style import STYLES
from clock.models import Proposal
from notifications.models import Webhook
from tests.acceptance.secrecy.api import Seen
from tests.acceptance.secrecy.sandbox import Sandbox, Viewer, rolled_back, seed_randomness
from tests.cli.conftest import Machine

ID = "{match}"
READING: dict[str, list[list[str]]] = {
    "status": [[]],
    "next": [["--no-ask"]],
    "board": [[ID, "--no-ask"]],
    "moves": [[ID]],
    "order": [[ID], [ID, "--drop", "1"], [ID, "--resume"]],
    "use": [[ID]],
    "watch": [[ID, "--once"]],
    "log": [[ID]],
    "history": [[ID]],
    "matches": [[], ["open"], ["finished"]],
    "proposals": [[ID]],
    "messages": [[ID]],
    "notes": [[ID]],
    "verify": [[ID]],
    "export": [[ID]],
    "whoami": [[]],
    "webhooks list": [[]],
    "webhooks calls": [["{webhook}"]],
    "notify show": [[]],
    "notify log": [[]],
    "vacation": [[]],
    "games": [[]],
    "rules": [["{game}"]],
}
"""Read-only commands, with their arguments."""
ACTING = {
    "play": [[ID, "dance"], [ID, "draw", "--turn", "0"]],
    "withdraw": [[ID]],
    "retry": [[ID]],
    "invite": [[ID, "emil"]],
    "uninvite": [[ID, "emil"]],
    "join": [[ID]],
    "decline": [[ID]],
    "leave": [[ID]],
    "start": [[ID]],
    "bots": [[ID]],
    "review": [[ID]],
    "cancel": [[ID]],
    "propose time": [["1d", "--match", ID]],
    "propose pause": [["1d", "--match", ID]],
    "propose resume": [["--match", ID]],
    "propose replacement": [["ann", "fritz", "--match", ID]],
    "agree": [[ID, "--proposal", "{proposal}"]],
    "refuse": [[ID, "--proposal", "{proposal}"]],
    "back": [[ID]],
    "resign": [[ID]],
    "rematch": [[ID]],
    "abandon": [[ID]],
    "say": [[ID, "Hello"]],
    "report": [[ID, "1"]],
    "notify mute": [[ID]],
}
"""Commands that change something. Their changes are rolled back."""
WITHOUT_A_MATCH = {
    *(
        "new",
        "demo",
        "register",
        "login",
        "logout",
        "profiles",
        "help",
        "password",
        "account",
        "doctor",
        "notify set",
        "notify test",
        "notify calendar",
    ),
    *("block", "unblock", "blocks"),
    *("webhooks add", "webhooks change", "webhooks test", "webhooks enable", "webhooks remove"),
}
"""Commands that don't show an existing match."""
IN_ALL_STYLES = ("board", "log", "history", "moves")


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@contextmanager
def served() -> Iterator[str]:
    """Serve HTTP inside the test's transaction, so that a world can be rolled back."""
    shared = connections["default"]
    shared.inc_thread_sharing()
    # Otherwise Django would close the connection at the end of each request.
    shared.close_if_unusable_or_obsolete = lambda: None  # type: ignore[method-assign]
    server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)

    def answer() -> None:
        connections["default"] = shared
        server.serve_forever(poll_interval=0.02)

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        del shared.close_if_unusable_or_obsolete
        shared.dec_thread_sharing()


def screens(sandbox: Sandbox, viewer: Viewer) -> Seen:
    machine = Machine(sandbox.folder / viewer.name, sandbox.url, viewer.name)
    shutil.rmtree(machine.folder, ignore_errors=True)
    machine.log_in(viewer.token)
    for command, calls in READING.items():
        for words in calls:
            styles = STYLES if command in IN_ALL_STYLES else ("plain",)
            for look in [*(["--style", style] for style in styles), ["--json"]]:
                yield shown(sandbox, viewer, machine, [*command.split(), *words, *look])
    for command, calls in ACTING.items():
        for words in calls:
            with rolled_back():
                yield shown(sandbox, viewer, machine, [*command.split(), *words, "--yes"])


def shown(sandbox: Sandbox, viewer: Viewer, machine: Machine, words: list[str]) -> tuple[str, Any]:
    said = [word.format(**named(sandbox, viewer)) for word in words]
    seed_randomness(said)
    done = machine.run(*said)
    assert done.exit_code != USAGE, f"This command is malformed in every world: {said} {done.stderr}"
    assert done.exception is None or isinstance(done.exception, SystemExit), (said, done.exception)
    return f"turnpost {' '.join(said)}", (done.exit_code, done.stdout, done.stderr)


def named(sandbox: Sandbox, viewer: Viewer) -> dict[str, Any]:
    """Return values for the placeholders in commands."""
    return {
        "match": sandbox.match_id,
        "game": sandbox.table.match.game,
        "webhook": Webhook.objects.get(user=viewer.user).pk,
        "proposal": Proposal.objects.earliest("pk").pk,
    }

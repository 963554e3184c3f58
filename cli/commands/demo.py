"""A match against bots on this machine, on a server that exists only for the demo."""

import getpass
import json
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple

import typer

from cli.client import Server
from cli.command import Result, command
from cli.config import Config, Profile
from cli.environment import clean_environment, server_installed
from cli.fairness_notes import give_salt, new_salt
from cli.interactive import play_turns
from cli.local_store import Document
from cli.match_fetch import FetchedMatch, fetch_match
from cli.move_submission import new_idempotency_key
from cli.problems import Unreachable, Usage
from cli.proof_check import check_proof
from cli.render import match as render
from cli.session import Session

BOTS = ("Ada", "Grace", "Hedy", "Mary", "Radia")
STOP_SECONDS = 10
USERNAME = re.compile("[A-Za-z0-9_-]{3,30}")


@command("turnpost demo", "turnpost demo coloretto --seats 2 --autoplay")
def demo(
    session: Session,
    game: Annotated[str, typer.Argument(help="The game to play.")] = "coloretto",
    seats: Annotated[int, typer.Option("--seats", "-s", min=2, max=5, help="Number of players, including you.")] = 3,
    autoplay: Annotated[bool, typer.Option("--autoplay", help="Let a bot play for you too.")] = False,
) -> Result | None:
    """Play against bots right now, without an account.

    Starts a small server in a temporary folder on this machine and seats you with bots. Everything is deleted when
    you leave.
    """
    if not (autoplay or session.interactive):
        raise Usage("not_a_terminal", "The demo needs a terminal.", "Watch one instead: turnpost demo --autoplay")
    session.inform("Setting up a match on this machine …")
    try:
        return play_demo(session, game, seats, autoplay)
    except KeyboardInterrupt:
        if autoplay:
            raise
        return Result(None, lambda _style: f"\n{farewell([])}")


def play_demo(session: Session, game: str, seats: int, autoplay: bool) -> Result:
    player = player_name()
    bots = [bot for bot in BOTS if bot.lower() != player.lower()]
    with demo_server([player, *bots[: seats - 1]]) as server:
        guest = guest_session(session, server, player)
        match_id = set_up_match(guest, server, game, seats)
        servers = bot_servers(server, match_id, server.tokens if autoplay else server.tokens[1:])
        fetched = play_match(guest, match_id, servers)
        checks = check_match(guest, match_id) if fetched.match["phase"] == "finished" else []
    data = {"match": fetched.match, "finished": bool(checks), "checks": checks}
    last = [render.screen(fetched, session.style, is_demo=True)] if checks else []
    return Result(data, lambda _style: "\n\n".join([*last, farewell(checks)]))


def player_name() -> str:
    """The name of the account on this machine, if Turnpost accepts it."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "player"
    return name if USERNAME.fullmatch(name) else "player"


class DemoServer(NamedTuple):
    url: str
    tokens: list[str]
    """One for each player."""
    folder: Path


@contextmanager
def demo_server(players: list[str]) -> Iterator[DemoServer]:
    """Run a server in its own process and a temporary folder."""
    if not server_installed():
        raise Usage(
            "no_server_part",
            "The demo needs the Turnpost server, which isn't installed.",
            "Install it from the source folder: pip install '.[server]'",
        )
    with TemporaryDirectory(prefix="turnpost-demo-") as folder, start_server(players, folder) as process:
        try:
            yield started_server(process, Path(folder))
        finally:
            stop_server(process)


def start_server(players: list[str], folder: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "django", "demo", *players],
        env={**clean_environment(), "DJANGO_SETTINGS_MODULE": "config.settings", "TURNPOST_DATA": folder},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def started_server(process: "subprocess.Popen[str]", folder: Path) -> DemoServer:
    """The server prints its URL and the players' tokens on its first line of output."""
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        _, errors = process.communicate(timeout=STOP_SECONDS)
        last = errors.strip().splitlines()[-1:] or ["no output"]
        raise Unreachable("demo_failed", f"The demo server didn't start: {last[0]}.", "Try again: turnpost demo")
    started = json.loads(line)
    return DemoServer(started["url"], started["tokens"], folder)


def stop_server(process: "subprocess.Popen[str]") -> None:
    """The server stops when its standard input is closed."""
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def guest_session(session: Session, server: DemoServer, player: str) -> Session:
    """A separate session that leaves the player's own account and matches alone."""
    guest = Session(session.style, session.json, yes=True, is_demo=True, environment={})
    profile = Profile(server.url, server.tokens[0], player)
    guest.config = Config(server.folder / "client", profiles={"default": profile})
    return guest


def set_up_match(guest: Session, server: DemoServer, game: str, seats: int) -> str:
    settings = {"game": game.lower(), "seats": seats, "title": "Demo", "private": False}
    match = guest.server.post("matches", settings)
    give_salt(guest.store, guest.server, match)
    match_id = str(match["id"])
    for token in server.tokens[1:]:
        Server(server.url, token).post(f"matches/{match_id}/join", {"salt": new_salt()})
    guest.store.set_current(match_id)
    return match_id


def bot_servers(server: DemoServer, match_id: str, tokens: list[str]) -> dict[int, Server]:
    """A client for each bot, by seat."""
    clients = [Server(server.url, token) for token in tokens]
    return {client.get(f"matches/{match_id}")["you"]: client for client in clients}


def play_match(guest: Session, match_id: str, bots: Mapping[int, Server]) -> FetchedMatch:
    """Play until the match ends or the player leaves."""
    fetched = fetch_match(guest, match_id)
    while fetched.match["phase"] == "running":
        play_bots(fetched.match, bots)
        fetched = fetch_match(guest, match_id)
        if fetched.is_my_turn:
            fetched = play_turns(guest, fetched)
            if fetched.is_my_turn:
                return fetched
    return fetched


def play_bots(match: Document, bots: Mapping[int, Server]) -> None:
    """Play until no bot is to move."""
    phase, awaiting = match["phase"], match["awaiting"]
    while phase == "running" and (seats := [seat for seat in awaiting if seat in bots]):
        response = play_random_move(bots[seats[0]], match["id"])
        phase, awaiting = response["phase"], response["awaiting"]


def play_random_move(server: Server, match_id: str) -> Document:
    choices: Document = server.get(f"matches/{match_id}/choices")
    possible = [move["notation"] for move in choices["moves"]] + [form["example"] for form in choices["forms"]]
    body = {"move": secrets.choice(possible), "turn": choices["turn"]}
    response: Document = server.post(f"matches/{match_id}/moves", body, key=new_idempotency_key())
    return response


def check_match(guest: Session, match_id: str) -> list[str]:
    document = guest.server.get_bytes(f"matches/{match_id}/proof")
    report = check_proof(guest.store, document, match_id)
    return [finding.text for finding in report.findings if finding.grade in ("consistent", "proven")]


def farewell(checks: list[str]) -> str:
    if not checks:
        return "You left the demo. Nothing was saved.\nPlay with people: turnpost register"
    proven = "\n".join(f"✓ {check}" for check in checks)
    return f"{proven}\nThat was a complete match, and its proof is valid. Play with people: turnpost register"

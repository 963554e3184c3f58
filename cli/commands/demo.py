"""Play matches against bots on this machine, with a server that runs only for the demo."""

import getpass
import re
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import Annotated

import typer

from cli.client import Server
from cli.command import Result, command
from cli.config import Config, Profile
from cli.demo_server import DemoServer, demo_server
from cli.fairness_notes import give_salt, new_salt
from cli.interactive import Table as Seat
from cli.local_store import Document
from cli.match_fetch import FetchedMatch, fetch_match
from cli.match_screen import fetch_log
from cli.move_submission import new_idempotency_key
from cli.problems import Usage
from cli.prompt_commands import Command, show_board, show_log, show_rules
from cli.proof_check import check_proof
from cli.render import screen as screens
from cli.render.style import resized
from cli.render.table import two_columns
from cli.session import Session, ask
from cli.terminal import display, full_screen, temporary_status
from games.bots import LEVELS, UnknownLevel
from games.bots import player as bot_player
from games.engine.text import counted, listing

BOTS = ("Ada", "Grace", "Hedy", "Mary", "Radia")
DEFAULT_LEVEL, SLOW_LEVEL = "normal", "hard"
USERNAME = re.compile("[A-Za-z0-9_-]{3,30}")
YES, NO = ("", "y", "yes"), ("n", "no", "q", "quit", "leave")


@command("turnpost demo", "turnpost demo coloretto --seats 2 --level hard --autoplay")
def demo(
    session: Session,
    game: Annotated[str, typer.Argument(help="The game to play.")] = "coloretto",
    seats: Annotated[int, typer.Option("--seats", "-s", min=2, max=5, help="Number of players, including you.")] = 3,
    level: Annotated[str, typer.Option("--level", "-l", help=f"How well the bots play: {', '.join(LEVELS)}.")] = "",
    think: Annotated[
        float,
        typer.Option(
            "--think",
            min=0.1,
            max=60,
            help="How long a hard bot may think about a move, in seconds. It stops early if one move is clearly best, "
            "so more time rarely makes a difference.",
        ),
    ] = 1.0,
    autoplay: Annotated[bool, typer.Option("--autoplay", help="Let a bot play for you.")] = False,
) -> Result | None:
    """Play against bots right now, without an account.

    Starts a small server in a temporary folder on this machine, and gives the other seats to bots. Everything is
    deleted when you leave.
    """
    if not (autoplay or session.interactive):
        raise Usage(
            "not_a_terminal", "The demo needs a terminal.", "To watch bots play instead: turnpost demo --autoplay"
        )
    try:
        chosen = chosen_level(level.lower()) if level or autoplay else ask_level(session)
        return play_demo(session, game, seats, chosen, think, autoplay)
    except KeyboardInterrupt:
        if autoplay:
            raise
        return Result(None, lambda _style: f"\n{NO_ACCOUNT}")


def chosen_level(level: str) -> str:
    try:
        bot_player(level or DEFAULT_LEVEL)
    except UnknownLevel as unknown:
        raise Usage(unknown.code, unknown.message, unknown.hint) from None
    return level or DEFAULT_LEVEL


def ask_level(session: Session) -> str:
    """Ask for a level until the answer is valid. The first letter of a level is enough."""
    while True:
        typed = ask(f"How strong should the bots be: {listing(LEVELS, 'or')}? [{DEFAULT_LEVEL}] ").lower()
        try:
            return chosen_level(in_full(typed))
        except Usage as problem:
            display(session, problem.text)


def in_full(typed: str) -> str:
    return next((level for level in LEVELS if typed and level.startswith(typed)), typed)


@dataclass
class Table:
    """The player and the bots in the demo. They can play several matches in a row."""

    guest: Session
    server: DemoServer
    game: str
    level: str
    think: float
    """How long a hard bot may think about a move, in seconds."""
    autoplay: bool
    played: int = 0
    won: int = 0


def play_demo(session: Session, game: str, seats: int, level: str, think: float, autoplay: bool) -> Result:
    player = player_name()
    bots = [bot for bot in BOTS if bot.lower() != player.lower()][: seats - 1]
    with ExitStack() as stack:
        with temporary_status(session, "Setting up a match on this machine …"):
            server = stack.enter_context(demo_server([player, *bots]))
        table = Table(guest_session(session, server, player), server, game, level, think, autoplay)
        return watch_bots(table) if autoplay else play_matches(table)


def watch_bots(table: Table) -> Result:
    fetched = play_match(table)
    checks = check_match(table.guest, fetched.match["id"])
    ending = final_screen(table, fetched, checks)
    return Result(
        {"match": fetched.match, "finished": True, "checks": checks}, lambda _style: f"{ending}\n\n{FAREWELL}"
    )


def play_matches(table: Table) -> Result:
    with suppress(KeyboardInterrupt):
        while (fetched := play_match(table)).match["phase"] == "finished":
            display(table.guest, final_screen(table, fetched, check_match(table.guest, fetched.match["id"])))
            if not wants_rematch(table, fetched):
                return Result(None, lambda _style: f"\n{FAREWELL}")
    left = " ".join(filter(None, ["You left the match. Nothing was saved.", tally(table.won, table.played)]))
    return Result(None, lambda _style: f"\n{left}\n{NO_ACCOUNT}")


def player_name() -> str:
    """Return the login name on this machine if it is a valid Turnpost username."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "player"
    return name if USERNAME.fullmatch(name) else "player"


def guest_session(session: Session, server: DemoServer, player: str) -> Session:
    """Create a separate session that doesn't touch the player's own account and matches."""
    guest = Session(session.style, session.json, yes=True, is_demo=True, environment={})
    profile = Profile(server.url, server.tokens[0], player)
    guest.config = Config(server.folder / "client", profiles={"default": profile})
    return guest


def play_match(table: Table) -> FetchedMatch:
    """Play one match until it ends or the player leaves."""
    guest = table.guest
    match_id = set_up_match(table)
    bots = bot_clients(table, match_id)
    fetched = fetch_match(guest, match_id)
    notice = introduction(table, fetched)
    if table.autoplay:
        guest.inform(notice)
    with full_screen(guest):
        while fetched.match["phase"] == "running":
            fetched = play_bots(table, fetched, bots)
            if fetched.is_my_turn:
                seat = Seat(guest, fetched, notice)
                seat.play()
                fetched, notice = seat.fetched, ""
                if seat.has_quit:
                    break
    return fetched


def set_up_match(table: Table) -> str:
    seats = len(table.server.tokens)
    settings = {"game": table.game.lower(), "seats": seats, "title": "Demo", "private": False, "bots_allowed": True}
    match = table.guest.server.post("matches", settings)
    give_salt(table.guest.store, table.guest.server, match)
    match_id = str(match["id"])
    for token in table.server.tokens[1:]:
        Server(table.server.url, token).post(f"matches/{match_id}/join", {"salt": new_salt()})
    table.guest.store.set_current(match_id)
    return match_id


def bot_clients(table: Table, match_id: str) -> dict[int, Server]:
    """Return a client for each bot, by seat."""
    tokens = table.server.tokens if table.autoplay else table.server.tokens[1:]
    clients = [Server(table.server.url, token) for token in tokens]
    return {client.get(f"matches/{match_id}")["you"]: client for client in clients}


def introduction(table: Table, fetched: FetchedMatch) -> str:
    bots = f"a {table.level} bot" if len(fetched.names.names) == 2 else f"{table.level} bots"
    return f"You're playing against {bots}."


def play_bots(table: Table, fetched: FetchedMatch, bots: Mapping[int, Server]) -> FetchedMatch:
    """Play until it is no longer a bot's turn.

    Moves that are still sealed don't appear in the news.
    """
    news = list(fetched.news)
    while fetched.match["phase"] == "running" and (seats := [s for s in fetched.match["awaiting"] if s in bots]):
        status = f"{fetched.names[seats[0]]} is thinking …" if table.level == SLOW_LEVEL else ""
        with temporary_status(table.guest, status):
            response = play_bot(table, fetched.match, seats[0], bots[seats[0]])
        is_hidden = response["move"]["sealed"] and response["turn"] == fetched.match["turn"]
        fetched = fetch_match(table.guest, fetched.match["id"])
        news += [] if is_hidden else fetched.news
    return replace(fetched, news=tuple(news))


def play_bot(table: Table, match: Document, seat: int, client: Server) -> Document:
    move = table.server.bot_move(match["id"], seat, table.level, table.think)
    body = {"move": move, "turn": match["turn"]}
    response: Document = client.post(f"matches/{match['id']}/moves", body, key=new_idempotency_key())
    return response


def check_match(guest: Session, match_id: str) -> list[str]:
    document = guest.server.get_bytes(f"matches/{match_id}/proof")
    report = check_proof(guest.store, document, match_id)
    return [finding.text for finding in report.findings if finding.grade in ("consistent", "proven")]


def final_screen(table: Table, fetched: FetchedMatch, checks: list[str]) -> str:
    own_seat = fetched.own_seat
    table.played += 1
    table.won += bool(own_seat and own_seat["place"] == 1)
    if table.autoplay:
        return "\n\n".join([screens.roomy(fetched, table.guest.style), "\n".join(f"✓ {check}" for check in checks)])
    score = f" {tally(table.won, table.played)}" if table.played > 1 else ""
    notice = f"✓ The match was fair: {counted(len(checks), 'check')} passed.{score}"
    return screens.fitted(fetched, resized(table.guest.style), log=fetch_log(table.guest, fetched), notice=notice)


def tally(won: int, played: int) -> str:
    """Say how many of the finished matches the player has won."""
    return f"You've won {won} of {played} {'match' if played == 1 else 'matches'}." if played else ""


def wants_rematch(table: Table, fetched: FetchedMatch) -> bool:
    """Ask whether to play again.

    The player can also answer with a level for the next match, or look back at the match first.
    """
    while True:
        question = f"Rematch? [Y/n, or {listing(LEVELS, 'or')} to change the level; ? for help] "
        typed = ask(question, at_end="n").lower()
        if typed in YES + NO:
            return typed in YES
        if typed in LOOKS:
            look_back(table.guest, fetched, LOOKS[typed])
            continue
        try:
            table.level = chosen_level(in_full(typed))
        except Usage as problem:
            display(table.guest, problem.text)
        else:
            return True


def look_back(guest: Session, fetched: FetchedMatch, command: Command) -> None:
    """Show something about the match that has just ended, in the same way as at the prompt."""
    guest.style = resized(guest.style)
    seat = Seat(guest, fetched)
    seat.run(command, "")
    if text := seat.details(guest.style) if seat.details else seat.notice:
        display(guest, f"{text}\n")


def show_help(seat: Seat, _rest: str) -> None:
    seat.show_text(lambda style: two_columns(REMATCH_HELP, style))


LOOKS: dict[str, Command] = {
    "board": show_board,
    "log": show_log,
    "rules": show_rules,
    "help": show_help,
    "?": show_help,
}
REMATCH_HELP = (
    ("y, Enter", "play again"),
    (", ".join(LEVELS), "play again, against bots of this level"),
    ("board", "show the final board, and where everyone's points come from"),
    ("log", "show what happened in the match"),
    ("rules", "read the rules"),
    ("n, q, quit", "leave"),
)
NO_ACCOUNT = "Play with people: turnpost register"
FAREWELL = f"Thanks for playing. {NO_ACCOUNT}"

"""A match against stand-ins on this machine, seconds after installing."""

from typing import Annotated

import typer

from cli.client import Server
from cli.command import command
from cli.commands.lobby import new_salt
from cli.config import Config, Profile
from cli.demo_server import Place, embedded_server
from cli.look import Look, look
from cli.problems import Usage
from cli.proofs import held_against_notes, judged
from cli.render import match as render
from cli.result import Result
from cli.session import Session
from cli.standins import StandIns
from cli.tableside import play_on

STAND_INS = ("Ada", "Grace", "Hedy", "Mary")


@command("turnpost demo", "turnpost demo coloretto --seats 2 --autoplay")
def demo(
    session: Session,
    game: Annotated[str, typer.Argument(help="Which game.")] = "coloretto",
    seats: Annotated[int, typer.Option("--seats", "-s", min=2, max=5, help="How many players, you among them.")] = 3,
    autoplay: Annotated[bool, typer.Option("--autoplay", help="Let a stand-in play for you too.")] = False,
) -> Result | None:
    """Play at once, without a server or an account.

    Starts a small server in a temporary folder on this machine and seats you against stand-ins. Nothing of it
    remains when you leave.
    """
    if not (autoplay or session.interactive):
        raise Usage(
            "not_a_terminal", "The demo is played at a terminal.", "Watch one instead: turnpost demo --autoplay"
        )
    session.say("Setting up a table on this machine …")
    try:
        return whole_match(session, game, seats, autoplay)
    except KeyboardInterrupt:
        if autoplay:
            raise
        return Result(None, lambda _style: f"\n{farewell([])}")


def whole_match(session: Session, game: str, seats: int, autoplay: bool) -> Result:
    with embedded_server(["You", *STAND_INS[: seats - 1]]) as place:
        guest = at_the_table(session, place)
        match_id = set_up(guest, place, game, seats)
        seen = play_through(guest, match_id, seated(place, match_id, place.tokens if autoplay else place.tokens[1:]))
        checks = checked(guest, match_id) if seen.match["phase"] == "finished" else []
    data = {"match": seen.match, "finished": bool(checks), "checks": checks}
    last = [render.screen(seen, session.style, alone=True)] if checks else []
    return Result(data, lambda _style: "\n\n".join([*last, farewell(checks)]))


def at_the_table(session: Session, place: Place) -> Session:
    """A session of its own: the player's real account and matches stay out of it."""
    guest = Session(session.style, session.json, yes=True, at_demo=True, environment={})
    profile = Profile(place.url, place.tokens[0], "you")
    guest.config = Config(place.folder / "client", profiles={"default": profile})
    return guest


def set_up(guest: Session, place: Place, game: str, seats: int) -> str:
    plan = {"game": game.lower(), "seats": seats, "title": "Demo", "private": False, "salt": new_salt()}
    match_id = str(guest.server.post("matches", plan)["id"])
    for token in place.tokens[1:]:
        Server(place.url, token).post(f"matches/{match_id}/join", {"salt": new_salt()})
    guest.kept.make_current(match_id)
    return match_id


def seated(place: Place, match_id: str, tokens: list[str]) -> StandIns:
    servers = [Server(place.url, token) for token in tokens]
    return StandIns({server.get(f"matches/{match_id}")["you"]: server for server in servers})


def play_through(guest: Session, match_id: str, stand_ins: StandIns) -> Look:
    """Until it is over, or the player leaves the table."""
    seen = look(guest, match_id)
    while seen.match["phase"] == "running":
        stand_ins.play(seen.match)
        seen = look(guest, match_id)
        if seen.is_my_turn:
            seen = play_on(guest, seen)
            if seen.is_my_turn:
                return seen
    return seen


def checked(guest: Session, match_id: str) -> list[str]:
    """The proof of the match just played, verified as anybody could."""
    document = guest.server.get_bytes(f"matches/{match_id}/proof")
    return [*judged(document).checks, *held_against_notes(guest, match_id, document)]


def farewell(checks: list[str]) -> str:
    if not checks:
        return "You left the table. Nothing of it remains.\nWith people, on a server: turnpost register"
    proven = "\n".join(f"✓ {check}" for check in checks)
    return f"{proven}\nThat was a whole match, and a fair one. Play for real: turnpost register"

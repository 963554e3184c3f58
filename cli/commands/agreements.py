"""What the players of a match decide together: more time, a pause, a new player for a seat."""

from typing import Annotated, Any

import typer

from cli.arguments import MatchId
from cli.command import EXAMPLE_MATCH, command
from cli.completion import matches
from cli.look import player_name, which_match
from cli.problems import Usage
from cli.render import times
from cli.render.style import Style
from cli.result import Result
from cli.safe import one_line
from cli.session import Session

propose = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Propose more time, a pause, or a new player for a seat.",
    epilog="For example: turnpost propose pause 7d",
)
Document = dict[str, Any]
InMatch = Annotated[
    str | None,
    typer.Option("--match", "-m", metavar="ID", help="The match, if not the current one.", autocompletion=matches),
]
Number = Annotated[
    int | None, typer.Option("--proposal", "-p", metavar="NUMBER", help="Which one, if there are several.", min=1)
]


@propose.command("time")
@command(f"turnpost propose time 2d --match {EXAMPLE_MATCH}", "turnpost propose time 36h --for ann")
def more_time(
    session: Session,
    time: Annotated[str, typer.Argument(help="How much more: 36h, 2d.")],
    whose: Annotated[str, typer.Option("--for", metavar="NAME", help="Whose move; your own if left out.")] = "",
    match: InMatch = None,
) -> Result:
    """Propose more time for a move. More than half of the others must agree."""
    match_id = which_match(session, match)
    seat = {"seat": seat_of(session, match_id, whose)} if whose else {}
    return made(session, match_id, {"wish": "extension", "time": time} | seat)


@propose.command("pause")
@command(f"turnpost propose pause 7d --match {EXAMPLE_MATCH}")
def pause(
    session: Session, time: Annotated[str, typer.Argument(help="For how long: 36h, 7d.")], match: InMatch = None
) -> Result:
    """Propose a pause, in which no time counts. All must agree."""
    return made(session, which_match(session, match), {"wish": "pause", "time": time})


@propose.command("resume")
@command(f"turnpost propose resume --match {EXAMPLE_MATCH}")
def resume(session: Session, match: InMatch = None) -> Result:
    """Propose to end a pause early. All must agree."""
    return made(session, which_match(session, match), {"wish": "pause", "time": 0})


@propose.command("handover")
@command(f"turnpost propose handover ben emma --match {EXAMPLE_MATCH}")
def handover(
    session: Session,
    whose: Annotated[str, typer.Argument(metavar="PLAYER", help="Whose seat: one that a stand-in plays.")],
    newcomer: Annotated[str, typer.Argument(metavar="NEWCOMER", help="The user name of who is to have it.")],
    match: InMatch = None,
) -> Result:
    """Propose a new player for a seat that a stand-in plays. More than half must agree, then the newcomer."""
    match_id = which_match(session, match)
    seat = seat_of(session, match_id, whose)
    return made(session, match_id, {"wish": "handover", "seat": seat, "newcomer": newcomer})


def seat_of(session: Session, match_id: str, name: str) -> int:
    """By the player's user name, or what others call them."""
    seats = session.server.get(f"matches/{match_id}")["seats"]
    for seat in seats:
        player = seat["player"] or {"username": "", "name": player_name(None)}
        if name.lower() in (player["username"].lower(), player["name"].lower()):
            return int(seat["seat"])
    names = ", ".join(seat["player"]["username"] if seat["player"] else player_name(None) for seat in seats)
    raise Usage("no_such_player", f"'{one_line(name)}' does not play in {match_id}.", f"There are: {names}.")


def made(session: Session, match_id: str, wish: Document) -> Result:
    return told(match_id, session.server.post(f"matches/{match_id}/proposals", wish))


def told(match_id: str, proposal: Document) -> Result:
    return Result({"match": match_id, "proposal": proposal}, lambda _style: one_line(proposal["text"]))


@command(f"turnpost proposals {EXAMPLE_MATCH}")
def proposals(session: Session, match: MatchId = None) -> Result:
    """List what the players are to decide, and have decided."""
    match_id = which_match(session, match)
    shown = session.server.get(f"matches/{match_id}")
    found = session.server.get(f"matches/{match_id}/proposals")
    return Result({"match": match_id, "proposals": found}, lambda style: listing(shown, found, style))


def listing(match: Document, found: list[Document], style: Style) -> str:
    if not found:
        return "Nothing was proposed. How to do so: turnpost propose --help"
    return "\n\n".join(described(match, proposal, style) for proposal in found)


def described(match: Document, proposal: Document, style: Style) -> str:
    yes, no = (voters(match, proposal, agreed) for agreed in (True, False))
    votes = "   ".join(f"{word}: {names}" for word, names in (("yes", yes), ("no", no)) if names)
    lines = [
        f"{style.paint(str(proposal['number']), 'bold')}  {one_line(proposal['text'])}",
        f"   {times.ago(proposal['made_at'])}   {votes}".rstrip(),
    ]
    if waits_for(match, proposal):
        to = f"{match['id']} --proposal {proposal['number']}"
        lines += [f"   Agree:  turnpost agree {to}", f"   Refuse: turnpost refuse {to}"]
    return "\n".join(lines)


def voters(match: Document, proposal: Document, agreed: bool) -> str:
    said = [int(seat) for seat, vote in proposal["votes"].items() if vote == agreed]
    return ", ".join(one_line(player_name(seat["player"])) for seat in match["seats"] if seat["seat"] in said)


@command(f"turnpost agree {EXAMPLE_MATCH}")
def agree(session: Session, match: MatchId = None, number: Number = None) -> Result:
    """Agree to what is proposed, or take an offered seat."""
    return answer(session, match, number, agreed=True)


@command(f"turnpost refuse {EXAMPLE_MATCH}")
def refuse(session: Session, match: MatchId = None, number: Number = None) -> Result:
    """Refuse what is proposed, or an offered seat."""
    return answer(session, match, number, agreed=False)


def answer(session: Session, match: str | None, number: int | None, *, agreed: bool) -> Result:
    match_id = which_match(session, match)
    proposal = meant(session, match_id, number)
    here = f"matches/{match_id}/proposals/{proposal['number']}"
    if proposal["verdict"] == "agreed" and proposal["wish"] == "handover":
        session.server.post(f"{here}/accept" if agreed else f"{here}/decline")
        return Result({"match": match_id, "proposal": proposal}, lambda _style: after_offer(match_id, agreed))
    return told(match_id, session.server.post(f"{here}/vote", {"agree": agreed}))


def after_offer(match_id: str, agreed: bool) -> str:
    return f"The seat is yours. See it: turnpost board {match_id}" if agreed else "You have declined the seat."


def meant(session: Session, match_id: str, number: int | None) -> Document:
    """The one of this number, or the only one that waits for the player's word."""
    shown = session.server.get(f"matches/{match_id}")
    found: list[Document] = session.server.get(f"matches/{match_id}/proposals")
    fitting = [one for one in found if (waits_for(shown, one) if number is None else one["number"] == number)]
    if len(fitting) == 1:
        return fitting[0]
    see = f"See: turnpost proposals {match_id}"
    if fitting:
        raise Usage(
            "which_proposal", "More than one proposal waits for your word.", f"{see} and say --proposal NUMBER."
        )
    raise Usage("nothing_proposed", "No such proposal waits for your word.", see)


def waits_for(match: Document, proposal: Document) -> bool:
    """Whoever does not play there sees only the seat that is offered to them."""
    if match["you"] is None:
        return bool(proposal["verdict"] == "agreed")
    own_time = proposal["wish"] == "extension" and proposal["seat"] == match["you"]
    return proposal["verdict"] == "open" and str(match["you"]) not in proposal["votes"] and not own_time

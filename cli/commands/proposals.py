"""Decisions that players make together: extensions, pauses, replacements and ending the match."""

from typing import Annotated

import typer

from cli.command import EXAMPLE_MATCH, MatchId, MatchOption, Result, command
from cli.commands.lobby import match_result
from cli.fairness_notes import note_wish_to_abandon
from cli.local_store import Document
from cli.match_fetch import resolve_match_id
from cli.problems import Usage
from cli.render import times
from cli.render.style import Style
from cli.sanitize import one_line
from cli.session import Session
from cli.user_names import bare_name, find_users, player_name, suggesting_usernames

propose = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Propose more time, a pause, or a new player for a stand-in's seat.",
    epilog="For example: turnpost propose pause 7d",
)
ProposalNumber = Annotated[
    int | None, typer.Option("--proposal", "-p", metavar="NUMBER", help="Proposal number, if there are several.", min=1)
]


@propose.command("time")
@command(f"turnpost propose time 2d --match {EXAMPLE_MATCH}", "turnpost propose time 36h --for ann")
def more_time(
    session: Session,
    time: Annotated[str, typer.Argument(help="How much more time, such as 36h or 2d.")],
    whose: Annotated[str, typer.Option("--for", metavar="NAME", help="Who gets the time (default: you).")] = "",
    match: MatchOption = None,
) -> Result:
    """Propose more time for a move. More than half of the others must agree."""
    match_id = resolve_match_id(session, match)
    seat = {"seat": find_seat(session, match_id, whose)} if whose else {}
    return make_proposal(session, match_id, {"kind": "extension", "time": time} | seat)


@propose.command("pause")
@command(f"turnpost propose pause 7d --match {EXAMPLE_MATCH}")
def pause(
    session: Session,
    time: Annotated[str, typer.Argument(help="How long, such as 36h or 7d.")],
    match: MatchOption = None,
) -> Result:
    """Propose a pause, which stops all clocks. Everyone must agree."""
    return make_proposal(session, resolve_match_id(session, match), {"kind": "pause", "time": time})


@propose.command("resume")
@command(f"turnpost propose resume --match {EXAMPLE_MATCH}")
def resume(session: Session, match: MatchOption = None) -> Result:
    """Propose ending a pause early. Everyone must agree."""
    return make_proposal(session, resolve_match_id(session, match), {"kind": "pause", "time": 0})


@propose.command("replacement")
@command(f"turnpost propose replacement ben emma --match {EXAMPLE_MATCH}")
def replacement(
    session: Session,
    whose: Annotated[
        str, typer.Argument(metavar="PLAYER", help="The player to replace. A stand-in must be playing for them.")
    ],
    newcomer: Annotated[str, typer.Argument(metavar="NEWCOMER", help="The new player's username.")],
    match: MatchOption = None,
) -> Result:
    """Propose a new player for a stand-in's seat. More than half must agree, and so must the new player."""
    match_id = resolve_match_id(session, match)
    seat = find_seat(session, match_id, whose)
    with suggesting_usernames(session, newcomer):
        wish = {"kind": "replacement", "seat": seat, "newcomer": bare_name(newcomer)}
        return make_proposal(session, match_id, wish)


def find_seat(session: Session, match_id: str, name: str) -> int:
    """Find a seat by its player's username, or by the name on the board if only one player has it."""
    seats = session.server.get(f"matches/{match_id}")["seats"]
    players = [seat["player"] or {"username": "", "name": player_name(None)} for seat in seats]
    found = find_users(players, name)
    if len(found) == 1:
        return int(seats[found[0]]["seat"])
    usernames = ", ".join(player["username"] or player["name"] for player in players)
    if found:
        raise Usage("which_player", f"Several players are called '{one_line(name)}'.", f"Usernames: {usernames}")
    raise Usage("no_such_player", f"'{one_line(name)}' isn't playing in {match_id}.", f"Players: {usernames}")


def make_proposal(session: Session, match_id: str, body: Document) -> Result:
    return proposal_result(match_id, session.server.post(f"matches/{match_id}/proposals", body))


def proposal_result(match_id: str, proposal: Document) -> Result:
    return Result({"match": match_id, "proposal": proposal}, lambda _style: one_line(proposal["text"]))


@command(f"turnpost proposals {EXAMPLE_MATCH}")
def proposals(session: Session, match: MatchId = None) -> Result:
    """List open and decided proposals."""
    match_id = resolve_match_id(session, match)
    details = session.server.get(f"matches/{match_id}")
    found = session.server.get(f"matches/{match_id}/proposals")
    return Result({"match": match_id, "proposals": found}, lambda style: proposals_text(details, found, style))


def proposals_text(match: Document, found: list[Document], style: Style) -> str:
    if not found:
        return "No proposals. Make one: turnpost propose --help"
    return "\n\n".join(proposal_text(match, proposal, style) for proposal in found)


def proposal_text(match: Document, proposal: Document, style: Style) -> str:
    yes, no = (voters(match, proposal, agreed) for agreed in (True, False))
    votes = "   ".join(f"{word}: {names}" for word, names in (("yes", yes), ("no", no)) if names)
    lines = [
        f"{style.paint(str(proposal['number']), 'bold')}  {one_line(proposal['text'])}",
        f"   {times.ago(proposal['made_at'])}   {votes}".rstrip(),
    ]
    if needs_vote(match, proposal):
        to = f"{match['id']} --proposal {proposal['number']}"
        lines += [f"   Agree:   turnpost agree {to}", f"   Decline: turnpost refuse {to}"]
    return "\n".join(lines)


def voters(match: Document, proposal: Document, agreed: bool) -> str:
    seats = [int(seat) for seat, vote in proposal["votes"].items() if vote == agreed]
    return ", ".join(one_line(player_name(seat["player"])) for seat in match["seats"] if seat["seat"] in seats)


@command(f"turnpost agree {EXAMPLE_MATCH}")
def agree(session: Session, match: MatchId = None, number: ProposalNumber = None) -> Result:
    """Agree to a proposal, or accept an offered seat."""
    return vote(session, match, number, agreed=True)


@command(f"turnpost refuse {EXAMPLE_MATCH}")
def refuse(session: Session, match: MatchId = None, number: ProposalNumber = None) -> Result:
    """Decline a proposal or an offered seat."""
    return vote(session, match, number, agreed=False)


def vote(session: Session, match: str | None, number: int | None, *, agreed: bool) -> Result:
    match_id = resolve_match_id(session, match)
    proposal = find_proposal(session, match_id, number)
    path = f"matches/{match_id}/proposals/{proposal['number']}"
    if proposal["status"] == "agreed" and proposal["kind"] == "replacement":
        session.server.post(f"{path}/accept" if agreed else f"{path}/decline")
        return Result({"match": match_id, "proposal": proposal}, lambda _style: seat_offer_text(match_id, agreed))
    return proposal_result(match_id, session.server.post(f"{path}/vote", {"agree": agreed}))


def seat_offer_text(match_id: str, agreed: bool) -> str:
    return f"The seat is yours. See the board: turnpost board {match_id}" if agreed else "You declined the seat."


def find_proposal(session: Session, match_id: str, number: int | None) -> Document:
    """Return the proposal with this number.

    Without a number, return the only one that needs the player's vote.
    """
    details = session.server.get(f"matches/{match_id}")
    found: list[Document] = session.server.get(f"matches/{match_id}/proposals")
    fitting = [one for one in found if (needs_vote(details, one) if number is None else one["number"] == number)]
    if len(fitting) == 1:
        return fitting[0]
    see = f"List the proposals: turnpost proposals {match_id}"
    if fitting:
        raise Usage("which_proposal", "There are several open proposals.", f"{see}   Choose one: --proposal NUMBER")
    raise Usage("nothing_proposed", "There is no open proposal to vote on.", see)


def needs_vote(match: Document, proposal: Document) -> bool:
    """Return whether the player can vote on the proposal.

    People outside the match see only offers of a seat that were made to them.
    """
    if match["you"] is None:
        return bool(proposal["status"] == "agreed")
    own_time = proposal["kind"] == "extension" and proposal["seat"] == match["you"]
    return proposal["status"] == "open" and str(match["you"]) not in proposal["votes"] and not own_time


@command(f"turnpost abandon {EXAMPLE_MATCH} --yes", f"turnpost abandon {EXAMPLE_MATCH} --no-agree --yes")
def abandon(
    session: Session,
    match: MatchId = None,
    agree: Annotated[bool, typer.Option("--agree/--no-agree", help="Agree, or withdraw your vote.")] = True,
) -> Result | None:
    """Vote to end a running match without a result.

    It ends when everyone agrees.
    """
    question = "Vote to end this match without a result?" if agree else "Withdraw your vote to end the match?"
    match_id = resolve_match_id(session, match)
    if not session.confirm(question):
        return None
    note_wish_to_abandon(session.store, session.server.get(f"matches/{match_id}"), agree)
    session.server.post(f"matches/{match_id}/abandon", {"agree": agree})
    return match_result(session, match_id)


@command(f"turnpost back {EXAMPLE_MATCH}")
def back(session: Session, match: MatchId = None) -> Result:
    """Take your seat back from a stand-in."""
    match_id = resolve_match_id(session, match)
    session.server.post(f"matches/{match_id}/back")
    return match_result(session, match_id)


@command(f"turnpost resign {EXAMPLE_MATCH} --yes")
def resign(session: Session, match: MatchId = None) -> Result | None:
    """Resign from a running match and take last place.

    A stand-in plays your seat to the end, and the others are notified. You can't come back.
    """
    match_id = resolve_match_id(session, match)
    if not session.confirm("Resign? A stand-in plays your seat to the end, and you come last."):
        return None
    session.server.post(f"matches/{match_id}/resign")
    return match_result(session, match_id)

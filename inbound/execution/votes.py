"""Make proposals by mail, and vote on the proposal in the email that the player answered."""

from datetime import timedelta
from typing import Any

from clock import proposals
from clock.models import ProposalKind
from clock.proposal_rules import ProposalRequest, proposal_text, status_text
from core.refusals import Conflict, NotFound
from games.engine.text import listing
from games.models import Phase, pace
from inbound.execution.run import Run
from inbound.reading.commands import Propose
from notifications.models import Notification, NotificationKind

ASKS_FOR_A_VOTE = "asks_for_a_vote"


def propose(run: Run, proposed: Propose) -> None:
    """Make a proposal, or vote to end the match."""
    user = run.genuine.user
    if proposed.kind == "end":
        proposals.abandon(run.match_id, user, agreed=True)
        run.reload()
        over = run.genuine.loaded.match.phase != Phase.RUNNING
        run.tell("The match has ended without a result." if over else "You proposed ending the match without a result.")
        return
    loaded, proposal = proposals.propose(run.match_id, user, request_for(run, proposed))
    run.reload()
    run.tell(f"{proposal_text(loaded, proposal, user)} {status_text(loaded, proposal, user)}")


def request_for(run: Run, proposed: Propose) -> ProposalRequest:
    if proposed.kind == "resume":
        return ProposalRequest(ProposalKind.PAUSE, time=timedelta())
    seat = seat_called(run, proposed.whose) if proposed.whose else None
    time = pace.read_time(proposed.time) if proposed.time else None
    return ProposalRequest(ProposalKind(proposed.kind), seat, time, proposed.newcomer)


def seat_called(run: Run, name: str) -> int:
    """Find a seat by its player's username or display name."""
    if name.lower() == "me":
        return run.genuine.seat.drawn
    for seat in run.genuine.loaded.seats:
        names = [seat.player_name, seat.user.username if seat.user else ""]
        if name.lower() in map(str.lower, names):
            return seat.drawn
    players = listing([seat.player_name for seat in run.genuine.loaded.seats])
    raise NotFound("no_such_player", "There is no such player in this match.", f"Players: {players}.")


def asks_for_a_vote(asked: Notification) -> bool:
    """Return whether an email is about a proposal, or is our answer to a reply that didn't clearly vote on one."""
    return asked.kind == NotificationKind.PROPOSAL or ASKS_FOR_A_VOTE in asked.data


def still_open(asked: Notification) -> dict[str, Any]:
    """Return the data that makes our answer ask for the same vote again."""
    if not asks_for_a_vote(asked):
        return {}
    return {ASKS_FOR_A_VOTE: True} | {key: asked.data[key] for key in ("proposal",) if key in asked.data}


def vote(run: Run, *, agreed: bool) -> None:
    asked = run.mail.notification
    if not asks_for_a_vote(asked):
        raise Conflict(
            "nothing_proposed", "That email isn't about a proposal.", "Reply to the email with the proposal."
        )
    if "proposal" not in asked.data:
        vote_on_the_end(run, agreed=agreed)
        return
    loaded, proposal = proposals.vote(run.match_id, run.genuine.user, asked.data["proposal"], agreed=agreed)
    run.reload()
    said, user = "You agreed." if agreed else "You declined.", run.genuine.user
    proposed, status = proposal_text(loaded, proposal, user), status_text(loaded, proposal, user)
    run.tell(f"{said} {proposed} {status}")


def vote_on_the_end(run: Run, *, agreed: bool) -> None:
    if agreed and not proposals.who_would_abandon(run.genuine.loaded):
        raise Conflict("settled", "Nobody is asking to end the match now.", "It continues.")
    loaded = proposals.vote_to_abandon(run.match_id, run.genuine.user, agreed=agreed)
    run.reload()
    if loaded.match.phase != Phase.RUNNING:
        run.tell("You agreed, and so did everyone else. The match has ended without a result.")
    else:
        run.tell("You agreed. Other players haven't agreed yet." if agreed else "You declined. The match continues.")

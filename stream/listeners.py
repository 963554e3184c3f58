"""Turn announcements from games and the clock into stream events, in the same transaction.

An event says what happened in which match, but contains neither hidden information nor names. Clients then fetch the
match.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from accounts import blocks
from accounts.models import User
from clock.announcements import (
    AbandoningProposed,
    DeadlinePassed,
    DeadlinesChanged,
    PlayerResigned,
    ProposalChanged,
    RemindersDue,
)
from core import sql
from core.announcements import listens_to
from games.models import Match, Seat
from games.selectors.loading import LoadedMatch
from games.services.announcements import (
    InvitationMade,
    MatchAbandoned,
    MatchClosed,
    MatchStarted,
    MessagePosted,
    MoveMade,
)
from stream import store
from stream.models import StreamEvent, StreamEventKind


@listens_to(MatchStarted)
def tell_of_start(started: MatchStarted) -> None:
    loaded, at = started.loaded, started.at
    add_to_write(
        loaded,
        [
            *to_seats(loaded, loaded.seats, StreamEventKind.MATCH_STARTED, at),
            *your_turn(loaded, started.asked, at),
        ],
    )


@listens_to(MoveMade)
def tell_of_move(made: MoveMade) -> None:
    """Tell the players about a move. If a sealed move was replaced, tell only the player who replaced it."""
    loaded, at = made.loaded, made.at
    is_public = made.advanced or made.asked or made.done
    told = loaded.seats if is_public else [made.seat]
    events = to_seats(loaded, told, StreamEventKind.MOVE_MADE, at, seat=made.seat.number)
    events += your_turn(loaded, made.asked, at)
    if made.is_over:
        events += match_over(loaded, loaded.seats, at)
    add_to_write(loaded, events)


@listens_to(MatchAbandoned)
def tell_of_abandonment(abandoned: MatchAbandoned) -> None:
    add_to_write(abandoned.loaded, match_over(abandoned.loaded, abandoned.loaded.seats, abandoned.at))


@listens_to(MatchClosed)
def tell_of_closing(closed: MatchClosed) -> None:
    store.add(match_over(closed.loaded, closed.affected, closed.at))


@listens_to(MessagePosted)
def tell_of_message(posted: MessagePosted) -> None:
    loaded, message = posted.loaded, posted.message
    deaf = blocks.users_who_blocked(message.author) if message.author else set()
    told = [seat for seat in loaded.seats if seat.user_id not in deaf]
    store.add(to_seats(loaded, told, StreamEventKind.MESSAGE, message.posted_at, message=message.pk))


@listens_to(InvitationMade)
def tell_of_invitation(made: InvitationMade) -> None:
    """Tell the user about an invitation. The inviter doesn't find out whether an address has an account."""
    invitation = made.invitation
    known = User.objects.filter(email__lower=invitation.email, is_active=True, email_confirmed_at__isnull=False)
    user = known.first() if invitation.email else invitation.user
    if user and not blocks.has_blocked(user, invitation.invited_by):
        store.add(to_users(invitation.match, [user.pk], StreamEventKind.INVITATION, invitation.made_at))


@listens_to(RemindersDue)
def tell_of_reminders(reminders: RemindersDue) -> None:
    kind, at = StreamEventKind.REMINDER, reminders.at
    store.add(
        [
            event
            for loaded, seat, _ in reminders.due
            for event in to_seats(loaded, [seat], kind, at, deadline=written(seat.deadline))
        ]
    )


@listens_to(DeadlinesChanged)
def tell_of_new_deadlines(deadlines: DeadlinesChanged) -> None:
    kind, at = StreamEventKind.DEADLINE_CHANGED, deadlines.at
    store.add(
        [
            event
            for match, seat in deadlines.changed
            for event in to_users(match, [seat.user_id], kind, at, deadline=written(seat.deadline))
        ]
    )


@listens_to(DeadlinePassed)
def tell_of_deadline(passed: DeadlinePassed) -> None:
    late = [seat.number for seat in passed.late]
    store.add(to_seats(passed.loaded, passed.loaded.seats, StreamEventKind.DEADLINE_PASSED, passed.at, late=late))


@listens_to(PlayerResigned)
def tell_of_resignation(resigned: PlayerResigned) -> None:
    loaded, seat = resigned.loaded, resigned.seat.number
    store.add(to_seats(loaded, loaded.seats, StreamEventKind.RESIGNED, resigned.at, seat=seat))


@listens_to(ProposalChanged)
def tell_of_proposal(changed: ProposalChanged) -> None:
    loaded, proposal, at = changed.loaded, changed.proposal, changed.at
    facts = {"proposal": proposal.pk, "status": proposal.status}
    told = {seat.user_id for seat in changed.seats} | set(changed.others)
    store.add(to_users(loaded.match, told, StreamEventKind.PROPOSAL, at, **facts))


@listens_to(AbandoningProposed)
def tell_of_abandoning(proposed: AbandoningProposed) -> None:
    loaded, kind = proposed.loaded, StreamEventKind.PROPOSAL
    store.add(to_seats(loaded, proposed.asked, kind, proposed.at, proposal=None, status="open"))


def your_turn(loaded: LoadedMatch, asked: Iterable[Seat], at: datetime) -> list[StreamEvent]:
    return [
        event
        for seat in asked
        if seat.is_present
        for event in to_seats(loaded, [seat], StreamEventKind.YOUR_TURN, at, deadline=written(seat.deadline))
    ]


def match_over(loaded: LoadedMatch, seats: Iterable[Seat], at: datetime) -> list[StreamEvent]:
    return to_seats(loaded, seats, StreamEventKind.MATCH_OVER, at, phase=loaded.match.phase)


def to_seats(
    loaded: LoadedMatch, seats: Iterable[Seat], kind: StreamEventKind, at: datetime, **facts: Any
) -> list[StreamEvent]:
    return to_users(loaded.match, [seat.user_id for seat in seats], kind, at, **facts)


def to_users(
    match: Match, users: Iterable[int | None], kind: StreamEventKind, at: datetime, **facts: Any
) -> list[StreamEvent]:
    """Return an event for each user. Seats of bots and departed players get none."""
    turn = match.turn or None
    return [
        sql.new_row(StreamEvent, user_id=user, kind=kind, match=match.id, turn=turn, data=facts, happened_at=at)
        for user in users
        if user is not None
    ]


def add_to_write(loaded: LoadedMatch, events: list[StreamEvent]) -> None:
    loaded.new_rows += store.announced(events)


def written(time: datetime | None) -> str | None:
    return time.isoformat().replace("+00:00", "Z") if time else None

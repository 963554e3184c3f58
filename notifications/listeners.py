"""Turn announcements from accounts, games and the clock into notifications, in the same transaction.

Notifications about a move are inserted together with the move.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts import blocks, links
from accounts.announcements import (
    AccountChanged,
    AccountDeleted,
    AddressChangeRequested,
    AddressConfirmed,
    ConfirmationRequested,
    LoginLinkRequested,
    PasswordResetRequested,
)
from accounts.models import User
from clock.announcements import (
    AbandoningProposed,
    ClockSetBack,
    DeadlinePassed,
    PlayerResigned,
    ProposalChanged,
    RemindersDue,
)
from core import sql
from core.announcements import listens_to
from games.models import Seat
from games.selectors.loading import LoadedMatch
from games.services.announcements import (
    InvitationMade,
    MatchAbandoned,
    MatchClosed,
    MatchStarted,
    MessagePosted,
    MoveMade,
)
from notifications import bounces, outbox
from notifications.models import BouncingAddress, Delivery, Notification, NotificationKind

OVERTAKEN = {NotificationKind.YOUR_TURN, NotificationKind.NEWS}
WHILE_PLAYING = timedelta(minutes=10)
"""How long to wait before telling players in a match against bots that it's their turn."""


@listens_to(MatchStarted)
def tell_of_start(started: MatchStarted) -> None:
    """Notify the players that the match has started.

    A player who has just created a match against bots already knows this.
    """
    loaded, at = started.loaded, started.at
    if sum(not seat.is_bot for seat in loaded.seats) == 1:
        add_to_write(loaded, later(to_seats(loaded, started.asked, NotificationKind.YOUR_TURN, at)))
        return
    others = [seat for seat in loaded.seats if seat not in started.asked]
    add_to_write(
        loaded,
        [
            *to_seats(loaded, others, NotificationKind.MATCH_STARTED, at),
            *to_seats(loaded, started.asked, NotificationKind.YOUR_TURN, at),
        ],
    )


@listens_to(MoveMade)
def tell_of_move(made: MoveMade) -> None:
    """Notify the players whose turn it is, and tell the others what happened or how the match ended."""
    loaded, watching, at = made.loaded, made.watching, made.at
    if not made.by_player:
        withdraw_unsent(loaded, [made.seat.number])
    asked = [seat for seat in made.asked if seat is not watching and not seat.has_stand_in]
    told = to_seats(loaded, asked, NotificationKind.YOUR_TURN, at) if asked else []
    if made.seat.is_bot:
        started = loaded.match.started_at or at
        playing = {seat.number for seat in asked if at - (seat.visited_at or started) < WHILE_PLAYING}
        later([notification for notification in told if notification.seat in playing])
    if made.is_over:
        told += to_seats(loaded, loaded.seats, NotificationKind.MATCH_OVER, at)
    elif made.is_news:
        onlookers = [seat for seat in loaded.seats if seat.awaited_since is None and seat is not watching]
        told += to_seats(loaded, onlookers, NotificationKind.NEWS, at)
    if told:
        add_to_write(loaded, told)


@listens_to(MatchAbandoned)
def tell_of_abandonment(abandoned: MatchAbandoned) -> None:
    loaded = abandoned.loaded
    add_to_write(loaded, to_seats(loaded, loaded.seats, NotificationKind.MATCH_OVER, abandoned.at))


@listens_to(MatchClosed)
def tell_of_closing(closed: MatchClosed) -> None:
    """Tell the players that the match was closed. Seats haven't been drawn yet, so these notifications have no turn."""
    outbox.add(to_seats(closed.loaded, closed.affected, NotificationKind.MATCH_OVER, closed.at, turn=None))


@listens_to(MessagePosted)
def tell_of_message(posted: MessagePosted) -> None:
    """Notify the other players, except those who already have such a notification in the queue, because one email shows
    all new messages.

    Locking the queued notifications makes their emails wait for this message.
    """
    message, match = posted.message, posted.loaded.match
    waiting = Notification.objects.filter(match=match, kind=NotificationKind.MESSAGE, delivery=Delivery.QUEUED)
    told = {message.author_id, *waiting.select_for_update().order_by("pk").values_list("user_id", flat=True)}
    told |= blocks.users_who_blocked(message.author) if message.author else set()
    others = [seat for seat in posted.loaded.seats if seat.user_id not in told]
    data = {"message": message.pk}
    outbox.add(to_seats(posted.loaded, others, NotificationKind.MESSAGE, message.posted_at, turn=None, data=data))


@listens_to(InvitationMade)
def tell_of_invitation(made: InvitationMade) -> None:
    """Send the invitation to the account with that address, if there is one.

    The inviter doesn't find out whether such an account exists.
    """
    invitation = made.invitation
    known = User.objects.filter(email__lower=invitation.email, is_active=True, email_confirmed_at__isnull=False)
    user = known.first() if invitation.email else invitation.user
    if user and blocks.has_blocked(user, invitation.invited_by):
        return
    data = {"invitation": invitation.pk}
    outbox.add([one(NotificationKind.INVITATION, user=user, email=invitation.email, match=invitation.match, data=data)])


@listens_to(RemindersDue)
def tell_of_reminders(reminders: RemindersDue) -> None:
    outbox.add(
        [
            notification
            for loaded, seat, number in reminders.due
            for notification in to_seats(loaded, [seat], NotificationKind.REMINDER, reminders.at, number=number)
        ]
    )


@listens_to(DeadlinePassed)
def tell_of_deadline(passed: DeadlinePassed) -> None:
    replaced = [seat.number for seat in passed.late if seat.has_stand_in]
    data = {"late": [seat.number for seat in passed.late], "stand_ins": replaced}
    kind, number = NotificationKind.DEADLINE_PASSED, passed.late[0].drawn + 1
    outbox.add(
        to_seats(passed.loaded, passed.loaded.seats, kind, passed.at, turn=passed.turn, number=number, data=data)
    )


@listens_to(PlayerResigned)
def tell_of_resignation(resigned: PlayerResigned) -> None:
    others = [seat for seat in resigned.loaded.seats if seat is not resigned.seat]
    data, number = {"seat": resigned.seat.number}, resigned.seat.drawn + 1
    outbox.add(to_seats(resigned.loaded, others, NotificationKind.RESIGNED, resigned.at, number=number, data=data))


@listens_to(ProposalChanged)
def tell_of_proposal(changed: ProposalChanged) -> None:
    data = {"proposal": changed.proposal.pk, "status": changed.proposal.status}
    told = to_seats(changed.loaded, changed.seats, NotificationKind.PROPOSAL, changed.at, turn=None, data=data)
    for user in User.objects.filter(pk__in=changed.others):
        told.append(one(NotificationKind.PROPOSAL, user=user, match=changed.loaded.match, data=data))
    outbox.add(told)


@listens_to(AbandoningProposed)
def tell_of_abandoning(proposed: AbandoningProposed) -> None:
    data, kind = {"abandon": True}, NotificationKind.PROPOSAL
    outbox.add(to_seats(proposed.loaded, proposed.asked, kind, proposed.at, turn=None, data=data))


@listens_to(ConfirmationRequested)
def send_confirmation(requested: ConfirmationRequested) -> None:
    registration = requested.registration
    data = {"registration": str(registration.pk)}
    outbox.add([one(NotificationKind.CONFIRM_ADDRESS, email=registration.email, data=data)])


@listens_to(AddressChangeRequested)
def send_address_change(requested: AddressChangeRequested) -> None:
    data = {"user": requested.user.pk, "mark": links.password_fingerprint(requested.user)}
    outbox.add([one(NotificationKind.CONFIRM_ADDRESS, email=requested.new_address, data=data)])


@listens_to(PasswordResetRequested)
def send_password_reset(requested: PasswordResetRequested) -> None:
    outbox.add([one(NotificationKind.RESET_PASSWORD, email=requested.email)])


@listens_to(LoginLinkRequested)
def send_login_link(requested: LoginLinkRequested) -> None:
    data = {"next": requested.next_page} if requested.next_page else {}
    outbox.add([one(NotificationKind.LOGIN_LINK, email=requested.email, data=data)])


@listens_to(AccountChanged)
def tell_of_account_change(changed: AccountChanged) -> None:
    """Notify the user. If the account's address has changed, notify the previous address instead."""
    data = {"what": changed.what, "where": changed.where}
    if changed.email:
        told = one(NotificationKind.ACCOUNT_CHANGED, email=changed.email, data=data | {"user": changed.user.pk})
    else:
        told = one(NotificationKind.ACCOUNT_CHANGED, user=changed.user, data=data)
    outbox.add([told])


@listens_to(AddressConfirmed)
def trust_address(confirmed: AddressConfirmed) -> None:
    """Forget earlier bounces, because mail has arrived at this address."""
    bounces.clear(confirmed.email)


@listens_to(AccountDeleted)
def forget_address(deleted: AccountDeleted) -> None:
    """Delete notifications that were sent to the address itself, and everything we know about the address."""
    user = deleted.user
    Notification.objects.filter(Q(email=user.email) | Q(user=None, data__user=user.pk)).delete()
    BouncingAddress.objects.filter(email=user.email).delete()


@listens_to(ClockSetBack)
def try_addresses_again(set_back: ClockSetBack) -> None:
    too_late = set_back.at + bounces.LONGEST_PAUSE
    BouncingAddress.objects.filter(quiet_until__gt=too_late).update(quiet_until=set_back.at)


def one(kind: NotificationKind, **fields: Any) -> Notification:
    now = timezone.now()
    return Notification(kind=kind, created_at=now, due_at=now, **fields)


def to_seats(
    loaded: LoadedMatch, seats: Iterable[Seat], kind: NotificationKind, at: datetime, **details: Any
) -> list[Notification]:
    """Return a notification for each occupied seat."""
    details = {"turn": loaded.match.turn} | details
    return [
        sql.new_row(
            Notification,
            user=seat.user,
            match=loaded.match,
            seat=seat.number,
            kind=kind,
            created_at=at,
            due_at=at,
            **details,
        )
        for seat in seats
        if seat.user is not None
    ]


def later(notifications: list[Notification]) -> list[Notification]:
    """Postpone the notifications. They aren't sent if the player moves before then."""
    for notification in notifications:
        notification.due_at += WHILE_PLAYING
    return notifications


def add_to_write(loaded: LoadedMatch, notifications: list[Notification]) -> None:
    """Add the notifications to the pending write, in which they replace obsolete ones for the same seats."""
    withdraw_unsent(loaded, {notification.seat for notification in notifications})
    loaded.new_rows += outbox.announced(notifications)


def withdraw_unsent(loaded: LoadedMatch, seats: Collection[int | None]) -> None:
    """Remove unsent notifications that later moves in the same transaction have made obsolete, for example because a
    standing order was played."""
    loaded.new_rows = [
        row
        for row in loaded.new_rows
        if not (isinstance(row, Notification) and row.seat in seats and row.kind in OVERTAKEN)
    ]

"""A player deletes their account while others play, join or start.

The lock makes these changes happen one at a time.
"""

from functools import partial
from threading import Barrier
from unittest.mock import patch

import pytest
from django.db import OperationalError
from django.utils import timezone

from accounts import profile
from clock.sweep import sweep
from core.refusals import Refused
from games.models import Match, Phase, Seat
from games.selectors import access
from games.selectors.loading import load_match, load_matches
from games.services import departures, invitations, lobby
from games.services.audit import first_difference
from notifications.models import Notification
from tests.games.builders import awaited, plan, player, running_match, send, sitting
from tests.games.racing import all_at_once, met_at

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 6


def before_the_next_player():
    """Return a match, a move that passes the turn to the next player, and that player."""
    table = running_match(seats=3)
    mover = awaited(table)
    send(table.match.id, sitting(mover), "draw", table.match.turn)
    move = partial(send, table.match.id, sitting(mover), "place 1", table.match.turn + 1)
    return table, move, sitting(table.seats[(mover.drawn + 1) % 3])


def overlooked_seats(table):
    """Count the seats that block the match: they have to move but have no player, and the clock is not about to check
    them."""
    gone = Seat.objects.filter(match=table.match, user=None, awaited_since__isnull=False)
    return gone.exclude(wake_at__lte=timezone.now()).count()


def is_told(table):
    asked = awaited(load_match(table.match.id))
    return Notification.objects.filter(user=asked.user, kind="your_turn", turn=asked.asked_turn).exists()


def test_a_player_who_leaves_on_their_turn_does_not_block_the_match():
    for _ in range(ROUNDS):
        table, move, leaving = before_the_next_player()
        answer, left = all_at_once([move, partial(profile.remove, leaving)])
        assert (answer.status, left) == (200, None)
        assert overlooked_seats(table) == 0
        sweep()
        assert is_told(table)
        assert first_difference(load_match(table.match.id)) is None


def test_a_move_by_a_player_who_is_leaving_is_either_played_or_refused():
    for _ in range(ROUNDS):
        table = running_match(seats=3)
        leaving = sitting(awaited(table))
        move = partial(send, table.match.id, leaving, "draw", table.match.turn)
        answer, left = all_at_once([move, partial(profile.remove, leaving)])
        assert left is None
        assert answer.code == "not_your_match" if isinstance(answer, Refused) else answer.status == 200
        sweep()
        assert is_told(table)
        assert first_difference(load_match(table.match.id)) is None


def test_players_in_the_same_matches_can_leave_at_once_without_a_deadlock():
    tables = [running_match(seats=3) for _ in range(4)]
    leaving = [sitting(seat) for seat in tables[0].seats]
    assert all_at_once([partial(profile.remove, user) for user in leaving]) == [None] * 3
    sweep()
    assert {load_match(table.match.id).match.phase for table in tables} == {Phase.ABANDONED}


def test_control_without_the_lock_the_seat_of_a_player_who_leaves_is_overlooked(no_lock):
    table, move, leaving = before_the_next_player()
    meeting = Barrier(2)
    with (
        patch.object(access, "load_match", met_at(meeting, load_match)),
        patch.object(departures, "load_matches", met_at(meeting, load_matches)),
        patch.object(departures, "under_way_with", lambda user: [table.match.id]),
    ):
        results = all_at_once([move, partial(profile.remove, leaving)])
    assert overlooked_seats(table) or any(isinstance(result, Exception) for result in results)


def test_if_the_owner_starts_while_somebody_accepts_by_link_every_seat_gets_a_number():
    """Either the guest has a seat when the match starts, or the invitation is closed.

    No seat is left without a number.
    """
    for _ in range(ROUNDS):
        owner, guest = player("ann"), player("ben")
        match_id = lobby.create(owner, plan(seats=4)).match.id
        lobby.join(match_id, player("cleo"))
        invited = invitations.invite(match_id, owner, "guest@example.org")
        started, accepted = all_at_once(
            [partial(lobby.start, match_id, owner), partial(invitations.accept, invited.pk, guest)]
        )
        table = load_match(match_id)
        assert not isinstance(started, Exception)
        assert [seat.number for seat in table.seats] == list(range(table.match.seat_count))
        assert accepted.code == "no_such_invitation" if isinstance(accepted, Refused) else table.seat_of(guest.pk)
        assert first_difference(table) is None


def test_control_without_the_lock_a_guest_who_accepts_by_link_gets_no_number(no_lock):
    """With SQLite, one of the calls fails instead, because its write lock is also disabled."""
    owner, guest = player("ann"), player("ben")
    match_id = lobby.create(owner, plan(seats=4)).match.id
    lobby.join(match_id, player("cleo"))
    invited = invitations.invite(match_id, owner, "guest@example.org")
    with (
        patch.object(invitations, "locked", Match.objects.all),
        patch.object(access, "load_match", met_at(Barrier(2), load_match)),
    ):
        results = all_at_once([partial(lobby.start, match_id, owner), partial(invitations.accept, invited.pk, guest)])
    assert not any(isinstance(result, Refused) for result in results)
    unnumbered = [seat for seat in load_match(match_id).seats if seat.number is None]
    assert unnumbered or any(isinstance(result, OperationalError) for result in results)


def test_the_last_player_joining_and_the_owner_starting_begin_the_match_only_once():
    for _ in range(ROUNDS):
        owner, guest = player("ann"), player("ben")
        match_id = lobby.create(owner, plan(seats=3)).match.id
        lobby.join(match_id, player("cleo"))
        invited = invitations.invite(match_id, owner, "guest@example.org")
        results = all_at_once([partial(lobby.start, match_id, owner), partial(invitations.accept, invited.pk, guest)])
        assert [isinstance(result, Refused) for result in results].count(True) == 1
        assert first_difference(load_match(match_id)) is None

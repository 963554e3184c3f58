"""If one player looks at the board while another one moves, both writes survive."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Seat, Source
from games.selectors.loading import load_match
from games.services import moves, visits
from games.services.moves import Actor
from tests.games.builders import awaited, running_match
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


def write_move(table):
    """Write the values that were read earlier, as in the second half of a move."""
    mover = awaited(table)
    moves.make_move(table, mover, table.engine.parse("draw"), Actor(Source.API, mover.user), at=timezone.now())
    moves.write(table)
    return mover


def test_a_visit_during_a_move_is_not_lost():
    table = running_match()
    laid = load_match(table.match.id)
    other = next(seat for seat in table.seats if not seat.awaited_since)
    visits.record(table, other.user)
    visited_at = Seat.objects.get(pk=other.pk).visited_at
    assert visited_at
    write_move(laid)
    assert Seat.objects.get(pk=other.pk).visited_at == visited_at


def test_the_later_visit_of_the_player_who_moved_is_stored():
    table = running_match()
    laid = load_match(table.match.id)
    later = timezone.now() + timedelta(hours=1)
    table.match.seats.update(visited_at=later)
    mover = write_move(laid)
    assert Seat.objects.get(pk=mover.pk).visited_at == later


def test_a_move_counts_as_a_visit():
    table = running_match()
    started = timezone.now()
    assert not_none(Seat.objects.get(pk=write_move(table).pk).visited_at) >= not_none(started)

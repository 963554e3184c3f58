"""What the mails say when a match ends because its players are gone."""

from datetime import timedelta

import pytest

from clock import proposals
from clock.sweep import sweep
from games.models import Move, Phase
from games.models.pace import Pace
from notifications.models import NotificationKind
from tests.clock.deciding import again, mail_to
from tests.games.builders import running_match, say, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wall")]

DAY = timedelta(days=1)


@pytest.fixture
def table(hush):
    return running_match("hush", 3, pace=Pace(DAY, patience=1), options={"rounds": 9})


def agree_to_end(table, *seats):
    for seat in seats:
        proposals.abandon(table.match.id, sitting(table.seats[seat]), agreed=True)


def all_are_late(table, wall):
    wall.shift(DAY)
    sweep()
    assert again(table).match.phase == Phase.ABANDONED


def last_mail(table, seat=1, kind=NotificationKind.MATCH_OVER):
    return mail_to(sitting(table.seats[seat]), kind)


def test_one_wish_and_time_outs_are_not_called_an_agreement(table, wall):
    agree_to_end(table, 0)
    all_are_late(table, wall)
    assert "Nobody is playing it anymore, so there is no result." in last_mail(table)


def test_the_wish_of_all_is(table):
    agree_to_end(table, 0, 1, 2)
    assert "All players agreed to end it without a result." in last_mail(table)


def test_so_is_the_wish_of_all_who_still_played(table, wall):
    agree_to_end(table, 0, 1)
    for seat in (0, 1):
        say(table, seat, "name 2")
    all_are_late(table, wall)
    assert "Everyone still playing agreed to end it without a result." in last_mail(table, seat=2)


def test_nobody_is_told_of_a_move_that_was_not_made_or_sent_back_to_a_match_that_is_over(table, wall):
    all_are_late(table, wall)
    assert not Move.objects.exists()
    told = last_mail(table, kind=NotificationKind.DEADLINE_PASSED)
    assert "You ran out of time in Hush with " in told
    assert "so the match ended." in told
    assert "harmless" not in told
    assert "turnpost back" not in told


def test_neither_are_the_others(table, wall):
    agree_to_end(table, 0, 1)
    for seat in (0, 1):
        say(table, seat, "name 2")
    all_are_late(table, wall)
    told = last_mail(table, seat=0, kind=NotificationKind.DEADLINE_PASSED)
    assert f"{table.names[2]} ran out of time in Hush with " in told
    assert "From now on" not in told


def test_nobody_is_asked_on_the_last_board_of_a_match_that_was_ended():
    table = running_match(seats=2)
    agree_to_end(table, 0, 1)
    for seat in (0, 1):
        assert "The match has ended." in last_mail(table, seat)
        assert "draw a card" not in last_mail(table, seat)

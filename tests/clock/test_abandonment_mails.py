from datetime import timedelta

import pytest

from clock import proposals
from clock.sweep import sweep
from games.models import Move, Phase
from games.models.pace import Pace
from notifications.letters.match_news import WHO_MOVED
from notifications.models import NotificationKind
from tests.clock.voting import again, mail_to
from tests.games.builders import running_match, say, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]

DAY = timedelta(days=1)


@pytest.fixture
def table(hush):
    return running_match("hush", 3, pace=Pace(DAY, patience=1), options={"rounds": 9})


def agree_to_end(table, *seats):
    for seat in seats:
        proposals.abandon(table.match.id, sitting(table.seats[seat]), agreed=True)


def all_are_late(table, frozen_time):
    frozen_time.shift(DAY)
    sweep()
    assert again(table).match.phase == Phase.ABANDONED


def last_mail(table, seat=1, kind=NotificationKind.MATCH_OVER):
    return mail_to(sitting(table.seats[seat]), kind)


def test_if_only_one_player_agreed_and_the_others_timed_out_the_email_does_not_say_that_all_agreed(table, frozen_time):
    agree_to_end(table, 0)
    all_are_late(table, frozen_time)
    assert "Nobody is playing it anymore, so there is no result." in last_mail(table)


def test_the_email_says_that_all_players_agreed(table):
    agree_to_end(table, 0, 1, 2)
    assert "All players agreed to end it without a result." in last_mail(table)


def test_the_email_says_that_everyone_still_playing_agreed(table, frozen_time):
    agree_to_end(table, 0, 1)
    for seat in (0, 1):
        say(table, seat, "name 2")
    all_are_late(table, frozen_time)
    assert "Everyone still playing agreed to end it without a result." in last_mail(table, seat=2)


def test_when_the_match_ends_the_email_mentions_no_move_for_the_late_player_and_no_way_to_come_back(table, frozen_time):
    all_are_late(table, frozen_time)
    assert not Move.objects.exists()
    told = last_mail(table, kind=NotificationKind.DEADLINE_PASSED)
    assert "You ran out of time in Hush with " in told
    assert "so the match ended." in told
    assert all(happened not in told for happened in WHO_MOVED.values())
    assert "turnpost back" not in told


def test_the_other_players_email_does_not_mention_a_stand_in(table, frozen_time):
    agree_to_end(table, 0, 1)
    for seat in (0, 1):
        say(table, seat, "name 2")
    all_are_late(table, frozen_time)
    told = last_mail(table, seat=0, kind=NotificationKind.DEADLINE_PASSED)
    assert f"{table.names[2]} ran out of time in Hush with " in told
    assert "From now on" not in told


def test_nobody_has_to_move_on_the_last_board_of_an_abandoned_match():
    table = running_match(seats=2)
    agree_to_end(table, 0, 1)
    for seat in (0, 1):
        assert "The match has ended." in last_mail(table, seat)
        assert "draw a card" not in last_mail(table, seat)

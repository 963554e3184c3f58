from datetime import timedelta

import pytest

from clock import proposals
from clock.sweep import sweep
from core.rates import Rate
from games.models import Phase
from games.models.pace import Pace
from notifications.context import NothingToSay
from notifications.models import Notification, NotificationKind
from tests.clock.voting import again, mail_to, names, refused
from tests.games.builders import running_match, say, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]

DAY = timedelta(days=1)


@pytest.fixture
def table(hush):
    return running_match("hush", 3, pace=Pace(DAY, patience=1), options={"rounds": 9})


def agree_to_end(table, seat, agreed=True):
    proposals.abandon(table.match.id, sitting(table.seats[seat]), agreed=agreed)


def asked():
    return sorted(Notification.objects.filter(kind=NotificationKind.PROPOSAL).values_list("user__username", flat=True))


def mail(table, seat):
    return mail_to(sitting(table.seats[seat]), NotificationKind.PROPOSAL)


def test_the_email_names_the_players_who_agreed_and_those_who_have_not(table):
    agree_to_end(table, 0)
    assert asked() == names(table, 1, 2)
    told = mail(table, 1)
    others = "you and " + table.names[2]
    assert f"{table.names[0]} would like to end Hush with " in told
    assert f"It ends when everyone agrees. Waiting for {others} to agree." in told
    assert f"turnpost abandon {table.match.id}" in told


def test_nobody_is_asked_twice_to_end_the_match(table):
    agree_to_end(table, 0)
    agree_to_end(table, 0)
    agree_to_end(table, 1)
    assert asked() == names(table, 1, 2)
    assert f"{table.names[0]} and {table.names[1]} would like to end" in mail(table, 2)


def test_a_player_who_has_agreed_gets_no_email(table):
    agree_to_end(table, 0)
    agree_to_end(table, 1)
    with pytest.raises(NothingToSay):
        mail(table, 1)


def test_nobody_gets_an_email_once_the_request_is_withdrawn(table):
    agree_to_end(table, 0)
    agree_to_end(table, 0, agreed=False)
    assert not any(seat.wants_to_abandon for seat in again(table).seats)
    with pytest.raises(NothingToSay):
        mail(table, 1)
    agree_to_end(table, 1)
    assert asked() == sorted([*names(table, 1, 2), *names(table, 0, 2)])


def test_the_last_player_to_agree_ends_the_match_and_nobody_else_is_asked(table):
    for seat in range(3):
        agree_to_end(table, seat)
    assert again(table).match.phase == Phase.ABANDONED
    assert asked() == names(table, 1, 2)
    with pytest.raises(NothingToSay):
        mail(table, 2)


def test_a_player_with_a_stand_in_cannot_ask_to_end_the_match_and_is_not_asked(table, frozen_time):
    for seat in (1, 2):
        say(table, seat, "name 2")
    frozen_time.shift(DAY)
    sweep()
    agree_to_end(table, 0)
    assert asked() == []
    agree_to_end(table, 1)
    assert asked() == names(table, 2)
    assert "Waiting for you to agree." in mail(table, 2)


def test_changing_your_mind_repeatedly_is_rate_limited(table, settings):
    settings.RATES = settings.RATES | {"proposal": Rate(2, 3600)}
    for _ in range(2):
        agree_to_end(table, 0)
        agree_to_end(table, 0, agreed=False)
    assert refused(agree_to_end, table, 0) == (429, "too_many_attempts")

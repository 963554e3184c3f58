from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import browser_sessions, login_links
from accounts.models import User
from core.rates import Rate
from core.refusals import NotFound, Refused
from games.models import Event, Match, Phase, Seat
from games.services import bot_moves, invitations, lobby, trials
from notifications.mail.sender import deliver_due
from tests.games.builders import plan, player

pytestmark = pytest.mark.django_db


def test_a_guest_can_play_against_two_bots_right_away():
    guest, loaded = trials.start("coloretto", "192.0.2.1")
    assert (loaded.match.phase, loaded.match.is_private) == (Phase.RUNNING, True)
    assert [seat.user for seat in loaded.seats if not seat.is_bot] == [guest]
    bot_moves.play_due()
    assert Seat.objects.get(match=loaded.match, user=guest).awaited_since


def test_a_guest_gets_no_email_and_nobody_can_log_in_or_invite_as_them(mailoutbox):
    guest, _ = trials.start("coloretto", "192.0.2.1")
    login_links.ask(guest.email, "192.0.2.1")
    deliver_due()
    assert mailoutbox == []
    assert not guest.has_usable_password()
    match = lobby.create(player("ann"), plan()).match
    with pytest.raises(NotFound):
        invitations.invite(match.id, player("ann"), guest.username)


def test_trials_are_rate_limited_per_address(settings):
    settings.RATES = settings.RATES | {"trial": Rate(1, 3600)}
    trials.start("coloretto", "192.0.2.1")
    with pytest.raises(Refused):
        trials.start("coloretto", "192.0.2.1")
    trials.start("coloretto", "192.0.2.2")


def test_the_total_number_of_trials_is_limited(monkeypatch):
    monkeypatch.setattr(trials, "MOST_TRIALS", 1)
    trials.start("coloretto", "192.0.2.1")
    with pytest.raises(Refused):
        trials.start("coloretto", "192.0.2.2")


def test_a_guest_and_their_match_are_deleted_a_day_after_the_last_visit():
    guest, loaded = trials.start("coloretto", "192.0.2.1")
    browser_sessions.start(guest, "test", loaded.match.id)
    kept = lobby.create(player("ann"), plan()).match
    now = timezone.now()
    assert trials.forget_abandoned(now + timedelta(hours=23)) == 0
    with time_machine.travel(now + timedelta(hours=25)):
        assert trials.forget_abandoned(timezone.now()) == 1
    assert not User.objects.filter(is_guest=True).exists()
    assert list(Match.objects.all()) == [kept]
    assert not Event.objects.exists()

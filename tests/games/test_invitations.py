"""An invitation reserves a seat until it is answered, is withdrawn or expires."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import blocks
from core.housekeeping import tidy_up
from core.problems import status_of
from core.rates import Rate
from core.refusals import Refused
from games.models import Invitation
from games.models.invitation import INVITATION_TIME
from games.selectors import lists, presenters
from games.services import invitations, lobby
from tests.games.builders import plan, player

pytestmark = pytest.mark.django_db


@pytest.fixture
def match_id(ann):
    """Create a match for two players in which Ann has a seat and the other one is free."""
    return lobby.create(ann, plan(seats=2)).match.id


def refusal(call, *args):
    with pytest.raises(Refused) as refused:
        call(*args)
    return status_of(refused.value), refused.value.code


def listed_as_open():
    return [match.pk for match in lists.open_to_all(None)]


def test_a_stranger_cannot_take_the_seat_of_an_invited_player(ann, ben, match_id):
    invitations.invite(match_id, ann, "ben")
    assert refusal(lobby.join, match_id, player("cleo")) == (409, "seats_reserved")
    assert lobby.join(match_id, ben).match.phase == "running"


def test_a_seat_stays_reserved_for_an_address_without_an_account(ann, match_id):
    invitation = invitations.invite(match_id, ann, "new@example.org")
    assert refusal(lobby.join, match_id, player("cleo")) == (409, "seats_reserved")
    assert invitations.accept(invitation.pk, player("dora")).match.phase == "running"


@pytest.mark.parametrize("release", ["decline", "withdraw", "expire"])
def test_a_seat_becomes_free_when_its_invitation_is_no_longer_open(ann, ben, match_id, release):
    invitation = invitations.invite(match_id, ann, "ben")
    if release == "decline":
        invitations.decline(match_id, ben)
    elif release == "withdraw":
        invitations.withdraw(match_id, ann, invitation.pk)
    else:
        invitations.expire(timezone.now() + INVITATION_TIME)
    assert lobby.join(match_id, player("cleo")).match.phase == "running"


def test_housekeeping_expires_invitations(ann, match_id):
    invitation = invitations.invite(match_id, ann, "ben@example.org")
    tidy_up()
    assert Invitation.objects.get(pk=invitation.pk).answer == "open"
    with time_machine.travel(timezone.now() + INVITATION_TIME, tick=False):
        tidy_up()
    assert Invitation.objects.get(pk=invitation.pk).answer == "expired"


def test_nobody_can_accept_an_invitation_after_it_has_expired(ann, ben, match_id):
    by_name, by_mail = (
        invitations.invite(match_id, ann, "ben"),
        invitations.invite(lobby.create(ann, plan(seats=2, is_private=True)).match.id, ann, "new@example.org"),
    )
    for invitation in (by_name, by_mail):
        with time_machine.travel(invitation.expires_at - timedelta(seconds=1), tick=False):
            assert invitations.offered(invitation.pk)
        with time_machine.travel(invitation.expires_at + timedelta(seconds=1), tick=False):
            assert refusal(invitations.offered, invitation.pk) == (404, "no_such_invitation")
            assert refusal(invitations.accept, invitation.pk, player("dora")) == (404, "no_such_invitation")
            assert refusal(invitations.decline_by_link, invitation.pk) == (404, "no_such_invitation")
            assert not lists.invited(ben).exists()


def test_an_invitation_expires_after_two_weeks_or_with_its_match(ann, match_id):
    invitation = invitations.invite(match_id, ann, "ben@example.org")
    assert invitation.expires_at == invitation.made_at + timedelta(days=14)
    invitation.made_at += timedelta(days=20)
    assert invitation.expires_at == invitation.match.expires_at


def test_inviting_again_renews_the_invitation(ann, ben, match_id):
    first = invitations.invite(match_id, ann, "ben")
    Invitation.objects.filter(pk=first.pk).update(made_at=timezone.now() - timedelta(days=13))
    invitations.invite(match_id, ann, "ben")
    assert invitations.expire(timezone.now() + timedelta(days=2)) == 0


def test_no_more_players_can_be_invited_than_there_are_free_seats(ann, ben, match_id):
    invitations.invite(match_id, ann, "ben")
    assert refusal(invitations.invite, match_id, ann, "cleo@example.org") == (409, "no_free_seat")


def test_the_list_of_open_matches_leaves_out_those_whose_seats_are_reserved(ann, ben, match_id):
    assert listed_as_open() == [match_id]
    invitation = invitations.invite(match_id, ann, "ben")
    assert listed_as_open() == []
    invitations.withdraw(match_id, ann, invitation.pk)
    assert listed_as_open() == [match_id]


def test_a_summary_counts_only_free_seats(ann, ben):
    loaded = lobby.create(ann, plan(seats=4))
    invitations.invite(loaded.match.id, ann, "ben")
    listed = lists.open_to_all(None).get()
    assert presenters.summary(listed, listed.seats.all(), None).seats_free == 2


@pytest.mark.parametrize(
    ("invitee", "refused"),
    [
        ("bne", (404, "no_such_user")),
        ("ann", (409, "already_seated")),
        ("ben@example", (400, "bad_address")),
        ("cleo", (403, "blocked")),
    ],
)
def test_invitees_can_be_checked_before_a_match_exists(ann, ben, invitee, refused):
    blocks.block(player("cleo"), "ann")
    assert refusal(invitations.check, ann, invitee) == refused
    for possible in ("BEN", "nobody@example.org", "cleo@example.org"):
        invitations.check(ann, possible)
    assert not Invitation.objects.exists()


def test_checking_invitees_is_rate_limited_like_inviting(ann, ben, settings):
    settings.RATES = settings.RATES | {"invitation": Rate(1, 3600)}
    invitations.check(ann, "ben")
    assert refusal(invitations.check, ann, "ben")[0] == 429

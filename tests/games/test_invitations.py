"""An invitation reserves a seat until it is answered or withdrawn, or expires."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from core.housekeeping import tidy_up
from core.problems import status_of
from core.refusals import Refused
from games.models import Invitation
from games.selectors import lists, presenters
from games.services import invitations, lobby
from tests.games.builders import plan, player

pytestmark = pytest.mark.django_db


@pytest.fixture
def match_id(ann):
    """Create a match for two in which Ann has a seat and one is free."""
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
def test_the_seat_becomes_free_again(ann, ben, match_id, release):
    invitation = invitations.invite(match_id, ann, "ben")
    if release == "decline":
        invitations.decline(match_id, ben)
    elif release == "withdraw":
        invitations.withdraw(match_id, ann, invitation.pk)
    else:
        invitations.expire(timezone.now() + invitations.INVITATION_TIME)
    assert lobby.join(match_id, player("cleo")).match.phase == "running"


def test_housekeeping_expires_invitations(ann, match_id):
    invitation = invitations.invite(match_id, ann, "ben@example.org")
    tidy_up()
    assert Invitation.objects.get(pk=invitation.pk).answer == "open"
    with time_machine.travel(timezone.now() + invitations.INVITATION_TIME, tick=False):
        tidy_up()
    assert Invitation.objects.get(pk=invitation.pk).answer == "expired"


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

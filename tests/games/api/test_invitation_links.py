"""A mailed link leads a stranger to the table, through registration or without it."""

from datetime import timedelta

import pytest
import time_machine
from django.core import signing
from django.utils import timezone

from accounts.announcements import UserJoined
from core.announcements import announce
from core.refusals import Refused
from games.models import Invitation
from games.services import invitations, lobby
from games.services.lobby import GATHERING_TIME
from notifications.models import Notification
from tests.games.api.clients import Caller
from tests.games.builders import plan, player

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return lobby.create(player("ann"), plan(is_private=True, title="Tuesday")).match


@pytest.fixture
def invitation(match):
    return invitations.invite(match.id, player("ann"), "new@example.org")


@pytest.fixture
def token(invitation):
    return invitations.invitation_token(invitation.pk)


def test_the_link_says_who_invites_to_what_without_a_login(token, match):
    offer = Caller().get(f"/invitations/{token}").json()
    assert (offer["invited_by"]["username"], offer["game_title"], offer["title"]) == ("ann", "Coloretto", "Tuesday")
    assert offer["players"] == [{"username": "ann", "name": "Ann"}]
    assert offer["match"] == match.id


def test_whoever_has_the_link_may_accept_with_any_account(token, match):
    assert Caller().post(f"/invitations/{token}/accept").status_code == 401
    joined = Caller(player("ben")).post(f"/invitations/{token}/accept", {"salt": "my own"})
    assert (joined.status_code, joined.json()["joined"]) == (200, True)
    assert Caller(player("cleo")).post(f"/invitations/{token}/accept").status_code == 404
    assert Caller().get(f"/invitations/{token}").status_code == 404


def test_who_is_asked_again_at_the_address_is_not_taken_for_the_one_who_used_its_link(match, invitation):
    invitations.claim(invitation.pk, player("ben"))
    invitations.invite(match.id, invitation.invited_by, invitation.email)
    again = Notification.objects.filter(kind="invitation").latest("created_at")
    assert (again.email, again.user) == (invitation.email, None)


def test_accepting_twice_is_refused_in_words(token):
    ben = Caller(player("ben"))
    ben.post(f"/invitations/{token}/accept")
    again = ben.post(f"/invitations/{token}/accept")
    assert (again.status_code, again.json()["code"]) == (404, "no_such_invitation")


def test_whoever_invites_by_name_is_not_told_the_address_of_that_player(token, match):
    announce(UserJoined(player("dora"), token))
    ann = Caller(player("ann"))
    by_name = ann.post(f"/matches/{match.id}/invitations", {"invitee": "dora"}).json()
    assert (by_name["player"]["username"], by_name["email"]) == ("dora", None)
    by_address = ann.get(f"/matches/{match.id}/invitations").json()[0]
    assert (by_address["player"], by_address["email"]) == (None, "new@example.org")
    assert len(Caller(player("dora")).get("/matches?which=invited").json()["results"]) == 1


def test_registering_with_the_link_makes_it_theirs_whatever_their_address(token, match, invitation):
    newcomer = player("dora")
    announce(UserJoined(newcomer, token))
    assert Invitation.objects.get(pk=invitation.pk).user == newcomer
    assert Caller(newcomer).post(f"/matches/{match.id}/join").status_code == 200


@pytest.mark.parametrize("broken", ["nonsense", "", "MQ:1abc:def"])
def test_registering_with_a_broken_link_does_no_harm(broken):
    announce(UserJoined(player("dora"), broken))
    assert not Invitation.objects.exists()


def test_a_link_of_a_match_that_is_over_leads_nowhere(token, match):
    lobby.cancel(match.id, player("ann"))
    assert Caller().get(f"/invitations/{token}").status_code == 404
    assert Caller(player("ben")).post(f"/invitations/{token}/accept").status_code in (404, 409)


def test_a_link_ends_with_the_time_for_gathering(token):
    with time_machine.travel(timezone.now() + GATHERING_TIME + timedelta(minutes=1)):
        assert Caller().get(f"/invitations/{token}").status_code == 404


@pytest.mark.parametrize("forged", ["x", "MQ:1w2x3y:abc", "1", "%20", "a" * 3000, "é"])
def test_a_forged_link_leads_nowhere(forged, invitation):
    assert Caller().get(f"/invitations/{forged}").status_code == 404
    assert Caller(player("ben")).post(f"/invitations/{forged}/accept").status_code == 404


def test_a_link_for_something_else_is_no_invitation(invitation):
    other = signing.dumps(invitation.pk, salt="accounts.address")
    assert Caller().get(f"/invitations/{other}").status_code == 404


def test_a_yes_is_no_invitation_and_an_invitation_no_yes(invitation, token):
    assert Caller().get(f"/invitations/{invitations.acceptance_token(invitation.pk)}").status_code == 404
    with pytest.raises(Refused):
        invitations.acceptance_of(token)


def test_link_and_yes_fit_into_a_registration():
    assert len(invitations.invitation_token(2**62)) < 200
    assert len(invitations.acceptance_token(2**62)) < 200

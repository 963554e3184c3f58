"""Anyone can join a match with an emailed link, even without an account."""

from datetime import timedelta

import pytest
import time_machine
from django.core import signing
from django.utils import timezone

from accounts.announcements import UserJoined
from core.announcements import announce
from core.refusals import Refused
from games.models import Invitation, SaltMaker
from games.services import invitations, lobby
from games.services.lobby import GATHERING_TIME
from games.services.salts import Share
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


def test_the_link_shows_the_invitation_without_a_login(token, match):
    offer = Caller().get(f"/invitations/{token}").json()
    assert (offer["invited_by"]["username"], offer["game_title"], offer["title"]) == ("ann", "Coloretto", "Tuesday")
    assert offer["players"] == [{"username": "ann", "name": "Ann", "bot": False}]
    assert offer["match"] == match.id


def test_anyone_with_the_link_can_accept_it_with_any_account(token, match):
    assert Caller().post(f"/invitations/{token}/accept").status_code == 401
    joined = Caller(player("ben")).post(f"/invitations/{token}/accept", {"salt": "my own"})
    assert (joined.status_code, joined.json()["joined"]) == (200, True)
    assert Caller(player("cleo")).post(f"/invitations/{token}/accept").status_code == 404
    assert Caller().get(f"/invitations/{token}").status_code == 404


def test_inviting_an_address_again_does_not_reuse_a_claimed_invitation(match, invitation):
    invitations.claim(invitation.pk, player("ben"))
    invitations.invite(match.id, invitation.invited_by, invitation.email)
    again = Notification.objects.filter(kind="invitation").latest("created_at")
    assert (again.email, again.user) == (invitation.email, None)


def test_accepting_twice_is_refused(token):
    ben = Caller(player("ben"))
    ben.post(f"/invitations/{token}/accept")
    again = ben.post(f"/invitations/{token}/accept")
    assert (again.status_code, again.json()["code"]) == (404, "no_such_invitation")


def test_inviting_by_name_does_not_reveal_the_players_address(token, match):
    announce(UserJoined(player("dora"), token))
    ann = Caller(player("ann"))
    by_name = ann.post(f"/matches/{match.id}/invitations", {"invitee": "dora"}).json()
    assert (by_name["player"]["username"], by_name["email"]) == ("dora", None)
    by_address = ann.get(f"/matches/{match.id}/invitations").json()[0]
    assert (by_address["player"], by_address["email"]) == (None, "new@example.org")
    assert len(Caller(player("dora")).get("/matches?which=invited").json()["results"]) == 1


def test_registering_with_the_link_claims_the_invitation_for_any_address(token, match, invitation):
    newcomer = player("dora")
    announce(UserJoined(newcomer, token))
    assert Invitation.objects.get(pk=invitation.pk).user == newcomer
    assert Caller(newcomer).post(f"/matches/{match.id}/join").status_code == 200


@pytest.mark.parametrize("broken", ["nonsense", "", "MQ:1abc:def"])
def test_registering_with_a_broken_link_does_no_harm(broken):
    announce(UserJoined(player("dora"), broken))
    assert not Invitation.objects.exists()


def test_a_link_to_a_closed_match_is_refused(token, match):
    lobby.cancel(match.id, player("ann"))
    assert Caller().get(f"/invitations/{token}").status_code == 404
    assert Caller(player("ben")).post(f"/invitations/{token}/accept").status_code in (404, 409)


def test_a_link_expires_with_the_match(token):
    with time_machine.travel(timezone.now() + GATHERING_TIME + timedelta(minutes=1)):
        assert Caller().get(f"/invitations/{token}").status_code == 404


@pytest.mark.parametrize("forged", ["x", "MQ:1w2x3y:abc", "1", "%20", "a" * 3000, "é"])
def test_a_forged_link_is_refused(forged, invitation):
    assert Caller().get(f"/invitations/{forged}").status_code == 404
    assert Caller(player("ben")).post(f"/invitations/{forged}/accept").status_code == 404


def test_a_link_signed_for_another_purpose_is_refused(invitation):
    other = signing.dumps(invitation.pk, salt="accounts.address")
    assert Caller().get(f"/invitations/{other}").status_code == 404


def test_acceptance_tokens_and_invitation_tokens_are_not_interchangeable(invitation, token):
    assert Caller().get(f"/invitations/{invitations.acceptance_token(invitation.pk)}").status_code == 404
    with pytest.raises(Refused):
        invitations.acceptance_of(token)


def test_both_tokens_fit_into_a_registration():
    assert len(invitations.invitation_token(2**62)) < 200
    longest = Share("", "f" * 64, SaltMaker.BROWSER)
    assert len(invitations.acceptance_token(2**62, longest)) < 200

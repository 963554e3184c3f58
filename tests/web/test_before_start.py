"""People can create matches, and can see and change things before a match starts."""

import html
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from accounts import blocks, browser_sessions
from core.times import clock_time
from games.engine import fairness
from games.models import Absent, Match, Phase, Seat
from games.services import invitations, lobby
from tests.games.builders import plan, player

pytestmark = pytest.mark.django_db

FORM = {"seats": "3", "pace": "24h", "option-edition": "modern", "option-scoring": "brown", "level": "easy"}


def browser(user):
    client = Client()
    client.cookies["session"] = browser_sessions.start(user, "test")[1]
    return client


def created(**changes):
    answer = browser(player("ann")).post("/matches/new?game=coloretto", FORM | changes)
    assert answer.status_code == 302, answer.content
    return Match.objects.get()


def test_the_form_sets_who_moves_for_absent_players_and_whether_bots_play_and_how_long_they_think():
    match = created(absent="minimal", bots_allowed="on", think="7")
    assert (match.absent, match.allows_bots, match.think) == (Absent.MINIMAL, True, 7)


def test_by_default_bots_move_for_absent_players_and_take_no_seats():
    match = created(think="")
    assert (match.absent, match.allows_bots, match.think) == (Absent.BOT, False, None)


def test_an_invalid_choice_is_refused_and_no_match_is_created():
    for invalid in ({"absent": "nobody"}, {"think": "11"}, {"think": "long"}):
        answer = browser(player("ann")).post("/matches/new?game=coloretto", FORM | invalid)
        assert answer.status_code == 400
    assert not Match.objects.exists()


def test_the_owner_gives_the_free_seats_to_bots_of_the_level_they_choose():
    match = created(bots_allowed="on")
    page = browser(player("ann")).get(f"/matches/{match.id}").content.decode()
    assert "Give the free seats to bots" in page
    assert "<option>easy</option><option selected>normal</option><option>hard</option>" in page
    browser(player("ann")).post(f"/matches/{match.id}/bots", {"level": "hard"})
    assert Match.objects.get().phase == Phase.RUNNING
    assert list(Seat.objects.filter(user=None).values_list("bot_level", flat=True)) == ["hard", "hard"]


def test_only_the_owner_can_give_seats_to_bots_and_only_if_the_match_allows_bots():
    match = created()
    invitations.invite(match.id, player("ann"), player("ben").username)
    lobby.join(match.id, player("ben"))
    for name, status in (("ann", 409), ("ben", 403)):
        client = browser(player(name))
        assert "Give the free seats to bots" not in client.get(f"/matches/{match.id}").content.decode()
        assert client.post(f"/matches/{match.id}/bots").status_code == status
    assert Match.objects.get().phase == Phase.GATHERING


@pytest.mark.parametrize(
    ("absent", "told"), [("bot", "a bot moves for them"), ("minimal", "Turnpost makes a minimal move")]
)
def test_people_see_the_terms_of_a_match_before_they_join(absent, told):
    match = lobby.create(player("ann"), plan(absent=Absent(absent))).match
    link = invitations.invitation_link(invitations.invite(match.id, player("ann"), "dora@example.net").pk)
    pages = [Client().get(path) for path in (link.removeprefix("http://localhost:8000"), f"/matches/{match.id}")]
    for page in pages:
        text = page.content.decode()
        assert told in text
        assert "3 days per move" in text
        assert "Scoring: brown (large sets are worth the most)" in text


def test_the_owner_sees_whom_they_invited_and_other_players_see_no_addresses():
    match = lobby.create(player("ann"), plan()).match
    invitations.invite(match.id, player("ann"), "dora@example.net")
    lobby.join(match.id, player("ben"))
    assert "dora@example.net" in browser(player("ann")).get(f"/matches/{match.id}").content.decode()
    seen = browser(player("ben")).get(f"/matches/{match.id}").content.decode()
    assert "someone, by email" in seen
    assert "dora@example.net" not in seen


def test_an_invited_player_sees_who_invited_them_to_which_match_before_accepting():
    match = lobby.create(player("ann"), plan("colorado-county", seats=4, title="Friday")).match
    invitation = invitations.invite(match.id, player("ann"), player("ben").username)
    until = f"The invitation is valid until {clock_time(invitation.expires_at, ZoneInfo('UTC'))}."
    listed = browser(player("ben")).get("/matches/").content.decode()
    page = browser(player("ben")).get(f"/matches/{match.id}").content.decode()
    assert "Ann invited you to play Colorado County" in listed
    assert "Friday" in listed
    assert "4 players. Players so far: Ann." in listed
    assert "3 days per move." in listed
    assert until in listed
    assert until in page
    terms, button = page.index("3 days per move"), page.index("Accept the invitation")
    assert page.index("Ann invited you.") < terms < button
    assert page.count("3 days per move") == 1


def test_an_invited_player_can_block_the_sender():
    match = lobby.create(player("ann"), plan(is_private=True)).match
    invitations.invite(match.id, player("ann"), player("ben").username)
    ben = browser(player("ben"))
    assert "Block Ann" in ben.get(f"/matches/{match.id}").content.decode()
    assert ben.post(f"/matches/{match.id}/block", {"username": "ann"}).headers["Location"] == "/matches/"
    assert "Ann invited you" not in ben.get("/matches/").content.decode()
    assert blocks.has_blocked(player("ben"), player("ann"))


def test_no_match_is_created_if_an_invitee_is_unknown():
    answer = browser(player("ann")).post("/matches/new?game=coloretto", FORM | {"invitees": "ann, nosuch x@y"})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert page.count("Couldn&#x27;t invite") == 3
    assert "ann, nosuch x@y</textarea>" in page
    assert not Match.objects.exists()


@pytest.mark.parametrize("salts", fairness.ARRANGEMENTS)
def test_the_list_of_open_matches_and_the_page_to_join_say_what_the_salts_protect_against(salts):
    match = lobby.create(player("ann"), plan("coloretto", 3, salts=salts)).match
    for address in ("/matches/open", f"/matches/{match.id}/join"):
        page = browser(player("ben")).get(address, follow=True).content.decode()
        assert fairness.ARRANGEMENTS[salts] in html.unescape(page)

"""Finding, starting and joining matches."""

import json

import pytest

from games.engine import fairness
from games.models import Match, Phase, SaltMaker, Salts, Seat
from games.selectors.loading import load_match
from games.services import invitations, lobby
from games.services.salts import Share
from tests.games.builders import plan, player
from tests.web.browser.windows import PHONE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


def notes_of(window, match_id):
    return json.loads(window.page.evaluate("id => localStorage.getItem('turnpost:' + id)", match_id))


def joined(match_id, name):
    return Seat.objects.get(match=match_id, user__username=name)


def test_a_match_is_created_with_every_option_and_the_owners_browser_makes_the_salt(visit):
    player("ben")
    ann = visit(player("ann"), width=PHONE)
    ann.go("/matches/new")
    ann.page.get_by_role("link", name="Coloretto").click()
    ann.page.locator("[name=seats]").select_option("2")
    ann.fill(invitees="ben, nobody-by-this-name")
    ann.page.get_by_label("violet: sets of three pay most").check()
    ann.fill(title="Friday")
    ann.press("Create match")
    ann.page.get_by_text("You made your own salt.").wait_for()
    match = Match.objects.get()
    assert (match.seat_count, match.title, match.options["scoring"]) == (2, "Friday", "violet")
    assert match.invitations.get().user == player("ben")
    seat = joined(match.id, "ann")
    assert (seat.salt_by, seat.salt) == (SaltMaker.BROWSER, notes_of(ann, match.id)["salt"])
    assert notes_of(ann, match.id)["hash_before_salt"] == match.secret_hash


def test_a_player_who_accepts_an_invitation_has_a_salt_that_stays_in_the_browser(visit):
    match = lobby.create(player("ann"), plan(seats=2)).match
    invitations.invite(match.id, player("ann"), player("ben").username)
    ben = visit(player("ben"), width=PHONE)
    ben.go("/matches/")
    ben.page.get_by_role("link", name="Accept").click()
    ben.press("Accept the invitation")
    ben.page.get_by_text("'s turn.").or_(ben.page.get_by_text("It's your turn.")).first.wait_for()
    seat = joined(match.id, "ben")
    assert (seat.salt_by, seat.salt) == (SaltMaker.BROWSER, notes_of(ben, match.id)["salt"])
    assert load_match(match.id).match.phase == Phase.RUNNING


def test_without_scripts_the_server_makes_the_salt_and_the_page_says_so(visit):
    match = lobby.create(player("ann"), plan(seats=3)).match
    ben = visit(player("ben"), scripts=False)
    ben.go("/matches/open")
    ben.page.get_by_role("link", name="Join", exact=True).click()
    assert "the server makes your salt" in ben.page.inner_text("main")
    ben.press("Join")
    assert joined(match.id, "ben").salt_by == SaltMaker.SERVER
    assert "The server made your salt." in ben.page.inner_text("main")


def test_a_committed_salt_is_revealed_by_the_browser_that_made_it(visit):
    match = lobby.create(player("ann"), plan(seats=2, salts=Salts.COMMITTED)).match
    ann, ben = visit(player("ann")), visit(player("ben"))
    ann.go(f"/matches/{match.id}")
    ann.page.get_by_text("You made your own salt.").wait_for()
    ben.go(f"/matches/{match.id}")
    ben.press("Join")
    ben.page.wait_for_function("id => JSON.parse(localStorage.getItem('turnpost:' + id)).reveal_sent", arg=match.id)
    salt = notes_of(ben, match.id)["salt"]
    assert joined(match.id, "ben").commitment == fairness.commitment(match.id, salt)
    ann.page.reload()
    ann.page.wait_for_function("id => JSON.parse(localStorage.getItem('turnpost:' + id)).reveal_sent", arg=match.id)
    ann.page.get_by_text("'s turn.").or_(ann.page.get_by_text("It's your turn.")).first.wait_for()
    assert load_match(match.id).match.phase == Phase.RUNNING
    assert joined(match.id, "ben").salt == salt


def test_a_browser_without_the_salt_says_where_to_reveal_it(visit):
    match = lobby.create(player("ann"), plan(seats=2, salts=Salts.COMMITTED)).match
    lobby.join(match.id, player("ben"), Share(commitment=fairness.commitment(match.id, "made elsewhere")))
    elsewhere = visit(player("ben"))
    elsewhere.go(f"/matches/{match.id}")
    elsewhere.page.get_by_text("This browser doesn’t have your salt.").wait_for()


def test_pressing_join_twice_takes_one_seat(visit):
    match = lobby.create(player("ann"), plan(seats=3)).match
    ben = visit(player("ben"))
    ben.go(f"/matches/{match.id}/join")
    ben.page.get_by_role("button", name="Join").dblclick()
    ben.page.get_by_text("Leave the match").wait_for()
    assert Seat.objects.filter(match=match).count() == 2
    ben.page.go_back()
    assert Seat.objects.filter(match=match).count() == 2

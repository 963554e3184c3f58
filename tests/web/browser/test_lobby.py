"""People can find, start and join matches in a browser."""

import pytest
from playwright.sync_api import expect

from games.engine import fairness
from games.models import Match, Phase, SaltMaker, Salts, Seat
from games.selectors.loading import load_match
from games.services import invitations, lobby
from games.services.salts import Share
from tests.games.builders import plan, player
from tests.web.browser.windows import PHONE, notes_of, wait_for_note

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


def joined(match_id, name):
    return Seat.objects.get(match=match_id, user__username=name)


def test_a_match_is_created_with_every_option_and_the_owners_browser_makes_the_salt(visit):
    player("ben")
    ann = visit(player("ann"), width=PHONE)
    ann.go("/matches/new")
    ann.page.get_by_role("link", name="Coloretto").click()
    ann.page.locator("[name=seats]").select_option("2")
    ann.fill(invitees="ben, nobody-by-this-name")
    ann.press("Create match")
    expect(ann.page.locator("[role=alert]")).to_contain_text("Couldn't invite nobody-by-this-name.")
    assert not Match.objects.exists(), "the name can be corrected first"
    ann.fill(invitees="ben")
    ann.page.get_by_label("violet: sets of three are worth the most").check()
    ann.fill(title="Friday")
    ann.press("Create match")
    ann.page.get_by_text("Your browser or client made your salt.").wait_for()
    match = Match.objects.get()
    assert (match.seat_count, match.title, match.options["scoring"]) == (2, "Friday", "violet")
    assert match.invitations.get().user == player("ben")
    seat = joined(match.id, "ann")
    assert (seat.salt_by, seat.salt) == (SaltMaker.BROWSER, notes_of(ann, match.id, "ann")["salt"])
    notes = notes_of(ann, match.id, "ann")
    assert (notes["hash_before_salt"], notes["position_before_salt"]) == (match.secret_hash, 1)


def test_the_owner_can_read_who_could_not_be_invited_after_the_browser_has_sent_the_salt(visit):
    player("ben"), player("cleo")
    ann = visit(player("ann"), width=PHONE)
    ann.go("/matches/new?game=coloretto")
    ann.page.locator("[name=seats]").select_option("2")
    ann.fill(invitees="ben cleo")
    ann.press("Create match")
    ann.page.get_by_text("Your browser or client made your salt.").wait_for()
    expect(ann.page.locator(".complaint:visible")).to_contain_text("Couldn't invite cleo. Every seat is taken")


def test_a_match_is_canceled_only_after_a_second_tap(visit):
    match = lobby.create(player("ann"), plan()).match
    ann = visit(player("ann"), width=PHONE)
    ann.go(f"/matches/{match.id}")
    ann.page.get_by_text("Cancel the match").tap()
    assert load_match(match.id).match.phase == Phase.GATHERING
    ann.press("Cancel this match")
    expect(ann.page).to_have_title("My matches · Turnpost")
    assert load_match(match.id).match.phase == Phase.CANCELLED


def test_a_player_who_accepts_an_invitation_has_a_salt_that_stays_in_the_browser(visit):
    match = lobby.create(player("ann"), plan(seats=2)).match
    invitations.invite(match.id, player("ann"), player("ben").username)
    ben = visit(player("ben"), width=PHONE)
    ben.go("/matches/")
    ben.page.get_by_role("link", name="Accept").click()
    ben.press("Accept the invitation")
    ben.page.get_by_text("'s turn.").or_(ben.page.get_by_text("It's your turn.")).first.wait_for()
    seat = joined(match.id, "ben")
    assert (seat.salt_by, seat.salt) == (SaltMaker.BROWSER, notes_of(ben, match.id, "ben")["salt"])
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
    ann.page.get_by_text("Your browser or client made your salt.").wait_for()
    ben.go(f"/matches/{match.id}")
    ben.press("Join")
    wait_for_note(ben, match.id, "ben", "revealed")
    salt = notes_of(ben, match.id, "ben")["salt"]
    assert joined(match.id, "ben").commitment == fairness.commitment(match.id, salt)
    wait_for_note(ann, match.id, "ann", "revealed")
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

"""In a real browser, every page outside of a match is accessible in light and dark mode, on phones and desktops."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts import browser_sessions, links, registration
from accounts.models import Token, User
from accounts.registration import Applicant
from clock import vacations
from games.models import Match
from games.services import chat, invitations, lobby
from games.services.salts import Share
from notifications import match_links
from notifications.mail.sender import deliver_due
from tests.acceptance.security.endpoints import PAGE_NAMES, pages
from tests.games.builders import plan, play_some, player, running_match, sitting
from tests.web.browser.windows import OVERFLOWING, PHONE, SMALL_TARGETS, look

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]

NOT_PAGES = {"/healthz", "/readyz", "/metrics", "/.well-known/turnpost-key.json", "/settings/export.json"}
ONLY_BUTTONS = {"/log-out"}
"""URLs that accept only POST, and documents for programs."""


def local(link):
    return link.removeprefix("http://localhost:8000")


@pytest.fixture
def world():
    """Create players with matches in every phase, invitations, messages and settings."""
    table = play_some(running_match(title="A long winter evening by the fire"), 6)
    play_some(running_match("colorado-county"), 3)
    ann = player("ann")
    chat.post_message(table.match.id, next(sitting(seat) for seat in table.seats if seat.user != ann), "Hello!")
    open_match = lobby.create(player("ben"), plan(title="Anyone?")).match
    invited = lobby.create(player("cleo"), plan("colorado-county", is_private=True)).match
    invitations.invite(invited.id, player("cleo"), "ann")
    lobby.give_salt(lobby.create(ann, plan(seats=4)).match.id, ann, Share("Otherwise the browser would make one."))
    vacations.plan(ann, vacations.today(ann) + timedelta(days=10), vacations.today(ann) + timedelta(days=12))
    Token.objects.create(ann, timedelta(days=90), name="turnpost on laptop")
    return table, ann, open_match


OUTSIDE = ["/", "/log-in", "/register", "/reset", "/matches/open", "/try", "/rules/colorado-county"]
INSIDE = ["/matches/", "/matches/new", "/settings/", "/settings/vacations", "/settings/calendar", "/settings/devices"]
INSIDE += ["/settings/webhooks", "/settings/deliveries", "/settings/account"]


@pytest.mark.slow
def test_pages_for_strangers_are_accessible(visit, world):
    window = visit(width=PHONE)
    for path in OUTSIDE:
        window.go(path)
        look(window, "stranger" + path.replace("/", "-"))


@pytest.mark.slow
def test_pages_for_users_are_accessible(visit, world):
    window = visit(world[1], width=PHONE)
    for path in [*INSIDE, "/matches/new?game=coloretto", "/matches/new?game=colorado-county"]:
        window.go(path)
        look(window, "user" + re.sub(r"\W", "-", path))


@pytest.mark.slow
def test_the_page_of_a_match_before_its_start_is_accessible(visit, world):
    _, ann, open_match = world
    own = Match.objects.get(owner=ann, seat_count=4)
    for user, match, name in ((ann, open_match, "to-join"), (None, open_match, "stranger"), (ann, own, "own")):
        window = visit(user, width=PHONE)
        window.go(f"/matches/{match.id}")
        look(window, f"gathering-{name}")


@pytest.mark.slow
def test_pages_behind_links_in_emails_are_accessible(visit, world):
    table, ann, open_match = world
    applicant = registration.register(Applicant("hedy", "hedy@example.org", "correct horse battery"), "192.0.2.1")
    invited = invitations.invite(open_match.id, player("ben"), "stranger@example.net")
    seat = table.seats[0]
    found = {
        "enter": match_links.entering_link(seat, sitting(seat).email),
        "log-in": links.login_link(ann),
        "reset": links.reset_link(ann),
        "change-address": links.address_change_link(ann, "new@example.org"),
        "confirm": links.confirmation_link(applicant),
        "code": f"/register/{applicant.pk}",
        "invitation": invitations.invitation_link(invited.pk),
    }
    window = visit(width=PHONE)
    for name, link in found.items():
        window.go(local(link))
        look(window, name)


def test_pages_of_the_mail_folder_show_the_email_itself(visit, settings, tmp_path):
    settings.MAIL_FOLDER, settings.EMAIL_BACKEND = tmp_path, "notifications.mail.folder.EmailBackend"
    running_match()
    deliver_due()
    window = visit()
    window.go("/mail/")
    look(window, "mails")
    window.page.get_by_role("link", name=re.compile("your turn")).first.click()
    look(window, "mail")
    assert "it's your turn" in window.page.frame_locator("iframe").locator("body").inner_text()


@pytest.mark.slow
def test_pages_about_what_went_wrong_or_is_over_are_accessible(visit, world, mailoutbox):
    table, ann, open_match = world
    seat = table.seats[0]
    with time_machine.travel(timezone.now() - match_links.GOOD_FOR * 1.1):
        expired = match_links.entering_link(seat, sitting(seat).email)
    by_name = invitations.invite(open_match.id, player("ben"), player("emil").username)
    over = [lobby.create(ann, plan(title=phase)).match for phase in ("cancelled", "expired")]
    lobby.cancel(over[0].id, ann)
    Match.objects.filter(pk=over[1].pk).update(expires_at=timezone.now())
    lobby.expire(timezone.now())
    found = {
        "nowhere": "/nowhere",
        "unsubscribe": unsubscribe_link(mailoutbox),
        "enter-expired": expired,
        "invitation-by-name": invitations.invitation_link(by_name.pk),
        "invitation-over": "/invitations/forged",
        "rules-coloretto": "/rules/coloretto",
        "cancelled": f"/matches/{over[0].id}",
        "expired": f"/matches/{over[1].id}",
    }
    window = visit(ann, width=PHONE)
    for name, link in found.items():
        window.go(local(link))
        look(window, name)
    window.go("/settings/vacations")
    window.context.clear_cookies(name="csrftoken")
    window.fill(first_day="2030-01-01", last_day="2030-01-02")
    window.press("Plan vacation")
    assert "This form has expired" in window.page.inner_text("h1")
    look(window, "form-expired")


def unsubscribe_link(mailoutbox):
    deliver_due()
    return mailoutbox[-1].extra_headers["List-Unsubscribe"].strip("<>")


def test_long_names_fit_on_a_phone(visit):
    User.objects.filter(pk=player("ann").pk).update(display_name="Wolfeschlegelsteinhausenberger")
    table = running_match("colorado-county", is_private=True)
    invited = lobby.create(player("ann"), plan(seats=4)).match
    invitations.invite(invited.id, player("ann"), "ben")
    seat = next(seat for seat in table.seats if seat.user == player("ann"))
    window = visit(player("ben"), width=PHONE)
    entering = match_links.entering_link(seat, sitting(seat).email)
    for path in ("/matches/", f"/matches/{table.match.id}", f"/matches/{invited.id}", local(entering)):
        window.go(path)
        assert "Wolfeschlegelsteinhausenberger" in window.page.inner_text("main")
        assert not window.page.evaluate(OVERFLOWING), path


@pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
def test_no_table_of_the_rules_is_cut_off_on_a_phone(visit, game):
    window = visit(width=PHONE)
    window.go(f"/rules/{game}")
    cut_off = "frames => frames.filter(frame => frame.scrollWidth > frame.clientWidth).map(frame => frame.innerText)"
    assert not window.page.locator(".rules .scroll").evaluate_all(cut_off)


def test_skipping_to_the_content_draws_no_frame_around_the_page(visit):
    window = visit()
    window.go("/log-in")
    window.page.keyboard.press("Tab")
    window.page.keyboard.press("Enter")
    assert window.page.evaluate("document.activeElement.id") == "main"
    assert window.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "none"


WITH_PARAMETERS = {
    "/rules/{slug}",
    "/log-in/{token}",
    "/matches/{match_id}/enter/{token}",
    "/matches/{match_id}",
    "/invitations/{token}",
    "/register/{registration_id}",
    "/confirm/{token}",
    "/reset/{token}",
    "/change-address/{token}",
    "/mail/unsubscribe/{token}",
    "/mail/{name}",
}
"""Pages with parameters that the tests above look at."""
IN_A_MATCH = {f"/matches/{{match_id}}/{name}" for name in ("log", "history", "review", "rules", "proof")}
IN_A_MATCH |= {"/matches/{match_id}/play/{token}"}
"""Pages that test_match_pages looks at."""
OTHER_DOCUMENTS = {f"/matches/{{match_id}}/{name}" for name in ("live", "stream", "proof.json", "export.json")}
OTHER_DOCUMENTS |= {"/mail/{name}/html", "/calendar/{token}.ics"}


def test_every_page_is_checked():
    """To fix this test, look at the new page in a test, and add it to one of the lists above.

    Targets of forms lead back to their page when they are opened, so there is nothing to look at.
    """
    known = {*OUTSIDE, *INSIDE, *NOT_PAGES, *ONLY_BUTTONS, "/mail/", *WITH_PARAMETERS, *IN_A_MATCH, *OTHER_DOCUMENTS}
    client = Client()
    client.cookies["session"] = browser_sessions.start(player("ann"), "test")[1]
    new = {page for page in pages() if not page.startswith("/mail/providers/")} - known
    assert {page for page in new if not leads_to_its_match(client, page)} == set()


def leads_to_its_match(client, page):
    answer = client.get(page.format(**PAGE_NAMES | {"match_id": "k7m2x9q4a"}))
    return answer.headers.get("Location") == "/matches/k7m2x9q4a"


def test_control_the_check_finds_controls_that_are_hard_to_tap(visit):
    window = visit(width=PHONE)
    window.page.set_content("<button>ok</button> <a href='/'>A link in a sentence</a> may be small.")
    assert [html[:7] for html in window.page.evaluate(SMALL_TARGETS)] == ["<button"]

"""Every page outside a match in a real browser: accessible in light and dark mode, on phones and desktops."""

import re
from datetime import timedelta

import pytest

from accounts import links, registration
from accounts.models import Token
from accounts.registration import Applicant
from clock import vacations
from games.models import Match
from games.services import chat, invitations, lobby
from games.services.salts import Share
from notifications import match_links
from notifications.mail.sender import deliver_due
from tests.acceptance.security.endpoints import pages
from tests.games.builders import plan, play_some, player, running_match, sitting
from tests.web.browser.windows import DESKTOP, PHONE, TABLET, look

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]

SIZES = [(PHONE, False), (PHONE, True), (TABLET, False), (DESKTOP, True)]
NOT_PAGES = {"/healthz", "/readyz", "/metrics", "/.well-known/turnpost-key.json", "/settings/export.json"}
ONLY_BUTTONS = {"/log-out"}
"""URLs that only accept POST, and documents for programs."""


def looks(visit, user, path, name):
    for width, dark in SIZES:
        window = visit(user, width=width, dark=dark)
        window.go(path)
        look(window, f"{name}-{width}{'-dark' if dark else ''}")


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


OUTSIDE = ["/", "/log-in", "/register", "/reset", "/matches/open", "/try"]
INSIDE = ["/matches/", "/matches/new", "/settings/", "/settings/vacations", "/settings/devices"]
INSIDE += ["/settings/webhooks", "/settings/deliveries", "/settings/account"]


@pytest.mark.parametrize("path", OUTSIDE)
def test_pages_for_strangers_are_accessible(visit, world, path):
    looks(visit, None, path, "stranger" + path.replace("/", "-"))


@pytest.mark.parametrize("path", [*INSIDE, "/matches/new?game=coloretto", "/matches/new?game=colorado-county"])
def test_pages_for_users_are_accessible(visit, world, path):
    looks(visit, world[1], path, "user" + re.sub(r"\W", "-", path))


def test_the_page_of_a_match_before_its_start_is_accessible(visit, world):
    _, ann, open_match = world
    looks(visit, ann, f"/matches/{open_match.id}", "gathering-to-join")
    looks(visit, None, f"/matches/{open_match.id}", "gathering-stranger")
    looks(visit, ann, f"/matches/{Match.objects.get(owner=ann, seat_count=4).id}", "gathering-own")


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
    for name, link in found.items():
        looks(visit, None, local(link), name)


def test_pages_of_the_mail_folder_show_the_email_itself(visit, settings, tmp_path):
    settings.MAIL_FOLDER, settings.EMAIL_BACKEND = tmp_path, "notifications.mail.folder.EmailBackend"
    running_match()
    deliver_due()
    window = visit()
    window.go("/mail/")
    look(window, "mails")
    window.page.get_by_role("link", name=re.compile("Your turn")).first.click()
    assert "it's your turn" in window.page.frame_locator("iframe").locator("body").inner_text()


def test_every_page_outside_a_match_is_checked():
    """Add a new page to one of the lists above."""
    known = {*OUTSIDE, *INSIDE, *NOT_PAGES, *ONLY_BUTTONS, "/mail/"}
    assert {page for page in pages() if "{" not in page} - known == set()

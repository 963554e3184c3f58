"""Other sites cannot frame our pages, use a logged-in browser, or make us redirect to them."""

import re

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client

from accounts import browser_sessions, links
from accounts.models import Registration, User
from games.models import Invitation
from games.models.invitation import Answer
from games.selectors.loading import load_match
from games.services import invitations, lobby
from notifications import match_links
from notifications.mail.sender import deliver_due
from notifications.move_links import move_link
from tests.acceptance.security.calls import CALLS, addresses, bodies
from tests.acceptance.security.endpoints import PAGE_NAMES, pages
from tests.acceptance.security.owned_data import current_rows, owned_data, rows
from tests.accounts.builders import PASSWORD, player
from tests.games.api.clients import ROOT
from tests.games.builders import awaited, plan, play_some, running_match, sitting
from tests.not_none import not_none

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

ELSEWHERE = ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", "https:evil.example"]


def every_page():
    filled = [re.sub(r"{\w+}", "forged", page) for page in pages()]
    return [*filled, "/admin/login/", "/api/v1/docs", "/api/v1/games", "/nowhere"]


def test_every_page_forbids_external_content_and_framing():
    for address in every_page():
        headers = Client().get(address).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, address
        assert "frame-ancestors 'none'" in policy, address
        assert "script-src 'self';" in policy, address
        assert headers["X-Frame-Options"] == "DENY", address
        assert headers["X-Content-Type-Options"] == "nosniff", address
        assert headers["Referrer-Policy"] == "same-origin", address
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin", address


def test_other_sites_cannot_read_a_response():
    """Without CORS headers, browsers don't let the scripts of other sites read a response."""
    for address in every_page():
        for method in ("get", "options"):
            asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
            answer = getattr(Client(), method)(address, headers=asked)
            assert not [name for name in answer.headers if name.startswith("Access-Control-")], address


def test_the_api_ignores_browser_sessions():
    """The API accepts only tokens, so other sites cannot use a logged-in browser to make a move."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(User.objects.create_superuser("root", "root@example.org", PASSWORD))
    names = {"match_id": [lobby.create(player("ann"), plan()).match.id], "slug": ["coloretto"]}
    for method, path in CALLS:
        asked = re.findall(r"{(\w+)}", path)
        address = next(addresses(method, path, {name: ["1"] for name in asked} | names))
        alone, with_session = (
            one.generic(method.upper(), ROOT + address, "" if method == "get" else str(bodies(method, path)[0]))
            for one in (Client(), browser)
        )
        assert alone.status_code == with_session.status_code, (method, path)


def logged_in(user, **checks):
    client = Client(**checks)
    client.cookies["session"] = browser_sessions.start(user, "test")[1]
    return client


def addresses_of_pages(matches):
    """Return the address of every page, for each of these matches."""
    for page in pages():
        for match_id in matches if "{match_id}" in page else ("-",):
            yield page, page.format(**PAGE_NAMES | {"match_id": match_id})


def test_no_page_accepts_a_form_without_its_token():
    """This applies even to the browser of a player who is logged in."""
    theirs = owned_data()
    browser = logged_in(theirs.owner, enforce_csrf_checks=True)
    forms = addresses_of_pages(theirs.names["match_id"])
    accepted = {page for page, address in forms if browser.post(address).status_code != 403}
    assert accepted == SIGNED_BY_THEMSELVES
    assert current_rows(theirs) == theirs.rows


SIGNED_BY_THEMSELVES = {"/mail/unsubscribe/{token}"}
"""Pages that mail programs call without a cookie. The token in the URL authorizes the request."""
VISITS = {"seen_through", "visited_at", "last_used_at"}
"""The fields that a visit changes, because the player has seen the board and used the session."""


@pytest.mark.slow
def test_opening_a_page_changes_nothing():
    """Browsers prefetch links, chats preview them, and virus scanners open them."""
    finished, theirs = play_some(running_match(seats=2)).match.id, owned_data()
    browser = logged_in(theirs.owner)
    before = without_visits(rows())
    matches = [finished, theirs.hidden[0], theirs.watched, theirs.gathering]
    links = [address for _, address in addresses_of_pages(matches)] + links_in_emails(theirs)
    for address in links:
        for method in (browser.get, browser.head, Client().get):
            assert method(address, headers={"Sec-Purpose": "prefetch"}).status_code < 500
            assert without_visits(rows()) == before, address


def links_in_emails(theirs):
    """Return valid links of every kind that players get by email."""
    table = load_match(theirs.watched)
    seat, user = awaited(table), sitting(awaited(table))
    invited = Invitation.objects.filter(answer=Answer.OPEN).latest("pk")
    found = [
        match_links.entering_link(seat, user.email),
        move_link(seat, user.email, table.match.turn, table.engine.notation(choice_of(table, seat))),
        links.login_link(theirs.owner),
        links.reset_link(theirs.owner),
        links.address_change_link(theirs.owner, "new@example.org"),
        links.confirmation_link(Registration.objects.latest("expires_at")),
        invitations.invitation_link(invited.pk),
    ]
    paths = [link.removeprefix(settings.PUBLIC_URL) for link in found]
    assert all(Client().get(path).status_code == 200 for path in paths)
    return paths


def choice_of(table, seat):
    return table.engine.choices(table.state, seat.number).moves[0]


def without_visits(found):
    return {key: {name: value for name, value in row.items() if name not in VISITS} for key, row in found.items()}


def test_every_target_of_a_form_can_be_opened_and_reloaded():
    """A refused form is shown at the address it was sent to, so that address must not be a dead end."""
    table = running_match()
    browser = logged_in(sitting(awaited(table)))
    refused = browser.post(f"/matches/{table.match.id}/messages", {"text": ""})
    assert refused.status_code == 400
    for page, address in addresses_of_pages([table.match.id]):
        for method in (browser.get, browser.head):
            assert method(address).status_code not in (403, 405), page
    assert browser.get(f"/matches/{table.match.id}/messages").headers["Location"] == f"/matches/{table.match.id}"


def test_a_form_without_its_token_gets_a_page_that_says_what_to_do():
    answer = Client(enforce_csrf_checks=True).post("/log-in")
    assert answer.status_code == 403
    assert "This form has expired" in answer.content.decode()
    assert "Go back, reload the page and try again." in answer.content.decode()


@pytest.mark.parametrize("page", ["confirm", "reset", "change-address"])
def test_a_form_on_another_site_changes_nothing(page):
    ann = player("ann")
    signed = {"reset": links.reset_token(ann), "change-address": links.address_change_token(ann, "new@example.org")}
    browser = Client(enforce_csrf_checks=True)
    sent = {"password": "Br0wn ranchers sleep"}
    assert browser.post(f"/{page}/{signed.get(page, 'forged')}", sent).status_code == 403
    ann.refresh_from_db()
    assert (ann.email, ann.check_password(PASSWORD)) == ("ann@example.org", True)


class TestOperators:
    def log_in(self, browser, **query):
        User.objects.create_superuser("root", "root@example.org", PASSWORD)
        form = {"username": "root", "password": PASSWORD, **query}
        return browser.post("/admin/login/", form)

    def test_operators_get_a_new_session_when_they_log_in(self):
        browser = Client()
        browser.get("/admin/login/")
        session = browser.session
        session["planted"] = True
        session.save()
        browser.cookies["sessionid"] = planted = not_none(session.session_key)
        self.log_in(browser)
        assert browser.cookies["sessionid"].value != planted
        assert not Session.objects.filter(pk=planted).exists()

    def test_session_cookies_are_hidden_from_scripts_and_other_sites(self):
        browser = Client()
        self.log_in(browser)
        cookie = browser.cookies["sessionid"]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"

    @pytest.mark.parametrize("place", ELSEWHERE)
    def test_login_redirects_stay_on_the_site(self, place):
        assert self.log_in(Client(), next=place).headers["Location"].startswith("/admin/")


@pytest.mark.parametrize("place", ["//evil.example", "//evil.example/admin", "/%2fevil.example", "/\\evil.example/"])
def test_no_path_redirects_to_another_site(place):
    assert "evil" not in Client().get(place).headers.get("Location", "")


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_links_in_emails_ignore_the_host_header(settings, mailoutbox, name):
    """Links use the address in the settings instead of the Host header."""
    settings.ALLOWED_HOSTS, settings.PUBLIC_URL = ["*"], "https://play.example.org"
    player("ann")
    for host in (name, "evil.example"):
        body = {"email": "ann@example.org"}
        headers = {"X-Forwarded-Host": "evil.example", "Host": host}
        Client().post("/api/v1/password-resets", body, "application/json", headers=headers)
    deliver_due()
    assert len(mailoutbox) == 2
    for mail in mailoutbox:
        whole = mail.message().as_string()
        assert "https://play.example.org/reset/" in whole
        assert "evil.example" not in whole

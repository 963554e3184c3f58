"""Other sites cannot frame our pages, use a logged-in browser, or make us redirect to them."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from accounts import links
from accounts.models import User
from games.services import lobby
from notifications.mail.sender import deliver_due
from tests.acceptance.security.calls import CALLS, addresses, bodies
from tests.acceptance.security.endpoints import pages
from tests.accounts.builders import PASSWORD, player
from tests.games.api.clients import ROOT
from tests.games.builders import plan
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
    """Without these headers, browsers don't let other sites' scripts read a response."""
    for address in every_page():
        for method in ("get", "options"):
            asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
            answer = getattr(Client(), method)(address, headers=asked)
            assert not [name for name in answer.headers if name.startswith("Access-Control-")], address


def test_the_api_ignores_browser_sessions():
    """The API accepts only tokens, so no other site can use a logged-in browser to make a move."""
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


@pytest.mark.parametrize("page", ["confirm", "reset", "change-address"])
def test_a_form_on_another_site_does_nothing(page):
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
    """Links use the address from the settings, not the Host header."""
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

import re

import pytest
from django.contrib.auth import authenticate
from django.contrib.staticfiles import finders
from django.test import Client

from accounts import links
from accounts.models import Registration, User
from core.rates import Rate
from tests.accounts.builders import PASSWORD, applicant, last_part, mail_to, player

pytestmark = pytest.mark.django_db

NEW = "Br0wn ranchers sleep"


def local(link):
    return link.removeprefix("http://localhost:8000")


def follow(client, link, **form):
    """Open the page and press its button, with cookies like a browser."""
    asked = client.get(local(link))
    [token] = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', asked.content.decode()))
    return client.post(local(link), {"csrfmiddlewaretoken": token} | form)


@pytest.fixture
def browser():
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def confirmation(api):
    api().post("/api/v1/registrations", applicant())
    return mail_to("ann@example.org").facts["link"]


def test_opening_the_link_does_not_confirm_the_address(browser, confirmation):
    assert browser.get(local(confirmation)).status_code == 200
    assert not User.objects.exists()


def test_the_button_confirms_the_address(browser, confirmation):
    answer = follow(browser, confirmation, password=PASSWORD)
    assert (answer.status_code, User.objects.get().username) == (200, "ann")
    assert "Your account ann is ready" in answer.content.decode()


def test_an_old_link_allows_no_more_password_guesses_than_the_login(browser, confirmation, settings):
    assert "session" in follow(browser, confirmation, password=PASSWORD).cookies
    settings.RATES = settings.RATES | {"login_pair": Rate(3, 3600)}
    thief = Client(enforce_csrf_checks=True)
    for number in range(3):
        assert "session" not in follow(thief, confirmation, password=f"guess {number}").cookies
    assert "session" not in follow(thief, confirmation, password=PASSWORD).cookies


def test_nobody_can_register_with_another_persons_address(browser, confirmation):
    answer = follow(browser, confirmation, password="a guess of the person who got the email")
    assert answer.status_code == 400
    assert "the password you registered with" in answer.content.decode()
    assert follow(browser, confirmation).status_code == 400
    assert not User.objects.exists()
    assert authenticate(username="ann", password=PASSWORD) is None


def test_a_user_can_choose_another_username_if_theirs_was_taken(browser, confirmation):
    User.objects.create_user("ann", "other@example.org", PASSWORD)
    answer = follow(browser, confirmation, password=PASSWORD)
    assert answer.status_code == 409
    assert 'name="username"' in answer.content.decode()
    assert follow(browser, confirmation, password=PASSWORD, username="a b").status_code == 400
    assert follow(browser, confirmation, password=PASSWORD, username="ann-two").status_code == 200
    assert User.objects.filter(username="ann-two").exists()


def test_an_expired_link_shows_no_form(browser, confirmation):
    Registration.objects.all().delete()
    answer = follow(browser, confirmation, password=PASSWORD)
    assert answer.status_code == 404
    assert "This registration has expired" in answer.content.decode()
    assert "<form" not in answer.content.decode()


def test_a_new_password_is_set_on_the_page_behind_its_link(browser, api):
    player("ann")
    api().post("/api/v1/password-resets", {"email": "ann@example.org"})
    link = mail_to("ann@example.org").facts["link"]
    weak = follow(browser, link, password="short")
    assert (weak.status_code, "too short" in weak.content.decode()) == (400, True)
    assert "at most 256" in follow(browser, link, password="x" * 257).content.decode()
    assert follow(browser, link, password=NEW).status_code == 200
    assert authenticate(username="ann", password=NEW)
    assert "was already used" in browser.get(local(link)).content.decode()


def test_a_new_address_is_confirmed_on_the_page_behind_its_link(browser):
    ann = player("ann")
    link = links.address_change_link(ann, "new@example.org")
    assert 'type="password"' in browser.get(local(link)).content.decode()
    assert follow(browser, link, password="wrong").status_code == 403
    assert User.objects.get().email == "ann@example.org"
    assert follow(browser, link, password=PASSWORD).status_code == 200
    assert User.objects.get().email == "new@example.org"


@pytest.mark.parametrize(
    ("asked_from", "opened"),
    [("/log-in", "/matches/"), ("/log-in?next=/matches/open", "/matches/open"), ("/log-in?next=//evil.example", "/")],
)
def test_a_login_link_opens_the_page_from_which_it_was_requested(browser, asked_from, opened):
    player("ann")
    follow(browser, asked_from, email="ann@example.org")
    answer = follow(browser, mail_to("ann@example.org").facts["link"])
    assert (answer.status_code, answer["Location"]) == (302, opened)
    assert "session" in answer.cookies


def test_a_login_link_never_leads_to_another_site(browser):
    answer = follow(browser, links.login_link(player("ann"), "//evil.example"))
    assert answer["Location"] == "/"


def test_a_name_is_escaped_on_the_page(browser, api):
    api().post("/api/v1/registrations", applicant(display_name="<b>Ann</b>"))
    answer = follow(browser, mail_to("ann@example.org").facts["link"], password=PASSWORD)
    assert "Welcome, &lt;b&gt;Ann&lt;/b&gt;." in answer.content.decode()


@pytest.mark.parametrize("page", ["confirm", "reset", "change-address"])
@pytest.mark.parametrize("token", ["x", "1-2-3", "a:b:c", "%C3%A9", "<script>"])
def test_a_forged_link_is_refused_with_a_reason(browser, page, token):
    answers = [browser.get(f"/{page}/{token}")]
    if answers[0].status_code == 200:
        answers.append(follow(browser, f"/{page}/{token}"))
    assert answers[-1].status_code in (400, 404)
    assert "<script>" not in answers[-1].content.decode()


def test_pages_are_not_cached_and_send_no_referrer(browser, confirmation):
    answer = browser.get(local(confirmation))
    assert "no-store" in answer.headers["Cache-Control"]
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert finders.find("web/turnpost.css")
    assert "/static/web/turnpost.css" in answer.content.decode()


def test_a_form_on_another_site_has_no_effect(browser, confirmation):
    assert browser.post(f"/confirm/{last_part(confirmation)}").status_code == 403
    assert not User.objects.exists()

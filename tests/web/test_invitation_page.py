import html
import re
from datetime import timedelta
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.core import mail
from django.test import Client

from accounts import browser_sessions
from accounts.models import Registration, User
from core.rates import Rate
from core.times import clock_time
from games.models import Invitation, SaltMaker, Seat
from games.models.invitation import Answer
from games.services import invitations, lobby
from notifications.mail.sender import deliver_due
from tests.games.builders import plan, player

pytestmark = pytest.mark.django_db

PASSWORD = "Gr33n cowboys ride"
UTC = ZoneInfo("UTC")
HERE = "http://localhost:8000"


@pytest.fixture
def browser():
    """Return a client that enforces CSRF tokens, like a browser."""
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def match():
    return lobby.create(player("ann"), plan(seats=2, is_private=True)).match


@pytest.fixture
def link(match):
    return path_of(invitations.invite(match.id, player("ann"), "dora@example.net"))


def path_of(invitation):
    return invitations.invitation_link(invitation.pk).removeprefix(HERE)


def newcomer(**changes):
    return {"username": "dora", "email": "dora@example.net", "password": PASSWORD} | changes


def fill_in(browser, path, **form):
    [token] = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', browser.get(path).content.decode()))
    return browser.post(path, {"csrfmiddlewaretoken": token} | form)


def words_of(page):
    main = page.content.decode().partition("<main")[2]
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", main)).split())


def mailed_to(address):
    deliver_due()
    return next(one.body for one in reversed(mail.outbox) if one.to == [address])


def mailed_link(address, kind):
    return re.findall(rf"{HERE}(/{kind}/\S+)", mailed_to(address))[0]


def seats(match):
    return set(Seat.objects.filter(match=match).values_list("user__username", flat=True))


def test_an_invited_person_gets_a_seat_with_only_a_browser_and_a_mail_program(browser, match, mailoutbox):
    invitations.invite(match.id, player("ann"), "dora@example.net")
    applied = fill_in(browser, mailed_link("dora@example.net", "invitations"), **newcomer())
    assert "We sent you an email with a code." in words_of(browser.get(applied.headers["Location"]))
    confirmed = fill_in(browser, mailed_link("dora@example.net", "confirm"), password=PASSWORD)
    assert "Your account dora is ready. You have a seat in Coloretto with Ann." in words_of(confirmed)
    assert seats(match) == {"ann", "dora"}
    assert Invitation.objects.get().answer == Answer.ACCEPTED


def test_a_new_user_chooses_a_time_zone_and_the_email_confirms_it(browser, match, link, mailoutbox):
    assert "<option>Europe/Berlin</option>" in browser.get(link).content.decode()
    fill_in(browser, link, **newcomer(time_zone="Europe/Berlin"))
    told = " ".join(mailed_to("dora@example.net").split())
    assert "Times in our emails are in your time zone, Europe/Berlin." in told
    assert "(Europe/Berlin)." in told
    fill_in(browser, mailed_link("dora@example.net", "confirm"), password=PASSWORD)
    assert User.objects.get(username="dora").time_zone == "Europe/Berlin"


def test_the_default_time_zone_is_utc_and_the_email_says_so(browser, link, mailoutbox):
    fill_in(browser, link, **newcomer())
    assert "in your time zone, UTC." in " ".join(mailed_to("dora@example.net").split())


def test_an_unknown_time_zone_is_refused_and_a_valid_choice_is_kept(browser, link):
    refused = fill_in(browser, link, **newcomer(time_zone="Europe/Atlantis"))
    assert refused.status_code == 400
    assert "Time zone: " in words_of(refused)
    again = fill_in(browser, link, **newcomer(time_zone="Asia/Tokyo", username="x"))
    assert "<option selected>Asia/Tokyo</option>" in again.content.decode()


def test_an_invitation_can_be_accepted_exactly_until_the_time_in_the_email_and_on_the_page(browser, match, mailoutbox):
    invited = invitations.invite(match.id, player("ann"), "dora@example.net")
    until = f"The invitation is valid until {clock_time(invited.made_at + timedelta(days=14), UTC)}."
    assert until in " ".join(mailed_to("dora@example.net").split())
    assert until in words_of(browser.get(path_of(invited)))
    for seconds, status in ((-1, 200), (1, 404)):
        with time_machine.travel(invited.made_at + timedelta(days=14, seconds=seconds), tick=False):
            assert browser.get(path_of(invited)).status_code == status


def test_the_owners_time_zone_is_not_shown(browser, link):
    User.objects.update(time_zone="Pacific/Chatham")
    assert " selected" not in browser.get(link).content.decode()


def test_the_form_alone_creates_neither_an_account_nor_a_seat(browser, match, link):
    fill_in(browser, link, **newcomer())
    assert not User.objects.filter(username="dora").exists()
    assert seats(match) == {"ann"}


def test_confirming_twice_gives_the_same_page(browser, link, mailoutbox):
    fill_in(browser, link, **newcomer())
    confirm = mailed_link("dora@example.net", "confirm")
    first, second = (fill_in(browser, confirm, password=PASSWORD) for _ in range(2))
    assert words_of(first) == words_of(second)


def test_a_page_shows_the_name_of_a_match_that_has_not_started(browser, mailoutbox):
    table = lobby.create(player("ann"), plan(seats=3))
    fill_in(browser, path_of(invitations.invite(table.match.id, player("ann"), "dora@example.net")), **newcomer())
    confirmed = fill_in(browser, mailed_link("dora@example.net", "confirm"), password=PASSWORD)
    assert "You'll get an email when it starts." in words_of(confirmed)


def test_an_invited_person_may_register_with_another_address(browser, match, link, mailoutbox):
    fill_in(browser, link, **newcomer(email="elsewhere@example.net"))
    fill_in(browser, mailed_link("elsewhere@example.net", "confirm"), password=PASSWORD)
    assert seats(match) == {"ann", "dora"}


def test_a_user_with_an_account_takes_the_seat_with_their_password(browser, match, link):
    User.objects.create_user("ben", "ben@example.org", PASSWORD, email_confirmed_at="2026-11-16T12:00Z")
    seated = fill_in(browser, link, login="ben", password=PASSWORD)
    assert seated.headers["Location"] == f"/matches/{match.id}"
    assert seats(match) == {"ann", "ben"}


def test_a_user_who_is_logged_in_takes_the_seat_with_one_button(browser, match, link):
    browser.cookies["session"] = browser_sessions.start(player("ben"), "test")[1]
    assert "Take the seat as Ben" in words_of(browser.get(link))
    assert fill_in(browser, link, salt="made by the browser").headers["Location"] == f"/matches/{match.id}"
    seat = Seat.objects.get(match=match, user__username="ben")
    assert (seat.salt, seat.salt_by) == ("made by the browser", SaltMaker.BROWSER)


def test_a_newcomers_browser_makes_the_salt_before_they_register(browser, match, link, mailoutbox):
    fill_in(browser, link, **newcomer(salt="made by the browser"))
    fill_in(browser, mailed_link("dora@example.net", "confirm"), password=PASSWORD)
    assert Seat.objects.get(match=match, user__username="dora").salt == "made by the browser"


def test_a_newcomer_who_enters_the_code_is_logged_in_and_sent_to_the_match(browser, match, link, mailoutbox):
    page = fill_in(browser, link, **newcomer()).headers["Location"]
    mailed_to("dora@example.net")
    code = re.findall(r"^\d{6}", mailoutbox[-1].subject)[0]
    assert fill_in(browser, page, code="000000").status_code == 400
    assert fill_in(browser, page, code=code).headers["Location"] == f"/matches/{match.id}"
    assert browser_sessions.of_user(User.objects.get(username="dora")).count() == 1


def test_a_code_can_be_used_to_log_in_only_once(browser, link, mailoutbox):
    page = fill_in(browser, link, **newcomer()).headers["Location"]
    mailed_to("dora@example.net")
    code = re.findall(r"^\d{6}", mailoutbox[-1].subject)[0]
    fill_in(browser, page, code=code)
    stranger = Client(enforce_csrf_checks=True)
    assert fill_in(stranger, page, code=code).headers["Location"] == "/log-in"
    assert "session" not in stranger.cookies


def test_an_invitation_by_name_asks_for_that_players_password(browser, match):
    player("ben")
    path = path_of(invitations.invite(match.id, player("ann"), "ben"))
    assert 'name="email"' not in browser.get(path).content.decode()
    assert fill_in(browser, path, login="ben", password="correct horse").status_code == 302
    assert seats(match) == {"ann", "ben"}


def test_an_invited_player_can_log_in_with_an_emailed_link_and_gets_back_to_the_invitation(browser, match):
    path = path_of(invitations.invite(match.id, player("ann"), player("ben").username))
    page = browser.get(path).content.decode()
    (log_in,) = re.findall(r'href="(/log-in\?next=[^"]+)"[^>]*>Log in without a password', page)
    fill_in(browser, html.unescape(log_in), email="ben@example.org")
    back = fill_in(browser, mailed_link("ben@example.org", "log-in"))["Location"]
    assert back == path
    assert "Take the seat as Ben" in words_of(browser.get(back))


def test_nobody_else_can_take_a_seat_reserved_by_name(browser, match):
    player("ben")
    player("cleo")
    path = path_of(invitations.invite(match.id, player("ann"), "ben"))
    assert fill_in(browser, path, login="cleo", password="correct horse").status_code == 404
    assert seats(match) == {"ann"}


def test_a_wrong_password_is_refused_with_a_reason(browser, match, link):
    player("ben")
    refused = fill_in(browser, link, login="ben", password="wrong")
    assert (refused.status_code, "Wrong username, email address or password." in words_of(refused)) == (401, True)
    assert seats(match) == {"ann"}


def test_password_guesses_are_rate_limited(browser, link, settings):
    settings.RATES = settings.RATES | {"login_pair": Rate(2, 3600)}
    player("ben")
    tried = [fill_in(browser, link, login="ben", password="wrong") for _ in range(3)]
    assert [answer.status_code for answer in tried] == [401, 401, 429]
    assert 0 < int(tried[-1].headers["Retry-After"]) <= 3600


def test_registrations_through_the_form_are_rate_limited_like_those_through_the_api(browser, link, settings):
    settings.RATES = settings.RATES | {"sign_up": Rate(2, 3600)}
    tried = [fill_in(browser, link, **newcomer(email=f"d{number}@example.net")) for number in range(3)]
    assert [answer.status_code for answer in tried] == [302, 302, 429]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"username": "d"}, "Username: Use 3 to 30 characters"),
        ({"username": "ANN"}, "Username: This username is taken."),
        ({"email": "dora"}, "Email address: Enter an email address like ann@example.org."),
        ({"password": "short"}, "Password: This password is too short."),
        ({"password": "x" * 257}, "Password: Must be at most 256 characters long."),
        ({"username": ""}, "Username: This field can't be empty."),
    ],
)
def test_the_form_gives_the_same_errors_as_the_api(browser, link, changes, complaint):
    refused = fill_in(browser, link, **newcomer(**changes))
    assert (refused.status_code, complaint in words_of(refused)) == (400, True)
    assert not Registration.objects.exists()


def test_the_form_keeps_the_input_except_for_the_password(browser, link):
    page = fill_in(browser, link, **newcomer(username="<d>")).content.decode()
    assert 'value="&lt;d&gt;"' in page
    assert 'value="dora@example.net"' in page
    assert PASSWORD not in page


def test_the_page_does_not_reveal_whether_an_address_has_an_account(browser, link):
    player("cleo")
    pages = [fill_in(browser, link, **newcomer(email=f"{name}@example.org")) for name in ("cleo", "fresh")]
    known, fresh = (words_of(browser.get(page.headers["Location"])) for page in pages)
    assert known == fresh


def test_the_page_does_not_show_the_invited_address(browser, link):
    assert "dora@example.net" not in browser.get(link).content.decode()


def test_an_account_is_created_even_if_the_seat_is_taken(browser, match, link, mailoutbox):
    fill_in(browser, link, **newcomer())
    confirm = mailed_link("dora@example.net", "confirm")
    lobby.cancel(match.id, player("ann"))
    confirmed = fill_in(browser, confirm, password=PASSWORD)
    assert "Your account dora is ready." in words_of(confirmed)


def test_a_form_on_another_site_has_no_effect(browser, match, link):
    player("ben")
    for form in (newcomer(), {"login": "ben", "password": "correct horse"}):
        assert browser.post(link, form).status_code == 403
    assert not Registration.objects.exists()
    assert seats(match) == {"ann"}


@pytest.mark.parametrize("form", [newcomer(), {"login": "ben", "password": "correct horse"}])
def test_an_expired_link_shows_no_form_and_does_nothing(match, link, form):
    player("ben")
    Invitation.objects.update(answer=Answer.WITHDRAWN)
    late = Client().post(link, form)
    assert (late.status_code, "<form" in late.content.decode()) == (404, False)
    assert not Registration.objects.exists()


def test_the_commands_on_the_page_include_the_server(browser, link):
    words = words_of(browser.get(link))
    assert f"turnpost register --server {HERE}" in words
    assert f"turnpost join {HERE}{link}" in words


@pytest.mark.parametrize(
    ("domain", "how"),
    [
        ("play.example.org", "Make your move in the browser, or reply with it."),
        ("", "Make your move in the browser."),
    ],
)
def test_the_email_and_the_page_say_how_to_make_moves(browser, link, settings, mailoutbox, domain, how):
    settings.REPLY_DOMAIN = domain
    assert how in words_of(browser.get(link))
    assert how in " ".join(mailed_to("dora@example.net").split())


class TestAfterAccepting:
    @pytest.fixture
    def dora(self, match, link):
        invitations.accept(Invitation.objects.get().pk, player("dora"))
        return player("dora")

    def test_the_link_opens_the_match_for_the_player_who_accepted_it(self, browser, match, link, dora):
        browser.cookies["session"] = browser_sessions.start(dora, "test")[1]
        assert browser.get(link).headers["Location"] == f"/matches/{match.id}"

    def test_the_link_asks_others_to_log_in_and_does_not_show_the_match(self, browser, match, link, dora):
        page = browser.get(link)
        assert page.status_code == 404
        assert "If you’ve already accepted it, log in to open the match." in words_of(page)
        assert f'href="/log-in?next={quote(link)}"' in page.content.decode()
        assert match.id not in page.content.decode()

    def test_the_link_does_not_open_the_match_for_another_user(self, browser, match, link, dora):
        browser.cookies["session"] = browser_sessions.start(player("cleo"), "test")[1]
        page = browser.get(link)
        assert page.status_code == 404
        assert match.id not in page.content.decode()
        assert 'href="/matches/">My matches' in page.content.decode()

    def test_a_forged_link_gets_the_same_page(self, browser, link, dora):
        forged = "/invitations/forged"
        assert words_of(browser.get(forged)) == words_of(browser.get(link))


class TestDeclining:
    def test_a_stranger_declines_without_an_account(self, browser, match, link):
        assert "You declined the invitation. Ann can invite someone else now." in words_of(
            fill_in(browser, link, decline="1")
        )
        assert Invitation.objects.get().answer == Answer.DECLINED
        assert browser.get(link).status_code == 404

    def test_an_invited_player_declines_after_logging_in(self, browser, match):
        path, ben = path_of(invitations.invite(match.id, player("ann"), player("ben").username)), player("ben")
        assert "Decline the invitation" not in words_of(browser.get(path))
        assert fill_in(browser, path, decline="1").status_code == 404
        assert Invitation.objects.get().answer == Answer.OPEN
        browser.cookies["session"] = browser_sessions.start(ben, "test")[1]
        assert "Decline the invitation" in words_of(browser.get(path))
        fill_in(browser, path, decline="1")
        assert Invitation.objects.get().answer == Answer.DECLINED

    def test_nobody_can_decline_an_invitation_that_is_for_someone_else(self, browser, match):
        path = path_of(invitations.invite(match.id, player("ann"), player("ben").username))
        browser.cookies["session"] = browser_sessions.start(player("cleo"), "test")[1]
        assert "Decline the invitation" not in words_of(browser.get(path))
        assert fill_in(browser, path, decline="1").status_code == 404
        assert Invitation.objects.get().answer == Answer.OPEN


class TestComingBack:
    @pytest.fixture
    def open_match(self):
        return lobby.create(player("ann"), plan(seats=2)).match

    def test_the_link_in_the_email_leads_back_to_the_match_too(self, browser, open_match, mailoutbox):
        path = f"/matches/{open_match.id}/join"
        page = browser.get(f"/matches/{open_match.id}").content.decode()
        assert f'href="/register?next={path}"' in page
        fill_in(browser, f"/register?next={path}", **newcomer(next=path))
        confirmed = fill_in(
            Client(enforce_csrf_checks=True), mailed_link("dora@example.net", "confirm"), password=PASSWORD
        )
        assert f'href="{path}">Open the match' in confirmed.content.decode()

    @pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "/\\evil.example"])
    def test_a_new_user_is_never_led_to_another_site(self, browser, mailoutbox, elsewhere):
        fill_in(browser, "/register", **newcomer(next=elsewhere))
        deliver_due()
        code = str(mail.outbox[-1].subject)[:6]
        confirmed = fill_in(browser, f"/register/{Registration.objects.get().pk}", code=code)
        assert confirmed.headers["Location"] == "/matches/"

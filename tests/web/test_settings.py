"""The settings pages change what the API would change, and ask for the password where the API does."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client

from accounts import browser_sessions
from accounts.models import BrowserSession, MailFrequency, Token, User
from clock import vacations
from clock.models import Vacation
from games.selectors.loading import match_name
from games.services import invitations, lobby
from notifications.mail.sender import deliver_due
from notifications.models import Notification, Webhook
from tests.accounts.builders import PASSWORD, player
from tests.games.builders import plan, running_match, sitting
from tests.not_none import not_none

pytestmark = pytest.mark.django_db

NEW = "Br0wn ranchers sleep"


@pytest.fixture
def ann():
    return player("ann")


@pytest.fixture
def browser(ann):
    return browser_of(ann)


def browser_of(user):
    client = Client(enforce_csrf_checks=True)
    client.cookies["session"] = browser_sessions.start(user, "Firefox on Linux")[1]
    return client


def press(browser, page, action, **form):
    [token] = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', browser.get(page).content.decode()))
    return browser.post(page, {"csrfmiddlewaretoken": token, "action": action} | form)


def saved(**changes):
    form = {"display_name": "Ann", "time_zone": "Europe/Berlin", "mail_frequency": "daily", "remind_at": "30, 60"}
    return form | {"quiet_from": "22:00", "quiet_until": "07:00"} | changes


def test_notification_settings_and_quiet_hours_and_time_zone_are_saved(browser, ann):
    assert press(browser, "/settings/", "save", **saved()).status_code == 302
    ann.refresh_from_db()
    assert (ann.name, ann.time_zone, ann.mail_frequency) == ("Ann", "Europe/Berlin", MailFrequency.DAILY)
    assert (ann.remind_at, f"{ann.quiet_from:%H:%M}", f"{ann.quiet_until:%H:%M}") == ([30, 60], "22:00", "07:00")
    assert not ann.invitations_by_mail
    press(
        browser,
        "/settings/",
        "save",
        **saved(quiet_from="", quiet_until="", invitations_by_mail="on", confirms_moves="on"),
    )
    ann.refresh_from_db()
    assert (ann.quiet_from, ann.invitations_by_mail, ann.confirms_moves) == (None, True, True)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"time_zone": "Europe/Atlantis"}, "is not a time zone"),
        ({"remind_at": "soon"}, "Reminders:"),
        ({"quiet_until": ""}, "Set quiet_from and quiet_until"),
        ({"mail_frequency": "sometimes"}, "Mail frequency:"),
        ({"display_name": "https://evil.example"}, "Display name:"),
    ],
)
def test_an_invalid_setting_is_refused_and_changes_nothing(browser, ann, changes, complaint):
    before = User.objects.values().get(pk=ann.pk)
    refused = press(browser, "/settings/", "save", **saved(**changes))
    assert (refused.status_code, complaint in refused.content.decode()) == (400, True)
    assert User.objects.values().get(pk=ann.pk) == before


def test_a_vacation_can_be_planned_and_canceled(browser, ann):
    first = vacations.today(ann) + timedelta(days=10)
    days = {"first_day": f"{first}", "last_day": f"{first + timedelta(days=3)}"}
    assert press(browser, "/settings/vacations", "plan", **days).status_code == 302
    planned = Vacation.objects.get(user=ann)
    assert planned.first_day == first
    assert press(browser, "/settings/vacations", "plan", **days).status_code == 409
    press(browser, "/settings/vacations", "end", vacation=planned.pk)
    assert not Vacation.objects.exists()


class TestDevices:
    def test_a_session_can_be_ended_and_the_current_one_is_marked(self, browser, ann):
        other = browser_of(ann)
        page = browser.get("/settings/devices").content.decode()
        assert page.count("Firefox on Linux") == 2
        assert page.count("(this browser)") == 1
        newest = BrowserSession.objects.latest("created_at")
        press(browser, "/settings/devices", "end_session", session=newest.reference)
        assert other.get("/settings/").status_code == 302
        assert browser.get("/settings/").status_code == 200

    def test_a_session_for_one_match_shows_the_name_of_the_match(self, browser, ann):
        table = running_match(title="Friday")
        browser_sessions.start(ann, "Firefox on Linux", table.match.id)
        page = browser.get("/settings/devices").content.decode()
        assert f"only for the match {match_name(table, table.seat_of(ann.pk))}" in page
        assert table.match.id not in page

    def test_nobody_can_end_another_players_session(self, browser):
        browser_of(player("ben"))
        theirs = BrowserSession.objects.get(user__username="ben")
        refused = press(browser, "/settings/devices", "end_session", session=theirs.reference)
        assert refused.status_code == 404
        assert BrowserSession.objects.filter(pk=theirs.pk).exists()

    def test_creating_a_token_needs_the_password_and_shows_the_token_once(self, browser, ann):
        assert press(browser, "/settings/devices", "create_token", name="bot", password="wrong").status_code == 401
        made = press(browser, "/settings/devices", "create_token", name="bot", password=PASSWORD)
        secret = not_none(re.search(r"turnpost_[0-9a-f]{64}", made.content.decode()))[0]
        answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
        assert answer.json()["username"] == "ann"
        assert secret not in browser.get("/settings/devices").content.decode()
        press(browser, "/settings/devices", "revoke_token", token=Token.objects.get().reference)
        assert not Token.objects.exists()

    def test_logging_out_everywhere_ends_every_session_and_revokes_every_token(self, browser, ann):
        other = browser_of(ann)
        Token.objects.create(ann, None, name="laptop")
        press(browser, "/settings/devices", "log_out_everywhere")
        assert not BrowserSession.objects.exists()
        assert not Token.objects.exists()
        assert other.get("/matches/").status_code == 302


class TestAccount:
    def test_changing_the_password_needs_the_old_one_and_logs_out_all_other_browsers(self, browser, ann):
        other = browser_of(ann)
        assert press(browser, "/settings/account", "change_password", current="no", password=NEW).status_code == 403
        press(browser, "/settings/account", "change_password", current=PASSWORD, password=NEW)
        ann.refresh_from_db()
        assert ann.check_password(NEW)
        assert other.get("/settings/").status_code == 302
        assert browser.get("/settings/").status_code == 200

    def test_a_new_address_must_be_confirmed_from_its_mailbox(self, browser, mailoutbox):
        press(browser, "/settings/account", "change_address", email="new@example.org", password=PASSWORD)
        deliver_due()
        assert any("/change-address/" in str(one.body) for one in mail.outbox if one.to == ["new@example.org"])

    def test_deleting_the_account_needs_the_password(self, browser):
        assert press(browser, "/settings/account", "delete", password="wrong").status_code == 403
        assert User.objects.exists()
        assert press(browser, "/settings/account", "delete", password=PASSWORD).headers["Location"] == "/"
        assert not User.objects.exists()
        assert browser.get("/settings/").status_code == 302

    def test_users_can_download_everything_stored_about_them(self, browser):
        answer = browser.get("/settings/export.json")
        assert answer.json()["browser_sessions"][0]["device"] == "Firefox on Linux"
        assert "attachment" in answer.headers["Content-Disposition"]


class TestWebhooks:
    def test_a_webhook_can_be_created_and_tested_and_removed(self, browser, settings):
        settings.WEBHOOKS_PRIVATE = True
        form = {"url": "http://127.0.0.1:9999/turns", "name": "chat", "kinds": ["your_turn", "message"]}
        made = press(browser, "/settings/webhooks", "create", **form)
        assert "turnpost_hook_" in made.content.decode()
        webhook = Webhook.objects.get()
        assert webhook.kinds == ["your_turn", "message"]
        press(browser, "/settings/webhooks", "test", webhook=webhook.pk)
        assert webhook.calls.count() == 1
        press(browser, "/settings/webhooks", "remove", webhook=webhook.pk)
        assert not Webhook.objects.exists()

    def test_a_webhook_with_a_private_address_is_refused(self, browser):
        refused = press(browser, "/settings/webhooks", "create", url="http://127.0.0.1/x", kinds=["your_turn"])
        assert refused.status_code == 400
        assert not Webhook.objects.exists()

    def test_nobody_can_remove_another_players_webhook(self, browser, settings):
        settings.WEBHOOKS_PRIVATE = True
        ben = browser_of(player("ben"))
        press(ben, "/settings/webhooks", "create", url="http://127.0.0.1:9999/ben", kinds=["your_turn"])
        assert press(browser, "/settings/webhooks", "remove", webhook=Webhook.objects.get().pk).status_code == 404
        assert Webhook.objects.exists()


def test_the_delivery_log_lists_what_was_sent(browser, mailoutbox):
    press(browser, "/settings/deliveries", "send_test")
    deliver_due()
    assert Notification.objects.filter(delivery="sent").count() == 1
    assert '<span class="tag">sent</span>' in browser.get("/settings/deliveries").content.decode()


def test_the_delivery_log_names_only_matches_of_the_user(browser, ann):
    table = running_match(seats=2, is_private=True)
    ben = next(sitting(seat) for seat in table.seats if seat.user != ann)
    declined = lobby.create(ben, plan(is_private=True)).match
    invitations.invite(declined.id, ben, "ann")
    invitations.decline(declined.id, ann)
    page = browser.get("/settings/deliveries").content.decode()
    assert f'<a href="/matches/{table.match.id}">Coloretto with {ben.name}</a>' in page
    assert f'<a href="/matches/{declined.id}">{declined.id}</a>' in page


@pytest.mark.parametrize("page", ["", "vacations", "devices", "webhooks", "deliveries", "account"])
def test_an_unknown_button_is_refused(browser, page):
    assert press(browser, f"/settings/{page}", "explode").status_code == 400


@pytest.mark.parametrize("page", ["", "vacations", "devices", "webhooks", "deliveries", "account", "export.json"])
def test_visitors_must_log_in_to_see_settings_pages_and_are_then_sent_back_there(page):
    assert Client().get(f"/settings/{page}").headers["Location"] == f"/log-in?next=%2Fsettings%2F{page}"


def test_users_can_be_blocked_and_unblocked(browser, ann):
    player("ben")
    assert press(browser, "/settings/account", "block", username="ben").status_code in (200, 302, 303)
    assert [one.blocked.username for one in ann.blocks.all()] == ["ben"]
    press(browser, "/settings/account", "unblock", username="ben")
    assert not ann.blocks.exists()

"""A thief who has only a player's token cannot take over the account, and the owner can notice and stop them."""

import json

import pytest
from django.db import transaction

from accounts import tokens
from accounts.announcements import AccountChanged
from accounts.models import Token, User
from accounts.tokens import LogIn
from core.announcements import announce
from notifications.context import load
from notifications.letters import account, write
from notifications.letters.account import CHANGES
from notifications.mail.envelope import seal
from notifications.mail.sender import deliver_due
from notifications.models import Notification, NotificationKind
from notifications.webhooks import service
from tests.acceptance.security.calls import CALLS, addresses, bodies, send
from tests.acceptance.security.owned_data import owned_data
from tests.accounts.builders import last_part, mail_to
from tests.callers import caller, token_of
from tests.games.api.clients import Caller
from tests.games.builders import player
from tests.mails import html_of

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse"
KEYS = ("username", "email", "password", "email_confirmed_at", "is_active", "is_staff", "is_superuser")


def keys_to(user):
    """Return everything that decides who can log in to an account, including its tokens."""
    found = User.objects.filter(pk=user.pk).values(*KEYS).first()
    return found, set(Token.objects.filter(user=user).values_list("pk", flat=True))


def with_the_password(body):
    """Return the example with the owner's password."""
    known = {name: PASSWORD for name in ("current", "password") if name in body}
    return body | (known if len(known) == 1 else {"current": PASSWORD}) if known else None


def test_without_the_password_no_call_changes_who_can_log_in():
    """No call deletes or locks the account, changes its address or creates a token."""
    theirs = owned_data()
    thief = Caller(theirs.owner)
    account, good = keys_to(theirs.owner)
    owners_way = []
    for method, path in CALLS:
        for body in bodies(method, path):
            with transaction.atomic():
                answer = send(thief, method, next(addresses(method, path, theirs.names)), body)
                account_now, good_now = keys_to(theirs.owner)
                assert (account_now, good_now - good) == (account, set()), (method, path, answer.status_code)
                transaction.set_rollback(True)
            if with_the_password(body):
                with transaction.atomic():
                    answer = send(thief, method, path, with_the_password(body))
                    owners_way += [path] * (answer.status_code < 300)
                    transaction.set_rollback(True)
    assert {"/me/password", "/address-changes", "/me/deletion"} <= set(owners_way), (
        "Control: with the password these calls work."
    )


def log_in(name="turnpost on laptop"):
    return tokens.log_in(LogIn("ann", PASSWORD, name, 30), "10.0.0.1")


def told():
    notifications = Notification.objects.filter(kind=NotificationKind.ACCOUNT_CHANGED).order_by("created_at")
    return [(notification.data["what"], notification.data.get("where", "")) for notification in notifications]


def test_every_login_from_a_new_device_is_emailed_to_the_owner():
    player("ann")
    for name in ("turnpost on laptop", "turnpost on laptop", "turnpost on telephone", "unnamed", "unnamed"):
        log_in(name)
    assert told() == [("log_in", "turnpost on telephone"), ("log_in", "unnamed"), ("log_in", "unnamed")]


def test_a_new_webhook_is_emailed_to_the_owner(settings):
    settings.WEBHOOKS_PRIVATE = True
    service.create(player("ann"), "http://127.0.0.1:8765/secret-part", ["your_turn"])
    assert told() == [("webhook", "127.0.0.1")]


def test_security_emails_are_sent_even_if_email_is_turned_off(mailoutbox):
    ann = player("ann", mail_frequency="never", last_login="2026-01-01T00:00:00Z")
    log_in()
    deliver_due()
    assert [mail.to for mail in mailoutbox] == [[ann.email]]


@pytest.mark.parametrize("what", CHANGES)
def test_security_emails_say_what_to_do(what):
    announce(AccountChanged(player("ann"), what, where="the <b>bar</b>"))
    (context,) = load([Notification.objects.get().pk])
    mail = seal(context, write(context))
    assert "If this wasn't you, " in mail.body
    assert "{" not in mail.body
    assert "<b>bar" not in html_of(mail)


class TestAddressChangeByAThief:
    """A thief who knows the password, or who uses an unlocked computer, requests a new address."""

    @pytest.fixture
    def link(self):
        thief = caller(player("ann"))
        asked = thief.post("/api/v1/address-changes", {"email": "thief@example.org", "password": PASSWORD})
        assert asked.status_code == 202
        return last_part(mail_to("thief@example.org").facts["link"])

    def follow(self, link):
        return caller().post("/api/v1/address-changes/confirm", {"token": link, "password": PASSWORD})

    def test_the_current_address_is_notified_first(self, link):
        assert mail_to("ann@example.org").facts["what"] == "address_change_requested"

    def test_the_link_is_void_after_a_new_password(self, link):
        ann = User.objects.get()
        body = {"current": PASSWORD, "password": "Br0wn ranchers sleep"}
        assert caller(ann).put("/api/v1/me/password", body).status_code == 204
        assert self.follow(link).json()["code"] == "bad_link"
        assert User.objects.get().email == "ann@example.org"

    def test_no_email_is_sent_to_the_new_address_after_a_new_password(self, link):
        notification = Notification.objects.get(email="thief@example.org")
        ann = User.objects.get()
        ann.set_password("Br0wn ranchers sleep")
        ann.save()
        assert account.facts_for(notification) == account.NoMail("The password has changed since.")

    def test_control_the_link_works_without_a_new_password(self, link):
        assert self.follow(link).status_code == 200
        assert User.objects.get().email == "thief@example.org"


def test_a_new_password_revokes_stolen_tokens():
    ann = player("ann")
    stolen, own = caller(ann, "stolen"), caller(ann, "own")
    own.put("/api/v1/me/password", {"current": PASSWORD, "password": "Br0wn ranchers sleep"})
    assert [one.get("/api/v1/me").status_code for one in (stolen, own)] == [401, 200]


def test_the_last_use_of_a_token_is_shown_but_never_the_token():
    ann = player("ann")
    stolen = caller(ann, "stolen")
    stolen.get("/api/v1/me")
    listed = caller(ann, "own").get("/api/v1/tokens")
    seen = {token["name"]: token["last_used_at"] is not None for token in listed.json()["results"]}
    assert seen["stolen"]
    assert token_of(stolen)[:20] not in json.dumps(listed.json())

import pytest
import time_machine
from django.contrib.auth import authenticate
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import links
from accounts.models import User
from core.rates import Rate
from notifications.models import Notification
from tests.accounts.builders import PASSWORD, last_part, mail_to, no_mail_to, player

pytestmark = pytest.mark.django_db

NEW = "Br0wn ranchers sleep"
RESETS = "/api/v1/password-resets"


class TestChanging:
    def change(self, client, current=PASSWORD, new=NEW):
        return client.put("/api/v1/me/password", {"current": current, "password": new})

    def test_changing_the_password_needs_the_current_one(self, api):
        refused = self.change(api(player("ann")), current="wrong")
        assert (refused.status_code, refused.json()["code"]) == (403, "wrong_password")
        assert authenticate(username="ann", password=PASSWORD)

    def test_changing_the_password_revokes_all_other_tokens(self, api):
        ann = player("ann")
        here, there, ben = api(ann), api(ann), api(player("ben"))
        assert self.change(here).status_code == 204
        assert [client.get("/api/v1/me").status_code for client in (here, there, ben)] == [200, 401, 200]
        assert authenticate(username="ann", password=NEW)

    def test_changing_the_password_notifies_the_owner(self, api):
        self.change(api(player("ann")))
        letter = mail_to("ann@example.org")
        assert (letter.about, letter.facts) == (
            "account_changed",
            {"name": "ann", "username": "ann", "what": "password", "where": ""},
        )

    @pytest.mark.parametrize("weak", ["short", "password123", "ann@example.org", ""])
    def test_changing_to_a_weak_password_is_refused(self, api, weak):
        refused = self.change(api(player("ann")), new=weak)
        assert refused.status_code == 400
        assert list(refused.json()["data"]["fields"]) == ["password"]
        assert authenticate(username="ann", password=PASSWORD)

    def test_guessing_the_password_with_a_stolen_token_is_limited(self, api, settings):
        settings.RATES = settings.RATES | {"password": Rate(3, 3600)}
        client = api(player("ann"))
        assert [self.change(client, current="wrong").status_code for _ in range(4)] == [403, 403, 403, 429]


class TestForgetting:
    def ask(self, api, email="ann@example.org"):
        return api().post(RESETS, {"email": email})

    def reset(self, api, token, new=NEW):
        return api().post(f"{RESETS}/confirm", {"token": token, "password": new})

    def token(self, api):
        self.ask(api)
        return mail_to("ann@example.org").facts["token"]

    def test_requesting_a_reset_gives_the_same_response_for_every_address(self, api):
        player("ann")
        answers = [self.ask(api, email) for email in ("ann@example.org", "ANN@example.org", "nobody@example.org")]
        assert {(answer.status_code, answer.content) for answer in answers} == {(202, answers[0].content)}

    @pytest.mark.django_db(transaction=True)
    def test_requesting_a_reset_runs_the_same_queries_for_every_address(self, api):
        player("ann")
        with CaptureQueriesContext(connection) as known:
            self.ask(api, "ann@example.org")
        with CaptureQueriesContext(connection) as unknown:
            self.ask(api, "nobody@example.org")
        assert [query["sql"].split()[0] for query in known] == [query["sql"].split()[0] for query in unknown]

    def test_requesting_a_reset_sends_an_email_only_to_addresses_with_an_account(self, api):
        player("ann")
        player("ben", is_active=False)
        for who in ("ann", "ben", "nobody"):
            self.ask(api, f"{who}@example.org")
        assert mail_to("ann@example.org").about == "reset_password"
        assert no_mail_to("ben@example.org") == no_mail_to("nobody@example.org")

    def test_the_link_sets_a_new_password_and_revokes_all_tokens(self, api):
        client = api(player("ann"))
        self.ask(api)
        link = mail_to("ann@example.org").facts["link"]
        assert link.startswith("http://localhost:8000/reset/")
        assert self.reset(api, last_part(link)).status_code == 200
        assert authenticate(username="ann", password=NEW)
        assert client.get("/api/v1/me").status_code == 401

    def test_the_link_works_only_once(self, api):
        player("ann")
        token = self.token(api)
        assert self.reset(api, token).status_code == 200
        assert self.reset(api, token, "Bl4ck cards shuffle").json()["code"] == "bad_link"

    def test_the_link_is_invalid_after_a_login(self, api):
        player("ann")
        token = self.token(api)
        with time_machine.travel("2027-01-01"):
            api().post("/api/v1/tokens", {"login": "ann", "password": PASSWORD})
        assert self.reset(api, token).json()["code"] == "bad_link"

    def test_the_link_is_valid_for_an_hour(self, api):
        with time_machine.travel("2026-11-16T12:00:00Z", tick=False) as clock:
            player("ann")
            token = self.token(api)
            clock.shift(3601)
            assert self.reset(api, token).json()["code"] == "bad_link"

    def test_the_link_also_confirms_the_address(self, api):
        player("ann", email_confirmed_at=None)
        self.reset(api, self.token(api))
        assert User.objects.get().email_confirmed_at is not None

    def test_a_weak_password_is_refused_and_the_link_stays_valid(self, api):
        player("ann")
        token = self.token(api)
        assert list(self.reset(api, token, "short").json()["data"]["fields"]) == ["password"]
        assert self.reset(api, token).status_code == 200

    def test_a_link_works_only_for_its_user(self, api):
        ann, ben = player("ann"), player("ben")
        forged = links.reset_token(ben).partition("-")[0] + "-" + links.reset_token(ann).partition("-")[2]
        assert self.reset(api, forged).json()["code"] == "bad_link"

    @pytest.mark.parametrize("token", ["", "x", "-", "1", "zzzzzzzzzzzzz-x", "1-abc-def", "9" * 900, "é-1"])
    def test_an_invalid_token_is_refused(self, api, token):
        player("ann")
        assert self.reset(api, token).status_code == 400

    def test_a_queued_notification_contains_no_secret(self, api):
        player("ann")
        token = self.token(api)
        assert token not in str(Notification.objects.values().get())

    def test_a_locked_out_user_can_log_in_after_a_reset(self, api, settings):
        player("ann")
        settings.RATES = settings.RATES | {"login_account": Rate(1, 3600)}
        tries = [api().post("/api/v1/tokens", {"login": "ann", "password": "wrong"}).status_code for _ in range(2)]
        assert tries == [401, 429]
        self.reset(api, self.token(api))
        assert api().post("/api/v1/tokens", {"login": "ann", "password": NEW}).status_code == 201

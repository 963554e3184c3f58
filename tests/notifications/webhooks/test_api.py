"""Users can manage webhooks through the API."""

import re
from base64 import urlsafe_b64decode

import pytest
from django.core.cache import cache
from django.utils import timezone

from core.rates import Rate
from notifications.models import Webhook, WebhookCall
from notifications.webhooks import calls, service, targets
from notifications.webhooks.sender import deliver_due
from tests.games.api.clients import ROOT, Caller
from tests.games.builders import awaited, player, running_match
from tests.not_none import not_none
from tests.notifications.webhooks.listener import Listener

pytestmark = pytest.mark.django_db
PUBLIC = "https://hooks.example.org/turns"


@pytest.fixture(autouse=True)
def names(monkeypatch):
    """Resolve every name without real DNS."""
    monkeypatch.setattr(
        targets, "resolve", lambda host, port: [{"inside.example.org": "10.0.0.7"}.get(host, "1.1.1.1")]
    )


@pytest.fixture
def ann():
    return Caller(player("ann"))


def test_creating_a_webhook_shows_its_secret_once(ann):
    made = ann.post("/me/webhooks", {"url": PUBLIC, "name": "the chat"})
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    shown = made.json()
    assert shown.pop("secret").startswith("turnpost_hook_")
    assert (shown["url"], shown["name"], shown["state"]) == (PUBLIC, "the chat", "on")
    assert shown["kinds"] == ["your_turn", "reminder", "match_over"]
    assert ann.get("/me/webhooks").json() == [shown]
    assert ann.get(f"/me/webhooks/{shown['id']}").json() == shown


def test_the_kinds_of_notifications_can_be_chosen_and_changed(ann):
    made = ann.post("/me/webhooks", {"url": PUBLIC, "kinds": ["message", "your_turn", "message"]}).json()
    assert made["kinds"] == ["your_turn", "message"]
    changed = ann.client.patch(f"/api/v1/me/webhooks/{made['id']}", {"kinds": ["news"], "name": "x"}).json()
    assert (changed["kinds"], changed["name"], changed["url"]) == (["news"], "x", PUBLIC)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"url": ""}, "invalid"),
        ({"url": 7}, "bad_url"),
        ({"url": PUBLIC, "kinds": []}, "invalid"),
        ({"url": PUBLIC, "kinds": ["digest"]}, "invalid"),
        ({"url": PUBLIC, "kinds": "your_turn"}, "invalid"),
        ({"url": PUBLIC, "name": "a\u0007b"}, "invalid"),
        ({"url": PUBLIC, "secret": "mine"}, "invalid"),
        ({"url": "ftp://example.org"}, "bad_url"),
        ({"url": "http://2130706433/"}, "bad_host"),
        ({"url": "http://example.org:22/"}, "bad_port"),
        ({"url": "http://inside.example.org/"}, "private_address"),
    ],
)
def test_an_invalid_webhook_is_refused_and_not_stored(ann, body, code):
    refused = ann.post("/me/webhooks", body)
    assert (refused.status_code, refused.json()["code"]) == (400, code)
    assert not Webhook.objects.exists()


def test_the_number_of_webhooks_is_limited(ann, monkeypatch):
    monkeypatch.setattr(service, "MOST_WEBHOOKS", 2)
    answers = [ann.post("/me/webhooks", {"url": PUBLIC}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 409]
    assert answers[2].json()["code"] == "too_many_webhooks"


def test_users_cannot_access_other_users_webhooks(ann):
    number = ann.post("/me/webhooks", {"url": PUBLIC}).json()["id"]
    ben = Caller(player("ben"))
    assert ben.get("/me/webhooks").json() == []
    path = f"/me/webhooks/{number}"
    answers = [
        ben.get(path),
        ben.delete(path),
        ben.get(f"{path}/calls"),
        ben.post(f"{path}/test"),
        ben.post(f"{path}/enable"),
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert Caller().get("/me/webhooks").status_code == 401
    assert Webhook.objects.count() == 1


def test_a_removed_webhook_can_no_longer_be_found(ann):
    number = ann.post("/me/webhooks", {"url": PUBLIC}).json()["id"]
    assert ann.delete(f"/me/webhooks/{number}").status_code == 204
    assert ann.delete(f"/me/webhooks/{number}").json()["code"] == "no_such_webhook"


class TestCalls:
    @pytest.fixture
    def number(self, ann, settings, monkeypatch):
        settings.WEBHOOKS_PRIVATE = True
        monkeypatch.setattr(targets, "resolve", lambda host, port: ["127.0.0.1"])
        with Listener() as listener:
            made = ann.post("/me/webhooks", {"url": listener.url(), "kinds": ["match_started", "your_turn"]})
            self.listener = listener
            yield made.json()["id"]

    def test_a_test_call_is_made_and_its_result_is_shown(self, ann, number):
        queued = ann.post(f"/me/webhooks/{number}/test")
        assert (queued.status_code, queued.json()["state"]) == (202, "queued")
        deliver_due()
        (call,) = ann.get(f"/me/webhooks/{number}/calls").json()["results"]
        assert (call["id"], call["event"], call["state"], call["status"]) == (queued.json()["id"], "test", "sent", 200)
        assert ann.get(f"/me/webhooks/{number}").json()["last_success_at"]

    def test_a_call_has_the_same_random_id_everywhere(self, ann, number):
        """Sequential IDs would reveal how many calls other users have."""
        for _ in range(3):
            ann.post(f"/me/webhooks/{number}/test")
        deliver_due()
        listed = [call["id"] for call in ann.get(f"/me/webhooks/{number}/calls").json()["results"]]
        assert sorted(listed) == sorted(heard.json["id"] for heard in self.listener.heard)
        assert sorted(listed) == sorted(heard.headers["Turnpost-Call"] for heard in self.listener.heard)
        assert sorted(listed) == sorted(call.public_id for call in WebhookCall.objects.all())

    def test_the_pages_of_calls_do_not_reveal_counts_either(self, ann, number):
        for _ in range(2):
            ann.post(f"/me/webhooks/{number}/test")
        latest, first = [call["id"] for call in ann.get(f"/me/webhooks/{number}/calls").json()["results"]]
        further = ann.get(f"/me/webhooks/{number}/calls?limit=1").json()["next"]
        assert str(int(latest, 16)) in opened(further), "The cursor names the call, not the number of calls."
        assert [call["id"] for call in ann.get(further.partition(ROOT)[2]).json()["results"]] == [first]

    def test_the_list_of_calls_names_their_matches(self, ann, number):
        table = running_match()
        deliver_due()
        (call,) = ann.get(f"/me/webhooks/{number}/calls").json()["results"]
        mine = awaited(table).user == ann.user
        assert (call["match"], call["event"]) == (table.match.id, "your_turn" if mine else "match_started")

    def test_a_failing_webhook_is_listed_with_the_reason(self, ann, number):
        self.listener.status = 500
        running_match()
        deliver_due()
        shown = ann.get(f"/me/webhooks/{number}").json()
        assert (shown["state"], shown["failures"], shown["why"]) == (
            "failing",
            1,
            "127.0.0.1 returned 500.",
        )
        (call,) = ann.get(f"/me/webhooks/{number}/calls").json()["results"]
        assert (call["state"], call["why"], call["tries"]) == ("queued", "127.0.0.1 returned 500.", 1)

    def test_a_webhook_that_was_turned_off_can_be_turned_on_again(self, ann, number):
        Webhook.objects.update(disabled_at="2026-03-03T10:00:00Z", failures=10, failing_since="2026-03-02T10:00:00Z")
        assert ann.get("/me/webhooks").json()[0]["state"] == "off"
        enabled = ann.post(f"/me/webhooks/{number}/enable").json()
        assert (enabled["state"], enabled["failures"], enabled["disabled_at"]) == ("on", 0, None)


def opened(further):
    """Return the content of the cursor for the next page."""
    return urlsafe_b64decode(not_none(re.search(r"cursor=([\w-]+)%3A", further))[1] + "==").decode()


def test_creating_and_testing_webhooks_is_rate_limited_but_reading_is_not(ann, settings):
    cache.clear()
    settings.RATES = settings.RATES | {"webhook": Rate(2, 3600)}
    number = ann.post("/me/webhooks", {"url": PUBLIC}).json()["id"]
    answers = [ann.post(f"/me/webhooks/{number}/test").status_code for _ in range(2)]
    assert answers == [202, 429]
    assert ann.get("/me/webhooks").status_code == 200
    cache.clear()


def test_an_export_contains_the_users_webhooks_without_their_secrets(ann):
    secret = ann.post("/me/webhooks", {"url": PUBLIC}).json()["secret"]
    exported = ann.get("/me/export")
    assert exported.json()["webhooks"][0]["url"] == PUBLIC
    assert secret not in exported.content.decode()


def test_deleting_an_account_deletes_its_webhooks(ann):
    ann.post("/me/webhooks", {"url": PUBLIC})
    ann.post("/me/deletion", {"password": "correct horse"})
    assert not Webhook.objects.exists()


def test_the_user_row_records_whether_any_webhook_is_on(ann):
    def has_webhooks():
        return type(player("ann")).objects.get(username="ann").has_webhooks

    numbers = [ann.post("/me/webhooks", {"url": PUBLIC}).json()["id"] for _ in range(2)]
    assert has_webhooks()
    ann.client.delete(f"/api/v1/me/webhooks/{numbers[0]}")
    assert has_webhooks()
    calls.turn_off(Webhook.objects.get(pk=numbers[1]), timezone.now())
    assert not has_webhooks()
    ann.post(f"/me/webhooks/{numbers[1]}/enable")
    assert has_webhooks()
    ann.client.delete(f"/api/v1/me/webhooks/{numbers[1]}")
    assert not has_webhooks()

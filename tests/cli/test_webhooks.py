import re
from pathlib import Path

import pytest

from cli.commands import webhooks
from cli.commands.webhooks import Kind
from tests.cli.shapes import check

pytestmark = pytest.mark.django_db(transaction=True)
DOCUMENT = Path(__file__).parents[2] / "docs" / "webhooks.md"
URL = "https://hooks.example.org/turns"


@pytest.fixture
def ann(machine_of, called_at_once):
    return machine_of("ann")


@pytest.fixture
def number(ann):
    made = ann.json("webhooks", "add", URL, "--name", "our chat")
    check("webhooks_add", made)
    return str(made["webhook"]["id"])


def test_an_empty_list_shows_how_to_add_a_webhook(ann):
    assert "turnpost webhooks add" in ann.ok("webhooks")


def test_adding_a_webhook_shows_its_secret_once(ann):
    shown = ann.ok("webhooks", "add", URL)
    assert "turnpost_hook_" in shown
    assert "turnpost webhooks test" in shown
    assert "turnpost_hook_" not in ann.ok("webhooks")
    assert "called for: your turn, reminder, match over" in ann.ok("webhooks")


def test_webhooks_are_listed_with_their_status(ann, number):
    check("webhooks_list", ann.json("webhooks", "list"))
    assert f"{number}  our chat  {URL}" in ann.ok("webhooks")
    assert "not called yet" in ann.ok("webhooks")
    ann.ok("webhooks", "test", number)
    assert "works, last called" in ann.ok("webhooks")


def test_the_kinds_that_a_webhook_is_called_for_can_be_changed(ann, number):
    changed = ann.json("webhooks", "change", number, "--kind", "message", "--kind", "news")
    check("webhooks_change", changed)
    assert changed["webhooks"][0]["kinds"] == ["message", "news"]
    assert ann.run("webhooks", "change", number).exit_code == 2
    assert ann.run("webhooks", "change", number, "--kind", "rain").exit_code == 2


def test_a_test_call_shows_whether_the_webhook_works(ann, number, called_at_once):
    check("webhooks_test", ann.json("webhooks", "test", number))
    assert "The webhook works. It returned status 200." in ann.ok("webhooks", "test", number)
    assert [heard.json["event"] for heard in called_at_once.heard] == ["test", "test"]


def test_a_failed_test_call_says_why_and_what_to_do(ann, number, called_at_once):
    called_at_once.status = 404
    done = ann.run("webhooks", "test", number)
    assert done.exit_code == 3
    assert "hooks.example.org returned 404." in done.stderr
    assert f"turnpost webhooks test {number}" in done.stderr
    check("webhooks_calls", ann.json("webhooks", "calls", number))
    assert "returned 404" in ann.ok("webhooks", "calls", number)


def test_waiting_for_a_test_call_times_out(ann, number, monkeypatch):
    from notifications.webhooks import service

    monkeypatch.setattr(service, "wake", lambda kind: None)
    monkeypatch.setattr(webhooks, "POLLS", 1)
    monkeypatch.setattr(webhooks, "POLL_SECONDS", 0)
    done = ann.run("webhooks", "test", number)
    assert done.exit_code == 5
    assert f"turnpost webhooks calls {number}" in done.stderr


def nothing_on_this_page(paginate):
    return lambda pages, found, request, view=None: paginate(pages, found.none(), request, view)


def test_the_result_of_a_call_that_is_no_longer_on_the_page_can_be_looked_up_later(ann, number, monkeypatch):
    from core.paging import CursorPages

    monkeypatch.setattr(CursorPages, "paginate_queryset", nothing_on_this_page(CursorPages.paginate_queryset))
    monkeypatch.setattr(webhooks, "POLLS", 1)
    monkeypatch.setattr(webhooks, "POLL_SECONDS", 0)
    done = ann.run("webhooks", "test", number)
    assert done.exit_code == 5
    assert f"turnpost webhooks calls {number}" in done.stderr


def test_a_webhook_that_was_turned_off_is_listed_with_the_command_to_turn_it_on(ann, number):
    from django.utils import timezone

    from notifications.models import Webhook

    Webhook.objects.update(disabled_at=timezone.now(), failing_since=timezone.now(), failures=10, why="It hung up.")
    shown = ann.ok("webhooks")
    assert "turned off" in shown
    assert "It hung up." in shown
    assert f"turnpost webhooks enable {number}" in shown
    check("webhooks_enable", ann.json("webhooks", "enable", number))
    assert "turned off" not in ann.ok("webhooks")


def test_the_list_shows_how_long_a_webhook_has_been_failing(ann, number):
    from django.utils import timezone

    from notifications.models import Webhook

    Webhook.objects.update(failing_since=timezone.now(), failures=2, why="It hung up.")
    assert "failing for less than a minute: It hung up." in ann.ok("webhooks")


def test_removing_a_webhook_needs_confirmation(ann, number):
    assert ann.run("webhooks", "remove", number).exit_code == 2
    check("webhooks_remove", ann.json("webhooks", "remove", number, "--yes"))
    done = ann.run("webhooks", "remove", number, "--yes")
    assert done.exit_code == 3
    assert "List your webhooks: turnpost webhooks" in done.stderr


def test_a_private_address_is_refused_with_the_reason(ann, monkeypatch):
    from notifications.webhooks import targets

    monkeypatch.setattr(targets, "resolve", lambda host, port: ["192.168.1.1"])
    done = ann.run("webhooks", "add", "http://router.example.org/")
    assert done.exit_code == 3
    assert "router.example.org isn't a public address." in done.stderr


def test_the_kinds_of_webhook_calls_are_the_same_in_the_service_and_the_docs():
    from notifications.webhooks.service import KINDS

    assert [kind.value for kind in Kind] == [kind.value for kind in KINDS]
    assert set(Kind) <= set(re.findall(r"`(\w+)`", DOCUMENT.read_text()))

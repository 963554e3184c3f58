from io import StringIO

import pytest
from cryptography.fernet import Fernet
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from games.models import Note
from notifications.models import Delivery, Notification, NotificationKind
from tests.games.api.clients import Caller
from tests.games.builders import player, running_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return running_match()


@pytest.fixture
def path(table):
    return f"/matches/{table.match.id}"


@pytest.fixture
def ann(table):
    return Caller(player("ann"))


@pytest.fixture
def ben(table):
    return Caller(player("ben"))


def test_all_players_read_messages_newest_first(ann, ben, path):
    ann.post(f"{path}/messages", {"text": "Good luck!"})
    ben.post(f"{path}/messages", {"text": "You too.\nReally."})
    heard = ann.get(f"{path}/messages").json()["results"]
    assert [(one["author"]["username"], one["text"]) for one in heard] == [
        ("ben", "You too.\nReally."),
        ("ann", "Good luck!"),
    ]
    assert ann.get(path).json()["message_count"] == 2


def test_messages_are_paginated(ann, path):
    for number in range(5):
        ann.post(f"{path}/messages", {"text": f"message {number}"})
    first = ann.get(f"{path}/messages?limit=3").json()
    second = ann.client.get(first["next"]).json()
    texts = [one["text"] for one in first["results"] + second["results"]]
    assert texts == [f"message {number}" for number in (4, 3, 2, 1, 0)]
    assert second["next"] is None


def test_messages_from_a_departed_player_remain(ann, ben, path):
    ben.post(f"{path}/messages", {"text": "Farewell."})
    player("ben").delete()
    assert ann.get(f"{path}/messages").json()["results"][0]["author"] is None


@pytest.mark.parametrize("text", ["Grüße 🎲", "👩‍🚀 family", "zwei\nZeilen", "a\tb", "می‌خواهم"])
def test_emoji_and_accents_and_line_breaks_are_allowed(ann, path, text):
    assert ann.post(f"{path}/messages", {"text": text}).json()["text"] == text
    assert ann.put(f"{path}/note", {"text": text}).json()["text"] == text


@pytest.mark.parametrize("bad", ["\x1b[2J", "\u202e", "\u2066", "\x07", "\u2028", "\x85", "\ufeff", "\u200f"])
def test_messages_cannot_contain_control_characters(ann, path, bad):
    assert ann.post(f"{path}/messages", {"text": f"a{bad}b"}).status_code == 400
    assert ann.put(f"{path}/note", {"text": f"a{bad}b"}).status_code == 400


def test_the_other_players_get_one_notification_for_several_messages(ann, ben, path):
    owed = Notification.objects.filter(kind=NotificationKind.MESSAGE)
    ann.post(f"{path}/messages", {"text": "One"})
    ann.post(f"{path}/messages", {"text": "Two"})
    assert sorted(owed.values_list("user__username", flat=True)) == ["ben", "cleo"]
    owed.update(delivery=Delivery.SENT)
    ann.post(f"{path}/messages", {"text": "Three"})
    assert owed.filter(delivery=Delivery.QUEUED).count() == 2


def test_only_its_author_can_read_a_note(ann, ben, path):
    assert ann.get(f"{path}/note").json() == {"text": "", "changed_at": None}
    ann.put(f"{path}/note", {"text": "Ben collects blue."})
    assert ann.get(f"{path}/note").json()["text"] == "Ben collects blue."
    assert ben.get(f"{path}/note").json()["text"] == ""
    assert (ann.get(path).json()["note"], ben.get(path).json()["note"]) == (True, False)


def test_a_note_cannot_be_read_in_the_database(ann, path):
    ann.put(f"{path}/note", {"text": "Ben collects blue."})
    stored = Note.objects.values().get()
    assert "Ben" not in str(stored)
    older, newer = settings.VAULT_KEYS[0], Fernet.generate_key().decode()
    with override_settings(VAULT_KEYS=[newer, older]):
        call_command("reencrypt", stdout=StringIO())
    with override_settings(VAULT_KEYS=[newer]):
        assert ann.get(f"{path}/note").json()["text"] == "Ben collects blue."


def test_a_note_can_be_cleared(ann, path):
    ann.put(f"{path}/note", {"text": "old"})
    ann.put(f"{path}/note", {"text": ""})
    assert ann.get(path).json()["note"] is False

"""Operators can see what is going on, but no secrets."""

import pytest
from django.contrib import admin
from django.urls import reverse

from accounts.models import User
from core import vault
from games.models import Event, Match, Message, Move, Note, StoredResult
from games.selectors import history
from games.services import chat, invitations, lobby
from tests.games.builders import plan, player, running_match, say, send, sitting

pytestmark = pytest.mark.django_db

OURS = [model for model in admin.site._registry if model._meta.app_label == "games"]


@pytest.fixture
def table(hush):
    table = running_match("hush")
    say(table, 0, {"move": "name", "number": 4, "thought": "rosebud"})
    send(table.match.id, table.seats[1].user, "name 3", 0, key="k")
    chat.post_message(table.match.id, sitting(table.seats[0]), "Good luck to all!")
    chat.write_note(table.match.id, sitting(table.seats[0]), "my private plan")
    invitations.invite(lobby.create(player("ann"), plan()).match.id, player("ann"), "ben")
    return table


def pages(operator):
    """Return every list and every detail page of every model in the admin."""
    for model in OURS:
        name = model._meta.model_name
        yield operator.get(reverse(f"admin:games_{name}_changelist"))
        for row in model._default_manager.all():
            yield operator.get(reverse(f"admin:games_{name}_change", args=[row.pk]))


def secrets_of(match):
    yield from (match.encrypted_secret, match.encrypted_state, vault.decrypt(match.encrypted_secret).hex(), "rosebud")
    yield "my private plan"
    for move in Move.objects.all():
        yield from (move.content, move.nonce)
    for refusal in StoredResult.objects.all():
        yield refusal.content
    for event in Event.objects.filter(audience__isnull=False):
        yield from (event.content, history.event_content(event).decode(), "own_card")


def test_no_page_shows_a_sealed_move_or_a_position_or_a_secret_or_a_note(operator, table):
    match = Match.objects.get(pk=table.match.pk)
    shown = [page.content.decode() for page in pages(operator)]
    assert len(shown) > 8
    assert any("Good luck to all!" in page for page in shown)
    for secret in secrets_of(match):
        assert not any(secret in page for page in shown)


def test_every_page_loads(operator, table):
    assert {page.status_code for page in pages(operator)} == {200}


def test_models_with_secrets_are_not_in_the_admin():
    assert not {Move, Note, StoredResult} & set(OURS)


def test_operators_cannot_change_anything(operator, table):
    before = list(Match.objects.values())
    address = reverse("admin:games_match_change", args=[table.match.pk])
    assert operator.post(address, {"phase": "finished"}).status_code == 403
    assert operator.post(reverse("admin:games_match_delete", args=[table.match.pk]), {"post": "yes"}).status_code == 403
    assert list(Match.objects.values()) == before


def test_messages_can_be_deleted(operator, table):
    message = Message.objects.get()
    operator.post(reverse("admin:games_message_delete", args=[message.pk]), {"post": "yes"})
    assert not Message.objects.exists()


def test_an_operator_without_permissions_sees_nothing(client, table):
    client.force_login(User.objects.create_user("helper", "helper@example.org", "correct horse", is_staff=True))
    assert client.get(reverse("admin:games_match_changelist")).status_code == 403

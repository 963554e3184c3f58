"""No page of the admin shows players' secrets to operators."""

from datetime import timedelta
from html import unescape

import pytest
from django.contrib import admin
from django.contrib.auth.hashers import make_password
from django.urls import URLResolver, reverse
from django.utils import timezone

from accounts.models import Registration, Token, User
from core import vault
from games.models import Event, Match, Move, StoredResult
from games.selectors import history
from games.services import chat
from inbound.models import InboundMail
from inbound.receiving import receive
from notifications.models import Notification, Webhook, WebhookHost
from notifications.reply_addresses import reply_address
from tests.acceptance.security.endpoints import our_apps
from tests.games.builders import player, running_match, say, send, sitting
from tests.not_none import not_none
from tests.toy_games.hush import registered

pytestmark = pytest.mark.django_db

OURS = {model: shown for model, shown in admin.site._registry.items() if model._meta.app_config in our_apps()}
WORDS = ("rosebud", "my private plan", "hooks.example.org/quokka", "turnpost_hook_quokka")


@pytest.fixture
def match(settings):
    """Create a match with a sealed move, an unhandled move by mail, refusals, private events, a note and a message."""
    settings.REPLY_DOMAIN = "reply.example.org"
    with registered():
        table = running_match("hush")
        say(table, 0, {"move": "name", "number": 4, "thought": "rosebud"})
        send(table.match.id, table.seats[1].user, "name 3", 0, key="k")
        chat.write_note(table.match.id, sitting(table.seats[0]), "my private plan")
        chat.post_message(table.match.id, sitting(table.seats[0]), "Good luck to all!")
        by_mail(table.seats[2].user)
        keep_for(table.seats[0].user)
        yield Match.objects.get(pk=table.match.pk)


def by_mail(user):
    notification = Notification.objects.filter(user=user, kind="your_turn").latest("created_at")
    address = reply_address(notification.pk, not_none(notification.turn), user.email, timezone.now())
    raw = f"From: {user.email}\nTo: {address}\nMessage-ID: <1@there>\n\nname 5 rosebud\n"
    receive(raw.encode(), recipients=[address], envelope_from=user.email, source="smtp")


def keep_for(user):
    Token.objects.create(user, timedelta(days=1), name="laptop")
    soon, password = timezone.now() + timedelta(days=1), make_password("rosebud")
    Registration.objects.create(username="zoe", email="zoe@example.org", expires_at=soon, password=password)
    url, secret = (vault.encrypt(word.encode()) for word in WORDS[2:])
    Webhook.objects.create(
        user=user, encrypted_url=url, encrypted_secret=secret, host=WebhookHost.objects.create(key="host")
    )


def secrets_of(match):
    yield from WORDS
    yield from (match.encrypted_secret, match.encrypted_state, vault.decrypt(match.encrypted_secret).hex())
    for move in Move.objects.all():
        yield from (move.content, history.content(move).decode(), move.nonce, history.nonce(move), move.receipt)
    for event in Event.objects.filter(audience__isnull=False):
        yield from (event.content, history.event_content(event).decode())
    yield from StoredResult.objects.values_list("content", flat=True)
    yield from InboundMail.objects.values_list("content", flat=True)
    for model in (User, Registration):
        yield from model.objects.values_list("password", flat=True)
    yield from Token.objects.values_list("digest", flat=True)


def addresses():
    """Yield every URL of the admin, for every row."""
    for pattern in admin.site.urls[0]:
        if isinstance(pattern, URLResolver):
            name = str(pattern.pattern).strip("/").rpartition("/")[2]
            model = next(model for model in admin.site._registry if model._meta.model_name == name)
            rows = [str(pk) for pk in model._default_manager.values_list("pk", flat=True)]
            for page in pattern.url_patterns:
                address = f"/admin/{pattern.pattern}{page.pattern}"
                shapes = [part for part in ("<path:object_id>", "<id>") if part in address]
                yield from [address.replace(shapes[0], row) for row in rows] if shapes else [address]
    yield from (reverse(f"admin:{name}") for name in ("index", "jsi18n", "password_change"))


def searches(operator):
    for model in admin.site._registry:
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        yield operator.get(address, {"q": "a"})
        chosen = list(model._default_manager.values_list("pk", flat=True))
        yield operator.post(address, {"action": "delete_selected", "_selected_action": chosen})


def test_no_admin_page_shows_a_secret(operator, match):
    shown = [operator.get(address) for address in addresses()] + list(searches(operator))
    texts = [unescape(page.content.decode()) for page in shown if page.status_code == 200]
    assert len(texts) > 3 * len(admin.site._registry)
    assert {page.status_code for page in shown} <= {200, 302, 403, 404}
    assert any("Good luck to all!" in text for text in texts)
    hidden = [secret for secret in secrets_of(match) if secret]
    assert len(hidden) > 20
    for secret in hidden:
        assert not any(secret in text for text in texts)


@pytest.mark.any_database
@pytest.mark.slow
def test_the_admin_does_not_filter_by_hidden_columns(operator, match):
    """Otherwise, an operator could guess a secret letter by letter with filters in the URL."""
    for model, of_model in OURS.items():
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for question in questions_about_what_is_not_shown(model, of_model):
            assert operator.get(address, {question: ""}).status_code in (302, 400), f"{model.__name__}: {question}"


def questions_about_what_is_not_shown(model, of_model):
    shown = {name.partition("__")[0] for name in (*of_model.list_display, *of_model.list_filter)}
    for field in model._meta.concrete_fields:
        if field.name not in shown and not field.primary_key:
            yield f"{field.name}__gte"
    for relation in model._meta.get_fields():
        if relation.is_relation and relation.related_model:
            for name in spelled(relation):
                yield from (f"{name}__{rest}" for rest in beyond(relation, further=int(name in shown)))


def beyond(relation, further):
    """Yield all lookups that cross one or more relations."""
    for field in relation.related_model._meta.get_fields():
        if getattr(field, "concrete", False):
            yield f"{field.name}__gte"
        if further and field.is_relation and field.related_model:
            yield from (f"{field.name}__{rest}" for rest in beyond(field, further - 1))


def spelled(relation):
    """Return the names that filters accept for this field. For a foreign key, they also accept the column name."""
    return {relation.name, getattr(relation, "attname", relation.name)}


def test_the_admin_filters_by_visible_columns(operator, match):
    pages = {
        "games/match": {"phase": "running", "owner": match.owner_id},
        "notifications/notification": {"match_id": match.pk, "tries__gte": 0},
    }
    for model, asked in pages.items():
        answer = operator.get(f"/admin/{model}/", asked)
        assert answer.status_code == 200
        assert answer.context["cl"].result_count >= 1


def test_operators_cannot_set_a_players_password_or_address(operator):
    """An operator who could set a password or an email address could log in as the player and see sealed moves."""
    ann = player("ann")
    before = (ann.password, ann.email)
    page = reverse("admin:accounts_user_change", args=[ann.pk])
    form = {"username": "ann", "display_name": "Annie", "time_zone": "UTC", "language": "en", "is_active": "on"}
    more = {"mail_frequency": "instant", "remind_at": "[50]", "email": "operator@example.org", "password": "x"}
    assert operator.post(page, form | more).status_code == 302
    new = {"password1": "Gr33n cowboys ride", "password2": "Gr33n cowboys ride", "usable_password": "true"}
    assert operator.post(f"/admin/accounts/user/{ann.pk}/password/", new).status_code in (403, 404)
    ann.refresh_from_db()
    assert ann.display_name == "Annie"
    assert (ann.password, ann.email) == before

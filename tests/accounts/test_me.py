import json
from unittest.mock import patch

import pytest
from django.apps import apps
from django.db import connection

from accounts.announcements import AccountDeleted
from accounts.export import export
from accounts.models import Token, User
from clock.models import Vacation
from core.announcements import _listeners
from games.models import Match, Seat
from tests.accounts.builders import PASSWORD, applicant, player
from tests.games.builders import running_match

pytestmark = pytest.mark.django_db

HERE = "/api/v1/me"


def test_the_profile_shows_the_users_own_data(api):
    assert api(player("ann")).get(HERE).json().keys() == {
        "username",
        "email",
        "name",
        "display_name",
        "joined_at",
        "bot",
        "time_zone",
        "language",
        "mail_frequency",
        "quiet_from",
        "quiet_until",
        "remind_at",
        "checks_sender",
        "confirms_moves",
        "invitations_by_mail",
        "mail",
    }


def test_by_default_emails_are_instant_and_reminders_come_at_50_and_80_percent(api):
    profile = api(player("ann")).get(HERE).json()
    assert (profile["mail_frequency"], profile["remind_at"]) == ("instant", [50, 80])
    assert (profile["quiet_from"], profile["quiet_until"]) == (None, None)


@pytest.mark.parametrize(
    "change",
    [
        {"display_name": "Ann 🐎"},
        {"display_name": ""},
        {"time_zone": "America/Denver"},
        {"mail_frequency": "daily"},
        {"quiet_from": "22:00", "quiet_until": "07:30"},
        {"remind_at": []},
        {"checks_sender": True},
        {"confirms_moves": True},
        {"invitations_by_mail": False},
        {"remind_at": [25, 90]},
    ],
)
def test_a_change_is_saved_and_returned(api, change):
    client = api(player("ann"))
    before = client.get(HERE).json()
    changed = client.patch(HERE, change).json()
    assert {name: changed[name] for name in change} == change
    assert client.get(HERE).json() == changed
    kept = set(before) - set(change) - {"name"}
    assert {name: before[name] for name in kept} == {name: changed[name] for name in kept}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"display_name": "Ann\r\nBcc: all@example.org"}, "display_name"),
        ({"display_name": "nnA\u202e"}, "display_name"),
        ({"display_name": "x" * 61}, "display_name"),
        ({"display_name": "Ada (bot)"}, "display_name"),
        ({"display_name": "Ada \uff08Bot )"}, "display_name"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"language": "tlh"}, "language"),
        ({"mail_frequency": "sometimes"}, "mail_frequency"),
        ({"quiet_from": "22:00"}, ""),
        ({"quiet_from": "22:00", "quiet_until": "22:00"}, ""),
        ({"quiet_from": "25:00", "quiet_until": "07:00"}, "quiet_from"),
        ({"remind_at": [0]}, "remind_at.0"),
        ({"remind_at": [10] * 6}, "remind_at"),
        ({"remind_at": "50"}, "remind_at"),
        ({"email": "other@example.org"}, "email"),
        ({"username": "other"}, "username"),
        ({"is_staff": True}, "is_staff"),
        ({"password": "x"}, "password"),
    ],
)
def test_the_refusal_of_an_invalid_value_names_its_field_and_changes_nothing(api, change, field):
    client = api(player("ann"))
    before = client.get(HERE).json()
    refused = client.patch(HERE, change)
    assert refused.status_code == 400
    assert list(refused.json()["data"]["fields"]) == [field]
    assert client.get(HERE).json() == before


@pytest.mark.parametrize("field", ["quiet_from", "quiet_until"])
def test_the_error_for_an_invalid_time_shows_an_example(api, field):
    refused = api(player("ann")).patch(HERE, {field: "ten"})
    assert refused.json()["data"]["fields"] == {field: ["Enter a time like 22:00."]}


def test_an_empty_change_is_allowed(api):
    assert api(player("ann")).patch(HERE, {}).status_code == 200


class TestTheExport:
    def test_the_export_contains_everything_but_secrets(self, api):
        client = api(player("ann", display_name="Ann A."), name="laptop")
        exported = client.get(f"{HERE}/export")
        assert exported.headers["Cache-Control"] == "no-store"
        body = exported.json()
        assert (body["profile"]["email"], body["profile"]["display_name"]) == ("ann@example.org", "Ann A.")
        assert [token["name"] for token in body["tokens"]] == ["laptop"]
        assert User.objects.get().password not in exported.content.decode()
        assert Token.objects.get().digest not in exported.content.decode()

    def test_the_export_has_a_part_for_every_table_that_points_to_a_user(self):
        """A new model with data about people must be exported and listed here."""
        parts = {
            "accounts.Block": "blocks",
            "accounts.BrowserSession": "browser_sessions",
            "accounts.Registration": "profile",
            "accounts.Token": "tokens",
            "accounts.User_groups": "profile",
            "accounts.User_user_permissions": "profile",
            "admin.LogEntry": "profile",
            "clock.Proposal": "proposals",
            "clock.Vacation": "vacations",
            "games.Invitation": "invitations",
            "games.StoredResult": "matches",
            "games.Match": "matches",
            "games.Message": "messages",
            "games.Note": "notes",
            "games.Report": "reports",
            "games.Review": "reviews",
            "games.Seat": "matches",
            "inbound.InboundMail": "mail",
            "notifications.ArchivedNotifications": "notifications",
            "notifications.Notification": "notifications",
            "notifications.Webhook": "webhooks",
            "stream.StreamEvent": "stream",
        }
        tables = {
            model._meta.label
            for model in apps.get_models(include_auto_created=True)
            if any(field.related_model is User for field in model._meta.fields)
        }
        assert tables == set(parts)
        assert set(parts.values()) <= set(export(player("ann")))


class TestDeletion:
    def delete(self, client, password=PASSWORD):
        return client.post(f"{HERE}/deletion", {"password": password})

    def test_deleting_an_account_needs_the_password(self, api):
        assert self.delete(api(player("ann")), "wrong").json()["code"] == "wrong_password"
        assert User.objects.exists()

    def test_deleting_an_account_leaves_no_personal_data_in_any_table(self, api):
        client = api(player("ann-marie", display_name="Ann-Marie A."), name="laptop of ann-marie")
        api().post("/api/v1/registrations", applicant(username="other", email="ann-marie@example.org"))
        api().post("/api/v1/password-resets", {"email": "ann-marie@example.org"})
        client.post("/api/v1/address-changes", {"email": "new-ann-marie@example.org", "password": PASSWORD})
        assert "ann-marie" in everything_stored().lower()
        assert self.delete(client).status_code == 204
        assert "ann-marie" not in everything_stored().lower()
        assert client.get(HERE).status_code == 401

    def test_after_an_account_is_deleted_its_seats_belong_to_a_departed_player(self, api):
        table = running_match(seats=3)
        ann = User.objects.get(username="ann")
        ann.set_password(PASSWORD)
        ann.save()
        seat = Seat.objects.get(user=ann)
        assert self.delete(api(ann)).status_code == 204
        seat.refresh_from_db()
        assert seat.user is None
        assert Match.objects.get(pk=table.match.pk).seats.count() == 3

    def test_deleting_an_account_is_announced_before_the_user_is_deleted(self, api):
        seen = []

        def note(announcement):
            seen.append(User.objects.filter(pk=announcement.user.pk).exists())

        with patch.dict(_listeners, {AccountDeleted: [*_listeners[AccountDeleted], note]}):
            self.delete(api(player("ann")))
        assert seen == [True]

    def test_deleting_an_account_deletes_tokens_and_vacations(self, api):
        ann = player("ann")
        Vacation.objects.create(user=ann, first_day="2026-12-01", last_day="2026-12-02")
        self.delete(api(ann))
        assert (Token.objects.count(), Vacation.objects.count()) == (0, 0)


def everything_stored():
    stored = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            if not table.startswith("django_migrations"):
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
                stored.append(json.dumps(cursor.fetchall(), default=str))
    return "\n".join(stored)

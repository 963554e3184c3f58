import pytest
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction

from accounts.models import User
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


def join(username="ann", email="ann@example.org", **fields):
    return User.objects.create_user(username, email, "correct horse", **fields)


def complaint(**fields):
    with pytest.raises(ValidationError) as refused:
        join(**fields)
    return refused.value.message_dict


def test_a_new_user_is_active_but_unconfirmed_and_uses_utc_and_english():
    ann = User.objects.get(pk=join().pk)
    assert (ann.is_active, ann.is_staff, ann.is_superuser) == (True, False, False)
    assert (ann.time_zone, ann.language, ann.email_confirmed_at) == ("UTC", "en", None)


def test_a_user_is_called_by_their_display_name_or_else_by_their_username():
    assert join().name == "ann"
    assert join("ben", "ben@example.org", display_name="Benoît ☕").name == "Benoît ☕"


def test_an_address_is_stored_in_lower_case():
    assert join(email=" Ann@Example.ORG ").email == "ann@example.org"


@pytest.mark.parametrize("login", ["ann", "ANN", "ann@example.org", "Ann@Example.Org"])
def test_users_log_in_with_username_or_email_address_ignoring_case(login):
    ann = join()
    assert authenticate(username=login, password="correct horse") == ann
    assert authenticate(username=login, password="wrong horse") is None


def test_a_user_without_a_password_cannot_log_in():
    User.objects.create_user("ann", "ann@example.org")
    assert authenticate(username="ann", password="") is None


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"username": "ANN", "email": "other@example.org"}, "This username is taken."),
        ({"username": "other", "email": "ANN@example.org"}, "This email address already has an account."),
    ],
)
def test_names_and_addresses_that_differ_only_in_case_are_the_same(fields, sentence):
    join()
    assert sentence in complaint(**fields)["__all__"]


@pytest.mark.parametrize("fields", [{"username": "Ann", "email": "b@example.org"}, {"email": "ANN@example.org"}])
def test_the_database_refuses_duplicates(fields):
    join()
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(**{"username": "ben"} | fields)])


@pytest.mark.parametrize("username", ["", "an", "a" * 31, "ann b", "ann@home", "änn", "ann\n", "ann/../ben"])
def test_a_username_is_3_to_30_letters_or_digits_or_underscores_or_dashes(username):
    assert "username" in complaint(username=username)


@pytest.mark.parametrize("username", ["a_1", "Ann-Marie", "a" * 30])
def test_a_plain_username_is_allowed(username):
    assert join(username=username).username == username


@pytest.mark.parametrize("zone", ["Mars/Olympus", "localtime", "../../etc/passwd", ""])
def test_an_unknown_time_zone_is_refused(zone):
    assert "time_zone" in complaint(time_zone=zone)


def test_a_time_zone_named_after_a_place_is_accepted():
    assert join(time_zone="America/Denver").time_zone == "America/Denver"


def test_the_refusal_of_an_unsupported_language_lists_the_supported_ones():
    assert complaint(language="tlh")["language"] == ["'tlh' is not a supported language. Supported: en."]


@pytest.mark.parametrize("name", ["Ann\nBcc: all@example.org", "\x1b[2JAnn", "nnA\u202e"])
def test_a_display_name_cannot_forge_a_line_or_redraw_a_terminal(name):
    assert "display_name" in complaint(display_name=name)


def test_the_first_administrator_can_be_created_from_the_shell(monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "correct horse")
    call_command("createsuperuser", username="root", email="Root@example.org", interactive=False, verbosity=0)
    root = authenticate(username="root@example.org", password="correct horse")
    assert (not_none(root).is_staff, not_none(root).is_superuser) == (True, True)

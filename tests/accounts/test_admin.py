import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from accounts.admin import Users
from accounts.models import User
from core.rates import Rate
from games.models import Seat
from games.services import invitations, lobby
from tests.accounts.builders import PASSWORD
from tests.games.builders import awaited, plan, player, running_match, sitting
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


def test_operators_can_find_and_read_users(admin_client):
    ann = User.objects.create_user("ann", "ann@example.org", "correct horse")
    assert b"ann@example.org" in admin_client.get("/admin/accounts/user/?q=ANN").content
    assert admin_client.get(f"/admin/accounts/user/{ann.pk}/change/").status_code == 200


def test_operators_can_add_a_user(admin_client):
    form = {"username": "ann", "email": "Ann@example.org", "usable_password": "true"}
    passwords = {"password1": "Gr33n cowboys ride", "password2": "Gr33n cowboys ride"}
    admin_client.post("/admin/accounts/user/add/", form | passwords)
    assert User.objects.get(username="ann").email == "ann@example.org"


def test_an_operators_change_does_not_affect_other_columns(admin_client, monkeypatch):
    ann, group = player("ann"), Group.objects.create(name="helpers")
    found = Users.get_object

    def then_a_webhook_is_made(self, *args):
        user = found(self, *args)
        User.objects.filter(pk=not_none(user).pk).update(has_webhooks=True)
        return user

    monkeypatch.setattr(Users, "get_object", then_a_webhook_is_made)
    form = {"username": "ann", "display_name": "Anna", "time_zone": "UTC", "language": "en", "is_active": "on"}
    more = {"mail_frequency": "instant", "remind_at": "[50, 80]", "groups": [group.pk]}
    assert admin_client.post(f"/admin/accounts/user/{ann.pk}/change/", form | more).status_code == 302
    ann.refresh_from_db()
    assert (ann.display_name, list(ann.groups.all()), ann.has_webhooks) == ("Anna", [group], True)


@pytest.mark.parametrize("by", ["page", "action"])
def test_deleting_a_user_in_the_admin_works_like_deleting_the_account(admin_client, by):
    leaving = awaited(running_match(seats=3))
    host = player("dora")
    invitations.invite(lobby.create(host, plan()).match.id, host, sitting(leaving).username)
    pages = {"page": f"/admin/accounts/user/{leaving.user_id}/delete/", "action": "/admin/accounts/user/"}
    action = {"action": "delete_selected", "_selected_action": [leaving.user_id]}
    assert admin_client.post(pages[by], {"post": "yes", **action}).status_code == 302
    assert not User.objects.filter(pk=sitting(leaving).pk).exists()
    assert not_none(Seat.objects.get(pk=leaving.pk).wake_at) <= timezone.now()


def test_guessing_an_operators_password_is_limited(client, settings):
    settings.RATES = settings.RATES | {"login_account": Rate(2, 3600)}
    User.objects.create_superuser("root", "root@example.org", PASSWORD)
    for _ in range(2):
        client.post("/admin/login/", {"username": "root", "password": "wrong"})
    late = client.post("/admin/login/", {"username": "ROOT", "password": PASSWORD})
    assert late.status_code == 200
    assert b"Too many attempts." in late.content


def test_login_attempts_by_username_and_by_email_address_count_together(client, settings):
    settings.RATES = settings.RATES | {"login_account": Rate(2, 3600)}
    User.objects.create_superuser("root", "root@example.org", PASSWORD)
    for login in ("root", "root@example.org"):
        client.post("/admin/login/", {"username": login, "password": "wrong"})
    late = client.post("/admin/login/", {"username": "root", "password": PASSWORD})
    assert late.status_code == 200
    assert b"Please enter the correct" in late.content


def test_players_have_no_access_to_the_admin(client):
    client.force_login(User.objects.create_user("ann", "ann@example.org", "correct horse"))
    assert client.get("/admin/accounts/user/").status_code == 302

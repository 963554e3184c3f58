import pytest
import time_machine

from accounts.models import User
from core.rates import Rate
from notifications.letters.account import NoMail
from tests.accounts.builders import PASSWORD, last_part, mail_to, no_mail_to, player

pytestmark = pytest.mark.django_db

HERE = "/api/v1/address-changes"


def ask(client, email="new@example.org", password=PASSWORD):
    return client.post(HERE, {"email": email, "password": password})


def confirm(api, token, password=PASSWORD):
    return api().post(f"{HERE}/confirm", {"token": token, "password": password})


def mailed(email="new@example.org"):
    return last_part(mail_to(email).facts["link"])


def test_opening_the_link_emailed_to_the_new_address_makes_it_the_users_address(api):
    ann = player("ann")
    assert ask(api(ann), "New@Example.org").status_code == 202
    assert User.objects.get().email == "ann@example.org"
    assert confirm(api, mailed()).status_code == 200
    assert User.objects.get().email == "new@example.org"


def test_the_old_address_is_notified(api):
    ask(api(player("ann")))
    confirm(api, mailed())
    assert mail_to("ann@example.org").facts["what"] == "address"


def test_changing_the_address_needs_the_password(api):
    assert ask(api(player("ann")), password="wrong").json()["code"] == "wrong_password"


@pytest.mark.parametrize("password", ["", "wrong", None])
def test_the_link_does_not_work_without_the_password(api, password):
    """Otherwise, the owner of a mistyped address, for example, could reset the password."""
    ask(api(player("ann")))
    body = {"token": mailed()} | ({} if password is None else {"password": password})
    assert api().post(f"{HERE}/confirm", body).status_code in (400, 403)
    assert User.objects.get().email == "ann@example.org"


def test_guessing_passwords_with_the_link_is_limited(api, settings):
    settings.RATES = settings.RATES | {"password": Rate(3, 3600)}
    ask(api(player("ann")))
    token = mailed()
    codes = [confirm(api, token, "wrong").json()["code"] for _ in range(5)]
    assert codes == ["wrong_password"] * 3 + ["too_many_attempts"] * 2


def test_an_undeliverable_address_is_refused(api):
    answer = ask(api(player("ann")), "x@" + "ü" * 60 + ".org")
    assert (answer.status_code, list(answer.json()["data"]["fields"])) == (400, ["email"])


def test_an_address_with_an_account_gets_the_same_response_and_its_owner_gets_an_email(api):
    player("ben")
    client = api(player("ann"))
    known, fresh = ask(client, "ben@example.org"), ask(client, "new@example.org")
    assert (known.status_code, known.content) == (fresh.status_code, fresh.content)
    assert mail_to("ben@example.org").about == "has_account"


def test_opening_the_link_twice_does_no_harm(api):
    ask(api(player("ann")))
    token = mailed()
    first, second = confirm(api, token), confirm(api, token)
    assert (first.status_code, first.content) == (second.status_code, second.content)


def test_a_link_is_invalid_once_the_address_has_changed(api):
    ann = player("ann")
    ask(api(ann), "one@example.org")
    ask(api(ann), "two@example.org")
    one, two = mailed("one@example.org"), mailed("two@example.org")
    assert confirm(api, two).status_code == 200
    assert confirm(api, one).json()["code"] == "bad_link"


def test_a_link_is_valid_for_two_days(api):
    with time_machine.travel("2026-11-16T12:00:00Z", tick=False) as clock:
        ask(api(player("ann")))
        token = mailed()
        clock.shift(2 * 86400 + 1)
        assert confirm(api, token).json()["code"] == "bad_link"


def test_an_address_taken_in_the_meantime_is_refused(api):
    ask(api(player("ann")))
    token = mailed()
    User.objects.create_user("ben", "new@example.org", PASSWORD)
    assert confirm(api, token).json()["code"] == "address_taken"
    assert User.objects.get(username="ann").email == "ann@example.org"


def test_no_email_is_sent_once_the_address_is_confirmed(api):
    ask(api(player("ann")))
    confirm(api, mailed())
    assert no_mail_to("new@example.org") == NoMail("The address is already confirmed.")


def test_no_email_is_sent_for_a_deleted_account(api):
    ann = player("ann")
    ask(api(ann))
    ann.delete()
    assert no_mail_to("new@example.org") == NoMail("The account was deleted.")

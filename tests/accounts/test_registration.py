import re

import pytest
import time_machine
from django.contrib.auth import authenticate
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import links
from accounts.announcements import UserJoined
from accounts.models import Registration, User
from core.rates import Rate
from notifications.letters.account import NoMail
from notifications.models import Notification
from tests.accounts.builders import PASSWORD, applicant, last_part, mail_to, no_mail_to, player
from tests.announced import announced
from tests.not_none import not_none

pytestmark = pytest.mark.django_db

HERE = "/api/v1/registrations"
CONFIRM = f"{HERE}/confirm"


def register(api, **changes):
    return api().post(HERE, applicant(**changes))


def wrong(code):
    return f"{(int(code) + 1) % 10**6:06}"


def steps(queries):
    """Return the queries without their values."""
    return [re.findall(r'^\w+|"[a-z_]+"', query["sql"])[:2] for query in queries.captured_queries]


def test_a_new_user_registers_and_confirms_with_the_emailed_code(api):
    answer = register(api, display_name="Ann A.", time_zone="Europe/Berlin")
    assert answer.status_code == 202
    letter = mail_to("ann@example.org")
    assert letter.about == "confirm_registration"
    confirmation = {"registration": answer.json()["registration"], "code": letter.facts["code"]}
    assert api().post(CONFIRM, confirmation).json()["username"] == "ann"
    ann = not_none(authenticate(username="ann", password=PASSWORD))
    assert (ann.name, ann.email, ann.time_zone) == (
        "Ann A.",
        "ann@example.org",
        "Europe/Berlin",
    )
    assert ann.email_confirmed_at is not None


def test_a_code_has_six_digits(api):
    refused = api().post(CONFIRM, {"registration": register(api).json()["registration"], "code": "12345"})
    assert refused.json()["data"]["fields"] == {"code": ["Enter the six digits from the email."]}


def test_a_new_user_registers_and_confirms_with_the_emailed_link(api):
    register(api)
    link = mail_to("ann@example.org").facts["link"]
    assert link.startswith("http://localhost:8000/confirm/")
    assert api().post(CONFIRM, {"password": PASSWORD, "token": last_part(link)}).status_code == 200
    assert User.objects.filter(username="ann").exists()


def test_before_the_confirmation_there_is_no_account_and_the_username_is_free(api):
    register(api)
    assert not User.objects.exists()
    assert register(api, email="other@example.org").status_code == 202


def test_confirming_twice_gets_the_same_response_and_creates_one_account(api):
    register(api)
    token = {"password": PASSWORD, "token": last_part(mail_to("ann@example.org").facts["link"])}
    first, second = api().post(CONFIRM, token), api().post(CONFIRM, token)
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert User.objects.count() == 1


def test_confirming_a_registration_clears_its_password_and_invitation(api):
    register(api, invitation="secret-invitation")
    api().post(CONFIRM, {"password": PASSWORD, "token": last_part(mail_to("ann@example.org").facts["link"])})
    assert Registration.objects.values_list("password", "invitation").get() == ("", "")


def test_the_invitation_is_passed_on(api):
    with announced(UserJoined) as came:
        register(api, invitation="token-of-a-match")
        assert came == []
        api().post(CONFIRM, {"password": PASSWORD, "token": last_part(mail_to("ann@example.org").facts["link"])})
    assert [(one.user.username, one.invitation) for one in came] == [("ann", "token-of-a-match")]


class TestAKnownAddress:
    def answers(self, api):
        player("cleo")
        known = register(api, username="someone", email="cleo@example.org")
        fresh = register(api, username="someone", email="fresh@example.org")
        return known, fresh

    def test_registering_a_known_address_gets_the_same_response_as_a_new_one(self, api):
        with time_machine.travel("2026-11-16T12:00:00Z", tick=False):
            known, fresh = self.answers(api)
        assert (known.status_code, known.headers.keys()) == (fresh.status_code, fresh.headers.keys())
        bodies = [answer.json() | {"registration": "any"} for answer in (known, fresh)]
        assert bodies[0] == bodies[1]
        assert len(known.content) == len(fresh.content)

    def test_registering_a_known_address_runs_the_same_queries_as_a_new_one(self, api):
        player("cleo")
        with CaptureQueriesContext(connection) as known:
            register(api, username="someone", email="cleo@example.org")
        with CaptureQueriesContext(connection) as fresh:
            register(api, username="someone", email="fresh@example.org")
        assert steps(known) == steps(fresh)

    def test_the_owner_of_a_registered_address_is_notified_instead(self, api):
        self.answers(api)
        letter = mail_to("cleo@example.org")
        assert (letter.about, letter.facts) == ("has_account", {"name": "cleo", "username": "cleo"})

    def test_registering_a_known_address_does_not_affect_the_next_registration(self, api):
        self.answers(api)
        again = [register(api, username="someone", email=f"{who}@example.org") for who in ("cleo", "fresh")]
        assert [answer.status_code for answer in again] == [202, 202]

    def test_before_the_confirmation_logging_in_fails_the_same_way_for_known_and_new_addresses(self, api):
        self.answers(api)
        tries = [
            api().post("/api/v1/tokens", {"login": f"{who}@example.org", "password": PASSWORD[::-1] + x})
            for who in ("cleo", "fresh")
            for x in ("", "wrong")
        ]
        assert {(answer.status_code, answer.content) for answer in tries} == {(401, tries[0].content)}

    def test_before_the_confirmation_the_registered_password_does_not_reveal_whether_the_address_is_known(self, api):
        player("cleo")
        for who in ("cleo", "fresh"):
            register(api, username="someone", email=f"{who}@example.org", password="An0ther horse rides")
        tries = [
            api().post("/api/v1/tokens", {"login": f"{who}@example.org", "password": "An0ther horse rides"})
            for who in ("cleo", "fresh")
        ]
        assert {answer.json()["code"] for answer in tries} == {"email_not_confirmed"}
        assert tries[0].content == tries[1].content


class TestTheFirstToConfirm:
    def test_the_first_to_confirm_gets_the_username_and_the_second_can_choose_another(self, api):
        register(api, email="one@example.org")
        register(api, email="two@example.org", username="ANN")
        tokens = [last_part(mail_to(f"{who}@example.org").facts["link"]) for who in ("one", "two")]
        assert api().post(CONFIRM, {"password": PASSWORD, "token": tokens[0]}).status_code == 200
        late = api().post(CONFIRM, {"password": PASSWORD, "token": tokens[1]})
        assert (late.status_code, late.json()["code"]) == (409, "username_taken")
        assert (
            api().post(CONFIRM, {"password": PASSWORD, "token": tokens[1], "username": "ann-two"}).json()["username"]
            == "ann-two"
        )

    def test_the_first_to_confirm_gets_the_address(self, api):
        ids = [register(api, username=name).json()["registration"] for name in ("ann", "evil")]
        tokens = [last_part(letter) for letter in self.links(ids)]
        assert api().post(CONFIRM, {"password": PASSWORD, "token": tokens[0]}).json()["username"] == "ann"
        late = api().post(CONFIRM, {"password": PASSWORD, "token": tokens[1]})
        assert (late.status_code, late.json()["code"]) == (409, "address_taken")

    def links(self, ids):
        return [links.confirmation_link(Registration.objects.get(pk=one)) for one in ids]


class TestCodes:
    def ask(self, api):
        registration = register(api).json()["registration"]
        return registration, mail_to("ann@example.org").facts["code"]

    def test_the_error_for_a_wrong_code_says_how_many_tries_are_left(self, api):
        registration, code = self.ask(api)
        problem = api().post(CONFIRM, {"registration": registration, "code": wrong(code)}).json()
        assert (problem["code"], problem["data"]) == ("wrong_code", {"tries_left": 4})

    def test_after_five_wrong_codes_only_the_link_works(self, api):
        registration, code = self.ask(api)
        link = mail_to("ann@example.org").facts["link"]
        for _ in range(5):
            api().post(CONFIRM, {"registration": registration, "code": wrong(code)})
        late = api().post(CONFIRM, {"registration": registration, "code": code})
        assert late.json()["code"] == "no_such_registration"
        assert api().post(CONFIRM, {"password": PASSWORD, "token": last_part(link)}).status_code == 200

    def test_codes_have_six_digits_and_differ_between_registrations(self, api):
        codes = set()
        for number in range(5):
            register(api, email=f"a{number}@example.org")
            codes.add(mail_to(f"a{number}@example.org").facts["code"])
        assert all(len(code) == 6 and code.isdigit() for code in codes)
        assert len(codes) > 1

    def test_guessing_across_registrations_is_rate_limited(self, api, settings):
        settings.RATES = settings.RATES | {"code": Rate(3, 3600)}
        tried = [api().post(CONFIRM, {"registration": self.ask(api)[0], "code": "000000"}) for _ in range(4)]
        assert tried[-1].status_code == 429


def test_a_registration_expires_after_two_days(api):
    with time_machine.travel("2026-11-16T12:00:00Z", tick=False) as clock:
        registration = register(api).json()["registration"]
        letter = mail_to("ann@example.org")
        clock.shift(2 * 86400)
        by_link = api().post(CONFIRM, {"password": PASSWORD, "token": last_part(letter.facts["link"])})
        by_code = api().post(CONFIRM, {"registration": registration, "code": letter.facts["code"]})
        assert {by_link.json()["code"], by_code.json()["code"]} == {"no_such_registration"}
        assert no_mail_to("ann@example.org") == NoMail("The registration has expired or was already confirmed.")


def test_the_registration_email_can_be_sent_again(api):
    registration = register(api).json()["registration"]
    assert api().post(f"{HERE}/{registration}/mails").status_code == 202
    assert Notification.objects.filter(email="ann@example.org").count() == 2
    assert api().post(f"{HERE}/0b9a1c52-6f0e-4b8e-9d5f-0d5c7a1e2f34/mails").status_code == 404


def test_a_queued_notification_contains_no_secret(api):
    register(api, invitation="secret-invitation")
    letter, row = mail_to("ann@example.org"), str(Notification.objects.values().get())
    for secret in (letter.facts["code"], last_part(letter.facts["link"]), PASSWORD, "secret-invitation"):
        assert secret not in row


@pytest.mark.parametrize("token", ["x", "", "a:b", "0b9a1c526f0e4b8e9d5f0d5c7a1e2f34:forged", "é" * 40])
def test_a_forged_link_is_refused(api, token):
    assert api().post(CONFIRM, {"password": PASSWORD, "token": token}).status_code in (400, 404)


def test_a_link_works_for_only_one_purpose(api):
    ann = player("ann")
    register(api, username="ben", email="ben@example.org")
    confirm = last_part(mail_to("ben@example.org").facts["link"])
    for foreign in (links.reset_token(ann), links.address_change_token(ann, "new@example.org")):
        assert api().post(CONFIRM, {"password": PASSWORD, "token": foreign}).status_code == 404
    assert api().post("/api/v1/password-resets/confirm", {"token": confirm, "password": PASSWORD}).status_code == 400


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"username": "a b"}, "username"),
        ({"username": "ann\r\nBcc: all"}, "username"),
        ({"email": "ann"}, "email"),
        ({"email": "ann@example.org\nBcc: all@example.org"}, "email"),
        ({"email": '"\x01"@example.org'}, "email"),
        ({"password": "short"}, "password"),
        ({"password": "ann@example.org"}, "password"),
        ({"password": "x" * 257}, "password"),
        ({"display_name": "Ann\nBcc: all@example.org"}, "display_name"),
        ({"display_name": "\x1b[2JAnn"}, "display_name"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"language": "tlh"}, "language"),
        ({"is_staff": True}, "is_staff"),
        ({"username": None}, "username"),
        ({"username": ["ann"]}, "username"),
    ],
)
def test_the_refusal_of_an_invalid_value_names_its_field(api, changes, field):
    problem = register(api, **changes)
    assert problem.status_code == 400
    assert list(problem.json()["data"]["fields"]) == [field]


def test_a_taken_username_is_refused_in_upper_and_lower_case(api):
    player("ann")
    problem = register(api, username="ANN", email="other@example.org").json()
    assert problem["data"]["fields"] == {"username": ["This username is taken."]}


def test_registrations_are_rate_limited_per_network_address(api, settings):
    settings.RATES = settings.RATES | {"sign_up": Rate(2, 3600)}
    tried = [register(api, email=f"a{number}@example.org").status_code for number in range(3)]
    assert tried == [202, 202, 429]


def test_emails_to_one_address_are_rate_limited(api, settings):
    settings.RATES = settings.RATES | {"mailbox": Rate(2, 3600)}
    register(api)
    register(api)
    assert register(api, email="Ann@Example.org").status_code == 429
    assert Notification.objects.count() == 2


def test_the_owner_of_a_limited_address_can_still_reset_the_password(api, settings):
    settings.RATES = settings.RATES | {"mailbox": Rate(1, 3600)}
    assert [register(api).status_code for _ in range(2)] == [202, 429]
    assert api().post("/api/v1/password-resets", {"email": "ann@example.org"}).status_code == 202


def test_an_address_that_is_too_long_in_lower_case_is_refused(api):
    grows = "a" * 233 + "@" + "\u0130" * 16 + ".com"
    answer = api().post(HERE, {"username": "ann", "email": grows, "password": PASSWORD})
    assert (answer.status_code, list(answer.json()["data"]["fields"])) == (400, ["email"])


@pytest.mark.parametrize("domain", ["ü" * 60 + ".org", ".".join(["äöüéè" * 8] * 5) + ".org"])
def test_an_undeliverable_address_is_refused(api, domain):
    answer = api().post(HERE, {"username": "ann", "email": f"x@{domain}", "password": PASSWORD})
    assert (answer.status_code, list(answer.json()["data"]["fields"])) == (400, ["email"])
    assert not Notification.objects.exists()


def test_international_domains_are_allowed(api):
    assert register(api, email="ann@bücher.example").status_code == 202

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import links, passwords
from accounts.models import Token, User
from core.rates import Rate
from tests.accounts.builders import PASSWORD, player
from tests.callers import caller

pytestmark = pytest.mark.django_db

HERE = "/api/v1/tokens"


def log_in(login="ann", password=PASSWORD, **more):
    return caller().post(HERE, {"login": login, "password": password} | more)


def with_token(secret):
    client = caller()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


class TestLoggingIn:
    @pytest.mark.parametrize("login", ["ann", "ANN", "ann@example.org", "Ann@Example.ORG"])
    def test_logging_in_works_with_username_or_email_address_ignoring_case(self, login):
        player("ann")
        answer = log_in(login)
        assert answer.status_code == 201
        assert with_token(answer.json()["token"]).get("/api/v1/me").json()["username"] == "ann"

    def test_logging_in_returns_a_token_with_its_name_and_expiry(self):
        player("ann")
        with time_machine.travel("2026-11-16T12:00:00Z", tick=False):
            token = log_in(name="turnpost on laptop", days=30).json()
        assert token["token"].startswith("turnpost_")
        assert (token["name"], token["created_at"]) == ("turnpost on laptop", "2026-11-16T12:00:00Z")
        assert token["expires_at"] == "2026-12-16T12:00:00Z"

    def test_logging_in_is_recorded(self):
        player("ann")
        log_in()
        assert User.objects.get().last_login is not None

    def test_logging_in_gives_the_same_error_for_a_wrong_password_and_an_unknown_user(self):
        player("ann")
        player("gone", is_active=False)
        tries = [log_in(login, "wrong") for login in ("ann", "ann@example.org", "nobody", "no@example.org", "gone")]
        tries.append(log_in("gone"))
        assert {(answer.status_code, answer.content) for answer in tries} == {(401, tries[0].content)}
        assert tries[0].json()["code"] == "wrong_login"

    def test_logging_in_computes_as_many_hashes_for_an_unknown_user_as_for_a_wrong_password(self, monkeypatch):
        hashed = []
        encode = MD5PasswordHasher.encode

        def count(*given):
            hashed.append(given)
            return encode(*given)

        monkeypatch.setattr(MD5PasswordHasher, "encode", count)
        player("ann")
        counts = []
        for login in ("ann", "nobody", "ann@example.org", "nobody@example.org"):
            hashed.clear()
            log_in(login, "wrong")
            counts.append(len(hashed))
        assert counts == [2, 2, 2, 2]

    def test_logging_in_needs_a_confirmed_address(self):
        player("ann", email_confirmed_at=None)
        answer = log_in()
        assert (answer.status_code, answer.json()["code"]) == (403, "email_not_confirmed")
        assert log_in(password="wrong").json()["code"] == "wrong_login"

    @pytest.mark.parametrize(
        "more", [{"name": "a\nb"}, {"name": ""}, {"name": "x" * 61}, {"days": 0}, {"days": 367}, {"scope": "all"}]
    )
    def test_logging_in_refuses_invalid_fields(self, more):
        player("ann")
        assert log_in(**more).status_code == 400

    def test_logging_in_works_even_with_many_tokens(self, monkeypatch):
        monkeypatch.setattr("accounts.tokens.MOST_TOKENS", 3)
        player("ann")
        for number in range(3):
            log_in(name=f"number {number}")
        Token.objects.filter(name="number 0").update(last_used_at=timezone.now())
        log_in(name="number 3")
        assert set(Token.objects.values_list("name", flat=True)) == {"number 0", "number 2", "number 3"}


class TestGuessing:
    def test_guessing_from_one_address_does_not_lock_the_owner_out_elsewhere(self, settings):
        settings.RATES = settings.RATES | {"login_pair": Rate(2, 3600), "login_account": Rate(9, 3600)}
        player("ann")
        assert [log_in("ann", "wrong").status_code for _ in range(3)] == [401, 401, 429]
        elsewhere = caller().post(HERE, {"login": "ann", "password": PASSWORD}, REMOTE_ADDR="10.1.2.3")
        assert elsewhere.status_code == 201

    def test_guessing_is_limited_per_account_whether_it_exists_or_not(self, settings):
        settings.RATES = settings.RATES | {"login_account": Rate(3, 3600)}
        player("ann")
        for login in ("ann", "nobody"):
            tries = [log_in(login, "wrong").status_code for _ in range(4)]
            assert tries == [401, 401, 401, 429]
        assert log_in("ANN").status_code == 429

    @pytest.mark.parametrize("scope", ["login_pair", "login_account"])
    def test_guesses_by_username_and_by_email_address_count_together(self, settings, scope):
        settings.RATES = settings.RATES | {scope: Rate(3, 3600)}
        player("ann")
        for login in ("ann", "Ann@Example.org", "ANN"):
            assert log_in(login, "wrong").status_code == 401
        assert log_in("ann@example.org").status_code == 401

    def test_guessing_does_not_reveal_whether_an_email_address_has_an_account(self, settings):
        settings.RATES = settings.RATES | {"login_account": Rate(3, 3600)}
        player("ann")
        with time_machine.travel("2026-03-02T12:00Z", tick=False):
            for _ in range(3):
                log_in("ann", "wrong")
            hers, nobodys = [[log_in(f"{name}@example.org", "wrong") for _ in range(4)] for name in ("ann", "nobody")]
        assert [answer.status_code for answer in hers] == [401, 401, 401, 429]
        assert [answer.content for answer in hers] == [answer.content for answer in nobodys]

    def test_guessing_runs_the_same_queries_for_known_and_unknown_users(self):
        player("ann")
        counts = []
        for login in ("ann", "nobody", "ann@example.org", "nobody@example.org"):
            with CaptureQueriesContext(connection) as asked:
                log_in(login, "wrong")
            counts.append(len(asked))
        assert len(set(counts)) == 1

    def test_a_new_password_resets_the_count_of_guesses(self, settings):
        settings.RATES = settings.RATES | {"login_account": Rate(3, 3600)}
        ann = player("ann")
        for login in ("ann", "ann", "ann@example.org", "ann@example.org"):
            log_in(login, "wrong")
        passwords.reset(links.reset_token(ann), "Bl4ck cowboys rest", "127.0.0.1")
        assert log_in("ann", "Bl4ck cowboys rest").status_code == 201

    def test_the_refusal_of_a_guess_says_when_to_try_again(self, settings):
        settings.RATES = settings.RATES | {"login_account": Rate(1, 3600)}
        log_in("nobody", "wrong")
        refused = log_in("nobody", "wrong")
        assert refused.json()["code"] == "too_many_attempts"
        assert int(refused.headers["Retry-After"]) == refused.json()["data"]["retry_after"] <= 3600

    def test_logging_in_successfully_resets_the_count_of_guesses(self, settings):
        settings.RATES = settings.RATES | {"login_account": Rate(3, 3600)}
        player("ann")
        tries = [log_in("ann", password).status_code for password in ("wrong", "wrong", PASSWORD, "wrong", "wrong")]
        assert tries == [401, 401, 201, 401, 401]

    def test_guessing_is_limited_per_network_address(self, settings):
        settings.RATES = settings.RATES | {"login": Rate(3, 3600)}
        tries = [log_in(f"nobody{number}", "wrong").status_code for number in range(4)]
        assert tries == [401, 401, 401, 429]


class TestATokenInUse:
    def test_checking_a_token_takes_one_query(self, api, django_assert_num_queries):
        client = api(player("ann"))
        client.get("/api/v1/games")
        with django_assert_num_queries(1):
            client.get("/api/v1/games")

    def test_a_tokens_last_use_is_recorded_at_most_every_five_minutes(self, api):
        with time_machine.travel("2026-11-16T12:00:00Z", tick=False) as clock:
            client = api(player("ann"))
            used = []
            for seconds in (0, 299, 1):
                clock.shift(seconds)
                client.get("/api/v1/me")
                used.append(Token.objects.get().last_used_at.strftime("%H:%M"))
        assert used == ["12:00", "12:00", "12:05"]

    @pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
    def test_a_tokens_use_is_recorded_for_every_kind_of_request(self, api, method):
        client = api(player("ann"))
        getattr(client, method)("/api/v1/me")
        assert Token.objects.get().last_used_at is not None

    def test_a_token_is_stored_only_as_a_hash(self):
        player("ann")
        secret = log_in().json()["token"]
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM accounts_token")
            row = str(cursor.fetchall())
        assert secret not in row
        assert secret[15:40] not in row

    @pytest.mark.parametrize(
        "change",
        [
            lambda secret: secret[:-1] + ("0" if secret[-1] != "0" else "1"),
            lambda secret: secret[:-1],
            lambda secret: secret + "0",
            lambda secret: secret.upper(),
            lambda secret: "",
            lambda secret: "x",
            lambda secret: "é",
            lambda secret: f"{secret} {secret}",
            lambda secret: "turnpost_" + "0" * 64,
        ],
    )
    def test_a_token_must_be_sent_unchanged(self, change):
        player("ann")
        answer = with_token(change(log_in().json()["token"])).get("/api/v1/me")
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"

    def test_a_token_expires(self, api):
        with time_machine.travel("2026-11-16T12:00:00Z", tick=False) as clock:
            player("ann")
            client = with_token(log_in(days=1).json()["token"])
            clock.shift(86399)
            assert client.get("/api/v1/me").status_code == 200
            clock.shift(1)
            assert client.get("/api/v1/me").status_code == 401

    def test_a_token_stops_working_once_the_user_is_deactivated(self, api):
        ann = player("ann")
        client = api(ann)
        User.objects.filter(pk=ann.pk).update(is_active=False)
        assert client.get("/api/v1/me").status_code == 401

    def test_requests_with_a_token_count_against_the_users_rate_limit(self, api, settings):
        cache.clear()
        settings.RATES = settings.RATES | {"user": Rate(2, 60)}
        ann, ben = player("ann"), player("ben")
        with time_machine.travel("2026-11-16T12:00:00Z", tick=False):
            assert [api(ann).get("/api/v1/me").status_code for _ in range(3)] == [200, 200, 429]
            assert api(ben).get("/api/v1/me").status_code == 200


class TestTheListOfTokens:
    def test_the_list_shows_the_users_tokens_newest_first_and_marks_the_current_one(self, api):
        ann = player("ann")
        api(player("ben"))
        api(ann, name="old")
        listed = api(ann, name="new").get(HERE).json()["results"]
        assert [(token["name"], token["is_current"]) for token in listed] == [("new", True), ("old", False)]
        assert set(listed[0]) == {"id", "name", "created_at", "last_used_at", "expires_at", "is_current"}

    def test_one_token_can_be_revoked(self, api):
        ann = player("ann")
        lost, mine = api(ann, name="lost"), api(ann, name="mine")
        [lost_id] = [token["id"] for token in mine.get(HERE).json()["results"] if token["name"] == "lost"]
        assert mine.delete(f"{HERE}/{lost_id}").status_code == 204
        assert (lost.get("/api/v1/me").status_code, mine.get("/api/v1/me").status_code) == (401, 200)

    def test_the_list_hides_other_users_tokens(self, api):
        bens = api(player("ben"))
        [ben] = bens.get(HERE).json()["results"]
        assert api(player("ann")).delete(f"{HERE}/{ben['id']}").status_code == 404
        assert bens.get("/api/v1/me").status_code == 200


def test_logging_out_revokes_the_current_token(api):
    ann = player("ann")
    here, there = api(ann), api(ann)
    assert here.delete(f"{HERE}/current").status_code == 204
    assert (here.get("/api/v1/me").status_code, there.get("/api/v1/me").status_code) == (401, 200)


def test_logging_out_everywhere_revokes_all_of_the_users_tokens(api):
    ann = player("ann")
    here, there, ben = api(ann), api(ann), api(player("ben"))
    assert here.delete(HERE).status_code == 204
    assert [client.get("/api/v1/me").status_code for client in (here, there, ben)] == [401, 401, 200]


def test_an_http_options_request_reveals_nothing(api):
    assert api().options(HERE).status_code == 401
    assert api(player("ann")).options(HERE).status_code == 405


def test_an_expired_token_does_not_prevent_logging_in():
    player("ann")
    client = with_token("turnpost_" + "0" * 64)
    assert client.post(HERE, {"login": "ann", "password": PASSWORD}).status_code == 201


def test_the_refusal_of_an_unknown_field_lists_the_allowed_fields(api):
    problem = api().post("/api/v1/tokens", {"username": "ann", "password": PASSWORD}).json()
    assert problem["message"] == "username: Unknown field. Allowed: login, password, name, days."

import logging

import pytest
from django.conf import settings
from django.test import Client

pytestmark = pytest.mark.urls("tests.core.toy")


@pytest.fixture
def client():
    return Client(raise_request_exception=False)


def shape(answer):
    return list(answer.json()) == ["code", "message", "hint", "data"]


@pytest.mark.parametrize(
    ("how", "status", "code"),
    [
        ("refused", 409, "row_full"),
        ("unknown_game", 404, "unknown_game"),
        ("bad_setup", 400, "too_many_seats"),
        ("malformed", 400, "no_such_move"),
        ("illegal", 409, "row_full"),
        ("missing", 404, "not_found"),
        ("not_yours", 404, "not_found"),
        ("denied", 403, "permission_denied"),
        ("throttled", 429, "too_many_requests"),
        ("model", 400, "invalid"),
        ("database", 503, "unavailable"),
        ("value", 400, "bad_value"),
        ("collision", 409, "conflict"),
        ("unreadable", 500, "server_error"),
        ("bug", 500, "server_error"),
    ],
)
def test_every_error_response_has_the_same_shape_and_reveals_no_internals(client, how, status, code):
    answer = client.get(f"/api/v1/fail/{how}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert shape(answer)
    assert answer.headers["Content-Type"] == "application/json"
    assert b"secret detail" not in answer.content
    assert b"Traceback" not in answer.content


def test_a_refusal_has_a_code_and_a_message_and_a_hint_and_data(client):
    assert client.get("/api/v1/fail/illegal").json() == {
        "code": "row_full",
        "message": "Row 2 is full.",
        "hint": "Take row 1.",
        "data": {"row": 2},
    }


def test_a_rate_limit_says_how_long_to_wait_in_a_header_and_in_the_data(client):
    answer = client.get("/api/v1/fail/throttled")
    assert answer.headers["Retry-After"] == "7"
    assert answer.json()["data"] == {"retry_after": 7}


def test_every_error_names_its_field(client):
    body = {"title": "", "options": {"deals": "x"}, "guests": ["ann@example.org", "ben"]}
    problem = client.post("/api/v1/check", body, "application/json").json()
    assert problem["code"] == "invalid"
    assert set(problem["data"]["fields"]) == {"title", "options.deals", "guests.1"}
    assert problem["message"] == "3 fields are invalid."


def test_a_single_field_error_becomes_the_message(client):
    problem = client.post("/api/v1/check", {"title": "", "options": {"deals": 4}}, "application/json").json()
    assert problem["message"] == "title: This field can't be empty."


def test_an_error_about_the_whole_request_has_no_field(client):
    assert client.get("/api/v1/fail/model").json()["data"]["fields"] == {
        "name": ["Too long.", "Too loud."],
        "": ["Too much."],
    }
    problem = client.post("/api/v1/check", [1], "application/json").json()
    assert list(problem["data"]["fields"]) == [""]


def test_without_a_token_the_response_is_401_with_a_hint(client):
    answer = client.get("/api/v1/private")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"]
    assert answer.json()["code"] == "not_authenticated"
    assert "/api/v1/tokens" in answer.json()["hint"]


@pytest.mark.parametrize(
    ("ask", "status", "code"),
    [
        (lambda api: api.put("/api/v1/echo"), 405, "method_not_allowed"),
        (lambda api: api.post("/api/v1/echo", {}, "application/json", HTTP_ACCEPT="text/csv"), 406, "not_acceptable"),
        (lambda api: api.post("/api/v1/echo", "a=1", "text/plain"), 415, "unsupported_media_type"),
        (lambda api: api.post("/api/v1/echo", "{", "application/json"), 400, "parse_error"),
        (lambda api: api.get("/api/v1/nowhere"), 404, "not_found"),
        (lambda api: api.get("/api/v1/echo", HTTP_HOST="evil.example"), 400, "bad_request"),
    ],
)
def test_http_errors_have_the_same_shape_and_a_hint(client, ask, status, code):
    answer = ask(client)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert shape(answer)


def test_an_unexpected_error_names_the_request_id_in_the_log(client, caplog):
    with caplog.at_level(logging.ERROR):
        answer = client.get("/api/v1/fail/bug", HTTP_X_REQUEST_ID="my-request-7")
    assert answer.json()["data"] == {"request_id": "my-request-7"}
    assert "ZeroDivisionError" in caplog.text


def test_a_page_without_a_database_shows_a_short_message(client):
    answer = client.get("/fail/database")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert "The service is temporarily unavailable" in answer.content.decode()
    assert b"secret detail" not in answer.content


def test_people_get_a_page_that_says_what_happened_and_where_to_go(client):
    for ask, status, said in [
        (lambda: client.get("/nowhere"), 404, "There is nothing at this URL"),
        (lambda: client.get("/nowhere%00"), 400, "The URL contains a NUL character"),
        (lambda: client.get("/fail/bug", HTTP_HOST="evil.example"), 400, "The request is invalid"),
        (lambda: client.get("/fail/denied"), 403, "You are not allowed to do this"),
        (lambda: client.get("/fail/bug"), 500, "Something went wrong on our side"),
        (lambda: client.get("/fail/database"), 503, "The service is temporarily unavailable"),
        (lambda: client.post("/nowhere", "x" * (settings.PAGE_LIMIT + 1), "text/plain"), 413, "The request is larger"),
    ]:
        answer = ask()
        page = answer.content.decode()
        assert answer.status_code == status
        assert answer.headers["Content-Type"].startswith("text/html")
        assert f"<h1>{said}" in page
        assert '<html lang="en">' in page
        assert '<a class="button" href="/">' in page
        assert "web/turnpost.css" in page
        assert "secret detail" not in page


@pytest.mark.parametrize("how", ["bug", "unreadable", "collision", "illegal"])
def test_a_failing_page_shows_a_short_message_with_the_request_id(client, how):
    answer = client.get(f"/fail/{how}", HTTP_X_REQUEST_ID="my-request-7")
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.content.decode()
    assert "my-request-7" in answer.content.decode()
    assert b"secret detail" not in answer.content


def test_pages_outside_the_api_keep_djangos_own_errors(client):
    answer = client.get("/nowhere")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("text/html")

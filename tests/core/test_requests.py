"""IDs, sizes, characters and headers are checked before any view runs."""

import json
import logging
import re

import pytest
from django.conf import settings
from django.test import Client

from core.logs import IdsInLogs

pytestmark = pytest.mark.urls("tests.core.toy")


def send(body, **extra):
    return Client().post("/api/v1/echo", body, "application/json", **extra)


class TestRequestId:
    def test_every_response_has_a_request_id(self, client):
        assert re.fullmatch("[0-9a-f]{32}", client.get("/api/v1/nowhere").headers["X-Request-ID"])

    def test_the_callers_request_id_is_used(self, client):
        assert client.get("/api/v1/nowhere", HTTP_X_REQUEST_ID="a-1.b_2").headers["X-Request-ID"] == "a-1.b_2"

    @pytest.mark.parametrize("given", ["", "a b", "x" * 65, "a\nINFO forged line", "é"])
    def test_a_request_id_that_could_forge_a_log_line_is_replaced(self, client, given):
        assert client.get("/api/v1/nowhere", HTTP_X_REQUEST_ID=given).headers["X-Request-ID"] != given

    def test_log_lines_about_the_response_have_the_request_id(self, client, caplog):
        caplog.handler.addFilter(IdsInLogs())
        with caplog.at_level(logging.INFO):
            client.get("/api/v1/nowhere", HTTP_X_REQUEST_ID="mine")
        assert [record.request_id for record in caplog.records] == ["mine"]

    def test_log_lines_outside_requests_have_no_request_id(self):
        record = logging.makeLogRecord({})
        IdsInLogs().filter(record)
        assert vars(record)["request_id"] == "-"


class TestBody:
    def test_the_body_is_parsed_as_json(self):
        body = {"text": "Grüße 🐎", "number": 2**53, "list": [1.5, None, True]}
        assert send(body).json() == {"got": body}

    def test_at_most_64_kib_are_accepted(self):
        fits = json.dumps("x" * (settings.BODY_LIMIT - 2))
        assert send(fits).status_code == 200
        answer = send(fits + " ")
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert answer.json()["data"] == {"limit": 65536}

    @pytest.mark.parametrize("body", ['{"a": 1, "b": 2, "a": 1}', '[{"c": {"a": 1, "a": 2}}]'])
    def test_a_duplicate_name_is_refused(self, body):
        answer = send(body)
        assert (answer.status_code, answer.json()["code"]) == (400, "duplicate_name")
        assert answer.json()["message"] == "The body contains 'a' twice."
        assert answer.json()["hint"]

    @pytest.mark.parametrize("name", [r"\u0000", r"\ud800", r"\u202e", "x" * 9_000])
    def test_a_duplicate_name_is_shown_escaped(self, name):
        answer = send(f'{{"{name}": 1, "{name}": 2}}')
        assert answer.json()["code"] == "duplicate_name"
        assert len(answer.json()["message"]) < 80
        assert answer.json()["message"].isprintable()

    @pytest.mark.parametrize("depth", [21, 1_000, 9_000])
    @pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
    def test_deep_nesting_is_refused(self, depth, opening, closing):
        answer = send(opening * depth + "1" + closing * depth)
        assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")

    def test_normal_nesting_is_allowed(self):
        assert send("[" * 20 + "]" * 20).status_code == 200

    @pytest.mark.parametrize(
        "body",
        [r'"\u0000"', r'{"a\u0000": 1}', r'"\ud800"', "1e999", "NaN", "-Infinity", str(2**63), "9" * 5000, "\xff"],
    )
    def test_values_that_no_database_can_store_are_refused(self, body):
        assert send(body.encode("latin-1")).status_code == 400

    @pytest.mark.parametrize("charset", ["utf-16", "zlib", "unicode_escape", "idna", "undefined", "rot13", "nonsense"])
    def test_the_body_is_read_as_utf_8_even_if_its_charset_says_otherwise(self, charset):
        answer = Client().generic("POST", "/api/v1/echo", '{"a": "é"}', f"application/json; charset={charset}")
        assert answer.json() == {"got": {"a": "é"}}

    @pytest.mark.parametrize("length", ["-1", "many", "99999999999999999999"])
    def test_an_invalid_content_length_never_causes_a_server_error(self, length):
        assert send(b"{}", CONTENT_LENGTH=length).status_code in (200, 400, 413)


@pytest.mark.parametrize("address", ["/api/v1/fail/a%00b", "/api/v1/echo?cursor=%00"])
def test_a_url_with_a_nul_character_is_refused(client, address):
    answer = client.get(address)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_every_response_has_a_content_security_policy(client):
    headers = client.get("/api/v1/nowhere").headers
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"

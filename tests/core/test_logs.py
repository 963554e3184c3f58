import io
import json
import logging

import pytest

from core.logs import IdsInLogs, JsonFormatter, TextFormatter, about_match, without_secrets
from notifications.mail.sender import deliver_due
from notifications.models import Notification
from tests.callers import caller, token_of
from tests.games.builders import awaited, running_match

SECRETS = {
    "Not Found: /reset/12-abcdef-0123": "Not Found: /reset/…",
    "/api/v1/invitations/MTI:1abc:secret/accept": "/api/v1/invitations/…/accept",
    "cannot reach amqp://ann:hidden@rabbit:5672//": "cannot reach amqp://…@rabbit:5672//",
    "Authorization: Bearer turnpost_0123456789abcdef0123": "Authorization: Bearer …",
    "the token turnpost_0123456789abcdef0123 is old": "the token turnpost_… is old",
    "Key (email)=(ann.o+x@example.org) already exists": "Key (email)=(…@example.org) already exists",
}


@pytest.fixture
def written():
    """Return everything that was logged during the test, as JSON lines."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(IdsInLogs())
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.addHandler(handler)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.removeHandler(handler)


def formatted(formatter, message, **fields):
    record = logging.makeLogRecord({"msg": message, "name": "a.b", "levelname": "INFO", **fields})
    IdsInLogs().filter(record)
    return formatter.format(record)


@pytest.mark.parametrize(("message", "left"), SECRETS.items())
@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()], ids=["text", "json"])
def test_secrets_and_addresses_are_not_logged(formatter, message, left):
    assert left in formatted(formatter, message)


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()], ids=["text", "json"])
def test_secrets_and_addresses_are_not_in_tracebacks(formatter):
    try:
        raise ValueError("no email to ann@example.org")
    except ValueError as error:
        line = formatted(formatter, "failed", exc_info=(ValueError, error, error.__traceback__))
    assert "ValueError: no email to …@example.org" in line


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()], ids=["text", "json"])
def test_nobody_can_forge_a_log_line(formatter):
    assert len(formatted(formatter, "Not Found: /a\n2026-11-16 ERROR forged\r\nline").splitlines()) == 1


def test_log_lines_about_a_match_contain_its_id():
    with about_match("abc234xyz"):
        assert json.loads(formatted(JsonFormatter(), "reminded"))["match_id"] == "abc234xyz"
        assert "[- abc234xyz] reminded" in formatted(TextFormatter(), "reminded")
    assert json.loads(formatted(JsonFormatter(), "done"))["match_id"] == "-"


@pytest.mark.django_db
def test_a_request_is_logged_as_one_line_with_request_id_and_match_id(written):
    table = running_match()
    caller(awaited(table).user).get(f"/api/v1/matches/{table.match.id}?q=private", headers={"X-Request-ID": "mine"})
    (line,) = written()
    assert line["message"].startswith(f"GET /api/v1/matches/{table.match.id} 200 in ")
    assert (line["request_id"], line["match_id"]) == ("mine", table.match.id)
    assert (line["method"], line["route"], line["status"]) == ("GET", "api/v1/matches/<slug:match_id>", 200)


@pytest.mark.django_db
def test_monitoring_requests_are_not_logged(client, written):
    for path in ("/healthz", "/readyz", "/metrics"):
        client.get(path)
    assert written() == []


@pytest.mark.django_db(transaction=True)
def test_neither_sealed_moves_nor_emails_are_logged(written, settings, tmp_path):
    settings.EMAIL_BACKEND = "notifications.mail.folder.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path
    table = running_match("colorado-county", seats=2)
    client = caller(table.seats[0].user)
    for move in ("bid 12 45", "bid 99 98 97"):
        client.post(f"/api/v1/matches/{table.match.id}/moves", {"move": move, "turn": table.match.turn})
    deliver_due()
    lines = written()
    sent = [line for line in lines if line["message"].startswith("Sent ")]
    assert {line["match_id"] for line in sent} == {table.match.id}
    assert len(sent) == Notification.objects.filter(delivery="sent").count() > 0
    token = token_of(client)
    for secret in ("bid", "12 45", "example.org", token, "Ann", "Your turn"):
        assert secret not in json.dumps(lines), secret


@pytest.mark.parametrize("part", ["a", "@a", "a@", "a@b.", "://a", "Bearer ", "/confirm/", "%41"])
def test_long_lines_are_processed_quickly(part):
    """If the time grew with the square of the length, this test would not finish."""
    assert without_secrets(part * 200_000)

"""Browsers receive compressed pages."""

import gzip
import re

import pytest
from django.test import Client

from accounts import browser_sessions
from tests.games.builders import awaited, play_some, running_match, sitting

pytestmark = pytest.mark.django_db

FIRST_VIEW = 60 * 1024
FILES = re.compile(r'(?:src|href)="(/static/[^"]+)"')


def received(client, path):
    """Return a response and the number of bytes in its body."""
    response = client.get(path, headers={"Accept-Encoding": "gzip, br"})
    assert response.status_code == 200, path
    return response, len(b"".join(response.streaming_content) if response.streaming else response.content)


def browser(user):
    client = Client()
    client.cookies["session"] = browser_sessions.start(user, "test")[1]
    return client


@pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
def test_the_first_view_of_a_match_fits_into_60_kilobytes(game):
    table = play_some(running_match(game), 30)
    client = browser(sitting(awaited(table)))
    page, size = received(client, f"/matches/{table.match.id}")
    files = set(FILES.findall(gzip.decompress(page.content).decode()))
    assert len(files) >= 4
    total = size + sum(received(client, file)[1] for file in files)
    assert total <= FIRST_VIEW, f"{game}: {total} bytes"


def test_pages_are_compressed_only_for_browsers_that_ask_and_api_responses_are_never_compressed():
    table = running_match()
    client = browser(sitting(awaited(table)))
    plain = client.get(f"/matches/{table.match.id}")
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain["Vary"]
    assert received(client, f"/matches/{table.match.id}")[0]["Content-Encoding"] == "gzip"
    api, _ = received(client, f"/api/v1/matches/{table.match.id}")
    assert "Content-Encoding" not in api.headers
    assert api["ETag"].startswith('"')
    assert received(client, f"/matches/{table.match.id}/live")[0]["ETag"].startswith('"')


def test_the_size_of_a_compressed_page_is_random():
    """Otherwise, an attacker could guess secrets on the page from its size (BREACH)."""
    client = Client()
    assert len({received(client, "/log-in")[1] for _ in range(20)}) > 1


def test_a_byte_range_of_a_file_is_sent_uncompressed():
    part = Client().get("/static/web/turnpost.css", headers={"Accept-Encoding": "gzip", "Range": "bytes=0-99"})
    assert (part.status_code, len(part.getvalue())) == (206, 100)
    assert "Content-Encoding" not in part.headers

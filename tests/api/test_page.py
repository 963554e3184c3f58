"""The session in docs/api.md does what it says."""

import re
import shlex
from pathlib import Path

import pytest

from tests.api.clients import Caller
from tests.games.builders import player

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
SESSION = re.search(r"## Matches\n.*?```sh\n(.*?)```", PAGE, re.DOTALL)[1].splitlines()
CALL = re.compile(r"(?P<command>curl .*?)\s+# (?P<status>\d{3}) .*")


def run(command, known):
    """What curl would do with the few options that the session uses."""
    _, *words = shlex.split(re.sub(r"\$([A-Z]+)", lambda name: known[name[1]], command))
    path, headers, body = "", {}, None
    while words:
        match words.pop(0):
            case "-H":
                name, _, value = words.pop(0).partition(": ")
                headers[name] = value
            case "--json":
                body = words.pop(0)
            case path:
                pass
    client = Caller().client
    if body is None:
        return client.get(path, headers=headers)
    return client.generic("POST", path, body, content_type="application/json", headers=headers)


def authorization(caller):
    return "Authorization: " + caller.client._credentials["HTTP_AUTHORIZATION"]


@pytest.mark.django_db
def test_the_session_on_the_page_is_answered_as_it_says():
    players = {name: authorization(Caller(player(name))) for name in ("ann", "ben")}
    known = {"API": "/api/v1", "ANN": players["ann"], "BEN": players["ben"]}
    for line in SESSION:
        call = CALL.fullmatch(line)
        answer = run(call["command"], known)
        assert answer.status_code == int(call["status"]), line
        if "MATCH" not in known and answer.status_code == 201:
            known["MATCH"] = answer.json()["id"]
        if call["command"].split()[1].endswith("/join"):
            started = answer.json()
            known["ME"] = players[started["seats"][started["awaiting"][0]]["player"]["username"]]
    assert len(SESSION) > 10

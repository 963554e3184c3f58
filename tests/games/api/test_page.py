"""The session in docs/api.md works as shown."""

import re
import shlex
from pathlib import Path

import pytest

from tests.games.api.clients import Caller
from tests.games.builders import player
from tests.not_none import not_none

PAGE = (Path(__file__).parents[3] / "docs" / "api.md").read_text()
SESSION = not_none(re.search(r"## Matches\n.*?```sh\n(.*?)```", PAGE, re.DOTALL))[1].splitlines()
CALL = re.compile(r"(?P<command>curl .*?)\s+# (?P<status>\d{3}) .*")


def run(command, known):
    """Mimic the few curl options that the session uses."""
    _, *words = shlex.split(re.sub(r"\$([A-Z]+)", lambda name: known[name[1]], command))
    path, headers, body, method = "", {}, None, "POST"
    while words:
        match words.pop(0):
            case "-X":
                method = words.pop(0)
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
    return client.generic(method, path, body, content_type="application/json", headers=headers)


@pytest.mark.django_db
def test_the_session_on_the_page_works_as_shown():
    names = [player(name).username for name in ("ann", "ben")]
    known, tokens = {"API": "/api/v1"}, dict[str, str]()
    for line in SESSION:
        call = not_none(CALL.fullmatch(line))
        answer = run(call["command"], known)
        assert answer.status_code == int(call["status"]), line
        match next(word for word in call["command"].split() if "$API" in word).rpartition("/")[2]:
            case "tokens":
                name = names[len(tokens)]
                known[name.upper()] = tokens[name] = f"Authorization: Bearer {answer.json()['token']}"
            case "matches" if "MATCH" not in known:
                known["MATCH"] = answer.json()["id"]
            case "join":
                started = answer.json()
                known["ME"] = tokens[started["seats"][started["awaiting"][0]]["player"]["username"]]
    assert len(SESSION) > 10

"""The three ways to play: with the command line, over REST, and by replying to emails."""

import json
import os
import random
import subprocess
import sys
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Protocol

import requests

from cli.environment import clean_environment
from demo.mailbox import Mailbox, moves_offered
from demo.service import Service, wait_for

PASSWORD = "Gr33n cowboys ride"
COLOURS = {"NO_COLOR": "", "COLUMNS": "84", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
TURNPOST = Path(sys.executable).with_name("turnpost")


class Player(Protocol):
    name: str
    way: str

    def act(self, match_id: str) -> str:
        """Make one move and return it."""


class WithRest:
    """Plays over the API, like a program or a bot."""

    way = "REST"

    def __init__(self, service: Service, name: str) -> None:
        self.service, self.name = service, name
        self.mailbox = Mailbox(service, f"{name}@example.org")
        self._web = requests.Session()
        self._web.headers["Authorization"] = f"Bearer {self.enter()}"

    def enter(self) -> str:
        """Register, confirm with the code from the email, log in, and return the token."""
        account = {"username": self.name, "email": self.mailbox.address, "password": PASSWORD}
        registration = self.call("POST", "registrations", account)["registration"]
        self.call("POST", "registrations/confirm", {"registration": registration, "code": self.mailbox.code()})
        return str(self.call("POST", "tokens", {"login": self.name, "password": PASSWORD})["token"])

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = self._web.request(method, f"{self.service.url}/api/v1/{path}", json=body, timeout=60)
        if not answer.ok:
            raise RuntimeError(f"{method} {path} returned {answer.status_code}: {answer.text}")
        return answer.json()

    def act(self, match_id: str) -> str:
        choices = self.call("GET", f"matches/{match_id}/choices")
        move = chosen(choices)
        self.call("POST", f"matches/{match_id}/moves", {"move": move, "turn": choices["turn"]})
        return move


class WithCommandLine(WithRest):
    """Plays at a terminal: each move is a separate `turnpost` process."""

    way = "command line"

    def enter(self) -> str:
        self.run("register", "--username", self.name, "--email", self.mailbox.address, "--password-stdin")
        self.run("register", "--code", self.mailbox.code(), "--password-stdin")
        profiles = json.loads((self.folder / "profiles.json").read_text())
        return str(profiles["profiles"]["default"]["token"])

    @property
    def folder(self) -> Path:
        return self.service.folder / self.name

    def run(self, *words: str) -> str:
        command = [str(TURNPOST), *words]
        done = subprocess.run(command, env=self.own(), input=PASSWORD, capture_output=True, text=True, check=True)
        return done.stdout

    def run_in_colour(self, *words: str) -> str:
        """Run the command in a pseudo-terminal, because piped output has no colors."""
        leader, follower = os.openpty()
        with subprocess.Popen(
            [str(TURNPOST), *words], env=self.own() | COLOURS, stdin=subprocess.DEVNULL, stdout=follower
        ):
            os.close(follower)
            return all_of(leader).replace("\r\n", "\n")

    def own(self) -> dict[str, str]:
        return clean_environment() | {
            "TURNPOST_CONFIG": str(self.folder),
            "TURNPOST_URL": self.service.url,
            "PATH": os.pathsep.join([str(TURNPOST.parent), os.environ.get("PATH", "")]),
        }

    def act(self, match_id: str) -> str:
        move = chosen(json.loads(self.run("moves", match_id, "--json")))
        self.run("play", match_id, move, "--json")
        return move


class WithMail(WithRest):
    """Plays only by replying to emails."""

    way = "mail"

    def __init__(self, service: Service, name: str) -> None:
        super().__init__(service, name)
        self.answered: dict[str, EmailMessage] = {}
        """The last email that was answered in each match."""

    def act(self, match_id: str) -> str:
        """Reply, and wait until the service has handled the reply."""
        before = turn, _ = self.state(match_id)
        mail = self.mailbox.asking(match_id, turn)
        move = random.choice(moves_offered(mail, match_id, turn))
        self.mailbox.answer(mail, move)
        self.answered[match_id] = mail
        wait_for(f'reaction to {self.name}\'s email "{move}" on turn {turn}', lambda: self.state(match_id) != before)
        return move

    def state(self, match_id: str) -> tuple[int, bool]:
        match = self.call("GET", f"matches/{match_id}")
        return match["turn"], match["you"] in match["awaiting"]


def all_of(terminal: int) -> str:
    """Read everything until the other end is closed, which raises an OSError."""
    written = b""
    with suppress(OSError), os.fdopen(terminal, "rb", buffering=0) as opened:
        while part := opened.read(65536):
            written += part
    return written.decode()


def chosen(choices: Any) -> str:
    listed = [move["notation"] for move in choices["moves"]] + [form["example"] for form in choices["forms"]]
    return str(random.choice(listed))

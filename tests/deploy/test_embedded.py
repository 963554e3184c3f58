"""`manage.py serve` works without any setup: two people register, play and read their email on one machine."""

import os
import re
import signal
import sys
from html import unescape

import pytest
import requests

from demo.ports import free_port
from tests.deploy.services import ROOT, running
from tests.waiting import until

PASSWORD = "Gr33n cowboys ride"


class House:
    """The service, as seen by a browser and a client on the same machine."""

    def __init__(self, port, data):
        self.url, self.mail_folder = f"http://localhost:{port}", data / "mail"

    def post(self, path, body, token=""):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = requests.post(f"{self.url}/api/v1/{path}", json=body, headers=headers, timeout=30)
        assert answer.ok, answer.text
        return answer.json()

    def mails(self):
        """Return the names and subjects on the email page."""
        page = requests.get(f"{self.url}/mail/", timeout=30).text
        links = re.findall(r'href="([^"/#]+)"[^>]*>([^<]*)<', page)
        return {name: unescape(subject).strip() for name, subject in links}

    def mail(self, subject):
        """Return the text of the email whose subject matches, once it has arrived."""
        assert until(lambda: self.names(subject)), self.mails()
        return unescape(requests.get(f"{self.url}/mail/{self.names(subject)[0]}", timeout=30).text)

    def names(self, subject):
        return [name for name, words in self.mails().items() if re.match(subject, words)]

    def register(self, name):
        """Register, and confirm with the code from the email."""
        seen = set(self.names("[0-9]{6} is your Turnpost code"))
        asked = self.post("registrations", {"username": name, "email": f"{name}@example.org", "password": PASSWORD})
        assert until(lambda: set(self.names("[0-9]{6} is your Turnpost code")) - seen)
        (fresh,) = set(self.names("[0-9]{6} is your Turnpost code")) - seen
        self.post("registrations/confirm", {"registration": asked["registration"], "code": self.mails()[fresh][:6]})
        return self.post("tokens", {"login": name, "password": PASSWORD})["token"]


@pytest.fixture
def service(tmp_path):
    port, data = free_port(), tmp_path / "data"
    command = [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(port)]
    with running(command, port, tmp_path / "log", TURNPOST_DATA=str(data)) as process:
        yield process, House(port, data)
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_move_over_http_sends_an_email_and_sigterm_stops_everything(service):
    process, house = service
    ann, ben = house.register("ann"), house.register("ben")
    match = house.post("matches", {"game": "coloretto", "seats": 2}, ann)["id"]
    house.post(f"matches/{match}/join", {}, ben)
    text = house.mail(".*: your turn")
    mover = ann if "Hello ann," in text else ben
    assert f'turnpost play {match} "draw" --turn 1' in text
    for turn, move in enumerate(["draw", "place 1"], start=1):
        house.post(f"matches/{match}/moves", {"move": move, "turn": turn}, mover)
    assert until(lambda: len(house.names(".*: your turn")) == 2), "Now it's the other player's turn."
    assert len(list(house.mail_folder.glob("*.eml"))) == len(house.mails())
    process.send_signal(signal.SIGTERM)
    assert process.wait(40) == 0
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)

"""No secret appears in the logs of a real service: gunicorn, a worker and the mail listener."""

import re
import smtplib
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from email.message import EmailMessage

import pytest
import requests

from demo.ports import free_port
from tests.acceptance.security.test_secrets_in_logs import LINK, PASSWORDS, WRITTEN, all_mailed
from tests.brokers import broker
from tests.deploy.services import ROOT, answers
from tests.mail_server import RecordingMailServer
from tests.not_none import not_none
from tests.notifications.webhooks.listener import Listener
from tests.waiting import until
from tests.workers import ALONE, environment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]

GUNICORN = ["-m", "gunicorn", "-c", "deploy/gunicorn.conf.py"]
WORKER = ["-m", "celery", "-A", "config", "worker", "--pool", "solo", "--beat", *ALONE]
RECEIVER = ["manage.py", "receive_mail", "--port"]
LONGEST_WAIT = 60
IDS = re.compile(r"\[[0-9a-f-]+ ")


class Service:
    """Runs gunicorn, a worker and the mail listener with the test's database, and collects their logs."""

    def __init__(self, real, mail_port, folder):
        self.folder, self.web, self.mail = folder, free_port(), free_port()
        self.environment = environment(real, mail_port, folder) | {
            "TURNPOST_BIND": f"127.0.0.1:{self.web}",
            "TURNPOST_REPLY_DOMAIN": "reply.example.org",
            "TURNPOST_WEBHOOKS_PRIVATE": "yes",
            "WEB_CONCURRENCY": "1",
        }

    @contextmanager
    def running(self):
        with ExitStack() as programs:
            for name, words in {"web": GUNICORN, "worker": WORKER, "receiver": [*RECEIVER, str(self.mail)]}.items():
                programs.enter_context(self.program(name, words))
            assert until(lambda: answers(self.web) and self.said("Listening for SMTP", "Worker ready"), LONGEST_WAIT)
            yield

    @contextmanager
    def program(self, name, words):
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen([sys.executable, *words], cwd=ROOT, env=self.environment, stdout=log, stderr=log)
            try:
                yield
            finally:
                process.terminate()
                process.wait(LONGEST_WAIT)

    @property
    def lines(self):
        """The log lines without request IDs, because random digits could look like a secret."""
        return IDS.sub("[", "".join(log.read_text() for log in sorted(self.folder.glob("*.log"))))

    def said(self, *words):
        return all(word in self.lines for word in words)

    def ask(self, method, path, body=None, token="", **headers):
        if token:
            headers["Authorization"] = f"Bearer {token}"
        return requests.request(
            method, f"http://127.0.0.1:{self.web}{path}", json=body, headers=headers, timeout=30, allow_redirects=False
        )

    def post(self, path, body, token="", **headers):
        return self.ask("POST", f"/api/v1{path}", body, token, **headers).json()

    def deliver(self, mail, to):
        with smtplib.SMTP("127.0.0.1", self.mail, timeout=30) as client:
            client.send_message(mail, to_addrs=[to])


def mail_to(mail_server, name, about):
    """Return the newest email once it has arrived."""

    def found():
        return [
            mail for mail in mail_server.arrived if mail["To"] == f"{name}@example.org" and about in mail["Subject"]
        ]

    assert until(found, LONGEST_WAIT), (name, about, [mail["Subject"] for mail in mail_server.arrived])
    return found()[-1]


def open_link(service, mail):
    """Open a link like a browser, and return the last part of the final URL."""
    path = not_none(LINK.search(mail.get_body(["plain"]).get_content()))[0].removeprefix("http://localhost:8000")
    assert service.ask("GET", path).status_code == 200
    return path.rpartition("/")[2]


def become_a_player(service, mail_server, name):
    somebody = {"username": name, "email": f"{name}@example.org", "password": PASSWORDS[0]}
    made = service.post("/registrations", somebody)["registration"]
    mail = mail_to(mail_server, name, "is your Turnpost code")
    code, link = mail["Subject"].partition(" ")[0], open_link(service, mail)
    service.post("/registrations/confirm", {"registration": made, "code": code})
    service.post("/tokens", {"login": name, "password": PASSWORDS[2]})
    token = service.post("/tokens", {"login": name, "password": PASSWORDS[0]})["token"]
    return token, [code, link.rpartition(":")[2], token]


def get_a_new_password(service, mail_server, name):
    service.post("/password-resets", {"email": f"{name}@example.org"})
    signed = open_link(service, mail_to(mail_server, name, "Reset your"))
    service.post("/password-resets/confirm", {"token": signed, "password": PASSWORDS[1]})
    token = service.post("/tokens", {"login": name, "password": PASSWORDS[1]})["token"]
    return token, [signed, token]


def bid_of(service, match, token):
    choices = service.ask("GET", f"/api/v1/matches/{match}/choices", token=token).json()
    return choices["forms"][0]["example"], choices["turn"]


def answer_by_mail(service, mail_server, name, move):
    asked, answer = mail_to(mail_server, name, "your bid"), EmailMessage()
    answer["From"], answer["To"], answer["Message-ID"] = asked["To"], asked["Reply-To"], "<1@there.example.org>"
    answer.set_content(f"{move}\n")
    service.deliver(answer, asked["Reply-To"].replace("+a", "+b").replace("+c", "+d"))
    service.deliver(answer, asked["Reply-To"])
    assert until(lambda: any(mail["Auto-Submitted"] == "auto-replied" for mail in mail_server.arrived), LONGEST_WAIT)


def play_an_evening(service, mail_server, listener):
    """Do the same things as test_secrets_in_logs.py, and return every secret that was involved."""
    _, secrets = become_a_player(service, mail_server, "anneliese")
    ben, more = become_a_player(service, mail_server, "benedetto")
    ann, again = get_a_new_password(service, mail_server, "anneliese")
    hook = service.post("/me/webhooks", {"url": listener.url(path="/hidden-path?key=hidden-key")}, ann)
    match, other = (service.post("/matches", {"game": "colorado-county", "seats": 2}, ann)["id"] for _ in range(2))
    service.post(f"/matches/{other}/invitations", {"invitee": "stranger-guest@example.org"}, ann)
    service.post(f"/matches/{match}/join", {}, ben)
    assert listener.wait_for(1, LONGEST_WAIT)
    service.post(f"/matches/{match}/messages", {"text": WRITTEN[1]}, ann)
    service.ask("PUT", f"/api/v1/matches/{match}/note", {"text": WRITTEN[0]}, ann)
    (bid, turn), (reply, _) = (bid_of(service, match, token) for token in (ann, ben))
    key = {"Idempotency-Key": "hidden-idempotency"}
    kept = service.post(f"/matches/{match}/moves", {"move": bid, "turn": turn}, ann, **key)["move"]
    answer_by_mail(service, mail_server, "benedetto", reply)
    secrets += [*more, *again, *PASSWORDS, *WRITTEN, "anneliese@", "benedetto@", "stranger-guest", *key.values()]
    return [*secrets, hook["secret"], "hidden-path", "hidden-key", bid, reply, kept["receipt"], kept["nonce"]]


@pytest.mark.slow
def test_no_log_line_of_any_process_contains_a_secret(tmp_path):
    with broker("redis") as real, RecordingMailServer() as mail_server, Listener() as listener:
        service = Service(real, mail_server.port, tmp_path)
        with service.running():
            secrets = [*play_an_evening(service, mail_server, listener), *all_mailed(mail_server)]
    assert service.said("/confirm/…", "/reset/…", "Sent "), "Control: the processes log what they do."
    assert [secret for secret in set(secrets) if secret in service.lines] == []

"""Use a player's mailbox: read emails, find the moves that they offer, and send replies."""

import re
import smtplib
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from demo.service import Service, wait_for

OFFER = re.compile(r'turnpost play (\w+) "([^"]+)" --turn (\d+)')
CODE = re.compile(r"^ +(\d{6})$", re.MULTILINE)


class Mailbox:
    def __init__(self, service: Service, address: str) -> None:
        self._service, self.address = service, address
        self._read: dict[str, EmailMessage] = {}
        self._answered: set[str] = set()

    def mails(self) -> list[EmailMessage]:
        """Return the emails, oldest first."""
        for path in sorted(self._service.mail.glob("*.eml")):
            if path.name not in self._read:
                self._read[path.name] = message_from_bytes(path.read_bytes(), policy=policy.default)
        return [mail for mail in list(self._read.values()) if mail["To"] == self.address]

    def code(self) -> str:
        return wait_for(f"email with a code for {self.address}", self._code)

    def _code(self) -> str:
        return "".join(found[1] for mail in self.mails() if (found := CODE.search(text_of(mail))))

    def asking(self, match_id: str, turn: int) -> EmailMessage:
        """Wait for the newest unanswered email that offers moves for this turn.

        A player who replies instantly may first get an email about an earlier turn.
        """

        def newest() -> EmailMessage | None:
            asking = [mail for mail in self.mails() if moves_offered(mail, match_id, turn)]
            return asking[-1] if asking and asking[-1]["Message-ID"] not in self._answered else None

        return wait_for(f"email to {self.address} about turn {turn} of {match_id}", newest)

    def answer(self, mail: EmailMessage, line: str) -> None:
        """Reply above the quoted email, as most mail programs do."""
        reply = EmailMessage()
        reply["From"], reply["To"] = self.address, mail["Reply-To"]
        reply["Subject"], reply["Date"] = f"Re: {mail['Subject']}", formatdate()
        reply["Message-ID"], reply["In-Reply-To"] = make_msgid(domain="mail.example"), mail["Message-ID"]
        quoted = "\n".join(f"> {words}".rstrip() for words in text_of(mail).splitlines())
        reply.set_content(f"{line}\n\nOn {mail['Date']}, Turnpost wrote:\n{quoted}\n")
        with smtplib.SMTP("127.0.0.1", self._service.mail_port) as server:
            server.send_message(reply)
        self._answered.add(mail["Message-ID"])


def moves_offered(mail: EmailMessage, match_id: str, turn: int) -> list[str]:
    return [move for match, move, when in OFFER.findall(text_of(mail)) if (match, when) == (match_id, str(turn))]


def is_about(mail: EmailMessage, match_id: str) -> bool:
    return any(match == match_id for match, *_ in OFFER.findall(text_of(mail)))


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(["plain"])
    return str(part.get_content()) if part else ""

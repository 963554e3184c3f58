"""A player's mailbox: what has come, what it offers, and an answer to it."""

import re
import smtplib
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from demo.service import Service
from demo.waiting import wait_for

OFFER = re.compile(r'turnpost play (\w+) "([^"]+)" --turn \d+')
CODE = re.compile(r"^ +(\d{6})$", re.MULTILINE)


class Mailbox:
    def __init__(self, service: Service, address: str) -> None:
        self._service, self.address = service, address
        self._read: dict[str, EmailMessage] = {}
        self._answered: set[str] = set()

    def mails(self) -> list[EmailMessage]:
        """In the order of their coming."""
        for path in sorted(self._service.mail.glob("*.eml")):
            if path.name not in self._read:
                self._read[path.name] = message_from_bytes(path.read_bytes(), policy=policy.default)
        return [mail for mail in list(self._read.values()) if mail["To"] == self.address]

    def code(self) -> str:
        return wait_for(self._code)

    def _code(self) -> str:
        return "".join(found[1] for mail in self.mails() if (found := CODE.search(text_of(mail))))

    def asking(self, match_id: str) -> EmailMessage:
        """The newest mail that offers moves in this match, unless it was answered."""

        def newest() -> EmailMessage | None:
            asking = [mail for mail in self.mails() if any(match == match_id for match, _ in offers(mail))]
            return asking[-1] if asking and asking[-1]["Message-ID"] not in self._answered else None

        return wait_for(newest)

    def answer(self, mail: EmailMessage, line: str) -> None:
        """Above, with all that was written quoted below, as most mail programs do it."""
        reply = EmailMessage()
        reply["From"], reply["To"] = self.address, mail["Reply-To"]
        reply["Subject"], reply["Date"] = f"Re: {mail['Subject']}", formatdate()
        reply["Message-ID"], reply["In-Reply-To"] = make_msgid(domain="mail.example"), mail["Message-ID"]
        quoted = "\n".join(f"> {words}".rstrip() for words in text_of(mail).splitlines())
        reply.set_content(f"{line}\n\nOn {mail['Date']}, Turnpost wrote:\n{quoted}\n")
        with smtplib.SMTP("127.0.0.1", self._service.mail_port) as server:
            server.send_message(reply)
        self._answered.add(mail["Message-ID"])


def offers(mail: EmailMessage) -> list[tuple[str, str]]:
    """Matches and moves that the mail has ready to copy."""
    return OFFER.findall(text_of(mail))


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(["plain"])
    return str(part.get_content()) if part else ""

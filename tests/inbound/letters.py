"""Players who read and answer their email with nothing but a mail program."""

from email.message import EmailMessage
from email.utils import format_datetime
from html import escape
from uuid import uuid4

from django.utils import timezone

from inbound.handling import handle_due
from inbound.receiving import LARGEST, receive
from notifications.mail.sender import deliver_due


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(["plain"])
    assert body is not None
    return str(body.get_content())


def reply(mail: EmailMessage, *lines: str, style: str = "plain", **headers: str) -> EmailMessage:
    """Write a reply as mail programs do, above the quoted email. Empty headers are left out."""
    answer = EmailMessage()
    answer["From"], answer["To"] = mail["To"], mail["Reply-To"]
    answer["Subject"], answer["Date"] = f"Re: {mail['Subject']}", format_datetime(timezone.now())
    answer["Message-ID"] = f"<{uuid4()}@mail.example.org>"
    answer["In-Reply-To"] = mail["Message-ID"]
    answer["References"] = f"{mail['References']} {mail['Message-ID']}"
    for name, value in headers.items():
        del answer[name.replace("_", "-")]
        if value:
            answer[name.replace("_", "-")] = value
    STYLES[style](answer, "\n".join(lines), text_of(mail))
    return answer


def plain(answer: EmailMessage, written: str, quoted: str) -> None:
    answer.set_content(f"{written}\n\nOn Mon, 16 Nov 2026 at 12:00, Turnpost wrote:\n{marked(quoted)}\n")


def german(answer: EmailMessage, written: str, quoted: str) -> None:
    above = f"{written}\n\nViele Grüße\n\nAm 16.11.26 um 12:00 schrieb Turnpost:\n"
    body = f"{above}{marked(quoted)}\n\n-- \nGesendet vom Rechner\n".encode("latin-1", "replace").decode("latin-1")
    answer.set_content(body, charset="iso-8859-1", cte="quoted-printable")


def base64(answer: EmailMessage, written: str, quoted: str) -> None:
    above = f"{written}\n\nLe lun. 16 nov. 2026 à 12:00, Turnpost a écrit :\n\n"
    answer.set_content(f"{above}{marked(quoted)}\n", cte="base64")


def html(answer: EmailMessage, written: str, quoted: str) -> None:
    said = "".join(f"<div>{escape(line)}</div>" for line in written.splitlines())
    when = '<div class="gmail_attr">On Mon, Nov 16, 2026 at 12:00 PM Turnpost wrote:<br></div>'
    below = f'<blockquote class="gmail_quote">{"<br>".join(map(escape, quoted.splitlines()))}</blockquote>'
    page = f'<div dir="ltr">{said}</div><br><div class="gmail_quote">{when}{below}</div>'
    answer.set_content(f"<html><body>{page}</body></html>", subtype="html")


def both(answer: EmailMessage, written: str, quoted: str) -> None:
    """Write a reply in text and HTML, as most programs on phones do."""
    rich = EmailMessage()
    html(rich, written, quoted)
    plain(answer, written, quoted)
    answer.add_alternative(rich.get_content(), subtype="html")


def marked(quoted: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in quoted.splitlines())


def photo(mail: EmailMessage) -> EmailMessage:
    """Attach a photo that makes an email too large to be read."""
    mail.add_attachment(b"\x89PNG" * (LARGEST // 4), maintype="image", subtype="png")
    return mail


STYLES = {style.__name__: style for style in (plain, german, base64, html, both)}


def deliver(mail: EmailMessage, source: str = "smtp", envelope_from: str | None = None) -> list[str]:
    """Deliver an email directly, without a mail server."""
    sender = mail["From"] if envelope_from is None else envelope_from
    return [*receive(bytes(mail), recipients=[mail["To"]], envelope_from=sender, source=source)]


def exchange(*mails: EmailMessage) -> None:
    """Deliver the emails, handle them and send the answers."""
    for mail in mails:
        deliver(mail)
    handle_due()
    deliver_due()

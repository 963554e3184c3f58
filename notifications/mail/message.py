"""An email as the bytes that are sent: text, HTML and, if there is a deadline, a calendar entry.

Django's messages go through the email package, which takes several times as long for the same result.
"""

from binascii import b2a_qp
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.header import Header
from email.message import Message
from email.utils import formatdate
from secrets import token_hex

from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import ADDRESS_HEADERS, forbid_multi_line_headers

from notifications.calendar import FILE_NAME

LINE_END = b"\r\n"
LONGEST_LINE = 998
"""The maximum number of bytes in a line, according to RFC 5322."""
FOLDED_AT = 78


class Email(EmailMultiAlternatives):
    """An email to one address, with an HTML alternative."""

    calendar: bytes = b""

    def as_bytes(self) -> bytes:
        content = multipart("alternative", list(self._alternatives()))
        if self.calendar:
            content = multipart("mixed", [content, calendar_part(self.calendar)])
        headers = "".join(f"{header(name, value)}\r\n" for name, value in self._headers())
        return headers.encode("ascii") + content

    def message(self) -> Message:  # type: ignore[override]
        """Parse the bytes that are sent, with the line endings that programs on this machine expect."""
        return message_from_bytes(self.as_bytes().replace(LINE_END, b"\n"))

    def _headers(self) -> Iterator[tuple[str, str]]:
        first = {"Subject": self.subject, "From": self.from_email, "To": ", ".join(self.to), "Date": formatdate()}
        yield from (first | self.extra_headers | {"MIME-Version": "1.0"}).items()

    def _alternatives(self) -> Iterator[bytes]:
        yield text_part("text/plain", str(self.body).encode())
        for content, kind in self.alternatives:
            yield text_part(kind, str(content).encode())


def header(name: str, value: str) -> str:
    """Encode and fold a header."""
    if value.isascii() and value.isprintable() and value == value.strip():
        return "\r\n".join(folded(f"{name}: {value}", len(name) + 2))
    _, encoded = forbid_multi_line_headers(name, value, "utf-8")
    is_encoded = value.isascii() or name.lower() in ADDRESS_HEADERS
    whole = Header(encoded if is_encoded else value, None if is_encoded else "utf-8", FOLDED_AT, name)
    return f"{name}: {whole.encode(linesep=LINE_END.decode())}"


def folded(line: str, start: int) -> Iterator[str]:
    """Break a line at its spaces after `start`. Words that are longer than a line stay whole."""
    while len(line) > FOLDED_AT:
        end = line.rfind(" ", start, FOLDED_AT + 1)
        if end < 0:
            end = line.find(" ", FOLDED_AT)
        if end < 0:
            break
        yield line[:end]
        line, start = line[end:], 1
    yield line


def multipart(kind: str, parts: Sequence[bytes]) -> bytes:
    """Join parts. Nobody can guess the boundary, so no part contains it."""
    boundary = token_hex(12).encode()
    head = b'Content-Type: multipart/%b; boundary="%b"\r\n\r\n' % (kind.encode(), boundary)
    return head + b"".join(b"--%b\r\n%b\r\n" % (boundary, part) for part in parts) + b"--%b--\r\n" % boundary


def text_part(kind: str, content: bytes, more: str = "") -> bytes:
    lines = content.splitlines()
    body, encoding = LINE_END.join(lines) + LINE_END, "7bit" if content.isascii() else "8bit"
    if max(map(len, lines), default=0) > LONGEST_LINE:
        body, encoding = b2a_qp(body, istext=True), "quoted-printable"
    head = f'Content-Type: {kind}; charset="utf-8"{more}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n'
    return head.encode() + body


def calendar_part(content: bytes) -> bytes:
    attached = f'Content-Disposition: attachment; filename="{FILE_NAME}"'
    return text_part("text/calendar", content, f'; method="PUBLISH"\r\n{attached}')

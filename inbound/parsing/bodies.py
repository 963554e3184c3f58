"""Find the part of an email that a person typed, and decode it even if its charset is unknown or wrong."""

import codecs
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from email.message import Message
from itertools import islice

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Mail labeled with one of these charsets often uses a larger one.
WIDENED = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
}
NO_CHARSETS = {"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "mbcs", "oem"}


def decode(payload: bytes, charset: str) -> str:
    for mark, codec in BYTE_ORDER_MARKS:
        if payload.startswith(mark):
            return payload.decode(codec, "replace")
    codec = codec_named(charset)
    if codec.startswith(("utf-16", "utf-32")) and b"\0" not in payload:
        codec = ""
    return first_fitting(payload, codec)


def first_fitting(payload: bytes, codec: str) -> str:
    """Decode the bytes as UTF-8 if they are valid UTF-8, even if the email names a single-byte charset."""
    tried = [codec] if has_wide_letters(codec) else ["utf-8", codec]
    for candidate in filter(None, tried):
        try:
            return payload.decode(candidate)
        except ValueError:
            continue
    return payload.decode("cp1252", "replace")


def codec_named(charset: str) -> str:
    """Return Python's name for the charset, or an empty string if Python doesn't know it."""
    wanted = charset.strip().strip("\"'").lower()
    try:
        found = codecs.lookup(wanted)
    except (LookupError, ValueError):
        return ""
    is_text = getattr(found, "_is_text_encoding", True)
    return WIDENED.get(found.name, found.name) if is_text and found.name not in NO_CHARSETS else ""


def has_wide_letters(codec: str) -> bool:
    """Return whether this is a multi-byte charset. UTF-8 must not be tried first for these."""
    return codec.startswith(
        ("utf-", "utf_", "gb", "big5", "euc", "cp93", "cp94", "cp95", "iso2022", "hz", "shift", "johab")
    )


MOST_PARTS = 200
DEEPEST = 20
# Mail programs add these parts on their own; nobody attached them.
UNINTENDED = {
    "application/pgp-signature", "application/pgp-keys", "application/pkcs7-signature",
    "application/x-pkcs7-signature", "application/ms-tnef", "text/x-amp-html",
}  # fmt: skip


@dataclass(frozen=True)
class Body:
    """The typed message as text, HTML or both, and the number of attachments."""

    text: str = ""
    html: str = ""
    flowed: str = ""
    """How lines are wrapped (RFC 3676): an empty string if they aren't, "flowed", or "delsp" if a line break doesn't
    stand for a space."""
    attachments: int = 0

    @property
    def is_blank(self) -> bool:
        return not (self.text.strip() or self.html.strip())


def body_of(message: Message) -> Body:
    return replace(typed(message, 0), attachments=sum(1 for _ in attached(message, 0)))


def typed(part: Message, depth: int) -> Body:
    if depth > DEEPEST or is_attached(part):
        return Body()
    if not part.is_multipart():
        return leaf(part)
    if part.get_content_maintype() != "multipart":
        return Body()
    bodies = (typed(child, depth + 1) for child in children(part))
    if part.get_content_subtype() == "alternative":
        return both(bodies)
    return next((body for body in bodies if not body.is_blank), Body())


def both(bodies: Iterator[Body]) -> Body:
    """Combine alternative parts. Use the first text part, and the last HTML part, which is the richest."""
    said = Body()
    for body in bodies:
        if body.text.strip() and not said.text:
            said = replace(said, text=body.text, flowed=body.flowed)
        said = replace(said, html=body.html or said.html)
    return said


def leaf(part: Message) -> Body:
    kind = part.get_content_type()
    if kind not in ("text/plain", "text/html"):
        return Body()
    written = decode(octets(part), parameter(part, "charset"))
    return Body(html=written) if kind == "text/html" else Body(text=written, flowed=flow(part))


def octets(part: Message) -> bytes:
    """Return the bytes of a part.

    The email library would look up the charset even for bytes, and fail if it is unknown.
    """
    nameless = copy(part)
    del nameless["Content-Type"]
    payload = nameless.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def flow(part: Message) -> str:
    if parameter(part, "format").lower() != "flowed":
        return ""
    return "delsp" if parameter(part, "delsp").lower() == "yes" else "flowed"


def parameter(part: Message, name: str) -> str:
    found = part.get_param(name, "")
    return found if isinstance(found, str) else str(found[-1] if found else "")


def children(part: Message) -> list[Message]:
    payload = part.get_payload() if part.is_multipart() else []
    return [child for child in islice(payload, MOST_PARTS) if isinstance(child, Message)]


def is_attached(part: Message) -> bool:
    """Return whether a part is an attachment.

    Parts with a file name always are, because no mail program gives the typed text a name.
    """
    return part.get_content_disposition() == "attachment" or bool(part.get_filename())


def attached(part: Message, depth: int) -> Iterator[Message]:
    """Return the parts that the author attached. Inline images and parts added by mail programs are left out."""
    if part.get_content_maintype() == "multipart" and depth <= DEEPEST and not is_attached(part):
        inside = part.get_content_subtype() == "related"
        for child in children(part):
            if not (inside and child.get_content_maintype() == "image"):
                yield from attached(child, depth + 1)
    elif is_attachment(part):
        yield part


def is_attachment(part: Message) -> bool:
    kind = part.get_content_type()
    if kind in UNINTENDED:
        return False
    return is_attached(part) or kind not in ("text/plain", "text/html")

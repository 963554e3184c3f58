"""Emails are written without Python's email package, but that package can read them back unchanged."""

from email import message_from_bytes, policy

import pytest
from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import BadHeaderError

from notifications.mail.message import LONGEST_LINE, Email

TEXTS = {
    "plain": "Hello Ann,\n\nIt's your turn.\n",
    "not ASCII": "Grüße, Ænna ▶ 雪\n\n-- \nBye\n",
    "lines that mean something to SMTP and mbox": ".\n..\nFrom here on\n--\n--boundary--\n",
    "old line ends": "one\r\ntwo\rthree\n",
    "a long line": f"{'é=' * LONGEST_LINE} end \n\nnext\t\n",
}
SUBJECTS = [
    "Coloretto: draw or take",
    "Coloretto with Zoë and 雪: your turn",
    "Colorado County with somebody whose name is long and somebody else whose name is even longer: your bid, please",
    f"Coloretto with {'Ünïcödé ' * 20}and Ben",
    f"Coloretto ({'x' * 90}): your turn, {'y' * 80} and {'z' * 10}",
]


def email(subject="Your turn", text="Hello", sender="Turnpost <mail@example.org>", **headers):
    made = {"From": sender, "Message-ID": "<1@example.org>", **headers}
    message = Email(subject, text, from_email="bounce+abc@example.org", to=["ann@example.org"], headers=made)
    message.attach_alternative(f"<p>{text}</p>", "text/html")
    return message


def read(message):
    return message_from_bytes(message.as_bytes(), policy=policy.SMTP)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_text_arrives_unchanged_in_lines_that_every_mail_server_accepts(text):
    message = email(text=text)
    message.calendar = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
    sent = message.as_bytes()
    assert max(map(len, sent.split(b"\r\n"))) <= LONGEST_LINE
    assert b"\n" not in sent.replace(b"\r\n", b"")
    alternatives, calendar = read(message).iter_parts()
    plain, html = (part.get_content().splitlines() for part in alternatives.iter_parts())
    assert (plain, html) == (text.splitlines(), f"<p>{text}</p>".splitlines())
    assert (calendar.get_content_type(), calendar.get_filename()) == ("text/calendar", "deadline.ics")
    assert calendar["Content-Type"].params["method"] == "PUBLISH"
    assert calendar.get_content().split() == ["BEGIN:VCALENDAR", "END:VCALENDAR"]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_headers_are_the_same_as_in_messages_from_django(subject):
    more = {"References": f"<{'a' * 40}@example.org> <{'b' * 40}@example.org>", "List-Unsubscribe": f"<{'c' * 200}>"}
    ours = email(subject, sender="Spiele für Ännchen <mail@example.org>", **more)
    theirs = EmailMultiAlternatives(subject, "Hello", ours.from_email, ours.to, headers=ours.extra_headers)
    expected = message_from_bytes(theirs.message().as_bytes(), policy=policy.SMTP)
    found = read(ours)
    for name in ("Subject", "From", "To", "Message-ID", "MIME-Version", *more):
        assert str(found[name]).strip() == str(expected[name]).strip()
    assert found["Subject"] == subject
    assert found["Date"].datetime
    head = ours.as_bytes().partition(b"\r\n\r\n")[0]
    assert all(len(line) <= 78 or b" " not in line.partition(b": ")[2] for line in head.split(b"\r\n"))


def test_a_line_break_in_a_header_is_refused():
    with pytest.raises(BadHeaderError):
        email("Your turn\r\nBcc: everybody@example.org").as_bytes()

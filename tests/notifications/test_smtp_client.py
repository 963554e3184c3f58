"""The conversation with the mail server: how commands are sent, and what is read when."""

import smtplib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from demo.ports import free_port
from notifications.mail.message import Email
from notifications.mail.smtp_client import MailServer, NotAccepted
from notifications.mail.smtp_client import start as start_email

MESSAGE = b"Subject: x\r\n\r\n.one\r\n..two\r\nthree"
QUOTED = b"Subject: x\r\n\r\n..one\r\n...two\r\nthree\r\n.\r\n"


class Scripted(smtplib.SMTP):
    """A connection to a server with prepared responses, which records what is sent in one piece."""

    def __init__(self, extensions: tuple[str, ...], *replies: int) -> None:
        super().__init__()
        self.ehlo_resp, self.does_esmtp = b"", True
        self.esmtp_features = dict.fromkeys(extensions, "")
        self.replies = list(replies)
        self.sent: list[bytes] = []

    def send(self, s):
        self.sent.append(s.encode() if isinstance(s, str) else s)

    def getreply(self):
        return self.replies.pop(0), b"said"


def start(connection: Scripted) -> None:
    start_email(connection, "us@example.org", "ann@example.org", MESSAGE)


def test_commands_are_sent_one_at_a_time_by_default():
    connection = Scripted(("size",), 250, 250, 354)
    start(connection)
    size = len(MESSAGE)
    assert connection.sent == [
        f"MAIL FROM:<us@example.org> size={size}\r\n".encode(),
        b"RCPT TO:<ann@example.org>\r\n",
        b"DATA\r\n",
        QUOTED,
    ]


def test_commands_are_sent_together_if_the_server_allows_it():
    connection = Scripted(("pipelining",), 250, 251, 354)
    start(connection)
    assert connection.sent == [b"MAIL FROM:<us@example.org>\r\nRCPT TO:<ann@example.org>\r\nDATA\r\n", QUOTED]


@pytest.mark.parametrize(
    ("replies", "error"),
    [
        ([553], smtplib.SMTPSenderRefused),
        ([250, 550], smtplib.SMTPRecipientsRefused),
        ([250, 250, 451], smtplib.SMTPDataError),
    ],
)
def test_no_content_is_sent_after_a_refusal(replies, error):
    connection = Scripted((), *replies, 250)
    with pytest.raises(error):
        start(connection)
    assert connection.sent[-1] == b"rset\r\n"
    assert not connection.replies


@pytest.mark.parametrize(
    ("replies", "error"),
    [
        ([553, 503, 503], smtplib.SMTPSenderRefused),
        ([250, 550, 554], smtplib.SMTPRecipientsRefused),
        ([250, 250, 451], smtplib.SMTPDataError),
    ],
)
def test_the_first_refusal_counts_if_commands_are_sent_together(replies, error):
    connection = Scripted(("pipelining",), *replies, 250)
    with pytest.raises(error):
        start(connection)
    assert connection.sent[1:] == [b"rset\r\n"]
    assert not connection.replies


def test_an_email_without_recipients_is_empty_if_the_server_expects_content_anyway():
    connection = Scripted(("pipelining",), 250, 550, 354, 554, 250)
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        start(connection)
    assert connection.sent[1:] == [b".\r\n", b"rset\r\n"]
    assert not connection.replies


def test_nothing_is_sent_to_a_server_that_shuts_down():
    connection = Scripted(("pipelining",), 421)
    with pytest.raises(smtplib.SMTPSenderRefused):
        start(connection)
    assert len(connection.sent) == 1


def test_a_line_break_in_an_address_adds_no_command():
    connection = Scripted(("pipelining",), 250, 250, 354)
    start_email(connection, "us@example.org", "ann@example.org\r\nRSET", MESSAGE)
    assert connection.sent[0].count(b"\r\n") == 3
    assert b"RSET" not in connection.sent[0]


@contextmanager
def slow_server(settings, accepts: threading.Event, last: bytes) -> Iterator[None]:
    """Run a server that responds to one email only after `accepts` is set."""
    port = free_port()

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as lines:
            connection.sendall(b"220 hello\r\n")
            for response in (b"250-hello\r\n250 PIPELINING\r\n", b"250 ok\r\n", b"250 ok\r\n", b"354 go on\r\n"):
                lines.readline()
                connection.sendall(response)
            while lines.readline() != b".\r\n":
                pass
            accepts.wait(20)
            connection.sendall(last)
            for line in lines:
                connection.sendall(b"221 bye\r\n" if line.lower().startswith(b"quit") else b"250 ok\r\n")

    with socket.create_server(("127.0.0.1", port)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        settings.EMAIL_BACKEND = "notifications.mail.smtp_client.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", port, 20
        yield


def email() -> Email:
    return Email("Subject", "Text", "us@example.org", ["ann@example.org"])


def test_the_next_email_can_be_written_before_the_server_has_accepted_the_last(settings):
    accepts = threading.Event()
    with slow_server(settings, accepts, b"250 ok\r\n"), MailServer() as server:
        server.send(email())
        accepts.set()
        server.wait()
        server.wait()  # There is nothing left to wait for.


def test_an_email_can_be_rejected_after_it_was_sent(settings):
    accepts = threading.Event()
    accepts.set()
    with slow_server(settings, accepts, b"554 No thanks\r\n"), MailServer() as server:
        server.send(email())
        with pytest.raises(NotAccepted) as rejected:
            server.wait()
    assert rejected.value.for_good
    assert rejected.value.why == "The mail server rejected the email: 554 No thanks"

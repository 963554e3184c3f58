"""Mail is fetched from a real mailbox and deleted there only after it is stored."""

import socket
from unittest.mock import patch

import pytest
from django.db import OperationalError

from games.models import Move
from inbound import imap
from inbound.handling import handle_due
from inbound.imap import connect as real_connect
from inbound.imap import fetch
from inbound.models import InboundMail, MailResult
from inbound.receiving import LARGEST, receive
from tests.dovecot import dovecot
from tests.inbound.letters import reply

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server():
    with dovecot() as server:
        yield server


@pytest.fixture
def box(server, settings):
    """Return an empty mailbox from which the service fetches mail."""
    with server.client() as client:
        client.uid("STORE", "1:*", "+FLAGS", r"(\Deleted)")
        client.expunge()
    settings.INBOUND_IMAP = server.place
    return server


def kept():
    return InboundMail.objects.count()


def test_a_reply_in_the_mailbox_becomes_a_move(box, turn_mail):
    box.deliver(bytes(reply(turn_mail, "draw")))
    fetch()
    assert InboundMail.objects.get().source == "imap"
    assert box.unread() == 0
    handle_due()
    assert Move.objects.get().source == "mail"


def test_a_stored_message_is_deleted_from_the_mailbox_but_others_stay(box, turn_mail):
    """Stored messages must be deleted, because they may contain sealed moves."""
    box.deliver(bytes(reply(turn_mail, "draw")), b"To: somebody@example.org\r\n\r\nHello\r\n")
    fetch()
    with box.client() as client:
        assert len(client.search(None, "ALL")[1][0].split()) == 1
    assert kept() == 1


def test_the_address_can_be_in_a_header_added_by_the_mail_server(box, turn_mail):
    """This is needed for copies and aliases."""
    raw = bytes(reply(turn_mail, "draw", To="everybody@example.org"))
    box.deliver(f"Delivered-To: {turn_mail['Reply-To']}\r\n".encode() + raw)
    fetch()
    assert kept() == 1


def test_messages_that_have_been_read_are_not_fetched_again(box, turn_mail):
    box.deliver(bytes(reply(turn_mail, "draw")))
    fetch()
    with patch.object(imap, "receive") as again:
        fetch()
    again.assert_not_called()


def test_a_message_with_two_copies_in_the_mailbox_is_stored_once(box, turn_mail):
    raw = bytes(reply(turn_mail, "draw"))
    box.deliver(raw, raw)
    fetch()
    assert (kept(), box.unread()) == (1, 0)


@pytest.mark.parametrize("raw", [b"\xff\xfe \x80", b"\r\n", b"no header\r\n\r\n\xff", b"To: \xff@\xff\r\n\r\nx"])
def test_a_malformed_message_does_not_block_others(box, turn_mail, raw):
    box.deliver(raw, bytes(reply(turn_mail, "draw")))
    fetch()
    assert (kept(), box.unread()) == (1, 0)


def test_only_the_start_of_a_large_message_is_fetched(box, turn_mail):
    box.deliver(bytes(reply(turn_mail, "draw")) + b"x" * LARGEST * 2)
    with patch.object(imap, "receive", wraps=receive) as called:
        fetch()
    assert len(called.call_args.args[0]) == LARGEST + 1
    assert (kept(), box.unread()) == (1, 0), "Its header is stored, so that we can answer."


def test_messages_stay_unread_if_the_database_is_down(box, turn_mail, caplog):
    box.deliver(bytes(reply(turn_mail, "draw")), bytes(reply(turn_mail, "help")))
    with patch.object(imap, "receive", side_effect=OperationalError("gone")) as called:
        fetch()
    assert called.call_count == 1
    assert box.unread() == 2
    assert "so it stays in the mailbox" in caplog.text
    fetch()
    assert (kept(), box.unread()) == (2, 0)


def test_a_message_that_cannot_be_stored_stays_unread_while_others_are_stored(box, turn_mail, caplog):
    box.deliver(b"Subject: trouble\r\n\r\n", bytes(reply(turn_mail, "draw")))

    def troubled(raw, **how):
        if b"trouble" in raw:
            raise RuntimeError("an error on our side")
        return receive(raw, **how)

    with patch.object(imap, "receive", troubled):
        fetch()
    assert (kept(), box.unread()) == (1, 1)
    assert "Could not store message" in caplog.text


def test_a_message_that_disappears_before_it_is_fetched_does_not_block_others(box, turn_mail):
    box.deliver(bytes(reply(turn_mail, "draw")))
    real_unread, vanished = imap.unread, "99999"
    with patch.object(imap, "unread", lambda connection: [vanished, *real_unread(connection)]):
        fetch()
    assert (kept(), box.unread()) == (1, 0)


def test_a_lost_connection_neither_loses_nor_duplicates_a_message(box, turn_mail, caplog):
    box.deliver(bytes(reply(turn_mail, "draw")), bytes(reply(turn_mail, "help")))

    connections = []

    def connect(*place):
        connections.append(real_connect(*place))
        return connections[-1]

    def keep_and_lose(raw, **how):
        results = receive(raw, **how)
        connections[-1].sock.shutdown(socket.SHUT_RDWR)
        return results

    with patch.object(imap, "connect", connect), patch.object(imap, "receive", keep_and_lose):
        fetch()
    assert "Could not read the mailbox" in caplog.text
    assert (kept(), box.unread()) == (1, 2)
    fetch()
    assert (kept(), box.unread()) == (2, 0)
    assert set(InboundMail.objects.values_list("result", flat=True)) == {MailResult.WAITING}


@pytest.mark.parametrize("wrong", [{"password": "guessed"}, {"folder": 'No "such" folder'}, {"port": 1}])
def test_an_error_is_logged_if_the_mailbox_cannot_be_opened(box, settings, caplog, wrong):
    settings.INBOUND_IMAP = box.place | wrong
    fetch()
    assert "Could not read the mailbox" in caplog.text
    assert "guessed" not in caplog.text


def test_the_folder_can_be_configured(box, turn_mail, settings):
    with box.client() as client:
        client.create('"To do"')
    box.deliver(bytes(reply(turn_mail, "draw")), folder='"To do"')
    settings.INBOUND_IMAP = box.place | {"folder": "To do"}
    fetch()
    assert kept() == 1


def test_a_worker_that_is_stopping_leaves_the_other_messages_for_later(box, turn_mail):
    box.deliver(bytes(reply(turn_mail, "draw")))
    imap.fetch_unread(lambda: True)
    assert (kept(), box.unread()) == (0, 1)


def test_the_password_is_not_sent_without_a_valid_certificate(box, settings, caplog):
    """The server's certificate is invalid, so the server must not get the password."""
    for security in ("tls", "starttls"):
        settings.INBOUND_IMAP = box.place | {"security": security}
        with patch.object(imap, "log_in") as log_in:
            fetch()
        log_in.assert_not_called()

"""The Postfix recipe in docs/mail.md works with a real Postfix, which delivers to us by LMTP."""

import smtplib

import pytest

from inbound.models import InboundMail
from tests.inbound.conftest import DOMAIN
from tests.inbound.letters import reply
from tests.postfix import postfix
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)


def test_postfix_delivers_replies_to_the_mail_port(listener, turn_mail):
    """`serve --mail-port` and `receive_mail` use this listener, which speaks both SMTP and LMTP."""
    with postfix(DOMAIN, listener.port) as port, smtplib.SMTP("127.0.0.1", port) as client:
        client.send_message(reply(turn_mail, "draw"))
        assert until(InboundMail.objects.exists, 30)
        assert client.mail("ann@example.org")[0] == 250
        assert client.rcpt(f"postmaster@{DOMAIN}")[0] == 250, "DMARC reports are sent there."
        assert client.rcpt(f"turnpost@{DOMAIN}")[0] == 250, "Our sender address exists."
        assert client.rcpt(f"somebody@{DOMAIN}")[0] == 550, "Postfix rejects other addresses."

"""Our own emails are recognized even if a mail program quotes them without quote marks."""

import pytest

from inbound.parsing import read
from notifications.letters.blocks import ANSWER_ABOVE
from tests.games.builders import running_match
from tests.inbound.letters import text_of
from tests.inbound.quoting import mail

pytestmark = pytest.mark.django_db


def turn_mail(mailbox):
    running_match(seats=2)
    (mail,) = [mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "your_turn"]
    return mail


def test_an_email_that_can_be_replied_to_says_where_to_write(mailbox):
    asked = turn_mail(mailbox)
    assert text_of(asked).startswith(ANSWER_ABOVE)
    assert ANSWER_ABOVE in asked.get_body(["html"]).get_content()


def test_an_email_that_cannot_be_replied_to_does_not_say_where_to_write(mailbox, settings):
    settings.REPLY_DOMAIN = ""
    assert ANSWER_ABOVE not in str(turn_mail(mailbox))


def test_no_line_of_our_text_is_read_as_part_of_a_reply(mailbox):
    assert read(mail(f"draw\n\n{text_of(turn_mail(mailbox))}")).lines == ("draw",)


def test_no_line_of_our_html_is_read_as_part_of_a_reply(mailbox):
    page = turn_mail(mailbox).get_body(["html"]).get_content()
    assert read(mail(f"<p>draw</p>{page}", "html")).lines == ("draw",)

"""Operators can see the result of a received email, but never its content."""

import pytest
from django.core.management import CommandError, call_command

from inbound import counts
from inbound.models import InboundMail, MailResult
from tests.games.builders import running_match
from tests.inbound.letters import exchange, reply

pytestmark = pytest.mark.django_db


@pytest.fixture
def mail(hush, mailbox):
    running_match("hush", seats=2)
    mail, _ = mailbox()
    exchange(reply(mail, "name 4"))
    return mail


def test_the_list_shows_each_message_with_its_result(operator, mail):
    page = operator.get("/admin/inbound/inboundmail/").content.decode()
    assert "accepted" in page.lower()
    assert mail["To"] in page


def test_the_page_of_a_message_does_not_show_its_content(operator, mail):
    shown = operator.get(f"/admin/inbound/inboundmail/{InboundMail.objects.get().pk}/change/")
    assert shown.status_code == 200
    assert "name 4" not in shown.content.decode()


def test_the_counts_are_shown_by_result(operator, mail, capsys):
    counts.count(MailResult.FORGED, "smtp")
    counts.count(MailResult.FORGED, "smtp")
    page = operator.get("/admin/inbound/mailcount/").content.decode()
    assert "Forged" in page
    call_command("mail_counts")
    assert capsys.readouterr().out.split() == ["1", "smtp", "accepted", "2", "smtp", "forged"]


def test_the_command_shows_the_number_of_attachments(mail, capsys):
    letter = reply(mail, "board", Message_ID="<2@example.org>")
    letter.add_attachment(b"x", maintype="image", subtype="png", filename="x.png")
    exchange(letter)
    assert list(counts.attached()) == [("smtp", 1)]
    call_command("mail_counts")
    assert "1  smtp        attachment (not read)" in capsys.readouterr().out


def test_the_command_reports_that_nothing_was_received(capsys, db):
    call_command("mail_counts", days=3)
    assert capsys.readouterr().out == "No mail has arrived.\n"


@pytest.mark.parametrize("days", ["0", "-1", "99999999999", "week"])
def test_the_command_refuses_to_go_back_further_than_the_stored_counts(days):
    with pytest.raises(CommandError, match="is not a number of days from 1 to 400"):
        call_command("mail_counts", f"--days={days}")

"""What an operator sees of the mail that comes in: what became of it, and nothing of what it said."""

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from inbound import counts
from inbound.models import InboundMail, MailVerdict
from tests.games.builders import running_match
from tests.inbound.letters import exchange, reply

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client):
    client.force_login(User.objects.create_superuser("boss", "boss@example.org", "correct horse"))
    return client


@pytest.fixture
def mail(hush, mailbox):
    running_match("hush", seats=2)
    mail, _ = mailbox()
    exchange(reply(mail, "name 4"))
    return mail


def test_each_message_with_its_verdict(operator, mail):
    page = operator.get("/admin/inbound/inboundmail/").content.decode()
    assert "accepted" in page.lower()
    assert mail["To"] in page


def test_one_message_closely(operator, mail):
    shown = operator.get(f"/admin/inbound/inboundmail/{InboundMail.objects.get().pk}/change/")
    assert shown.status_code == 200
    assert "name 4" not in shown.content.decode()


def test_how_many_met_which_verdict(operator, mail, capsys):
    counts.count(MailVerdict.FORGED, "smtp")
    counts.count(MailVerdict.FORGED, "smtp")
    page = operator.get("/admin/inbound/mailcount/").content.decode()
    assert "Forged" in page
    call_command("mail_counts")
    assert capsys.readouterr().out.split() == ["1", "smtp", "accepted", "2", "smtp", "forged"]


def test_how_much_was_attached(mail, capsys):
    letter = reply(mail, "board", Message_ID="<2@example.org>")
    letter.add_attachment(b"x", maintype="image", subtype="png", filename="x.png")
    exchange(letter)
    assert list(counts.attached()) == [("smtp", 1)]
    call_command("mail_counts")
    assert "1  smtp        attachments (not read)" in capsys.readouterr().out


def test_when_nothing_came_in_that_is_said(capsys, db):
    call_command("mail_counts", days=3)
    assert capsys.readouterr().out == "No mail has come in.\n"


@pytest.mark.parametrize("days", ["0", "-1", "99999999999", "week"])
def test_days_that_are_not_kept_are_refused_in_a_sentence(days):
    with pytest.raises(CommandError, match="is no number of days from 1 to 400"):
        call_command("mail_counts", f"--days={days}")

"""From the row to the mail server's OK."""

import pytest

from games.mail.sender import deliver_due
from games.models import Notice
from games.models.notice import Delivery, NoticeKind
from games.play import Submission, submit
from games.table import lay_table
from tests.games.builders import running_match

pytestmark = pytest.mark.django_db


def awaited(table):
    return next(seat for seat in lay_table(table.match.id).seats if seat.awaited_since)


def move(table, notation):
    seat = awaited(table)
    assert submit(table.match.id, seat.user, Submission(notation, lay_table(table.match.id).match.turn)).status == 200


def test_whoever_is_awaited_gets_a_mail_with_their_moves(sink):
    table = running_match()
    seat = awaited(table)
    Notice.objects.exclude(kind=NoticeKind.YOUR_TURN).delete()
    deliver_due()
    (mail,) = sink.arrived
    assert mail["To"] == seat.user.email
    assert mail["Subject"].startswith("Your turn: Coloretto with ")
    assert f'turnpost play {table.match.id} "draw"' in mail.get_body(["plain"]).get_content()
    notice = Notice.objects.get()
    assert (notice.delivery, notice.why) == (Delivery.SENT, "")

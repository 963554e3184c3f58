"""Players play a match to its end with only a mail program, over real SMTP in both directions and with a real worker.

They know only what is in their email. Each player picks one of the offered moves and answers in the style of their mail
program.
"""

import re
import smtplib
from email import policy

import pytest

from config.celery import app
from core.jobs import runner
from games.engine.proof import verify
from games.engine.registry import engines
from games.models import Move, Phase
from games.selectors import proofs
from games.selectors.loading import load_match
from games.services.audit import first_difference
from inbound.answers import results_of
from inbound.models import InboundMail, MailResult
from notifications.models import Notification, NotificationKind
from tests.brokers import broker
from tests.games.builders import running_match
from tests.inbound.conftest import DOMAIN
from tests.inbound.letters import STYLES, reply, text_of
from tests.not_none import not_none
from tests.workers import worker_process, worker_thread

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::celery.exceptions.SecurityWarning"),
]
OFFER = re.compile(r'turnpost play \S+ "(?P<move>[^"]+)" --turn (?P<turn>\d+)')
LONGEST_WAIT = 60


class Player:
    """A player who answers each request for a move exactly once."""

    def __init__(self, number, server):
        self.style = list(STYLES)[number % len(STYLES)]
        self.server = server
        self.answered = set()
        self.knows_the_end = False

    def read(self, mail):
        self.knows_the_end |= mail["X-Turnpost-Kind"] == "match_over"
        offers = OFFER.findall(text_of(mail).replace("\n", " "))
        if offers and offers[0][1] not in self.answered:
            self.answered.add(offers[0][1])
            self.write(mail, offers[len(self.answered) % len(offers)][0])

    def write(self, mail, move):
        """Write a reply.

        Sometimes it plays both steps of a turn at once. If the second step is illegal, the answer asks for another one.
        """
        blindly = [f"place {1 + len(self.answered) % 4}"] if move == "draw" and len(self.answered) % 2 else []
        letter = reply(mail, move, *blindly, style=self.style)
        self.server.sendmail(mail["To"], [letter["To"]], letter.as_bytes(policy=policy.SMTP))


def play_by_mail(table, mail_server, listener):
    """Run until everyone has received the result, or no more mail arrives."""
    read = 0
    with smtplib.SMTP("127.0.0.1", listener.port) as server:
        players = {seat.user.email: Player(seat.number, server) for seat in table.seats}
        while not all(player.knows_the_end for player in players.values()):
            mails = mail_server.wait_for(read + 1, LONGEST_WAIT)[read:]
            assert mails, f"No email came for {LONGEST_WAIT} seconds, after {read}."
            for mail in mails:
                players[mail["To"]].read(mail)
            read += len(mails)


def check(table):
    table = load_match(table.match.id)
    assert table.match.phase == Phase.FINISHED
    assert set(Move.objects.values_list("source", flat=True)) == {"mail"}
    results = [results_of(answer) for answer in Notification.objects.filter(kind=NotificationKind.ANSWER)]
    assert len(results) == InboundMail.objects.count()
    assert sum(not_none(result).moves_made for result in results) == Move.objects.count()
    assert all(not_none(result).moves_made or not_none(result).is_stale for result in results), (
        "Players who were too late were told so, and asked again."
    )
    assert set(InboundMail.objects.values_list("result", "content")) <= {
        (MailResult.ACCEPTED, ""),
        (MailResult.REFUSED, ""),
    }
    assert first_difference(table) is None
    assert verify(proofs.proof(table)).proof.head == table.match.head


@pytest.mark.parametrize("game", [engine.slug for engine in engines()])
def test_a_match_can_be_played_to_its_end_by_mail_alone(game, mail_server, listener):
    table = running_match(game, seats=4)
    with worker_thread(app):
        play_by_mail(table, mail_server, listener)
    check(table)


def test_a_match_can_be_played_to_its_end_with_a_separate_worker_and_a_real_broker(
    mail_server, listener, tmp_path, monkeypatch
):
    """A worker in another process handles what the listener in this process has stored.

    Two players are enough for this test.
    """
    with broker("redis") as real:
        monkeypatch.setattr(runner, "current_app", real)
        monkeypatch.setenv("TURNPOST_REPLY_DOMAIN", DOMAIN)
        table = running_match("colorado-county", seats=2)
        with worker_process(real, mail_server.port, tmp_path):
            play_by_mail(table, mail_server, listener)
    check(table)

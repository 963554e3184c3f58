"""Replies are dealt with once, whatever goes wrong, and nobody is answered without end."""

from datetime import UTC, datetime

import pytest
from django.core.cache import cache

from core.rates import Rate
from games.models import Message, Move
from games.services import chat
from inbound import counts, handling
from inbound.handling import handle_due
from inbound.models import InboundMail, MailVerdict
from tests.games.builders import awaited, sitting
from tests.inbound.letters import bring, exchange, reply
from tests.inbound.results import answers, moves, said, verdicts

pytestmark = pytest.mark.django_db


class TestTrouble:
    def test_a_worker_that_dies_in_the_middle_leaves_all_as_it_was_and_another_does_it(
        self, table, turn_mail, mailbox, monkeypatch
    ):
        bring(reply(turn_mail, "draw"))
        with monkeypatch.context() as patch:
            patch.setattr(counts, "count", self.die)
            with pytest.raises(SystemExit):
                handle_due()
        assert (moves(table), answers(mailbox), verdicts()) == ([], [], [MailVerdict.WAITING])
        handle_due()
        assert moves(table) == [], "Until the lease ends, the message is the dead worker's."
        InboundMail.objects.update(due_at=datetime.now(UTC))
        handle_due()
        assert len(moves(table)) == len(answers(mailbox)) == 1

    @staticmethod
    def die(*_):
        raise SystemExit

    def test_what_cannot_be_dealt_with_is_tried_again_and_in_the_end_kept_for_the_operator(
        self, turn_mail, mailbox, monkeypatch
    ):
        def broken(*_):
            raise RuntimeError("broken")

        monkeypatch.setattr(handling, "read", broken)
        bring(reply(turn_mail, "draw"))
        for _ in range(handling.QUEUE.most_tries):
            assert verdicts() == [MailVerdict.WAITING]
            handle_due()
            InboundMail.objects.update(due_at=datetime.now(UTC))
        assert verdicts() == [MailVerdict.FAILED]
        assert answers(mailbox) == []

    def test_a_mailbox_that_is_given_up_before_its_mail_is_dealt_with_plays_no_more(self, table, turn_mail):
        bring(reply(turn_mail, "draw"))
        user = sitting(awaited(table))
        user.email = "elsewhere@example.org"
        user.save()
        handle_due()
        assert (verdicts(), moves(table)) == ([MailVerdict.FOREIGN], [])

    def test_whoever_makes_one_mistake_after_another_is_answered_only_so_often(self, turn_mail, mailbox, settings):
        settings.RATES = settings.RATES | {"mistake": Rate(2, 3600)}
        exchange(*[reply(turn_mail, "I am not here") for _ in range(4)])
        assert verdicts() == [MailVerdict.REFUSED] * 2 + [MailVerdict.FLOOD] * 2
        assert len(answers(mailbox)) == 2

    def test_whoever_only_asks_is_answered_only_so_often(self, turn_mail, mailbox, settings):
        """A program that answers may begin with our own words."""
        settings.RATES = settings.RATES | {"question": Rate(2, 3600)}
        exchange(reply(turn_mail, "help"), reply(turn_mail, "board", "log"), reply(turn_mail, "help"))
        assert len(answers(mailbox)) == 2
        assert verdicts() == [MailVerdict.ASKED, MailVerdict.ASKED, MailVerdict.FLOOD]
        exchange(reply(turn_mail, "draw"))
        assert Move.objects.count() == 1

    def test_nobody_says_more_by_mail_than_by_the_api(self, turn_mail, mailbox, settings):
        cache.clear()
        settings.RATES = settings.RATES | {"message": Rate(2, 86400)}
        exchange(reply(turn_mail, "say one", "say two", "say three"))
        assert Message.objects.count() == 2
        assert "Too many messages; this one wasn't posted." in said(answers(mailbox)[0])

    def test_an_answer_comes_whatever_else_the_player_asked_for(self, table, turn_mail, mailbox):
        seat = awaited(table)
        user = sitting(seat)
        user.mail_frequency, user.quiet_from, user.quiet_until = "never", "00:00", "23:59"
        user.save()
        exchange(reply(turn_mail, "draw"))
        assert len(answers(mailbox)) == 1

    def test_an_answer_is_not_the_one_mail_that_comes_until_the_next_visit(self, table, turn_mail, mailbox):
        user = sitting(awaited(table))
        user.mail_frequency = "until_visit"
        user.save()
        exchange(reply(turn_mail, "board"))
        assert len(answers(mailbox)) == 1
        other = next(seat for seat in table.seats if not seat.awaited_since)
        chat.post_message(table.match.id, sitting(other), "Take your time.")
        assert [mail["To"] for mail in mailbox()] == [user.email]

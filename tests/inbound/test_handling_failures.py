"""Replies are handled once, even after failures, and the number of answers is limited."""

from datetime import UTC, datetime

import pytest
from django.core.cache import cache

from core.rates import Rate
from games.models import Message, Move
from games.services import chat
from inbound import counts, handling
from inbound.handling import handle_due
from inbound.models import InboundMail, MailResult
from tests.games.builders import awaited, sitting
from tests.inbound.letters import deliver, exchange, reply
from tests.inbound.results import answers, moves, results, said

pytestmark = pytest.mark.django_db


class TestFailures:
    def test_a_reply_is_handled_only_once_if_a_worker_dies(self, table, turn_mail, mailbox, monkeypatch):
        deliver(reply(turn_mail, "draw"))
        with monkeypatch.context() as patch:
            patch.setattr(counts, "count", self.die)
            with pytest.raises(SystemExit):
                handle_due()
        assert (moves(table), answers(mailbox), results()) == ([], [], [MailResult.WAITING])
        handle_due()
        assert moves(table) == [], "Until the lease ends, the message is the dead worker's."
        InboundMail.objects.update(due_at=datetime.now(UTC))
        handle_due()
        assert len(moves(table)) == len(answers(mailbox)) == 1

    @staticmethod
    def die(*_):
        raise SystemExit

    def test_a_failing_message_is_retried_and_eventually_marked_as_failed(self, turn_mail, mailbox, monkeypatch):
        def broken(*_):
            raise RuntimeError("broken")

        monkeypatch.setattr(handling, "read", broken)
        deliver(reply(turn_mail, "draw"))
        for _ in range(handling.QUEUE.most_tries):
            assert results() == [MailResult.WAITING]
            handle_due()
            InboundMail.objects.update(due_at=datetime.now(UTC))
        assert results() == [MailResult.FAILED]
        (answer,) = answers(mailbox)
        assert "We couldn't read one of your emails" in said(answer)

    def test_a_reply_does_not_count_after_the_player_has_changed_their_address(self, table, turn_mail):
        deliver(reply(turn_mail, "draw"))
        user = sitting(awaited(table))
        user.email = "elsewhere@example.org"
        user.save()
        handle_due()
        assert (results(), moves(table)) == ([MailResult.FOREIGN], [])

    def test_answers_to_mistakes_are_limited_and_the_last_answer_says_so(self, turn_mail, mailbox, settings):
        settings.RATES = settings.RATES | {"mistake": Rate(2, 3600)}
        exchange(*[reply(turn_mail, "I am not here") for _ in range(4)])
        assert results() == [MailResult.REFUSED] * 2 + [MailResult.FLOOD] * 2
        *_, last = told = answers(mailbox)
        assert len(told) == 3
        assert "we'll answer only emails that" in said(last)

    def test_answers_to_questions_are_limited(self, turn_mail, mailbox, settings):
        """An automated reply might start with one of our commands."""
        settings.RATES = settings.RATES | {"question": Rate(2, 3600)}
        exchange(reply(turn_mail, "help"), reply(turn_mail, "board", "log"), reply(turn_mail, "help"))
        assert len(answers(mailbox)) == 3
        assert results() == [MailResult.ASKED, MailResult.ASKED, MailResult.FLOOD]
        exchange(reply(turn_mail, "draw"))
        assert Move.objects.count() == 1

    def test_chat_by_mail_shares_its_rate_limit_with_the_api(self, turn_mail, mailbox, settings):
        cache.clear()
        settings.RATES = settings.RATES | {"message": Rate(2, 86400)}
        exchange(reply(turn_mail, "say one", "say two", "say three"))
        assert Message.objects.count() == 2
        assert "Too many messages; this one wasn't posted." in said(answers(mailbox)[0])

    def test_an_answer_is_sent_even_to_a_player_who_has_turned_off_mail(self, table, turn_mail, mailbox):
        seat = awaited(table)
        user = sitting(seat)
        user.mail_frequency, user.quiet_from, user.quiet_until = "never", "00:00", "23:59"
        user.save()
        exchange(reply(turn_mail, "draw"))
        assert len(answers(mailbox)) == 1

    def test_an_answer_does_not_count_as_the_one_email_per_visit(self, table, turn_mail, mailbox):
        user = sitting(awaited(table))
        user.mail_frequency = "until_visit"
        user.save()
        exchange(reply(turn_mail, "board"))
        assert len(answers(mailbox)) == 1
        other = next(seat for seat in table.seats if not seat.awaited_since)
        chat.post_message(table.match.id, sitting(other), "Take your time.")
        assert [mail["To"] for mail in mailbox()] == [user.email]

"""Players who seal a move by mail get a receipt, and no answer repeats the move."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Message, Move
from inbound.handling import handle_due
from inbound.models import InboundMail, MailResult
from tests.games.builders import running_match, say
from tests.inbound.letters import STYLES, deliver, exchange, reply, text_of
from tests.inbound.results import answers, results, said

pytestmark = pytest.mark.django_db


class TestSealedMoves:
    def test_the_answer_to_a_sealed_move_contains_its_receipt_but_not_the_move(self, hush, mailbox):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, "name 4"))
        (answer,) = answers(mailbox)
        words = " ".join(text_of(answer).split())
        assert f"Its receipt is {Move.objects.get().receipt}" in words
        assert "name 4" not in text_of(answer).partition("-- ")[0]

    def test_the_last_sealed_move_cannot_be_replaced(self, hush, mailbox):
        running_match("hush", seats=2)
        exchange(*[reply(mail, "name 4") for mail in mailbox()])
        first, last = [" ".join(text_of(answer).split()) for answer in answers(mailbox)]
        assert "you can replace it" in first
        assert "you can replace it" not in last

    def test_a_sealed_move_can_be_replaced_by_replying_to_the_answer(self, hush, mailbox):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, "name 4"))
        (answer,) = answers(mailbox)
        exchange(reply(answer, "name 5"))
        assert Move.objects.count() == 2

    def test_a_later_reply_to_the_same_email_replaces_a_sealed_move_and_the_answer_says_which_one_counts(
        self, hush, mailbox
    ):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, "name 4"), reply(first, "name 5"))
        assert Move.objects.count() == 2
        assert results() == [MailResult.ACCEPTED] * 2
        before, after = answers(mailbox)
        assert "It replaces your earlier move" not in said(before)
        assert "It replaces your earlier move" in said(after)
        assert Move.objects.latest("number").receipt in said(after)

    @pytest.mark.parametrize("line", ["make it 5 instead", "board", "say I'm done", "name 99"])
    def test_an_answer_that_replaces_no_sealed_move_says_which_one_counts(self, hush, mailbox, line):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, "name 4"), reply(first, line))
        receipt, answer = answers(mailbox)
        assert "Your earlier sealed move counts." not in said(receipt)
        assert f"Your earlier sealed move counts. Its receipt is {Move.objects.get().receipt}." in said(answer)

    def test_a_withdrawn_sealed_move_does_not_count(self, hush, mailbox):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, "name 4"), reply(first, "withdraw"), reply(first, "board"))
        assert not any("Your earlier sealed move counts." in said(answer) for answer in answers(mailbox))

    def test_a_reply_that_is_handled_late_does_not_replace_a_newer_one(self, hush, mailbox):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, "name 4"))
        deliver(reply(first, "name 5"))
        InboundMail.objects.filter(result=MailResult.WAITING).update(received_at=timezone.now() - timedelta(hours=1))
        handle_due()
        assert Move.objects.count() == 1
        assert results() == [MailResult.ACCEPTED, MailResult.REFUSED]

    def test_if_an_email_contains_two_sealed_moves_neither_is_made(self, hush, mailbox):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, "name 4", "name 5"))
        assert Move.objects.count() == 0
        (answer,) = answers(mailbox)
        assert "names more than one move" in said(answer)

    @pytest.mark.parametrize("line", ["name 4 maybe", "mane 4", "four"])
    def test_an_unreadable_line_is_not_quoted_because_it_may_be_a_sealed_move(self, hush, mailbox, line):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, line))
        (answer,) = answers(mailbox)
        assert "We couldn't read one of your lines." in said(answer)
        assert line not in said(answer)

    def test_the_answer_does_not_repeat_a_late_sealed_move(self, hush, mailbox):
        table = running_match("hush", seats=2)
        first, _ = mailbox()
        say(table, 0, "name 3")
        say(table, 1, "name 3")
        exchange(reply(first, "name 5"))
        (answer,) = answers(mailbox)
        assert answer["Subject"].endswith(": too late, the board has changed")
        assert "Your sealed move wasn't played." in said(answer)
        assert "name 5" not in text_of(answer).partition("What has changed")[0]

    @pytest.mark.parametrize("style", STYLES)
    def test_a_sealed_move_below_a_long_message_is_not_posted(self, hush, mailbox, style):
        running_match("hush", seats=2)
        first, _ = mailbox()
        wish = "say I wish you all a merry Christmas and a good start into the new year!"
        exchange(reply(first, wish, "name 4", style=style))
        told = list(Message.objects.values_list("text", flat=True))
        assert all("name 4" not in text for text in told)
        assert len(told) == Move.objects.count()
        if not told:
            (answer,) = answers(mailbox)
            assert "Put an empty line between" in " ".join(text_of(answer).split())

    def test_the_content_is_deleted_once_the_email_is_handled(self, hush, mailbox):
        running_match("hush", seats=2)
        first, _ = mailbox()
        deliver(reply(first, "name 4"))
        assert InboundMail.objects.get().content
        handle_due()
        assert InboundMail.objects.get().content == ""

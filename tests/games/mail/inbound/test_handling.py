"""What a genuine reply brings about, and how it is answered."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.core.cache import cache

from accounts.models import Vacation
from games import invitations, lobby, talk
from games.mail.inbound import counting, handling
from games.mail.inbound.handling import handle_due
from games.models import InboundMail, Message, Move, Seat
from games.models.inbound import MailVerdict
from games.play import Submission, submit
from games.table import lay_table
from rest.rates import Rate
from tests.games.builders import awaited, plan, player, running_match, sitting
from tests.games.mail.inbound.letters import STYLES, bring, exchange, reply, text_of

pytestmark = pytest.mark.django_db


def verdicts():
    return list(InboundMail.objects.order_by("pk").values_list("verdict", flat=True))


def moves(table):
    """As they were written, with where they came from."""
    engine = table.engine
    made = Move.objects.filter(match=table.match).order_by("number")
    return [f"{move.source}: {engine.notation(engine.moves.load(move.content.encode()))}" for move in made]


def answers(mailbox):
    """What came back to the one who wrote."""
    return [mail for mail in mailbox() if mail["Auto-Submitted"] == "auto-replied"]


class TestTheOffer:
    def test_whoever_is_asked_can_simply_answer(self, turn_mail):
        assert turn_mail["Reply-To"].startswith("reply+")
        words = " ".join(text_of(turn_mail).split())
        assert "answer this mail with your move on the first line, for example: draw" in words

    def test_where_replies_are_not_received_nobody_is_invited_to_write_one(self, settings, mailbox):
        settings.REPLY_DOMAIN = ""
        running_match(seats=2)
        for mail in mailbox():
            assert mail["Reply-To"] is None
            assert "answer this mail" not in text_of(mail)
            assert "You can answer it" not in text_of(mail)

    def test_mail_that_cannot_be_delivered_returns_to_an_address_of_its_own(self, table, sink, mailbox):
        senders = []
        sink.on_envelope = lambda envelope: senders.append(envelope.mail_from)
        mails = mailbox()
        assert all(sender.startswith("bounce+") for sender in senders)
        assert len(set(senders)) == len(mails) == len(senders)
        assert {mail["From"] for mail in mails} == {"Turnpost <turnpost@localhost>"}


class TestMoves:
    def test_a_move_on_the_first_line_is_made_and_answered_in_the_same_thread(self, table, turn_mail, mailbox):
        theirs = reply(turn_mail, "draw")
        exchange(theirs)
        assert moves(table) == ["mail: draw"]
        assert verdicts() == [MailVerdict.ACCEPTED]
        (answer,) = answers(mailbox)
        assert answer["To"] == turn_mail["To"]
        assert answer["Subject"].startswith("Played: Coloretto")
        assert answer["In-Reply-To"] == theirs["Message-ID"]
        assert answer["References"].split()[0] == turn_mail["References"]
        assert answer["References"].split()[1:] == [turn_mail["Message-ID"], theirs["Message-ID"]]

    def test_the_answer_to_the_first_step_asks_for_the_second(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "draw"))
        new = mailbox()
        assert [mail["Subject"].partition(":")[0] for mail in new] == ["Played"], "The answer is the notice, too."
        assert "drew a" in text_of(new[0])
        assert '"place 1"' in text_of(new[0])
        exchange(reply(new[0], "place 1"))
        assert len(moves(table)) == 2

    def test_a_turn_of_two_steps_fits_into_one_mail(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "draw", "place 2"))
        assert moves(table) == ["mail: draw", "mail: place 2"]
        subjects = [mail["Subject"].partition(":")[0] for mail in mailbox()]
        assert subjects == ["Played", "Your turn"]

    def test_what_comes_after_a_refused_move_is_not_played(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "draw", "place 9", "place 1"))
        assert moves(table) == ["mail: draw"]
        (answer,) = answers(mailbox)
        assert answer["Subject"].startswith("Not all was played")
        assert "Your move was made: draw." in text_of(answer)
        assert "Another move of yours was not made" in text_of(answer)

    def test_a_mail_does_not_play_on_into_a_turn_that_its_writer_has_not_seen(self, table, turn_mail, mailbox):
        stand_in = next(seat for seat in table.seats if not seat.awaited_since)
        Seat.objects.filter(pk=stand_in.pk).update(stand_in_since=datetime.now(UTC))
        exchange(reply(turn_mail, "draw", "place 1", "draw"))
        own = [move for move in moves(table) if move.startswith("mail")]
        assert own == ["mail: draw", "mail: place 1"]
        assert awaited(lay_table(table.match.id)).user.email == turn_mail["To"]

    def test_a_refused_move_is_answered_with_the_reason_and_the_legal_moves(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "place 1"))
        assert moves(table) == []
        assert verdicts() == [MailVerdict.REFUSED]
        (answer,) = answers(mailbox)
        assert answer["Subject"].startswith("Not played")
        assert '"draw"' in text_of(answer)

    def test_a_mistake_does_not_use_the_address_up(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "place 1"), reply(turn_mail, "draw"))
        assert moves(table) == ["mail: draw"]

    def test_the_answer_to_a_mistake_has_an_address_that_works(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "Dear computer, what now?"))
        (answer,) = answers(mailbox)
        exchange(reply(answer, "draw"))
        assert moves(table) == ["mail: draw"]

    def test_a_mail_without_a_word_is_told_where_to_write(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail))
        assert verdicts() == [MailVerdict.NO_ORDERS]
        (answer,) = answers(mailbox)
        assert "Write what you want on the first line" in " ".join(text_of(answer).split())
        assert "place 2" in text_of(answer)

    def test_a_stale_reply_is_told_what_changed_and_offered_a_fresh_address(self, table, turn_mail, mailbox):
        now = lay_table(table.match.id)
        submit(now.match.id, sitting(awaited(now)), Submission("draw", now.match.turn))
        exchange(reply(turn_mail, "draw"))
        assert len(moves(table)) == 1
        (answer,) = answers(mailbox)
        assert answer["Subject"].startswith("Too late")
        assert "the match is on turn 2 now" in " ".join(text_of(answer).split())
        assert answer["Reply-To"] != turn_mail["Reply-To"]
        exchange(reply(answer, "place 1"))
        assert len(moves(table)) == 2

    def test_the_end_of_a_match_by_mail_is_told_once(self, hush, mailbox):
        table = running_match("hush", seats=2, options={"rounds": 1})
        first, second = mailbox()
        exchange(reply(first, "name 1"), reply(second, "name 2"))
        assert lay_table(table.match.id).match.phase == "finished"
        subjects = sorted(mail["Subject"].partition(":")[0] for mail in mailbox())
        assert subjects == ["It is over", "It is over", "Played", "Played"]


class TestSealedMoves:
    def test_a_sealed_move_is_acknowledged_with_its_receipt_and_not_repeated(self, hush, mailbox):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, "name 4"))
        (answer,) = answers(mailbox)
        words = " ".join(text_of(answer).split())
        assert f"Its receipt is {Move.objects.get().receipt}" in words
        assert "name 4" not in text_of(answer).partition("-- ")[0]

    def test_whoever_comes_last_is_not_told_that_it_can_be_replaced(self, hush, mailbox):
        running_match("hush", seats=2)
        exchange(*[reply(mail, "name 4") for mail in mailbox()])
        first, last = [" ".join(text_of(answer).split()) for answer in answers(mailbox)]
        assert "you can replace it" in first
        assert "you can replace it" not in last

    def test_it_is_replaced_by_answering_the_answer(self, hush, mailbox):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, "name 4"))
        (answer,) = answers(mailbox)
        exchange(reply(answer, "name 5"))
        assert Move.objects.count() == 2

    def test_but_not_by_answering_the_first_mail_again(self, hush, mailbox):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, "name 4"), reply(first, "name 5"))
        assert Move.objects.count() == 1
        assert verdicts() == [MailVerdict.ACCEPTED, MailVerdict.REPLAYED]

    def test_nothing_is_played_after_it_in_the_same_mail(self, hush, mailbox):
        running_match("hush", seats=2)
        first, _ = mailbox()
        exchange(reply(first, "name 4", "name 5"))
        assert Move.objects.count() == 1

    @pytest.mark.parametrize("style", STYLES)
    def test_one_below_a_long_sentence_is_told_to_nobody(self, hush, mailbox, style):
        running_match("hush", seats=2)
        first, _ = mailbox()
        wish = "say I wish you all a merry Christmas and a good start into the new year!"
        exchange(reply(first, wish, "name 4", style=style))
        told = list(Message.objects.values_list("text", flat=True))
        assert all("name 4" not in text for text in told)
        assert len(told) == Move.objects.count()
        if not told:
            (answer,) = answers(mailbox)
            assert "put an empty line between" in " ".join(text_of(answer).split())

    def test_what_was_written_is_gone_as_soon_as_it_is_dealt_with(self, hush, mailbox):
        running_match("hush", seats=2)
        first, _ = mailbox()
        bring(reply(first, "name 4"))
        assert InboundMail.objects.get().content
        handle_due()
        assert InboundMail.objects.get().content == ""


class TestOtherOrders:
    def answer_to(self, turn_mail, mailbox, *lines):
        exchange(reply(turn_mail, *lines))
        (answer,) = answers(mailbox)
        assert verdicts()[-1] in (MailVerdict.ACCEPTED, MailVerdict.ASKED)
        return text_of(answer)

    def test_help_lists_what_can_be_written(self, turn_mail, mailbox):
        text = self.answer_to(turn_mail, mailbox, "help")
        assert "take row 3 and sit out" in text
        assert "vacation" in text

    def test_board_shows_the_board(self, turn_mail, mailbox):
        assert "The board" in self.answer_to(turn_mail, mailbox, "board")

    def test_log_tells_what_happened(self, turn_mail, mailbox):
        assert "The log" in self.answer_to(turn_mail, mailbox, "log")

    def test_say_tells_the_others(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "say Good luck, all!"))
        assert Message.objects.get().text == "Good luck, all!"
        assert sorted(mail["Auto-Submitted"] for mail in mailbox()) == ["auto-generated", "auto-replied"]

    def test_a_message_is_answered_by_mail(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "say Good luck!"))
        (message,) = [mail for mail in mailbox() if " wrote:" in mail["Subject"]]
        assert "answer this mail with 'say'" in text_of(message)
        exchange(reply(message, "say To you, too!"), reply(message, "say And have fun."))
        assert Message.objects.count() == 3

    def test_mute_ends_the_mail_about_the_match_with_a_last_one_that_says_so(self, table, turn_mail, mailbox):
        assert "no more mail about this match" in self.answer_to(turn_mail, mailbox, "mute")
        assert Seat.objects.filter(is_muted=True).count() == 1

    def test_vacation_plans_days_off(self, turn_mail, mailbox):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)):
            self.answer_to(turn_mail, mailbox, "vacation 2026-12-20..2026-12-24")
        assert Vacation.objects.get().user.email == turn_mail["To"]

    def test_mute_off_brings_the_mail_back_by_answering_that_last_one(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "mute"))
        (last,) = answers(mailbox)
        assert "answer this mail with: mute off" in " ".join(text_of(last).split())
        assert "You get mail about this match again." in self.answer_to(last, mailbox, "mute off")
        assert not Seat.objects.filter(is_muted=True).exists()

    @pytest.mark.parametrize("order", ["vacation off", "back"])
    def test_whoever_is_back_early_ends_their_vacation_with_today(self, turn_mail, mailbox, order):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)) as clock:
            exchange(reply(turn_mail, "vacation 2026-11-17..2026-11-24"))
            clock.shift(timedelta(days=3))
            mailbox()
            told = " ".join(self.answer_to(turn_mail, mailbox, order).split())
        assert "Your vacation ends today, on 2026-11-19." in told
        assert Vacation.objects.get().last_day == date(2026, 11, 19)

    def test_vacation_off_takes_back_what_has_not_begun(self, turn_mail, mailbox):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)):
            exchange(reply(turn_mail, "vacation 2027-02-01..2027-02-02", "vacation 2026-12-20..2026-12-24"))
            mailbox()
            told = " ".join(self.answer_to(turn_mail, mailbox, "vacation off").split())
        assert "Your vacation from 2026-12-20 to 2026-12-24 is taken back." in told
        assert Vacation.objects.get().first_day == date(2027, 2, 1)

    def test_back_does_not(self, turn_mail, mailbox):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)):
            exchange(reply(turn_mail, "vacation 2026-12-20..2026-12-24"))
            mailbox()
            exchange(reply(turn_mail, "back"))
            (answer,) = answers(mailbox)
        assert "You are not on vacation." in text_of(answer)
        assert Vacation.objects.exists()

    def test_without_a_vacation_there_is_none_to_end(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "vacation off"))
        (answer,) = answers(mailbox)
        assert "You have planned no vacation." in text_of(answer)
        assert verdicts() == [MailVerdict.REFUSED]

    def test_a_vacation_that_cannot_be_is_refused_in_words(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "vacation 2020-12-20..2020-12-24"))
        (answer,) = answers(mailbox)
        assert "cannot begin in the past" in text_of(answer)
        assert not Vacation.objects.exists()

    def test_they_do_not_use_the_address_up(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "board"), reply(turn_mail, "draw"))
        assert len(moves(table)) == 1

    def test_several_kinds_go_together(self, table, turn_mail, mailbox):
        text = self.answer_to(turn_mail, mailbox, "draw", "say Here we go", "place 1")
        assert len(moves(table)) == 2
        assert Message.objects.count() == 1
        assert "What you said was told" in text


class TestOnceOnly:
    def test_mute_and_vacation_work_once_for_each_address(self, table, turn_mail, mailbox):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)):
            exchange(reply(turn_mail, "mute", "vacation 2026-12-20..2026-12-24"))
            (first,) = answers(mailbox)
            exchange(reply(turn_mail, "mute off"))
            mailbox()
            exchange(reply(turn_mail, "mute", "vacation 2027-01-01..2027-01-02"))
            assert "has been used for such an order before" in said(answers(mailbox)[0])
            assert (Seat.objects.filter(is_muted=True).count(), Vacation.objects.count()) == (0, 1)
            exchange(reply(first, "mute"))
        assert Seat.objects.filter(is_muted=True).exists()

    @pytest.mark.parametrize("order", ["mute", "vacation 2026-12-20..2026-12-24"])
    def test_they_do_not_by_the_mails_of_a_match_that_is_over(self, hush, mailbox, order):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)):
            running_match("hush", seats=2, options={"rounds": 1})
            exchange(*[reply(mail, "name 1") for mail in mailbox()])
            over = next(mail for mail in mailbox() if mail["Subject"].startswith("It is over"))
            exchange(reply(over, order))
            assert "The match is over" in said(answers(mailbox)[-1])
        assert (Seat.objects.filter(is_muted=True).count(), Vacation.objects.count()) == (0, 0)

    def test_they_leave_the_address_good_for_a_move(self, table, turn_mail):
        exchange(reply(turn_mail, "mute"), reply(turn_mail, "draw"))
        assert moves(table) == ["mail: draw"]


def said(mail):
    return " ".join(text_of(mail).split())


class TestBeforeAndAfter:
    def test_before_a_match_has_begun_there_is_talk_but_nothing_to_play(self, mailbox):
        ann, ben = player("ann"), player("ben")
        match_id = lobby.create(ann, plan(seats=3)).match.id
        invitations.invite(match_id, ann, ben.username)
        lobby.join(match_id, ben)
        talk.say(match_id, ann, "Who else?")
        (message,) = [mail for mail in mailbox() if mail["To"] == ben.email and " wrote:" in mail["Subject"]]
        exchange(reply(message, "say Dora, perhaps", "draw"))
        (answer,) = answers(mailbox)
        assert Message.objects.count() == 2
        assert "has not begun yet" in " ".join(text_of(answer).split())

    def test_after_it_there_is_talk_and_the_last_board(self, hush, mailbox):
        table = running_match("hush", seats=2, options={"rounds": 1})
        exchange(*[reply(mail, "name 1") for mail in mailbox()])
        over = next(mail for mail in mailbox() if mail["Subject"].startswith("It is over"))
        exchange(reply(over, "say Well played!", "name 3"))
        (answer,) = answers(mailbox)
        assert Message.objects.get().text == "Well played!"
        assert "The match is over" in " ".join(text_of(answer).split())
        assert Move.objects.filter(match=table.match).count() == 2


class TestTrouble:
    def test_a_worker_that_dies_in_the_middle_leaves_all_as_it_was_and_another_does_it(
        self, table, turn_mail, mailbox, monkeypatch
    ):
        bring(reply(turn_mail, "draw"))
        with monkeypatch.context() as patch:
            patch.setattr(counting, "count", self.die)
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
        for _ in range(handling.MOST_TRIES):
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
        assert "You have said too much at once" in said(answers(mailbox)[0])

    def test_an_answer_comes_whatever_else_the_player_asked_for(self, table, turn_mail, mailbox):
        seat = awaited(table)
        user = sitting(seat)
        user.notice_delivery, user.quiet_from, user.quiet_until = "never", "00:00", "23:59"
        user.save()
        exchange(reply(turn_mail, "draw"))
        assert len(answers(mailbox)) == 1

    def test_an_answer_is_not_the_one_mail_that_comes_until_the_next_visit(self, table, turn_mail, mailbox):
        user = sitting(awaited(table))
        user.notice_delivery = "until_visit"
        user.save()
        exchange(reply(turn_mail, "board"))
        assert len(answers(mailbox)) == 1
        other = next(seat for seat in table.seats if not seat.awaited_since)
        talk.say(table.match.id, sitting(other), "Take your time.")
        assert [mail["To"] for mail in mailbox()] == [user.email]

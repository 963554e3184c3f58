from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from clock.models import Vacation
from games.models import Message, Seat
from inbound.models import MailResult
from inbound.reading.command_lines import FIXED
from inbound.reading.commands import COMMANDS, Unreadable
from inbound.reading.reply import read
from tests.games.builders import running_match
from tests.inbound.letters import exchange, reply, text_of
from tests.inbound.positions import POSITIONS
from tests.inbound.results import answers, moves, results, said

pytestmark = pytest.mark.django_db


class TestCommands:
    def answer_to(self, turn_mail, mailbox, *lines):
        exchange(reply(turn_mail, *lines))
        (answer,) = answers(mailbox)
        assert results()[-1] in (MailResult.ACCEPTED, MailResult.ASKED)
        return text_of(answer)

    def test_the_help_command_lists_the_moves_and_commands(self, turn_mail, mailbox):
        text = self.answer_to(turn_mail, mailbox, "help")
        assert "take row 3 and sit out" in text
        assert [command for command, _ in COMMANDS if f"  {command} " not in text] == []
        assert set(FIXED) - {command for command, _ in COMMANDS} == {"unmute", "i'm back", "i resign"}

    def test_the_board_command_shows_the_board(self, turn_mail, mailbox):
        assert "The board" in self.answer_to(turn_mail, mailbox, "board")

    def test_the_log_command_shows_recent_events(self, turn_mail, mailbox):
        assert "Recent events" in self.answer_to(turn_mail, mailbox, "log")

    def test_the_say_command_posts_a_message(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "say Good luck, all!"))
        assert Message.objects.get().text == "Good luck, all!"
        assert sorted(mail["Auto-Submitted"] for mail in mailbox()) == ["auto-generated", "auto-replied"]

    def test_players_can_reply_to_a_message_by_mail(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "say Good luck!"))
        (message,) = [mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "message"]
        assert "reply to this email with 'say'" in text_of(message)
        exchange(reply(message, "say To you, too!"), reply(message, "say And have fun."))
        assert Message.objects.count() == 3

    def test_the_mute_command_is_confirmed_and_then_stops_mail_about_the_match(self, table, turn_mail, mailbox):
        assert "You've muted this match." in self.answer_to(turn_mail, mailbox, "mute")
        assert Seat.objects.filter(is_muted=True).count() == 1

    def test_the_vacation_command_adds_a_vacation(self, turn_mail, mailbox):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)):
            self.answer_to(turn_mail, mailbox, "vacation 2026-12-20..2026-12-24")
        assert Vacation.objects.get().user.email == turn_mail["To"]

    def test_the_mute_off_command_works_in_reply_to_the_confirmation(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "mute"))
        (last,) = answers(mailbox)
        assert "reply to this email with: mute off" in " ".join(text_of(last).split())
        assert "You'll get emails about this match again." in self.answer_to(last, mailbox, "mute off")
        assert not Seat.objects.filter(is_muted=True).exists()

    @pytest.mark.parametrize("order", ["vacation off", "back"])
    def test_the_vacation_off_command_ends_the_current_vacation_today(self, turn_mail, mailbox, order):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)) as clock:
            exchange(reply(turn_mail, "vacation 2026-11-17..2026-11-24"))
            clock.shift(timedelta(days=3))
            mailbox()
            told = " ".join(self.answer_to(turn_mail, mailbox, order).split())
        assert "Your vacation ends today, 2026-11-19." in told
        assert Vacation.objects.get().last_day == date(2026, 11, 19)

    def test_the_vacation_off_command_cancels_a_future_vacation(self, turn_mail, mailbox):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)):
            exchange(reply(turn_mail, "vacation 2027-02-01..2027-02-02", "vacation 2026-12-20..2026-12-24"))
            mailbox()
            told = " ".join(self.answer_to(turn_mail, mailbox, "vacation off").split())
        assert "Your vacation from 2026-12-20 to 2026-12-24 is canceled." in told
        assert Vacation.objects.get().first_day == date(2027, 2, 1)

    def test_the_back_command_does_not_cancel_a_future_vacation(self, turn_mail, mailbox):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)):
            exchange(reply(turn_mail, "vacation 2026-12-20..2026-12-24"))
            mailbox()
            exchange(reply(turn_mail, "back"))
            (answer,) = answers(mailbox)
        assert "You aren't on vacation." in text_of(answer)
        assert Vacation.objects.exists()

    def test_the_vacation_off_command_is_refused_if_there_is_no_vacation(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "vacation off"))
        (answer,) = answers(mailbox)
        assert "You have no planned vacation." in text_of(answer)
        assert results() == [MailResult.REFUSED]

    def test_an_invalid_vacation_is_refused_with_a_reason(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "vacation 2020-12-20..2020-12-24"))
        (answer,) = answers(mailbox)
        assert "can't start in the past" in text_of(answer)
        assert not Vacation.objects.exists()

    def test_commands_other_than_moves_do_not_use_up_the_address(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "board"), reply(turn_mail, "draw"))
        assert len(moves(table)) == 1

    def test_one_email_can_combine_moves_and_commands(self, table, turn_mail, mailbox):
        text = self.answer_to(turn_mail, mailbox, "draw", "say Here we go", "place 1")
        assert len(moves(table)) == 2
        assert Message.objects.count() == 1
        assert "Your message was sent." in text


class TestOnceOnly:
    def test_the_mute_and_vacation_commands_work_once_per_address(self, table, turn_mail, mailbox):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)):
            exchange(reply(turn_mail, "mute", "vacation 2026-12-20..2026-12-24"))
            (first,) = answers(mailbox)
            exchange(reply(turn_mail, "mute off"))
            mailbox()
            exchange(reply(turn_mail, "mute", "vacation 2027-01-01..2027-01-02"))
            assert "You've already changed a setting by replying to that email." in said(answers(mailbox)[0])
            assert (Seat.objects.filter(is_muted=True).count(), Vacation.objects.count()) == (0, 1)
            exchange(reply(first, "mute"))
        assert Seat.objects.filter(is_muted=True).exists()

    def test_a_refused_command_does_not_use_up_the_address(self, turn_mail, mailbox):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)):
            exchange(reply(turn_mail, "vacation 2026-11-01..2026-11-02"))
            exchange(reply(turn_mail, "vacation 2026-12-20..2026-12-24"))
        assert Vacation.objects.get().first_day == date(2026, 12, 20)

    @pytest.mark.parametrize("order", ["mute", "vacation 2026-12-20..2026-12-24"])
    def test_the_mute_and_vacation_commands_are_refused_after_the_match_has_ended(self, hush, mailbox, order):
        with time_machine.travel(datetime(2026, 11, 16, 12, 0, tzinfo=UTC)):
            running_match("hush", seats=2, options={"rounds": 1})
            exchange(*[reply(mail, "name 1") for mail in mailbox()])
            over = next(mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "match_over")
            exchange(reply(over, order))
            assert "The match has ended" in said(answers(mailbox)[-1])
        assert (Seat.objects.filter(is_muted=True).count(), Vacation.objects.count()) == (0, 0)

    def test_after_a_mute_or_vacation_command_the_address_can_still_be_used_for_a_move(self, table, turn_mail):
        exchange(reply(turn_mail, "mute"), reply(turn_mail, "draw"))
        assert moves(table) == ["mail: draw"]


@pytest.mark.parametrize("line", ["resign?", "mute?", "agree?", "vacation off?"])
def test_a_question_about_a_command_does_not_run_it(line):
    (found,) = read([line], POSITIONS["rows"])
    assert isinstance(found, Unreadable)

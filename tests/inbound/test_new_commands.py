"""Players can ask for lists, change settings, vote, resign and chat by mail."""

import pytest

from accounts.models import User
from games.models import Message, Move, Seat
from games.selectors.loading import load_match
from games.services import chat
from inbound.models import MailResult
from notifications import bounces
from notifications.models import BouncingAddress
from notifications.smtp_replies import MailOutcome, Report
from tests.games.builders import awaited, running_match, sitting
from tests.inbound.letters import exchange, reply, text_of
from tests.inbound.results import answers, results, said

pytestmark = pytest.mark.django_db


def test_the_list_of_moves_is_complete(mailbox):
    table = running_match("colorado-county", seats=2)
    mail = mailbox()[0]
    exchange(reply(mail, "moves"))
    (answer,) = answers(mailbox)
    seat = next(seat for seat in table.seats if sitting(seat).email == mail["To"])
    choices = table.engine.choices(table.state, seat.drawn)
    lines = text_of(answer).splitlines()
    assert all(f"  {table.engine.notation(move)}" in lines for move in choices.moves)
    assert "turnpost moves" not in text_of(answer).partition("All your moves")[2].partition("The board")[0]


def test_the_rules_can_be_read_by_mail(turn_mail, mailbox):
    exchange(reply(turn_mail, "rules"))
    (answer,) = answers(mailbox)
    assert "Rules of Coloretto" in text_of(answer)


class TestSettings:
    def test_settings_are_shown_as_the_commands_that_set_them(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "settings"))
        (answer,) = answers(mailbox)
        assert "  settings mail instant" in text_of(answer).splitlines()

    @pytest.mark.parametrize(
        ("line", "field", "value"),
        [
            ("settings mail daily", "mail_frequency", "daily"),
            ("Settings: remind 50, 80", "remind_at", [50, 80]),
            ("settings remind off", "remind_at", []),
            ("settings invitations off", "invitations_by_mail", False),
            ("settings sender on", "checks_sender", True),
            ("settings confirm on", "confirms_moves", True),
            ("settings zone Europe/Berlin", "time_zone", "Europe/Berlin"),
        ],
    )
    def test_each_setting_can_be_changed(self, table, turn_mail, line, field, value):
        exchange(reply(turn_mail, line))
        assert getattr(sitting(awaited(load_match(table.match.id))), field) == value

    @pytest.mark.parametrize(
        "line", ["settings mail weekly", "settings quiet late", "settings color red", "settings zone X"]
    )
    def test_an_invalid_setting_is_refused(self, turn_mail, line):
        exchange(reply(turn_mail, line))
        assert results() == [MailResult.REFUSED]

    @pytest.mark.parametrize(
        ("line", "told"),
        [
            ("settings mail weekly", "settings mail until_visit or settings mail hourly or settings mail daily"),
            ("settings color red", "There is no setting 'color'. Your settings are listed below."),
        ],
    )
    def test_the_answer_to_an_invalid_setting_shows_what_is_possible(self, turn_mail, mailbox, line, told):
        exchange(reply(turn_mail, line))
        (answer,) = answers(mailbox)
        assert answer["Subject"].endswith(": nothing was done")
        assert told in said(answer)
        assert "  settings mail instant" in text_of(answer).splitlines()


class TestResigning:
    def test_a_player_who_wants_to_resign_is_asked_first(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "I resign"))
        (question,) = answers(mailbox)
        assert "do you want to resign?" in question["Subject"]
        assert "To resign, reply to this email with ----------------------------------- resign" in said(question)
        assert not has_resigned()
        exchange(reply(question, "resign"))
        assert has_resigned()

    def test_an_email_that_was_forwarded_is_not_enough_to_resign(self, turn_mail):
        exchange(reply(turn_mail, "resign"), reply(turn_mail, "resign"))
        assert not has_resigned()

    def test_an_unclear_reply_to_the_question_is_answered_with_the_question(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "resign"))
        exchange(reply(answers(mailbox)[0], "Well, it has been a long match."))
        assert not has_resigned()
        exchange(reply(answers(mailbox)[0], "resign"))
        assert has_resigned()

    def test_a_player_can_take_back_the_confirmation_in_the_same_email(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "resign"))
        exchange(reply(answers(mailbox)[0], "resign", "no wait"))
        assert not has_resigned()

    def test_a_player_who_has_resigned_is_not_asked_again(self, turn_mail, mailbox):
        exchange(reply(turn_mail, "resign"))
        exchange(reply(answers(mailbox)[0], "resign"))
        exchange(reply(turn_mail, "resign"))
        assert results()[-1] == MailResult.REFUSED


def has_resigned():
    return Seat.objects.filter(resigned_at__isnull=False).exists()


class TestChat:
    @pytest.fixture
    def message_mail(self, table, turn_mail, mailbox):
        other = next(seat for seat in table.seats if sitting(seat).email != turn_mail["To"])
        chat.post_message(table.match.id, sitting(other), "How are you?")
        (mail,) = [mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "message"]
        return mail

    def test_a_plain_reply_to_a_message_is_posted_as_a_message(self, message_mail):
        exchange(reply(message_mail, "Fine, thanks!", "See you tomorrow."))
        assert Message.objects.latest("pk").text == "Fine, thanks!\nSee you tomorrow."

    def test_a_yes_in_reply_to_a_message_counts_only_as_a_message(self, message_mail):
        exchange(reply(message_mail, "Yes"))
        assert Message.objects.latest("pk").text == "Yes"

    @pytest.mark.parametrize("line", ["should I draw?", "3", "I'd take 2", "row 2 please"])
    def test_a_reply_that_may_be_a_move_is_not_posted(self, message_mail, line):
        exchange(reply(message_mail, line))
        assert Message.objects.count() == 1
        assert not Move.objects.exists()

    def test_a_command_in_reply_to_a_message_still_works(self, message_mail):
        exchange(reply(message_mail, "draw"))
        assert Move.objects.count() == 1


class TestBounces:
    def test_a_genuine_reply_restores_a_stopped_address(self, turn_mail):
        bounces.note_at_address(turn_mail["To"], Report(MailOutcome.HARD, "550 5.1.1 No such user"), None)
        assert BouncingAddress.objects.get().is_stopped
        exchange(reply(turn_mail, "board"))
        assert not BouncingAddress.objects.get().is_stopped

    def test_emails_to_the_other_players_mention_that_emails_to_a_player_are_bouncing(self, table, turn_mail, mailbox):
        other = next(seat for seat in table.seats if sitting(seat).email != turn_mail["To"])
        bounces.note_at_address(sitting(other).email, Report(MailOutcome.HARD, "550 5.1.1 No such user"), None)
        exchange(reply(turn_mail, "draw", "place 1", "board"))
        (answer,) = answers(mailbox)
        assert f"Emails to {other.player_name} are bouncing." in said(answer)


@pytest.mark.parametrize("confirms", [False, True])
def test_a_routine_move_is_confirmed_immediately_only_if_the_player_chose_that(turn_mail, table, mailbox, confirms):
    User.objects.update(confirms_moves=confirms)
    exchange(reply(turn_mail, "draw", "place 1"))
    assert len(answers(mailbox)) == confirms

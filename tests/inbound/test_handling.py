"""Genuine replies take effect and are answered."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from games.models import Event, Message, Move, Seat
from games.selectors.loading import load_match
from games.services import chat, invitations, lobby
from inbound.models import MailResult
from tests.games.builders import awaited, plan, play_some, player, running_match, send, sitting
from tests.inbound.letters import exchange, reply, text_of
from tests.inbound.results import answers, moves, results, said

pytestmark = pytest.mark.django_db


def told_to_all(table, after_turn, reader):
    rows = Event.objects.filter(match=table.match, audience__isnull=True, turn__gt=after_turn)
    return [table.engine.tell(table.engine.events.load(row.content.encode()), table.names_for(reader)) for row in rows]


def kinds(mails):
    return [mail["X-Turnpost-Kind"] for mail in mails]


class TestReplyAddresses:
    def test_players_can_reply_to_a_turn_email(self, turn_mail):
        assert turn_mail["Reply-To"].startswith("reply+")
        words = " ".join(text_of(turn_mail).split())
        assert "reply to this email with your move on the first line, for example: draw" in words

    def test_without_a_reply_domain_emails_do_not_invite_a_reply(self, settings, mailbox):
        settings.REPLY_DOMAIN = ""
        running_match(seats=2)
        for mail in mailbox():
            assert mail["Reply-To"] is None
            assert "reply to this email" not in text_of(mail)
            assert "You can answer it" not in text_of(mail)

    def test_every_email_has_its_own_bounce_address(self, table, mail_server, mailbox):
        senders = []
        mail_server.on_envelope = lambda envelope: senders.append(envelope.mail_from)
        mails = mailbox()
        assert all(sender.startswith("bounce+") for sender in senders)
        assert len(set(senders)) == len(mails) == len(senders)
        assert {mail["From"] for mail in mails} == {"Turnpost <turnpost@localhost>"}


class TestMoves:
    def test_a_move_on_the_first_line_is_played_and_answered_in_the_same_thread(self, table, turn_mail, mailbox):
        theirs = reply(turn_mail, "draw")
        exchange(theirs)
        assert moves(table) == ["mail: draw"]
        assert results() == [MailResult.ACCEPTED]
        (answer,) = answers(mailbox)
        assert answer["To"] == turn_mail["To"]
        assert answer["Subject"].startswith("Coloretto with ")
        assert answer["In-Reply-To"] == theirs["Message-ID"]
        assert answer["References"].split()[0] == turn_mail["References"]
        assert answer["References"].split()[1:] == [turn_mail["Message-ID"], theirs["Message-ID"]]

    def test_the_answer_to_the_first_step_asks_for_the_second(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "draw"))
        new = mailbox()
        assert kinds(new) == ["answer"], "The answer replaces the notification."
        assert "you drew" in new[0]["Subject"]
        assert new[0]["Subject"].endswith(", choose a row")
        assert "drew a" in text_of(new[0])
        assert '"place 1"' in text_of(new[0])
        exchange(reply(new[0], "place 1"))
        assert len(moves(table)) == 2

    def test_one_email_can_play_a_turn_of_two_steps(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "draw", "place 2"))
        assert moves(table) == ["mail: draw", "mail: place 2"]
        assert kinds(mailbox()) == ["your_turn"], "The confirmation waits for another email."
        with time_machine.travel(timezone.now() + timedelta(minutes=11)):
            (answer,) = mailbox()
        assert answer["Subject"].endswith(": you played place 2")

    def test_a_confirmation_is_not_sent_if_another_email_about_the_match_follows(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "draw", "place 2"))
        (theirs,) = mailbox()
        exchange(reply(theirs, "draw", "place 3"))
        with time_machine.travel(timezone.now() + timedelta(minutes=11)):
            assert [mail["To"] for mail in mailbox() if mail["X-Turnpost-Kind"] == "answer"] == [theirs["To"]]

    def test_nothing_is_played_after_a_refused_move(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "draw", "place 9", "place 1"))
        assert moves(table) == ["mail: draw"]
        (answer,) = answers(mailbox)
        assert answer["Subject"].endswith(": partly played")
        assert "You played: draw." in text_of(answer)
        assert "Your move 'place 9' wasn't played." in said(answer)
        assert "Your move 'place 1' wasn't played because the previous move wasn't." in said(answer)

    def test_a_move_out_of_turn_is_refused_with_the_name_of_the_player_to_move(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "draw", "place 2", "draw", "take 1"))
        assert moves(table) == ["mail: draw", "mail: place 2"]
        other = sitting(awaited(load_match(table.match.id))).name
        (answer,) = answers(mailbox)
        for move in ("draw", "take 1"):
            told = f"Your move '{move}' wasn't played: it's no longer your turn. The match is waiting for {other}."
            assert told in said(answer)

    def test_an_email_plays_no_move_on_a_turn_that_its_author_has_not_seen(self, table, turn_mail, mailbox):
        stand_in = next(seat for seat in table.seats if not seat.awaited_since)
        Seat.objects.filter(pk=stand_in.pk).update(stand_in_since=datetime.now(UTC))
        exchange(reply(turn_mail, "draw", "place 1", "draw"))
        own = [move for move in moves(table) if move.startswith("mail")]
        assert own == ["mail: draw", "mail: place 1"]
        assert sitting(awaited(load_match(table.match.id))).email == turn_mail["To"]
        (answer,) = answers(mailbox)
        assert "Your move 'draw' wasn't played: others have moved since" in said(answer)

    def test_a_refused_move_is_answered_with_the_reason_and_the_legal_moves(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "place 1"))
        assert moves(table) == []
        assert results() == [MailResult.REFUSED]
        (answer,) = answers(mailbox)
        assert answer["Subject"].endswith(": not played")
        assert "You can reply with" in text_of(answer)
        assert "  draw" in text_of(answer).splitlines()

    def test_a_mistake_does_not_use_up_the_address(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "place 1"), reply(turn_mail, "draw"))
        assert moves(table) == ["mail: draw"]

    def test_the_answer_to_a_mistake_has_an_address_that_works(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail, "Dear computer, what now?"))
        (answer,) = answers(mailbox)
        exchange(reply(answer, "draw"))
        assert moves(table) == ["mail: draw"]

    def test_an_empty_email_is_answered_with_instructions(self, table, turn_mail, mailbox):
        exchange(reply(turn_mail))
        assert results() == [MailResult.NO_COMMANDS]
        (answer,) = answers(mailbox)
        assert "Write it on the first line" in " ".join(text_of(answer).split())
        assert "  draw" in text_of(answer).splitlines()
        page = answer.get_body(["html"]).get_content()
        assert f'href="mailto:{answer["Reply-To"]}?' in page
        assert "body=draw" in page

    def test_the_answer_to_a_stale_reply_says_what_changed_and_has_a_new_address(self, table, turn_mail, mailbox):
        now = load_match(table.match.id)
        send(now.match.id, sitting(awaited(now)), "draw", now.match.turn)
        exchange(reply(turn_mail, "draw"))
        assert len(moves(table)) == 1
        (answer,) = answers(mailbox)
        assert answer["Subject"].endswith(": too late, the board has changed")
        assert "The match is now on turn 2" in " ".join(text_of(answer).split())
        assert "What has changed since that email" in text_of(answer)
        assert "drew" in text_of(answer).partition("What has changed")[2].partition("The board")[0]
        assert answer["Reply-To"] != turn_mail["Reply-To"]
        exchange(reply(answer, "place 1"))
        assert len(moves(table)) == 2

    def test_the_answer_says_what_changed_even_if_everyone_has_acted_since_then(self, table, turn_mail, mailbox):
        reader = awaited(table).number
        play_some(table, 7)
        exchange(reply(turn_mail, "draw"))
        (answer,) = answers(mailbox)
        changed = text_of(answer).partition("What has changed")[2].partition("The board")[0]
        happened = told_to_all(table, after_turn=1, reader=reader)
        assert happened
        assert all(" ".join(told.split()) in " ".join(changed.split()) for told in happened)

    @pytest.mark.parametrize(
        ("line", "quoted"),
        [
            ("I take the <b>second</b> row", "'I take the <b>second</b> row'"),
            ("take the row \u202ewith\x07 the joker", "'take the row with the joker'"),
            ("x" * 300, "'" + "x" * 59 + ".'"),
        ],
    )
    def test_an_unreadable_line_is_quoted_in_the_answer(self, turn_mail, mailbox, line, quoted):
        exchange(reply(turn_mail, line))
        (answer,) = answers(mailbox)
        assert f"We couldn't read {quoted}." in said(answer)
        assert "<b>second" not in answer.get_body(["html"]).get_content()

    def test_the_end_of_a_match_is_mailed_only_once(self, hush, mailbox):
        table = running_match("hush", seats=2, options={"rounds": 1})
        first, second = mailbox()
        exchange(reply(first, "name 1"), reply(second, "name 2"))
        assert load_match(table.match.id).match.phase == "finished"
        assert sorted(kinds(mailbox())) == ["answer", "answer", "match_over", "match_over"], (
            "Sealed moves get receipts."
        )


class TestBeforeAndAfter:
    def test_before_the_match_starts_players_can_chat_but_not_play(self, mailbox):
        ann, ben = player("ann"), player("ben")
        match_id = lobby.create(ann, plan(seats=3)).match.id
        invitations.invite(match_id, ann, ben.username)
        lobby.join(match_id, ben)
        chat.post_message(match_id, ann, "Who else?")
        (message,) = [mail for mail in mailbox() if mail["To"] == ben.email and mail["X-Turnpost-Kind"] == "message"]
        exchange(reply(message, "say Dora, perhaps", "draw"))
        (answer,) = answers(mailbox)
        assert Message.objects.count() == 2
        assert "hasn't started yet" in " ".join(text_of(answer).split())

    @pytest.mark.parametrize("line", ["Congratulations, well deserved!", "Thanks all, great game!"])
    def test_after_the_match_ends_the_answer_says_how_to_write_to_the_others(self, hush, mailbox, line):
        running_match("hush", seats=2, options={"rounds": 1})
        exchange(*[reply(mail, "name 1") for mail in mailbox()])
        over = next(mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "match_over")
        exchange(reply(over, line))
        (answer,) = answers(mailbox)
        assert "To write to the other players, start with 'say'." in said(answer)
        assert "which move you want" not in said(answer)

    def test_after_the_match_ends_players_can_chat_and_see_the_last_board(self, hush, mailbox):
        table = running_match("hush", seats=2, options={"rounds": 1})
        exchange(*[reply(mail, "name 1") for mail in mailbox()])
        over = next(mail for mail in mailbox() if mail["X-Turnpost-Kind"] == "match_over")
        exchange(reply(over, "say Well played!", "name 3"))
        (answer,) = answers(mailbox)
        assert Message.objects.get().text == "Well played!"
        assert "The match has ended" in " ".join(text_of(answer).split())
        assert Move.objects.filter(match=table.match).count() == 2

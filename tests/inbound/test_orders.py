import pytest

from games.models import Move, Source
from games.selectors.loading import load_match
from games.selectors.orders import orders_of
from inbound.reading.command_lines import read_order
from inbound.reading.commands import Order, OrderOff
from notifications.mail.sender import deliver_due
from tests.games.builders import awaited, running_match, say, sitting
from tests.inbound.letters import exchange, reply, text_of
from tests.inbound.results import answers
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


def orders(table):
    seat = not_none(load_match(table.match.id).seat_of(sitting(awaited(table)).pk))
    return [line.text for line in orders_of(seat).lines]


def answer_to(mail, mailbox, *lines):
    exchange(reply(mail, *lines))
    return text_of(answers(mailbox)[-1])


def test_orders_can_be_given_by_mail(table, turn_mail, mailbox):
    text = answer_to(turn_mail, mailbox, "order take any worth 5", "Order: take 2 if it has 3 cards.")
    assert orders(table) == ["take any worth 5", "take 2 if it has 3 cards"]
    assert (
        "1. take any worth 5 (until the end of game 1); 2. take 2 if it has 3 cards (until the end of game 1)"
        in " ".join(text.split())
    )


def test_orders_can_be_written_below_a_heading(table, turn_mail):
    lines = ["Hi,", "My orders:", "- I'd like to take row 2 if it is full", "- take a row worth 5 points", "Thanks!"]
    exchange(reply(turn_mail, *lines))
    assert orders(table) == ["I'd like to take row 2 if it is full", "take a row worth 5 points"]
    assert not Move.objects.exists()


def test_a_heading_without_orders_below_it_lists_them(table, turn_mail, mailbox):
    assert "You have no standing orders in this match." in answer_to(turn_mail, mailbox, "Orders:", "Thanks!")


def test_a_move_and_an_order_for_its_second_step_fit_into_one_email(table, turn_mail):
    exchange(reply(turn_mail, "order place on the emptiest", "draw"))
    assert list(Move.objects.order_by("number").values_list("source", flat=True)) == [
        Source.MAIL,
        Source.STANDING_ORDER,
    ]


def test_an_order_that_applies_is_played_and_reported(table, turn_mail, mailbox):
    assert "You drew " in answer_to(turn_mail, mailbox, "order draw")
    assert Move.objects.get().source == Source.STANDING_ORDER


def test_orders_are_separate_even_if_a_long_line_looks_wrapped(table, turn_mail):
    long = "take any with green or yellow or blue or red or pink and no violet and no orange worth 50"
    exchange(reply(turn_mail, f"order {long}", "order take 3 if it is full", "order take 2 if it is full"))
    assert orders(table) == [long, "take 3 if it is full", "take 2 if it is full"]


def test_without_orders_the_answer_explains_how_to_write_them(turn_mail, mailbox):
    text = answer_to(turn_mail, mailbox, "order")
    assert "You have no standing orders in this match." in text
    assert "take any with green or yellow and no red" in " ".join(text.split())


def test_orders_can_be_withdrawn_by_mail(table, turn_mail, mailbox):
    exchange(reply(turn_mail, "order take 1 if it is full", "order take 2 if it is full", "order take 3 if it is full"))
    exchange(reply(answers(mailbox)[-1], "order off 2"))
    assert orders(table) == ["take 1 if it is full", "take 3 if it is full"]
    exchange(reply(answers(mailbox)[-1], "orders off"))
    assert orders(table) == []


def test_an_invalid_order_by_mail_is_refused_with_an_explanation(table, turn_mail, mailbox):
    text = " ".join(answer_to(turn_mail, mailbox, "order dance").split())
    assert "I can't read 'dance' in a standing order." in text
    assert orders(table) == []


def test_orders_with_sealed_moves_are_not_shown_in_emails(mailbox, settings):
    settings.REPLY_DOMAIN = "play.example.org"
    table = running_match("colorado-county", 3)
    deliver_due()
    user = sitting(table.seats[0])
    mail = next(mail for mail in mailbox() if mail["To"] == user.email)
    text = answer_to(mail, mailbox, "order bid none for 3 auctions")
    assert "bid none" not in text.partition("The board")[0]
    assert "an order that emails don't show" in " ".join(text.split())


def test_the_next_email_says_why_no_order_was_played(table, turn_mail, mailbox):
    first = awaited(table).drawn
    exchange(reply(turn_mail, "order take 3 if it is full", "draw", "place 1"))
    other = awaited(load_match(table.match.id)).drawn
    say(table, other, "draw")
    say(table, other, "place 2")
    assert awaited(load_match(table.match.id)).drawn == first
    deliver_due()
    told = " ".join(text_of([mail for mail in mailbox() if mail["To"] == turn_mail["To"]][-1]).split())
    assert "Your standing orders: None of your standing orders applied." in told


def test_the_answer_says_why_no_order_was_played(turn_mail, mailbox):
    text = " ".join(answer_to(turn_mail, mailbox, "order place joker on 2 if it is full", "draw").split())
    assert "Your standing orders: None of your standing orders applied." in text


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("", Order(())),
        ("draw", Order(("draw",))),
        ("off", OrderOff(None)),
        ("none", OrderOff(None)),
        ("drop 3", OrderOff(3)),
        ("withdraw #2", OrderOff(2)),
        ("draw order take 2", Order(("draw", "take 2"))),
        ("draw Order: take 2. Standing order: take 3", Order(("draw", "take 2.", "take 3"))),
        ("off we go", Order(("off we go",))),
    ],
)
def test_an_order_command_is_parsed(text, command):
    assert read_order(text) == command


def test_stopped_orders_can_be_resumed_by_mail(table, turn_mail, mailbox):
    exchange(reply(turn_mail, "order take 3 if it is full"))
    text = answer_to(answers(mailbox)[-1], mailbox, "order resume")
    assert "1. take 3 if it is full" in " ".join(text.split())

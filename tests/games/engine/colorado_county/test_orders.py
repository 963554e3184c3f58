"""Standing orders in Colorado County play the move that their lines describe, or ask the player."""

import pytest
from msgspec.structs import replace

from games.engine.colorado_county.orders import LANGUAGE
from games.engine.errors import BadOrder
from games.engine.orders import Ask, Play, decide, read
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, ENGINE, after, bids, table


def follow(state, *lines, seat=ANN):
    rules = [read(LANGUAGE, line).rule for line in lines]
    decision = decide(rules, ENGINE.view(state, seat), ENGINE.choices(state, seat))
    return ENGINE.notation(decision.move) if isinstance(decision, Play) else decision


@pytest.fixture
def d7_for_sale():
    return after(table(land={BEN: "D7"}), (BEN, "sell D7"))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("never interested", "not interested"),
        ("always interested", "interested"),
        ("interested in D7 E9", "interested"),
        ("interested in D7 and E9 only", "interested"),
        ("interested in E9 only", "not interested"),
        ("only interested in E9", "not interested"),
        ("not interested in D7", "not interested"),
        ("never interested in D7", "not interested"),
        ("interested only in D7 and E9", "interested"),
        ("I'm not interested in anything", "not interested"),
        ("say no to all sales", "not interested"),
        ("say yes to D7 only", "interested"),
        ("say yes to E9 only", "not interested"),
        ("always say no, please", "not interested"),
        ("not interested in anything but D7", "interested"),
        ("not interested unless it's E9", "not interested"),
        ("interested in nothing", "not interested"),
        ("yes to D7", "interested"),
        ("no to all land", "not interested"),
    ],
)
def test_an_order_answers_a_sale(d7_for_sale, line, answer):
    assert follow(d7_for_sale, line) == answer


@pytest.mark.parametrize("line", ["interested in E9", "not interested in E9", "bid none", "offer my lowest 2"])
def test_a_sale_of_other_squares_is_left_to_the_player(d7_for_sale, line):
    assert follow(d7_for_sale, line) == Ask("None of your standing orders applied.")


def test_an_order_offers_the_lowest_cowboys_or_only_one_if_there_is_no_rival(d7_for_sale):
    alone = after(d7_for_sale, (ANN, "interested"), (CLEO, "not interested"))
    rivals = after(d7_for_sale, (ANN, "interested"), (CLEO, "interested"))
    assert follow(alone, "offer my lowest 2") == "offer 1"
    assert follow(rivals, "offer my lowest 2") == "offer 1 2"
    assert follow(rivals, "offer my two lowest cowboys") == "offer 1 2"
    assert follow(rivals, "offer my lowest") == follow(rivals, "offer my lowest cowboy") == "offer 1"


@pytest.mark.parametrize(
    ("line", "bid"),
    [
        ("bid none", "bid none"),
        ("bid my lowest 3", "bid 1 2 3"),
        ("bid my highest", "bid 15"),
        ("bid my 3 lowest cowboys on any red card", "bid 1 2 3"),
        ("I'd like to bid my two lowest", "bid 1 2"),
        ("don't bid unless a blue card is offered", "bid none"),
        ("always bid nothing", "bid none"),
        ("skip", "bid none"),
        ("bid my lowest 2 and my highest", "bid 1 2 15"),
        ("bid my lowest 3 on any red card", "bid 1 2 3"),
        ("bid my lowest 3 on any blue or green card", "bid 1 2 3"),
        ("bid none unless a blue card is offered", "bid none"),
        ("bid 12 4", "bid 4 12"),
        ("bid nothing if no blue card is offered", "bid none"),
        ("bid my 2 lowest when a red card comes up", "bid 1 2"),
        ("sit out unless there's a blue card", "bid none"),
    ],
)
def test_an_order_makes_a_bid(line, bid):
    assert follow(table(cards="R00 G00"), line) == bid


@pytest.mark.parametrize("line", ["bid my lowest 3 on any blue card", "bid none unless a red card is on offer"])
def test_no_bid_is_made_if_the_cards_do_not_meet_the_condition(line):
    assert isinstance(follow(table(cards="R00 G00"), line), Ask)


def test_a_bid_can_depend_on_the_worth_of_the_cards():
    state = table(flags={"R": "A1"}, land={ANN: "A2"}, cards="R00 G00")
    assert follow(state, "bid none unless a card is worth 1", "bid my lowest 2 if a card is worth 1") == "bid 1 2"
    assert follow(state, "bid none unless a card is worth 50") == "bid none"


def test_a_bid_of_cowboys_that_the_player_no_longer_has_stops_the_orders():
    state = table(hands={ANN: [5, 6]})
    few = "Your standing order needs 3 cowboys, but you have only 2."
    assert follow(state, "bid my lowest 3", "bid none") == Ask(few, is_stopped=True)
    gone = "You no longer have cowboy 12, which your standing order bids."
    assert follow(state, "bid 5 12", "bid none") == Ask(gone, is_stopped=True)


def test_cowboys_that_the_player_does_not_have_are_refused():
    view = ENGINE.view(table(hands={ANN: [5, 6]}), ANN)
    for line in ("bid my lowest 3", "bid 12", "bid my lowest 2 and my highest"):
        with pytest.raises(BadOrder):
            read(LANGUAGE, line).rule.check(view)
    read(LANGUAGE, "bid my lowest 2").rule.check(view)


@pytest.mark.parametrize(
    "line",
    [
        "bid none for 2 auctions",
        "bid nothing in the next two auctions",
        "skip the next 2 auctions",
        "pass for 2 auctions",
    ],
)
def test_an_order_can_bid_none_for_several_auctions(line):
    reading = read(LANGUAGE, line)
    assert (reading.unit, reading.span) == ("auction", 2)
    assert follow(table(), line) == "bid none"


def test_an_order_for_a_bid_with_a_plan_lasts_for_its_auction():
    reading = read(LANGUAGE, "bid 12 4 plan 1 D7 only / 2 E9 only")
    assert (reading.unit, reading.span) == ("auction", 1)
    assert follow(table(), "bid 12 4 plan 1 D7 only / 2 E9 only") == "bid 4 12 plan 1 D7 only / 2 E9 only"


def test_the_card_worth_most_is_picked():
    state = after(table(flags={"R": "A1", "G": "G9"}, land={ANN: "A2"}), *bids("1", "none", "none"))
    assert follow(state, "pick where it is worth most to me") == "pick 1 A1 only"
    assert follow(state, "pick a green card where it is worth most") == "pick 2 G9 only"
    assert follow(state, "pick the best card") == "pick 1 A1 only"
    assert follow(state, "pick the best green card") == "pick 2 G9 only"
    assert isinstance(follow(state, "pick a blue card where it is worth most"), Ask)


def test_an_order_can_ask_the_player_about_sales_or_cards_or_when_few_cowboys_are_left(d7_for_sale):
    assert follow(d7_for_sale, "never interested", "ask me if land is for sale") == Ask("D7 is for sale.")
    asked = follow(table(cards="R00 G00"), "bid none", "ask me if a green card is offered")
    assert asked == Ask("Card 2 is on offer: green, one star.")
    asked = follow(table(hands={ANN: [5, 6]}), "bid none", "ask me if I have fewer than 3 cowboys")
    assert asked == Ask("You have only 2 cowboys.")


def test_auctions_are_numbered_consecutively_throughout_the_match():
    number = LANGUAGE.units["auction"]
    first = table(deck=" ".join(["B00"] * 10))
    assert number(ENGINE.view(first, ANN)) == 1
    assert number(ENGINE.view(table(deck=""), ANN)) == 6
    assert number(ENGINE.view(replace(first, round=2), ANN)) == 7
    four = table(4, cards="R00 G00 B00", deck=" ".join(["B00"] * 9))
    assert number(ENGINE.view(four, ANN)) == 1


def test_an_order_given_after_the_bid_applies_to_the_next_auction():
    state = table(deck=" ".join(["B00"] * 10))
    assert LANGUAGE.starts("auction", ENGINE.view(state, ANN)) == 1
    assert LANGUAGE.starts("auction", ENGINE.view(after(state, (ANN, "bid 1")), ANN)) == 2
    assert LANGUAGE.starts("round", ENGINE.view(after(state, (ANN, "bid 1")), ANN)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "bid",
        "bid my",
        "bid lots",
        "bid none and never take",
        "interested in Z99",
        "interested",
        "not bidding",
        "offer 17",
        "pick 2 D7",
        "sell D7",
        "ask me if it rains",
        "bid 12 plan",
        "should I bid none?",
        "Ben is never interested",
        "don't bid none",
        "offer my highest",
        "say maybe",
        "yes",
        "no",
        "not interested unless it's cheap",
    ],
)
def test_an_unreadable_order_is_refused_with_examples(line):
    with pytest.raises(BadOrder) as refused:
        read(LANGUAGE, line)
    assert refused.value.hint.startswith("Examples: 'interested in D7 E9 only'")

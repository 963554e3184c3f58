"""Standing orders in Coloretto play the move that their lines describe, or ask the player."""

import pytest

from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import FinishedDeal
from games.engine.errors import BadOrder
from games.engine.orders import Ask, Play, decide, read, read_all
from tests.games.engine.coloretto.tables import ANN, BEN, table


def follow(state, *lines, seat=ANN):
    rules = [read(ENGINE.orders, line).rule for line in lines]
    decision = decide(rules, ENGINE.view(state, seat), ENGINE.choices(state, seat))
    return ENGINE.notation(decision.move) if isinstance(decision, Play) else decision


@pytest.mark.parametrize(
    ("line", "rows", "played"),
    [
        ("take 2 if it has 3 cards", ["B", "GGG", ""], "take 2"),
        ("take row 2 if it is full", ["B", "GGG", ""], "take 2"),
        ("take 2 if it has 3 cards", ["B", "GG", ""], None),
        ("take 2 if it has at least 2 cards", ["B", "GGG", ""], "take 2"),
        ("take 2 or 3 if it has 2 or more cards", ["BBB", "G", "GG"], "take 3"),
        ("take any with green or yellow and no red", ["GR", "B", "Y"], "take 3"),
        ("take any with green and yellow", ["GB", "YB", "GYR"], "take 3"),
        ("take any with a joker", ["G", "*", "J"], "take 2"),
        ("take any with a golden joker", ["J", "*", "G"], "take 2"),
        ("take any that contains a +2", ["G", "+", ""], "take 2"),
        ("take any without red or blue and at least 2 cards", ["RG", "G", "GY"], "take 3"),
        ("take any", ["", "", ""], None),
        ("I'd like to take row 2 as soon as it's full, please", ["B", "GGG", ""], "take 2"),
        ("If row 2 has 3 cards, take it.", ["B", "GGG", ""], "take 2"),
        ("If row 2 has 3 cards, take it.", ["B", "GG", ""], None),
        ("whenever a row is full, grab it", ["B", "GGG", ""], "take 2"),
        ("take a row if it has 2 cards", ["B", "GGG", "RR"], "take 3"),
        ("take a row with green but without red", ["GR", "B", "GY"], "take 3"),
        ("if a row has at least 2 cards, take it", ["B", "GG", "R"], "take 2"),
        ("take a row with no red", ["R", "B", "R"], "take 2"),
        ("take the best row", ["", "B", ""], "take 2"),
        ("take any with 3 cards", ["B", "GGG", ""], "take 2"),
        ("take a row with 2 or more cards", ["B", "GGG", ""], "take 2"),
        ("take any with more than 2 cards", ["BB", "GGG", ""], "take 2"),
        ("take a row if it has at most 1 card", ["BB", "GGG", "R"], "take 3"),
        ("take any with at least 2 green cards", ["GRB", "GGB", ""], "take 2"),
        ("take a row with 2 greens", ["GR", "GG", ""], "take 2"),
        ("take 2 if it has green", ["B", "GR", ""], "take 2"),
        ("take 2 if it has green", ["G", "R", ""], None),
        ("take 2 unless it has red", ["B", "GG", ""], "take 2"),
        ("take 2 unless it has red", ["B", "GR", ""], None),
        ("take 2 if it doesn't have red", ["B", "GR", ""], None),
        ("take any row that doesn't contain red or blue", ["B", "GR", "Y"], "take 3"),
    ],
)
def test_a_row_is_taken_if_it_meets_the_condition(line, rows, played):
    followed = follow(table(rows=rows), line)
    assert followed == played if played else isinstance(followed, Ask)


def test_a_row_is_worth_the_points_that_it_would_add_if_the_game_ended_now():
    """With three green and three blue cards in hand, a fourth green card is worth 4 points."""
    state = table(rows=["G", "R", "GG"], hands=["GGGBBB", "", ""])
    for line in (
        "take any worth 5",
        "take a row worth at least 5 points",
        "take any row that gives 5 points or more",
        "if any row is worth 5 points, take it",
    ):
        assert follow(state, line) == "take 3"
    assert follow(state, "take 1 worth 4") == "take 1"
    assert isinstance(follow(state, "take 1 worth 5"), Ask)


def test_the_best_of_several_rows_is_taken():
    assert follow(table(rows=["G", "GG", "GGG"]), "take any worth 1") == "take 3"


def test_a_card_is_drawn_unless_a_row_is_worth_enough():
    state = table(rows=["G", "R", ""], hands=["GGGBBB", "", ""])
    for line in (
        "draw if no row is worth 5",
        "draw unless a row is worth 5",
        "draw a card unless any is worth at least 5",
        "draw unless a row is worth at least 5 points",
        "if no row is worth 5, draw a card",
        "draw if nothing is worth 5",
    ):
        assert follow(state, line) == "draw"
    for line in ("draw if no row is worth 4", "draw unless a row is worth 4"):
        assert isinstance(follow(state, line), Ask)


def test_a_card_is_drawn_unless_a_row_meets_a_condition():
    state = table(rows=["GG", "R", ""])
    for line in ("draw if no row has 3 cards", "draw unless a row is full", "draw unless row 2 has green"):
        assert follow(state, line.replace("row 2 has", "row 2 is with")) == "draw"
    for line in ("draw if no row has 2 cards", "draw unless a row has 2 cards", "draw if no row has 2 greens",
                 "if no row has green, draw", "draw unless row 1 is with green"):  # fmt: skip
        assert isinstance(follow(state, line), Ask)


def test_lines_are_tried_in_order():
    state = table(rows=["G", "", ""])
    assert follow(state, "take any worth 5", "else draw") == "draw"
    assert follow(state, "take any worth 5", "or else I'd like to draw") == "draw"
    assert follow(state, "take any worth 5", "draw otherwise") == "draw"
    assert follow(state, "take any", "else draw") == "take 1"
    assert follow(state, "draw", "take any") == "draw"


def test_a_line_for_another_step_of_the_turn_is_skipped():
    state = table(rows=["G", "", ""], drawn="R")
    assert follow(state, "take any", "draw", "place on 2") == "place 2"


def test_a_card_is_placed_where_it_is_worth_least_to_the_players_who_can_still_take_it():
    state = table(rows=["G", "R", "B"], hands=["", "GG", "R"], drawn="G")
    assert follow(state, "place where it's worth least to the others") != "place 1"
    assert follow(state, "place it where it helps the others least") != "place 1"
    assert follow(state, "place where it is worth most to me") == "place 1"
    assert follow(state, "put it where it is best for me") == "place 1"
    only_cleo_left = table(rows=["G", None, "R"], hands=["", "GG", "RR"], took=[None, 2, None], drawn="R")
    assert follow(only_cleo_left, "place where it is worth least to the others") == "place 1"


def test_an_order_can_name_the_row_for_a_kind_of_card():
    lines = ("place joker or +2 on row 2", "place on the emptiest", "place on the fullest")
    assert follow(table(rows=["B", "BB", ""], drawn="J"), *lines) == "place 2"
    assert follow(table(rows=["B", "BB", ""], drawn="G"), *lines) == "place 3"
    assert follow(table(rows=["B", "BB", "BBB"], drawn="G"), *lines[2:]) == "place 2"


def test_the_player_is_asked_in_the_last_round_no_matter_where_the_line_is():
    for line in (
        "ask me if the last round card appears",
        "When the last-round card turns up, ask me please",
        "ask me in the last round",
        "let me decide once the last round starts",
    ):
        assert follow(table(supply="BG!" + "R" * 16), "draw", line) == "draw"
        assert follow(table(last_round=True), "draw", line) == Ask("The last-round card has come up.")


def test_the_player_is_asked_about_certain_cards():
    lines = ("place on the emptiest", "ask me if I draw a joker")
    assert follow(table(drawn="*"), *lines) == Ask("You drew this card: golden joker.")
    assert follow(table(drawn="G"), *lines) == "place 1"


def test_the_player_is_asked_shortly_before_the_last_round():
    lines = ("draw", "ask me if 2 or fewer cards are left")
    assert follow(table(supply="BGR!" + "R" * 16), *lines) == "draw"
    assert follow(table(supply="BG!" + "R" * 16), *lines) == Ask("2 cards left before the last-round card.")


def test_the_player_is_asked_about_certain_rows():
    state = table(rows=["GGG", "R", ""], hands=["GGGBBB", "", ""])
    wanted = Ask("You wanted to decide about rows like row 1 yourself.")
    for line in ("ask me if a row has 3 cards", "ask me if row 1 is full", "ask me when any row is worth 5",
                 "ask me if a row has more than 2 cards"):  # fmt: skip
        assert follow(state, "draw", line) == wanted
    for line in ("ask me if a row has 2 cards", "ask me if row 2 is full", "ask me if a row is worth 50"):
        assert follow(state, "draw", line) == "draw"


def test_the_cards_in_a_row_are_not_mistaken_for_the_cards_that_are_left():
    lines = ("draw", "ask me if a row has 3 cards")
    assert follow(table(rows=["G", "", ""], supply="BG!" + "R" * 16), *lines) == "draw"


@pytest.mark.parametrize("between", [", else ", "; ", ". Otherwise ", " or else ", ", "])
def test_a_line_can_hold_several_orders(between):
    rules = [reading.rule for _, reading in read_all(ENGINE.orders, f"take any worth 5{between}draw")]
    assert rules == [read(ENGINE.orders, each).rule for each in ("take any worth 5", "draw")]


@pytest.mark.parametrize(
    "line", ["take any worth 5, else dance", "take 2, 3", "take any with green, yellow", "draw; take"]
)
def test_a_line_is_refused_if_any_of_its_orders_is_unreadable(line):
    with pytest.raises(BadOrder):
        read_all(ENGINE.orders, line)


def test_a_drawn_card_can_start_an_empty_row():
    assert follow(table(rows=["G", "", "R"], drawn="B"), "place on an empty row") == "place 2"
    assert isinstance(follow(table(rows=["G", "B", "R"], drawn="B"), "place on an empty row"), Ask)
    assert follow(table(rows=["GG", "B", "RR"], drawn="B"), "put it on the row with the fewest cards") == "place 2"


def test_the_player_is_asked_if_no_line_applies():
    assert follow(table(rows=["G", "", ""]), "take 2") == Ask("None of your standing orders applied.")


@pytest.mark.parametrize(
    "line",
    [
        "don't take 2",
        "never draw",
        "should I draw?",
        "Ben should take 2",
        "take one worth 3",
        "take 2 or draw",
        "take 2 greens",
        "take 3 cards",
        "take no red",
        "take",
        "take 2 if",
        "take a row",
        "if row 2 is full",
        "if row 2 is full, draw",
        "if row 2 is full, take row 3",
        "I would draw",
        "draw if I feel like it",
        "place",
        "ask me",
        "ask me whether to draw",
        "take 1000",
        "take any worth -2",
        "sell D7",
        "",
        "draw " * 100,
        "draw ☃",
    ],
)
def test_an_unreadable_order_is_refused_with_examples(line):
    with pytest.raises(BadOrder) as refused:
        read(ENGINE.orders, line)
    assert refused.value.hint.startswith("Examples: 'take 2 if it has 3 cards'")


def test_a_row_that_does_not_exist_is_refused():
    rule = read(ENGINE.orders, "take 4 if it is full").rule
    with pytest.raises(BadOrder, match="There is no row 4"):
        rule.check(ENGINE.view(table(3), ANN))
    rule.check(ENGINE.view(table(4), ANN))


def test_an_order_lasts_for_the_game_unless_it_says_otherwise():
    language = ENGINE.orders
    assert (read(language, "draw").unit, read(language, "draw").span) == ("game", 1)
    assert read(language, "draw for 2 games").span == 2
    assert read(language, "draw for the rest of the match").unit == ""
    assert read(language, "take any worth 5 three times").uses == 3
    assert read(language, "draw once, until 2026-12-24").until == "2026-12-24"
    assert language.units["game"](ENGINE.view(table(deal=2, finished=[FinishedDeal("BGO", ("", "", ""))]), BEN)) == 2

"""Moves can be read and written the way players write them."""

import pytest

from games.engine.colorado_county.state import Answer, Bid, Offer, Pick, PlaceFlags, Sell, Withdraw
from games.engine.errors import MalformedMove
from tests.games.engine.colorado_county.tables import ENGINE

PLAN = (Pick(2, ("D7", "E9")), Pick(1, ("C3",)), Pick(2))


@pytest.mark.parametrize(
    ("written", "move"),
    [
        ("bid 12 45 60", Bid((12, 45, 60))),
        ("bid none", Bid()),
        ("bid 12 45 plan 2 D7 E9 / 1 C3 only / 2 nothing", Bid((12, 45), PLAN)),
        ("withdraw", Withdraw()),
        ("pick 2 D7 E9", Pick(2, ("D7", "E9"))),
        ("pick 2 D7 only", Pick(2, ("D7",))),
        ("pick 2 nothing", Pick(2)),
        ("sell D7", Sell("D7")),
        ("interested", Answer(interested=True)),
        ("not interested", Answer(interested=False)),
        ("offer 17", Offer((17,))),
        ("offer 17 23", Offer((17, 23))),
        ("flags A1 C3 E5", PlaceFlags(("A1", "C3", "E5"))),
    ],
)
def test_every_move_can_be_written_and_read_back(written, move):
    assert ENGINE.parse(written) == move
    assert ENGINE.notation(move) == written


@pytest.mark.parametrize(
    ("written", "move"),
    [
        ("  BID  12,45 , 60. ", Bid((12, 45, 60))),
        ("Bid 12, 45 and 60!", Bid((12, 45, 60))),
        ("bid nothing", Bid()),
        ("pick card 2 on d7 and e9", Pick(2, ("D7", "E9"))),
        ("pick 2 d7+e9", Pick(2, ("D7", "E9"))),
        ("pick 2 D 7 E 9", Pick(2, ("D7", "E9"))),
        ("pick 2 D07 only", Pick(2, ("D7",))),
        ("pick 2 D7", Pick(2, ("D7",))),
        ("pick 2 none", Pick(2)),
        ("SELL d7", Sell("D7")),
        ("Interested.", Answer(interested=True)),
        ("NOT interested", Answer(interested=False)),
        ("offer none", Offer(())),
        ("flags a1, c3, e5", PlaceFlags(("A1", "C3", "E5"))),
    ],
)
def test_case_and_spaces_and_commas_and_filler_words_are_ignored(written, move):
    assert ENGINE.parse(written) == move


@pytest.mark.parametrize(
    "written",
    [
        "bid 12 45 plan 2 D7 E9/1 C3 only/2 nothing",
        "bid 12 45\nplan 2 D7 E9\nplan 1 C3 only\nplan 2 nothing",
        "bid 12 45\nplan\n2 D7 E9\n1 C3 only\n2 nothing\n",
        "bid 12 45 plan pick 2 D7 E9, else pick 1 C3 only, else pick 2 nothing, else ask me",
        "bid 12 45 plan: 2 D7+E9; 1 C3; 2 nothing; ask",
        "bid 12 45 plan 2 D7 E9 or 1 C3 or 2 nothing",
    ],
)
def test_a_plan_can_be_written_on_one_line_or_several(written):
    assert ENGINE.parse(written) == Bid((12, 45), PLAN)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("", "unknown_move"),
        ("take 2", "unknown_move"),
        ("bid", "cowboys_missing"),
        ("bid twelve", "not_a_number"),
        ("bid 12 D7", "not_a_number"),
        ("bid -12", "unknown_character"),
        ("bid 1234", "not_a_number"),
        ("bid 12.5", "not_a_number"),
        ("bid 12.45.60", "not_a_number"),
        ("offer 1.7", "not_a_number"),
        ("bid ¹²", "unknown_character"),
        ("pick", "card_missing"),
        ("pick D7", "card_missing"),
        ("pick 2", "squares_missing"),
        ("pick 2 only", "squares_missing"),
        ("pick 2 D7 E9 only", "only_one_square"),
        ("pick 2 D", "not_a_square"),
        ("pick 2 7 D", "not_a_square"),
        ("pick 2 DD7", "not_a_square"),
        ("sell", "one_square"),
        ("sell D7 E9", "one_square"),
        ("interested 17", "too_much"),
        ("not", "incomplete"),
        ("not sure", "incomplete"),
        ("withdraw all", "too_much"),
        ("offer", "cowboys_missing"),
        ("bid 3 cowboys", "cowboy_or_count"),
        ("bid with 12 cowboys 45", "cowboy_or_count"),
        ("offer 1 cowboy", "cowboy_or_count"),
        ("flags", "squares_missing"),
        ("bid 12 plan", "pick_count"),
        ("bid 12 plan " + "/".join(["1 nothing"] * 13), "pick_count"),
        ("bid 12 plan D7", "card_missing"),
        ("pick 2 D7 plan 1 C3", "plan_without_bid"),
    ],
)
def test_each_kind_of_malformed_move_has_its_own_code_and_an_example(written, code):
    with pytest.raises(MalformedMove) as caught:
        ENGINE.parse(written)
    assert caught.value.code == code
    assert ENGINE.parse(caught.value.hint.split("'")[1])


@pytest.mark.parametrize(
    ("written", "example"),
    [
        ("offer", "offer 17"),
        ("offer seventeen", "offer 17"),
        ("sell D", "sell D7"),
        ("flags A", "flags A1 C3 E5"),
        ("flags A1 C3 E5000", "flags A1 C3 E5"),
        ("pick two", "pick 2 D7 E9"),
        ("interested?!%", "interested"),
        ("bid 12 plan D7", "bid 12 45 plan 2 D7 E9 / 1 C3 only"),
        ("hello", "bid 12 45 60"),
    ],
)
def test_the_example_is_the_same_kind_of_move_as_the_players_attempt(written, example):
    with pytest.raises(MalformedMove) as caught:
        ENGINE.parse(written)
    assert caught.value.hint == f"Try '{example}'."


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("flags A10 B9 O1 A1", "flags A1 O1 B9 A10"),
        ("pick 1 E9 F7", "pick 1 F7 E9"),
        ("offer 60 12", "offer 12 60"),
        ("bid 60 12 45 plan 2 E9 F7 / 1 D7 C7", "bid 12 45 60 plan 2 F7 E9 / 1 C7 D7"),
    ],
)
def test_squares_and_cowboys_are_sorted_no_matter_how_the_player_lists_them(written, other):
    assert ENGINE.parse(written) == ENGINE.parse(other)
    assert ENGINE.notation(ENGINE.parse(written)) == other


def test_json_moves_have_size_limits():
    for raw in (
        {"move": "bid", "cowboys": list(range(67))},
        {"move": "bid", "cowboys": [1], "plan": [{"move": "pick", "card": 1}] * 13},
        {"move": "bid", "cowboys": ["1"]},
        {"move": "pick", "card": 1, "squares": [["A1"]]},
        {"move": "answer"},
    ):
        with pytest.raises(MalformedMove):
            ENGINE.read_move(raw)


@pytest.mark.parametrize(
    "written", ["bid 12 plan 2 D7 / ask me / 1 C3", "bid 12 plan ask 2 D7 / 1 C3", "bid 12 plan ask"]
)
def test_the_words_ask_me_can_only_be_at_the_end_of_a_plan(written):
    with pytest.raises(MalformedMove):
        ENGINE.parse(written)

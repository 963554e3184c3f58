"""Compare scoring with a checker that tries every joker color and every choice of positive colors."""

from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from games.engine.coloretto.scoring import score

TABLES = {"brown": [0, 1, 3, 6, 10, 15, *[21] * 7], "violet": [0, 1, 4, 8, 7, 6, *[5] * 7]}

colours_in_play = st.permutations("BGOPRVY").flatmap(
    lambda order: st.integers(5, 7).map(lambda count: "".join(sorted(order[:count])))
)


@st.composite
def hands(draw: st.DrawFn) -> tuple[str, str]:
    colours = draw(colours_in_play)
    cards = [colour * draw(st.integers(0, 9)) for colour in colours]
    jokers = draw(st.sampled_from(["", "J", "JJ", "JJJ", "*", "J*", "JJ*"]))
    hand = "".join(cards) + jokers + "+" * draw(st.integers(0, 10))
    return "".join(draw(st.permutations(hand))), colours


def best_by_trying_everything(hand: str, colours: str, table: str) -> int:
    jokers = sum(card in "J*" for card in hand)
    attempts = product(product(colours, repeat=jokers), combinations(colours, 3))
    return max(worth(hand, colours, table, chosen, plus) for chosen, plus in attempts) + 2 * hand.count("+")


def worth(hand: str, colours: str, table: str, chosen: tuple[str, ...], plus: tuple[str, ...]) -> int:
    values = {colour: TABLES[table][hand.count(colour) + chosen.count(colour)] for colour in colours}
    return sum(value if colour in plus else -value for colour, value in values.items())


@given(hands(), st.sampled_from(["brown", "violet"]))
def test_the_score_is_the_best_of_all_assignments(dealt, table):
    hand, colours = dealt
    assert score(hand, colours, table).total == best_by_trying_everything(hand, colours, table)


@given(hands(), st.sampled_from(["brown", "violet"]))
def test_the_breakdown_adds_up_and_accounts_for_every_card(dealt, table):
    hand, colours = dealt
    scored = score(hand, colours, table)
    assert scored.total == sum(line.points for line in scored.colours) + 2 * scored.plus_twos
    assert sum(line.jokers for line in scored.colours) == hand.count("J") + hand.count("*")
    assert sum(line.cards for line in scored.colours) + scored.plus_twos == len(hand)
    for place, line in enumerate(scored.colours):
        assert line.cards - line.jokers == hand.count(line.colour)
        assert line.points == TABLES[table][line.cards] * (1 if place < 3 else -1)


@given(hands(), st.sampled_from(["brown", "violet"]))
def test_the_order_of_the_cards_does_not_matter(dealt, table):
    hand, colours = dealt
    assert score("".join(sorted(hand)), colours, table) == score(hand, colours, table)

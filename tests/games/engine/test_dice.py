"""The dice match fixed vectors and a second implementation based on docs/dice.md, and they are fair."""

from collections import Counter
from hashlib import sha256
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.coloretto import ENGINE
from games.engine.dice import Dice, QuickDice
from tests.games.engine.playing import seed_of

SEED = bytes(range(32))
LETTERS = "ABCDEFGHIJ"
DOCUMENT = (Path(__file__).parents[3] / "docs" / "dice.md").read_text("utf-8")


class SecondDice:
    """A slow and simple implementation that is based only on the document and shares no code."""

    def __init__(self, seed, turn):
        self.stream = self.words(seed, turn)

    def words(self, seed, turn):
        block = 0
        while True:
            digest = sha256(seed + turn.to_bytes(8, "big") + block.to_bytes(8, "big")).digest()
            for start in (0, 8, 16, 24):
                yield int.from_bytes(digest[start : start + 8], "big")
            block += 1

    def below(self, n):
        fair = 2**64 // n * n
        return next(word for word in self.stream if word < fair) % n

    def shuffle(self, items):
        items = list(items)
        for last in reversed(range(1, len(items))):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items

    def draw(self, items, k):
        left, drawn = list(items), []
        for _ in range(k):
            place = self.below(len(left))
            drawn.append(left[place])
            left = left[:place] + left[place + 1 :]
        return drawn, left

    def choice(self, items):
        return items[self.below(len(items))]


def deal_by_the_document(dice, players, edition):
    """Deal the first game of a match: first player, colors, hands and supply."""
    starter = dice.below(players)
    _, colours = dice.draw("BGOPRVY", {2: 2, 3: 1, 4: 0, 5: 0}[players])
    each = 2 if players == 2 else 1
    dealt, _ = dice.draw(colours, players * each)
    hands = tuple("".join(dealt[seat * each :][:each]) for seat in range(players))
    box = "".join(colour * (9 - dealt.count(colour)) for colour in colours) + "+" * 10
    supply = "".join(dice.shuffle(box + {"classic": "JJJ", "modern": "JJ*"}[edition]))
    below = {"classic": 15, "modern": 16}[edition]
    return starter, "".join(colours), hands, supply[:-below] + "!" + supply[-below:]


seeds = st.binary(min_size=32, max_size=32)
turns = st.integers(0, 2**64 - 1)


def test_a_turn_gives_the_documented_words():
    dice = Dice(SEED, 0)
    assert [f"{dice.word():016x}" for _ in range(5)] == [
        "efb030fb5f0f1981",
        "220206ad421fd212",
        "281dd27ec7ec8e62",
        "cfd56c19922dc785",
        "f193cb386e316909",
    ]


@pytest.mark.parametrize(("turn", "word"), [(1, "5c7112b7f8b220f9"), (2**64 - 1, "c20191377ca4c9b6")])
def test_each_turn_has_its_own_stream(turn, word):
    assert f"{Dice(SEED, turn).word():016x}" == word


def test_numbers_below_six_match_the_document():
    dice = Dice(SEED, 0)
    assert [dice.below(6) for _ in range(10)] == [3, 0, 0, 5, 5, 3, 5, 2, 1, 5]


def test_values_in_the_incomplete_last_range_are_rejected():
    """Of the first eight words, the first, fourth, fifth, seventh and eighth are too large for this bound."""
    dice = Dice(SEED, 0)
    assert [dice.below(3 * 2**62) for _ in range(3)] == [
        2450528488451461650,
        2890697977803607650,
        1935410878342044825,
    ]


def test_shuffles_and_draws_and_choices_match_the_document():
    assert "".join(Dice(SEED).shuffle(LETTERS)) == "EBIJAFHCGD"
    assert Dice(SEED).draw(LETTERS, 4) == (list("DHCE"), list("ABFGIJ"))
    assert Dice(SEED).choice(LETTERS) == "D"


def test_the_document_contains_these_vectors():
    for answer in ("`f193cb386e316909` |", "| 3 0 0 5 5 3 5 2 1 5 |", "| EBIJAFHCGD |", "| DHCE, left ABFGIJ |"):
        assert answer in DOCUMENT
    dealt = ENGINE.new_match(2, ENGINE.read_options({}), Dice(SEED)).state
    assert dealt.supply in DOCUMENT


@given(seeds, turns, st.lists(st.integers(1, 2**64), max_size=20))
def test_a_second_implementation_gives_the_same_numbers(seed, turn, bounds):
    one, other = Dice(seed, turn), SecondDice(seed, turn)
    assert [one.below(bound) for bound in bounds] == [other.below(bound) for bound in bounds]


@given(seeds, turns, st.lists(st.integers(), min_size=1, max_size=30), st.data())
def test_a_second_implementation_gives_the_same_shuffles_and_draws_and_choices(seed, turn, items, data):
    one, other, count = Dice(seed, turn), SecondDice(seed, turn), data.draw(st.integers(0, len(items)))
    assert one.shuffle(items) == other.shuffle(items)
    assert one.draw(items, count) == other.draw(items, count)
    assert one.choice(items) == other.choice(items)


@pytest.mark.parametrize(
    ("players", "edition"), [(2, "modern"), (3, "modern"), (3, "classic"), (4, "classic"), (5, "modern")]
)
@given(seed=seeds)
def test_a_second_implementation_deals_the_same_cards(players, edition, seed):
    dealt = ENGINE.new_match(players, ENGINE.read_options({"edition": edition}), Dice(seed, 0)).state
    by_the_document = deal_by_the_document(SecondDice(seed, 0), players, edition)
    assert (dealt.starter, dealt.colours, dealt.hands, dealt.supply) == by_the_document


@pytest.mark.parametrize("bound", [2, 6, 7, 66])
def test_all_numbers_are_equally_likely(bound):
    dice, throws = Dice(seed_of("uniform")), 1000 * bound
    counts = Counter(dice.below(bound) for _ in range(throws))
    assert set(counts) == set(range(bound))
    assert chi_squared(counts, bound, throws) < bound - 1 + 5 * (2 * (bound - 1)) ** 0.5


def test_all_orders_are_equally_likely():
    dice, throws = Dice(seed_of("orders")), 24_000
    counts = Counter("".join(dice.shuffle("ABCD")) for _ in range(throws))
    assert set(counts) == {"".join(order) for order in permutations("ABCD")}
    assert chi_squared(counts, 24, throws) < 23 + 5 * 46**0.5


def chi_squared(counts, kinds, throws):
    """Return the chi-squared statistic.

    For fair dice, it is about kinds - 1, with a standard deviation of the square root of twice that.
    """
    expected = throws / kinds
    return sum((count - expected) ** 2 / expected for count in counts.values())


def test_shuffling_and_drawing_do_not_change_the_input():
    items = list(LETTERS)
    Dice(SEED).shuffle(items)
    Dice(SEED).draw(items, 3)
    assert items == list(LETTERS)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_has_32_bytes(seed):
    with pytest.raises(ValueError, match="32 bytes"):
        Dice(seed)


@pytest.mark.parametrize("turn", [-1, 2**64])
def test_a_turn_is_a_64_bit_number(turn):
    with pytest.raises(ValueError, match="turn"):
        Dice(SEED, turn)


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_a_bound_must_be_positive_and_fit_64_bits(bound):
    with pytest.raises(ValueError, match="bound"):
        Dice(SEED).below(bound)


@pytest.mark.parametrize("count", [-1, 11])
def test_drawing_more_items_than_exist_is_refused(count):
    with pytest.raises(ValueError, match="Cannot draw"):
        Dice(SEED).draw(LETTERS, count)


def test_choosing_from_an_empty_list_is_refused():
    with pytest.raises(ValueError, match="bound"):
        Dice(SEED).choice([])


def test_quick_dice_are_fair_and_repeat_for_the_same_seed():
    throws = [QuickDice(seed).below(6) for seed in range(50)]
    assert throws == [QuickDice(seed).below(6) for seed in range(50)]
    dice = QuickDice(7)
    counts = Counter(dice.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(850 < count < 1150 for count in counts.values())


def test_quick_dice_draw_without_replacement():
    drawn, left = QuickDice(3).draw(range(10), 4)
    assert sorted([*drawn, *left]) == list(range(10))
    assert left == sorted(left)

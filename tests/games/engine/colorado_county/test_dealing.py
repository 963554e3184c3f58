"""A second implementation, based on docs/dice.md, deals the same lakes, cowboys, decks and flags."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.colorado_county.flags import place_at_random
from games.engine.colorado_county.geometry import squares_with
from games.engine.colorado_county.holdings import draw_cowboys
from games.engine.colorado_county.state import Options, State
from games.engine.dice import Dice
from games.engine.records import IGNORED_EVENTS
from tests.games.engine.colorado_county.tables import ENGINE, table
from tests.games.engine.test_dice import SEED, SecondDice

DOCUMENT = (Path(__file__).parents[4] / "docs" / "dice.md").read_text("utf-8")
SHAPES = {8: [".##.", "####", "#..."], 7: [".##", "###"], 6: ["###", ".#."], 5: ["##", "#."], 4: ["##"], 3: ["#"]}
SQUARES = [f"{column}{row}" for row in range(1, 11) for column in "ABCDEFGHIJKLMNO"]
PATTERNS = ["00", "00", "10", "10", "20", "20", "30", "30", "11", "11", "21", "12"]
FLAGS = "RGOBRGOBRGOB"
seeds = st.binary(min_size=32, max_size=32)


def beside(square: str) -> set[str]:
    column, row = square[0], int(square[1:])
    return {f"{chr(ord(column) + 1)}{row}", f"{chr(ord(column) - 1)}{row}", f"{column}{row + 1}", f"{column}{row - 1}"}


def sites(shape: list[str]) -> list[list[str]]:
    directions = []
    for _ in range(4):
        if shape not in directions:
            directions.append(shape)
        shape = ["".join(row[column] for row in reversed(shape)) for column in range(len(shape[0]))]
    found = []
    for direction in directions:
        for corner in SQUARES:
            covered = [
                f"{chr(ord(corner[0]) + right)}{int(corner[1:]) + down}"
                for down, row in enumerate(direction)
                for right, mark in enumerate(row)
                if mark == "#"
            ]
            if all(square[0] in "BCDEFGHIJKLMN" and 2 <= int(square[1:]) <= 9 for square in covered):
                found.append(covered)
    return found


SITES = {value: sites(shape) for value, shape in SHAPES.items()}


def lakes_by_the_document(dice: SecondDice) -> list[set[str]]:
    lakes: list[set[str]] = []
    for value in SHAPES:
        barred = {square for lake in lakes for part in lake for square in (part, *beside(part))}
        lake = dice.choice(SITES[value])
        while barred & set(lake):
            lake = dice.choice(SITES[value])
        lakes.append(set(lake))
    return lakes[::-1]


def round_by_the_document(dice: SecondDice, free: list[str]) -> tuple[list[str], list[str]]:
    drawn = [colour + card for colour in "RGOB" for card in dice.draw(PATTERNS, 3)[0]]
    return dice.shuffle(drawn), flags_by_the_document(dice, free)


def flags_by_the_document(dice: SecondDice, free: list[str]) -> list[str]:
    flags: list[str] = []
    for _ in FLAGS:
        shut = {square for flag in flags for square in (flag, *beside(flag))}
        opened = [s for s in free if s not in shut] or [s for s in free if s not in flags]
        square = dice.choice(free)
        while square not in opened:
            square = dice.choice(free)
        flags.append(square)
    return flags


def cowboys_by_the_document(dice: SecondDice, bag: list[int], due: list[int]) -> tuple[list[list[int]], list[int]]:
    drawn, left = dice.draw(bag, min(len(bag), sum(due)))
    shares = [0 for _ in due]
    while sum(shares) < len(drawn):
        for seat, most in enumerate(due):
            shares[seat] += shares[seat] < most and sum(shares) < len(drawn)
    firsts = [sum(shares[:seat]) for seat in range(len(due))]
    return [sorted(drawn[first:][:share]) for first, share in zip(firsts, shares, strict=True)], left


def dealt(players: int, seed: bytes) -> State:
    state: State = ENGINE.new_match(players, Options(), Dice(seed, 0)).state
    return state


def names(squares: Iterable[int]) -> set[str]:
    return {SQUARES[square] for square in squares}


@pytest.mark.parametrize("players", [2, 3, 4])
@given(seed=seeds)
def test_a_second_implementation_deals_the_same_match(players, seed):
    state, dice = dealt(players, seed), SecondDice(seed, 0)
    lakes = lakes_by_the_document(dice)
    assert [names(lake) for lake in state.lakes] == lakes
    drawn, bag = dice.draw(list(range(1, 67)), 15 * players)
    assert [sorted(drawn[15 * seat :][:15]) for seat in range(players)] == [list(hand) for hand in state.hands]
    assert list(state.bag) == bag
    deck, flags = round_by_the_document(
        dice, [square for square in SQUARES if not any(square in lake for lake in lakes)]
    )
    assert [*state.turned_up, *state.deck] == deck
    for place, colour in enumerate("RGOB"):
        assert names(squares_with(state.board, colour)) == set(flags[place::4])


@given(
    seed=seeds,
    bag=st.lists(st.integers(1, 66), max_size=9, unique=True),
    due=st.lists(st.sampled_from([0, 1, 2, 15]), min_size=2, max_size=4),
)
def test_a_second_implementation_draws_the_same_cowboys_even_if_the_bag_runs_short(seed, bag, due):
    seats = len(due)
    state = table(seats, hands=dict.fromkeys(range(seats), ()), bag=tuple(bag))
    drawn = draw_cowboys(state, due, Dice(seed, 1), IGNORED_EVENTS)
    hands, left = cowboys_by_the_document(SecondDice(seed, 1), bag, due)
    assert [list(hand) for hand in drawn.hands] == hands
    assert list(drawn.bag) == left


@given(seed=seeds, free=st.sets(st.sampled_from(range(150)), min_size=12, max_size=24).map(sorted))
def test_a_second_implementation_places_the_same_flags_even_where_no_square_is_open(seed, free):
    board = "".join("." if square in free else "a" for square in range(150))
    laid = place_at_random(board, Dice(seed, 1))
    flags = flags_by_the_document(SecondDice(seed, 1), [SQUARES[square] for square in free])
    for place, colour in enumerate("RGOB"):
        assert names(squares_with(laid, colour)) == set(flags[place::4])


def test_random_flags_may_touch_if_no_open_square_is_left():
    free = [f"{column}{row}" for row in (1, 2, 3) for column in "ABCD"]
    laid = place_at_random("".join("." if square in free else "a" for square in SQUARES), Dice(SEED, 1))
    flags = flags_by_the_document(SecondDice(SEED, 1), free)
    assert sorted(flags) == sorted(free)
    assert all(laid[SQUARES.index(square)] == colour for square, colour in zip(flags, FLAGS, strict=True))


def test_the_document_contains_this_vector():
    state = dealt(3, SEED)
    board = "\n".join(state.board[start : start + 15] for start in range(0, 150, 15))
    assert board in DOCUMENT
    for hand in state.hands:
        assert " ".join(map(str, hand)) in DOCUMENT
    assert " ".join([*state.turned_up, *state.deck]) in DOCUMENT

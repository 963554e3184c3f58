"""Compare scoring, lakes, picks and bids with slow, independent implementations that are based only on the rules
page."""

from itertools import product
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from games.engine.colorado_county.auction import order_of_picks
from games.engine.colorado_county.lakes import holder_after
from games.engine.colorado_county.placements import picks
from games.engine.colorado_county.scoring import score
from tests.games.engine.colorado_county.tables import ANN, LAKES, table, with_land


class Points(NamedTuple):
    border: tuple[int, int]
    lake: int
    double: int
    domain: tuple[int, int]


POINTS = {
    1: Points(border=(6, 2), lake=1, double=2, domain=(0, 0)),
    2: Points(border=(9, 3), lake=2, double=3, domain=(4, 0)),
    3: Points(border=(4, 2), lake=3, double=2, domain=(7, 2)),
    4: Points(border=(2, 1), lake=0, double=1, domain=(11, 5)),
}
Place = tuple[int, int]
EVERYWHERE = [(column, row) for row in range(10) for column in range(15)]
WATER = {(square % 15, square // 15) for lake in LAKES for square in lake}

squares = st.sampled_from([place for place in EVERYWHERE if place not in WATER])
lands = st.lists(st.tuples(squares, st.integers(0, 3)), max_size=90).map(dict)
"""Assign owners at random. With `close_lands`, their squares are close together, so that there are groups and ties."""
close_lands = st.dictionaries(
    st.sampled_from([p for p in EVERYWHERE if p[0] < 4 and p not in WATER]), st.integers(0, 3)
)
holders = st.tuples(*[st.none() | st.integers(0, 3)] * 6)


def board_of(land: dict[Place, int]) -> str:
    return "".join("abcd"[land[place]] if place in land else "~" if place in WATER else "." for place in EVERYWHERE)


def name(place: Place) -> str:
    return "ABCDEFGHIJKLMNO"[place[0]] + str(place[1] + 1)


def connected(places: set[Place]) -> list[set[Place]]:
    """Find groups by merging. Every square starts as its own group, and groups that touch are joined."""
    groups = [{place} for place in places]
    for (column, row), (other_column, other_row) in product(places, repeat=2):
        if abs(column - other_column) + abs(row - other_row) == 1:
            one = next(group for group in groups if (column, row) in group)
            other = next(group for group in groups if (other_column, other_row) in group)
            if one is not other:
                groups.remove(other)
                one |= other
    return groups


def prize(counts: list[int], seat: int, prizes: tuple[int, int]) -> int:
    better = [count for count in counts if count > counts[seat]]
    if not counts[seat] or len(set(better)) > 1:
        return 0
    if not better:
        return prizes[0]
    return prizes[1] if len(better) == 1 else 0


def slow_total(land: dict[Place, int], held: tuple[int | None, ...], seat: int, number: int) -> int:
    points = POINTS[number]
    edges, sizes = [0] * 4, [0] * 4
    for owner in range(4):
        own = {place for place, holder in land.items() if holder == owner}
        edges[owner] = sum(column in (0, 14) or row in (0, 9) for column, row in own)
        sizes[owner] = max((len(group) for group in connected(own) if len(group) >= 3), default=0)
    mine = {place for place, holder in land.items() if holder == seat}
    doubles = sum(len(group) == 2 for group in connected(mine))
    lakes = sum(points.lake or value for value, holder in zip(range(3, 9), held, strict=True) if holder == seat)
    border, domain = prize(edges, seat, points.border), prize(sizes, seat, points.domain)
    return border + lakes + doubles * points.double + domain


@given(lands | close_lands, holders, st.integers(1, 4))
def test_scoring_agrees_with_brute_force(land, held, number):
    scores = score(board_of(land), held, 4, number)
    assert [found.total for found in scores] == [slow_total(land, held, seat, number) for seat in range(4)]
    for found in scores:
        assert found.total == found.border + found.lakes + found.doubles + found.domain


def slow_holder(before: int | None, owned: list[int]) -> int | None:
    """Check every player in turn, as people at a table would."""
    if before is not None and owned[before] and not any(count > owned[before] for count in owned):
        return before
    for seat, count in enumerate(owned):
        if count and all(count > other for rival, other in enumerate(owned) if rival != seat):
            return seat
    return None


@given(st.none() | st.integers(0, 3), st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_the_holder_of_a_lake_agrees_with_brute_force(before, owned):
    assert holder_after(before, owned) == slow_holder(before, owned)


@given(st.lists(st.tuples(squares, st.integers(0, 3)), max_size=60, unique_by=lambda move: move[0]))
def test_holders_agree_with_brute_force_after_every_cube(moves):
    """The test places many cubes, and checks each lake after every one."""
    held: list[int | None] = [None] * 6
    land: dict[Place, int] = {}
    for place, owner in moves:
        land[place] = owner
        for number, lake in enumerate(LAKES):
            owned = [0] * 4
            for (column, row), holder in land.items():
                beside = any(abs(column - s % 15) + abs(row - s // 15) == 1 for s in lake)
                owned[holder] += beside
            held[number] = slow_holder(held[number], owned)
    state = table(4)
    for place, owner in moves:
        state = with_land(state, {owner: name(place)})
    assert state.holders == tuple(held)


@given(close_lands, st.sampled_from(["10", "20", "30", "11", "21", "12"]), st.lists(squares, max_size=3, unique=True))
def test_picks_of_a_card_with_two_stars_agree_with_brute_force(land, pattern, flagged):
    flags = [place for place in flagged if place not in land]
    land_of = {seat: " ".join(name(place) for place, owner in land.items() if owner == seat) for seat in range(4)}
    state = table(4, cards=f"R{pattern}", land=land_of, flags={"R": " ".join(map(name, flags))})
    assert {frozenset(pick.squares) for pick in picks(state, ANN)} == slow_picks(land, pattern, flags)
    assert len(picks(state, ANN)) == len(slow_picks(land, pattern, flags))


def slow_picks(land: dict[Place, int], pattern: str, flags: list[Place]) -> set[frozenset[str]]:
    """Try every pair of squares with every rotation of the card."""
    found = {frozenset[str](), *(frozenset({name(flag)}) for flag in flags)}
    for flag, other in product(flags, EVERYWHERE):
        if other not in land and other not in WATER and other not in flags and lies_on_card(flag, other, pattern):
            found |= {frozenset({name(flag), name(other)}), frozenset({name(other)})}
    return found


def lies_on_card(flag: Place, other: Place, pattern: str) -> bool:
    right, down = other[0] - flag[0], other[1] - flag[1]
    for _ in range(4):
        if (right, down) == (int(pattern[0]), int(pattern[1])):
            return True
        right, down = -down, right
    return False


@given(st.permutations(range(1, 67)), st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_the_order_of_picks_agrees_with_brute_force(cowboys, counts):
    bids, start = [], 0
    for count in counts:
        bids.append(tuple(cowboys[start : start + count]))
        start += count
    order = order_of_picks(bids)
    assert sorted(order) == [seat for seat in range(4) if bids[seat]]
    for place, seat in enumerate(order):
        for later in order[place + 1 :]:
            more = len(bids[seat]) > len(bids[later])
            assert more or (len(bids[seat]) == len(bids[later]) and max(bids[seat]) > max(bids[later]))

"""The six lakes: where they can be placed, and who holds them."""

from functools import lru_cache
from typing import NamedTuple

from games.engine.colorado_county.geometry import BORDER, LAKES, NEIGHBOURS, OWNERS, SIZE, steps
from games.engine.dice import Dice
from games.engine.records import put

Lakes = tuple[tuple[int, ...], ...]
"""The squares of each lake, in the order of LAKES, from the least to the most valuable."""

# A reconstruction. The printed rules give six lakes with values 3 to 8. A review of the 1999 game (ludorium.at,
# "Colorado County") counts 128 land squares out of 150, so the lakes cover 22; other reviews mention six different
# sizes. The shapes are our own. With a better source, only this table has to change.
SHAPES = {
    "3": ("#",),
    "4": ("##",),
    "5": ("##", "#."),
    "6": ("###", ".#."),
    "7": (".##", "###"),
    "8": (".##.", "####", "#..."),
}


class Site(NamedTuple):
    """A possible location for a lake, and the squares that no other lake can then cover."""

    squares: tuple[int, ...]
    claims: frozenset[int]


def turned(shape: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("".join(column) for column in zip(*reversed(shape), strict=True))


def turns(shape: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the shape in each of its distinct orientations."""
    found = [shape]
    while (following := turned(found[-1])) != shape:
        found.append(following)
    return found


def offsets(shape: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((x, y) for y, row in enumerate(shape) for x, mark in enumerate(row) if mark == "#")


def sites(shape: tuple[str, ...]) -> tuple[Site, ...]:
    """Return every location for a lake that is not on the border (house rule)."""
    ways = [offsets(turn) for turn in turns(shape)]
    laid = [steps(corner, way) for way in ways for corner in range(SIZE)]
    fitting = [squares for squares in laid if len(squares) == len(ways[0]) and not set(squares) & set(BORDER)]
    return tuple(Site(squares, frozenset(squares) | around(squares)) for squares in fitting)


@lru_cache(maxsize=4096)
def around(squares: tuple[int, ...]) -> frozenset[int]:
    """Return the squares that share a side with any of these squares, but are not among them."""
    return frozenset(near for square in squares for near in NEIGHBOURS[square]) - frozenset(squares)


SITES = {value: sites(SHAPES[value]) for value in LAKES}


def lay_lakes(dice: Dice) -> Lakes:
    """Place the lakes at random, starting with the largest.

    If a site overlaps or touches another lake (house rule), another one is drawn.
    """
    taken: frozenset[int] = frozenset()
    laid: list[tuple[int, ...]] = []
    for value in reversed(LAKES):
        site = dice.choice(SITES[value])
        while not taken.isdisjoint(site.squares):
            site = dice.choice(SITES[value])
        laid.append(site.squares)
        taken |= site.claims
    return tuple(reversed(laid))


def fields(lakes: Lakes) -> tuple[frozenset[int], ...]:
    """Return the land squares around each lake. Lakes never touch, so all squares around one are land."""
    return tuple(around(squares) for squares in lakes)


def holder_after(holder: int | None, owned: list[int]) -> int | None:
    """Return who holds a lake if the seats own this many of its fields.

    The holder keeps it while they own a field and nobody owns more (house rule: without a field, they lose it).
    Otherwise, it goes to the only player with the most fields, if there is one.
    """
    most = max(owned)
    if holder is not None and owned[holder] == most > 0:
        return holder
    return owned.index(most) if most and owned.count(most) == 1 else None


def holders_after(
    board: str, lakes: Lakes, holders: tuple[int | None, ...], seats: int, changed: tuple[int, ...]
) -> tuple[int | None, ...]:
    """Return who holds each lake after these squares changed hands."""
    beside = lakes_beside(lakes)
    for square in changed:
        for place, shore in beside.get(square, ()):
            owned = owned_fields(board, shore, seats)
            holders = put(holders, place, holder_after(holders[place], owned))
    return holders


@lru_cache(maxsize=256)
def lakes_beside(lakes: Lakes) -> dict[int, list[tuple[int, frozenset[int]]]]:
    """Map each square next to a lake to the lakes beside it, each with its index and all its fields."""
    beside: dict[int, list[tuple[int, frozenset[int]]]] = {}
    for place, shore in enumerate(fields(lakes)):
        for field in shore:
            beside.setdefault(field, []).append((place, shore))
    return beside


def owned_fields(board: str, shore: frozenset[int], seats: int) -> list[int]:
    owners = [board[square] for square in shore]
    return [owners.count(owner) for owner in OWNERS[:seats]]

"""Estimate the value of land: the points that each seat can expect from it in all remaining rounds."""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import exp

from games.engine.colorado_county.geometry import BORDER, LAKES, NEIGHBOURS, OWNERS, SQUARES, squares_with
from games.engine.colorado_county.lakes import holder_after
from games.engine.colorado_county.placements import card_picks
from games.engine.colorado_county.scoring import BORDER_PRIZES, DOMAIN_PRIZES, DOUBLE, DOUBLE_POINTS, LAKE_POINTS
from games.engine.colorado_county.state import CARDS_TURNED_UP, ROUNDS, Pick, State

ON_BORDER = frozenset(BORDER)
AUCTIONS = {seats: 12 // count for seats, count in CARDS_TURNED_UP.items()}
"""The number of auctions per round, by number of players."""
GENEROSITY = 0.8
"""How much the other players' gains count against a move."""
DOUBLE_LASTS = 0.9
"""The chance that a group of two is still a group of two in the next round."""
SOFTNESS = {"border": (0.3, 0.5), "domain": (0.4, 0.8), "lake": (0.35, 0.2)}
"""How uncertain a lead is when the round is scored, and how much uncertainty each auction before that adds."""
HOLDS = 0.7
"""The value of holding a lake, as a fraction of the value of one more field."""

Values = tuple[float, ...]
"""The points of each seat."""


def auctions_to_come(seats: int, number: int, left: int, scored: int) -> int:
    """Count the auctions before a round is scored."""
    return left + (scored - number) * AUCTIONS[seats]


@lru_cache(maxsize=65_536)
def prize_values(kind: str, counts: tuple[int, ...], number: int, left: int) -> Values:
    """Estimate each seat's points for the border or the domain in all remaining rounds."""
    prizes = BORDER_PRIZES if kind == "border" else DOMAIN_PRIZES
    seats = len(counts)
    values = [0.0] * seats
    sure, slope = SOFTNESS[kind]
    for scored in range(number, ROUNDS + 1):
        first, second = prizes[scored - 1]
        if not first:
            continue
        softness = sure + slope * auctions_to_come(seats, number, left, scored) ** 0.5
        most = max(counts)
        weights = [exp(max(-12.0, (count - most) / softness)) for count in counts]
        total = sum(weights)
        for seat, weight in enumerate(weights):
            behind = sum(other / total * weight / (total - other) for rank, other in enumerate(weights) if rank != seat)
            values[seat] += first * weight / total + second * behind
    return tuple(values)


@lru_cache(maxsize=65_536)
def lake_values(lake: int, owned: tuple[int, ...], holder: int | None, number: int, left: int) -> Values:
    seats = len(owned)
    values = [0.0] * seats
    sure, slope = SOFTNESS["lake"]
    for scored in range(number, ROUNDS + 1):
        points = LAKE_POINTS[scored - 1] or int(LAKES[lake])
        softness = sure + slope * auctions_to_come(seats, number, left, scored) ** 0.5
        weights = [exp((fields + HOLDS * (seat == holder)) / softness) for seat, fields in enumerate(owned)]
        total = sum(weights) + seats * 0.5
        for seat, weight in enumerate(weights):
            values[seat] += points * weight / total
    return tuple(values)


@cache
def double_value(number: int) -> float:
    """Estimate the points for a group of two in all remaining rounds."""
    rounds = enumerate(DOUBLE_POINTS[number - 1 :])
    return float(sum(points * DOUBLE_LASTS**ahead for ahead, points in rounds))


class Land:
    """The groups, border squares and lakes on a board, and the value of changing them."""

    def __init__(self, board: str, holders: tuple[int | None, ...], seats: int, number: int, left: int) -> None:
        self.board, self.holders, self.seats, self.number, self.left = board, holders, seats, number, left
        self.double = double_value(number)
        self.group_at: dict[int, int] = {}
        self.sizes: list[int] = []
        self.border = [0] * seats
        self.largest = [0] * seats
        self.pairs = [0] * seats
        """The number of groups of two that each seat has."""
        self.fields = [[0] * seats for _ in LAKES]
        for seat in range(seats):
            self.survey(seat)
        self.lake_worth = [self.lake(i, tuple(owned), holders[i]) for i, owned in enumerate(self.fields)]
        self.border_worth = prize_values("border", tuple(self.border), number, left)
        self.domain_worth = prize_values("domain", tuple(self.largest), number, left)
        self.gains: dict[tuple[int, tuple[int, ...]], float] = {}
        self.best: dict[tuple[int, str, int], list[tuple[float, Pick]]] = {}

    def survey(self, seat: int) -> None:
        own = squares_with(self.board, OWNERS[seat])
        left = set(own)
        for square in own:
            if square in ON_BORDER:
                self.border[seat] += 1
            for lake in self.lakes_beside(square):
                self.fields[lake][seat] += 1
            if square in left:
                self.survey_group(seat, square, left)

    def survey_group(self, seat: int, start: int, left: set[int]) -> None:
        group, size, edge = len(self.sizes), 0, [start]
        left.discard(start)
        while edge:
            square = edge.pop()
            self.group_at[square] = group
            size += 1
            near = left.intersection(NEIGHBOURS[square])
            left -= near
            edge.extend(near)
        self.sizes.append(size)
        self.largest[seat] = max(self.largest[seat], size)
        self.pairs[seat] += size == DOUBLE

    def lakes_beside(self, square: int) -> set[int]:
        beside = {self.board[near] for near in NEIGHBOURS[square]}
        return {LAKES.index(letter) for letter in beside if letter in LAKES}

    def lake(self, lake: int, owned: tuple[int, ...], holder: int | None) -> Values:
        return lake_values(lake, owned, holder, self.number, self.left)

    def values(self) -> list[float]:
        """Estimate the points that each seat's land will still score."""
        worth = [self.border_worth, self.domain_worth, *self.lake_worth]
        return [sum([values[seat] for values in worth]) + self.double * self.pairs[seat] for seat in range(self.seats)]

    def gain(self, seat: int, squares: tuple[int, ...]) -> float:
        """Rate placing cubes on these squares by this seat's gain minus a share of the others' gains."""
        key = seat, squares
        if key not in self.gains:
            self.gains[key] = balance(self.changes(seat, squares), seat)
        return self.gains[key]

    def changes(self, seat: int, squares: tuple[int, ...]) -> list[float]:
        """Estimate how each seat's points change if this seat places cubes on these squares."""
        changes = [0.0] * self.seats
        pairs, largest = self.grown(seat, squares)
        changes[seat] += self.double * pairs
        edges = sum([square in ON_BORDER for square in squares])
        if edges:
            counts = list(self.border)
            counts[seat] += edges
            add(changes, prize_values("border", tuple(counts), self.number, self.left), self.border_worth)
        if largest > self.largest[seat]:
            sizes = list(self.largest)
            sizes[seat] = largest
            add(changes, prize_values("domain", tuple(sizes), self.number, self.left), self.domain_worth)
        touched = [lake for square in squares for lake in self.lakes_beside(square)]
        for lake in set(touched):
            owned = list(self.fields[lake])
            owned[seat] += touched.count(lake)
            holder = holder_after(self.holders[lake], owned)
            add(changes, self.lake(lake, tuple(owned), holder), self.lake_worth[lake])
        return changes

    def grown(self, seat: int, squares: tuple[int, ...]) -> tuple[int, int]:
        """Return the change in the number of groups of two, and the largest group touched, after placing the cubes."""
        owner, board = OWNERS[seat], self.board
        touching = [{self.group_at[near] for near in NEIGHBOURS[s] if board[near] == owner} for s in squares]
        if len(squares) > 1 and (squares[1] in NEIGHBOURS[squares[0]] or touching[0] & touching[1]):
            touching = [touching[0] | touching[1]]
        cubes = len(squares) - len(touching) + 1
        pairs = largest = 0
        for groups in touching:
            size = cubes
            for group in groups:
                size += self.sizes[group]
                pairs -= self.sizes[group] == DOUBLE
            pairs += size == DOUBLE
            largest = max(largest, size)
        return pairs, largest

    def picks(self, seat: int, card: str, cubes: int) -> list[tuple[float, Pick]]:
        """List the ways to play a card, starting with the best.

        Every pick names card 1, regardless of the card's actual number.
        """
        key = seat, card, cubes
        if key not in self.best:
            found = [
                (self.gain(seat, tuple([SQUARES[name] for name in pick.squares])), pick)
                for pick in card_picks(self.board, 1, card, cubes)
            ]
            self.best[key] = sorted(found, key=lambda gained: -gained[0])
        return self.best[key]


def add(changes: list[float], after: Values, before: Values) -> None:
    for seat, (new, old) in enumerate(zip(after, before, strict=True)):
        changes[seat] += new - old


def balance(changes: Sequence[float], seat: int) -> float:
    others = sum(changes) - changes[seat]
    return changes[seat] - GENEROSITY * others / (len(changes) - 1)


@lru_cache(maxsize=512)
def appraise(board: str, holders: tuple[int | None, ...], seats: int, number: int, left: int) -> Land:
    return Land(board, holders, seats, number, left)


def land(state: State) -> Land:
    left = len(state.deck) // CARDS_TURNED_UP[state.seats]
    return appraise(state.board, state.holders, state.seats, state.round, left)

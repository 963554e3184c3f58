"""Advice for bots that play Coloretto: how hands may grow, and which rows other players want."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import exp, factorial, sqrt

from games.engine.coloretto.legality import DRAW, PLACES, TAKES, rows_to_take, rows_with_room
from games.engine.coloretto.scoring import PLUS_COLOURS, POINTS, totals
from games.engine.coloretto.state import (
    GOLDEN_JOKER,
    LAST_ROUND,
    PLUS_TWO,
    ROW_ROOM,
    AnyMove,
    Draw,
    Place,
    State,
    jokers,
)
from games.engine.dice import Dice
from games.engine.strategy import Option, Strategy

CARDS_PER_ROUND = {2: 5.0, 3: 7.2, 4: 9.4, 5: 11.3}
"""The average number of cards that all players together draw in a round."""
GROWTH = {"brown": 0.15, "violet": 0.4}
"""The average number of cards that each remaining round adds to a color that a player collects."""
UNWANTED = {"brown": 0.0, "violet": 0.4}
"""The average number of cards that each remaining round adds to a negative color. With the violet table, large sets
cost less."""
LONGEST = 8
"""The number of rounds that a deal rarely exceeds."""
PATIENCE = {"brown": dict.fromkeys(range(2, 6), 3.5), "violet": {2: 0.5, 3: -1.0, 4: -1.0, 5: 0.5}}
"""The points that a row must be worth before players take it while there is room for more cards."""
GENEROSITY = 0.25
"""How much the other players' gains count against a move."""
GIFT = 1.0
"""The average value of the extra card from the golden joker."""
LUCK = (1.0, 2.0)
"""The spread of scores at the end of a deal, and how much each remaining round adds to it."""


def expected_points(scoring: str, growth: float) -> tuple[tuple[float, ...], ...]:
    """Tabulate the expected points for a color that grows at random, by the number of rounds left and cards held."""
    points = POINTS[scoring]
    return tuple(
        tuple(
            sum(points[min(held + more, len(points) - 1)] * poisson(growth * rounds, more) for more in range(12))
            for held in range(len(points))
        )
        for rounds in range(LONGEST + 1)
    )


def poisson(mean: float, count: int) -> float:
    return float(exp(-mean) * mean**count / factorial(count))


PLUS = {scoring: expected_points(scoring, growth) for scoring, growth in GROWTH.items()}
MINUS = {scoring: expected_points(scoring, growth) for scoring, growth in UNWANTED.items()}


@lru_cache(maxsize=65_536)
def potential(hand: str, colours: str, scoring: str, rounds: int) -> float:
    """Estimate how many points a hand will score at the end of the deal."""
    counts = tuple(sorted([hand.count(colour) for colour in colours], reverse=True))
    return 2 * hand.count(PLUS_TWO) + potential_of_counts(counts, jokers(hand), scoring, rounds)


@lru_cache(maxsize=16_384)
def potential_of_counts(counts: tuple[int, ...], wild: int, scoring: str, rounds: int) -> float:
    plus, minus = PLUS[scoring][rounds], MINUS[scoring][rounds]
    best = -1000.0
    for chosen in combinations_with_replacement(range(PLUS_COLOURS + 1), wild):
        held = list(counts)
        for colour in chosen:
            held[colour] += 1
        lost = sum([minus[count] for count in held])
        gained = sorted([plus[count] + minus[count] for count in held], reverse=True)
        best = max(best, sum(gained[:PLUS_COLOURS]) - lost)
    return best


def rounds_to_come(state: State) -> int:
    """Estimate how many rounds follow the current one. A deal ends with the round that reveals the last-round card."""
    if state.last_round:
        return 0
    above = state.supply.index(LAST_ROUND) / CARDS_PER_ROUND[state.seats]
    return min(LONGEST, round(above + 0.3))


class Table:
    """The value of each row to the seats that are still in the round."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.hands, self.colours, self.scoring = state.hands, state.colours, state.options.scoring
        self.rounds = rounds_to_come(state)
        others = [(seat + ahead) % state.seats for ahead in range(1, state.seats)]
        self.others = [other for other in others if state.took[other] is None]
        self.patience = PATIENCE[self.scoring][state.seats]
        self.now = [self.potential(hand) for hand in self.hands]

    def potential(self, hand: str) -> float:
        return potential(hand, self.colours, self.scoring, self.rounds)

    def gain(self, seat: int, row: str) -> float:
        gained = potential(self.hands[seat] + row, self.colours, self.scoring, self.rounds) - self.now[seat]
        return gained + GIFT if GOLDEN_JOKER in row else gained

    def balance(self, rows: Sequence[str | None], order: Sequence[int]) -> float:
        """Return this seat's gain minus a share of the others' gains, if the seats take their best rows in this
        order."""
        left = [row for row in rows if row is not None]
        mine = given = 0.0
        for seat in order:
            best, best_row = self.patience, None
            for row in left:
                if row:
                    gained = self.gain(seat, row)
                    if gained > best:
                        best, best_row = gained, row
            if best_row is not None:
                left.remove(best_row)
            if seat == self.seat:
                mine += best
            else:
                given += best
        return mine - GENEROSITY * given / max(1, self.state.seats - 1)

    def after_take(self, row: int) -> float:
        cards = self.state.rows[row - 1] or ""
        left = [held for index, held in enumerate(self.state.rows) if index != row - 1]
        return self.gain(self.seat, cards) + self.balance(left, self.others)

    def after_place(self, row: int, card: str) -> float:
        rows = list(self.state.rows)
        rows[row - 1] = (rows[row - 1] or "") + card
        return self.balance(rows, [*self.others, self.seat])

    def after_draw(self) -> float:
        """Rate drawing a card by averaging over all cards that could be drawn, assuming that each is placed in the best
        row."""
        unseen = Counter(self.state.supply.replace(LAST_ROUND, ""))
        room = [index + 1 for index in rows_with_room(self.state)]
        total = sum(
            count * max([self.after_place(row, card) for row in room]) for card, count in sorted(unseen.items())
        )
        return total / unseen.total()


class ColorettoStrategy(Strategy[State, AnyMove]):
    def options(self, state: State, seat: int, dice: Dice) -> list[Option[AnyMove]]:
        """List the promising moves. Of several identical rows, only one is considered."""
        if state.drawn:
            size = ROW_ROOM[state.seats]
            room = {(state.rows[i], size[i]): i for i in rows_with_room(state)}
            return [Option((state.drawn, PLACES[i]), PLACES[i]) for i in room.values()]
        takes: list[AnyMove] = [TAKES[i] for i in rows_to_take(state)]
        moves = [DRAW, *takes] if rows_with_room(state) else takes
        return [Option(move, move) for move in moves]

    def worth(self, state: State, seat: int, options: Sequence[Option[AnyMove]]) -> list[float]:
        table = Table(state, seat)
        return [self.worth_of(table, option.move) for option in options]

    def worth_of(self, table: Table, move: AnyMove) -> float:
        if isinstance(move, Draw):
            return table.after_draw()
        if isinstance(move, Place):
            return table.after_place(move.row, table.state.drawn)
        return table.after_take(move.row)

    def playout_move(self, state: State, seat: int, dice: Dice) -> AnyMove:
        options = self.options(state, seat, dice)
        if len(options) == 1:
            return options[0].move
        worth = self.worth(state, seat, options)
        return options[worth.index(max(worth))].move

    def is_horizon(self, start: State, state: State) -> bool:
        """Return whether a new round has started. Playouts stop at this point."""
        return state.over or not (state.drawn or any(state.rows) or any(state.took))

    def chances(self, state: State) -> Sequence[float]:
        points = totals(state.finished, state.options.scoring, state.seats)
        if state.over:
            return shared_wins(points)
        rounds = min(LONGEST, rounds_to_come(state) + 1)
        hoped = [potential(hand, state.colours, state.options.scoring, rounds) for hand in state.hands]
        deals_to_come = state.options.deals - state.deal
        spread = LUCK[0] + LUCK[1] * sqrt(rounds + 6 * deals_to_come)
        expected = [mine + more for mine, more in zip(points, hoped, strict=True)]
        weights = [exp((mine - max(expected)) / spread) for mine in expected]
        return [weight / sum(weights) for weight in weights]


def shared_wins(points: tuple[int, ...]) -> list[float]:
    best = max(points)
    return [1 / points.count(best) if mine == best else 0.0 for mine in points]

"""Count how often players have to visit a match, with and without standing orders.

The players are bots. A visit is everything one player does before somebody else acts in person. For example, a player
who bids last and then picks first visits once. Players with orders write them during their visits, as a person would.
In Coloretto, the orders are rules of thumb. In Colorado County, they repeat the bid with its plan if a sale returns it,
and answer sales.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games.engine.colorado_county.appraisal import AUCTIONS
from games.engine.colorado_county.geometry import NAMES, OWNERS, squares_with
from games.engine.colorado_county.state import ROUNDS, Bid, Sale
from games.engine.dice import Dice
from games.engine.orders import Play, Reading, decide, read
from games.engine.registry import AnyEngine, engine
from tests.games.engine.colorado_county import bot

COLORETTO, COUNTY = engine("coloretto"), engine("colorado-county")
MATCHES = 20
FEWER_VISITS = 0.5
"""The target for Coloretto, as a share of the visits without orders."""
VISITS_PER_AUCTION = {3: 0.8, 4: 1.1}
RULES_OF_THUMB = (
    "take any worth 5",
    "draw if no row is worth 3",
    "place where it is worth least to the others",
    "ask me if the last round card appears",
    "ask me if I draw a joker",
)

Decider = Callable[[Any, int, Dice], Any]
Writer = Callable[[Any, int, Any], Sequence[str]]
"""Returns the orders that a player leaves behind on a visit, given the position, their seat and their move."""


class Strategy(NamedTuple):
    """How to play: the moves that players make themselves, and the standing orders that they give."""

    name: str
    move: Decider
    orders: Writer


@dataclass
class Player:
    strategy: Strategy
    visits: int = 0
    lines: list[tuple[Reading, int]] = field(default_factory=list)
    """The player's orders, each with the last game, round or auction to which it applies."""

    def leave_orders(self, game: AnyEngine, state: Any, seat: int, move: Any) -> None:
        language, view = language_of(game), game.view(state, seat)
        given = [read(language, order) for order in self.strategy.orders(state, seat, move)]
        self.lines = [(one, language.starts(one.unit, view) + one.span - 1) for one in given]

    def ordered_move(self, game: AnyEngine, state: Any, seat: int) -> Any:
        """Return the move that the player's orders make, or None if no order applies."""
        language, view = language_of(game), game.view(state, seat)
        valid = [one.rule for one, last in self.lines if language.units[one.unit](view) <= last]
        decision = decide(valid, view, game.choices(state, seat))
        if isinstance(decision, Play) and game.refusal(state, seat, decision.move) is None:
            return decision.move
        return None


def language_of(game: AnyEngine) -> Any:
    assert game.orders is not None, "this game has standing orders"
    return game.orders


def no_orders(_state: Any, _seat: int, _move: Any) -> Sequence[str]:
    return ()


def coloretto_move(state: Any, seat: int, dice: Dice) -> Any:
    assert COLORETTO.strategy is not None
    return COLORETTO.strategy.playout_move(state, seat, dice)


def rules_of_thumb(_state: Any, _seat: int, _move: Any) -> Sequence[str]:
    return RULES_OF_THUMB


def county_move(state: Any, seat: int, dice: Dice) -> Any:
    return bot.decide(state, seat, dice, plans=False)


def planned_move(state: Any, seat: int, dice: Dice) -> Any:
    return bot.decide(state, seat, dice, plans=True)


def bid_and_answers(state: Any, seat: int, move: Any) -> Sequence[str]:
    """Return orders that repeat the bid and answer sales according to which squares this player wants."""
    bid = [COUNTY.notation(move)] if isinstance(move, Bid) and move.cowboys else []
    wanted = [NAMES[square] for square in others_land(state, seat) if wants(state, seat, square)]
    answer = f"interested in {' '.join(wanted)} only" if wanted else "never interested"
    return [*bid, answer, "offer my lowest 2", "pick where it is worth most to me"]


def others_land(state: Any, seat: int) -> list[int]:
    return [
        square for other in range(state.seats) if other != seat for square in squares_with(state.board, OWNERS[other])
    ]


def wants(state: Any, seat: int, square: int) -> bool:
    from msgspec.structs import replace

    return bot.wants(replace(state, sale=Sale(seller=0, square=square)), seat)


ALONE = Strategy("without", coloretto_move, no_orders)
RULES = Strategy("with rules", coloretto_move, rules_of_thumb)
COUNTY_ALONE = Strategy("without", county_move, no_orders)
PLANS = Strategy("with plans", planned_move, no_orders)
ORDERS = Strategy("with orders", planned_move, bid_and_answers)


def report() -> Iterator[str]:
    yield f"visits: Coloretto and Colorado County played by bots; visits per player, mean of {MATCHES} matches"
    yield f"{'game':<17}{'players':<9}{'orders':<13}{'per match':>11}{'per auction':>13}"
    for seats in COLORETTO.seats:
        without, ordered = [visits(COLORETTO, seats, strategy) for strategy in (ALONE, RULES)]
        yield line(COLORETTO, seats, ALONE, without)
        yield line(COLORETTO, seats, RULES, ordered)
        yield target(
            f"Coloretto, {seats} players: {FEWER_VISITS:.0%} of the visits", ordered / without, FEWER_VISITS, "%"
        )
    yield strength(COLORETTO, RULES, ALONE)
    for seats in COUNTY.seats:
        auctions = AUCTIONS[seats] * ROUNDS
        for strategy in (COUNTY_ALONE, PLANS, ORDERS):
            each = visits(COUNTY, seats, strategy)
            yield line(COUNTY, seats, strategy, each, f"{each / auctions:>13.2f}")
        if seats == 3:
            yield strength(COUNTY, ORDERS, PLANS)
        if asked := VISITS_PER_AUCTION.get(seats):
            yield target(f"Colorado County, {seats} players: {asked} visits per auction", each / auctions, asked)


def strength(game: AnyEngine, strategy: Strategy, rival: Strategy, seats: int = 3) -> str:
    """Compare a player who gives orders with players who don't. Orders should save visits without costing points."""
    points: list[tuple[int, float]] = []
    for number in range(2 * MATCHES):
        own = number % seats
        players = [Player(strategy if seat == own else rival) for seat in range(seats)]
        found = game.outcome(play(game, number, players))
        assert found is not None, "the match is over"
        points.append((found.points[own], (sum(found.points) - found.points[own]) / (seats - 1)))
    mine, others = (sum(each) / len(points) for each in zip(*points, strict=True))
    theirs = f"the others, {rival.name}: {others:.1f} points"
    return f"{game.title}, one of {seats} {strategy.name}: {mine:.1f} points; {theirs}"


def line(game: AnyEngine, seats: int, strategy: Strategy, each: float, more: str = "") -> str:
    return f"{game.title:<17}{seats:<9}{strategy.name:<13}{each:>11.1f}{more}"


def target(asked: str, found: float, most: float, unit: str = "") -> str:
    shown = f"{found:.0%}" if unit else f"{found:.2f}"
    return f"  target: {asked}; measured {shown}: {'met' if found <= most else 'MISSED'}"


def visits(game: AnyEngine, seats: int, strategy: Strategy) -> float:
    """Return the mean number of visits per player and match."""
    players = [Player(strategy) for _ in range(seats)]
    for number in range(MATCHES):
        for player in players:
            player.lines = []
        play(game, number, players)
    return sum(player.visits for player in players) / MATCHES / seats


def play(game: AnyEngine, number: int, players: Sequence[Player]) -> Any:
    """Play a match, count the players' visits, and return the final position."""
    dice, will, last = Dice(number.to_bytes(32, "big")), Dice(number.to_bytes(32, "big"), 1), -1
    state = game.new_match(len(players), game.options(), dice).state
    while awaited := game.awaiting(state):
        ordered = first_ordered(game, state, sorted(awaited), players)
        if ordered:
            seat, move = ordered
        else:
            seat = last if last in awaited else will.choice(sorted(awaited))
            move = players[seat].strategy.move(state, seat, will)
            players[seat].visits += seat != last
            players[seat].leave_orders(game, state, seat, move)
            last = seat
        state = game.play(state, seat, move, dice).state
    return state


def first_ordered(
    game: AnyEngine, state: Any, awaited: Sequence[int], players: Sequence[Player]
) -> tuple[int, Any] | None:
    for seat in awaited:
        move = players[seat].ordered_move(game, state, seat) if players[seat].lines else None
        if move is not None:
            return seat, move
    return None

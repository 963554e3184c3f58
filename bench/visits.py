"""Count how often a Colorado County player has to visit a match, with and without planning picks in advance.

Bots play. A visit is everything one player does before somebody else acts. For example, a player who bids last and then
picks first visits once.
"""

from collections import Counter
from collections.abc import Iterator

from games.engine.dice import Dice
from games.engine.registry import engine
from tests.games.engine.colorado_county.bot import decide

GAME = engine("colorado-county")
MATCHES = 20
REASONS = {"bid": "bids", "pick": "picks", "sell": "sales", "answer": "sales", "offer": "sales"}


def report() -> Iterator[str]:
    yield f"visits: Colorado County played by bots; visits per player and match, mean of {MATCHES} matches"
    yield f"{'players':<10}{'plans':<10}" + "".join(f"{reason:>9}" for reason in ("bids", "picks", "sales", "total"))
    for seats in GAME.seats:
        without, planned = visits(seats, plans=False), visits(seats, plans=True)
        yield f"{seats:<10}{'without':<10}{columns(without, seats)}"
        yield f"{seats:<10}{'with':<10}{columns(planned, seats)}{1 - planned.total() / without.total():>9.0%} fewer"


def columns(counted: Counter[str], seats: int) -> str:
    each = [counted[reason] / MATCHES / seats for reason in ("bids", "picks", "sales")]
    return "".join(f"{number:>9.1f}" for number in (*each, sum(each)))


def visits(seats: int, *, plans: bool) -> Counter[str]:
    """Return the visits of all players in all matches, by their first move."""
    counted: Counter[str] = Counter()
    for number in range(MATCHES):
        counted.update(REASONS[move] for move in first_moves(seats, number, plans=plans))
    return counted


def first_moves(seats: int, number: int, *, plans: bool) -> Iterator[str]:
    dice, will, last = Dice(number.to_bytes(32, "big")), Dice(number.to_bytes(32, "big"), 1), -1
    state = GAME.new_match(seats, GAME.options(), dice).state
    while awaited := GAME.awaiting(state):
        seat = last if last in awaited else will.choice(sorted(awaited))
        move = decide(state, seat, will, plans=plans)
        if seat != last:
            yield type(move).__name__.lower()
        state, last = GAME.play(state, seat, move, dice).state, seat

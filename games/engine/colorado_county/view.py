"""What a player or a spectator may know. The view is built field by field."""

from functools import lru_cache
from typing import Literal

from games.engine.colorado_county import flags, state
from games.engine.colorado_county.geometry import LAKES, NAMES, OWNERS, WIDTH, names, squares_with
from games.engine.colorado_county.lakes import Lakes, fields
from games.engine.colorado_county.scoring import Score, score
from games.engine.colorado_county.state import ROUNDS, Options, Phase, Pick, SealedMove, State, awaiting
from games.engine.records import Record


class LakeView(Record, frozen=True):
    value: int
    squares: tuple[str, ...]
    fields: tuple[str, ...]
    holder: int | None


class CardView(Record, frozen=True):
    number: int
    card: str
    colour: str
    text: str
    taken_by: int | None


class SaleView(Record, frozen=True):
    seller: int
    square: str
    interested: tuple[int, ...]
    """The seats that want the land, once they have been revealed."""


class PlayerView(Record, frozen=True):
    seat: int
    cowboys: int
    cubes: int
    tokens: int
    sales: int
    """The number of squares that the player has sold in this round."""
    committed: bool
    land: tuple[str, ...]
    bid: tuple[int, ...] | None
    """The player's revealed bid, while cards are being picked."""
    score_now: Score
    """The score that the player would have if the round ended now."""
    total: int
    """The player's points from finished rounds."""


class View(Record, frozen=True):
    seat: int | None
    awaiting: tuple[int, ...]
    phase: Phase
    options: Options
    round: int
    rounds: int
    board: tuple[str, ...]
    """The board, with one string per row and one character per square. '.' is free land, a digit is a lake's value, R,
    G, O and B are flags, '?' is a face-down flag, and a to d are the cubes of seats 0 to 3."""
    flags: dict[str, tuple[str, ...]]
    lakes: tuple[LakeView, ...]
    cards: tuple[CardView, ...]
    deck: int
    bag: int
    order: tuple[int, ...]
    """The seats that still have to pick, starting with the next one."""
    sale: SaleView | None
    players: tuple[PlayerView, ...]
    cowboys: tuple[int, ...]
    """The viewer's own cowboys. Spectators have none."""
    sealed: SealedMove | None
    """The viewer's own sealed move."""
    plan: tuple[Pick, ...]
    """The viewer's own plan, until they have picked."""
    scores: tuple[tuple[Score, ...], ...]
    """The scores of each finished round, by seat."""
    over: bool
    schema: Literal[1] = 1


def view(state: State, seat: int | None) -> View:
    return View(
        seat=seat,
        awaiting=tuple(sorted(awaiting(state))),
        phase=state.phase,
        options=state.options,
        round=state.round,
        rounds=ROUNDS,
        board=view_board(state.board),
        flags=flags.by_colour(state.board),
        lakes=view_lakes(state.lakes, state.holders),
        cards=view_cards(state.turned_up, state.takers),
        deck=len(state.deck),
        bag=len(state.bag),
        order=state.order,
        sale=view_sale(state),
        players=tuple(view_players(state)),
        cowboys=() if seat is None else state.hands[seat],
        sealed=None if seat is None else state.sealed[seat],
        plan=state.plans[seat] if seat in state.order and seat is not None else (),
        scores=state.scores,
        over=state.phase == "over",
    )


@lru_cache(maxsize=256)
def view_board(board: str) -> tuple[str, ...]:
    return tuple(board[start : start + WIDTH] for start in range(0, len(board), WIDTH))


@lru_cache(maxsize=256)
def view_lakes(lakes: Lakes, holders: tuple[int | None, ...]) -> tuple[LakeView, ...]:
    together = zip(LAKES, lakes, fields(lakes), holders, strict=True)
    return tuple(
        LakeView(int(value), names(squares), names(sorted(shore)), holder) for value, squares, shore, holder in together
    )


@lru_cache(maxsize=256)
def view_cards(turned_up: tuple[str, ...], takers: tuple[int | None, ...]) -> tuple[CardView, ...]:
    return tuple(
        CardView(number, card, state.colour(card), state.name(card), taker)
        for number, (card, taker) in enumerate(zip(turned_up, takers, strict=True), start=1)
    )


def view_sale(state: State) -> SaleView | None:
    if state.sale is None:
        return None
    interested = state.asked if state.phase == "offers" else ()
    return SaleView(state.sale.seller, NAMES[state.sale.square], interested)


def view_players(state: State) -> list[PlayerView]:
    now = score(state.board, state.holders, state.seats, state.round)
    land, totals = lands(state.board), state.totals
    return [
        PlayerView(
            seat=seat,
            cowboys=len(state.hands[seat]),
            cubes=state.cubes[seat],
            tokens=state.tokens[seat],
            sales=state.sales[seat],
            committed=state.sealed[seat] is not None,
            land=land[seat],
            bid=state.revealed[seat] if state.phase == "picks" else None,
            score_now=now[seat],
            total=totals[seat],
        )
        for seat in range(state.seats)
    ]


@lru_cache(maxsize=256)
def lands(board: str) -> tuple[tuple[str, ...], ...]:
    """Count how many squares each seat has sold in this round."""
    return tuple(names(squares_with(board, owner)) for owner in OWNERS)

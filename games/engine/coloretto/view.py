"""What a player or a spectator may know: everything except the order of the supply."""

from functools import lru_cache
from typing import Literal

from games.engine.coloretto.scoring import score, totals
from games.engine.coloretto.state import LAST_ROUND, ROW_ROOM, SHOWN, UNDER_LAST_ROUND, Edition, Score, Scoring, State
from games.engine.records import Record


class RowView(Record, frozen=True):
    row: int
    room: int
    cards: str
    taken_by: int | None


class PlayerView(Record, frozen=True):
    seat: int
    hand: str
    score_now: Score
    """The score that the player would have if the game ended now."""
    total: int
    """The player's points from finished games."""


class View(Record, frozen=True):
    seat: int | None
    awaiting: tuple[int, ...]
    edition: Edition
    scoring: Scoring
    game: int
    games: int
    starter: int
    colours: str
    supply: int
    until_last_round: int | None
    """The number of cards above the last-round card, or None once that card has been revealed."""
    drawn: str
    rows: tuple[RowView, ...]
    players: tuple[PlayerView, ...]
    over: bool
    schema: Literal[1] = 1


def view(state: State, seat: int | None) -> View:
    hidden_below = UNDER_LAST_ROUND[state.options.edition]
    return View(
        seat=seat,
        awaiting=() if state.over else (state.to_move,),
        edition=state.options.edition,
        scoring=state.options.scoring,
        game=state.deal,
        games=state.options.deals,
        starter=state.starter,
        colours=state.colours,
        supply=len(state.supply) - (not state.last_round),
        until_last_round=None if state.last_round else len(state.supply) - hidden_below - len(LAST_ROUND),
        drawn=state.drawn,
        rows=view_rows(ROW_ROOM[state.seats], state.rows, (None,) * state.seats if state.over else state.took),
        players=view_players(state),
        over=state.over,
    )


@lru_cache(maxsize=256)
def view_rows(
    rooms: tuple[int, ...], rows: tuple[str | None, ...], took: tuple[int | None, ...]
) -> tuple[RowView, ...]:
    takers = {row: seat for seat, row in enumerate(took) if row is not None}
    return tuple(
        RowView(row, room, cards or "", takers.get(row))
        for row, (room, cards) in enumerate(zip(rooms, rows, strict=True), start=1)
    )


def view_players(state: State) -> tuple[PlayerView, ...]:
    points = totals(state.finished, state.options.scoring, state.seats)
    return tuple(
        PlayerView(
            seat,
            in_order(hand),
            score(hand, state.colours, state.options.scoring),
            points[seat],
        )
        for seat, hand in enumerate(state.hands)
    )


@lru_cache(maxsize=1024)
def in_order(cards: str) -> str:
    """Sort colors by letter, followed by +2 and jokers."""
    return "".join(sorted(cards, key=SHOWN.index))

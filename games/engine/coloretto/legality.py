"""Determine what a seat may do now, and explain why other moves are refused."""

from functools import lru_cache

from games.engine.choices import Choices
from games.engine.coloretto.state import ROW_ROOM, AnyMove, Draw, Place, State, Take
from games.engine.coloretto.wording import notation
from games.engine.dice import Dice
from games.engine.errors import IllegalMove
from games.engine.text import counted, listing

DRAW = Draw()
PLACES = tuple(Place(row) for row in range(1, 6))
TAKES = tuple(Take(row) for row in range(1, 6))


def rows_with_room(state: State) -> list[int]:
    """Return the indexes of the rows where a drawn card may be placed."""
    room = ROW_ROOM[state.seats]
    return [i for i, cards in enumerate(state.rows) if cards is not None and len(cards) < room[i]]


def rows_to_take(state: State) -> list[int]:
    """Return the indexes of the rows that have at least one card and have not been taken."""
    return [i for i, cards in enumerate(state.rows) if cards]


def choices(state: State, seat: int) -> Choices[AnyMove]:
    if state.over or seat != state.to_move:
        return Choices()
    if state.drawn:
        return Choices(tuple([PLACES[i] for i in rows_with_room(state)]))
    takes: list[AnyMove] = [TAKES[i] for i in rows_to_take(state)]
    return Choices((DRAW, *takes) if rows_with_room(state) else tuple(takes))


def sample(state: State, seat: int, dice: Dice) -> AnyMove:
    """Choose a random move without listing all of them."""
    assert seat == state.to_move, "only the seat to move has a choice"
    rows, room = state.rows, ROW_ROOM[state.seats]
    if state.drawn:
        places = [PLACES[i] for i, cards in enumerate(rows) if cards is not None and len(cards) < room[i]]
        return places[dice.below(len(places))]
    takes = [TAKES[i] for i, cards in enumerate(rows) if cards]
    can_draw = "" in rows or bool(rows_with_room(state))
    pick = dice.below(can_draw + len(takes))
    return DRAW if pick < can_draw else takes[pick - can_draw]


def refusal(state: State, seat: int, move: AnyMove) -> IllegalMove | None:
    if state.over:
        return IllegalMove("match_over", "The match is over.", "Look at the result.")
    if seat != state.to_move:
        return IllegalMove("not_your_turn", "It isn't your turn.", "Wait for your turn.", awaited=[state.to_move])
    if isinstance(move, Draw):
        return draw_refusal(state)
    if isinstance(move, Place):
        return place_refusal(state, move.row)
    return take_refusal(state, move.row)


def draw_refusal(state: State) -> IllegalMove | None:
    if state.drawn:
        return place_first(state)
    if not rows_with_room(state):
        rows = numbers(rows_to_take(state))
        return IllegalMove("rows_full", "No row has room for another card.", instead(state), rows=rows)
    return None


def place_refusal(state: State, row: int) -> IllegalMove | None:
    if not state.drawn:
        return IllegalMove("draw_first", "You haven't drawn a card yet.", instead(state))
    exists = 0 < row <= len(state.rows)
    held = state.rows[row - 1] if exists else None
    if held is not None and len(held) < ROW_ROOM[state.seats][row - 1]:
        return None
    room = numbers(rows_with_room(state))
    if held is None:
        return row_not_there(state, row, room=room)
    full = f"Row {row} already holds {counted(len(held), 'card')}."
    return IllegalMove("row_full", full, instead(state), row=row, room=room)


def take_refusal(state: State, row: int) -> IllegalMove | None:
    if state.drawn:
        return place_first(state)
    held = state.rows[row - 1] if 0 < row <= len(state.rows) else None
    if held:
        return None
    rows = numbers(rows_to_take(state))
    if held is None:
        return row_not_there(state, row, rows=rows)
    return IllegalMove("row_empty", f"Row {row} is empty.", instead(state), row=row, rows=rows)


def place_first(state: State) -> IllegalMove:
    room = numbers(rows_with_room(state))
    return IllegalMove("place_first", "You have drawn a card. Place it first.", instead(state), room=room)


def row_not_there(state: State, row: int, **data: list[int]) -> IllegalMove:
    if 0 < row <= len(state.rows):
        gone = f"Row {row} has been taken this round."
        return IllegalMove("row_gone", gone, instead(state), row=row, **data)
    missing = f"There is no row {row}. Rows go from 1 to {len(state.rows)}."
    return IllegalMove("no_such_row", missing, instead(state), row=row, **data)


def numbers(indexes: list[int]) -> list[int]:
    return [index + 1 for index in indexes]


def instead(state: State) -> str:
    return written(choices(state, state.to_move).moves)


@lru_cache(maxsize=256)
def written(moves: tuple[AnyMove, ...]) -> str:
    orders = [f"'{notation(move)}'" for move in moves]
    return f"Try {listing(orders, 'or')}."

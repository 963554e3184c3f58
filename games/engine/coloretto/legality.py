"""What a seat may do now, and in which words anything else is refused."""

from games.engine.choices import Choices
from games.engine.coloretto.moves import AnyMove, Draw, Place, Take
from games.engine.coloretto.options import ROW_ROOM
from games.engine.coloretto.state import State
from games.engine.errors import IllegalMove
from games.engine.text import counted

DRAW = Draw()
PLACES = tuple(Place(row) for row in range(1, 6))
TAKES = tuple(Take(row) for row in range(1, 6))


def rows_with_room(state: State) -> list[int]:
    """Indexes of the rows that a drawn card may go to."""
    room = ROW_ROOM[state.seats]
    return [i for i, cards in enumerate(state.rows) if cards is not None and len(cards) < room[i]]


def rows_to_take(state: State) -> list[int]:
    """Indexes of the rows that are there and hold at least one card."""
    return [i for i, cards in enumerate(state.rows) if cards]


def choices(state: State, seat: int) -> Choices[AnyMove]:
    if state.over or seat != state.to_move:
        return Choices()
    if state.drawn:
        return Choices(tuple([PLACES[i] for i in rows_with_room(state)]))
    takes: list[AnyMove] = [TAKES[i] for i in rows_to_take(state)]
    return Choices((DRAW, *takes) if rows_with_room(state) else tuple(takes))


def refusal(state: State, seat: int, move: AnyMove) -> IllegalMove | None:
    if state.over:
        return IllegalMove("match_over", "The match is over.", "Look at the result.")
    if seat != state.to_move:
        return IllegalMove(
            "not_your_turn", "It is another player's turn.", "Wait for your notice.", awaited=[state.to_move]
        )
    if isinstance(move, Draw):
        return draw_refusal(state)
    if isinstance(move, Place):
        return place_refusal(state, move.row)
    return take_refusal(state, move.row)


def draw_refusal(state: State) -> IllegalMove | None:
    if state.drawn:
        room = numbers(rows_with_room(state))
        return IllegalMove(
            "place_first", "You have drawn a card and must place it first.", say("place", room), room=room
        )
    if not rows_with_room(state):
        rows = numbers(rows_to_take(state))
        return IllegalMove("rows_full", "No row has room for another card.", say("take", rows), rows=rows)
    return None


def place_refusal(state: State, row: int) -> IllegalMove | None:
    if not state.drawn:
        return IllegalMove("draw_first", "You have not drawn a card yet.", "Write 'draw' first.")
    exists = 0 < row <= len(state.rows)
    held = state.rows[row - 1] if exists else None
    if held is not None and len(held) < ROW_ROOM[state.seats][row - 1]:
        return None
    room = numbers(rows_with_room(state))
    if not exists:
        return no_such_row(state, row, say("place", room))
    if held is None:
        return IllegalMove("row_gone", f"Row {row} has been taken this round.", say("place", room), row=row, room=room)
    return IllegalMove(
        "row_full",
        f"Row {row} already holds {counted(len(held), 'card')}.",
        say("place", room),
        row=row,
        room=room,
    )


def take_refusal(state: State, row: int) -> IllegalMove | None:
    if state.drawn:
        return draw_refusal(state)
    exists = 0 < row <= len(state.rows)
    if exists and state.rows[row - 1]:
        return None
    rows = numbers(rows_to_take(state))
    hint = say("take", rows) if rows else "Write 'draw'."
    if not exists:
        return no_such_row(state, row, hint)
    if state.rows[row - 1] is None:
        return IllegalMove("row_gone", f"Row {row} has been taken this round.", hint, row=row, rows=rows)
    return IllegalMove("row_empty", f"Row {row} holds no card yet.", hint, row=row, rows=rows)


def no_such_row(state: State, row: int, hint: str) -> IllegalMove:
    return IllegalMove("no_such_row", f"There is no row {row}; the rows are 1 to {len(state.rows)}.", hint, row=row)


def numbers(indexes: list[int]) -> list[int]:
    return [index + 1 for index in indexes]


def say(verb: str, rows: list[int]) -> str:
    return "Write " + " or ".join(f"'{verb} {row}'" for row in rows) + "."

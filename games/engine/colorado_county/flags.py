"""The flags of a round: twelve on free land, none beside another while there is room for that."""

from collections.abc import Callable, Sequence

from games.engine.colorado_county.board import (
    FACE_DOWN,
    FLAGS,
    FREE,
    LAKES,
    NAMES,
    NEIGHBOURS,
    OWNERS,
    SQUARES,
    mark,
    no_square,
    squares_with,
)
from games.engine.colorado_county.options import FLAGS_PER_COLOUR
from games.engine.dice import Dice
from games.engine.errors import IllegalMove

ALL_FLAGS = FLAGS_PER_COLOUR * "".join(FLAGS)
TAKE_AWAY = str.maketrans(dict.fromkeys(FLAGS, FREE))


def without_flags(board: str) -> str:
    return board.translate(TAKE_AWAY)


def count(board: str) -> int:
    return sum(board.count(letter) for letter in (*FLAGS, FACE_DOWN))


def open_squares(board: str) -> list[int]:
    """Where the next flag may go: beside no other flag, unless no such square is left."""
    flagged = [square for letter in (*FLAGS, FACE_DOWN) for square in squares_with(board, letter)]
    beside = {near for square in flagged for near in NEIGHBOURS[square]}
    free = free_squares(board)
    return [square for square in free if square not in beside] or free


def free_squares(board: str) -> list[int]:
    return [square for square, letter in enumerate(board) if letter == FREE]


def choose_squares(board: str, count: int, choice: Callable[[Sequence[int]], int]) -> list[int]:
    """Squares for so many flags, each chosen from those that are open after the ones before."""
    chosen: list[int] = []
    open_now = open_squares(board)
    for _ in range(count):
        square = choice(open_now)
        chosen.append(square)
        board = mark(board, square, FACE_DOWN)
        closed = (square, *NEIGHBOURS[square])
        open_now = [other for other in open_now if other not in closed] or open_squares(board)
    return chosen


def random_squares(board: str, count: int, dice: Dice) -> list[int]:
    return choose_squares(board, count, dice.choice)


def first_squares(board: str, count: int) -> list[int]:
    return choose_squares(board, count, min)


def lay(board: str, squares: list[int], letters: str) -> str:
    for square, letter in zip(squares, letters, strict=True):
        board = mark(board, square, letter)
    return board


def lay_by_lot(board: str, dice: Dice) -> str:
    return lay(board, random_squares(board, len(ALL_FLAGS), dice), ALL_FLAGS)


def turn_up(board: str, dice: Dice) -> str:
    """Which colour lies where has been left to chance, as nobody could see it while placing."""
    return lay(board, squares_with(board, FACE_DOWN), "".join(dice.shuffle(ALL_FLAGS)))


def by_colour(board: str) -> dict[str, tuple[str, ...]]:
    return {letter: tuple(NAMES[square] for square in squares_with(board, letter)) for letter in FLAGS}


def refusal(board: str, count: int, squares: tuple[str, ...]) -> IllegalMove | None:
    if len(squares) != count:
        return IllegalMove(
            "flag_count",
            f"You place {count} flags, and you named {len(squares)} squares.",
            f"Write 'flags' and {count} squares.",
            count=count,
        )
    for square in squares:
        refused = one_refusal(board, square)
        if refused:
            return refused
        board = mark(board, SQUARES[square], FACE_DOWN)
    return None


def one_refusal(board: str, square: str) -> IllegalMove | None:
    """Why the next flag may not go there, after those named before it."""
    open_now = [NAMES[other] for other in open_squares(board)]
    if square in open_now:
        return None
    code, reason = reason_against(board, square)
    hint = f"Open squares are for example {' '.join(open_now[:8])}."
    return IllegalMove(code, reason, hint, square=square, allowed=open_now)


def reason_against(board: str, square: str) -> tuple[str, str]:
    if square not in SQUARES:
        return "off_board", no_square(square)
    there = board[SQUARES[square]]
    if there in LAKES:
        return "lake", f"{square} is part of a lake."
    if there in OWNERS:
        return "occupied", f"There is a cube on {square}."
    if there != FREE:
        return "flag_there", f"There is a flag on {square} already."
    beside = [near for near in NEIGHBOURS[SQUARES[square]] if board[near] in (*FLAGS, FACE_DOWN)]
    return "flag_beside_flag", f"{square} lies beside the flag on {NAMES[beside[0]]}."

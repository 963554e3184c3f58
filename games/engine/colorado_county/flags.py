"""Place a round's twelve flags on free land. Flags may be next to each other only if there is no other room."""

from functools import lru_cache
from itertools import chain, combinations

from games.engine.colorado_county.geometry import (
    AROUND,
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
from games.engine.colorado_county.state import FLAGS_PER_COLOUR
from games.engine.dice import Dice
from games.engine.errors import IllegalMove
from games.engine.text import counted

ALL_FLAGS = FLAGS_PER_COLOUR * "".join(FLAGS)
ALL_MARKS = (*FLAGS, FACE_DOWN)
TAKE_AWAY = str.maketrans(dict.fromkeys(FLAGS, FREE))


def without_flags(board: str) -> str:
    return board.translate(TAKE_AWAY)


def count(board: str) -> int:
    return sum(board.count(letter) for letter in ALL_MARKS)


def free_squares(board: str) -> list[int]:
    return [square for square, letter in enumerate(board) if letter == FREE]


def beside_flags(board: str) -> set[int]:
    flagged = [square for letter in ALL_MARKS for square in squares_with(board, letter)]
    return {near for square in flagged for near in NEIGHBOURS[square]}


def open_squares(board: str) -> list[int]:
    """Return the squares where the next flag can go: free land that is not next to a flag or, if there is none left,
    all free land.
    """
    free, beside = free_squares(board), beside_flags(board)
    return [square for square in free if square not in beside] or free


def random_squares(board: str, count: int, dice: Dice) -> list[int]:
    """Choose random squares for the flags on a board without flags.

    If the square that is drawn is not open, another one is drawn.
    """
    chosen: list[int] = []
    free = free_squares(board)
    left, opened = set(free), set(free)
    while len(chosen) < count:
        square = free[dice.below(len(free))]
        if square in (opened or left):
            chosen.append(square)
            opened -= AROUND[square]
            left.discard(square)
    return chosen


def first_squares(board: str, count: int) -> list[int]:
    """Choose the first open square for each flag."""
    chosen: list[int] = []
    while len(chosen) < count:
        closed: set[int] = set()
        for square in open_squares(face_down(board, chosen)):
            if square not in closed:
                chosen.append(square)
                closed |= AROUND[square]
            if len(chosen) == count:
                break
    return chosen


def lay(board: str, squares: list[int], letters: str) -> str:
    marks = list(board)
    for square, letter in zip(squares, letters, strict=True):
        marks[square] = letter
    return "".join(marks)


def face_down(board: str, squares: list[int]) -> str:
    return lay(board, squares, FACE_DOWN * len(squares))


def place_at_random(board: str, dice: Dice) -> str:
    return lay(board, random_squares(board, len(ALL_FLAGS), dice), ALL_FLAGS)


def turn_up(board: str, dice: Dice) -> str:
    """Turn up the flags. Their colors are assigned only now, because nobody could see them when the flags were
    placed."""
    return lay(board, squares_with(board, FACE_DOWN), "".join(dice.shuffle(ALL_FLAGS)))


def by_colour(board: str) -> dict[str, tuple[str, ...]]:
    return dict(zip(FLAGS, flagged(board), strict=True))


@lru_cache(maxsize=256)
def flagged(board: str) -> tuple[tuple[str, ...], ...]:
    """Return the squares of the flags, grouped by color."""
    return tuple(tuple(NAMES[square] for square in squares_with(board, letter)) for letter in FLAGS)


def refusal(board: str, count: int, squares: tuple[str, ...]) -> IllegalMove | None:
    if len(squares) != count:
        return IllegalMove(
            "flag_count",
            f"You have {counted(count, 'flag')} to place, but named {counted(len(squares), 'square')}.",
            f"Write 'flags' and {counted(count, 'square')}.",
            count=count,
            allowed=[NAMES[square] for square in open_squares(board)],
        )
    after, refused = board, None
    for square in squares:
        if square in SQUARES and is_open(after, SQUARES[square]):
            after = mark(after, SQUARES[square], FACE_DOWN)
        else:
            refused = refused or one_refusal(after, square)
    return None if refused is None or is_possible_in_some_order(board, squares) else refused


def one_refusal(board: str, square: str) -> IllegalMove:
    """Return why the next flag cannot go on this square, given the squares already chosen."""
    open_now = [NAMES[other] for other in open_squares(board)]
    code, reason = reason_against(board, square)
    hint = f"Open squares include {' '.join(open_now[:8])}."
    return IllegalMove(code, reason, hint, square=square, allowed=open_now)


def is_open(board: str, square: int) -> bool:
    return board[square] == FREE and not any(board[near] in ALL_MARKS for near in NEIGHBOURS[square])


def is_possible_in_some_order(board: str, names: tuple[str, ...]) -> bool:
    """Return whether these squares are legal in some order, even though some of them touch. This requires that some of
    the flags can be placed first without touching, so that every other free square is next to one of them.
    """
    squares = [SQUARES.get(name, -1) for name in names]
    if len(set(squares)) < len(squares) or any(square < 0 or board[square] != FREE for square in squares):
        return False
    some = chain.from_iterable(combinations(squares, size) for size in range(len(squares)))
    return any(leaves_no_room(board, first) for first in some)


def leaves_no_room(board: str, squares: tuple[int, ...]) -> bool:
    """Return whether none of these flags touch and every other free square is next to one of them."""
    for square in squares:
        if not is_open(board, square):
            return False
        board = mark(board, square, FACE_DOWN)
    beside = beside_flags(board)
    return all(square in beside for square in free_squares(board))


def reason_against(board: str, square: str) -> tuple[str, str]:
    if square not in SQUARES:
        return "off_board", no_square(square)
    there = board[SQUARES[square]]
    if there in LAKES:
        return "lake", f"{square} is part of a lake."
    if there in OWNERS:
        return "occupied", f"{square} already has a cube."
    if there != FREE:
        return "flag_there", f"{square} already has a flag."
    beside = [near for near in NEIGHBOURS[SQUARES[square]] if board[near] in ALL_MARKS]
    return "flag_beside_flag", f"{square} is next to the flag on {NAMES[beside[0]]}."

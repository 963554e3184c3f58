"""The flags of a round: twelve on free land, none beside another while there is room for that."""

from collections.abc import Callable, Sequence

from games.engine.colorado_county.board import FACE_DOWN, FLAGS, FREE, NAMES, NEIGHBOURS, mark, squares_with
from games.engine.colorado_county.options import FLAGS_PER_COLOUR
from games.engine.dice import Dice

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
    free = [square for square, letter in enumerate(board) if letter == FREE]
    return [square for square in free if square not in beside] or free


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

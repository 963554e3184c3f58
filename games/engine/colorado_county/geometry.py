"""The squares of the board: columns A to O, rows 1 to 10.

Squares are numbered row by row, from 0 for A1 to 149 for O10. A board is a string of 150 letters, one for each square:
immutable, fast and readable.
"""

from collections.abc import Iterable

COLUMNS = "ABCDEFGHIJKLMNO"
ROWS = 10
WIDTH = len(COLUMNS)
SIZE = WIDTH * ROWS

FREE = "."
OWNERS = "abcd"
"""The letter for each seat's cubes."""
FLAGS = {"R": "red", "G": "green", "O": "orange", "B": "blue"}
FACE_DOWN = "?"
"""The letter for a flag whose color is still unknown."""
LAKES = "345678"
"""The squares of a lake show its value. No two lakes have the same value."""

NAMES = tuple(f"{column}{row}" for row in range(1, ROWS + 1) for column in COLUMNS)
SQUARES = {name: square for square, name in enumerate(NAMES)}


def step(square: int, right: int, down: int) -> int | None:
    """Return the square that is this many columns and rows away, if it is on the board."""
    row, column = divmod(square, WIDTH)
    row, column = row + down, column + right
    return row * WIDTH + column if 0 <= row < ROWS and 0 <= column < WIDTH else None


def steps(square: int, ways: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    reached = (step(square, right, down) for right, down in ways)
    return tuple(other for other in reached if other is not None)


SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
NEIGHBOURS = tuple(steps(square, SIDES) for square in range(SIZE))
"""For each square, the squares that share a side with it."""
AROUND = tuple(frozenset((square, *NEIGHBOURS[square])) for square in range(SIZE))
"""For each square, the square itself and its neighbors."""
BORDER = tuple(square for square in range(SIZE) if len(NEIGHBOURS[square]) < len(SIDES))


def names(squares: Iterable[int]) -> tuple[str, ...]:
    return tuple([NAMES[square] for square in squares])


def no_square(name: str) -> str:
    return f"There is no square {name[:8]}; the board goes from A1 to O10."


def squares_with(board: str, letter: str) -> list[int]:
    """Return all squares with this letter, starting at A1."""
    found, square = [], board.find(letter)
    while square >= 0:
        found.append(square)
        square = board.find(letter, square + 1)
    return found


def mark(board: str, square: int, letter: str) -> str:
    return board[:square] + letter + board[square + 1 :]


def groups(board: str, owner: str) -> list[int]:
    """Return the sizes of an owner's groups of adjacent squares, largest first."""
    left = set(squares_with(board, owner))
    sizes = []
    while left:
        group = [left.pop()]
        for square in group:
            near = left.intersection(NEIGHBOURS[square])
            if near:
                left -= near
                group += near
        sizes.append(len(group))
    return sorted(sizes, reverse=True)

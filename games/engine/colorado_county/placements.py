"""Find out where a card lets a player place cubes, and why other squares are refused."""

from functools import cache, lru_cache

from games.engine.colorado_county.geometry import (
    FLAGS,
    FREE,
    LAKES,
    NAMES,
    OWNERS,
    SQUARES,
    no_square,
    squares_with,
)
from games.engine.colorado_county.state import REACH, Pick, State, colour, name, pattern, stars
from games.engine.errors import IllegalMove
from games.engine.text import counted, listing

ON_NONE = [Pick(number) for number in range(4)]
ON_ONE = [[Pick(number, (name,)) for name in NAMES] for number in range(4)]
"""For each card number and square, the pick that uses only that square."""


@cache
def turns(number: int, pattern: str) -> list[list[tuple[int, Pick, Pick]]]:
    """List the ways to place a card with two stars, by the flag's square.

    Each way consists of the second star's square, the pick of both squares, and the pick of only the second square.
    """
    return [
        [
            (other, Pick(number, (NAMES[min(flag, other)], NAMES[max(flag, other)])), ON_ONE[number][other])
            for other in others
        ]
        for flag, others in enumerate(REACH[pattern])
    ]


def cubes_to_place(state: State, seat: int) -> int:
    """Return how many cubes the player can place: at most two per card."""
    return min(2, state.cubes[seat])


def picks(state: State, seat: int) -> tuple[Pick, ...]:
    """List every distinct pick of the remaining cards."""
    return listed_picks(state.board, state.turned_up, state.takers, cubes_to_place(state, seat))


@lru_cache(maxsize=256)
def listed_picks(
    board: str, turned_up: tuple[str, ...], takers: tuple[int | None, ...], cubes: int
) -> tuple[Pick, ...]:
    listed: list[Pick] = []
    for number, (card, taker) in enumerate(zip(turned_up, takers, strict=True), start=1):
        if taker is None:
            listed += card_picks(board, number, card, cubes)
    return tuple(listed)


def card_picks(board: str, number: int, card: str, cubes: int) -> list[Pick]:
    """List all distinct picks of one card: with both squares, only the flag's square, only the second square, or no
    square."""
    if not cubes:
        return [ON_NONE[number]]
    flags = squares_with(board, colour(card))
    by_flag = turns(number, pattern(card))
    on_both: list[Pick] = []
    on_other: dict[int, Pick] = {}
    for flag in flags:
        for other, both, alone in by_flag[flag]:
            if board[other] == FREE:
                on_both.append(both)
                on_other[other] = alone
    on_flags = [ON_ONE[number][flag] for flag in flags]
    return [*(on_both if cubes > 1 else ()), *on_flags, *on_other.values(), ON_NONE[number]]


def reach(board: str, card: str) -> dict[str, list[str]]:
    """Map each flag of the card's color to the possible squares for the second star."""
    return {
        NAMES[flag]: [NAMES[other] for other in REACH[pattern(card)][flag] if board[other] == FREE]
        for flag in squares_with(board, colour(card))
    }


def is_possible(state: State, seat: int, pick: Pick) -> bool:
    if not 1 <= pick.card <= len(state.turned_up) or state.takers[pick.card - 1] is not None:
        return False
    squares = [SQUARES.get(name, -1) for name in pick.squares]
    if -1 in squares or len(squares) > state.cubes[seat]:
        return False
    return fits(state.board, state.turned_up[pick.card - 1], squares)


def fits(board: str, card: str, squares: list[int]) -> bool:
    """Return whether this card allows cubes on these squares."""
    flag, other_stars = colour(card), REACH[pattern(card)]
    marks = [board[square] for square in squares]
    if marks == [FREE]:
        return any(board[near] == flag for near in other_stars[squares[0]])
    if marks == [flag, FREE]:
        return squares[1] in other_stars[squares[0]]
    if marks == [FREE, flag]:
        return squares[0] in other_stars[squares[1]]
    return marks in ([], [flag])


def refusal(state: State, seat: int, pick: Pick, order: str = "pick ") -> IllegalMove | None:
    """Return why this pick is illegal. `order` is the text before the card number, which is empty in a plan."""
    if is_possible(state, seat, pick):
        return None
    left = [number for number, taker in enumerate(state.takers, start=1) if taker is None]
    if not 1 <= pick.card <= len(state.turned_up):
        return IllegalMove(
            "no_such_card", f"There is no card {pick.card}.", f"Cards left: {numbers(left)}.", allowed=left
        )
    if pick.card not in left:
        return IllegalMove(
            "card_taken", f"Card {pick.card} has already been taken.", f"Cards left: {numbers(left)}.", allowed=left
        )
    code, reason = reason_against(state, seat, pick)
    allowed = allowed_for(state, seat, pick.card)
    return IllegalMove(code, reason, hint(order, pick.card, allowed), card=pick.card, allowed=allowed)


def numbers(cards: list[int]) -> str:
    return ", ".join(map(str, cards))


def allowed_for(state: State, seat: int, number: int) -> list[list[str]]:
    found = card_picks(state.board, number, state.turned_up[number - 1], cubes_to_place(state, seat))
    return [list(pick.squares) for pick in found]


def hint(order: str, number: int, allowed: list[list[str]]) -> str:
    examples = [f"'{order}{number} {' '.join(squares)}'" for squares in allowed[:3] if squares]
    orders = [*examples, f"'{order}{number} nothing'"]
    return f"Try {listing(orders, 'or')}."


def reason_against(state: State, seat: int, pick: Pick) -> tuple[str, str]:
    """Return the first rule that the pick breaks."""
    card = state.turned_up[pick.card - 1]
    unknown = [square for square in pick.squares if square not in SQUARES]
    if unknown:
        return "off_board", no_square(unknown[0])
    if len(set(pick.squares)) < len(pick.squares):
        return "same_square_twice", "A square can hold only one cube."
    if len(pick.squares) > stars(card):
        most = (
            "one star, so you can place one cube"
            if stars(card) == 1
            else "two stars, so you can place at most two cubes"
        )
        return "too_many_squares", f"Card {pick.card} has {most}."
    if len(pick.squares) > state.cubes[seat]:
        return "no_cubes", f"You have {counted(state.cubes[seat], 'cube')} left."
    for square in pick.squares:
        against = reason_against_square(state.board, card, square)
        if against:
            return against
    return reason_against_pattern(state.board, card, pick)


def reason_against_square(board: str, card: str, square: str) -> tuple[str, str] | None:
    mark = board[SQUARES[square]]
    if mark in LAKES:
        return "lake", f"{square} is part of a lake."
    if mark in OWNERS:
        return "occupied", f"{square} already has a cube."
    if mark in FLAGS and mark != colour(card):
        return (
            "wrong_flag_colour",
            f"The flag on {square} is {FLAGS[mark]}, but the card is {FLAGS[colour(card)]}.",
        )
    return None


def reason_against_pattern(board: str, card: str, pick: Pick) -> tuple[str, str]:
    on_flags = [square for square in pick.squares if board[SQUARES[square]] != FREE]
    if len(on_flags) > 1:
        return "flag_in_the_way", f"The second star can't be on a flag, and there is one on {on_flags[1]}."
    if not on_flags and (stars(card) == 1 or len(pick.squares) > 1):
        return "no_flag", f"One star must be on a {FLAGS[colour(card)]} flag."
    return "out_of_reach", f"Card {pick.card} ({name(card)}) can't reach that square from a {FLAGS[colour(card)]} flag."

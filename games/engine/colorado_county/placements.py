"""Where a card allows cubes, and why it does not elsewhere."""

from functools import lru_cache

from games.engine.colorado_county.board import FLAGS, FREE, LAKES, NAMES, OWNERS, SQUARES, no_square, squares_with
from games.engine.colorado_county.cards import REACH, colour, name, pattern, stars
from games.engine.colorado_county.moves import Pick
from games.engine.colorado_county.state import State
from games.engine.errors import IllegalMove

Names = tuple[str, ...]


@lru_cache(maxsize=1024)
def placements(board: str, card: str, cubes: int) -> dict[Names, None]:
    """All different squares that a card allows cubes on: both; the flag's; the other one; none."""
    both: list[Names] = []
    flag_only: list[Names] = []
    other_only: list[Names] = []
    for flag in squares_with(board, colour(card)):
        flag_only.append((NAMES[flag],))
        for other in REACH[pattern(card)][flag]:
            if board[other] == FREE:
                both.append((NAMES[min(flag, other)], NAMES[max(flag, other)]))
                other_only.append((NAMES[other],))
    by_cubes: tuple[list[Names], ...] = ([()], flag_only + other_only, both)
    return dict.fromkeys([squares for listed in reversed(by_cubes[: cubes + 1]) for squares in listed])


def cubes_to_place(state: State, seat: int) -> int:
    """No card places more than two."""
    return min(2, state.cubes[seat])


def picks(state: State, seat: int) -> tuple[Pick, ...]:
    """Every different pick of a card that is left."""
    return listed_picks(state.board, state.turned_up, state.takers, cubes_to_place(state, seat))


@lru_cache(maxsize=256)
def listed_picks(
    board: str, turned_up: tuple[str, ...], takers: tuple[int | None, ...], cubes: int
) -> tuple[Pick, ...]:
    return tuple(
        [
            Pick(number, squares)
            for number, (card, taker) in enumerate(zip(turned_up, takers, strict=True), start=1)
            if taker is None
            for squares in placements(board, card, cubes)
        ]
    )


def squares_of(state: State, seat: int, pick: Pick) -> Names | None:
    """The squares of a pick in the order of the board, or None when it is not allowed."""
    if not 1 <= pick.card <= len(state.turned_up) or state.takers[pick.card - 1] is not None:
        return None
    allowed = placements(state.board, state.turned_up[pick.card - 1], cubes_to_place(state, seat))
    if pick.squares in allowed:
        return pick.squares
    other_way_round = pick.squares[::-1]
    return other_way_round if other_way_round in allowed else None


def refusal(state: State, seat: int, pick: Pick) -> IllegalMove | None:
    if squares_of(state, seat, pick) is not None:
        return None
    left = [number for number, taker in enumerate(state.takers, start=1) if taker is None]
    if not 1 <= pick.card <= len(state.turned_up):
        return IllegalMove(
            "no_such_card", f"There is no card {pick.card}.", f"Cards left: {numbers(left)}.", cards=left
        )
    if pick.card not in left:
        return IllegalMove(
            "card_taken", f"Card {pick.card} has been taken.", f"Cards left: {numbers(left)}.", cards=left
        )
    code, reason = reason_against(state, seat, pick)
    allowed = allowed_for(state, seat, pick.card)
    return IllegalMove(code, reason, hint(pick.card, allowed), card=pick.card, allowed=allowed)


def numbers(cards: list[int]) -> str:
    return ", ".join(map(str, cards))


def allowed_for(state: State, seat: int, number: int) -> list[list[str]]:
    found = placements(state.board, state.turned_up[number - 1], cubes_to_place(state, seat))
    return [list(squares) for squares in found]


def hint(number: int, allowed: list[list[str]]) -> str:
    examples = [f"'pick {number} {' '.join(squares)}'" for squares in allowed[:3] if squares]
    return "Write " + ", ".join([*examples, f"or 'pick {number} nothing'"]).replace(", or", " or") + "."


def reason_against(state: State, seat: int, pick: Pick) -> tuple[str, str]:
    """The first rule that these squares break."""
    card = state.turned_up[pick.card - 1]
    unknown = [square for square in pick.squares if square not in SQUARES]
    if unknown:
        return "off_board", no_square(unknown[0])
    if len(set(pick.squares)) < len(pick.squares):
        return "same_square_twice", "A square holds one cube only."
    if len(pick.squares) > stars(card):
        return "too_many_squares", f"Card {pick.card} has {'one star' if stars(card) == 1 else 'two stars'}."
    if len(pick.squares) > state.cubes[seat]:
        return "no_cubes", f"You have {state.cubes[seat]} cubes left."
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
        return "occupied", f"There is a cube on {square} already."
    if mark in FLAGS and mark != colour(card):
        return (
            "wrong_flag_colour",
            f"The flag on {square} is {FLAGS[mark]}, the card is {FLAGS[colour(card)]}.",
        )
    return None


def reason_against_pattern(board: str, card: str, pick: Pick) -> tuple[str, str]:
    on_flags = [square for square in pick.squares if board[SQUARES[square]] != FREE]
    if len(on_flags) > 1:
        return "flag_in_the_way", f"The second star may not lie on a flag, and {on_flags[1]} holds one."
    if not on_flags and (stars(card) == 1 or len(pick.squares) > 1):
        return "no_flag", f"One star must lie on a {FLAGS[colour(card)]} flag."
    return "out_of_reach", f"Card {pick.card} ({name(card)}) does not reach there from a flag of its colour."

"""A view in plain text, at most 80 columns, shared by the command line and the mails."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from textwrap import wrap
from typing import NamedTuple

from games.engine.colorado_county.geometry import COLUMNS, FACE_DOWN, FLAGS, FREE, LAKES, OWNERS
from games.engine.colorado_county.notation import notation, plan_notation
from games.engine.colorado_county.placements import reach
from games.engine.colorado_county.view import CardView, LakeView, PlayerView, View
from games.engine.text import NOBODY_IS_ASKED, counted, cut, fit, listing

NAME_WIDTH = 16
PAGE = 80
SEAT_LETTERS = "ABCD"
CELLS = (
    {letter: f"[{seat}]" for letter, seat in zip(OWNERS, SEAT_LETTERS, strict=True)}
    | {letter: f"({letter})" for letter in (*FLAGS, FACE_DOWN)}
    | {letter: f"~{letter}~" for letter in LAKES}
    | {FREE: f" {FREE} "}
)
"""A square in three signs, each kind of thing in its own brackets."""
SIGNS = "[A] land of A; ~5~ lake worth 5; flags: " + " ".join(f"({letter}) {name}" for letter, name in FLAGS.items())

Names = Sequence[str]


class Columns(NamedTuple):
    """How much room there is for names and numbers."""

    name: int
    heads: Mapping[str, int]
    """Of what a player has and scores, in the order in which it is shown."""
    round: str
    points: int


WIDE = Columns(
    NAME_WIDTH,
    {"cowboys": 9, "cubes": 6, "tokens": 7, "border": 8, "doubles": 8, "domain": 7, "now": 6, "total": 7},
    "round {}",
    9,
)


def picture(view: View, names: Names) -> str:
    short = [cut(name, NAME_WIDTH) for name in names]
    parts = [headline(view), board(view, short), cards(view, short), players(view, short), now(view, short), own(view)]
    return "\n\n".join("\n".join(part) for part in [*parts, legend(view)] if part) + "\n"


def headline(view: View) -> list[str]:
    if view.over:
        return ["Colorado County   over"]
    to_come = f"{counted(view.deck, 'card')} to come in it" if view.deck else "its last cards"
    return [f"Colorado County   round {view.round} of {view.rounds}, {to_come}"]


def board(view: View, names: Names) -> list[str]:
    columns = "   " + " ".join(f" {column}" for column in COLUMNS)
    for_sale = view.sale.square if view.sale else ""
    rows = [row_line(row, number, for_sale) for number, row in enumerate(view.board, start=1)]
    beside = [" Lakes", *(lake_line(lake, names) for lake in view.lakes)]
    beside += [""] * (len(rows) - len(beside))
    return [columns, *(f"{row} {aside}".rstrip() for row, aside in zip(rows, beside, strict=True)), columns]


@lru_cache(maxsize=1024)
def row_line(row: str, number: int, for_sale: str) -> str:
    squares = zip(row, (f"{column}{number}" for column in COLUMNS), strict=True)
    return f"{number:>2} {''.join(cell(letter, square, for_sale) for letter, square in squares)} {number:<2}"


def cell(letter: str, square: str, for_sale: str) -> str:
    sign = CELLS[letter]
    return f"<{sign[1]}>" if square == for_sale and letter in OWNERS else sign


def lake_line(lake: LakeView, names: Names) -> str:
    holder = "nobody" if lake.holder is None else f"[{SEAT_LETTERS[lake.holder]}] {names[lake.holder]}"
    return f" ~{lake.value}~ {holder}"


def cards(view: View, names: Names) -> list[str]:
    return [line for card in view.cards for line in card_lines(view, card, names)]


def card_lines(view: View, card: CardView, names: Names) -> list[str]:
    """The card, and where it can be played while nobody has taken it."""
    heading = f"Card {card.number}  {card.text}"
    if card.taken_by is not None:
        return [f"{heading}   taken by {names[card.taken_by]}"]
    return [heading, *where("".join(view.board), card.card)]


@lru_cache(maxsize=256)
def where(board: str, card: str) -> tuple[str, ...]:
    flags = reach(board, card).items()
    ways = [f"{flag} with {listing(others, 'or')}" if others else f"{flag} alone" for flag, others in flags]
    return wrapped("; ".join(ways) or "no flag left", " " * 8, " " * 8)


@lru_cache(maxsize=512)
def wrapped(text: str, indent: str = "", further: str = "") -> tuple[str, ...]:
    return tuple(wrap(text, PAGE, initial_indent=indent, subsequent_indent=further))


def players(view: View, names: Names, columns: Columns = WIDE) -> list[str]:
    widths = columns.heads.values()
    heading = " " * (columns.name + 6) + in_columns(columns.heads, widths)
    marked = [f"{marks(view, player)}{player_name(player, names, columns)}" for player in view.players]
    figures = [in_columns(figures_of(view, player), widths) for player in view.players]
    return [heading, *map("".join, zip(marked, figures, strict=True))]


def in_columns(words: Iterable[object], widths: Iterable[int]) -> str:
    return "".join([f"{word:>{width}}" for word, width in zip(words, widths, strict=True)])


def marks(view: View, player: PlayerView) -> str:
    mark = ">" if player.seat in view.awaiting else "+" if player.committed else " "
    return f"{mark}*" if player.seat == view.seat else f"{mark} "


def player_name(player: PlayerView, names: Names, columns: Columns) -> str:
    return f"[{SEAT_LETTERS[player.seat]}] {fit(names[player.seat], columns.name)}"


def figures_of(view: View, player: PlayerView) -> tuple[int | str, ...]:
    """Under the heads of their columns."""
    score = player.score_now
    scored = (score.border_squares, score.double_groups, score.domain_size, "" if view.over else score.total)
    return (player.cowboys, player.cubes, player.tokens, *scored, player.total)


def now(view: View, names: Names, columns: Columns = WIDE) -> list[str]:
    if view.over:
        return result(view, names, columns)
    bids = [f"{names[player.seat]} bid {numbers(player.bid)}." for player in view.players if player.bid is not None]
    return [line for text in (*bids, what_is_asked(view, names)) for line in wrapped(text)]


def what_is_asked(view: View, names: Names) -> str:
    if not view.awaiting:
        return NOBODY_IS_ASKED
    awaited = listing(["you" if seat == view.seat else names[seat] for seat in view.awaiting])
    if view.phase == "flags":
        return f"Flags are placed face down, now by {awaited}."
    if view.phase == "picks":
        following = [names[seat] for seat in view.order[1:]]
        return f"A card is picked by {awaited}" + (f", then by {listing(following)}." if following else ".")
    if view.sale is None:
        return f"Bids for the cards are open, still awaited from {awaited}."
    seller = "you" if view.sale.seller == view.seat else names[view.sale.seller]
    wanted = "Who wants it" if view.phase == "interest" else "Offers"
    return f"{view.sale.square} is put up for sale by {seller}. {wanted}: awaited from {awaited}."


def own(view: View) -> list[str]:
    return [part for line in own_words(view) for part in wrapped(line, further="  ")]


def own_words(view: View) -> list[str]:
    """What only this player sees, each thing on a line of its own however long."""
    if view.seat is None or view.over:
        return []
    lines = [f"Your cowboys: {numbers(view.cowboys)}"]
    if view.sealed is not None:
        lines.append(f"You have committed: {notation(view.sealed)}")
    if view.plan:
        lines.append(f"Your plan:{plan_notation(view.plan).removeprefix(' plan')}")
    return lines


def result(view: View, names: Names, columns: Columns = WIDE) -> list[str]:
    widths = [columns.points] * (view.rounds + 1)
    rounds = [columns.round.format(number) for number in range(1, view.rounds + 1)]
    table = [" " * (columns.name + 6) + in_columns([*rounds, "total"], widths)]
    for player in view.players:
        points = [scores[player.seat].total for scores in view.scores]
        table.append(f"  {player_name(player, names, columns)}{in_columns([*points, player.total], widths)}")
    return [*table, "", *wrapped(who_won(view, names))]


def who_won(view: View, names: Names) -> str:
    best = max(player.total for player in view.players)
    winners = [names[player.seat] for player in view.players if player.total == best]
    won = "won" if len(winners) == 1 else "share the win"
    return f"The match is over. {listing(winners)} {won} with {counted(best, 'point')}."


def legend(view: View) -> list[str]:
    if view.over:
        return [SIGNS]
    sale = "<A> for sale; " if view.sale else ""
    return [SIGNS, f"{sale}> awaited, + has decided, * you; now: points if it ended now"]


def numbers(cowboys: Sequence[int]) -> str:
    return " ".join(map(str, cowboys)) or "none"

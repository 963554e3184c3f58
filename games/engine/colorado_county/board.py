"""Describe the board of Colorado County: land, lakes, the cards on offer and the players' holdings."""

from functools import lru_cache

from msgspec.structs import replace

from games.engine.board import (
    Board,
    Card,
    Cards,
    Cell,
    Colour,
    Entry,
    Grid,
    Head,
    Key,
    Legend,
    Mark,
    Note,
    Panel,
    Part,
    Row,
    Table,
    short_names,
)
from games.engine.colorado_county.geometry import COLUMNS, FACE_DOWN, FLAGS, FREE, LAKES, NAMES, OWNERS, squares_with
from games.engine.colorado_county.notation import numbers
from games.engine.colorado_county.placements import reach
from games.engine.colorado_county.state import pattern
from games.engine.colorado_county.view import CardView, LakeView, PlayerView, View
from games.engine.colorado_county.wording import own_lines, result, what_is_asked
from games.engine.names import Names
from games.engine.text import counted, listing

SEAT_LETTERS = "ABCD"
SEAT_TINTS: tuple[Colour, ...] = ("sky", "pink", "violet", "yellow")
SEAT_SIGNS = tuple(
    Cell(letter, "[]", tint, seat=seat)
    for seat, (letter, tint) in enumerate(zip(SEAT_LETTERS, SEAT_TINTS, strict=True))
)
FLAG_TINTS: dict[str, Colour] = {"R": "red", "G": "green", "O": "orange", "B": "blue"}
FLAG_SIGNS = {letter: Cell(letter, "()", FLAG_TINTS[letter], name) for letter, name in FLAGS.items()}
FOR_SALE = Cell("A", "<>", label="for sale")
HEADS = (
    Head("cowboys", "cow"),
    Head("cubes", "cub"),
    Head("tokens", "tok", label="For Sale tokens"),
    Head("border", "bor", label="border squares"),
    Head("doubles", "dbl"),
    Head("domain", "dom", label="squares in the great domain"),
    Head("now", label="points if the round ended now"),
    Head("total", "all", label="points"),
)


def board(view: View, names: Names) -> Board:
    names = short_names(names)
    parts: list[Part] = [land(view, names)]
    if view.cards and not view.over:
        parts.append(Cards(tuple(card(view, shown, names) for shown in view.cards)))
    parts += [players(view, names), *closing(view, names)]
    return Board("Colorado County", "", status(view), tuple(parts), legend=legend(view, names))


def status(view: View) -> str:
    if view.over:
        return "over"
    left = f"{counted(view.deck, 'card')} left" if view.deck else "last cards"
    return f"round {view.round} of {view.rounds}, {left}"


def land(view: View, names: Names) -> Grid:
    for_sale = view.sale.square if view.sale else ""
    owners = tuple(names.possessive(seat) for seat in range(len(view.players)))
    rows = tuple(land_row(number, row, owners, for_sale) for number, row in enumerate(view.board, start=1))
    lakes = Panel("Lakes", "held by", tuple(lake(shown, names) for shown in view.lakes))
    return Grid(rows, tuple(COLUMNS), lakes, spoken=tuple(speak_flags(view)))


@lru_cache(maxsize=1024)
def land_row(number: int, row: str, owners: tuple[str, ...], for_sale: str) -> Row:
    names = [f"{column}{number}" for column in COLUMNS]
    whose = [owners[OWNERS.index(letter)] if letter in OWNERS else "" for letter in row]
    cells = [
        square(letter, name, owner, is_for_sale=name == for_sale)
        for letter, name, owner in zip(row, names, whose, strict=True)
    ]
    return Row(str(number), tuple(cells))


@lru_cache(maxsize=4096)
def square(letter: str, name: str, owner: str, *, is_for_sale: bool) -> Cell:
    if letter == FREE:
        return Cell(label="free land", square=name)
    if letter in LAKES:
        return Cell(letter, "~~", "water", f"lake worth {letter}", name)
    if letter in FLAGS:
        return Cell(letter, "()", FLAG_TINTS[letter], f"{FLAGS[letter]} flag", name)
    if letter == FACE_DOWN:
        return Cell(letter, "()", "dark", "flag, face down", name, is_hidden=True)
    seat = OWNERS.index(letter)
    owned = f"{owner} land"
    if is_for_sale:
        return Cell(SEAT_LETTERS[seat], "<>", SEAT_TINTS[seat], f"{owned}, for sale", name, seat, is_marked=True)
    return Cell(SEAT_LETTERS[seat], "[]", SEAT_TINTS[seat], owned, name, seat)


def lake(shown: LakeView, names: Names) -> Entry:
    cell = Cell(str(shown.value), "~~", "water", f"lake worth {shown.value}")
    holder = "nobody" if shown.holder is None else names.object(shown.holder)
    sign = None if shown.holder is None else SEAT_SIGNS[shown.holder]
    holds = "Nobody holds" if shown.holder is None else names.subject(shown.holder, "holds", "hold")
    spoken = f"{holds} the lake worth {shown.value}, on {', '.join(shown.squares)}."
    return Entry(cell, holder, sign, spoken)


def speak_flags(view: View) -> list[str]:
    unseen = [NAMES[square] for square in squares_with("".join(view.board), FACE_DOWN)]
    known = [(f"{colour.capitalize()} flags", view.flags.get(letter, ())) for letter, colour in FLAGS.items()]
    return [f"{which}: {', '.join(at)}." for which, at in [*known, ("Flags face down", unseen)] if at]


def card(view: View, shown: CardView, names: Names) -> Card:
    name, sign = f"Card {shown.number}", FLAG_SIGNS[shown.colour]
    if shown.taken_by is not None:
        taker = names.object(shown.taken_by)
        return Card(name, sign, shown.text, note=f"taken by {taker}", spoken=f"{name} was taken by {taker}.")
    ways = card_ways("".join(view.board), shown.card)
    reached = [f"{flag} with {', '.join(others)}" if others else flag for flag, others in ways]
    spoken = f"{name} is {shown.text}; it reaches {'; '.join(reached) or 'no flag'}."
    return Card(name, sign, shown.text, stars(pattern(shown.card)), ways, "" if ways else "no flag left", spoken)


@lru_cache(maxsize=256)
def card_ways(board: str, card: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((flag, tuple(others)) for flag, others in reach(board, card).items())


@lru_cache(maxsize=16)
def stars(shape: str) -> tuple[str, ...]:
    """Render a card as rows of squares, with stars on the flag and on the second square."""
    right, down = int(shape[0]), int(shape[1])
    return tuple(
        " ".join("★" if (column, row) in ((0, 0), (right, down)) else "·" for column in range(right + 1))
        for row in range(down + 1)
    )


def players(view: View, names: Names) -> Table:
    heads = tuple(head for head in HEADS if not (view.over and head.text == "now"))
    return Table(heads, tuple(player_row(view, player, names) for player in view.players))


def player_row(view: View, player: PlayerView, names: Names) -> Row:
    score = player.score_now
    scored = (score.border_squares, score.double_groups, score.domain_size, *(() if view.over else (score.total,)))
    return Row(
        names[player.seat],
        tuple(figure(number) for number in (player.cowboys, player.cubes, player.tokens, *scored, player.total)),
        sign=SEAT_SIGNS[player.seat],
        seat=player.seat,
        mark=player_mark(view, player),
        is_own=player.seat == view.seat,
        spoken=speak_player(view, player, names),
    )


@lru_cache(maxsize=512)
def figure(number: int) -> Cell:
    return Cell(str(number))


def player_mark(view: View, player: PlayerView) -> Mark:
    if player.seat in view.awaiting:
        return "awaited"
    return "decided" if player.committed else ""


def speak_player(view: View, player: PlayerView, names: Names) -> str:
    who = names.subject(player.seat, "has", "have")
    owned = f"land on {', '.join(player.land)}" if player.land else "no land"
    now = f"{counted(player.score_now.total, 'point')} if the round ended now, {player.total} from earlier rounds"
    things = ((player.cowboys, "cowboy"), (player.cubes, "cube"), (player.tokens, "token"))
    held = ", ".join(counted(number, thing) for number, thing in things)
    return f"{who} {held} and {owned}: {counted(player.total, 'point') if view.over else now}."


def closing(view: View, names: Names) -> list[Part]:
    """Write the closing lines of the board.

    After the match, they list each round's points. Before that, they show the bids, whose turn it is and the player's
    private information.
    """
    if view.over:
        return [points_by_round(view, names), Note((result(view, names),), "strong")]
    bids = [(player.seat, player.bid) for player in view.players if player.bid is not None]
    told = [f"{names.subject(seat)} bid {numbers(bid)}." for seat, bid in bids]
    own = own_lines(view)
    return [Note((*told, what_is_asked(view, names))), *([Note(own, is_own=True)] if own else [])]


def points_by_round(view: View, names: Names) -> Table:
    heads = [Head(f"round {number}", f"r{number}") for number in range(1, view.rounds + 1)]
    rows = [
        Row(
            names[player.seat],
            tuple(figure(number) for number in (*(scores[player.seat].total for scores in view.scores), player.total)),
            sign=SEAT_SIGNS[player.seat],
            seat=player.seat,
            is_own=player.seat == view.seat,
            spoken=speak_rounds(view, player, names),
        )
        for player in view.players
    ]
    return Table((*heads, Head("total")), tuple(rows))


def speak_rounds(view: View, player: PlayerView, names: Names) -> str:
    points = listing([str(scores[player.seat].total) for scores in view.scores])
    return f"{names.subject(player.seat)} scored {points}, round by round."


def legend(view: View, names: Names) -> Legend:
    owners = tuple(replace(SEAT_SIGNS[seat], label=names.object(seat)) for seat in range(len(view.players)))
    signs = (Cell("5", "~~", "water", "lake worth 5"), *([FOR_SALE] if view.sale else []))
    keys = (Key(owners, "land"), *(Key((sign,)) for sign in signs), Key(tuple(FLAG_SIGNS.values()), "flags"))
    if view.over:
        return Legend(keys)
    marks: tuple[tuple[Mark, str], ...] = (("awaited", "to move"), ("decided", "decided"))
    return Legend(keys, marks, (("now", "points if the round ended now"),))

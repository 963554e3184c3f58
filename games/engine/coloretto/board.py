"""Describe the board of Coloretto: the rows, the players' cards, and whose turn it is."""

from functools import cache

from games.engine.board import Board, Cell, Colour, Grid, Head, Key, Legend, Note, Part, Row, Table, short_names
from games.engine.coloretto.state import COLOURS, GOLDEN_JOKER, JOKER, NAMES, PLUS_TWO, Score, jokers
from games.engine.coloretto.view import PlayerView, RowView, View
from games.engine.coloretto.wording import one
from games.engine.names import Names, who_won
from games.engine.text import MATCH_HAS_ENDED, counted, listing

TINTS: dict[str, Colour] = {
    "B": "blue",
    "G": "green",
    "O": "orange",
    "P": "pink",
    "R": "red",
    "V": "violet",
    "Y": "yellow",
    PLUS_TWO: "silver",
    JOKER: "dark",
    GOLDEN_JOKER: "gold",
}
SIGNS = {PLUS_TWO: "+2", JOKER: "Jo", GOLDEN_JOKER: "J*"}
CARDS = {card: Cell(SIGNS.get(card, card), colour=tint, label=NAMES[card]) for card, tint in TINTS.items()}
FREE = Cell(label="free")
SPOKEN = {**NAMES, PLUS_TWO: "plus two"}


def board(view: View, names: Names) -> Board:
    names = short_names(names)
    parts: list[Part] = [] if view.over else [Grid(tuple(row(each, names) for each in view.rows), has_boxes=True)]
    over = ", over" if view.over else ""
    return Board(
        "Coloretto",
        f"{view.edition} edition, {view.scoring} scoring",
        f"game {view.game} of {view.games}{over}",
        (*parts, players(view, names), closing(view, names)),
        summary=None if view.over else supply(view),
        legend=legend(view),
    )


def supply(view: View) -> Note:
    cards, left = counted(view.supply, "card"), view.until_last_round
    if left is None:
        spoken = f"The supply has {cards}, and this is the last round."
        return Note((f"Supply {cards}. This is the LAST ROUND.",), "strong", spoken=spoken)
    before = f"{left} of them before the last-round card"
    return Note((f"Supply {cards}, {before}",), "faint", spoken=f"The supply has {cards}, {before}.")


def row(shown: RowView, names: Names) -> Row:
    name = f"Row {shown.row}"
    if shown.taken_by is not None:
        taker = names.object(shown.taken_by)
        return Row(name, note=f"taken by {taker}", seat=shown.taken_by, spoken=f"{name} was taken by {taker}.")
    room = shown.room - len(shown.cards)
    cells = (*(CARDS[card] for card in shown.cards), *[FREE] * room)
    held = listing([SPOKEN[card] for card in shown.cards]) if shown.cards else "no cards"
    left = f"room for {room} more" if room else "full"
    return Row(name, cells, note="" if room else "full", spoken=f"{name} holds {held}, {left}.")


def players(view: View, names: Names) -> Table:
    heads = [
        *(Head(card, colour=TINTS[card], label=COLOURS[card]) for card in view.colours),
        Head("+2", label="plus two"),
        Head("Jo", label="jokers"),
        Head("points") if view.over else Head("now", label="points if the game ended now"),
        *([Head("total")] if view.games > 1 else []),
    ]
    return Table(tuple(heads), tuple(player_row(view, player, names) for player in view.players))


def player_row(view: View, player: PlayerView, names: Names) -> Row:
    held = [count_cell(player.hand.count(card), TINTS[card]) for card in view.colours]
    extras = [count_cell(count) for count in (player.hand.count(PLUS_TWO), jokers(player.hand))]
    total = [Cell(str(player.total))] if view.games > 1 else []
    return Row(
        names[player.seat],
        (*held, *extras, Cell(str(player.score_now.total)), *total),
        seat=player.seat,
        mark="awaited" if player.seat in view.awaiting else "",
        is_own=player.seat == view.seat,
        spoken=speak_player(view, player, names),
    )


@cache
def count_cell(count: int, colour: Colour = "") -> Cell:
    return Cell(str(count), colour=colour) if count else Cell(label="none")


def speak_player(view: View, player: PlayerView, names: Names) -> str:
    sorts = [(player.hand.count(card), SPOKEN[card]) for card in dict.fromkeys(player.hand)]
    cards = listing([f"{count} {name}" for count, name in sorts]) if sorts else "no cards"
    who = names.subject(player.seat, "has", "have")
    total = f", and {player.total} from earlier games" if view.games > 1 and not view.over else ""
    when = "" if view.over else " if the game ended now"
    return f"{who} {cards}: {counted(player.score_now.total, 'point')}{when}{total}."


def closing(view: View, names: Names) -> Note:
    if view.over:
        return Note((result(view, names),), "strong")
    if view.seat is None or not view.awaiting:
        return Note((whose_turn(view, names),))
    score = breakdown(view.players[view.seat].score_now)
    return Note((whose_turn(view, names), f"If the game ended now, you would have {score}."))


def result(view: View, names: Names) -> str:
    return f"The match is over. {who_won(names, [player.total for player in view.players])}"


def whose_turn(view: View, names: Names) -> str:
    if not view.awaiting:
        return MATCH_HAS_ENDED
    (seat,) = view.awaiting
    if not view.drawn:
        return f"{names.subject(seat)} {what_is_possible(view)}."
    if seat == names.reader:
        return f"You drew {one(view.drawn)}. Choose a row."
    return f"{names[seat]} drew {one(view.drawn)} and is choosing a row."


def what_is_possible(view: View) -> str:
    here = [row for row in view.rows if row.taken_by is None]
    if not any(row.cards for row in here):
        return "must draw a card"
    room = any(len(row.cards) < row.room for row in here)
    return "may draw a card or take a row" if room else "must take a row"


def breakdown(score: Score) -> str:
    parts = [f"{line.points:+} {COLOURS[line.colour]}" for line in score.colours]
    if score.plus_twos:
        parts.append(f"{2 * score.plus_twos:+} for +2")
    return f"{counted(score.total, 'point')} ({', '.join(parts)})" if parts else "0 points"


def legend(view: View) -> Legend:
    colours = Key(tuple(CARDS[card] for card in view.colours))
    wild = Key(tuple(CARDS[card] for card in (JOKER, *([GOLDEN_JOKER] if view.edition == "modern" else []))))
    if view.over:
        return Legend((colours, wild))
    return Legend((colours, wild), (("awaited", "to move"),), (("now", "points if the game ended now"),))

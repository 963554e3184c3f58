"""A view in plain text, at most 80 columns, shared by the command line and the mails."""

from collections.abc import Sequence
from textwrap import fill

from games.engine.coloretto.cards import COLOURS, GOLDEN_JOKER, JOKER, PLUS_TWO, jokers
from games.engine.coloretto.view import PlayerView, RowView, View
from games.engine.coloretto.wording import one
from games.engine.text import NOBODY_IS_ASKED, counted, cut, fit, listing

COLUMNS = 80
NAME_WIDTH = 16
WORDS = {card: f"{card} " for card in COLOURS} | {PLUS_TWO: "+2", JOKER: "Jo", GOLDEN_JOKER: "J*"}


def picture(view: View, names: Sequence[str]) -> str:
    rows = [] if view.over else ["\n".join(row_line(row, names) for row in view.rows)]
    players = [player_heading(view), *(player_line(view, player, names) for player in view.players)]
    closing = result(view, names) if view.over else whose_turn(view, names)
    return "\n\n".join([headline(view), *rows, "\n".join(players), closing, legend(view)]) + "\n"


def headline(view: View) -> str:
    title = f"Coloretto, {view.edition} edition, {view.table} table"
    game = f"game {view.game} of {view.games}"
    if view.over:
        return f"{title}   {game}, over"
    return f"{title}   {game}\nSupply {counted(view.supply, 'card')}, {last_round(view)}"


def last_round(view: View) -> str:
    if view.until_last_round is None:
        return "and this is the LAST ROUND"
    return f"{view.until_last_round} of them before the last-round card"


def row_line(row: RowView, names: Sequence[str]) -> str:
    if row.taken_by is not None:
        return f"  Row {row.row}   taken by {cut(names[row.taken_by], NAME_WIDTH)}"
    places = [f"[{card_word(card)}]" for card in row.cards] + ["[  ]"] * (row.room - len(row.cards))
    full = "   full" if len(row.cards) == row.room else ""
    return f"  Row {row.row}   {' '.join(places)}{full}"


def card_word(card: str) -> str:
    return WORDS[card]


def player_heading(view: View) -> str:
    columns = "".join(f"{colour:>3}" for colour in view.colours)
    points = "points" if view.over else "now"
    total = f"{'total':>8}" if view.games > 1 else ""
    return f"    {'':{NAME_WIDTH}}{columns}   +2  Jo{points:>8}{total}"


def player_line(view: View, player: PlayerView, names: Sequence[str]) -> str:
    mark = ">" if player.seat in view.awaiting else " "
    you = "*" if player.seat == view.seat else " "
    counts = "".join(f"{player.hand.count(colour) or '.':>3}" for colour in view.colours)
    extras = f"{player.hand.count(PLUS_TWO) or '.':>5}{jokers(player.hand) or '.':>4}"
    total = f"{player.total:>8}" if view.games > 1 else ""
    name = fit(names[player.seat], NAME_WIDTH)
    return f"{mark}{you}  {name}{counts}{extras}{player.score_now.total:>8}{total}"


def whose_turn(view: View, names: Sequence[str]) -> str:
    if not view.awaiting:
        return NOBODY_IS_ASKED
    (seat,) = view.awaiting
    you = seat == view.seat
    who = "You" if you else cut(names[seat], NAME_WIDTH)
    if view.drawn:
        return f"{who} drew {one(view.drawn)} and {'choose' if you else 'chooses'} a row for it."
    return f"{who} {what_is_possible(view)}."


def what_is_possible(view: View) -> str:
    here = [row for row in view.rows if row.taken_by is None]
    if not any(row.cards for row in here):
        return "must draw a card"
    room = any(len(row.cards) < row.room for row in here)
    return "may draw a card or take a row" if room else "must take a row"


def result(view: View, names: Sequence[str]) -> str:
    best = max(player.total for player in view.players)
    winners = [cut(names[player.seat], NAME_WIDTH) for player in view.players if player.total == best]
    won = "won" if len(winners) == 1 else "share the win"
    return fill(f"The match is over. {listing(winners)} {won} with {counted(best, 'point')}.", COLUMNS)


def legend(view: View) -> str:
    return "\n".join([signs(view), *marks(view)])


def signs(view: View) -> str:
    colours = " ".join(f"{colour} {COLOURS[colour]}" for colour in view.colours)
    golden = ", J* golden" if view.edition == "modern" else ""
    return f"{colours}; Jo joker{golden}"


def marks(view: View) -> list[str]:
    you = [] if view.seat is None else ["* you"]
    line = ", ".join(you if view.over else ["> to move", *you, "now: the score if the game ended now"])
    return [line] if line else []

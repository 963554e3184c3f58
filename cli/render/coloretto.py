"""Coloretto on the screen. A colour is always shown with its letter, so nothing depends on telling colours apart."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.render.style import Style
from games.engine.coloretto.cards import COLOURS, GOLDEN_JOKER, JOKER, NAMES, PLUS_TWO, jokers
from games.engine.coloretto.picture import card_word, last_round, result, whose_turn
from games.engine.coloretto.scoring import Score
from games.engine.coloretto.view import PlayerView, RowView, View
from games.engine.text import counted, listing

INKS = {
    "B": "bold #ffffff on #0067a5",
    "G": "bold #000000 on #2bb673",
    "O": "bold #000000 on #f39c12",
    "P": "bold #000000 on #f7a8c9",
    "R": "bold #ffffff on #b3202c",
    "V": "bold #ffffff on #6a3d9a",
    "Y": "bold #000000 on #f5e342",
    PLUS_TWO: "bold #000000 on #d9d9d9",
    JOKER: "bold #ffffff on #404040",
    GOLDEN_JOKER: "bold #000000 on #d4af37",
}
EMPTY = "dim"
ROOMY = 72
SPOKEN = {**NAMES, PLUS_TWO: "plus two"}


def draw(view: View, names: Sequence[str], style: Style) -> RenderableType:
    parts: list[RenderableType] = [headline(view)]
    if not view.over:
        parts += [Text(), *(row_line(row, names, style) for row in view.rows)]
    parts += [players(view, names, style), closing(view, names)]
    return Group(*parts)


def headline(view: View) -> Text:
    over = ", over" if view.over else ""
    title = f"{view.edition} edition, {view.table} table, game {view.game} of {view.games}{over}"
    line = Text().append(title, style="bold")
    if view.over:
        return line
    ink = "bold" if view.until_last_round is None else "dim"
    return line.append(f"\nSupply {view.supply} cards, {last_round(view)}", style=ink)


def row_line(row: RowView, names: Sequence[str], style: Style) -> Text:
    line = Text(f"  Row {row.row}  ")
    if row.taken_by is not None:
        return line.append(f"taken by {names[row.taken_by]}", style="dim")
    for letter in row.cards:
        line.append_text(card(letter, style)).append(" ")
    for _ in range(row.room - len(row.cards)):
        line.append("[  ]", style=EMPTY).append(" ")
    return line.append("full", style="dim") if len(row.cards) == row.room else line


def card(letter: str, style: Style) -> Text:
    """Without colour its edges show that it is a card."""
    word = f"{card_word(letter).strip():<2}"
    return Text(f" {word} ", style=INKS[letter]) if style.colour else Text(f"[{word}]")


def players(view: View, names: Sequence[str], style: Style) -> Table:
    """Only the names give way where it is narrow."""
    spread, padding = (3, 1) if style.width >= ROOMY else (1, 0)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, padding, 0, 0))
    heads = ("+2", "Jo", "points" if view.over else "now", *(["total"] if view.games > 1 else []))
    taken = sum(width + padding + 1 for width in [spread] * len(view.colours) + [len(head) for head in heads])
    table.add_column("", no_wrap=True, max_width=min(22, style.width - taken - 3), overflow="ellipsis")
    for letter in view.colours:
        table.add_column(tint(letter, letter, style, spread), justify="center", width=spread, no_wrap=True)
    for head in heads:
        table.add_column(head, justify="right", min_width=len(head), no_wrap=True)
    for player in view.players:
        table.add_row(*player_cells(view, player, names, style, spread))
    return table


def player_cells(view: View, player: PlayerView, names: Sequence[str], style: Style, spread: int) -> list[Text]:
    mark = "▶ " if player.seat in view.awaiting else "  "
    you = " (you)" if player.seat == view.seat and names[player.seat] != "You" else ""
    counts = [held(letter, player.hand.count(letter), style, spread) for letter in view.colours]
    extras = [Text(str(count) if count else "·") for count in (player.hand.count(PLUS_TWO), jokers(player.hand))]
    total = [Text(str(player.total), style="bold")] if view.games > 1 else []
    points = Text(str(player.score_now.total), style="bold")
    return [Text(f"{mark}{names[player.seat]}{you}"), *counts, *extras, points, *total]


def held(letter: str, count: int, style: Style, spread: int) -> Text:
    return tint(str(count), letter, style, spread) if count else Text("·", style=EMPTY)


def tint(text: str, letter: str, style: Style, spread: int) -> Text:
    return Text(f"{text:^{spread}}", style=INKS[letter] if style.colour else "")


def closing(view: View, names: Sequence[str]) -> Text:
    if view.over:
        return Text(result(view, names), style="bold")
    line = Text(whose_turn(view, names))
    if view.seat is None or not view.awaiting:
        return line
    return line.append(
        f"\nIf it ended now, you would have {breakdown(view.players[view.seat].score_now)}.", style="dim"
    )


def breakdown(score: Score) -> str:
    parts = [f"{line.points:+} {COLOURS[line.colour]}" for line in score.colours]
    if score.plus_twos:
        parts.append(f"{2 * score.plus_twos:+} for +2")
    return f"{score.total} ({', '.join(parts)})" if parts else "0"


def speak(view: View, names: Sequence[str]) -> str:
    """Everything on the table in sentences, in the order in which one would ask for it."""
    table = [] if view.over else [*(speak_row(row, names) for row in view.rows)]
    head = f"Coloretto, {view.edition} edition, {view.table} table, game {view.game} of {view.games}."
    supply = [] if view.over else [f"The supply has {view.supply} cards, {last_round(view).lower()}."]
    people = [speak_player(view, player, names) for player in view.players]
    end = result(view, names) if view.over else whose_turn(view, names)
    return "\n".join([head, *supply, *table, *people, end])


def speak_row(row: RowView, names: Sequence[str]) -> str:
    if row.taken_by is not None:
        return f"Row {row.row} was taken by {names[row.taken_by]}."
    room = row.room - len(row.cards)
    left = f"room for {room} more" if room else "full"
    held = listing([SPOKEN[letter] for letter in row.cards]) if row.cards else "no card"
    return f"Row {row.row} holds {held}, {left}."


def speak_player(view: View, player: PlayerView, names: Sequence[str]) -> str:
    sorts = [(player.hand.count(letter), SPOKEN[letter]) for letter in dict.fromkeys(player.hand)]
    cards = listing([f"{count} {name}" for count, name in sorts]) if sorts else "no cards"
    who = "You have" if player.seat == view.seat else f"{names[player.seat]} has"
    total = f", and {player.total} from earlier games" if view.games > 1 and not view.over else ""
    when = "" if view.over else " if the game ended now"
    return f"{who} {cards}: {counted(player.score_now.total, 'point')}{when}{total}."

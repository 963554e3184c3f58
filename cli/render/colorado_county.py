"""Colorado County on the screen. Every kind of square has its own brackets and letter, so colour is never needed."""

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.render.style import Style
from games.engine.colorado_county.board import COLUMNS, FACE_DOWN, FLAGS, LAKES, OWNERS
from games.engine.colorado_county.cards import pattern
from games.engine.colorado_county.picture import (
    NAME_WIDTH,
    SEAT_LETTERS,
    cell,
    headline,
    legend,
    now,
    own,
    own_words,
    players,
)
from games.engine.colorado_county.placements import reach
from games.engine.colorado_county.view import CardView, LakeView, PlayerView, View
from games.engine.text import cut, listing

SEAT_INKS = ("bold #000000 on #7fd4ff", "bold #000000 on #ffb3d1", "bold #ffffff on #6a3d9a", "bold #000000 on #f5e342")
FLAG_INKS = {"R": "bold #ff6b6b", "G": "bold #2bb673", "O": "bold #f39c12", "B": "bold #5fafff"}
LAKE_INK = "#ffffff on #00508a"
CARD_WIDTH = 25


def draw(view: View, names: Sequence[str], _style: Style) -> RenderableType:
    short = [cut(name, NAME_WIDTH) for name in names]
    parts: list[RenderableType] = [Text(headline(view)[0], style="bold"), Text(), land(view, short)]
    if view.cards and not view.over:
        parts += [Text(), Columns([card(view, each, short) for each in view.cards], width=CARD_WIDTH, padding=(0, 1))]
    parts += [Text(), *player_lines(view, short)]
    for lines in (now(view, short), own(view), legend(view)):
        if lines:
            parts += [Text(), Text("\n".join(lines), style="dim" if lines == legend(view) else "")]
    return Group(*parts)


def land(view: View, names: Sequence[str]) -> Table:
    beside = Text().append("Lakes", style="bold")
    for lake in view.lakes:
        beside.append("\n").append_text(lake_line(lake, names))
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_row(board(view), beside)
    return grid


def board(view: View) -> Text:
    edge = "   " + "".join(f" {column} " for column in COLUMNS)
    lines = Text().append(edge, style="dim")
    for_sale = view.sale.square if view.sale else ""
    for number, row in enumerate(view.board, start=1):
        lines.append(f"\n{number:>2} ", style="dim")
        for column, letter in zip(COLUMNS, row, strict=True):
            lines.append(cell(letter, f"{column}{number}", for_sale), style=ink(letter))
        lines.append(f" {number}", style="dim")
    return lines.append(f"\n{edge}", style="dim")


def ink(letter: str) -> str:
    if letter in OWNERS:
        return SEAT_INKS[OWNERS.index(letter)]
    if letter in LAKES:
        return LAKE_INK
    return FLAG_INKS.get(letter, "bold" if letter == FACE_DOWN else "dim")


def lake_line(lake: LakeView, names: Sequence[str]) -> Text:
    line = Text().append(f"~{lake.value}~", style=LAKE_INK).append(" ")
    if lake.holder is None:
        return line.append("nobody", style="dim")
    return line.append(f"[{SEAT_LETTERS[lake.holder]}]", style=SEAT_INKS[lake.holder]).append(f" {names[lake.holder]}")


def card(view: View, shown: CardView, names: Sequence[str]) -> Text:
    """Its stars as they lie, and for each flag of its colour the squares of the other star."""
    face = Text().append(f"Card {shown.number} ", style="bold")
    face.append(f"({shown.colour})", style=FLAG_INKS[shown.colour])
    face.append(f" {FLAGS[shown.colour]}")
    if shown.taken_by is not None:
        return face.append(f"\ntaken by {names[shown.taken_by]}", style="dim")
    for line in stars(pattern(shown.card)):
        face.append(f"\n  {line}", style=FLAG_INKS[shown.colour])
    for flag, others in reach("".join(view.board), shown.card).items():
        face.append(f"\n{flag}").append(f" + {' '.join(others)}" if others else "", style="dim")
    return face


def stars(shape: str) -> list[str]:
    """A star on the flag, and the other so many squares to the right and down."""
    right, down = int(shape[0]), int(shape[1])
    return [
        " ".join("★" if (column, row) in ((0, 0), (right, down)) else "·" for column in range(right + 1))
        for row in range(down + 1)
    ]


def player_lines(view: View, names: Sequence[str]) -> list[Text]:
    heading, *lines = players(view, names)
    return [
        Text(heading, style="bold"),
        *(tinted(line, player) for line, player in zip(lines, view.players, strict=True)),
    ]


def tinted(line: str, player: PlayerView) -> Text:
    text = Text(line)
    text.highlight_words([f"[{SEAT_LETTERS[player.seat]}]"], style=SEAT_INKS[player.seat])
    return text


def speak(view: View, names: Sequence[str]) -> str:
    lines = [f"{headline(view)[0].replace('   ', ', ')}."]
    lines += [speak_lake(lake, names) for lake in view.lakes]
    lines += [
        f"{FLAGS[letter].capitalize()} flags: {', '.join(at)}."
        for letter, at in view.flags.items()
        if letter in FLAGS and at
    ]
    lines += [] if view.over else [speak_card(view, shown, names) for shown in view.cards]
    lines += [speak_player(view, player, names) for player in view.players]
    spoken = [*view_sentences(view, names), *(f"{line}." for line in own_words(view))]
    return "\n".join([*lines, *spoken])


def view_sentences(view: View, names: Sequence[str]) -> list[str]:
    if not view.over:
        return [" ".join(now(view, names))]
    best = max(player.total for player in view.players)
    winners = listing([names[player.seat] for player in view.players if player.total == best])
    return [f"The match is over. {winners} won with {best} points."]


def speak_lake(lake: LakeView, names: Sequence[str]) -> str:
    holder = "nobody" if lake.holder is None else names[lake.holder]
    return f"The lake worth {lake.value}, on {', '.join(lake.squares)}, is held by {holder}."


def speak_card(view: View, shown: CardView, names: Sequence[str]) -> str:
    if shown.taken_by is not None:
        return f"Card {shown.number} was taken by {names[shown.taken_by]}."
    ways = [
        f"{flag} with {', '.join(others)}" if others else flag
        for flag, others in reach("".join(view.board), shown.card).items()
    ]
    return f"Card {shown.number} is {shown.text}; it reaches {'; '.join(ways) or 'nothing'}."


def speak_player(view: View, player: PlayerView, names: Sequence[str]) -> str:
    who = "You have" if player.seat == view.seat else f"{names[player.seat]} has"
    owned = f"land on {', '.join(player.land)}" if player.land else "no land"
    points = f"{player.total} points" if view.over else f"{player.score_now.total} points now and {player.total} before"
    return f"{who} {player.cowboys} cowboys, {player.cubes} cubes, {player.tokens} tokens and {owned}: {points}."

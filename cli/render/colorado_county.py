"""Colorado County on the screen. Every kind of square has its own brackets and letter, so colour is never needed."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.columns import Columns as SideBySide
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.render.style import Style
from cli.render.table import GAP
from games.engine.colorado_county.cards import pattern
from games.engine.colorado_county.geometry import COLUMNS, FACE_DOWN, FLAGS, LAKES, NAMES, OWNERS, squares_with
from games.engine.colorado_county.picture import (
    NAME_WIDTH,
    PAGE,
    SEAT_LETTERS,
    WIDE,
    Columns,
    cell,
    headline,
    legend,
    now,
    own,
    own_words,
    players,
    who_won,
)
from games.engine.colorado_county.placements import reach
from games.engine.colorado_county.view import CardView, LakeView, PlayerView, View
from games.engine.text import counted, cut

SEAT_INKS = ("bold #000000 on #7fd4ff", "bold #000000 on #ffb3d1", "bold #ffffff on #6a3d9a", "bold #000000 on #f5e342")
FLAG_INKS = {"R": "bold #ff6b6b", "G": "bold #2bb673", "O": "bold #f39c12", "B": "bold #5fafff"}
LAKE_INK = "#ffffff on #00508a"
CARD_WIDTH = 25
NARROW = Columns(12, dict.fromkeys(("cow", "cub", "tok", "bor", "dbl", "dom", "now", "all"), 4), "r{}", 6)


def draw(view: View, names: Sequence[str], style: Style) -> RenderableType:
    short, columns = [cut(name, NAME_WIDTH) for name in names], WIDE if style.width >= PAGE else NARROW
    parts: list[RenderableType] = [Text(headline(view)[0], style="bold"), Text(), land(view, short, style.width)]
    if view.cards and not view.over:
        cards = [card(view, each, short) for each in view.cards]
        parts += [Text(), SideBySide(cards, width=CARD_WIDTH, padding=(0, 1))]
    parts += [Text(), *player_lines(view, short, columns)]
    for lines in (now(view, short, columns), own(view), legend(view)):
        if lines:
            parts += [Text(), Text("\n".join(lines), style="dim" if lines == legend(view) else "")]
    return Group(*parts)


def land(view: View, names: Sequence[str], width: int) -> RenderableType:
    """The lakes beside the board, or below it where there is no room."""
    squares, lakes = board(view), Text().append("Lakes", style="bold")
    for lake in view.lakes:
        lakes.append("\n").append_text(lake_line(lake, names))
    if widest(squares) + len(GAP) + widest(lakes) > width:
        return Group(squares, Text(), lakes)
    grid = Table.grid(padding=(0, len(GAP), 0, 0))
    grid.add_row(squares, lakes)
    return grid


def widest(text: Text) -> int:
    return max(map(cell_len, text.plain.splitlines()))


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


def player_lines(view: View, names: Sequence[str], columns: Columns) -> list[Text]:
    heading, *lines = players(view, names, columns)
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
    lines += speak_flags(view)
    lines += [] if view.over else [speak_card(view, shown, names) for shown in view.cards]
    lines += [speak_player(view, player, names) for player in view.players]
    end = who_won(view, names) if view.over else " ".join(now(view, names))
    return "\n".join([*lines, end, *(f"{line}." for line in own_words(view))])


def speak_flags(view: View) -> list[str]:
    unseen = [NAMES[square] for square in squares_with("".join(view.board), FACE_DOWN)]
    known = [(f"{colour.capitalize()} flags", view.flags.get(letter, ())) for letter, colour in FLAGS.items()]
    return [f"{which}: {', '.join(at)}." for which, at in [*known, ("Flags face down", unseen)] if at]


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
    now = f"{counted(player.score_now.total, 'point')} now and {player.total} before"
    things = ((player.cowboys, "cowboy"), (player.cubes, "cube"), (player.tokens, "token"))
    held = ", ".join(counted(number, thing) for number, thing in things)
    return f"{who} {held} and {owned}: {counted(player.total, 'point') if view.over else now}."

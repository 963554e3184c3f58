"""Fit a match on the player's screen: the board, recent events, the player's moves, and the log if there is room."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile, groupby, zip_longest
from textwrap import wrap
from typing import Any

from cli.local_store import Document
from cli.match_fetch import FetchedMatch, News
from cli.render import match as render
from cli.render import times
from cli.render.board import picture
from cli.render.style import Style
from cli.sanitize import one_line
from games.engine.text import width

BOARD_WIDTH = 80
NARROWEST_LOG = 28
BETWEEN = "   "
NEWS = "Since you last looked"
PROMPT_LINES = 1
SHELL_LINES = 2
"""The number of lines to leave free for the shell's prompt, below a board that stays on the screen."""
LEAST_NEWS = 4
"""The minimum number of lines for the news if the moves can share lines."""
ELLIPSIS = "… "
MORE = f"{ELLIPSIS}more: type 'log'"
ITEM = re.compile(r"\n(?! )")
"""Separates the items of a notice. The lines of an item's list are indented."""
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")

Lines = list[str]


def fitted(fetched: FetchedMatch, style: Style, *, label: str = "", log: Sequence[News] = (), notice: str = "") -> str:
    """Render a match in as much detail as fits above the prompt. On a wide screen, the log is beside the board."""
    if not (log and has_log(style)):
        return "\n".join(page(fetched, style, label, render.told(fetched, style), notice))
    left = page(fetched, replace(style, width=BOARD_WIDTH), label, [], notice)
    return "\n".join(beside(left, log_lines(fetched, log, style)))


def has_log(style: Style) -> bool:
    return style.drawn and style.width >= BOARD_WIDTH + len(BETWEEN) + NARROWEST_LOG


def roomy(fetched: FetchedMatch, style: Style) -> str:
    """Render a match with all details, regardless of the number of lines."""
    return "\n".join(roomy_page(fetched, style, "", render.told(fetched, style), ""))


def page(fetched: FetchedMatch, style: Style, label: str, news: Lines, notice: str) -> Lines:
    """Render the page with as many details as there is room for.

    The legend is left out first, then the parts below the board become compact, and then the board.
    """
    room = style.height - PROMPT_LINES
    for shown in (style, replace(style, legend=False)):
        lines = roomy_page(fetched, shown, label, news, notice)
        if len(lines) <= room or not style.drawn:
            break
    else:
        lines = compact_page(fetched, style, label, news, notice, has_compact_board=False)
        if len(lines) > room or not is_complete(lines, notice, style):
            lines = compact_page(fetched, style, label, news, notice)
    return [*lines, ""] if len(lines) < room else lines


def is_complete(lines: Lines, notice: str, style: Style) -> bool:
    """Return whether nothing is left out below the board."""
    below = wrapped(notice, style)
    is_cut = any(ELLIPSIS.strip() in line for line in lines)
    return not is_cut and lines[len(lines) - len(below) :] == below


def roomy_page(fetched: FetchedMatch, style: Style, label: str, news: Lines, notice: str) -> Lines:
    points = "\n".join(render.points_by_source(fetched, style))
    happened = "\n".join([style.paint(NEWS, "bold"), *news]) if news else ""
    moves = render.choices(fetched.choices, style)
    below = "\n".join(wrapped(notice, style))
    parts = [board(fetched, style, label), *remarks(fetched, style), points, happened, moves, below]
    return "\n\n".join(filter(None, parts)).splitlines()


def compact_page(
    fetched: FetchedMatch, style: Style, label: str, news: Lines, notice: str, *, has_compact_board: bool = True
) -> Lines:
    without_legend = replace(style, legend=False)
    shown = board(fetched, without_legend, label, is_compact=has_compact_board).splitlines()
    above = [*shown, *(line for part in remarks(fetched, style) for line in part.splitlines())]
    room = style.height - PROMPT_LINES - len(above)
    below = shortened(notice, room, style)
    room -= len(below)
    points = first_entries(render.point_entries(fetched, style), room)
    room -= len(points)
    moves = compact_moves(fetched.choices, style, room, min(len(news), LEAST_NEWS))
    room -= len(moves)
    happened = most_important(fetched, news, room, style)
    spaces = iter([[""] if room - len(happened) >= needed else [] for needed in (1, 2, 3, 4)])
    for part in (points, happened, moves, below):
        above += [*next(spaces), *part] if part else []
    return above


def first_entries(entries: Sequence[Lines], room: int) -> Lines:
    """Return the lines of as many entries as fit, from the first."""
    kept: Lines = []
    for entry in entries:
        if len(kept) + len(entry) > room:
            break
        kept += entry
    return kept


def prose(text: str, style: Style) -> str:
    """Wrap text in a terminal. Elsewhere, leave long lines as they are."""
    return "\n".join(wrapped(text, style)) if style.drawn else text


def wrapped(notice: str, style: Style) -> Lines:
    """Wrap each line of the notice, and keep its indentation."""
    return [
        part
        for line in notice.splitlines()
        for part in wrap(line, style.width, subsequent_indent=" " * (len(line) - len(line.lstrip()))) or [""]
    ]


def shortened(notice: str, room: int, style: Style) -> Lines:
    """Shorten the notice to this many lines.

    Lists lose the details of their entries. If that isn't enough, the notice becomes running text and its end is cut.
    """
    lines = wrapped(notice, style)
    if not notice or len(lines) <= room:
        return lines
    items = [render.in_one_line(item) for item in ITEM.split(notice)]
    lines = wrapped("\n".join(items), style)
    return lines if len(lines) <= room else wrap(" ".join(items), style.width, max_lines=max(1, room), placeholder=" …")


def board(fetched: FetchedMatch, style: Style, label: str, *, is_compact: bool = False) -> str:
    match = fetched.match
    if match["view"] is None:
        return f"{render.heading(match, style)}\n\n{render.gathering(match)}"
    return picture(
        match["game"],
        match["view"],
        fetched.names,
        style,
        match["picture"],
        rules=match["rules"],
        label=label,
        is_compact=is_compact,
    )


def detailed(fetched: FetchedMatch, style: Style) -> str:
    """Render the board with all details, even if it doesn't fit on the screen."""
    points = "\n".join(render.points_by_source(fetched, style))
    parts = [board(fetched, replace(style, legend=True), ""), points, render.fingerprint(fetched.match, style)]
    return "\n\n".join(filter(None, parts))


def match_label(match: Document) -> str:
    """Name the match, and say when the player's move is due."""
    due = next((times.until(seat.get("deadline")) for seat in match["seats"] if seat["seat"] == match["you"]), "")
    paused = render.pause(match).removeprefix(", ")
    parts = [one_line(match["title"]), match["id"], paused or (f"due {due}" if due else "")]
    return " · ".join(filter(None, parts))


def remarks(fetched: FetchedMatch, style: Style) -> list[str]:
    parts = [
        render.offline_notice(fetched, style),
        render.stand_ins(fetched, style),
        render.bouncing(fetched, style),
        render.abandon_vote(fetched, style),
        render.new_messages(fetched, style),
        "" if fetched.match["view"] else render.result(fetched, style),  # The board already shows the points.
    ]
    return list(filter(None, parts))


def most_important(fetched: FetchedMatch, news: Lines, room: int, style: Style) -> Lines:
    """Shorten the news to this many lines.

    It becomes running text and then loses details. If that isn't enough, the least important events are left out,
    starting with the earliest.
    """
    if not news or len(news) <= room:
        return news
    running = in_paragraph(" ".join(line.strip() for line in news), style)
    if len(running) <= room:
        return running
    events, more = render.unshown(fetched), ""
    while True:
        texts = [render.in_one_line(one.text, is_brief=True) for one in events]
        brief = in_paragraph(" ".join([*texts, more]), style)
        if len(brief) <= room:
            return brief
        if len(events) == 1:
            return in_paragraph(texts[0], style, max_lines=max(1, room), placeholder=f" {MORE}")[: max(0, room)]
        events.remove(min(events, key=lambda one: one.importance))
        more = MORE


def in_paragraph(text: str, style: Style, **limits: Any) -> Lines:
    return wrap(text, style.width, initial_indent=render.INDENT, subsequent_indent=render.INDENT, **limits)


def latest(lines: Lines, room: int, style: Style) -> Lines:
    """Shorten the news to this many lines. It becomes running text and, if necessary, only the end is kept."""
    if len(lines) <= room:
        return lines
    text = " ".join(line.strip() for line in lines)
    running = wrap(text, style.width, initial_indent=render.INDENT, subsequent_indent=render.INDENT)
    if len(running) <= room:
        return running
    kept = running[len(running) - max(0, room) :]
    return [f"{ELLIPSIS}{line[len(ELLIPSIS) :]}" if line is kept[0] else line for line in kept]


def compact_moves(offered: Document | None, style: Style, room: int, news: int) -> Lines:
    """List the moves in columns, line by line, or grouped by their first words, and leave room for the news.

    If even the groups don't fit without the news, the last moves are left out.
    """
    if not offered:
        return []
    forms = [render.short_form(form) for form in offered["forms"]]
    entries = [entry.strip() for entry in render.lettered_moves(offered)]
    if fits(in_one_line := [*entries, *map(str.strip, forms)], style):
        return [row_line(in_one_line)]
    groups = grouped_moves(offered, style)
    in_columns = render.in_columns(render.lettered_moves(offered), style.width)
    ways = (in_columns, [*map(row_line, in_rows(entries, style))], [*map(row_line, groups)])
    for lines in ways:
        if len(lines) + len(forms) <= room - news:
            return [*lines, *forms]
    shortest = min(ways, key=len)
    if len(shortest) + len(forms) <= room:
        return [*shortest, *forms]
    kept = groups[: max(0, room - len(forms) - 1)]
    left_out = len(entries) - sum(map(len, kept))
    return [*map(row_line, kept), f"{render.INDENT}{ELLIPSIS}{left_out} more: type 'moves'", *forms]


def grouped_moves(offered: Document, style: Style) -> list[Lines]:
    """Group moves that begin with the same words, as in 'pick 1:  a C6 D6   b C6 C7   c C6 only'."""
    moves = [(render.letters(number), move["notation"].split()) for number, move in enumerate(offered["moves"])]
    rows: list[Lines] = []
    for start, together in groupby(moves, key=lambda move: move[1][: max(1, min(2, len(move[1]) - 1))]):
        group = list(together)
        if len(group) > 1:
            entries = [f"{letter} {' '.join(words[len(start) :])}" for letter, words in group]
            rows += in_rows([f"{' '.join(start)}:  {entries[0]}", *entries[1:]], style)
        else:
            entries = [f"{letter}  {' '.join(words)}" for letter, words in group]
            rows += in_rows(entries, style)
    return rows


def in_rows(entries: Sequence[str], style: Style) -> list[Lines]:
    """Put as many entries as possible on each line."""
    rows: list[Lines] = []
    for entry in entries:
        if rows and fits([*rows[-1], entry], style):
            rows[-1].append(entry)
        else:
            rows.append([entry])
    return rows


def fits(entries: Lines, style: Style) -> bool:
    return width(row_line(entries)) <= style.width


def row_line(entries: Lines) -> str:
    return render.INDENT + BETWEEN.join(entries)


def log_lines(fetched: FetchedMatch, log: Sequence[News], style: Style) -> Lines:
    """Render the end of the log for the column beside the board, with the news below a heading.

    Events that are visible on the board are left out.
    """
    shown, news = render.off_board(log, fetched.match), render.off_board(fetched.news, fetched.match)
    begin, room = first_new(shown, news), style.height - PROMPT_LINES
    fresh, seen = log_column(fetched, shown[begin:], style), log_column(fetched, shown[:begin], style)
    if fresh:
        fresh = [style.paint(NEWS, "bold"), *fresh[-(room - 1) :]]
        room -= len(fresh) + 1
    if room <= 1 or not seen:
        return fresh
    whole = dropwhile(lambda line: line.startswith(render.INDENT), seen[-(room - 1) :])
    older = [style.paint(line, "dim") for line in whole]
    return [style.paint("Log", "bold"), *older, *(["", *fresh] if fresh else [])]


def first_new(log: Sequence[News], news: Sequence[News]) -> int:
    """Return where the news begins in the log. The player's own actions, which aren't news, can be in between."""
    begin, left = len(log), list(news)
    for at in reversed(range(len(log))):
        if left and log[at] == left[-1]:
            left.pop()
            begin = at
    return begin


def log_column(fetched: FetchedMatch, events: Sequence[News], style: Style) -> Lines:
    names = [*fetched.names.names, "You"]
    texts = render.one_line_per_turn([render.in_one_line(one.text) for one in events], names, style.width)
    room = style.width - BOARD_WIDTH - len(BETWEEN)
    return [line for text in texts for line in wrap(text, room, subsequent_indent=render.INDENT)]


def beside(left: Lines, right: Lines) -> Lines:
    """Join two columns. All lines of the right column start at the same place."""
    return [
        f"{before}{' ' * (BOARD_WIDTH - width(ESCAPES.sub('', before)))}{BETWEEN}{after}".rstrip() if after else before
        for before, after in zip_longest(left, right, fillvalue="")
    ]

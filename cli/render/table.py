"""Render tables and lists of matches. This module is quick to import, so that `turnpost status` starts fast."""

from collections.abc import Sequence
from textwrap import wrap

from cli.local_store import Document
from cli.render import times
from cli.render.style import Style
from cli.sanitize import one_line
from cli.user_names import player_name
from games.engine.text import fit, listing, width

GAP = "  "
LEAST_WIDTH = 6
"""The minimum width of a column that shrinks or wraps."""
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}
PHASE_TEXTS = {"gathering": "waiting for players", "cancelled": "canceled"}


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], style: Style, flexible: int = 0) -> str:
    """Format rows below their headings. If a line is too long, the flexible column shrinks.

    In a terminal, the last column wraps if that isn't enough.
    """
    widths = [max(width(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
    room = style.width - len(GAP) * (len(heads) - 1)
    widths[flexible] = max(LEAST_WIDTH, widths[flexible] - max(0, sum(widths) - room))
    if style.drawn:
        widths[-1] = max(LEAST_WIDTH, room - sum(widths[:-1]))
    first, *others = [line for row in [heads, *rows] for line in row_lines(row, widths, is_wrapped=style.drawn)]
    return "\n".join([style.paint(first, "bold"), *others])


def row_lines(cells: Sequence[str], widths: Sequence[int], *, is_wrapped: bool) -> list[str]:
    before = "".join(f"{fit(cell, room)}{GAP}" for cell, room in zip(cells[:-1], widths[:-1], strict=True))
    last = wrap(cells[-1], widths[-1]) if is_wrapped else [fit(cells[-1], widths[-1])]
    first, *others = last or [""]
    return [f"{before}{first}".rstrip(), *(f"{'':{width(before)}}{line}" for line in others)]


def two_columns(entries: Sequence[tuple[str, str]], style: Style) -> str:
    """List terms with their explanations. The first column is as wide as its longest term, up to half of the screen."""
    longest = min(max(width(term) for term, _ in entries), style.width // 2 - len(GAP) * 2)
    indent = " " * (longest + 2 * len(GAP))
    return "\n".join(line for term, meaning in entries for line in entry_lines(term, meaning, longest, indent, style))


def entry_lines(term: str, meaning: str, longest: int, indent: str, style: Style) -> list[str]:
    """Put a term that is too long for its column on a line of its own."""
    lines = wrap(meaning, style.width, initial_indent=indent, subsequent_indent=indent)
    if width(term) > longest:
        return [f"{GAP}{term}", *lines]
    return [f"{GAP}{fit(term, longest)}{GAP}{lines[0].lstrip()}", *lines[1:]]


def waiting_matches(matches: list[Document], style: Style) -> str:
    """List the matches in which it is the player's turn, with their deadlines."""
    if style.speech:
        return "\n".join(spoken_waiting_match(match) for match in matches)
    rows = [
        [
            match["id"],
            match["game"],
            opponents(match),
            times.elapsed(own_seat(match).get("awaited_since")),
            own_deadline(match),
        ]
        for match in matches
    ]
    return table(["match", "game", "with", "waiting", "due"], rows, style, flexible=2)


def match_list(matches: list[Document], style: Style) -> str:
    """List matches with their state, such as whose turn it is and since when."""
    if style.speech:
        return "\n".join(spoken_match(match) for match in matches)
    rows = [[match["id"], match["game"], opponents(match), match_state(match)] for match in matches]
    return table(["match", "game", "with", "state"], rows, style, flexible=2)


def spoken_match(match: Document) -> str:
    others = f" with {opponents(match)}" if opponents(match) else ""
    return f"Match {match['id']}, {match['game']}{others}: {match_state(match)}."


def phase_text(match: Document) -> str:
    return PHASE_TEXTS.get(match["phase"], str(match["phase"]))


def spoken_waiting_match(match: Document) -> str:
    deadline = f", your move is due {own_deadline(match)}" if own_deadline(match) else ""
    since = f"has been waiting for you for {times.elapsed(own_seat(match).get('awaited_since'))}"
    return f"Match {match['id']}, {match['game']} with {opponents(match)}, {since}{deadline}."


def opponents(match: Document) -> str:
    """Name the other players and the title of the match."""
    others = [seat for seat in match["seats"] if seat["seat"] is None or seat["seat"] != match["you"]]
    names = ", ".join(one_line(player_name(seat["player"])) for seat in others)
    return f"{names} ({one_line(match['title'])})" if match["title"] else names


def own_seat(match: Document) -> Document:
    return next((seat for seat in match["seats"] if match["you"] is not None and seat["seat"] == match["you"]), {})


def own_deadline(match: Document) -> str:
    return times.until(own_seat(match).get("deadline"))


def whose_turn(match: Document) -> str:
    """Say whose turn it is and since when, such as "Ben's turn for 2 days"."""
    awaited = [one for one in match["seats"] if one["awaited"]]
    if own_seat(match).get("awaited"):
        return f"your turn for {times.elapsed(own_seat(match)['awaited_since'])}"
    if not awaited:
        return "running"
    first = min(awaited, key=lambda one: str(one["awaited_since"]))
    names = listing([one_line(player_name(one["player"])) for one in awaited])
    turn = f"{names}'s turn" if len(awaited) == 1 else f"waiting for {names}"
    return f"{turn} for {times.elapsed(first['awaited_since'])}"


def match_state(match: Document) -> str:
    seat = own_seat(match)
    if match["phase"] == "gathering":
        return f"{match['seats_free']} of {match['seats_wanted']} seats free"
    if match["phase"] == "running":
        return "a stand-in is playing for you" if seat.get("stand_in") else whose_turn(match)
    place = seat.get("place")
    return f"{match['phase']}, you came {ORDINALS.get(place, f'{place}th')}" if place else phase_text(match)

"""Tables, and lists of matches. This module is quick to import, so `turnpost status` starts fast."""

from collections.abc import Sequence

from cli.local_store import Document
from cli.match_fetch import player_name
from cli.render import times
from cli.render.style import Style
from cli.sanitize import one_line
from games.engine.text import fit, width

GAP = "  "
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}
PHASE_TEXTS = {"gathering": "waiting for players", "cancelled": "canceled"}


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], style: Style, flexible: int = 0) -> str:
    """Format rows below their headings. If a line is too long, the flexible column shrinks."""
    widths = [max(width(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
    excess = sum(widths) + len(GAP) * (len(heads) - 1) - style.width
    if excess > 0:
        widths[flexible] = max(6, widths[flexible] - excess)
    first, *others = [
        GAP.join(fit(cell, room) for cell, room in zip(row, widths, strict=True)).rstrip() for row in [heads, *rows]
    ]
    return "\n".join([style.paint(first, "bold"), *others])


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
    if style.speech:
        return "\n".join(
            f"Match {match['id']}, {match['game']}, {phase_text(match)}, with {opponents(match)}." for match in matches
        )
    rows = [[match["id"], match["game"], opponents(match), match_state(match)] for match in matches]
    return table(["match", "game", "with", "state"], rows, style, flexible=2)


def phase_text(match: Document) -> str:
    return PHASE_TEXTS.get(match["phase"], str(match["phase"]))


def spoken_waiting_match(match: Document) -> str:
    deadline = f", your move is due {own_deadline(match)}" if own_deadline(match) else ""
    return f"Match {match['id']}, {match['game']} with {opponents(match)}, is waiting for you{deadline}."


def opponents(match: Document) -> str:
    """Name the other players, and the match's title."""
    others = [seat for seat in match["seats"] if seat["seat"] is None or seat["seat"] != match["you"]]
    names = ", ".join(one_line(player_name(seat["player"])) for seat in others)
    return f"{names} ({one_line(match['title'])})" if match["title"] else names


def own_seat(match: Document) -> Document:
    return next((seat for seat in match["seats"] if match["you"] is not None and seat["seat"] == match["you"]), {})


def own_deadline(match: Document) -> str:
    return times.until(own_seat(match).get("deadline"))


def match_state(match: Document) -> str:
    seat = own_seat(match)
    if match["phase"] == "gathering":
        return f"{match['seats_free']} of {match['seats_wanted']} seats free"
    if match["phase"] == "running":
        running = "a stand-in is playing for you" if seat.get("stand_in") else "running"
        return "your turn" if seat.get("awaited") else running
    place = seat.get("place")
    return f"{match['phase']}, you came {ORDINALS.get(place, f'{place}th')}" if place else phase_text(match)

"""Matches in lists."""

from typing import Any

from cli.look import player_name
from cli.render import times
from cli.render.style import Style
from cli.render.table import table
from cli.safe import one_line

Document = dict[str, Any]


def waiting_list(matches: list[Document], style: Style) -> str:
    if style.speech:
        return "\n".join(spoken(match) for match in matches)
    rows = [
        [match["id"], match["game"], company(match), times.waiting(own(match).get("awaited_since")), due(match)]
        for match in matches
    ]
    return table(["match", "game", "with", "waiting", "due"], rows, style, flexible=2)


def match_list(matches: list[Document], style: Style) -> str:
    if style.speech:
        return "\n".join(
            f"Match {match['id']}, {match['game']}, {match['phase']}, with {company(match)}." for match in matches
        )
    rows = [[match["id"], match["game"], company(match), state(match)] for match in matches]
    return table(["match", "game", "with", "state"], rows, style, flexible=2)


def spoken(match: Document) -> str:
    due_text = f", your move is due {due(match)}" if due(match) else ""
    return f"Match {match['id']}, {match['game']} with {company(match)}, waits for you{due_text}."


def company(match: Document) -> str:
    """Who else sits in it, and what they call it."""
    others = [seat for seat in match["seats"] if seat["seat"] is None or seat["seat"] != match["you"]]
    names = ", ".join(one_line(player_name(seat["player"])) for seat in others)
    return f"{names} ({one_line(match['title'])})" if match["title"] else names


def own(match: Document) -> Document:
    return next((seat for seat in match["seats"] if match["you"] is not None and seat["seat"] == match["you"]), {})


def due(match: Document) -> str:
    return times.due(own(match).get("deadline"))


def state(match: Document) -> str:
    if match["phase"] == "gathering":
        return f"{len(match['seats'])} of {match['seats_wanted']} seats taken"
    if match["phase"] == "running":
        away = "a stand-in plays for you" if own(match).get("stand_in") else "running"
        return "your turn" if own(match).get("awaited") else away
    place = own(match).get("place")
    return f"{match['phase']}, you came {ordinal(place)}" if place else match["phase"]


def ordinal(place: int) -> str:
    return {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}.get(place, f"{place}th")

"""One match on the screen: what it is, what happened, its board, and what the player may do."""

from textwrap import wrap
from typing import Any

from cli.look import Look, player_name
from cli.render import times
from cli.render.board import picture
from cli.render.style import Style
from cli.safe import one_line
from games.engine.text import counted, listing, width

Document = dict[str, Any]
MOST_NEWS = 12
MOST_IN_ONE_COLUMN = 9

NEVER_BEGAN = {
    "cancelled": "Its host has called it off before it began.",
    "expired": "Not enough players came to its table in time.",
}


def screen(seen: Look, style: Style, *, asking: bool = False, alone: bool = False) -> str:
    """`asking` when a question for the move follows, so that no next command is needed; `alone` where there is none
    that could reach the match."""
    parts = [
        heading(seen.match, style),
        from_memory(seen, style),
        news(seen, style, alone=alone),
        body(seen, style),
        stand_ins(seen, style),
        wish_to_end(seen, style),
        result(seen, style),
        choices(seen.choices, style),
        "" if asking or alone else what_next(seen),
    ]
    return "\n\n".join(part for part in parts if part)


def heading(match: Document, style: Style) -> str:
    title = one_line(match["title"])
    name = f"{match['game']} {match['id']}" if title else match["id"]
    turn = f", turn {match['turn']}" if match["phase"] == "running" else ""
    about = f"({name}, {match['phase']}{turn}{pause(match) or deadline(match)})"
    fits = width(f"{title or match['game']}  {about}") <= style.width
    return f"{style.paint(title or match['game'], 'bold')}{'  ' if fits else chr(10)}{about}"


def deadline(match: Document) -> str:
    mine = next((seat for seat in match["seats"] if seat["seat"] == match["you"] and seat["awaited"]), None)
    written = mine.get("deadline") if mine else None
    return f", your move is due {times.due(written)}" if written else ""


def pause(match: Document) -> str:
    left = times.due(match.get("paused_until"))
    return f", paused for another {left.removeprefix('in ')}" if left.startswith("in ") else ""


def from_memory(seen: Look, style: Style) -> str:
    if seen.seen_at is None:
        return ""
    return style.paint(f"The server cannot be reached. This is what you saw {times.ago(seen.seen_at)}.", "warn")


def news(seen: Look, style: Style, *, alone: bool = False) -> str:
    if not seen.news:
        return ""
    left_out = len(seen.news) - MOST_NEWS
    lines = [f"  {line}" for text in seen.news[-MOST_NEWS:] for line in text.splitlines()]
    earlier = f"  … {left_out} earlier" + ("" if alone else f": turnpost log {seen.match['id']}")
    more = [earlier] if left_out > 0 else []
    return "\n".join([style.paint("Since you looked last:", "bold"), *more, *lines])


def body(seen: Look, style: Style) -> str:
    match = seen.match
    if match["view"] is None:
        return gathering(match)
    return picture(match["game"], match["view"], [one_line(name) for name in seen.names], style, match["picture"])


def gathering(match: Document) -> str:
    seated = [f"  {seat_name(seat)}" for seat in match["seats"]]
    if match["phase"] in NEVER_BEGAN:
        return "\n".join(["Players:", *seated, NEVER_BEGAN[match["phase"]]])
    free = match["seats_wanted"] - len(match["seats"])
    invited = [f"  invited: {one_line(invitation_name(asked))}" for asked in match.get("invitations") or []]
    open_seats = f"{free} of {match['seats_wanted']} seats {'is' if free == 1 else 'are'} free."
    return "\n".join(["Players:", *seated, *invited, open_seats])


def invitation_name(invitation: Document) -> str:
    return player_name(invitation["player"]) if invitation.get("player") else invitation.get("email") or "somebody"


def result(seen: Look, style: Style) -> str:
    if not seen.match["outcome"]:
        return ""
    placed = sorted(seen.match["seats"], key=lambda seat: (seat["place"], seat["seat"]))
    lines = [f"  {seat['place']}. {seat_name(seat)}: {counted(seat['points'], 'point')}" for seat in placed]
    return "\n".join([style.paint("Result", "bold"), *lines])


def seat_name(seat: Document) -> str:
    return one_line(player_name(seat["player"]))


def stand_ins(seen: Look, style: Style) -> str:
    own = "A stand-in plays your seat, at once, so you are not asked until you are back." if seen.has_stand_in else ""
    others = [seat for seat in seen.match["seats"] if seat["stand_in"] and seat is not seen.own_seat]
    names = listing([seat_name(seat) for seat in others])
    lines = [own, f"A stand-in plays for {names}." if names else ""]
    return "\n".join(style.paint(line, "warn") for line in lines if line)


def wish_to_end(seen: Look, style: Style) -> str:
    """Who would end the match without a result, and whose word is missing. Stand-ins have no say."""
    match = seen.match
    playing = [seat for seat in match["seats"] if not seat["stand_in"]]
    wishing = [seat for seat in playing if seat["seat"] in match["abandon"]]
    if match["phase"] != "running" or not wishing:
        return ""
    missing = [seat for seat in playing if seat not in wishing]
    told = f"{named(wishing, seen, 'You')} would like to end the match without a result."
    told += f" Still to agree: {named(missing, seen, 'you')}."
    return f"{style.paint(told, 'warn')}{answer_to_wish(seen, wishing)}"


def named(seats: list[Document], seen: Look, you: str) -> str:
    """The player first."""
    others = [seat_name(seat) for seat in seats if seat is not seen.own_seat]
    return listing([you, *others] if len(others) < len(seats) else others)


def answer_to_wish(seen: Look, wishing: list[Document]) -> str:
    if seen.own_seat is None or seen.has_stand_in:
        return ""
    order = f"turnpost abandon {seen.match['id']}"
    return f"\nTake it back: {order} --no-agree" if seen.own_seat in wishing else f"\nAgree: {order}"


def choices(offered: Document | None, style: Style) -> str:
    if not offered:
        return ""
    listed = [f"{number:>4}  {move['notation']}" for number, move in enumerate(offered["moves"], start=1)]
    forms = [line for form in offered["forms"] for line in form_lines(form, style)]
    return "\n".join([style.paint("You may", "bold"), *in_columns(listed, style.width), *forms])


def form_lines(form: Document, style: Style) -> list[str]:
    how = wrap(bounds(form), style.width, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return [f"      {form['example']}", *(style.paint(line, "dim") for line in how)]


def in_columns(listed: list[str], room: int) -> list[str]:
    """A long list side by side, counted down each column."""
    if len(listed) <= MOST_IN_ONE_COLUMN:
        return listed
    widest = max(map(len, listed)) + 2
    rows = -(-len(listed) // max(1, room // widest))
    return ["".join(entry.ljust(widest) for entry in listed[row::rows]).rstrip() for row in range(rows)]


def bounds(form: Document) -> str:
    """How to fill a form: '2 to 4 of 12 45 60'."""
    return "; ".join(field_bounds(field) for field in form["fields"])


def field_bounds(field: Document) -> str:
    if field["type"] == "ranking":
        return f"{field['name']}: up to {field['most']}, if you like"
    if field["type"] == "squares":
        return f"{field['name']}: {field['count']} of those free"
    least, most = field["least"], field["most"]
    count = f"{least}" if least == most else f"{least} to {most}"
    return f"{field['name']}: {count} of {' '.join(map(str, field['values']))}"


def what_next(seen: Look) -> str:
    match = seen.match
    if seen.has_stand_in:
        return f"To take your seat back: turnpost back {match['id']}"
    if seen.choices and seen.is_my_turn:
        examples = [form["example"] for form in seen.choices["forms"]]
        listed = [move["notation"] for move in seen.choices["moves"]]
        word = "For example" if examples else "Next"
        return f"{word}: turnpost play {match['id']} {(examples or listed)[0]}"
    if match["phase"] == "gathering":
        return f"Next: turnpost invite {match['id']} NAME" if match["joined"] else f"Next: turnpost join {match['id']}"
    if match["phase"] in ("finished", "abandoned"):
        return f"Next: turnpost verify {match['id']}"
    if match["phase"] == "running" and match["you"] is not None and not seen.is_my_turn:
        return f"To see it again when you are asked: turnpost watch {match['id']} --until-my-turn"
    return ""

"""Show one match: its heading, what happened, the board, and the player's moves."""

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap

from cli.local_store import Document
from cli.match_fetch import FetchedMatch, player_name
from cli.render import times
from cli.render.board import picture
from cli.render.style import Style
from cli.render.table import phase_text
from cli.sanitize import one_line
from games.engine.text import counted, listing, width

INDENT = "  "
TITLE_LINES, PROMPT_LINES = 3, 1
MOST_NEWS = 12
MOST_IN_ONE_COLUMN = 9

NEVER_BEGAN = {
    "cancelled": "The host canceled it before it started.",
    "expired": "Not enough players joined in time.",
}
ABSENT = {
    "bot": "If a player is late or away, a bot moves for them.",
    "minimal": "If a player is late or away, a minimal move is made for them.",
}


def screen(fetched: FetchedMatch, style: Style, *, prompting: bool = False) -> str:
    """Render a match, with the next command unless a prompt follows."""
    parts = [
        heading(fetched.match, style),
        offline_notice(fetched, style),
        news(fetched, style),
        body(fetched, style),
        stand_ins(fetched, style),
        abandon_vote(fetched, style),
        result(fetched, style),
        choices(fetched.choices, style),
        fingerprint(fetched.match, style),
        "" if prompting else next_command(fetched),
    ]
    return "\n\n".join(part for part in parts if part)


def fingerprint(match: Document, style: Style) -> str:
    """Show the fingerprint that players can compare, and the point in the match it belongs to."""
    shown = match["fairness"].get("fingerprint")
    if not shown:
        return ""
    at = "at the end" if match["fairness"].get("end") else f"after event {match['fairness']['events']}"
    return style.paint(f"Fingerprint {at}: {shown}", "dim")


def demo_screen(fetched: FetchedMatch, style: Style) -> str:
    """Render the demo's match, without commands, as no other command can reach it. The news is next to the prompt,
    unless it would push the board off the screen."""
    labeled = with_bots_labeled(fetched)
    board, happened = body(labeled, style), demo_news(fetched, style)
    below = [result(labeled, style), choices(fetched.choices, style)]
    parts = [happened, board, *below] if is_pushed_off([board, *below], happened, style) else [board, happened, *below]
    return "\n\n".join(part for part in parts if part)


def is_pushed_off(parts: list[str], happened: str, style: Style) -> bool:
    height = sum(part.count("\n") + 2 for part in parts if part) + PROMPT_LINES - TITLE_LINES
    return height <= style.height < height + happened.count("\n") + 2


def with_bots_labeled(fetched: FetchedMatch) -> FetchedMatch:
    seats = [
        seat if seat is fetched.own_seat else seat | {"player": {"name": f"{seat_name(seat)} (bot)"}}
        for seat in fetched.match["seats"]
    ]
    return replace(fetched, match=fetched.match | {"seats": seats})


def demo_news(fetched: FetchedMatch, style: Style) -> str:
    if not fetched.news:
        return ""
    happened = one_line_per_turn(fetched.news, fetched.names.names, style.width - len(INDENT))
    lines = [part for line in happened for part in indented(line, style)]
    return "\n".join([style.paint("Since your last move", "bold"), *lines])


def one_line_per_turn(sentences: Sequence[str], names: Sequence[str], room: int) -> list[str]:
    """Join the two steps of a player's turn: 'Ada drew a red card and placed a red card on row 1.'"""
    lines: list[str] = []
    previous = ""
    for sentence in sentences:
        name = next((f"{name} " for name in names if sentence.startswith(f"{name} ")), "")
        joined = f"{lines[-1].removesuffix('.')} and {sentence.removeprefix(name)}" if name and previous == name else ""
        if joined and "\n" not in joined and width(joined) <= room:
            lines[-1], previous = joined, ""
        else:
            lines.append(sentence)
            previous = name
    return lines


def indented(text: str, style: Style) -> list[str]:
    return [
        part
        for line in text.splitlines()
        for part in wrap(line, style.width, initial_indent=INDENT, subsequent_indent=INDENT * 2)
    ]


def heading(match: Document, style: Style) -> str:
    title = one_line(match["title"])
    name = f"{match['game']} {match['id']}" if title else match["id"]
    turn = f", turn {match['turn']}" if match["phase"] == "running" else ""
    about = f"({name}, {phase_text(match)}{turn}{pause(match) or deadline(match)})"
    fits = width(f"{title or match['game']}  {about}") <= style.width
    return f"{style.paint(title or match['game'], 'bold')}{'  ' if fits else chr(10)}{about}"


def deadline(match: Document) -> str:
    own = next((seat for seat in match["seats"] if seat["seat"] == match["you"] and seat["awaited"]), None)
    written = own.get("deadline") if own else None
    return f", your move is due {times.until(written)}" if written else ""


def pause(match: Document) -> str:
    left = times.until(match.get("paused_until"))
    return f", paused for another {left.removeprefix('in ')}" if left.startswith("in ") else ""


def offline_notice(fetched: FetchedMatch, style: Style) -> str:
    if fetched.seen_at is None:
        return ""
    return style.paint(f"Can't reach the server. This is the board you saw {times.ago(fetched.seen_at)}.", "warn")


def news(fetched: FetchedMatch, style: Style) -> str:
    if not fetched.news:
        return ""
    left_out = len(fetched.news) - MOST_NEWS
    lines = [f"  {line}" for text in fetched.news[-MOST_NEWS:] for line in text.splitlines()]
    more = [f"  … {left_out} earlier: turnpost log {fetched.match['id']}"] if left_out > 0 else []
    return "\n".join([style.paint("Since you last looked:", "bold"), *more, *lines])


def body(fetched: FetchedMatch, style: Style) -> str:
    match = fetched.match
    if match["view"] is None:
        return gathering(match)
    return picture(match["game"], match["view"], fetched.names, style, match["picture"], rules=match["rules"])


def gathering(match: Document) -> str:
    seated = [f"  {seat_name(seat)}" for seat in match["seats"]]
    if match["phase"] in NEVER_BEGAN:
        return "\n".join(["Players:", *seated, NEVER_BEGAN[match["phase"]]])
    free = match["seats_free"]
    invited = [f"  reserved for {one_line(invitation_name(asked))}" for asked in match.get("invitations") or []]
    open_seats = f"{free} of {match['seats_wanted']} seats {'is' if free == 1 else 'are'} free."
    if reveal_by := match["fairness"]["reveal_by"]:
        open_seats = f"All seats are taken. The match starts {times.until(reveal_by)} at the latest."
    terms = f"{open_seats} {ABSENT[match['absent']]}"
    return "\n".join(["Players:", *seated, *invited, *wrap(terms, 79), "", *wrap(match["fairness"]["proves"], 79)])


def invitation_name(invitation: Document) -> str:
    return player_name(invitation["player"]) if invitation.get("player") else invitation.get("email") or "somebody"


def result(fetched: FetchedMatch, style: Style) -> str:
    if not fetched.match["outcome"]:
        return ""
    placed = sorted(fetched.match["seats"], key=lambda seat: (seat["place"], seat["seat"]))
    lines = [f"  {seat['place']}. {seat_name(seat)}: {counted(seat['points'], 'point')}" for seat in placed]
    return "\n".join([style.paint("Result", "bold"), *lines])


def seat_name(seat: Document) -> str:
    return one_line(player_name(seat["player"]))


def stand_ins(fetched: FetchedMatch, style: Style) -> str:
    yours = "A stand-in is playing your seat."
    others = [seat for seat in fetched.match["seats"] if seat["stand_in"] and seat is not fetched.own_seat]
    names = listing([seat_name(seat) for seat in others])
    lines = [yours if fetched.has_stand_in else "", f"A stand-in is playing for {names}." if names else ""]
    return "\n".join(style.paint(line, "warn") for line in lines if line)


def abandon_vote(fetched: FetchedMatch, style: Style) -> str:
    """Say who wants to end the match without a result, and who hasn't agreed yet. Stand-ins have no vote."""
    match = fetched.match
    playing = [seat for seat in match["seats"] if not seat["stand_in"]]
    agreed = [seat for seat in playing if seat["seat"] in match["abandon"]]
    if match["phase"] != "running" or not agreed:
        return ""
    missing = [seat for seat in playing if seat not in agreed]
    text = f"{listed_names(agreed, fetched, 'You')} would like to end the match without a result."
    text += f" Waiting for {listed_names(missing, fetched, 'you')} to agree."
    return f"{style.paint(text, 'warn')}{abandon_command(fetched, agreed)}"


def listed_names(seats: list[Document], fetched: FetchedMatch, you: str) -> str:
    """List the names, with the player first."""
    others = [seat_name(seat) for seat in seats if seat is not fetched.own_seat]
    return listing([you, *others] if len(others) < len(seats) else others)


def abandon_command(fetched: FetchedMatch, agreed: list[Document]) -> str:
    if fetched.own_seat is None or fetched.has_stand_in:
        return ""
    command = f"turnpost abandon {fetched.match['id']}"
    return f"\nTake it back: {command} --no-agree" if fetched.own_seat in agreed else f"\nAgree: {command}"


def choices(offered: Document | None, style: Style) -> str:
    if not offered:
        return ""
    listed = [f"{number:>4}  {move['notation']}" for number, move in enumerate(offered["moves"], start=1)]
    forms = [line for form in offered["forms"] for line in form_lines(form, style)]
    return "\n".join([style.paint("Your moves", "bold"), *in_columns(listed, style.width), *forms])


def form_lines(form: Document, style: Style) -> list[str]:
    how = wrap(bounds(form), style.width, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return [f"      {form['example']}", *(style.paint(line, "dim") for line in how)]


def in_columns(listed: list[str], room: int) -> list[str]:
    """Arrange a long list in columns that are read from top to bottom."""
    if len(listed) <= MOST_IN_ONE_COLUMN:
        return listed
    widest = max(map(len, listed)) + 2
    rows = -(-len(listed) // max(1, room // widest))
    return ["".join(entry.ljust(widest) for entry in listed[row::rows]).rstrip() for row in range(rows)]


def bounds(form: Document) -> str:
    """Say how to fill in a form: '2 to 4 of 12 45 60'."""
    return "; ".join(field_bounds(field) for field in form["fields"])


def field_bounds(field: Document) -> str:
    if field["type"] == "ranking":
        return f"{field['name']}: up to {field['most']}, optional"
    if field["type"] == "squares":
        return f"{field['name']}: {field['count']} free squares"
    least, most = field["least"], field["most"]
    count = f"{least}" if least == most else f"{least} to {most}"
    return f"{field['name']}: {count} of {' '.join(map(str, field['values']))}"


def next_command(fetched: FetchedMatch) -> str:
    match = fetched.match
    if fetched.has_stand_in:
        return f"Take your seat back: turnpost back {match['id']}"
    if fetched.choices and fetched.is_my_turn:
        examples = [form["example"] for form in fetched.choices["forms"]]
        listed = [move["notation"] for move in fetched.choices["moves"]]
        word = "For example" if examples else "Next"
        return f"{word}: turnpost play {match['id']} {(examples or listed)[0]}"
    if match["phase"] == "gathering":
        return f"Next: turnpost invite {match['id']} NAME" if match["joined"] else f"Next: turnpost join {match['id']}"
    if match["phase"] in ("finished", "abandoned"):
        return f"Next: turnpost verify {match['id']}"
    if match["phase"] == "running" and match["you"] is not None and not fetched.is_my_turn:
        return f"Wait for your turn: turnpost watch {match['id']} --until-my-turn"
    return ""


def move_preview(preview: Document) -> str:
    return "\n".join(filter(None, [*(event["text"] for event in preview["would"]), preview["text"]]))


def move_outcome(response: Document, decided_on: int) -> str:
    """Say what happened. The last sealed move of a round reveals them all and increases the turn."""
    lines = [event["text"] for event in response["events"]]
    if response["move"]["sealed"] and response["turn"] == decided_on:
        lines.append(f"Your move '{response['move']['notation']}' is sealed until everyone has moved.")
    return "\n".join(lines)

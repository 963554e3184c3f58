"""Show a match: its heading, recent events, the board, and the player's moves."""

import re
from collections.abc import Sequence
from textwrap import wrap

from cli.local_store import Document
from cli.match_fetch import FetchedMatch, News, read_news
from cli.render import times
from cli.render.board import picture
from cli.render.style import Style
from cli.render.table import phase_text
from cli.sanitize import one_line
from cli.user_names import player_name
from games.engine import fairness
from games.engine.text import counted, listing, width

INDENT = "  "
LETTERS = "abcdefghijklmnoprstuvwxyz"
MOST_NEWS = 12
MOST_IN_ONE_COLUMN = 9
POINTS = "Where the points come from"
NO_NAMES = ("You ", "You:", "Your ", "Nobody ")
"""Beginnings of a sentence that have no capital inside it."""
LISTED_IN_PARENTHESES = re.compile(r" \([^()]*,[^()]*\)")

NEVER_BEGAN = {
    "cancelled": "The owner canceled it before it started.",
    "expired": "Not enough players joined in time.",
}
ABSENT = {
    "bot": "If a player is late or away, a bot moves for them.",
    "minimal": "If a player is late or away, Turnpost makes a minimal move for them.",
}


def screen(fetched: FetchedMatch, style: Style) -> str:
    """Render everything about a match, followed by the next command."""
    parts = [
        heading(fetched.match, style),
        offline_notice(fetched, style),
        news(fetched, style),
        new_messages(fetched, style),
        body(fetched, style),
        stand_ins(fetched, style),
        bouncing(fetched, style),
        abandon_vote(fetched, style),
        result(fetched, style),
        "\n".join(points_by_source(fetched, style)),
        choices(fetched.choices, style),
        fingerprint(fetched.match, style),
        next_command(fetched),
    ]
    return "\n\n".join(part for part in parts if part)


def fingerprint(match: Document, style: Style) -> str:
    """Show the fingerprint that players can compare, and the event it belongs to."""
    head = match["fairness"].get("head")
    if not head:
        return ""
    at = "at the end" if match["fairness"].get("end") else f"after event {match['fairness']['events']}"
    return style.paint(f"Fingerprint {at}: {fairness.fingerprint(head)}", "dim")


def unshown(fetched: FetchedMatch) -> list[News]:
    """Return the news that the board doesn't show."""
    said = in_running_text(fetched.match["picture"] or "")
    return [one for one in off_board(fetched.news, fetched.match) if in_running_text(one.text) not in said]


def told(fetched: FetchedMatch, style: Style) -> list[str]:
    """Describe the news that the board doesn't show, on indented lines, one per turn."""
    texts = [in_one_line(one.text) for one in unshown(fetched)]
    happened = one_line_per_turn(texts, fetched.names.names, style.width - len(INDENT))
    return [part for line in happened for part in indented(line, style)]


def in_running_text(text: str) -> str:
    return " ".join(text.split())


def off_board(events: Sequence[News], match: Document) -> list[News]:
    """Return the events that the board doesn't show."""
    view = match["view"] or {}
    stage = "over" if view.get("over") else view.get("phase")
    latest = {one.kind: one for one in events if stage and one.board_stage == stage}
    return [one for one in events if not one.is_on_board and one is not latest.get(one.kind)]


def in_one_line(text: str, *, is_brief: bool = False) -> str:
    """Join a sentence and the list below it into one line, without the details of the entries.

    Brief text also leaves out what follows a comma in an entry, and what parentheses list.
    """
    first, *entries = text.splitlines()
    if is_brief:
        first = LISTED_IN_PARENTHESES.sub("", first)
    if not entries:
        return first
    indent = min(len(entry) - len(entry.lstrip()) for entry in entries)
    listed = [entry.strip().removesuffix(".") for entry in entries if not entry[indent:].startswith(" ")]
    listed = [f"{entry[0].lower()}{entry[1:]}" if entry.startswith(NO_NAMES) else entry for entry in listed]
    if is_brief:
        listed = [entry.partition(",")[0] for entry in listed]
    return f"{first.removesuffix('.')}: {'; '.join(listed)}."


def new_messages(fetched: FetchedMatch, style: Style) -> str:
    written = [
        f"{one_line(player_name(message['author']))}: {one_line(message['text'])}" for message in fetched.messages
    ]
    lines = [part for line in written for part in wrap(line, style.width, subsequent_indent=INDENT)]
    return "\n".join(style.paint(line, "name") for line in lines)


def one_line_per_turn(sentences: Sequence[str], names: Sequence[str], room: int) -> list[str]:
    """Join the two steps of a player's turn, as in 'Ada drew a red card and placed it on row 1.'"""
    lines: list[str] = []
    previous = ""
    for sentence in sentences:
        name = next((f"{name} " for name in names if sentence.startswith(f"{name} ")), "")
        are_steps = name and previous == name and not any(part in lines[-1] for part in (" and ", ". "))
        joined = joined_steps(lines[-1], sentence, name) if are_steps else ""
        if joined and "\n" not in joined and width(joined) <= room:
            lines[-1], previous = joined, ""
        else:
            lines.append(sentence)
            previous = name
    return lines


def joined_steps(first: str, second: str, name: str) -> str:
    first, then = first.removesuffix("."), second.removeprefix(name)
    _, _, thing = first.removeprefix(name).partition(" ")
    return f"{first} and {then.replace(f' {thing} ', ' it ', 1) if thing.startswith(('a ', 'an ', 'the ')) else then}"


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
    lines = [f"  {line}" for one in fetched.news[-MOST_NEWS:] for line in one.text.splitlines()]
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
    if not free and invited:
        open_seats = "The match starts when everyone invited has joined."
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


def points_by_source(fetched: FetchedMatch, style: Style) -> list[str]:
    """Say where everyone's points come from, below a heading."""
    lines = [line for entry in point_entries(fetched, style) for line in entry]
    return [style.paint(POINTS, "bold"), *lines] if lines else []


def point_entries(fetched: FetchedMatch, style: Style) -> list[list[str]]:
    """Return a line or more for each player. The player's own come first, followed by the winner's."""
    sources = (fetched.match["outcome"] or {}).get("lines") or []
    if not any(sources):
        return []
    placed = sorted(
        fetched.match["seats"], key=lambda seat: (seat is not fetched.own_seat, seat["place"], seat["seat"])
    )
    texts = [f"{fetched.names.subject(seat['seat'])}: {sources_text(sources[seat['seat']])}" for seat in placed]
    return [indented(text, style) if style.drawn else [f"{INDENT}{text}"] for text in texts]


def sources_text(lines: list[Document]) -> str:
    """List the sources of a player's points in the whole match, as in "+6 green, +4 for +2, -1 red"."""
    totals: dict[str, int] = {}
    for line in lines:
        totals[line["source"]] = totals.get(line["source"], 0) + line["points"]
    ranked = sorted(totals, key=lambda source: -totals[source])
    return ", ".join(f"{totals[one]:+} {one if one[:1].isalpha() else f'for {one}'}" for one in ranked) or "no points"


def seat_name(seat: Document) -> str:
    return one_line(player_name(seat["player"]))


def stand_ins(fetched: FetchedMatch, style: Style) -> str:
    yours = "A stand-in is playing your seat."
    others = [seat for seat in fetched.match["seats"] if seat["stand_in"] and seat is not fetched.own_seat]
    names = listing([seat_name(seat) for seat in others])
    lines = [yours if fetched.has_stand_in else "", f"A stand-in is playing for {names}." if names else ""]
    return "\n".join(style.paint(line, "warn") for line in lines if line)


def bouncing(fetched: FetchedMatch, style: Style) -> str:
    """Name the players whose emails bounce, because they might not know that it's their turn."""
    unreached = fetched.match.get("bouncing", ())
    seats = [seat for seat in fetched.match["seats"] if seat["player"] and seat["player"].get("username") in unreached]
    names = listing([seat_name(seat) for seat in seats])
    return style.paint(f"Emails to {names} are bouncing.", "warn") if names else ""


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
    """List the names, starting with the player's own."""
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
    forms = [line for form in offered["forms"] for line in form_lines(form, style)]
    listed = in_columns(lettered_moves(offered), style.width)
    return "\n".join([style.paint("Your moves", "bold"), *listed, *forms])


def lettered_moves(offered: Document) -> list[str]:
    """List the moves by letter, because numbers could be mistaken for rows and cards."""
    return [f"{letters(number):>4}  {move['notation']}" for number, move in enumerate(offered["moves"])]


def letters(number: int) -> str:
    """Return a, b, c … z, aa, ab …, skipping q, which leaves the prompt."""
    before, last = divmod(number, len(LETTERS))
    return f"{letters(before - 1) if before else ''}{LETTERS[last]}"


def move_by_letters(offered: Document | None, typed: str) -> str:
    """Return the move listed with these letters, or an empty string if there is none."""
    moves = offered["moves"] if offered else []
    return next((str(move["notation"]) for number, move in enumerate(moves) if letters(number) == typed), "")


def short_form(form: Document) -> str:
    return f"{' ' * 6}{form['example']}{INDENT}({'; '.join(short_bounds(field) for field in form['fields'])})"


def short_bounds(field: Document) -> str:
    if field["type"] != "subset":
        return field_bounds(field)
    things = field["name"]
    return f"{count_text(field)} {things.removesuffix('s') if field['most'] == 1 else things}"


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
    """Say how to fill in a form, as in '2 to 4 of 12 45 60'."""
    return "; ".join(field_bounds(field) for field in form["fields"])


def field_bounds(field: Document) -> str:
    if field["type"] == "ranking":
        return f"optional {field['name']}: up to {field['most']} {ranked_moves(field)}"
    if field["type"] == "squares":
        return f"{field['name']}: {field['count']} free squares"
    return f"{field['name']}: {count_text(field)} of {' '.join(map(str, field['values']))}"


def ranked_moves(ranking: Document) -> str:
    """Name what a ranking consists of, as in "picks"."""
    kinds = {str(value.get("move")) for value in ranking["values"] if isinstance(value, dict)}
    return f"{kinds.pop()}s" if len(kinds) == 1 else "choices"


def count_text(subset: Document) -> str:
    least, most = subset["least"], subset["most"]
    return f"{least}" if least == most else f"{least} to {most}"


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
        if not match["joined"]:
            return f"Next: turnpost join {match['id']}"
        return f"Next: turnpost invite {match['id']} NAME" if match["seats_free"] else ""
    if match["phase"] in ("finished", "abandoned"):
        return after_match(match)
    if match["phase"] == "running" and match["you"] is not None and not fetched.is_my_turn:
        return f"Wait for your turn: turnpost watch {match['id']} --until-my-turn"
    return ""


def after_match(match: Document) -> str:
    check = f"Check that it was fair: turnpost verify {match['id']}"
    if match["phase"] == "abandoned" or match["you"] is None:
        return check
    return "\n".join(
        [f"Play again: turnpost rematch {match['id']}", f"Review your moves: turnpost review {match['id']}", check]
    )


def whose_turn(fetched: FetchedMatch) -> str:
    names, awaited = fetched.names, fetched.match["awaiting"]
    return (
        f"It's {names.possessive(awaited[0])} turn." if len(awaited) == 1 else f"Waiting for {names.objects(awaited)}."
    )


def move_preview(preview: Document, match: Document | None = None) -> str:
    """Say what the move would do. If the board is shown as well, consequences that it will show come last.

    So do minor consequences.
    """
    would = read_news(preview["would"], match) if match else [News(one["text"]) for one in preview["would"]]
    texts = [one.text for one in sorted(would, key=lambda one: one.is_on_board or not one.importance)]
    return "\n".join(filter(None, [*texts, preview["text"]]))


def move_outcome(response: Document, decided_on: int) -> str:
    """Say what happened. The last sealed move of a round reveals all of them and increases the turn number."""
    lines = [event["text"] for event in response["events"]]
    if response["move"]["sealed"] and response["turn"] == decided_on:
        lines.append(f"Your move '{response['move']['notation']}' is sealed until everyone has moved.")
    return "\n".join(lines)

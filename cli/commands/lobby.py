"""Everything that happens before a match starts: creating it, inviting players, joining, leaving, starting and
canceling."""

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Annotated, Any

import typer

from cli.command import EXAMPLE_MATCH, MatchId, RequiredMatchId, Result, command, print_result
from cli.fairness_notes import give_salt, note_joined, share_for
from cli.local_store import Document, valid_match_id
from cli.match_fetch import complete_match_id, fetch_match, resolve_match_id
from cli.match_screen import match_screen
from cli.problems import Problem, Refused, Usage
from cli.sanitize import printable
from cli.session import Session, ask
from cli.user_names import bare_name, find_users, suggesting_usernames
from games.bots import LEVELS
from games.engine.text import counted

NO_ANSWER = "\x04"
DURATION = re.compile("[0-9]{1,6}[mhd]")


class Absent(StrEnum):
    BOT = "bot"
    MINIMAL = "minimal"


class Salts(StrEnum):
    OPEN = "open"
    COMMITTED = "committed"


@command(
    "turnpost new coloretto --seats 3",
    "turnpost new coloretto --seats 4 --option edition=classic --title 'Sunday table' --private",
    "turnpost new coloretto --seats 2 --invite ben",
    "turnpost new coloretto --bots 2 --level hard --think 10",
)
def new(
    session: Session,
    game: Annotated[str, typer.Argument(help="coloretto or colorado-county. List the games: turnpost games")],
    seats: Annotated[
        int | None,
        typer.Option("--seats", "-s", help="Number of players. Default: 3 or, with --bots, you and the bots."),
    ] = None,
    bots: Annotated[int, typer.Option("--bots", min=0, help="Number of seats that bots take.")] = 0,
    level: Annotated[str, typer.Option("--level", "-l", help=f"How well the bots play: {', '.join(LEVELS)}.")] = "",
    think: Annotated[
        int | None,
        typer.Option(
            "--think",
            help="How long a hard bot may think about a move, from 1 to 10 seconds. It stops early if one move is "
            "clearly best, so more time rarely makes a difference.",
        ),
    ] = None,
    allow_bots: Annotated[
        bool | None, typer.Option("--allow-bots/--no-allow-bots", help="Let bots take seats later.")
    ] = None,
    absent: Annotated[
        Absent,
        typer.Option(
            "--absent", help="Who moves for a player who is late or away: a bot, or Turnpost with a minimal move."
        ),
    ] = Absent.BOT,
    pace: Annotated[str, typer.Option("--pace", help="Time per move, such as 90m, 24h or 7d.")] = "72h",
    bank: Annotated[str, typer.Option("--bank", help="Time bank per player for the whole match, such as 3d.")] = "",
    weekends_off: Annotated[bool, typer.Option("--weekends-off", help="Stop the clock on weekends.")] = False,
    patience: Annotated[
        int | None, typer.Option("--patience", help="Time-outs in a row before a stand-in takes over.")
    ] = None,
    title: Annotated[str, typer.Option("--title", help="A name for the match.")] = "",
    private: Annotated[bool, typer.Option("--private", help="Only invited players can see it.")] = False,
    salts: Annotated[
        Salts, typer.Option("--salts", help="When players reveal their salts. See: turnpost verify --help")
    ] = Salts.OPEN,
    option: Annotated[
        list[str], typer.Option("--option", "-o", help="Game option, such as edition=classic. Can be repeated.")
    ] = [],  # noqa: B006
    invite: Annotated[
        list[str], typer.Option("--invite", "-i", help="Username or email address to invite. Can be repeated.")
    ] = [],  # noqa: B006
) -> Result:
    """Create a match.

    You take the first seat. The match starts when all seats are taken, or when you start it. A match between you and
    bots starts immediately. The new match becomes your current match. If you invite a username that doesn't exist, no
    match is created; in a terminal, you can correct it.
    """
    if level and not bots:
        hint = f"Add the number of bots: turnpost new {game} --bots 2 --level {level}"
        raise Usage("no_bots", "--level works only with --bots.", hint)
    seats = seats or (bots + 1 if bots else 3)
    settings = {
        "game": game.lower(),
        "seats": seats,
        "bots": bots,
        "bots_allowed": allow_bots,
        "absent": absent.value,
        "think": think,
        "salt_follows": True,
        "options": dict(parse_option(written) for written in option),
        "pace": parse_pace(pace, bank, weekends_off, patience),
        "private": private,
        "title": title,
        "salts": salts.value,
    }
    invitees = possible_invitees(session, invite, seats - bots - 1)
    match = session.server.post("matches", settings | ({"level": level.lower()} if level else {}))
    give_salt(session.store, session.server, match)
    session.store.set_current(match["id"])
    _, failed = invite_all(session, match["id"], invitees)
    if failed:
        session.inform(f"{not_invited(failed)}\nTry again: turnpost invite {match['id']} NAME")
    return match_result(session, match["id"])


def possible_invitees(session: Session, names: Iterable[str], room: int) -> list[str]:
    """Return the names of the users to invite.

    If somebody can't be invited, for example because the name was mistyped, ask for another name in a terminal.
    Otherwise, fail before anything is created.
    """
    invitees = dict.fromkeys(filter(None, [possible_invitee(session, name) for name in dict.fromkeys(names)]))
    if len(invitees) > max(room, 0):
        space = f"room for {room}" if room > 0 else "no room"
        message = f"You're inviting {counted(len(invitees), 'player')}, but there is {space}. No match was created."
        raise Usage("too_many_invited", message, "Invite fewer players, or create a match with more --seats.")
    return list(invitees)


def possible_invitee(session: Session, name: str) -> str:
    """Return the name, or the player's correction if the name was wrong. Return an empty string if the player decides
    to invite nobody."""
    try:
        with suggesting_usernames(session, name):
            session.server.post("invitees", {"invitee": bare_name(name)})
    except Refused as problem:
        question = f"{problem.message}\nWho do you want to invite? (Enter: nobody, Ctrl-C: cancel) "
        answer = ask(question, at_end=NO_ANSWER) if session.interactive else NO_ANSWER
        if answer == NO_ANSWER:
            problem.message = f"{problem.message} No match was created."
            problem.data["invitee"] = name
            raise
        return possible_invitee(session, answer) if answer else ""
    return name


def parse_pace(move_time: str, bank: str, weekends_off: bool, patience: int | None) -> Document:
    optional = {"bank": parse_duration("--bank", bank) if bank else None, "patience": patience}
    return {"move_time": parse_duration("--pace", move_time), "weekends_off": weekends_off} | {
        name: value for name, value in optional.items() if value is not None
    }


def parse_duration(option: str, written: str) -> str:
    if not DURATION.fullmatch(written.strip().lower()):
        hint = f"Use minutes, hours or days: {option} 90m, {option} 24h or {option} 7d"
        raise Usage("bad_time", f"'{written}' isn't a valid time for {option}.", hint)
    return written


def parse_option(written: str) -> tuple[str, Any]:
    """Parse NAME=VALUE.

    Values that are valid JSON are decoded, and all others are strings.
    """
    name, found, value = written.partition("=")
    if not found:
        raise Usage("bad_option", f"'{written}' isn't a game option.", "Example: --option edition=classic")
    try:
        parsed = json.loads(value)
        json.dumps(parsed, allow_nan=False)
    except (ValueError, RecursionError):
        return name, value
    return name, parsed


def match_result(session: Session, match_id: str) -> Result:
    fetched = fetch_match(session, match_id, offline_ok=False)
    return Result({"match": fetched.match}, lambda _style: match_screen(session, fetched))


@command(f"turnpost invite {EXAMPLE_MATCH} ben", f"turnpost invite {EXAMPLE_MATCH} cleo@example.org")
def invite(
    session: Session,
    match: RequiredMatchId,
    invitees: Annotated[list[str], typer.Argument(help="Usernames or email addresses.")],
) -> Result:
    """Invite someone by username or email address.

    If one invitation fails, the others are still sent. The exit code is that of the first failure.
    """
    match_id = complete_match_id(session, match)
    invited, failed = invite_all(session, match_id, invitees)
    text = f"Invited: {', '.join(invited)}. They'll get an email, and see the invitation when they run: turnpost"
    failures = [{"invitee": name, **problem.body} for name, problem in failed.items()]
    data = {"match": match_id, "invitations": list(invited.values()), "failed": failures}
    result = Result(data, lambda _style: text)
    if not failed:
        return result
    if invited:
        print_result(session, result)
    first = next(iter(failed.values()))
    raise type(first)(first.code, not_invited(failed), first.hint, failed=failures)


def invite_all(session: Session, match_id: str, names: Iterable[str]) -> tuple[dict[str, Document], dict[str, Problem]]:
    """Return the invitations and the failures, both by name."""
    invited: dict[str, Document] = {}
    failed: dict[str, Problem] = {}
    for name in dict.fromkeys(names):
        try:
            with suggesting_usernames(session, name):
                path = f"matches/{match_id}/invitations"
                invited[name] = session.server.post(path, {"invitee": bare_name(name)})
        except Problem as problem:
            failed[name] = problem
    return invited, failed


def not_invited(failed: Mapping[str, Problem]) -> str:
    return "\n".join(f"Couldn't invite {printable(name)}. {problem.message}" for name, problem in failed.items())


@command(f"turnpost uninvite {EXAMPLE_MATCH} ben")
def uninvite(
    session: Session,
    match: RequiredMatchId,
    invitee: Annotated[str, typer.Argument(help="The username or email address you invited.")],
) -> Result:
    """Withdraw an invitation and free the seat it reserved."""
    match_id = complete_match_id(session, match)
    open_ones = session.server.get(f"matches/{match_id}/invitations")
    found = find_users([one["player"] or {"username": one["email"] or "", "name": ""} for one in open_ones], invitee)
    if len(found) != 1:
        raise Refused(
            "no_such_invitation",
            f"{printable(invitee)} has no open invitation to this match.",
            f"See who is invited: turnpost board {match_id}",
        )
    session.server.delete(f"matches/{match_id}/invitations/{open_ones[found[0]]['number']}")
    return Result({"match": match_id}, lambda _style: f"Invitation to {printable(invitee)} withdrawn.")


@command(f"turnpost decline {EXAMPLE_MATCH}")
def decline(session: Session, match: RequiredMatchId) -> Result:
    """Decline an invitation."""
    match_id = complete_match_id(session, match)
    session.server.post(f"matches/{match_id}/decline")
    return Result({"match": match_id}, lambda _style: "Invitation declined.")


@command(f"turnpost join {EXAMPLE_MATCH}")
def join(session: Session, match: RequiredMatchId) -> Result:
    """Take a seat in an open match, or accept an invitation.

    Enter a match ID, or the link from an invitation email. Your client adds its own random salt to the shuffle, and
    records what it needs to check the match later. The match becomes your current match.
    """
    match_id = take_seat(session, match)
    session.store.set_current(match_id)
    fetched = fetch_match(session, match_id, offline_ok=False)
    # Until the match starts, its own page says what the salts protect against.
    has_started = fetched.match["view"] is not None
    happened = fetched.match["fairness"]["proves"] if has_started else ""
    return Result({"match": fetched.match}, lambda _style: match_screen(session, fetched, happened))


@command(f"turnpost rematch {EXAMPLE_MATCH}")
def rematch(session: Session, match: MatchId = None) -> Result:
    """Play again with the same people and settings.

    Creates a match and invites the other players. If one of them has already created a rematch, you join that one. It
    becomes your current match.
    """
    new = session.server.post(f"matches/{resolve_match_id(session, match)}/rematch")
    if new["joined"]:
        give_salt(session.store, session.server, new)
    else:
        take_seat(session, new["id"])
    session.store.set_current(new["id"])
    return match_result(session, new["id"])


def take_seat(session: Session, id_or_link: str) -> str:
    """Join the match and return its ID.

    The link in an email ends in a signed token. Unlike a match ID, a token contains a colon.
    """
    token = id_or_link.rstrip("/").rpartition("/")[2]
    server, store = session.server, session.store
    if ":" in token:
        return accept_invitation(session, token)
    match_id = complete_match_id(session, id_or_link)
    share = share_for(store, match_id, server.get(f"matches/{match_id}")["fairness"])
    note_joined(store, server.post(f"matches/{match_id}/join", share))
    return match_id


def accept_invitation(session: Session, token: str) -> str:
    """Join with the token from a link.

    A link works only once. If the response was lost, joining again with the same salt returns the same response.
    """
    server, store = session.server, session.store
    known = next((notes for notes in store.all_notes() if notes.get("invitation") == token), None)
    if known:
        match_id = str(known["match"])
        share = share_for(store, match_id, known)
        with suppress(Refused):
            note_joined(store, server.post(f"matches/{match_id}/join", share))
            return match_id
    else:
        offer = server.get(f"invitations/{token}")
        match_id = valid_match_id(offer["match"])
        share = share_for(store, match_id, offer | {"players": []})
        store.save_notes(match_id, {**store.notes(match_id), "invitation": token})
    note_joined(store, server.post(f"invitations/{token}/accept", share))
    return match_id


@command(f"turnpost start {EXAMPLE_MATCH} --yes")
def start(session: Session, match: MatchId = None) -> Result | None:
    """Start your match with the players who have joined."""
    match_id = resolve_match_id(session, match)
    if not session.confirm("Start now with the players who have joined?"):
        return None
    session.server.post(f"matches/{match_id}/start")
    return match_result(session, match_id)


@command(f"turnpost bots {EXAMPLE_MATCH}", f"turnpost bots {EXAMPLE_MATCH} 1 --level hard")
def bots(
    session: Session,
    match: RequiredMatchId,
    count: Annotated[
        int | None, typer.Argument(min=1, help="Number of bots (default: one for each free seat).")
    ] = None,
    level: Annotated[str, typer.Option("--level", "-l", help=f"How well the bots play: {', '.join(LEVELS)}.")] = "",
) -> Result:
    """Give free seats in your match to bots.

    This works if you created the match with --bots or --allow-bots. The match starts when no seat is free.
    """
    match_id = complete_match_id(session, match)
    wanted = {"bots": count} | ({"level": level.lower()} if level else {})
    session.server.post(f"matches/{match_id}/bots", wanted)
    return match_result(session, match_id)


@command(f"turnpost leave {EXAMPLE_MATCH} --yes")
def leave(session: Session, match: MatchId = None) -> Result | None:
    """Leave a match before it starts."""
    return confirm_and_forget(session, match, "leave", "Leave this match?", "You left the match.")


@command(f"turnpost cancel {EXAMPLE_MATCH} --yes")
def cancel(session: Session, match: MatchId = None) -> Result | None:
    """Cancel your match before it starts."""
    return confirm_and_forget(session, match, "cancel", "Cancel this match?", "Match canceled.")


def confirm_and_forget(session: Session, match: str | None, verb: str, question: str, done: str) -> Result | None:
    match_id = resolve_match_id(session, match)
    if not session.confirm(question):
        return None
    session.server.post(f"matches/{match_id}/{verb}")
    session.store.forget_match(match_id)
    return Result({"match": match_id}, lambda _style: done)

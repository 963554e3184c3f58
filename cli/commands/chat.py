"""Read and write messages, report them, block users, and keep private notes."""

import re
from typing import Annotated
from urllib.parse import quote

import typer

from cli.command import EXAMPLE_MATCH, MatchId, MatchOption, RequiredMatchId, Result, command
from cli.local_store import Document
from cli.match_fetch import complete_match_id, resolve_match_id
from cli.problems import Refused
from cli.render import times
from cli.render.screen import prose
from cli.render.style import Style
from cli.sanitize import one_line
from cli.session import Session
from cli.user_names import bare_name, find_users, player_name, suggesting_usernames

SHORTEST_PREFIX = 4
LOOKS_LIKE_ID = re.compile(r"[a-z0-9]{9}")


@command(
    f"turnpost say {EXAMPLE_MATCH} 'Good luck, all'",
    "turnpost say Good luck, all",
    f"turnpost say Good luck, all --match {EXAMPLE_MATCH}",
)
def say(
    session: Session,
    words: Annotated[
        list[str], typer.Argument(metavar="[ID] MESSAGE", help="A match (default: the current one) and your message.")
    ],
    match: MatchOption = None,
) -> Result:
    """Send a message to the other players."""
    match_id, text = split_match_and_words(session, words, match)
    message = session.server.post(f"matches/{match_id}/messages", {"text": text})
    return Result(message, lambda _style: f"Message sent in {match_id}.")


def split_match_and_words(session: Session, words: list[str], match: str | None) -> tuple[str, str]:
    first, *rest = words
    if not match and rest and is_match_id(session, first.lower()):
        return complete_match_id(session, first), " ".join(rest)
    return resolve_match_id(session, match), " ".join(words)


def is_match_id(session: Session, word: str) -> bool:
    """Return whether this is a match ID, clearly the start of one, or a quoted title.

    If that is unclear, ask the server.
    """
    matches = session.store.known_matches()
    if " " in word:
        return any(match["title"].lower() == word for match in matches)
    known = [match["id"] for match in matches]
    if word in known or (len(word) >= SHORTEST_PREFIX and any(match_id.startswith(word) for match_id in known)):
        return True
    if not LOOKS_LIKE_ID.fullmatch(word):
        return False
    try:
        session.public_server.get(f"matches/{word}")
    except Refused:
        return False
    return True


@command(f"turnpost messages {EXAMPLE_MATCH}")
def messages(session: Session, match: MatchId = None) -> Result:
    """Read the messages in a match.

    To report a message to the server's operators, pass its number to `turnpost report`.
    """
    match_id = resolve_match_id(session, match)
    found = fetch_messages(session, match_id)
    data = {"match": match_id, "messages": found}
    nothing = f"No messages yet. Write one: turnpost say {match_id} Hello"
    return Result(data, lambda style: messages_text(found, style) or nothing)


def fetch_messages(session: Session, match_id: str) -> list[Document]:
    """Return the messages in a match, starting with the oldest."""
    return session.server.pages(f"matches/{match_id}/messages")[::-1]


def messages_text(found: list[Document], style: Style, *, is_numbered: bool = True) -> str:
    return "\n".join(message_line(message, style, is_numbered=is_numbered) for message in found)


def message_line(message: Document, style: Style, *, is_numbered: bool) -> str:
    name = one_line(player_name(message["author"]))
    number = f" (number {message['id']})" if is_numbered else ""
    written = f"{name}, {times.ago(message['posted_at'])}{number}: {message['text']}"
    return style.paint(name, "name") + prose(written, style).removeprefix(name)


@command(f"turnpost report {EXAMPLE_MATCH} 12 --reason 'Insults'")
def report(
    session: Session,
    match: RequiredMatchId,
    number: Annotated[int, typer.Argument(min=1, help="The message's number, from: turnpost messages")],
    reason: Annotated[str, typer.Option("--reason", help="What is wrong with the message.")] = "",
) -> Result:
    """Report another player's message to the server's operators."""
    match_id = complete_match_id(session, match)
    done = session.server.post(f"matches/{match_id}/messages/{number}/report", {"reason": reason})
    return Result({"match": match_id, "message": number}, lambda _style: str(done["message"]))


@command("turnpost block ben")
def block(session: Session, username: Annotated[str, typer.Argument(help="Their username.")]) -> Result:
    """Stop invitations and messages from a user."""
    with suggesting_usernames(session, username):
        blocked = session.server.put(f"me/blocks/{quote(bare_name(username), safe='')}", {})
    undo = f"Undo: turnpost unblock {blocked['username']}"
    text = f"You won't get invitations or messages from {one_line(blocked['name'])}. {undo}"
    return Result(blocked, lambda _style: text)


@command("turnpost unblock ben")
def unblock(session: Session, username: Annotated[str, typer.Argument(help="Their username.")]) -> Result:
    """Unblock a user."""
    listed = session.server.get("me/blocks")
    found = find_users(listed, username)
    name = listed[found[0]]["username"] if len(found) == 1 else bare_name(username)
    session.server.delete(f"me/blocks/{quote(name, safe='')}")
    return Result({"unblocked": name}, lambda _style: f"{name} is no longer blocked.")


@command("turnpost blocks")
def blocks(session: Session) -> Result:
    """List the users you have blocked."""
    found = session.server.get("me/blocks")
    names = "\n".join(one_line(f"{one['username']} ({one['name']})") for one in found)
    return Result({"blocked": found}, lambda _style: names or "You haven't blocked anyone.")


@command(f"turnpost notes {EXAMPLE_MATCH}", f"turnpost notes {EXAMPLE_MATCH} --write 'Ben collects red'")
def notes(
    session: Session,
    match: MatchId = None,
    write: Annotated[str | None, typer.Option("--write", "-w", help="Replace your notes with this text.")] = None,
    add: Annotated[str | None, typer.Option("--add", "-a", help="Add a line to your notes.")] = None,
) -> Result:
    """Read or write your private notes on a match.

    Nobody else can see your notes.
    """
    match_id = resolve_match_id(session, match)
    text = session.server.get(f"matches/{match_id}/note")["text"]
    edited = edited_notes(text, write, add)
    if edited != text:
        text = session.server.put(f"matches/{match_id}/note", {"text": edited})["text"]
    nothing = f"No notes yet. Write some: turnpost notes {match_id} --add 'Ben collects red'"
    return Result({"match": match_id, "text": text}, lambda _style: text or nothing)


def edited_notes(text: str, write: str | None, add: str | None) -> str:
    base = text if write is None else write
    if add is None:
        return base
    return f"{base.rstrip()}\n{add}".lstrip("\n")

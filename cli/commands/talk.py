"""Table talk, and notes for oneself."""

import re
from typing import Annotated, Any

import typer

from cli.arguments import MatchId
from cli.command import EXAMPLE_MATCH, command
from cli.look import known_match, player_name, which_match
from cli.problems import Refused
from cli.render import times
from cli.render.style import Style
from cli.result import Result
from cli.safe import one_line
from cli.session import Session

SHORTEST_BEGINNING = 5
LIKE_AN_ID = re.compile(r"[a-z0-9]{9}")


@command(f"turnpost say {EXAMPLE_MATCH} 'Good luck, all'", "turnpost say Good luck, all")
def say(
    session: Session,
    words: Annotated[
        list[str], typer.Argument(metavar="[ID] WORDS", help="A match, if not the current one, and what to say.")
    ],
) -> Result:
    """Say something to the table."""
    match_id, text = match_and_words(session, words)
    said = session.server.post(f"matches/{match_id}/messages", {"text": text})
    return Result(said, lambda _style: f"Said in {match_id}.")


def match_and_words(session: Session, words: list[str]) -> tuple[str, str]:
    first, *rest = words
    if rest and names_a_match(session, first.lower()):
        return known_match(session, first.lower()), " ".join(rest)
    return which_match(session, None), " ".join(words)


def names_a_match(session: Session, word: str) -> bool:
    """Whether it is an id, or clearly the beginning of one; of what could be one the server knows."""
    known = [document["match"]["id"] for document in session.kept.matches()]
    if word in known or (len(word) >= SHORTEST_BEGINNING and any(match_id.startswith(word) for match_id in known)):
        return True
    if not LIKE_AN_ID.fullmatch(word):
        return False
    try:
        session.visitor.get(f"matches/{word}")
    except Refused:
        return False
    return True


@command(f"turnpost messages {EXAMPLE_MATCH}")
def messages(session: Session, match: MatchId = None) -> Result:
    """Read what was said at the table."""
    match_id = which_match(session, match)
    found = session.server.pages(f"matches/{match_id}/messages")[::-1]
    data = {"match": match_id, "messages": found}
    nothing = f"Nobody has said anything yet. Begin: turnpost say {match_id} Hello"
    return Result(data, lambda style: "\n".join(message_line(said, style) for said in found) or nothing)


def message_line(said: dict[str, Any], style: Style) -> str:
    name = style.paint(one_line(player_name(said["author"])), "name")
    return f"{name}, {times.ago(said['said_at'])}: {said['text']}"


@command(f"turnpost notes {EXAMPLE_MATCH}", f"turnpost notes {EXAMPLE_MATCH} --write 'Ben collects red'")
def notes(
    session: Session,
    match: MatchId = None,
    write: Annotated[str | None, typer.Option("--write", "-w", help="Replace the notes by this text.")] = None,
    add: Annotated[str | None, typer.Option("--add", "-a", help="Add this line.")] = None,
) -> Result:
    """Read or write your own notes on a match.

    Nobody else ever sees them.
    """
    match_id = which_match(session, match)
    text = session.server.get(f"matches/{match_id}/note")["text"]
    wanted = changed(text, write, add)
    if wanted != text:
        text = session.server.put(f"matches/{match_id}/note", {"text": wanted})["text"]
    nothing = f"No notes yet. Write some: turnpost notes {match_id} --add 'Ben collects red'"
    return Result({"match": match_id, "text": text}, lambda _style: text or nothing)


def changed(text: str, write: str | None, add: str | None) -> str:
    base = text if write is None else write
    if add is None:
        return base
    return f"{base.rstrip()}\n{add}".lstrip("\n")

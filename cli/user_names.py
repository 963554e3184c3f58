"""Name players, and find the user that a player means: by username in any case, with or without @, or by the name on
the board.

Names on boards aren't unique, and anyone can choose any name. They are used only among the players of a match or the
entries of a list, and only if no username fits. The server knows users by their usernames alone.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cli.local_store import Document, has_fields
from cli.problems import Refused
from cli.sanitize import one_line
from cli.session import Session


def player_name(player: Document | None) -> str:
    return player["name"] if player else "departed player"


def bare_name(written: str) -> str:
    return written.strip().removeprefix("@")


def find_users(players: Sequence[Document | None], written: str) -> list[int]:
    """Return the indexes of all players with this username. If there are none, match the names on the board instead."""
    name = bare_name(written).casefold()

    def places(field: str) -> list[int]:
        return [place for place, player in enumerate(players) if player and player[field].casefold() == name]

    return places("username") or places("name")


@contextmanager
def suggesting_usernames(session: Session, written: str) -> Iterator[None]:
    """If the server doesn't know the user, suggest usernames of players whose name on a board was the same."""
    try:
        yield
    except Refused as problem:
        name = bare_name(written)
        known = usernames_of(session, name) if problem.code == "no_such_user" else []
        if known:
            problem.hint = one_line(f"{name}'s username is {' or '.join(known)}.")
        raise


def usernames_of(session: Session, name: str) -> list[str]:
    seats = [seat for snapshot in session.store.snapshots() for seat in snapshot["match"].get("seats") or []]
    players = [seat["player"] for seat in seats if has_fields(seat, player=dict)]
    known = [player for player in players if has_fields(player, username=str, name=str) and player["username"]]
    return sorted({player["username"] for player in known if player["name"].casefold() == name.casefold()})

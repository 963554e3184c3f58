"""A typed client. Its methods return the structs that the server encodes."""

import secrets
from collections.abc import Iterator
from typing import Any, TypeVar

from accounts.shapes import Profile
from games.shapes import (
    Choices,
    Game,
    Invitation,
    LoggedEvent,
    Match,
    MatchSummary,
    Message,
    MoveAccepted,
    MovePreview,
    Updates,
)
from stream.shapes import StreamEvent
from turnpost.answers import convert
from turnpost.http import MAX_ENTRIES, Server, full_url
from turnpost.stream import follow

T = TypeVar("T")


class Client:
    """A player's account on a server.

    Failed requests are repeated if that is safe. Errors are raised as a `turnpost.Problem`.
    """

    def __init__(self, url: str, token: str = "") -> None:
        self.server = Server(full_url(url), token)

    @classmethod
    def log_in(cls, url: str, login: str, password: str, name: str = "turnpost client") -> "Client":
        """Return a client with a new token. `name` appears in the list of the account's tokens."""
        body = {"login": login, "password": password, "name": name}
        return cls(url, Server(full_url(url)).post("tokens", body)["token"])

    def me(self) -> Profile:
        return self._get(Profile, "me")

    def games(self) -> list[Game]:
        return self._get(list[Game], "games")

    def matches(self, which: str = "mine") -> list[MatchSummary]:
        """List matches. `which` is `mine`, `waiting`, `open`, `finished`, `invited` or `archive`."""
        return convert(list[MatchSummary], self.server.pages("matches", most=MAX_ENTRIES, which=which))

    def match(self, match_id: str) -> Match:
        return self._get(Match, f"matches/{match_id}")

    def create(self, game: str, seats: int, **terms: Any) -> Match:
        """Create a match. `terms` are the fields of `POST matches`, such as `title`, `bots` or `private`."""
        return self._post(Match, "matches", {"game": game, "seats": seats, **terms})

    def join(self, match_id: str, salt: str = "") -> Match:
        """Take a seat. The salt is your share of the shuffle. By default, it is random."""
        return self._post(Match, f"matches/{match_id}/join", {"salt": salt or secrets.token_hex(16)})

    def start(self, match_id: str) -> Match:
        return self._post(Match, f"matches/{match_id}/start")

    def invite(self, match_id: str, invitee: str) -> Invitation:
        """Invite somebody by username or email address."""
        return self._post(Invitation, f"matches/{match_id}/invitations", {"invitee": invitee})

    def choices(self, match_id: str) -> Choices:
        """Return your possible moves."""
        return self._get(Choices, f"matches/{match_id}/choices")

    def updates(self, match_id: str, events: int = 0, messages: int = 0) -> Updates:
        """Return a match with everything that is new, in one request.

        `events` is the number of the last event that you have, and `messages` is the `message_count` that you have.
        """
        return self._get(Updates, f"matches/{match_id}/updates", events=events, messages=messages)

    def play(self, match_id: str, move: str | dict[str, Any], turn: int, key: str = "") -> MoveAccepted:
        """Make a move. `turn` is the turn that you saw when you chose the move.

        All attempts have the same key, so the move is made only once. To repeat the request yourself, pass your own
        key. Raise Stale if the match has moved on.
        """
        body = {"move": move, "turn": turn}
        return self._post(MoveAccepted, f"matches/{match_id}/moves", body, key=key or secrets.token_hex(16))

    def preview(self, match_id: str, move: str | dict[str, Any], turn: int) -> MovePreview:
        """Return what a move would do, without making it."""
        path, body = f"matches/{match_id}/moves", {"move": move, "turn": turn}
        return convert(MovePreview, self.server.post(path, body, key=secrets.token_hex(16), dry_run=1))

    def log(self, match_id: str, since: int = 0) -> list[LoggedEvent]:
        """Return the events with a higher number than `since`."""
        return convert(list[LoggedEvent], self.server.pages(f"matches/{match_id}/log", most=MAX_ENTRIES, since=since))

    def messages(self, match_id: str) -> list[Message]:
        return convert(list[Message], self.server.pages(f"matches/{match_id}/messages", most=MAX_ENTRIES))

    def say(self, match_id: str, text: str) -> Message:
        return self._post(Message, f"matches/{match_id}/messages", {"text": text})

    def stream(self, after: str | None = None) -> Iterator[StreamEvent]:
        """Yield everything that concerns you from now on, or after a cursor. See `turnpost.stream.follow`."""
        return follow(self.server, after)

    def _get(self, shape: type[T], path: str, **params: Any) -> T:
        return convert(shape, self.server.get(path, **params))

    def _post(self, shape: type[T], path: str, body: dict[str, Any] | None = None, key: str = "") -> T:
        return convert(shape, self.server.post(path, body, key=key or None))

"""One run of a command: who plays where, how to show it, and whether anybody is there to be asked."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from urllib.parse import urlsplit

from cli import config
from cli.client import Server
from cli.config import Config, Profile
from cli.kept import Kept
from cli.problems import NeedsLogin, Usage
from cli.render.style import Style
from cli.surroundings import has_server_part


@dataclass
class Session:
    style: Style
    json: bool = False
    yes: bool = False
    profile_name: str = ""
    chosen_url: str = ""
    """The server named in this command, before it has given anything that could be written down with it."""
    at_demo: bool = False
    """Whether this is the table of the demo, which no other command can reach."""
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)

    @cached_property
    def config(self) -> Config:
        return config.load()

    @cached_property
    def name(self) -> str:
        return self.profile_name or self.environment.get("TURNPOST_PROFILE") or config.DEFAULT_PROFILE

    @property
    def profile(self) -> Profile:
        """As saved, with what the environment says instead. A token is for the server that gave it, and no other."""
        saved = self.config.profile(self.name)
        usual = (self.environment.get("TURNPOST_URL") or saved.url).rstrip("/")
        url = self.chosen_url or usual
        given = self.environment.get("TURNPOST_TOKEN") if url == usual else ""
        return replace(saved, url=url, token=given or (saved.token if url == saved.url else ""))

    def save_profile(self, **changes: str) -> None:
        """Nothing that only the environment said is written down."""
        saved = replace(self.config.profile(self.name), **changes)
        self.config = self.config.with_profile(self.name, saved)
        config.save(self.config)

    @cached_property
    def kept(self) -> Kept:
        """By server and user, so that nobody is shown or sent what another user of this profile left behind."""
        profile, saved = self.profile, self.config.profile(self.name)
        is_saved = profile.token and profile.token == saved.token
        owner = f"{saved.url} {saved.username}" if is_saved else f"{profile.url} {profile.token}"
        place = sha256(owner.encode(errors="surrogateescape")).hexdigest()[:16]
        return Kept(self.config.folder / "kept" / self.name / place)

    @cached_property
    def stranger(self) -> Server:
        """The server before one is logged in."""
        return Server(checked(self.profile.url))

    @cached_property
    def visitor(self) -> Server:
        """The server for what everybody may see; who is logged in may see more."""
        return Server(checked(self.profile.url), fit_to_send(self.profile.token))

    @cached_property
    def server(self) -> Server:
        if not self.profile.token:
            raise NeedsLogin(
                "not_logged_in",
                f"You are not logged in at {self.profile.url}.",
                "Log in: turnpost login   New here: turnpost register"
                + "   Just try it: turnpost demo" * has_server_part(),
            )
        return self.visitor

    @property
    def interactive(self) -> bool:
        return not self.json and sys.stdin.isatty() and sys.stdout.isatty()

    def confirm(self, question: str) -> bool:
        """Whether to go on with what cannot be taken back. Nobody there to be asked needs --yes."""
        if self.yes:
            return True
        if not self.interactive:
            raise Usage("not_confirmed", f"{question} Nobody is here to be asked.", "Say it with --yes.")
        return ask(f"{question} [y/N] ").lower() in ("y", "yes")

    def say(self, text: str) -> None:
        """A remark beside the result: to stderr, so that it is in nobody's way."""
        if not self.json:
            print(text, file=sys.stderr)  # noqa: T201


def ask(question: str, at_end: str = "") -> str:
    """What is typed, or `at_end` when the input has ended."""
    try:
        with legible():
            return input(question).strip()
    except EOFError:
        return at_end


@contextmanager
def legible() -> Iterator[None]:
    """Around whatever reads what was typed."""
    try:
        yield
    except UnicodeDecodeError as error:
        hint = "Write it in that encoding, or set the one of your terminal: export PYTHONIOENCODING=latin-1"
        raise Usage("bad_encoding", f"What was typed is not written in {error.encoding}.", hint) from None


def checked(url: str) -> str:
    if not is_address(url):
        raise Usage("bad_url", f"'{url}' is no server's address.", "It looks like https://play.example.org.")
    return url


def is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return named and parts.scheme in ("http", "https") and url.isprintable() and " " not in url


def fit_to_send(token: str) -> str:
    """In a header there is room for little more than letters and digits."""
    if not token.isascii() or not token.isprintable() or " " in token:
        raise NeedsLogin(
            "bad_token", "The token has signs in it that no token has.", "Mend TURNPOST_TOKEN, or: turnpost login"
        )
    return token

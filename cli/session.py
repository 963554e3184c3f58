"""One run of a command, with its account, server, style and prompts."""

import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from urllib.parse import urlsplit

from cli import config
from cli.client import Server
from cli.command_list import COMMANDS
from cli.config import Config, Profile
from cli.environment import client_command, server_installed
from cli.local_store import LocalStore
from cli.problems import NeedsLogin, Usage
from cli.render.style import Style
from turnpost.http import full_url

try:
    import termios
except ImportError:  # Windows doesn't have it.
    termios = None  # type: ignore[assignment]

LOCAL_MODES = 3
"""The index of these modes in a terminal's attributes."""
MAX_PROMPTS = 3
SUGGESTED = re.compile(rf"(^ *|: +)turnpost(?=  |$| (?:{'|'.join(COMMANDS)}|--help)\b)", re.MULTILINE)
"""Matches a command on a line of its own or after a label, as in `Next: turnpost next`."""


@dataclass
class Session:
    style: Style
    json: bool = False
    yes: bool = False
    profile_name: str = ""
    server_option: str = ""
    """The --server option of this command. It is saved only after that server has issued a token or a registration."""
    may_be_new: bool = False
    """Whether this command may create its profile."""
    is_demo: bool = False
    """Whether this is the demo. No other command can reach the demo's match."""
    is_full_screen: bool = False
    """Whether the terminal's second screen is in use (cli.terminal)."""
    made: set[str] = field(default_factory=set)
    """The moves that were made at the prompt."""
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)

    @cached_property
    def config(self) -> Config:
        return config.load()

    @cached_property
    def name(self) -> str:
        return self.profile_name or self.environment.get("TURNPOST_PROFILE") or self.config.current

    @property
    def profile(self) -> Profile:
        """The saved profile. Environment variables override it. A token is used only with the server that issued it."""
        if not (self.may_be_new or self.environment.get("TURNPOST_TOKEN")):
            self.require_profile(self.name)
        saved = self.config.profile(self.name)
        default_url = full_url(self.environment.get("TURNPOST_URL") or saved.url)
        url = self.server_option or default_url
        given = self.environment.get("TURNPOST_TOKEN") if url == default_url else ""
        return replace(saved, url=url, token=given or (saved.token if url == saved.url else ""))

    def require_profile(self, name: str) -> None:
        if name != config.DEFAULT_PROFILE and name not in self.config.profiles:
            known = f" Your profiles: {', '.join(sorted(self.config.profiles))}." if self.config.profiles else ""
            hint = (
                "Log in: turnpost login"
                if name == self.name
                else f"Add it: turnpost login --profile {shlex.quote(name)}"
            )
            raise NeedsLogin("no_such_profile", f"There is no profile '{name}'.{known}", hint)

    def save_profile(self, **changes: str) -> None:
        """Save changes to the profile, but nothing from the environment."""
        saved = replace(self.config.profile(self.name), **changes)
        self.config = self.config.with_profile(self.name, saved)
        config.save(self.config)

    def forget_profile(self) -> None:
        self.config = self.config.without_profile(self.name)
        config.save(self.config)

    @cached_property
    def store(self) -> LocalStore:
        """The local store for this server and user, so that users of the same profile never see or send each other's
        data."""
        profile, saved = self.profile, self.config.profile(self.name)
        is_saved = profile.token and profile.token == saved.token
        owner = f"{saved.url} {saved.username}" if is_saved else f"{profile.url} {profile.token}"
        folder = sha256(owner.encode(errors="surrogateescape")).hexdigest()[:16]
        return LocalStore(self.config.folder / "data" / self.name / folder, saved.username if is_saved else "")

    @cached_property
    def anonymous_server(self) -> Server:
        """A client without a token, for registering and logging in."""
        return Server(valid_url(self.profile.url))

    @cached_property
    def public_server(self) -> Server:
        """A client for public data. It sends a token if there is one, because players can see more."""
        return self.new_server()

    def new_server(self) -> Server:
        """Create another client for the same account, for use in another thread."""
        return Server(valid_url(self.profile.url), valid_token(self.profile.token))

    @cached_property
    def server(self) -> Server:
        """A client for requests that need a login."""
        self.require_login()
        return self.public_server

    def require_login(self) -> None:
        if not self.profile.token:
            raise NeedsLogin(
                "not_logged_in",
                f"You're not logged in at {self.profile.url}.",
                "Log in: turnpost login   New here? turnpost register"
                + "   Try it now: turnpost demo" * server_installed(),
            )

    @property
    def interactive(self) -> bool:
        return not self.json and sys.stdin.isatty() and sys.stdout.isatty()

    def confirm(self, question: str) -> bool:
        """Ask for confirmation before something that can't be undone. Without a terminal, --yes is required."""
        if self.yes:
            return True
        if not self.interactive:
            raise Usage(
                "not_confirmed", "This command needs confirmation.", "This isn't a terminal, so confirm with --yes."
            )
        return ask(f"{question} [y/N] ").lower() in ("y", "yes")

    def ask_required(self, question: str, option: str) -> str:
        """Prompt until there is an answer. Without a terminal, the value must be given as an option."""
        for _ in range(MAX_PROMPTS if self.interactive else 0):
            if answer := ask(question):
                return answer
        raise Usage("not_given", f"{question.rstrip(': ')} is missing.", f"Pass it with {option}.")

    def ask_password(self, *, from_stdin: bool, new: bool = False, question: str = "Password: ") -> str:
        """Prompt for a password without echoing it. A new password must be typed twice."""
        if from_stdin:
            with readable_input():
                return sys.stdin.readline().rstrip("\r\n")
        if not self.interactive:
            raise Usage("no_password", "The password is missing.", "Pass it with --password-stdin.")
        from getpass import getpass

        while True:
            with readable_input():
                password = getpass(question)
                if not new or getpass("Repeat password: ") == password:
                    return password
            self.inform("The passwords don't match.")

    def inform(self, text: str) -> None:
        """Print a message to stderr, because it isn't part of the result."""
        if not self.json:
            print(typeable(text, self.profile_name), file=sys.stderr)  # noqa: T201


def typeable(text: str, profile_name: str) -> str:
    """Make suggested commands work as printed, by adding --profile if it was given, and the client's path if needed."""
    options = f" --profile {shlex.quote(profile_name)}" if profile_name else ""
    start = f"{client_command()}{options}"
    return SUGGESTED.sub(lambda found: f"{found[1]}{start}", text)


def ask(question: str, at_end: str = "") -> str:
    """Prompt for a line. If the input has ended, return `at_end`."""
    with suppress(ImportError):  # Windows doesn't have it, and edits lines without it.
        import readline  # noqa: F401
    try:
        with readable_input(), keyboard(is_echoed=True):
            return input(question).strip()
    except EOFError:
        return at_end


@contextmanager
def keyboard(*, is_echoed: bool) -> Iterator[None]:
    """Choose whether the terminal shows what the player types, or keeps it for the next prompt."""
    if termios is None or not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    modes, shown = termios.tcgetattr(sys.stdin), termios.ECHO | termios.ICANON
    modes[LOCAL_MODES] = modes[LOCAL_MODES] | shown if is_echoed else modes[LOCAL_MODES] & ~shown
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


@contextmanager
def readable_input() -> Iterator[None]:
    """Report input with the wrong encoding as a usage error."""
    try:
        yield
    except UnicodeDecodeError as error:
        hint = "Use that encoding, or set the one your terminal uses: export PYTHONIOENCODING=latin-1"
        raise Usage("bad_encoding", f"The input isn't valid {error.encoding}.", hint) from None


def valid_url(url: str) -> str:
    if not is_url(url):
        raise Usage("bad_url", f"'{url}' isn't a server address.", "Example: https://play.example.org")
    return url


def is_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return has_host and parts.scheme in ("http", "https") and url.isprintable() and " " not in url


def valid_token(token: str) -> str:
    """Accept only printable ASCII, because nothing else fits in an HTTP header."""
    if not token.isascii() or not token.isprintable() or " " in token:
        raise NeedsLogin(
            "bad_token", "The token contains invalid characters.", "Fix TURNPOST_TOKEN, or log in: turnpost login"
        )
    return token

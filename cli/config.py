"""Store the player's profiles (servers, usernames and tokens) in one file that only its owner can read."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from cli.problems import Usage
from turnpost.http import full_url

DEFAULT_URL = "http://localhost:8000"
DEFAULT_PROFILE = "default"
ONLY_OWNER = 0o600
ONLY_OWNER_FOLDER = 0o700


@dataclass(frozen=True)
class Profile:
    """An account on a server."""

    url: str = DEFAULT_URL
    token: str = ""
    username: str = ""
    registration: str = ""
    """The ID of a registration that hasn't been confirmed yet."""


@dataclass(frozen=True)
class Config:
    folder: Path
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    current: str = DEFAULT_PROFILE
    """The name of the profile that is used by default."""

    def profile(self, name: str) -> Profile:
        """Return the profile. A new profile starts with the default profile's server."""
        default = self.profiles.get(DEFAULT_PROFILE, Profile())
        return self.profiles.get(name) or Profile(default.url)

    def with_profile(self, name: str, profile: Profile) -> "Config":
        return replace(self, profiles={**self.profiles, name: profile})

    def with_current(self, name: str) -> "Config":
        return replace(self, current=name)

    def without_profile(self, name: str) -> "Config":
        others = {known: profile for known, profile in self.profiles.items() if known != name}
        return replace(self, profiles=others, current=DEFAULT_PROFILE if self.current == name else self.current)


def folder() -> Path:
    if given := os.environ.get("TURNPOST_CONFIG"):
        return Path(given).expanduser()
    import platformdirs

    return platformdirs.user_config_path("turnpost", appauthor=False)


def load() -> Config:
    home = folder()
    path = home / "profiles.json"
    try:
        raw = json.loads(path.read_text("utf-8"))
        profiles = {name: read_profile(values) for name, values in raw["profiles"].items()}
        current = raw.get("current")
        return Config(home, profiles, current if current in profiles else DEFAULT_PROFILE)
    except FileNotFoundError:
        return Config(home)
    except OSError as error:
        hint = "Use another folder: export TURNPOST_CONFIG=FOLDER"
        raise Usage("bad_config", f"{path} can't be read: {error.strerror}.", hint) from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Usage("bad_config", f"{path} can't be read: {error}", f"Fix it, or remove it: rm '{path}'") from None


def read_profile(values: dict[str, Any]) -> Profile:
    known = {name: str(values[name]) for name in Profile.__dataclass_fields__ if name in values}
    return replace(Profile(**known), url=full_url(known.get("url") or DEFAULT_URL))


def save(config: Config) -> None:
    profiles = {name: asdict(profile) for name, profile in config.profiles.items()}
    write_private(config.folder / "profiles.json", {"profiles": profiles, "current": config.current})


def write_private(path: Path, document: Any) -> None:
    """Write JSON atomically to a file that only its owner can read."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=ONLY_OWNER_FOLDER, parents=True, exist_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, ONLY_OWNER)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
        draft.replace(path)
    except OSError as error:
        hint = "Use another folder: export TURNPOST_CONFIG=FOLDER"
        raise Usage("cannot_write", f"{path} can't be written: {error.strerror}.", hint) from None

"""Settings from environment variables: typed, with defaults, and a sentence for what cannot be read.

Sentences name the variable and what it should look like, never a URL's value: it may hold a password.
"""

import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import dj_database_url
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured
from redis.backoff import NoBackoff
from redis.retry import Retry

from rest.rates import Rate

YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off"}
# What each kind of broker is asked for: the one in memory is looked at often, others may not keep us waiting for ever.
REDIS_OPTIONS = {"socket_connect_timeout": 5, "socket_timeout": 30, "socket_keepalive": True}
BROKERS: dict[str, dict[str, Any]] = {
    "memory": {"polling_interval": 0.02},
    "redis": REDIS_OPTIONS,
    "rediss": REDIS_OPTIONS,
    "amqp": {},
    "amqps": {},
}
DATABASES = {
    "postgres": "postgres://user:password@host:port/database",
    "postgresql": "postgresql://user:password@host:port/database",
    "sqlite": "sqlite:////srv/turnpost/turnpost.sqlite3",
}
# A cache that is slower than this is no help: requests go on without it.
CACHE_TIMEOUT = 0.2
CACHE_ENTRIES = 100_000
# What each mail scheme means: the default port, STARTTLS, TLS from the first byte.
SMTP = {"smtp": (25, False, False), "smtp+tls": (587, True, False), "smtp+ssl": (465, False, True)}

# A move that was answered must survive a power cut, so SQLite waits for the disk (FULL). Taking the write
# lock when a transaction begins (IMMEDIATE) makes writers queue where they would otherwise fail halfway.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
}


@dataclass(frozen=True)
class Environment:
    """Reads variables; one that is set to nothing counts as not set."""

    values: Mapping[str, str]

    def text(self, name: str, default: str = "") -> str:
        return self.values.get(name, "").strip() or default

    def flag(self, name: str, default: bool = False) -> bool:
        word = self.text(name, "yes" if default else "no").lower()
        if word not in YES | NO:
            raise ImproperlyConfigured(f"{name} is {word!r}; it must be yes or no.")
        return word in YES

    def words(self, name: str, default: str = "") -> list[str]:
        return [word.strip() for word in self.text(name, default).split(",") if word.strip()]

    def number(self, name: str, default: int) -> int:
        written = self.text(name, str(default))
        if not (written.isascii() and written.isdigit()):
            raise ImproperlyConfigured(f"{name} is {written!r}; it must be a number.")
        return int(written)

    def rates(self, name: str, defaults: Mapping[str, str]) -> dict[str, Rate]:
        """How often what may be done, like user=600/minute; what is not named keeps its default."""
        given = dict(word.partition("=")[::2] for word in self.words(name))
        for scope in given:
            if scope not in defaults:
                raise ImproperlyConfigured(f"{name} knows no {scope!r}, only: {', '.join(defaults)}.")
        try:
            return {scope: Rate.read(given.get(scope, rate)) for scope, rate in defaults.items()}
        except ValueError as error:
            raise ImproperlyConfigured(f"{name}: {error}.") from error

    def folder(self, name: str, default: Path) -> Path:
        path = Path(self.text(name, str(default))).expanduser().absolute()
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise ImproperlyConfigured(f"{name} must be a folder that can be written: {error}.") from error
        return path

    def web_address(self, name: str, default: str) -> str:
        address = self.text(name, default).rstrip("/")
        parts = _split(name, address, {"http", "https"})
        if not parts.hostname or parts.query or parts.fragment:
            raise ImproperlyConfigured(f"{name} is {address!r}; it must look like https://play.example.org.")
        return address

    def broker(self, name: str) -> str:
        url = self.text(name, "memory://localhost")
        _split(name, url, BROKERS)
        return url

    def broker_options(self, name: str) -> dict[str, Any]:
        return BROKERS[urlsplit(self.broker(name)).scheme]

    def cache(self, broker: str) -> dict[str, Any]:
        """Redis if the broker is one, so that all processes count together; else each counts for itself."""
        url = self.broker(broker)
        if not url.startswith("redis"):
            backend = "django.core.cache.backends.locmem.LocMemCache"
            return {"BACKEND": backend, "OPTIONS": {"MAX_ENTRIES": CACHE_ENTRIES}}
        once = Retry(NoBackoff(), 0)
        options = {"socket_connect_timeout": CACHE_TIMEOUT, "socket_timeout": CACHE_TIMEOUT, "retry": once}
        backend = "django.core.cache.backends.redis.RedisCache"
        return {"BACKEND": backend, "LOCATION": url, "KEY_PREFIX": "turnpost", "OPTIONS": options}

    def database(self, name: str, default: Path) -> dict[str, Any]:
        """A Django database: SQLite in the default file, or what the URL names."""
        url = self.text(name)
        if not url:
            return {"ENGINE": "django.db.backends.sqlite3", "NAME": default, "OPTIONS": SQLITE_OPTIONS}
        scheme = _split(name, url, DATABASES).scheme
        database: dict[str, Any] = dict(dj_database_url.parse(url))
        if database["NAME"] in ("", ":memory:"):
            raise ImproperlyConfigured(f"{name} names no database; it must look like {DATABASES[scheme]}.")
        if scheme == "sqlite":
            return database | {"OPTIONS": SQLITE_OPTIONS}
        return database | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}

    def email(self, name: str, default: Path) -> dict[str, Any]:
        """The EMAIL_* settings: mail is written to the default folder, or goes where the URL says."""
        url = self.text(name)
        if not url:
            return _mail_folder(default)
        parts = _split(name, url, {"file", *SMTP})
        if parts.scheme != "file":
            return _mail_server(name, parts)
        if parts.netloc or not parts.path.strip("/"):
            raise ImproperlyConfigured(f"{name} must name a folder from the root, like file:///srv/turnpost/mail.")
        return _mail_folder(Path(unquote(parts.path)))

    def secret_key(self, name: str, kept_in: Path) -> str:
        return self.text(name) or _kept_secret(kept_in, secrets.token_urlsafe(48))

    def vault_keys(self, name: str, kept_in: Path) -> list[str]:
        """Keys that lock what is secret at rest: the first locks, all unlock. One is made if none is given."""
        keys = self.words(name) or [_kept_secret(kept_in, Fernet.generate_key().decode())]
        for key in keys:
            try:
                Fernet(key)
            except ValueError:
                raise ImproperlyConfigured(
                    f"{name} must hold keys of 32 bytes in URL-safe base64, separated by commas, newest first."
                ) from None
        return keys


def _split(name: str, url: str, schemes: Collection[str]) -> SplitResult:
    allowed = ", ".join(f"{scheme}://" for scheme in sorted(schemes))
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is not a URL: {error}. It may begin with {allowed}.") from error
    if parts.scheme not in schemes or "://" not in url:
        raise ImproperlyConfigured(f"{name} must begin with one of {allowed}.")
    return parts


def _mail_folder(folder: Path) -> dict[str, Any]:
    return {
        "EMAIL_BACKEND": "games.mail.folder.EmailBackend",
        "EMAIL_FILE_PATH": folder,
    }


def _mail_server(name: str, parts: SplitResult) -> dict[str, Any]:
    if not parts.hostname or parts.path.strip("/"):
        raise ImproperlyConfigured(f"{name} must look like {parts.scheme}://user:password@host:port.")
    port, starttls, tls = SMTP[parts.scheme]
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": starttls,
        "EMAIL_USE_SSL": tls,
        "EMAIL_TIMEOUT": 30,
    }


def _kept_secret(path: Path, fresh: str) -> str:
    """The secret in this file, made at the first call; the link lets only one of several processes win."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        draft.touch(mode=0o600)
        draft.write_text(fresh)
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text().strip()

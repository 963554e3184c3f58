"""Settings from environment variables: typed, with defaults, and a sentence for what cannot be read.

Sentences name the variable and what it should look like, never a URL's value: it may hold a password.
"""

import os
import re
import secrets
from base64 import b64decode
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key
from django.core.exceptions import ImproperlyConfigured
from redis.backoff import NoBackoff
from redis.retry import Retry

from config import databases
from core.rates import Rate

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
METRICS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
# A cache that is slower than this is no help: requests go on without it.
CACHE_TIMEOUT = 0.2
CACHE_ENTRIES = 100_000
MAIL_DOMAIN = re.compile(r"(?=.{1,190}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
# What each mail scheme means: the default port, STARTTLS, TLS from the first byte.
SMTP = {"smtp": (25, False, False), "smtp+tls": (587, True, False), "smtp+ssl": (465, False, True)}

# The same for mailboxes.
IMAP = {"imap": (143, "none"), "imap+tls": (143, "starttls"), "imaps": (993, "tls")}

# What proves that a mail provider is calling: all send a user and a password, some sign as well.
WEBHOOK_SECRET = "INBOUND_WEBHOOK_SECRET"  # noqa: S105
PROVIDERS = {
    "mailgun": (WEBHOOK_SECRET, "INBOUND_MAILGUN_KEY"),
    "postmark": (WEBHOOK_SECRET,),
    "sendgrid": (WEBHOOK_SECRET,),
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

    def choice(self, name: str, words: Sequence[str]) -> str:
        """One of these words; the first if none is given."""
        word = self.text(name, words[0]).lower()
        if word not in words:
            raise ImproperlyConfigured(f"{name} is {word!r}; it must be one of: {', '.join(words)}.")
        return word

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

    def path(self, name: str) -> Path | None:
        return Path(self.text(name)).expanduser().absolute() if self.text(name) else None

    def folder(self, name: str, default: Path) -> Path:
        path = Path(self.text(name, str(default))).expanduser().absolute()
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise ImproperlyConfigured(f"{name} must be a folder that can be written: {error}.") from error
        return path

    def metrics_folder(self, name: str) -> Path | None:
        """Where the processes of one service add up their figures; without it each counts for itself."""
        if not self.text(name):
            return None
        folder = self.folder(name, Path())
        os.environ[METRICS_VARIABLE] = str(folder)  # the library reads it there, when it is first imported
        return folder

    def listening(self, name: str) -> tuple[str, int] | None:
        """A host and a port to listen on, like 127.0.0.1:9100."""
        host, _, port = self.text(name).rpartition(":")
        if not self.text(name):
            return None
        if not (host and port.isascii() and port.isdigit() and int(port) < 2**16):
            raise ImproperlyConfigured(f"{name} must look like 127.0.0.1:9100.")
        return host.strip("[]"), int(port)

    def web_address(self, name: str, default: str) -> str:
        address = self.text(name, default).rstrip("/")
        parts = _split(name, address, {"http", "https"})
        if not parts.hostname or parts.query or parts.fragment:
            raise ImproperlyConfigured(f"{name} is {address!r}; it must look like https://play.example.org.")
        return address

    def mail_domain(self, name: str) -> str:
        """In lower case; empty if none is given."""
        domain = self.text(name).lower()
        if domain and not MAIL_DOMAIN.fullmatch(domain):
            raise ImproperlyConfigured(f"{name} is {domain!r}; it must look like play.example.org.")
        return domain

    def mailbox(self, name: str, needs: str) -> dict[str, Any]:
        """Where mail is fetched; empty if none is named. All that is found there is taken, so we must know our own."""
        url = self.text(name)
        if not url:
            return {}
        parts = _split(name, url, IMAP)
        folder = unquote(parts.path.strip("/")) or "INBOX"
        if not (parts.hostname and parts.username and parts.password and folder.isascii() and folder.isprintable()):
            raise ImproperlyConfigured(f"{name} must look like {parts.scheme}://user:password@host:port/INBOX.")
        if not self.text(needs):
            raise ImproperlyConfigured(f"{name} needs {needs}, or nothing in the mailbox could be meant for us.")
        port, security = IMAP[parts.scheme]
        user, password = unquote(parts.username), unquote(parts.password)
        place = {"host": parts.hostname, "port": parts.port or port, "security": security}
        return place | {"user": user, "password": password, "folder": folder}

    def providers(self, name: str) -> list[str]:
        """Whose calls are taken; each must be able to prove that it is calling."""
        names = [word.lower() for word in self.words(name)]
        if strange := [word for word in names if word not in PROVIDERS]:
            raise ImproperlyConfigured(f"{name} knows no {strange[0]!r}, only: {', '.join(PROVIDERS)}.")
        for needed in [needed for word in names for needed in PROVIDERS[word]]:
            if not self.text(needed):
                raise ImproperlyConfigured(f"{name} needs {needed}, or anybody could call in their place.")
        if names and not all(self.text(WEBHOOK_SECRET).partition(":")):
            raise ImproperlyConfigured(f"{WEBHOOK_SECRET} must look like user:password.")
        return names

    def public_key(self, name: str) -> str:
        """As SendGrid shows it: base64 on one line."""
        written = self.text(name)
        try:
            is_good = not written or isinstance(load_der_public_key(b64decode(written)), EllipticCurvePublicKey)
        except (UnsupportedAlgorithm, ValueError):
            is_good = False
        if not is_good:
            raise ImproperlyConfigured(f"{name} must be the verification key as the provider shows it, on one line.")
        return written

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
            return databases.in_file(default)
        scheme = _split(name, url, databases.EXAMPLES).scheme
        named = databases.named_by(url)
        if named["NAME"] in ("", ":memory:"):
            raise ImproperlyConfigured(f"{name} names no database; it must look like {databases.EXAMPLES[scheme]}.")
        return named

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
        return self.text(name) or _kept_secret(name, kept_in, secrets.token_urlsafe(48))

    def vault_keys(self, name: str, kept_in: Path) -> list[str]:
        """Keys that lock what is secret at rest: the first locks, all unlock. One is made if none is given."""
        keys = self.words(name) or [_kept_secret(name, kept_in, Fernet.generate_key().decode())]
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
        "EMAIL_BACKEND": "notifications.mail.folder.EmailBackend",
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


def _kept_secret(name: str, path: Path, fresh: str) -> str:
    try:
        return _read_or_made(path, fresh)
    except OSError as error:
        raise ImproperlyConfigured(f"{name} is not set, and cannot be kept in a file instead: {error}.") from error


def _read_or_made(path: Path, fresh: str) -> str:
    """The secret in this file, made at the first call; the link lets only one of several processes win."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        draft.touch(mode=0o600)
        draft.write_text(fresh)
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text().strip()

"""Read settings from environment variables, with types, defaults and readable errors.

Errors name the variable and show an example, but never repeat a URL, because it may contain a password.
"""

import os
import re
import secrets
from base64 import b64decode, urlsafe_b64decode
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

SECONDS = re.compile(r"[0-9]{1,4}(\.[0-9]{1,3})?")
SIGNING_KEY = re.compile("[A-Za-z0-9_-]{43}=")
YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off"}
# Transport options. The in-memory broker is polled often; the others must not block forever.
REDIS_OPTIONS = {"socket_connect_timeout": 5, "socket_timeout": 30, "socket_keepalive": True}
BROKERS: dict[str, dict[str, Any]] = {
    "memory": {"polling_interval": 0.02},
    "redis": REDIS_OPTIONS,
    "rediss": REDIS_OPTIONS,
    "amqp": {},
    "amqps": {},
}
METRICS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
# After this time, requests continue without the cache.
CACHE_TIMEOUT = 0.2
SHORTEST_SECRET, FEWEST_CHARACTERS = 32, 8
# Text that shows that somebody kept an example value. A random key almost never contains it.
PLACEHOLDERS = re.compile(
    r"chang(e|ed|ing)?(me|this|it|now)|replace(me|this|with|it)|placeholder|your(own)?(key|random)|secret|"
    r"insecure|password|passphrase|long(and)?random|random(text|string|characters|key|value)|example|please|fillin|"
    r"generate|openssl|donotuse|production|development|loremipsum|abcdefgh|12345678|qwerty"
)
CACHE_ENTRIES = 100_000
MAIL_DOMAIN = re.compile(r"(?=.{1,190}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
# For each email scheme: default port, STARTTLS, TLS from the start.
SMTP = {"smtp": (25, False, False), "smtp+tls": (587, True, False), "smtp+ssl": (465, False, True)}

# For each IMAP scheme: default port and security.
IMAP = {"imap": (143, "none"), "imap+tls": (143, "starttls"), "imaps": (993, "tls")}

# How providers authenticate. All send a username and a password, and some also sign their calls.
WEBHOOK_SECRET = "INBOUND_WEBHOOK_SECRET"  # noqa: S105
PROVIDERS = {
    "mailgun": (WEBHOOK_SECRET, "INBOUND_MAILGUN_KEY"),
    "postmark": (WEBHOOK_SECRET,),
    "sendgrid": (WEBHOOK_SECRET,),
}


@dataclass(frozen=True)
class Environment:
    """Reads environment variables. An empty variable counts as unset."""

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
        """Return the value, which must be one of these words. The default is the first."""
        word = self.text(name, words[0]).lower()
        if word not in words:
            raise ImproperlyConfigured(f"{name} is {word!r}; it must be one of: {', '.join(words)}.")
        return word

    def number(self, name: str, default: int) -> int:
        written = self.text(name, str(default))
        if not (written.isascii() and written.isdigit()):
            raise ImproperlyConfigured(f"{name} is {written!r}; it must be a number.")
        return int(written)

    def seconds(self, name: str, default: float, most: int) -> float:
        written = self.text(name, str(default))
        if not SECONDS.fullmatch(written) or not 0 < float(written) <= most:
            raise ImproperlyConfigured(
                f"{name} is {written!r}; it must be a number of seconds such as 1.5, up to {most}."
            )
        return float(written)

    def rates(self, name: str, defaults: Mapping[str, str]) -> dict[str, Rate]:
        """Parse rate limits per action, such as user=600/minute. Actions that aren't listed keep their defaults."""
        given = dict(word.partition("=")[::2] for word in self.words(name))
        for scope in given:
            if scope not in defaults:
                raise ImproperlyConfigured(f"{name} contains {scope!r}; the known actions are: {', '.join(defaults)}.")
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
            raise ImproperlyConfigured(f"{name} must be a writable folder: {error}.") from error
        return path

    def metrics_folder(self, name: str) -> Path | None:
        """Return the folder in which the processes of a service combine their metrics.

        Without a folder, each process reports its own metrics.
        """
        if not self.text(name):
            return None
        folder = self.folder(name, Path())
        os.environ[METRICS_VARIABLE] = str(folder)  # prometheus_client reads the variable when it is first imported.
        return folder

    def listening(self, name: str) -> tuple[str, int] | None:
        """Parse the host and port to listen on, such as 127.0.0.1:9100."""
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
        """Return a mail domain in lower case. The default is an empty string."""
        domain = self.text(name).lower()
        if domain and not MAIL_DOMAIN.fullmatch(domain):
            raise ImproperlyConfigured(f"{name} is {domain!r}; it must look like play.example.org.")
        return domain

    def mailbox(self, name: str, needs: str) -> dict[str, Any]:
        """Parse the mailbox to fetch emails from.

        Every email in the mailbox is fetched. The variable named by `needs` must be set, so that Turnpost can recognize
        the emails that are for this service.
        """
        url = self.text(name)
        if not url:
            return {}
        parts = _split(name, url, IMAP)
        folder = unquote(parts.path.strip("/")) or "INBOX"
        if not (parts.hostname and parts.username and parts.password and folder.isascii() and folder.isprintable()):
            raise ImproperlyConfigured(f"{name} must look like {parts.scheme}://user:password@host:port/INBOX.")
        if not self.text(needs):
            raise ImproperlyConfigured(f"{name} also needs {needs}, to recognize mail for this service.")
        port, security = IMAP[parts.scheme]
        user, password = unquote(parts.username), unquote(parts.password)
        place = {"host": parts.hostname, "port": parts.port or port, "security": security}
        return place | {"user": user, "password": password, "folder": folder}

    def providers(self, name: str) -> list[str]:
        """Return the mail providers whose webhook calls are accepted. Each needs a secret to authenticate."""
        names = [word.lower() for word in self.words(name)]
        if strange := [word for word in names if word not in PROVIDERS]:
            raise ImproperlyConfigured(f"{name} contains {strange[0]!r}; it can only contain: {', '.join(PROVIDERS)}.")
        for needed in [needed for word in names for needed in PROVIDERS[word]]:
            if not self.text(needed):
                raise ImproperlyConfigured(f"{name} also needs {needed}, to authenticate the provider.")
        if names and not all(self.text(WEBHOOK_SECRET).partition(":")):
            raise ImproperlyConfigured(f"{WEBHOOK_SECRET} must look like user:password.")
        return names

    def public_key(self, name: str) -> str:
        """Check a public key in the format that SendGrid uses: base64 on one line."""
        written = self.text(name)
        try:
            is_good = not written or isinstance(load_der_public_key(b64decode(written)), EllipticCurvePublicKey)
        except (UnsupportedAlgorithm, ValueError):
            is_good = False
        if not is_good:
            raise ImproperlyConfigured(f"{name} must be the provider's verification key on one line.")
        return written

    def broker(self, name: str) -> str:
        url = self.text(name, "memory://localhost")
        _split(name, url, BROKERS)
        return url

    def broker_options(self, name: str) -> dict[str, Any]:
        return BROKERS[urlsplit(self.broker(name)).scheme]

    def cache(self, broker: str) -> dict[str, Any]:
        """Return the cache settings.

        If the broker is Redis, it also serves as the cache, so that all processes share their counts. Otherwise, each
        process counts separately.
        """
        url = self.broker(broker)
        if not url.startswith("redis"):
            backend = "django.core.cache.backends.locmem.LocMemCache"
            return {"BACKEND": backend, "OPTIONS": {"MAX_ENTRIES": CACHE_ENTRIES}}
        once = Retry(NoBackoff(), 0)
        options = {"socket_connect_timeout": CACHE_TIMEOUT, "socket_timeout": CACHE_TIMEOUT, "retry": once}
        backend = "django.core.cache.backends.redis.RedisCache"
        return {"BACKEND": backend, "LOCATION": url, "KEY_PREFIX": "turnpost", "OPTIONS": options}

    def database(self, name: str, default: Path) -> dict[str, Any]:
        """Return the settings for the database in the URL. The default is SQLite with the given file."""
        url = self.text(name)
        if not url:
            return databases.in_file(default)
        scheme = _split(name, url, databases.EXAMPLES).scheme
        named = databases.named_by(url)
        if named["NAME"] in ("", ":memory:"):
            raise ImproperlyConfigured(f"{name} has no database name; it must look like {databases.EXAMPLES[scheme]}.")
        return named

    def email(self, name: str, default: Path) -> dict[str, Any]:
        """Return the EMAIL_* settings. By default, emails are written to the given folder."""
        url = self.text(name)
        if not url:
            return _mail_folder(default)
        parts = _split(name, url, {"file", *SMTP})
        if parts.scheme != "file":
            return _mail_server(name, parts)
        if parts.netloc or not parts.path.strip("/"):
            raise ImproperlyConfigured(f"{name} must be an absolute path like file:///srv/turnpost/mail.")
        return _mail_folder(Path(unquote(parts.path)))

    def secret_key(self, name: str, file: Path) -> str:
        key = self.text(name) or _stored_secret(name, file, secrets.token_urlsafe(48))
        if len(key) < SHORTEST_SECRET or is_easy_to_guess(key):
            raise ImproperlyConfigured(
                f"{name} is too easy to guess; it needs at least {SHORTEST_SECRET} random characters. "
                "Generate one with: python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"
            )
        return key

    def vault_keys(self, name: str, file: Path) -> list[str]:
        """Return the encryption keys. The first key encrypts, and all keys decrypt. By default, a key is generated."""
        keys = self.words(name) or [_stored_secret(name, file, Fernet.generate_key().decode())]
        for key in keys:
            try:
                Fernet(key)
            except ValueError:
                raise ImproperlyConfigured(
                    f"{name} must be a comma-separated list of 32-byte keys in URL-safe base64, newest first."
                ) from None
        _require_random(name, keys)
        return keys

    def signing_keys(self, name: str, file: Path) -> list[str]:
        """Return the Ed25519 private keys.

        The first key signs, and the others certify it. By default, a key is generated.
        """
        keys = self.words(name) or [_stored_secret(name, file, Fernet.generate_key().decode())]
        if any(not SIGNING_KEY.fullmatch(key) for key in keys):
            raise ImproperlyConfigured(
                f"{name} must be a comma-separated list of 32-byte keys in URL-safe base64, newest first."
            )
        _require_random(name, keys)
        return keys


def _split(name: str, url: str, schemes: Collection[str]) -> SplitResult:
    allowed = ", ".join(f"{scheme}://" for scheme in sorted(schemes))
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} is not a valid URL: {error}. It must begin with one of {allowed}."
        ) from error
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
        "EMAIL_BACKEND": "notifications.mail.smtp_client.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": starttls,
        "EMAIL_USE_SSL": tls,
        "EMAIL_TIMEOUT": 30,
    }


def is_easy_to_guess(key: str) -> bool:
    """Return whether the key is a placeholder, or repeats the same few characters."""
    is_repeated = any(key.startswith(key[length:]) for length in range(1, len(key) // 2 + 1))
    letters = re.sub(r"[\W_]", "", key.lower())
    return len(set(key)) < FEWEST_CHARACTERS or is_repeated or PLACEHOLDERS.search(letters) is not None


def _require_random(name: str, keys: Sequence[str]) -> None:
    if any(len(set(urlsafe_b64decode(key))) < FEWEST_CHARACTERS for key in keys):
        raise ImproperlyConfigured(
            f"{name} is too easy to guess. Generate a key with: python3 -c 'import base64, secrets; "
            "print(base64.urlsafe_b64encode(secrets.token_bytes(32)).decode())'"
        )


def _stored_secret(name: str, path: Path, fresh: str) -> str:
    try:
        return _read_or_create(path, fresh)
    except OSError as error:
        raise ImproperlyConfigured(f"{name} is not set, and a generated value can't be saved: {error}.") from error


def _read_or_create(path: Path, fresh: str) -> str:
    """Read the secret from this file, or create the file.

    If several processes try to create it at once, the hard link ensures that only one succeeds.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        draft.touch(mode=0o600)
        draft.write_text(fresh)
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text().strip()

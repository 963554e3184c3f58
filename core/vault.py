"""What is kept from the eyes of whoever reads the database: sealed moves, hidden cards, secrets of running matches.

Locking hides what is written, and not how long it is: a bid of three cowboys is longer than one of two. So everything
is filled up first, to one of few lengths.
"""

from base64 import urlsafe_b64decode
from functools import cache, lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.signals import setting_changed

STEP = 64
END, PADDING = b"\x80", b"\0"
FRAME = 57
"""Bytes that Fernet adds to its blocks: version, time, initial vector and signature."""


class CannotDecrypt(Exception):
    """None of the configured keys opens what is stored."""


@cache
def _keys() -> MultiFernet:
    """The first key locks, every key unlocks: a new key is put in front, the old one goes once all is reencrypted."""
    return MultiFernet([Fernet(key) for key in settings.VAULT_KEYS])


def encrypt(content: bytes, *, step: int = STEP, at_least: int = 0) -> str:
    """As long as something of `at_least` bytes would be, where the content is shorter. Lengths go by steps, and where
    they are large, each step is about an eighth."""
    size = padded_length(max(len(content), at_least), step)
    return _keys().encrypt((content + END).ljust(size, PADDING)).decode("ascii")


@lru_cache(maxsize=4096)
def padded_length(length: int, step: int = STEP) -> int:
    """Whole steps, with their end; but for the one byte that Fernet adds to fill its own last block."""
    least = length + len(END) + 1
    step = max(step, 1 << max(0, (least - 1).bit_length() - 4))
    return -(-least // step) * step - 1


def capacity(encrypted: str) -> int:
    """How long the content could be without anybody seeing a difference."""
    return len(urlsafe_b64decode(encrypted)) - FRAME - 1 - len(END)


def decrypt(encrypted: str) -> bytes:
    try:
        content = _keys().decrypt(encrypted)
    except InvalidToken:
        raise CannotDecrypt(
            "A sealed record cannot be opened with the keys in TURNPOST_VAULT_KEYS. Was an old key removed too early?"
        ) from None
    return content.rstrip(PADDING).removesuffix(END)


def reencrypt(encrypted: str) -> str:
    """The same content under the newest key."""
    try:
        return _keys().rotate(encrypted).decode("ascii")
    except InvalidToken:
        raise CannotDecrypt(
            "A sealed record cannot be reencrypted: its key is missing in TURNPOST_VAULT_KEYS. "
            "Put it behind the newest one, and reencrypt again."
        ) from None


def _forget_keys(setting: str, **_: object) -> None:
    if setting == "VAULT_KEYS":
        _keys.cache_clear()


setting_changed.connect(_forget_keys)

"""Encrypt what must stay secret even from people with access to the database.

This includes sealed moves, hidden cards and the secrets of running matches.

Encryption hides the content but not its length: a bid of three cowboys is longer than one of two. So content is padded
to one of a few lengths first.
"""

from base64 import urlsafe_b64decode
from functools import cache, lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.signals import setting_changed

STEP = 64
END, PADDING = b"\x80", b"\0"
FRAME = 57
"""The bytes that Fernet adds: version, time, initialization vector and signature."""


class CannotDecrypt(Exception):
    """Raised if none of the configured keys can decrypt a record."""


@cache
def _keys() -> MultiFernet:
    """The first key encrypts, and all keys decrypt.

    Put a new key first, and drop the old one after `manage.py reencrypt`.
    """
    return MultiFernet([Fernet(key) for key in settings.VAULT_KEYS])


def encrypt(content: bytes, *, step: int = STEP, at_least: int = 0) -> str:
    """Encrypt content, padded as if it had at least `at_least` bytes. Padded lengths are multiples of `step`; for long
    content the step is about an eighth of the length."""
    size = padded_length(max(len(content), at_least), step)
    return _keys().encrypt((content + END).ljust(size, PADDING)).decode("ascii")


@lru_cache(maxsize=4096)
def padded_length(length: int, step: int = STEP) -> int:
    """Return the padded length: whole steps including END, minus the byte that Fernet adds to fill its last block."""
    least = length + len(END) + 1
    step = max(step, 1 << max(0, (least - 1).bit_length() - 4))
    return -(-least // step) * step - 1


def capacity(encrypted: str) -> int:
    """Return the maximum length of content that encrypts to the same length."""
    return len(urlsafe_b64decode(encrypted)) - FRAME - 1 - len(END)


def decrypt(encrypted: str) -> bytes:
    try:
        content = _keys().decrypt(encrypted)
    except InvalidToken:
        raise CannotDecrypt(
            "Cannot decrypt a record: its key is missing from TURNPOST_VAULT_KEYS. Was an old key removed too early?"
        ) from None
    return content.rstrip(PADDING).removesuffix(END)


def reencrypt(encrypted: str) -> str:
    """Encrypt the same content with the newest key."""
    try:
        return _keys().rotate(encrypted).decode("ascii")
    except InvalidToken:
        raise CannotDecrypt(
            "Cannot decrypt a record: its key is missing from TURNPOST_VAULT_KEYS. "
            "Add it after the newest one and run reencrypt again."
        ) from None


def _forget_keys(setting: str, **_: object) -> None:
    if setting == "VAULT_KEYS":
        _keys.cache_clear()


setting_changed.connect(_forget_keys)

"""Encrypt data that must stay secret even from people with access to the database, such as sealed moves, hidden cards
and the secrets of running matches.

Encryption hides the content but not its length, and a bid of three cowboys is longer than a bid of two. Content is
therefore padded to one of a few lengths first.
"""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache, lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.signals import setting_changed

STEP = 64
END, COMPRESSED_END, PADDING = b"\x80", b"\x81", b"\0"
FRAME = 57
"""The number of bytes that Fernet adds: version, time, initialization vector and signature."""


class CannotDecrypt(Exception):
    """Raised if none of the configured keys can decrypt a record."""


@cache
def _keys() -> MultiFernet:
    """Return the configured keys.

    The first key encrypts, and all keys decrypt. To change keys, put the new one first, run `manage.py reencrypt`, and
    remove the old one.
    """
    return MultiFernet([Fernet(key) for key in settings.VAULT_KEYS])


def encrypt(content: bytes, *, step: int = STEP, at_least: int = 0, compress: bool = False) -> str:
    """Encrypt the content, padded as if it had at least `at_least` bytes.

    Padded lengths are multiples of `step`; for long content, the step is about an eighth of the length. Compress only
    the content of matches that have ended, because the compressed length reveals more about the content than its plain
    length does.
    """
    content, end = (zlib.compress(content, 9), COMPRESSED_END) if compress else (content, END)
    size = padded_length(max(len(content), at_least), step)
    return _keys().encrypt((content + end).ljust(size, PADDING)).decode("ascii")


@lru_cache(maxsize=4096)
def padded_length(length: int, step: int = STEP) -> int:
    """Return the padded length, including END.

    Fernet adds at least one byte to fill its last block. With that byte, the length is a whole number of steps.
    """
    least = length + len(END) + 1
    step = max(step, 1 << max(0, (least - 1).bit_length() - 4))
    return -(-least // step) * step - 1


def capacity(encrypted: str) -> int:
    """Return the length of the longest content that encrypts to the same length."""
    return len(urlsafe_b64decode(encrypted)) - FRAME - 1 - len(END)


def decrypt(encrypted: str) -> bytes:
    try:
        content = _keys().decrypt(encrypted)
    except InvalidToken:
        raise CannotDecrypt(
            "Cannot decrypt a record: its key is missing from TURNPOST_VAULT_KEYS. Was an old key removed too early?"
        ) from None
    content = content.rstrip(PADDING)
    return zlib.decompress(content[:-1]) if content.endswith(COMPRESSED_END) else content.removesuffix(END)


@lru_cache(maxsize=4096)
def decrypt_constant(encrypted: str) -> bytes:
    """Decrypt content that never changes, and remember it in case it's needed again soon."""
    return decrypt(encrypted)


def to_bytes(encrypted: str) -> bytes:
    """Decode the text form to bytes, which take up a quarter less space."""
    return urlsafe_b64decode(encrypted)


def from_bytes(stored: bytes) -> str:
    return urlsafe_b64encode(stored).decode("ascii")


def reencrypt(encrypted: str) -> str:
    """Decrypt the content and encrypt it again with the newest key."""
    try:
        return _keys().rotate(encrypted).decode("ascii")
    except InvalidToken:
        raise CannotDecrypt(
            "Cannot decrypt a record: its key is missing from TURNPOST_VAULT_KEYS. "
            "Add it after the newest key, and run reencrypt again."
        ) from None


def _forget_keys(setting: str, **_: object) -> None:
    if setting == "VAULT_KEYS":
        _keys.cache_clear()
        decrypt_constant.cache_clear()


setting_changed.connect(_forget_keys)

"""What is kept from the eyes of whoever reads the database: sealed moves, hidden cards, secrets of running matches."""

from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.signals import setting_changed


class VaultLocked(Exception):
    """None of the configured keys opens what is stored."""


@cache
def _keys() -> MultiFernet:
    """The first key locks, every key unlocks: a new key is put in front, the old one goes once all is relocked."""
    return MultiFernet([Fernet(key) for key in settings.VAULT_KEYS])


def lock(content: bytes) -> str:
    return _keys().encrypt(content).decode("ascii")


def unlock(locked: str) -> bytes:
    try:
        return _keys().decrypt(locked)
    except InvalidToken:
        raise VaultLocked(
            "A sealed record cannot be opened with the keys in TURNPOST_VAULT_KEYS. Was an old key removed too early?"
        ) from None


def relock(locked: str) -> str:
    """The same content under the newest key."""
    try:
        return _keys().rotate(locked).decode("ascii")
    except InvalidToken:
        raise VaultLocked(
            "A sealed record cannot be relocked: its key is missing in TURNPOST_VAULT_KEYS. "
            "Put it behind the newest one, and relock again."
        ) from None


def _forget_keys(setting: str, **_: object) -> None:
    if setting == "VAULT_KEYS":
        _keys.cache_clear()


setting_changed.connect(_forget_keys)

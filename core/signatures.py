"""Sign what the server shows to players, so that they can prove to others what they were shown.

docs/fairness.md defines what is signed.
"""

from base64 import urlsafe_b64decode
from functools import cache
from itertools import pairwise
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.core.signals import setting_changed
from django.http import HttpRequest, JsonResponse


@cache
def _keys() -> list[Ed25519PrivateKey]:
    """Return the signing keys. The first key signs. Each of the others only certifies the key before it."""
    return [Ed25519PrivateKey.from_private_bytes(urlsafe_b64decode(key)) for key in settings.SIGNING_KEYS]


def sign(statement: bytes) -> str:
    return _keys()[0].sign(statement).hex()


@cache
def public_key() -> str:
    return _public(_keys()[0])


def _public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def key_document(_request: HttpRequest) -> JsonResponse:
    """Return the public key and, for each earlier key, its signature on the key that replaced it."""
    keys = _keys()
    earlier = [
        {"key": _public(old), "hands_over_to": _public(new), "signature": old.sign(handover(_public(new))).hex()}
        for new, old in pairwise(keys)
    ]
    document: dict[str, Any] = {"algorithm": "Ed25519", "key": public_key(), "earlier": earlier}
    return JsonResponse(document)


def handover(key: str) -> bytes:
    return b'turnpost statement 2\n{"key":"%b","kind":"key"}' % key.encode()


def _forget_keys(setting: str, **_: object) -> None:
    if setting == "SIGNING_KEYS":
        _keys.cache_clear()
        public_key.cache_clear()


setting_changed.connect(_forget_keys)

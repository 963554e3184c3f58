"""Numbers of rows as they are shown outside.

Rows count up whoever they are for, so between two of somebody's own there is a gap for what happened elsewhere: one
more letter to a rival, say, who replaced a sealed move by mail. Outside, a row has a number that is its own for ever,
and that tells nobody without our key which came first.
"""

from hashlib import blake2b

from django.utils.crypto import salted_hmac

BYTES = 5
"""In each number: few enough for an address, and for the integers of JavaScript."""
HALF = 1 << BYTES * 4
ROUNDS = range(8)


def disguised(number: int) -> int:
    """A Feistel network: each round changes one half by the other, so it can be taken back whatever the change is."""
    left, right = divmod(number, HALF)
    key = _key()
    for each in ROUNDS:
        left, right = right, left ^ _change(key, each, right)
    return left * HALF + right


def undisguised(number: int) -> int:
    left, right = divmod(number, HALF)
    key = _key()
    for each in reversed(ROUNDS):
        left, right = right ^ _change(key, each, left), left
    return left * HALF + right


def _key() -> bytes:
    return salted_hmac("core.numbers", "", algorithm="sha256").digest()


def _change(key: bytes, each: int, half: int) -> int:
    return int.from_bytes(blake2b(bytes([each]) + half.to_bytes(BYTES), key=key, digest_size=BYTES).digest()) % HALF

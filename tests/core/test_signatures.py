"""The server's key signs, and earlier keys hand over to it."""

from base64 import urlsafe_b64encode

from cli.signature_check import is_handed_over, is_signed
from core import signatures
from games.engine.fairness import statement
from tests.callers import caller

OLD, MIDDLE, NEW = (urlsafe_b64encode(bytes([number]) * 32).decode() for number in (1, 2, 3))


def published():
    return caller().get("/.well-known/turnpost-key.json").json()


def key_of(settings, key):
    settings.SIGNING_KEYS = [key]
    return signatures.public_key()


def test_signatures_can_be_checked_with_the_published_key(settings):
    settings.SIGNING_KEYS = [NEW]
    signed = signatures.sign(b"a statement")
    assert is_signed(published()["key"], b"a statement", signed)
    assert not is_signed(published()["key"], b"another statement", signed)
    assert not is_signed(published()["key"], b"a statement", "no signature")


def test_earlier_keys_hand_over_one_after_the_other(settings):
    old, middle, new, stranger = (key_of(settings, key) for key in (OLD, MIDDLE, NEW, NEW[::-1][1:] + "="))
    settings.SIGNING_KEYS = [NEW, MIDDLE, OLD]
    document = published()
    assert document["key"] == new
    assert [entry["key"] for entry in document["earlier"]] == [middle, old]
    assert is_handed_over(document, old, new)
    assert is_handed_over(document, middle, new)
    assert not is_handed_over(document, stranger, new)
    assert not is_handed_over(document, new, old)


def test_a_forged_hand_over_is_rejected(settings):
    old, new = key_of(settings, OLD), key_of(settings, NEW)
    forged = {"key": old, "hands_over_to": new, "signature": signatures.sign(statement("key", key=new))}
    assert not is_handed_over({"earlier": [forged]}, old, new)
    assert not is_handed_over({"earlier": "nonsense"}, old, new)
    assert not is_handed_over(None, old, new)


def test_the_hand_over_matches_the_docs():
    assert signatures.handover("ab" * 32) == statement("key", key="ab" * 32)

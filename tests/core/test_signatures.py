"""The server signs with its current key, and each earlier key vouches for the one that replaced it."""

from base64 import urlsafe_b64encode

from cli.signature_check import handovers_in, is_handed_over, is_signed_with
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
    assert is_signed_with(published()["key"], b"a statement", signed)
    assert not is_signed_with(published()["key"], b"another statement", signed)
    assert not is_signed_with(published()["key"], b"a statement", "no signature")


def test_earlier_keys_hand_over_one_after_the_other(settings):
    old, middle, new, stranger = (key_of(settings, key) for key in (OLD, MIDDLE, NEW, NEW[::-1][1:] + "="))
    settings.SIGNING_KEYS = [NEW, MIDDLE, OLD]
    document = published()
    assert document["key"] == new
    assert [entry["key"] for entry in document["earlier"]] == [middle, old]
    handovers = handovers_in(document["earlier"])
    assert is_handed_over(old, {"key": new, "handovers": handovers})
    assert is_handed_over(middle, {"key": new, "handovers": handovers})
    assert not is_handed_over(stranger, {"key": new, "handovers": handovers})
    assert not is_handed_over(new, {"key": old, "handovers": handovers})


def test_a_forged_handover_is_rejected(settings):
    old, new = key_of(settings, OLD), key_of(settings, NEW)
    forged = {"key": old, "hands_over_to": new, "signature": signatures.sign(statement("key", key=new))}
    backward = {"key": new, "hands_over_to": old, "signature": signatures.sign(statement("key", key=old))}
    assert not is_handed_over(old, {"key": new, "handovers": handovers_in([forged])})
    assert not is_handed_over(old, {"key": new, "handovers": handovers_in([backward])})
    assert [handovers_in(broken) for broken in ("nonsense", None, [1], [{"key": 1}])] == [[]] * 4


def test_the_handover_matches_the_docs():
    assert signatures.handover("ab" * 32) == statement("key", key="ab" * 32)

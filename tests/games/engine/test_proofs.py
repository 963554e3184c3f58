"""Proofs of every setup are valid, every change to one is noticed, and proofs from earlier versions stay valid
forever."""

import json
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

import pytest

from games.engine.errors import EngineError
from games.engine.fairness import Salts
from games.engine.proof import ProofFailed, verify
from games.engine.records import canonical
from games.engine.registry import engines
from tests.games.engine.proving import FOLDER, Match, prove
from tests.games.engine.setups import ALL, SETUPS, Setup

STORED = sorted(FOLDER.rglob("*.json"))
SALTS: tuple[Salts, ...] = ("open", "committed")
OPENING_MOVES = 25
"""The number of moves after which an abandoned match has all kinds of fields but can still be checked quickly."""


def changes(value: Any) -> Iterator[Any]:
    """Yield wrong replacements for a value in a proof. Values are flipped, dropped, duplicated or swapped."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value - 1)
    elif isinstance(value, str):
        yield from (value + "0", value[:-1], flipped(value), value.upper(), value + " ")
    if value is not None:
        yield None
    else:
        yield from (0, "", [], {}, "player")
    if isinstance(value, list) and value:
        yield from ([*value, value[-1]], value[1:], value[:-1], [*value[1:], value[0]], value[::-1])


def flipped(text: str) -> str:
    return (("1" if text[-1] == "0" else "0") if text[-1:].isdigit() else text[-1:].swapcase()).join([text[:-1], ""])


def mutations(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield every change to every field of a document, with its location."""
    for path, value in places(document, ()):
        yield from ((f"{path} = {other!r:.40}", replaced(document, path, other)) for other in changes(value))
        if isinstance(value, dict):
            for key in value:
                yield f"{path} without {key}", replaced(document, path, {k: v for k, v in value.items() if k != key})
            yield f"{path} with more", replaced(document, path, {**value, "more": 1})


def places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*path, key))


def replaced(document: Any, path: Sequence[Any], value: Any) -> Any:
    """Copy a document with one value replaced. The unchanged parts are shared, because copying them is slow."""
    if not path:
        return value
    changed = copy(document)
    changed[path[0]] = replaced(document[path[0]], path[1:], value)
    return changed


def unnoticed(proof: bytes, *, every: int) -> list[str]:
    document = json.loads(proof)
    found = []
    for number, (where, changed) in enumerate(mutations(document)):
        if number % every == 0 and (written := canonical(changed)) != proof:
            try:
                verify(written)
            except EngineError:
                continue
            found.append(where)
    return found


@pytest.mark.parametrize("salts", SALTS)
@pytest.mark.parametrize("setup", ALL, ids=str)
def test_the_proof_of_every_setup_is_valid(setup: Setup, salts: Any) -> None:
    assert verify(prove(setup, salts=salts, most=60)).proof.terms.salts == salts


@pytest.mark.parametrize("setup", ALL[::6], ids=str)
def test_a_sample_of_changes_is_noticed(setup: Setup) -> None:
    assert unnoticed(prove(setup, salts="committed", most=OPENING_MOVES), every=29) == []


@pytest.mark.slow
@pytest.mark.parametrize("salts", SALTS)
@pytest.mark.parametrize("setup", ALL, ids=str)
def test_every_change_is_noticed(setup: Setup, salts: Any) -> None:
    assert unnoticed(prove(setup, salts=salts, most=OPENING_MOVES), every=1) == []


@pytest.mark.slow
@pytest.mark.parametrize("setup", ALL, ids=str)
def test_changes_to_the_proof_of_a_finished_match_are_noticed(setup: Setup) -> None:
    assert unnoticed(prove(setup), every=997) == []


class Careless(Match):
    """Creates a proof that also lists the sealed moves that never took effect."""

    def hide(self, *seats: int) -> None:
        pass


def why_secret(document: dict[str, Any], index: int) -> str:
    sealed, later = document["moves"][index], document["moves"][index + 1 :]
    if any((move["turn"], move["seat"]) == (sealed["turn"], sealed["seat"]) for move in later):
        return "withdrawn"
    return "pending" if sealed["turn"] == document["end"]["turn"] else "voided"


def revealed_secrets() -> dict[str, bytes]:
    """Yield proofs that reveal a single sealed move that never took effect."""
    matches = [kind(SETUPS["colorado-county"][1], 2) for kind in (Match, Careless)]
    for match in matches:
        match.play(60)
    honest, careless = (json.loads(match.proof()) for match in matches)
    return {
        why_secret(honest, index): canonical(replaced(honest, ("moves", index), careless["moves"][index]))
        for index, move in enumerate(honest["moves"])
        if move["move"] is None
    }


@pytest.mark.parametrize("why", ["withdrawn", "voided", "pending"])
def test_a_sealed_move_that_never_took_effect_must_stay_secret(why: str) -> None:
    """The content of such a move is not in the chain, so the match would have two valid proofs."""
    with pytest.raises(ProofFailed, match="should have stayed secret"):
        verify(revealed_secrets()[why])


class Unsorted(Match):
    """Creates a proof that lists values of one kind in a different order, with receipts and a chain that match."""

    def __init__(self, setup: Setup, kind: str) -> None:
        self.kind = kind
        super().__init__(setup, 3)

    def written(self, move: Any) -> dict[str, Any]:
        content = super().written(move)
        for picked in [content, *content.get("plan", ())]:
            kind = f"{content['move']} {'plan ' if picked is not content else ''}"
            for name in ("squares", "cowboys"):
                if f"{kind}{name}" == self.kind:
                    picked[name] = picked[name][::-1]
        return content


def unsorted_proof(kind: str) -> bytes:
    match = Unsorted(next(setup for setup in ALL if str(setup) == "colorado-county-players-4"), kind)
    match.play()
    return match.proof()


UNSORTED = ("place_flags squares", "pick squares", "bid cowboys", "bid plan squares", "offer cowboys")


@pytest.mark.parametrize("kind", UNSORTED)
def test_squares_and_cowboys_in_another_order_are_refused(kind: str) -> None:
    """If a checker ignored the order, there would be two valid proofs of the same decisions."""
    verify(unsorted_proof("nothing"))
    with pytest.raises(ProofFailed, match="canonical form"):
        verify(unsorted_proof(kind))


def test_positions_are_numbers_that_every_language_can_represent() -> None:
    document = json.loads(prove(ALL[0], most=OPENING_MOVES))
    document["terms"]["players"][-1]["position"] = 2**53
    with pytest.raises(ProofFailed, match="positions"):
        verify(canonical(document))


@pytest.mark.parametrize("file", STORED, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_stored_proof_stays_valid_forever(file: Any) -> None:
    verify(file.read_bytes())


def test_the_stored_proofs_cover_every_kind_of_salt_and_secret_moves() -> None:
    proofs = [verify(file.read_bytes()).proof for file in STORED]
    assert {proof.terms.salts for proof in proofs} == {"open", "committed"}
    assert {player.by for proof in proofs for player in proof.terms.players} == {"player", "server", "bot"}
    assert any(player.salt is None for proof in proofs for player in proof.terms.players)
    assert any(move.move is None for proof in proofs if proof.end.reason == "abandoned" for move in proof.moves)


@pytest.mark.parametrize("engine", engines(), ids=lambda engine: engine.slug)
def test_every_version_of_the_rules_has_stored_proofs(engine: Any) -> None:
    assert any(file.parent.name == f"{engine.slug}-{engine.rules_version}" for file in STORED)

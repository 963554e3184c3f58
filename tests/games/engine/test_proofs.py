"""Proofs of every setup are valid, every change to one is noticed, and those of earlier versions stay valid forever."""

import json
from collections.abc import Iterator
from copy import deepcopy
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
"""After this many moves, an abandoned match has all kinds of fields but can still be checked quickly."""


def changes(value: Any) -> Iterator[Any]:
    """Yield wrong values to replace one in a proof: flipped, dropped, duplicated or swapped."""
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


def replaced(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = deepcopy(document)
    parent = changed
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return changed


def unnoticed(proof: bytes, *, every: int) -> list[str]:
    document = json.loads(proof)
    found = []
    for number, (where, changed) in enumerate(mutations(document)):
        if number % every == 0 and canonical(changed) != proof:
            try:
                verify(canonical(changed))
            except EngineError:
                continue
            found.append(where)
    return found


@pytest.mark.parametrize("salts", SALTS)
@pytest.mark.parametrize("setup", ALL, ids=str)
def test_the_proof_of_every_setup_is_valid(setup: Setup, salts: Any) -> None:
    assert verify(prove(setup, salts=salts, most=60)).proof.terms.salts == salts


@pytest.mark.parametrize("setup", ALL[::6], ids=str)
def test_no_change_goes_unnoticed(setup: Setup) -> None:
    assert unnoticed(prove(setup, salts="committed", most=OPENING_MOVES), every=29) == []


@pytest.mark.slow
@pytest.mark.parametrize("salts", SALTS)
@pytest.mark.parametrize("setup", ALL, ids=str)
def test_no_change_at_all_goes_unnoticed(setup: Setup, salts: Any) -> None:
    assert unnoticed(prove(setup, salts=salts, most=OPENING_MOVES), every=1) == []


@pytest.mark.slow
@pytest.mark.parametrize("setup", ALL, ids=str)
def test_no_change_goes_unnoticed_in_a_finished_match(setup: Setup) -> None:
    assert unnoticed(prove(setup), every=997) == []


class Careless(Match):
    """Create a proof that also lists the sealed moves that never took effect."""

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
    """Its content is not in the chain, so the match would have two valid proofs."""
    with pytest.raises(ProofFailed, match="should have stayed secret"):
        verify(revealed_secrets()[why])


def test_positions_are_numbers_that_every_language_can_represent() -> None:
    document = json.loads(prove(ALL[0], most=OPENING_MOVES))
    document["terms"]["players"][-1]["position"] = 2**53
    with pytest.raises(ProofFailed, match="positions"):
        verify(canonical(document))


@pytest.mark.parametrize("file", STORED, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_stored_proof_stays_valid_forever(file: Any) -> None:
    verify(file.read_bytes())


@pytest.mark.parametrize("engine", engines(), ids=lambda engine: engine.slug)
def test_every_version_of_the_rules_has_stored_proofs(engine: Any) -> None:
    assert any(file.parent.name == f"{engine.slug}-{engine.rules_version}" for file in STORED)

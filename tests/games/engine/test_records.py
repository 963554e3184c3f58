"""Stored records with an older schema are upgraded, and records with a newer one are refused."""

from typing import Any, Literal

import msgspec
import pytest

from games.engine.errors import UnreadableRecord
from games.engine.records import Codec, Event, Record, seen_by


class Garden(Record, frozen=True):
    """A record with three schemas.

    Schema 1 had `tree` (one name), schema 2 has `trees`, and schema 3 adds who waters them.
    """

    trees: tuple[str, ...]
    gardener: str
    schema: Literal[3] = 3


def many_trees(record: dict[str, Any]) -> dict[str, Any]:
    return {"trees": [record["tree"]]}


def with_gardener(record: dict[str, Any]) -> dict[str, Any]:
    return record | {"gardener": "nobody"}


GARDENS: Codec[Garden] = Codec(Garden, schema=3, upgrades={1: many_trees, 2: with_gardener})


@pytest.mark.parametrize(
    ("stored", "garden"),
    [
        (b'{"tree":"oak","schema":1}', Garden(("oak",), "nobody")),
        (b'{"tree":"oak"}', Garden(("oak",), "nobody")),
        (b'{"trees":["oak","ash"],"schema":2}', Garden(("oak", "ash"), "nobody")),
        (b'{"trees":["oak"],"gardener":"Ann","schema":3}', Garden(("oak",), "Ann")),
    ],
)
def test_records_with_earlier_schemas_are_upgraded(stored, garden):
    assert GARDENS.load(stored) == garden


def test_records_are_stored_with_the_current_schema():
    assert GARDENS.dump(Garden(("oak",), "Ann")) == b'{"trees":["oak"],"gardener":"Ann","schema":3}'


def test_a_record_with_a_newer_schema_is_refused():
    with pytest.raises(UnreadableRecord) as caught:
        GARDENS.load(b'{"trees":[],"gardener":"Ann","well":true,"schema":4}')
    assert caught.value.code == "newer_record"
    assert caught.value.message == "This record has schema 4."
    assert caught.value.hint == "Update Turnpost: this version reads schemas up to 3."
    assert caught.value.data == {"schema": 3}


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b'{"schema":3}',
        b'{"schema":"3"}',
        b'{"schema":[]}',
        b'{"schema":0,"tree":"oak"}',
        b'{"trees":["oak"],"gardener":"Ann","schema":3,"spade":1}',
        b'{"trees":[7],"gardener":"Ann","schema":3}',
    ],
)
def test_invalid_records_are_refused(stored):
    with pytest.raises(UnreadableRecord):
        GARDENS.load(stored)


def test_records_cannot_be_changed():
    with pytest.raises(AttributeError, match="immutable"):
        Garden((), "Ann").gardener = "Ben"  # type: ignore[misc]


class BellRung(Event, frozen=True):
    times: int


class LetterRead(Event, frozen=True):
    reader: int

    def audience(self) -> frozenset[int] | None:
        return frozenset({self.reader})


@pytest.mark.parametrize(("seat", "seen"), [(0, [BellRung]), (1, [BellRung, LetterRead]), (None, [BellRung])])
def test_a_seat_sees_public_events_and_its_own_private_ones(seat, seen):
    assert [type(event) for event in seen_by([BellRung(2), LetterRead(1)], seat)] == seen


def test_events_are_named_after_what_happened():
    assert msgspec.json.encode(BellRung(2)) == b'{"event":"bell_rung","times":2}'

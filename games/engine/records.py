"""Immutable records that can be stored as JSON."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar, TypeVarTuple, Unpack

import msgspec

from games.engine.errors import NewerRecord, UnreadableRecord

T = TypeVar("T")
Details = TypeVarTuple("Details")
FIRST_SCHEMA = 1
"""The schema number of records that don't contain one."""

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]


_canonical = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """Encode a value as the JSON that is hashed, with sorted keys and without whitespace."""
    return _canonical.encode(value)


def snake(class_name: str) -> str:
    """Convert a class name to a tag, so that RowTaken becomes row_taken."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", class_name).lower()


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """An immutable value. The garbage collector does not track records, because they never form cycles."""


class Move(Record, frozen=True, tag_field="move", tag=snake):
    """A decision by one seat, named with a verb."""


class Event(Record, frozen=True, tag_field="event", tag=snake):
    """A consequence of a move, named in the past tense. Its content is public unless `audience` says otherwise."""

    is_news: ClassVar[bool] = False
    """Whether to notify players even if it is not their turn, as for reveals and scores."""

    is_on_board: ClassVar[bool] = False
    """Whether the board also shows the event, so that short reports can leave it out."""

    is_minor: ClassVar[bool] = False
    """Whether short reports leave the event out first."""

    has_details_for_seat: ClassVar[bool] = False
    """Whether the player in `seat` learns more from another event, so that reports to them can leave this one out."""

    board_stage: ClassVar[str] = ""
    """The phase of the match in which the board shows the latest event of this kind, or "over"."""

    reveals: ClassVar[str]
    """What players learn from the event, in words that fit into a preview, such as "the card you draw"."""

    def audience(self) -> frozenset[int] | None:
        """Return the only seats that may see the event. None means everybody, including spectators."""
        return None


def seen_by(events: Sequence[Event], seat: int | None) -> tuple[Event, ...]:
    """Return the events visible to a seat, or to a spectator if `seat` is None."""
    return tuple(e for e in events if (audience := e.audience()) is None or seat in audience)


class Happened(list[Event]):
    """The events of a move, in order."""

    def add(self, event: Callable[[Unpack[Details]], Event], *details: *Details) -> None:
        self.append(event(*details))


class IgnoredEvents(Happened):
    """Discards events, for searches that do not need them."""

    def add(self, event: Callable[[Unpack[Details]], Event], *details: *Details) -> None:
        pass


IGNORED_EVENTS = IgnoredEvents()


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """Return the items with one of them replaced."""
    changed = list(items)
    changed[index] = item
    return tuple(changed)


class Codec(Generic[T]):
    """Converts one type to and from JSON. With upgrades, it also reads all earlier schemas."""

    def __init__(self, kind: Any, schema: int = 1, upgrades: Mapping[int, Upgrade] | None = None) -> None:
        self.kind = kind
        self.schema = schema
        self.upgrades = upgrades or {}
        self.dump: Callable[[T], bytes] = msgspec.json.Encoder().encode
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind)

    def load(self, data: bytes) -> T:
        try:
            return self._decoder.decode(data)
        except msgspec.DecodeError as error:
            return self._load_older(data, error)
        except (UnicodeDecodeError, RecursionError) as error:
            raise unreadable(self.schema, error) from error

    def _load_older(self, data: bytes, error: msgspec.DecodeError) -> T:
        try:
            record = msgspec.json.decode(data, type=dict[str, Any])
            older: T = msgspec.convert(self._upgraded(record), self.kind)
        except msgspec.DecodeError:
            raise unreadable(self.schema, error) from error
        return older

    def _upgraded(self, record: dict[str, Any]) -> dict[str, Any]:
        version = msgspec.convert(record.get("schema", FIRST_SCHEMA), int)
        if version > self.schema:
            raise NewerRecord(
                "newer_record",
                f"This record has schema {version}.",
                f"Update Turnpost: this version reads schemas up to {self.schema}.",
                schema=self.schema,
            )
        while version in self.upgrades:
            record = self.upgrades[version](record)
            version += 1
            record["schema"] = version
        return record


def unreadable(schema: int, error: Exception) -> UnreadableRecord:
    return UnreadableRecord(
        "unreadable_record",
        f"This record can't be read: {error}.",
        f"This version reads schemas up to {schema}.",
        schema=schema,
    )

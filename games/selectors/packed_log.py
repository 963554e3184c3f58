"""Pack the moves and events of a match into a few kilobytes, and unpack them again.

Hashes and receipts can't be compressed, but they follow from the moves, the events and the secrets of the match. They
are left out if they can be restored exactly. The result is encrypted as a whole, because sealed moves that never took
effect stay secret for good.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any

import msgspec

from core import vault
from core.sql import stored_row
from games.engine import fairness
from games.engine.records import canonical
from games.models import Event, Match, Move
from games.selectors.loading import LoadedMatch, made_move, proof_time, receipt_of

logger = logging.getLogger(__name__)

Columns = dict[str, list[Any]]
Log = tuple[list[Move], list[Event]]
Link = tuple[bytes, int]

MOVE = ("number", "turn", "seat", "source", "is_sealed", "closes_turn", "content", "nonce", "receipt", "made_at")
EVENT = ("number", "turn", "audience", "content", "cause", "leaf", "hash", "happened_at")
RESTORED = ("cause", "leaf", "hash", "happened_at")
"""The columns that are left out of events. Only the receipts are left out of moves."""
RISING = ("number", "turn", "made_at", "happened_at")
"""Columns of numbers and times that are stored as differences."""
CAUSED = "caused"
"""How many events each move caused. A sealed move that only replaces another one causes none."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class Packed(msgspec.Struct, array_like=True):
    moves: Columns
    events: Columns


_decoder = msgspec.msgpack.Decoder(Packed)


def pack(loaded: LoadedMatch, moves: Sequence[Move], events: Sequence[Event]) -> bytes:
    whole = Packed(
        {name: [plain(move, name) for move in moves] for name in MOVE},
        {name: [plain(event, name) for event in events] for name in EVENT},
    )
    content = encoded(whole)
    try:
        shorter = encoded(abridged(whole))
        content = shorter if decoded(loaded, shorter) == whole else content
    except Exception as error:  # noqa: BLE001 - a log that contradicts itself is kept as it is, for the audit to report
        logger.warning("The log of match %s is archived in full: %s", loaded.match.pk, type(error).__name__)
    return vault.to_bytes(vault.encrypt(content, compress=True))


def unpack(loaded: LoadedMatch, stored: bytes) -> Log:
    whole = decoded(loaded, vault.decrypt(vault.from_bytes(stored)))
    return list(rows(Move, loaded, whole.moves)), list(rows(Event, loaded, whole.events))


def plain(row: Match | Move | Event, name: str) -> Any:
    """Return the value of a field, decrypted if necessary."""
    value = getattr(row, name)
    if isinstance(value, datetime):
        return (value - EPOCH) // MICROSECOND
    is_encrypted = name in ("content", "nonce") and isinstance(row, Move | Event) and row.is_encrypted
    return vault.decrypt(value).decode() if is_encrypted and value else value


def rows(model: type[Any], loaded: LoadedMatch, columns: Columns) -> Iterator[Any]:
    names = ["id", "match_id", "is_decrypted", *columns]
    converted = [
        [EPOCH + at * MICROSECOND for at in column] if name.endswith("_at") else column
        for name, column in columns.items()
    ]
    for values in zip(*converted, strict=True):
        yield stored_row(model, names, [None, loaded.match.pk, True, *values])


def abridged(whole: Packed) -> Packed:
    return Packed(
        {name: column for name, column in whole.moves.items() if name != "receipt"} | {CAUSED: caused(whole)},
        {name: column for name, column in whole.events.items() if name not in RESTORED},
    )


def caused(whole: Packed) -> list[int]:
    """Count the events of each move. The first event of a move contains its link, which names its seat and time."""
    times = [proof_time(EPOCH + at * MICROSECOND) for at in whole.moves["made_at"]]
    made = list(zip(times, whole.moves["seat"], strict=True))
    counts, current = [0] * len(made), -1
    for cause in whole.events["cause"]:
        if cause:
            link = msgspec.json.decode(cause, type=fairness.Cause)
            current = made.index((link.at, link.seat), current + 1)
        if current >= 0:
            counts[current] += 1
    return counts


def encoded(packed: Packed) -> bytes:
    return msgspec.msgpack.encode(Packed(as_differences(packed.moves), as_differences(packed.events)))


def as_differences(columns: Columns) -> Columns:
    return {
        name: [after - before for before, after in pairwise([0, *column])] if name in RISING else column
        for name, column in columns.items()
    }


def decoded(loaded: LoadedMatch, content: bytes) -> Packed:
    packed = _decoder.decode(content)
    for columns in (packed.moves, packed.events):
        columns |= {name: list(accumulate(columns[name])) for name in RISING if name in columns}
    return restored(loaded, packed) if CAUSED in packed.moves else packed


def restored(loaded: LoadedMatch, packed: Packed) -> Packed:
    """Restore the receipts of the moves, and the links, hashes and times of the events."""
    counts, events = packed.moves.pop(CAUSED), packed.events
    made = list(rows(Move, loaded, packed.moves | {"receipt": [""] * len(counts)}))
    links = list(links_of(loaded, made, counts, events))
    return Packed(
        packed.moves | {"receipt": [move.receipt for move in made]},
        events | dict(zip(RESTORED, map(list, zip(*chained(loaded, events, links), strict=True)), strict=True)),
    )


def links_of(loaded: LoadedMatch, made: Sequence[Move], counts: Sequence[int], events: Columns) -> Iterator[Link]:
    """Yield the link and the time of the move that caused each event. The first events are caused by the start of the
    match."""
    sealed: tuple[fairness.Reveal, ...] = ()
    yield from [(b"", plain(loaded.match, "started_at"))] * (len(events["number"]) - sum(counts))
    for move, count in zip(made, counts, strict=True):
        content = loaded.engine.moves.load(move.content.encode())
        move.receipt = receipt_of(loaded, move, content, move.nonce)
        cause, sealed = fairness.link_move(sealed, made_move(move, content), advanced=move.closes_turn)
        at = plain(move, "made_at")
        yield from [(canonical(cause), at), *[(b"", at)] * (count - 1)][:count]


def chained(loaded: LoadedMatch, events: Columns, links: Sequence[Link]) -> Iterator[tuple[Any, ...]]:
    head = fairness.chain_start(loaded.terms)
    for number, audience, text, (cause, at) in zip(
        events["number"], events["audience"], events["content"], links, strict=True
    ):
        if cause:
            head = fairness.link(head, fairness.move_leaf(cause))
        content, is_hidden = text.encode(), audience is not None
        leaf = fairness.private_leaf(loaded.seed, number, content) if is_hidden else fairness.public_leaf(content)
        head = fairness.link(head, leaf)
        yield cause.decode(), leaf if is_hidden else "", head, at

"""Read a player's standing orders. They are stored with the seat, encrypted, and only their owner ever sees them."""

from datetime import datetime

from core import vault
from games import shapes
from games.engine.orders import DURATIONS
from games.engine.records import Codec, Record
from games.engine.text import counted
from games.models import Seat
from games.selectors.loading import LoadedMatch

LEAST_BYTES = 2000
"""The length to which shorter orders are padded, so that their real length stays hidden."""


class StoredOrder(Record, frozen=True):
    text: str
    until: datetime
    unit: str = ""
    """The unit in which the order's duration is counted. It is empty if the order lasts for the whole match."""
    last: int = 0
    """The last game, round or auction to which the order applies."""
    uses: int | None = None
    """How many more moves the order may make."""
    is_sealed: bool = False
    """Whether the moves of the order are sealed."""
    is_brief: bool = False
    """Whether the end of the order is obvious and need not be stated, as for a bid in one auction."""


class OrderNote(Record, frozen=True):
    """A note about standing orders that the player should see, for example why no order was followed."""

    text: str
    event: int
    """The number of the latest event when the note was written."""


class StoredOrders(Record, frozen=True):
    owner: int | None = None
    """The user who gave the orders. Another player who takes over the seat does not inherit them."""
    lines: tuple[StoredOrder, ...] = ()
    stopped: str = ""
    asked_turn: int | None = None
    """The turn that the orders left to the player."""
    notes: tuple[OrderNote, ...] = ()


_codec: Codec[StoredOrders] = Codec(StoredOrders)
NONE = StoredOrders()


def orders_of(seat: Seat) -> StoredOrders:
    if not seat.encrypted_orders:
        return NONE
    stored = _codec.load(vault.decrypt(seat.encrypted_orders))
    return stored if stored.owner == seat.user_id else NONE


def encrypted(orders: StoredOrders) -> str:
    return vault.encrypt(_codec.dump(orders), at_least=LEAST_BYTES) if orders.lines or orders.notes else ""


def new_notes(seat: Seat) -> list[str]:
    """Return the notes about standing orders since the player last acted."""
    return [note.text for note in orders_of(seat).notes if note.event >= seat.acted_through]


def presented(loaded: LoadedMatch, seat: Seat, played: list[shapes.SeenEvent] | None = None) -> shapes.StandingOrders:
    orders, language = orders_of(seat), loaded.engine.orders
    written = (*language.help, *DURATIONS) if language else ()
    return shapes.StandingOrders(
        match=loaded.match.id,
        turn=loaded.match.turn,
        orders=[
            shapes.StandingOrder(
                number=number, order=line.text, sealed=line.is_sealed, lasts=lasts(line), until=line.until
            )
            for number, line in enumerate(orders.lines, start=1)
        ],
        stopped=orders.stopped or None,
        notes=new_notes(seat),
        played=played or [],
        language=[shapes.Notation(example=example, meaning=meaning) for example, meaning in written],
    )


def lasts(line: StoredOrder) -> str:
    parts = [f"until the end of {line.unit} {line.last}" if line.unit else "until the match ends"]
    if line.uses is not None:
        parts.append(f"for {counted(line.uses, 'more move')}")
    return ", ".join(parts)

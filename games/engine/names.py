"""Put players' names into sentences: the reader is "you", everybody else is called by name."""

from collections.abc import Iterable, Sequence

from games.engine.records import Record
from games.engine.text import counted, cut, listing


class Names(Record, frozen=True):
    """The names of all seats, and the seat of the reader.

    These texts depend on the reader, so they must never be hashed, signed or compared between players. Records contain
    seat numbers; names are filled in only for display.
    """

    names: tuple[str, ...]
    reader: int | None = None
    """None for spectators, and for texts that are the same for everybody."""
    is_preview: bool = False
    """Whether the sentences describe a move that has not been made: "You would draw", not "You drew"."""

    def __getitem__(self, seat: int) -> str:
        """Return the plain name, for tables."""
        return self.names[seat]

    def __len__(self) -> int:
        return len(self.names)

    def subject(self, seat: int, verb: str = "", your_verb: str = "") -> str:
        """Begin a sentence: "Ben begins" or "You begin". `your_verb` is needed only where it differs."""
        name = "You" if seat == self.reader else self.names[seat]
        if self.is_preview and verb:
            return f"{name} would {your_verb or verb}"
        fitting = your_verb or verb if seat == self.reader else verb
        return f"{name} {fitting}" if fitting else name

    def verb(self, past: str, base: str) -> str:
        """Return "drew" or, in a preview, "would draw"."""
        return f"would {base}" if self.is_preview else past

    def object(self, seat: int) -> str:
        """Return "Ben" or "you", for use inside a sentence."""
        return "you" if seat == self.reader else self.names[seat]

    def possessive(self, seat: int) -> str:
        return "your" if seat == self.reader else f"{self.names[seat]}'s"

    def subjects(self, seats: Iterable[int]) -> str:
        """Begin a sentence: "You and Ben"."""
        return listing([self.subject(seat) for seat in self._reader_first(seats)])

    def objects(self, seats: Iterable[int]) -> str:
        """Return "you and Ben", for use inside a sentence."""
        return listing([self.object(seat) for seat in self._reader_first(seats)])

    def in_order(self, seats: Iterable[int]) -> list[str]:
        """Return the names in this order, for use inside a sentence: "Ben", "you"."""
        return [self.object(seat) for seat in seats]

    def _reader_first(self, seats: Iterable[int]) -> list[int]:
        return sorted(seats, key=lambda seat: seat != self.reader)

    def shortened(self, room: int) -> "Names":
        return Names(tuple([cut(name, room) for name in self.names]), self.reader, self.is_preview)


def who_won(names: Names, winners: Sequence[int], points: int) -> str:
    verb = names.verb("won", "win") if len(winners) == 1 else names.verb("share the win", "share the win")
    return f"{names.subjects(winners)} {verb} with {counted(points, 'point')}."

"""Put players' names into sentences, with "you" for the reader."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from games.engine.records import Record
from games.engine.text import counted, cut, listing


class Names(Record, frozen=True):
    """The names of all seats, and the seat of the reader.

    Text that contains names depends on the reader, so it must never be hashed, signed or compared between players.
    Records contain seat numbers, and names are filled in only for display.
    """

    names: tuple[str, ...]
    reader: int | None = None
    """The seat of the reader. It is None for spectators, and for text that is the same for everybody."""
    is_preview: bool = False
    """Whether the sentences describe a move that has not been made: "You would draw" instead of "You drew"."""
    resigned: frozenset[int] = frozenset()
    """The seats of players who resigned and can no longer win."""

    def __getitem__(self, seat: int) -> str:
        """Return the plain name, for use in tables."""
        return self.names[seat]

    def __len__(self) -> int:
        return len(self.names)

    def subject(self, seat: int, verb: str = "", your_verb: str = "") -> str:
        """Begin a sentence, as in "Ben begins" or "You begin". `your_verb` is needed only if it differs."""
        name = "You" if seat == self.reader else self.names[seat]
        if self.is_preview and verb:
            return f"{name} would {your_verb or verb}"
        fitting = your_verb or verb if seat == self.reader else verb
        return f"{name} {fitting}" if fitting else name

    def verb(self, past: str, base: str) -> str:
        """Return the verb, as in "drew" or, in a preview, "would draw"."""
        return f"would {base}" if self.is_preview else past

    def object(self, seat: int) -> str:
        """Return the name for use inside a sentence, as in "Ben" or "you"."""
        return "you" if seat == self.reader else self.names[seat]

    def possessive(self, seat: int) -> str:
        return "your" if seat == self.reader else f"{self.names[seat]}'s"

    def subjects(self, seats: Iterable[int]) -> str:
        """Begin a sentence with several names, as in "You and Ben"."""
        return listing([self.subject(seat) for seat in self._reader_first(seats)])

    def objects(self, seats: Iterable[int]) -> str:
        """Join several names for use inside a sentence, as in "you and Ben"."""
        return listing([self.object(seat) for seat in self._reader_first(seats)])

    def in_order(self, seats: Iterable[int]) -> list[str]:
        """Return the names in this order, for use inside a sentence."""
        return [self.object(seat) for seat in seats]

    def _reader_first(self, seats: Iterable[int]) -> list[int]:
        return sorted(seats, key=lambda seat: seat != self.reader)

    def shortened(self, room: int) -> "Names":
        return replace(self, names=tuple([cut(name, room) for name in self.names]))


def who_won(names: Names, totals: Sequence[int]) -> str:
    playing = [seat for seat in range(len(totals)) if seat not in names.resigned] or range(len(totals))
    points = max(totals[seat] for seat in playing)
    winners = [seat for seat in playing if totals[seat] == points]
    verb = names.verb("won", "win") if len(winners) == 1 else names.verb("share the win", "share the win")
    return f"{names.subjects(winners)} {verb} with {counted(points, 'point')}."

"""The floor for Coloretto: a simple loop that changes lists in place, without checks, events or scores.

No pure Python engine that plays the same moves is likely to be faster.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

ROOM = {2: (1, 2, 3), 3: (3, 3, 3), 4: (3, 3, 3, 3), 5: (3, 3, 3, 3, 3)}
DRAW = -1
LAST_ROUND = "!"


def coloretto(seats: int, options: Any, numbers: Iterator[int]) -> int:
    """Play one match with random moves and return how many were made."""
    number = next(numbers)
    return sum(Table(seats, options.edition, number + game).play_out(number) for game in range(options.deals))


class Table:
    def __init__(self, seats: int, edition: str, number: int) -> None:
        self.room = ROOM[seats]
        self.supply = shuffled(seats, edition, number)
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.last_round = False
        self.drawn = ""
        self.new_round(starter=0)

    def new_round(self, starter: int) -> None:
        self.rows: list[list[str] | None] = [[] for _ in self.room]
        self.still_in = [True] * len(self.hands)
        self.turn = starter

    def play_out(self, random: int) -> int:
        moves = 0
        while any(self.still_in):
            random = (random * 75 + 74) % 65537  # Random enough for a benchmark, and fast.
            choices = self.places() if self.drawn else self.takes()
            self.play(choices[random % len(choices)])
            moves += 1
        return moves

    def places(self) -> list[int]:
        return [i for i, row in enumerate(self.rows) if row is not None and len(row) < self.room[i]]

    def takes(self) -> list[int]:
        takes = [i for i, row in enumerate(self.rows) if row]
        return [DRAW, *takes] if self.places() else takes

    def play(self, choice: int) -> None:
        if choice == DRAW:
            self.drawn = self.reveal()
        elif self.drawn:
            self.rows[choice].append(self.drawn)  # type: ignore[union-attr]
            self.drawn = ""
            self.pass_on()
        else:
            self.take(choice)

    def take(self, choice: int) -> None:
        cards, self.rows[choice] = self.rows[choice] or [], None
        self.hands[self.turn] += cards
        if "*" in cards:
            self.hands[self.turn].append(self.reveal())
        self.still_in[self.turn] = False
        if any(self.still_in):
            self.pass_on()
        elif not self.last_round:
            self.new_round(starter=self.turn)

    def reveal(self) -> str:
        card = self.supply.pop()
        if card != LAST_ROUND:
            return card
        self.last_round = True
        return self.supply.pop()

    def pass_on(self) -> None:
        self.turn = (self.turn + 1) % len(self.hands)
        while not self.still_in[self.turn]:
            self.turn = (self.turn + 1) % len(self.hands)


def shuffled(seats: int, edition: str, number: int) -> list[str]:
    """Return the shuffled supply without the starting cards. The last card in the list is the top card."""
    colours = "BGOPRVY"[{2: 2, 3: 1}.get(seats, 0) :]
    cards = list(colours * 9 + "+" * 10 + ("JJJ" if edition == "classic" else "JJ*"))[{2: 4}.get(seats, seats) :]
    Random(number).shuffle(cards)
    cards.insert(15 if edition == "classic" else 16, LAST_ROUND)
    return cards

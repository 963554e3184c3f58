"""The floor for Colorado County: a loop that changes lists in place, without checks, events, lakes or scores. It makes
the same kinds of random moves as the engine's playouts, but never lists the choices."""

from collections.abc import Iterator
from random import Random
from typing import Any

COLUMNS, ROWS = 15, 10
FREE, LAKE = ".", "~"
TURNS = {2: 2, 3: 2, 4: 3}
PATTERNS = ("00", "00", "10", "10", "20", "20", "30", "30", "11", "11", "21", "12")


def colorado_county(seats: int, options: Any, numbers: Iterator[int]) -> int:
    """Play one match with random moves and return how many were made."""
    return County(seats, options.flags, next(numbers)).play_out()


class County:
    def __init__(self, seats: int, flags: str, number: int) -> None:
        self.random = Random(number)
        self.seats = range(seats)
        self.moves = 0
        self.flags_by = seats if flags == "players" else 0
        self.board = [FREE] * (COLUMNS * ROWS)
        for square in self.random.sample(range(len(self.board)), 22):
            self.board[square] = LAKE
        self.bag = list(range(1, 67))
        self.hands: list[list[int]] = [[] for _ in self.seats]
        for seat in self.seats:
            self.draw(seat, 15)
        self.tokens = [5 if seats < 4 else 4 for _ in self.seats]
        self.stock = [[colour + pattern for pattern in PATTERNS] for colour in "RGOB"]

    def draw(self, seat: int, count: int) -> None:
        self.random.shuffle(self.bag)
        for _ in range(min(count, len(self.bag))):
            self.hands[seat].append(self.bag.pop())

    def play_out(self) -> int:
        for _ in range(4):
            self.place_flags()
            for cards in self.stock:
                self.random.shuffle(cards)
            deck = [cards.pop() for cards in self.stock for _ in range(3)]
            self.random.shuffle(deck)
            self.sold = [0 for _ in self.seats]
            while deck:
                turned_up = [deck.pop() for _ in range(TURNS[len(self.seats)])]
                self.auction(turned_up, last=not deck)
        return self.moves

    def place_flags(self) -> None:
        self.board = [FREE if mark in "RGOB" else mark for mark in self.board]
        free = [square for square, mark in enumerate(self.board) if mark == FREE]
        for square, colour in zip(self.random.sample(free, 12), "RRRGGGOOOBBB", strict=True):
            self.board[square] = colour
        self.moves += self.flags_by

    def auction(self, turned_up: list[str], *, last: bool) -> None:
        bids = [self.bid(seat, last=last) for seat in self.seats]
        order = sorted((seat for seat in self.seats if bids[seat]), key=lambda s: (len(bids[s]), max(bids[s])))
        for bid in bids:
            self.bag += bid
        while order and turned_up:
            self.pick(order.pop(), turned_up.pop(self.random.randrange(len(turned_up))))
        for seat in self.seats:
            if not bids[seat]:
                self.draw(seat, 2)

    def bid(self, seat: int, *, last: bool) -> list[int]:
        while True:
            own = [] if last or not self.tokens[seat] or self.sold[seat] == 2 else self.land_of(seat)
            choice = self.random.randrange(len(own) + 2)
            if choice >= len(own):
                break
            self.sell(seat, own[choice])
        self.moves += 1
        return self.some_cowboys(seat) if choice > len(own) else []

    def land_of(self, seat: int) -> list[int]:
        return [square for square, mark in enumerate(self.board) if mark == str(seat)]

    def some_cowboys(self, seat: int) -> list[int]:
        hand = self.hands[seat]
        self.random.shuffle(hand)
        return [hand.pop() for _ in range(self.random.randint(1, len(hand)))] if hand else []

    def sell(self, seller: int, square: int) -> None:
        self.tokens[seller] -= 1
        self.sold[seller] += 1
        buyers = [seat for seat in self.seats if seat != seller and self.hands[seat]]
        interested = [seat for seat in buyers if self.random.randrange(2)]
        self.moves += 1 + len(buyers) + len(interested)
        self.board[square] = FREE
        if interested:
            offers = {seat: self.some_cowboys(seat) for seat in interested}
            buyer = max(offers, key=lambda seat: (len(offers[seat]), max(offers[seat])))
            for seat, offer in offers.items():
                self.hands[seller if seat == buyer else seat] += offer
            self.board[square] = str(buyer)
        self.draw(seller, 2)

    def pick(self, seat: int, card: str) -> None:
        """Half of all picks are planned, so they are not separate moves."""
        self.moves += self.random.randrange(2)
        flags = [square for square, mark in enumerate(self.board) if mark == card[0]]
        if not flags:
            return
        flag = self.random.choice(flags)
        self.board[flag] = str(seat)
        row, column = flag // COLUMNS + int(card[2]), flag % COLUMNS + int(card[1])
        if row < ROWS and column < COLUMNS and self.board[row * COLUMNS + column] == FREE:
            self.board[row * COLUMNS + column] = str(seat)

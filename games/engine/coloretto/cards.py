"""The cards. Each is one letter; a pile, a row or a hand is a string of them: immutable, quick, readable."""

from functools import lru_cache

COLOURS = {
    "B": "blue",
    "G": "green",
    "O": "orange",
    "P": "pink",
    "R": "red",
    "V": "violet",
    "Y": "yellow",
}
PLUS_TWO = "+"
JOKER = "J"
GOLDEN_JOKER = "*"
LAST_ROUND = "!"

CARDS_PER_COLOUR = 9
PLUS_TWOS = 10

SHOWN = "".join(COLOURS) + PLUS_TWO + JOKER + GOLDEN_JOKER
NAMES = COLOURS | {PLUS_TWO: "+2", JOKER: "joker", GOLDEN_JOKER: "golden joker", LAST_ROUND: "last round"}


def name(card: str) -> str:
    return NAMES[card]


def one(card: str) -> str:
    """a red card, a +2, the golden joker"""
    if card in COLOURS:
        return f"{'an' if card == 'O' else 'a'} {NAMES[card]} card"
    return f"{'the' if card == GOLDEN_JOKER else 'a'} {NAMES[card]}"


def names(cards: str) -> str:
    return ", ".join(NAMES[card] for card in cards)


@lru_cache(maxsize=1024)
def in_order(cards: str) -> str:
    """Colours first, by letter; then +2 and jokers."""
    return "".join(sorted(cards, key=SHOWN.index))


def jokers(cards: str) -> int:
    return cards.count(JOKER) + cards.count(GOLDEN_JOKER)

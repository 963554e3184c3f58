"""The cards. Each is one letter; a pile, a row or a hand is a string of them: immutable, quick, readable."""

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


def jokers(cards: str) -> int:
    return cards.count(JOKER) + cards.count(GOLDEN_JOKER)

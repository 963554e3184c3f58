"""The 48 cards: a flag colour and one or two stars. A card is written as its flag's letter and where the second star
lies, so many squares to the right and down: "R21" is red, two right and one down; "R00" has a single star."""

from games.engine.colorado_county.geometry import FLAGS, SIZE, steps

# A reconstruction. The seed gives 48 cards, 12 for each flag colour, with one or (mostly) two stars; reviews of
# the 1999 game show patterns, not how many there are of each: a better source needs to change only this table.
PATTERNS = {
    "00": 2,
    "10": 2,
    "20": 2,
    "30": 2,
    "11": 2,
    "21": 1,
    "12": 1,
}
SINGLE = "00"
PATTERN_NAMES = {
    "00": "one star",
    "10": "two stars side by side",
    "20": "two stars, one square between",
    "30": "two stars, two squares between",
    "11": "two stars, corner to corner",
    "21": "two stars, 2 right and 1 down",
    "12": "two stars, 1 right and 2 down",
}

CARDS_OF = {
    colour: tuple(colour + pattern for pattern, count in PATTERNS.items() for _ in range(count)) for colour in FLAGS
}


def colour(card: str) -> str:
    return card[0]


def pattern(card: str) -> str:
    return card[1:]


def stars(card: str) -> int:
    return 1 if pattern(card) == SINGLE else 2


def name(card: str) -> str:
    return f"{FLAGS[colour(card)]}, {PATTERN_NAMES[pattern(card)]}"


def second_stars(pattern: str) -> tuple[tuple[int, ...], ...]:
    """By the square of the flag: the squares of the other star after turning the card by quarters, never mirrored.
    Letting the other star be the flag's is the same as half a turn."""
    if pattern == SINGLE:
        return ((),) * SIZE
    right, down = int(pattern[0]), int(pattern[1])
    ways = ((right, down), (-down, right), (-right, -down), (down, -right))
    return tuple(steps(square, ways) for square in range(SIZE))


REACH = {pattern: second_stars(pattern) for pattern in PATTERNS}

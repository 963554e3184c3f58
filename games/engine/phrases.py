"""Understand moves in everyday English, on top of each game's notation.

A game lists phrases like `{take} [the] [row] <row>`, each with the moves it can mean:

- `[a|b c]` is optional, `(a|b c)` is required, and `{take}` stands for all words in the grammar's list "take".
  Apostrophes may be missing, as in "ill" and "dont".
- `<row>` is a slot. Its function returns how many words it uses and what to write for them in the notation.
  `<row:row_with>` fills the slot `row` with another function. If a phrase has a slot twice, both must agree.
- A meaning that starts with `?` counts only if the move is possible now: "3" may be `?take 3 | ?place 3`.

A phrase must account for every word, so a sentence with a word that the grammar doesn't know is never a move.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

Words = Sequence[str]
Slot = Callable[[Words, Any, int], Iterator[tuple[int, str]]]
"""Takes the words that follow, the position and the seat."""

UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")  # fmt: skip
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
        "ninety": 90}  # fmt: skip
NUMBERS = {word: number for number, word in enumerate(UNITS)} | TENS
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
ENDINGS = {"st", "nd", "rd", "th"}
LONGEST_NUMBER = 3
BETWEEN_NUMBERS = {",", "and", "&", "+", ";", "plus", "und", "et", "n"}
NODE = re.compile(
    r"\[(?P<optional>[^\]]*)\]|\((?P<needed>[^)]*)\)|\{(?P<listed>\w+)\}"
    r"|<(?P<slot>\w+)(?::(?P<reader>\w+))?>|(?P<word>\S+)"
)
LISTED = re.compile(r"\{(\w+)\}")


class Grammar(NamedTuple):
    phrases: tuple[tuple[str, str], ...] = ()
    """Each phrase with its meanings in the game's notation, separated by " | ". A meaning of two moves in a row has
    " / " between them."""
    words: Mapping[str, str] = {}
    """Lists of words that mean the same, separated by " | "."""
    slots: Mapping[str, Slot] = {}
    reasons: tuple[tuple[str, str], ...] = ()
    """Phrases that give a reason for a move and don't change its meaning, each with the moves that it can explain. An
    empty text stands for any move."""
    refusals: tuple[tuple[str, str], ...] = ()
    """Phrases that refuse more than one move, with the moves: "I don't want any of the rows"."""
    remarks: tuple[str, ...] = ()
    """Words of the game that a remark after a move may contain."""


ONLY_IF_LEGAL = "?"
AND_THEN = " / "
NO_PHRASES = Grammar()


class Node(NamedTuple):
    alternatives: tuple[tuple[str, ...], ...] = ()
    slot: str = ""
    reader: str = ""
    is_optional: bool = False


class Phrase(NamedTuple):
    nodes: tuple[Node, ...]
    meanings: tuple[str, ...]


class Found(NamedTuple):
    """A phrase found at the start of a list of words."""

    length: int
    moves: frozenset[str]
    """The meanings that the phrase can have, in the game's notation."""


def found_in(words: Words, grammar: Grammar, state: Any, seat: int) -> Iterator[Found]:
    """Return every phrase of the grammar that these words start with."""
    for phrase in phrases_of(grammar.phrases, tuple(grammar.words.items())):
        for length, values in matches(phrase.nodes, words, 0, grammar.slots, state, seat):
            if length:
                yield Found(length, frozenset(filled(meaning, values) for meaning in phrase.meanings))


@cache
def phrases_of(phrases: tuple[tuple[str, str], ...], words: tuple[tuple[str, str], ...]) -> tuple[Phrase, ...]:
    lists = dict(words)
    return tuple(
        Phrase(tuple(node(found, lists) for found in NODE.finditer(pattern)), tuple(meanings.split(" | ")))
        for pattern, meanings in phrases
    )


def node(found: re.Match[str], lists: Mapping[str, str]) -> Node:
    if found["slot"]:
        return Node(slot=found["slot"], reader=found["reader"] or found["slot"])
    listed = f"{{{found['listed']}}}" if found["listed"] else ""
    written = listed or found["optional"] or found["needed"] or found["word"]
    alternatives = LISTED.sub(lambda each: lists[each[1]], written)
    sequences = [tuple(words_of(each)) for each in alternatives.split("|")]
    sequences += [tuple(word.replace("'", "") for word in each) for each in sequences]
    return Node(tuple(dict.fromkeys(sequences)), is_optional=found["optional"] is not None)


def matches(
    nodes: tuple[Node, ...], words: Words, at: int, slots: Mapping[str, Slot], state: Any, seat: int
) -> Iterator[tuple[int, dict[str, str]]]:
    """Return where a sequence of nodes can end, with the values of its slots."""
    if not nodes:
        yield at, {}
        return
    first, *rest = nodes
    for end, value in ends(first, words, at, slots, state, seat):
        for last, values in matches(tuple(rest), words, end, slots, state, seat):
            if not first.slot:
                yield last, values
            elif values.get(first.slot, value) == value:
                yield last, {first.slot: value} | values


def ends(
    each: Node, words: Words, at: int, slots: Mapping[str, Slot], state: Any, seat: int
) -> Iterator[tuple[int, str]]:
    if each.slot:
        for length, value in slots[each.reader](words[at:], state, seat):
            yield at + length, value
        return
    for alternative in each.alternatives:
        if tuple(words[at : at + len(alternative)]) == alternative:
            yield at + len(alternative), ""
    if each.is_optional:
        yield at, ""


def filled(meaning: str, values: Mapping[str, str]) -> str:
    return re.sub(r"<(\w+)>", lambda slot: values[slot[1]], meaning)


WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|[0-9]+|\S")


def words_of(text: str) -> list[str]:
    """Split text into lower-case words, numbers and symbols."""
    return WORD.findall(text.lower())


def number(words: Words) -> Iterator[tuple[int, int]]:
    """Read a number in digits or words."""
    first = words[0] if words else ""
    if first.isascii() and first.isdigit() and len(first) <= LONGEST_NUMBER:
        yield 1, int(first)
    elif first in TENS:
        hyphen = list(words[1:2]) == ["-"]
        unit = NUMBERS.get(next(iter(words[1 + hyphen : 2 + hyphen]), ""), 0)
        is_joined = 0 < unit < UNITS.index("ten")
        yield (2 + hyphen, TENS[first] + unit) if is_joined else (1, TENS[first])
    elif first in NUMBERS:
        yield 1, NUMBERS[first]


def ordinal(words: Words) -> Iterator[tuple[int, int]]:
    """Read "second" or "2nd"."""
    first, following = [*words[:2], "", ""][:2]
    if first in ORDINALS:
        yield 1, ORDINALS[first]
    elif first.isascii() and first.isdigit() and len(first) <= LONGEST_NUMBER and following in ENDINGS:
        yield 2, int(first)


def numbers(words: Words) -> Iterator[tuple[int, list[int]]]:
    """Read one or more numbers with commas, "and" or nothing between them."""
    for length, value in number(words):
        yield length, [value]
        for gap in gaps(words[length:]):
            for more, values in numbers(words[length + gap :]):
                yield length + gap + more, [value, *values]


def gaps(words: Words) -> Iterator[int]:
    """Return how many words may separate two numbers here: none, a comma, ", and", or "as well as"."""
    yield 0
    if tuple(words[:3]) == ("as", "well", "as"):
        yield 3
    if words[:1] and words[0] in BETWEEN_NUMBERS:
        yield 1
        if words[1:2] and words[1] in ("and", "also", "then"):
            yield 2

"""Standing orders: lines that say what to play for an absent player, based only on what that player can see.

A game that understands orders has a language (`Engine.orders`), which turns each line into a rule. The words for how
long an order lasts are the same in every game.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from games.engine.choices import Choices
from games.engine.errors import BadOrder
from games.engine.records import Move, Record
from games.engine.text import listing

M = TypeVar("M", bound=Move)
V = TypeVar("V", bound=Record)

LONGEST_LINE = 300
HIGHEST_NUMBER = 999
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
TOKEN = re.compile(r"\+[0-9]+|[a-z]+[0-9]*|[0-9]+")
BETWEEN_TOKENS = re.compile(r"[\s,.;:!()\"/&-]+")
NEGATIVE = re.compile(r"(?<!\S)-[0-9]+")
APOSTROPHES = str.maketrans("", "", "'’`")
NO_LINE_APPLIES = "None of your standing orders applied."
EXAMPLE_OF_UNTIL = "until 2026-12-24"
DURATIONS = (
    ("… once", "play it once; '3 times' and so on work too"),
    (f"… {EXAMPLE_OF_UNTIL}", "stop after this day"),
    ("… for the match", "keep it until the match ends"),
)


class Unforeseen(Exception):
    """Raised if a rule runs into a situation that its author could not have foreseen.

    Its message is the reason why the orders stop.
    """


class Rule(ABC, Generic[V, M]):
    """A single line of standing orders."""

    unit: ClassVar[str] = ""
    """How long the order lasts if the line doesn't say. By default, the language decides."""
    seals: ClassVar[bool] = False
    """Whether the moves of this order are sealed. In that case, emails don't show the order."""

    def check(self, view: V) -> None:
        """Raise BadOrder if the order can't apply in this match, for example because there is no such row."""

    def asks(self, view: V) -> str:
        """Return why the player wants to be asked now, or an empty string if they don't."""
        return ""

    @abstractmethod
    def move(self, view: V, choices: Choices[M]) -> M | None:
        """Return the move to play, or None if the order doesn't apply now.

        Raise Unforeseen if the situation was not foreseen.
        """


class Language(ABC, Generic[V, M]):
    """The language for the standing orders of one game."""

    help: ClassVar[tuple[tuple[str, str], ...]]
    fillers: ClassVar[str]
    """Filler words that an order may contain and that are ignored."""
    default_unit: ClassVar[str]
    units: Mapping[str, Callable[[V], int]]
    """For each unit, a function that returns the number of the current game, round or auction."""
    from_now_on: ClassVar[Mapping[str, str]] = {}
    """For each move that a player may want to make every time, the standing order that makes it."""

    @abstractmethod
    def read(self, words: "Words") -> Rule[V, M]:
        """Read one line without its duration. Raise BadOrder if it can't be read."""

    def starts(self, unit: str, view: V) -> int:
        """Return the first game, round or auction to which an order given now can apply."""
        return self.units[unit](view)


class Reading(NamedTuple):
    """A line that has been read, and how long it lasts."""

    rule: Rule[Any, Any]
    unit: str
    """The unit in which the order's duration is counted. It is empty if the order lasts for the whole match."""
    span: int
    """The number of games, rounds or auctions for which the order lasts."""
    uses: int | None
    until: str
    """The last day on which the order applies, such as 2026-12-24. It is empty if there is none."""


class Play(NamedTuple):
    line: int
    move: Any


class Ask(NamedTuple):
    reason: str
    is_stopped: bool = False
    """Whether something unforeseen happened, so that the orders stop until their player looks at them."""


class Words:
    """The words of a line, read from left to right."""

    def __init__(self, text: str, language: Language[Any, Any]) -> None:
        self.text, self.language = text, language
        self._left: list[str] = []
        plain = text.lower().translate(APOSTROPHES)
        if negative := NEGATIVE.search(plain):
            raise self.unreadable(negative[0])
        if strange := BETWEEN_TOKENS.sub("", TOKEN.sub("", plain)):
            raise self.unreadable(strange[0])
        self._left = [word for word in TOKEN.findall(plain) if word not in language.fillers.split()]

    def __bool__(self) -> bool:
        return bool(self._left)

    @property
    def next(self) -> str:
        return self._left[0] if self._left else ""

    def follows(self, *words: str) -> bool:
        """Return whether the word after the next one is one of these."""
        return bool(self._left[1:]) and self._left[1] in words

    def skip(self, *phrases: str) -> bool:
        """Consume the first of these phrases that comes next, and return whether there was one."""
        for phrase in phrases:
            words = phrase.split()
            if self._left[: len(words)] == words:
                del self._left[: len(words)]
                return True
        return False

    def one_of(self, meanings: Mapping[str, Any]) -> Any:
        """Consume a phrase and return its meaning, or None if there is no such phrase.

        Longer phrases are tried first.
        """
        for phrase in sorted(meanings, key=len, reverse=True):
            if self.skip(phrase):
                return meanings[phrase]
        return None

    def number(self) -> int | None:
        word = self.next
        if word.isdigit() or word in NUMBERS:
            del self._left[0]
            value = NUMBERS[word] if word in NUMBERS else int(word[: len(str(HIGHEST_NUMBER)) + 1])
            if value <= HIGHEST_NUMBER:
                return value
            raise self.unreadable(word)
        return None

    def need_number(self, what: str) -> int:
        value = self.number()
        if value is None:
            raise self.bad("number_missing", f"{what} needs a number.")
        return value

    def rest(self) -> str:
        """Consume all words, and return the whole line as it was written."""
        self._left = []
        return self.text

    def end(self) -> None:
        if self._left:
            raise self.unreadable(" ".join(self._left))

    def unreadable(self, words: str = "") -> BadOrder:
        quoted = (words or " ".join(self._left) or self.text)[:40]
        return self.bad("unknown_order", f"I can't read '{quoted}' in a standing order.")

    def bad(self, code: str, message: str) -> BadOrder:
        return bad_order(self.language, code, message, self.text)


def bad_order(language: Language[Any, Any], code: str, message: str, text: str = "", hint: str = "") -> BadOrder:
    examples = [example for example, _ in language.help]
    shown = listing([f"'{example}'" for example in examples[:4]], "or")
    hint = hint or f"Examples: {shown}."
    return BadOrder(code, message, hint, text=text[:80], allowed=examples)


ELSE = re.compile(
    r"^(?:(?:or )?else|otherwise|in all other cases)[\s,:]+|[\s,]+(?:otherwise|in all other cases)$", re.IGNORECASE
)
THANKS = re.compile(r"[\s,]+(?:please|thanks|thank you)$", re.IGNORECASE)
WISH = re.compile(r"^(?:please\s+)?(?:i['’]?d like to|i would like to|i want to|i['’]?ll|i will)\s+", re.IGNORECASE)
UNTIL = re.compile(r"\s*\buntil\s+(?P<day>\d{4}-\d{2}-\d{2})$")
TIMES = re.compile(r"\s*\b(?:(?P<once>once)|(?P<twice>twice)|(?P<count>[0-9]{1,3}|[a-z]+)\s+times)$")
MATCH = re.compile(r"\s*\bfor\s+(?:the\s+)?(?:whole\s+|rest\s+of\s+the\s+)*match$")
SPAN = re.compile(
    r"\s*\b(?:(?:for|in|during)\s+(?:(?:this|the)|(?:the\s+next\s+)?(?P<count>[0-9]{1,3}|[a-z]+))"
    r"|the\s+next\s+(?P<next>[0-9]{1,3}|[a-z]+)|this)\s+(?P<unit>[a-z]+)$"
)


BETWEEN_ORDERS = re.compile(
    r"\s*[;\n]\s*|[,.]\s+(?!(?:thanks|thank|please)\b)|\s+(?=(?:or else|otherwise)\b)|(?<!\bor)\s+(?=else\b)"
)


def read_all(language: Language[V, M], text: str) -> list[tuple[str, Reading]]:
    """Read a line that may hold several orders, such as "take any worth 5, else draw". Return each with its text."""
    try:
        return [(text, read(language, text))]
    except BadOrder:
        parts = [part.strip() for part in BETWEEN_ORDERS.split(text) if part.strip()]
        if len(parts) < 2:
            raise
        return [(part, read(language, part)) for part in parts]


def read(language: Language[V, M], text: str) -> Reading:
    """Read one line. Raise BadOrder if it can't be read."""
    line = THANKS.sub("", " ".join(text.split()).rstrip(" .!;,"))
    if not line or len(line) > LONGEST_LINE:
        message = f"A standing order has 1 to {LONGEST_LINE} characters."
        raise bad_order(language, "order_length", message, text)
    order, lasts = line, dict[str, Any]({"unit": None, "span": 1, "uses": None, "until": ""})
    while found := duration(language, order):
        order = found[0]
        lasts |= found[1]
    words = Words(WISH.sub("", ELSE.sub("", order)), language)
    rule = language.read(words)
    words.end()
    if lasts["unit"] is None:
        lasts["unit"] = rule.unit or language.default_unit
    return Reading(rule, **lasts)


def duration(language: Language[V, M], line: str) -> tuple[str, dict[str, Any]] | None:
    """Return the line without the duration at its end, and the duration.

    Return None if the line doesn't end with one.
    """
    lower = line.lower()
    given: dict[str, Any]
    if found := UNTIL.search(lower):
        given = {"until": found["day"]}
    elif found := MATCH.search(lower):
        given = {"unit": ""}
    elif (found := SPAN.search(lower)) and found["unit"].rstrip("s") in language.units:
        written = found["count"] or found["next"]
        count = read_count(language, written) if written else 1
        given = {"unit": found["unit"].rstrip("s"), "span": count}
    elif found := TIMES.search(lower):
        given = {"uses": 1 if found["once"] else 2 if found["twice"] else read_count(language, found["count"])}
    else:
        return None
    return line[: found.start()].rstrip(" ,"), given


def read_count(language: Language[V, M], written: str) -> int:
    count = int(written) if written.isdigit() else NUMBERS.get(written, 0)
    if not count:
        raise bad_order(language, "bad_count", f"'{written}' isn't a number of 1 or more.")
    return count


def decide(rules: Sequence[Rule[V, M]], view: V, choices: Choices[M]) -> Play | Ask:
    """Follow the first line that applies. Lines that ask the player take precedence, no matter where they are."""
    for rule in rules:
        if reason := rule.asks(view):
            return Ask(reason)
    try:
        for line, rule in enumerate(rules):
            move = rule.move(view, choices)
            if move is not None:
                return Play(line, move)
    except Unforeseen as reason:
        return Ask(str(reason), is_stopped=True)
    return Ask(NO_LINE_APPLIES)

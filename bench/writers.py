"""Write moves the way people do in emails, with the wording of the replies in tests/inbound/replies.toml.

Replies that name the numbers and squares of their move, and no others, become templates for similar moves.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from games.engine.coloretto.phrases import CARDS, EMPTY
from games.engine.dice import Dice
from games.engine.phrases import NUMBERS, ORDINALS, TENS, UNITS, words_of

ARGUMENT = re.compile(r"[a-p]?\d+", re.IGNORECASE)
EDGES = ("last", "top", "bottom", "middle", "own")
NAMES_A_ROW = {*CARDS, *words_of(EMPTY), *NUMBERS, *ORDINALS, *EDGES} - {"one"}
"""Words for rows and numbers. Outside of its slots, a template must not contain any, because they would still name the
row or number of the original reply."""
OWN_NAME, OTHER_NAME, NOBODY = "Ann", "Ben", "Cleo"
GREETINGS = ("", "", "", "Hi,\n", "Hi {other},\n", "Hello everyone!\n", "Good morning,\n\n", "Thanks! ")
SIGN_OFFS = ("", "", "", "\n{own}", "\nCheers, {own}", "\n\nBest regards\n{own}", "\nThanks!",
             "\n\nSent from my iPhone", "\n\n-- \n{own}\nSent from my phone")  # fmt: skip
ORDERS = ("order {}", "Order: {}.", "orders: {}", "Standing order: {}")

Shape = tuple[str, ...]
"""A move without its numbers and squares: ("bid", "#", "#")."""


class Template(NamedTuple):
    text: str
    """The reply, with {0} for the first number or square and so on."""
    forms: tuple[str, ...]
    """How each slot writes its number: "2", "two", "2nd" or "second"."""


@dataclass(frozen=True)
class Writer:
    name: str
    other: str
    """The name of another player, for greetings."""
    dice: Dice

    def reply(self, game: str, move: str) -> str:
        """Write a reply that states a move. A move for which people have no words is written in its notation."""
        written = [text for each in templates().get((game, shape(move)), ()) if (text := filled(each, move))]
        text = self.dice.choice(written) if written else move
        text = text.replace(OWN_NAME, self.name).replace(OTHER_NAME, self.other)
        if "\n" in text:
            return text
        before, after = self.dice.choice(GREETINGS), self.dice.choice(SIGN_OFFS)
        return before.format(other=self.other) + text + after.format(own=self.name)

    def order(self, order: str) -> str:
        return self.dice.choice(ORDERS).format(order)


@cache
def templates() -> Mapping[tuple[str, Shape], Sequence[Template]]:
    found: dict[tuple[str, Shape], list[Template]] = defaultdict(list)
    for game, text, meaning in states_a_move():
        if template := template_of(text, meaning):
            found[game, shape(meaning)].append(template)
    return found


def states_a_move() -> Iterator[tuple[str, str, str]]:
    """Return the replies that state one move, with their game and their meaning."""
    from tests.inbound.positions import cases

    for case in cases():
        if case.meaning and "/" not in case.meaning and case.meaning.split()[0] in case.position.engine.verbs:
            yield case.position.engine.slug, case.text, case.meaning


def shape(move: str) -> Shape:
    return tuple("#" if ARGUMENT.fullmatch(word) else word for word in move.split())


def arguments(move: str) -> list[str]:
    return [word for word in move.split() if ARGUMENT.fullmatch(word)]


def template_of(text: str, meaning: str) -> Template | None:
    """Replace the numbers and squares of the move with slots. Return None if the reply doesn't name each exactly once,
    or names something else."""
    if set("{}") & set(text) or "turnpost" in text or NOBODY in text:
        return None
    forms = []
    for number, argument in enumerate(arguments(meaning)):
        form = next((form for form in FORMS if len(places_of(form, argument, text)) == 1), None)
        if form is None:
            return None
        text = re.sub(rf"(?<!\w){written(form, argument)}(?!\w)", f"{{{number}}}", text, flags=re.IGNORECASE)
        forms.append(form)
    left = re.sub(r"\{\d\}", "", text)
    is_other = any(map(str.isdigit, left)) or not NAMES_A_ROW.isdisjoint(words_of(left))
    return None if is_other else Template(text, tuple(forms))


def places_of(form: str, argument: str, text: str) -> list[str]:
    word = written(form, argument)
    return re.findall(rf"(?<!\w){word}(?!\w)", text, re.IGNORECASE) if word else []


FORMS = ("2", "two", "2nd", "second")


def written(form: str, argument: str) -> str:
    """Write a number in one of the forms, or return an empty string if it has no such form."""
    value = int(argument) if argument.isdigit() else 0
    match form:
        case "two":
            return spelled(value)
        case "2nd":
            return f"{value}{ENDINGS.get(value, 'th')}" if 0 < value <= len(ORDINALS) else ""
        case "second":
            return next((word for word, number in ORDINALS.items() if number == value), "")
    return argument


ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def spelled(value: int) -> str:
    if 0 < value < len(UNITS):
        return UNITS[value]
    tens = {number: word for word, number in TENS.items() if word != "fourty"}.get(value - value % 10, "")
    return "-".join([tens, *([UNITS[value % 10]] if value % 10 else [])]) if tens else ""


def filled(template: Template, move: str) -> str:
    """Fill a template with the numbers and squares of another move. Return an empty string if that isn't possible."""
    words = [written(form, argument) for form, argument in zip(template.forms, arguments(move), strict=True)]
    return template.text.format(*words) if all(words) else ""

"""Parse the declarations in style attributes and style sheets, and find the elements that a rule may apply to."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import tinycss2
from tinycss2 import ast

LONGEST_STYLE = 2000
LONGEST_SHEET = 60_000
MOST_RULES = 500
DEEPEST = 3
LONGEST_VALUE = 300

GROUPS = {"media", "supports", "layer", "container"}
WITHOUT_EFFECT = {"page", "charset", "namespace", "keyframes", "-webkit-keyframes", "viewport"}
"""At-rules that don't style any element by themselves, including those of Outlook, such as @list."""
DARK = {"(prefers-color-scheme:dark)", "screenand(prefers-color-scheme:dark)"}
"""The conditions for dark screens, without spaces."""
COMBINATORS = {">", "+", "~"}


@dataclass(frozen=True)
class Declaration:
    name: str
    parts: tuple[str, ...]
    """The value in lower case, split at spaces."""
    only_in_the_dark: bool = False
    """Whether the declaration applies only in dark mode."""


UNREADABLE = Declaration("unreadable", ())
"""Stands for a style that we don't parse. It is in no list of harmless properties."""


def declarations(style: str) -> list[Declaration]:
    """Return the declarations in a style attribute."""
    if len(style) > LONGEST_STYLE:
        return [UNREADABLE]
    return read_block(tinycss2.parse_blocks_contents(style, skip_comments=True, skip_whitespace=True))


def read_block(nodes: Iterable[ast.Node], only_in_the_dark: bool = False) -> list[Declaration]:
    """Return the declarations in a block.

    Browsers ignore invalid declarations. Anything else, such as a nested rule, counts as unreadable, because no mail
    program writes it.
    """
    found = []
    for node in nodes:
        if isinstance(node, ast.Declaration):
            found.append(Declaration(node.lower_name, parts_of(node.value), only_in_the_dark))
        elif not isinstance(node, ast.ParseError):
            found.append(UNREADABLE)
    return found


def parts_of(value: list[Any]) -> tuple[str, ...]:
    tokens = (token for token in value if not isinstance(token, ast.WhitespaceToken | ast.Comment))
    return tuple(text_of(token) for token in tokens)


def text_of(token: ast.Node) -> str:
    """Return the text of a token. A deeply nested value can't be converted, but no harmless value is deeply nested."""
    try:
        return str(token.serialize()).lower()[:LONGEST_VALUE]
    except RecursionError:
        return "("


@dataclass
class Sheet:
    """All rules in the style sheets of an email.

    We don't work out which rule wins, because all of them must be harmless.
    """

    rules: list[tuple[str, frozenset[str], list[Declaration]]] = field(default_factory=list)
    """Each rule's element name (or an empty string), its classes and IDs, and its declarations."""
    by_key: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """The numbers of the rules for each element name, class or ID. "*" stands for rules that apply to every element."""

    def add(self, text: str) -> None:
        if len(text) > LONGEST_SHEET:
            self.apply_to_everything([UNREADABLE])
            return
        self.read(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True), 0, only_in_the_dark=False)

    def read(self, nodes: Iterable[ast.Node], depth: int, *, only_in_the_dark: bool) -> None:
        for node in nodes:
            if isinstance(node, ast.QualifiedRule):
                block = tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
                declared = read_block(block, only_in_the_dark)
                for element, names in selectors(node.prelude):
                    self.apply(element, names, declared)
            elif isinstance(node, ast.AtRule):
                self.read_at_rule(node, depth, only_in_the_dark)

    def read_at_rule(self, rule: ast.AtRule, depth: int, only_in_the_dark: bool) -> None:
        name = rule.lower_at_keyword
        if name in GROUPS and rule.content is not None and depth < DEEPEST:
            inside = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            is_dark = "".join(parts_of(rule.prelude)).replace(" ", "") in DARK
            self.read(inside, depth + 1, only_in_the_dark=only_in_the_dark or (name == "media" and is_dark))
        elif name == "font-face":
            if any(source in text_of(token) for token in rule.content or [] for source in ("url(", "local(")):
                self.apply_to_everything([UNREADABLE])
        elif name not in WITHOUT_EFFECT and not name.startswith("list"):
            self.apply_to_everything([UNREADABLE])

    def apply(self, element: str, names: frozenset[str], declared: list[Declaration]) -> None:
        if len(self.rules) < MOST_RULES:
            self.by_key[min(names, default=element or "*")].append(len(self.rules))
            self.rules.append((element, names, declared))
        elif len(self.rules) == MOST_RULES:
            self.apply_to_everything([UNREADABLE])

    def apply_to_everything(self, declared: list[Declaration]) -> None:
        self.by_key["*"].append(len(self.rules))
        self.rules.append(("", frozenset(), declared))

    def matching(self, tag: str, names: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of the rules that may apply to an element."""
        keys = {tag, "*", *names}
        found = (number for key in keys if key in self.by_key for number in self.by_key[key])
        return tuple(sorted({number for number in found if self.fits(number, tag, keys)}))

    def fits(self, number: int, tag: str, keys: set[str]) -> bool:
        element, names, _ = self.rules[number]
        return element in ("", tag) and names <= keys


def selectors(prelude: list[Any]) -> Iterator[tuple[str, frozenset[str]]]:
    """Return the last element of each selector, with its classes and IDs.

    Everything else in the selector is assumed to match.
    """
    compound: list[Any] = []
    for token in [*prelude, ast.LiteralToken(0, 0, ",")]:
        value = getattr(token, "value", None)
        if isinstance(token, ast.LiteralToken) and value == ",":
            yield read_compound(compound)
            compound = []
        elif isinstance(token, ast.WhitespaceToken):
            compound.append(token)
        elif isinstance(token, ast.LiteralToken) and value in COMBINATORS:
            compound = []
        else:
            compound = [] if any(isinstance(one, ast.WhitespaceToken) for one in compound) else compound
            compound.append(token)


def read_compound(tokens: list[Any]) -> tuple[str, frozenset[str]]:
    element, names, before = "", set[str](), ""
    for token in tokens:
        if isinstance(token, ast.HashToken) or (isinstance(token, ast.IdentToken) and before == "."):
            names.add(token.value.lower())
        elif isinstance(token, ast.IdentToken) and not before:
            element = token.lower_value
        elif isinstance(token, ast.LiteralToken) and token.value == "|":
            element = ""
        before = token.value if isinstance(token, ast.LiteralToken) else "-"
    return element, frozenset(names)

"""Words and phrases in a sentence."""

import re
from collections.abc import Collection, Sequence
from functools import cache
from unicodedata import category

from games.engine.phrases import NUMBERS, ORDINALS, Grammar, Words, found_in, number, words_of
from inbound.reading import wording
from inbound.reading.wording import Phrases

OPEN_END = re.compile(
    r"[-–—:~]\s*$|^[-–—]\d|~\s*\d|~~|\d\s*(?:[,;&+/]|\.{2,})[\s.]*$|\b(?:and|and then|plus|or)[\s.,;]*$", re.IGNORECASE
)

DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}", re.IGNORECASE)
"""A letter that is typed several times for emphasis, as in "hmmmm" and "sooo"."""
PICTURES = {"So", "Sk", "Cs", "Mn", "Me", "Co"}

SHORTEST_CORRECTED = 4
KNOWN = {word for group in (wording.HEDGES, wording.DENIALS, NUMBERS, ORDINALS) for word in group}
KNOWN |= {word for phrase in (*wording.RETRACTIONS, *wording.BEFORE_A_MOVE, *wording.AFTER_A_MOVE) for word in phrase}
MOST_WORDS = 60
"""Longer sentences aren't moves."""


def spoken(text: str) -> list[str]:
    """Return the words and punctuation of a sentence. Emoji, smileys and the final period are removed, and drawn-out
    letters are shortened."""
    for glad in wording.GLAD:
        text = text.replace(f" {glad}", " ") if f" {glad}" in text else text
    plain = "".join(" " if category(sign) in PICTURES or sign in "\u200d\ufe0f" else sign for sign in text)
    words = words_of(DRAWN_OUT.sub(r"\1\1", plain))
    while words and words[-1] in (".", "!", "…", ",", ";"):
        words.pop()
    return [corrected(word) for word in words if word not in ("!", '"')]


@cache
def corrected(word: str) -> str:
    """Correct a typo in a word that changes nothing, such as "plaese". Other words must be spelled correctly."""
    if len(word) < SHORTEST_CORRECTED or word in KNOWN:
        return wording.SHORT_TYPOS.get(word, word)
    return next((meant for meant in wording.OFTEN_MISSPELLED if is_typo_of(meant, word)), word)


def is_typo_of(meant: str, word: str) -> bool:
    """Return whether a word has an extra letter, a missing letter, or two letters swapped. The first letter must be
    right."""
    if word[0] != meant[0]:
        return False
    if len(word) == len(meant):
        swapped = [meant[:at] + meant[at + 1] + meant[at] + meant[at + 2 :] for at in range(len(meant) - 1)]
        return word in swapped
    longer, shorter = sorted((word, meant), key=len, reverse=True)
    return len(longer) - len(shorter) == 1 and any(
        longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer))
    )


def is_word(word: str) -> bool:
    return word[0].isalnum()


def is_number(word: str) -> bool:
    return word.isdigit() or word in NUMBERS or word in ORDINALS


def breaks_off(text: str) -> bool:
    """Return whether a text ends in the middle, as in "12 -" or "12, 45 and", starts with a minus sign, or is struck
    through."""
    return bool(OPEN_END.search(text))


def has_doubtful_sign(text: str) -> bool:
    return any(sign in wording.DOUBTFUL_SIGNS for sign in text)


def follows(words: Words, beginnings: Phrases) -> int:
    """Return the number of words after the longest matching prefix, or a large number if no prefix matches."""
    found = next((phrase for phrase in beginnings if tuple(words[: len(phrase)]) == phrase), None)
    return len(words) - len(found) if found else MOST_WORDS


def consists_of(words: Words, parts: Phrases) -> bool:
    reached = {0}
    for at in range(len(words)):
        if at in reached:
            reached |= {at + len(part) for part in parts if tuple(words[at : at + len(part)]) == part}
    return len(words) in reached


def contains(words: Words, phrases: Collection[tuple[str, ...]]) -> bool:
    padded = f" {' '.join(words)} "
    return any(f" {' '.join(phrase)} " in padded for phrase in phrases)


def after(words: Words, at: int, phrases: Phrases) -> list[int]:
    """Return the places that can be reached from here by skipping any of these phrases and separators."""
    reached = [at]
    for start in reached:
        ends = [start + len(phrase) for phrase in phrases if tuple(words[start : start + len(phrase)]) == phrase]
        if start < len(words) and words[start] in wording.SEPARATORS:
            ends.append(start + 1)
        reached += [end for end in dict.fromkeys(ends) if end not in reached]
    return sorted(reached)


def meanings(words: Words, grammar: Grammar, names: Sequence[str] = ()) -> set[str]:
    """Return what a whole sentence can mean in a grammar, apart from words that change nothing."""
    return {
        meaning
        for start in after(words, 0, wording.BEFORE_A_MOVE)
        for found in found_in(words[start:], grammar, names, 0)
        if len(words) in after(words, start + found.length, wording.AFTER_A_MOVE)
        for meaning in found.moves
    }


def digits(words: Words) -> list[str]:
    written: list[str] = []
    at = 0
    while at < len(words):
        length, value = next(number(words[at:]), (1, -1))
        written.append(str(value) if words[at] in NUMBERS else words[at])
        at += length if words[at] in NUMBERS else 1
    return written

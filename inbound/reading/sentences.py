"""Classify the sentences of a reply: those that state a move, those that don't matter, and those in doubt.

Sentences without a move may say anything, unless they could be about a move or take one back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import category

from games.engine.phrases import Words, words_of
from inbound.reading import wording
from inbound.reading.move_sentences import (
    corrected_moves,
    has_hedge,
    is_answer,
    is_bare,
    mentions_a_move,
    move_words,
    moves_beside_a_refusal,
    refused_moves,
    stated_moves,
    stated_with_a_typo,
)
from inbound.reading.position import Position
from inbound.reading.words import (
    PICTURES,
    breaks_off,
    consists_of,
    contains,
    follows,
    has_doubtful_sign,
    is_number,
    is_word,
    spoken,
)

SHORT = 3

SHORT_CONDITION = 8

LONGEST_NAME = 3

END = re.compile(r"(?<=[.!?…])(?=\s|$)|(?<=[^\W\d_][!?])(?=[^\W\d_])")

DATE = re.compile(r"\d\.\s*\d[^.]*$")
"""A number that follows another one and a period, as in "16. 11. 2026"."""
BEFORE_A_NUMBER = re.compile(r"(?:^|\s)(?P<word>[^\W\d_]+)\.$")
LONGEST_ABBREVIATION = 6


@dataclass(frozen=True)
class Moves:
    """A sentence that states one or more moves, in notation."""

    notations: tuple[str, ...]
    is_bare: bool = False
    """Whether the move is only a number, or only an answer such as "yes"."""
    is_correction: bool = False
    """Whether the sentence corrects an earlier one: "sorry, I meant row 3"."""
    may_continue: bool = False
    """Whether the sentence may add to the one before it: "and row 3", "row 3 as well"."""


@dataclass(frozen=True)
class Idle:
    """A greeting, a thank-you or a sign-off."""

    is_final: bool = False
    text: str = ""


@dataclass(frozen=True)
class Chat:
    """A sentence that is probably not about a move."""

    text: str


@dataclass(frozen=True)
class Refused:
    """A sentence that only says which moves its author doesn't want: "I don't want row 1"."""

    text: str
    notations: frozenset[str]

    @property
    def is_complete(self) -> bool:
        """Whether the sentence ends here. Otherwise, it may continue on the next line."""
        return self.text.rstrip()[-1:] in tuple(".!")


@dataclass(frozen=True)
class UnclearSentence:
    """A sentence that may be about a move but doesn't clearly state one."""

    text: str


KNOWN_IN_TALK = {
    word
    for phrase in (*wording.BEFORE_A_MOVE, *wording.AFTER_A_MOVE, *wording.IDLE, *wording.GREETINGS, *wording.SIGN_OFFS)
    for word in phrase
}

Sentence = Moves | Idle | Chat | Refused | UnclearSentence


def sentences(line: str, position: Position) -> list[str]:
    """Split a line after periods, exclamation marks and question marks, but not after an abbreviation."""
    parts: list[str] = []
    for part in filter(str.strip, END.split(line)):
        if parts and (is_abbreviated(parts[-1], part.lstrip(), position) or DATE.search(f"{parts[-1]}{part}")):
            parts[-1] += part
        else:
            parts.append(part)
    return [part.strip() for part in parts]


def is_abbreviated(text: str, following: str, position: Position) -> bool:
    """Return whether a text ends in an initial, or in an abbreviation before a number: "Tel. 12", "max. 12". Any short
    word that we don't know may be one."""
    found = BEFORE_A_NUMBER.search(text)
    if not found:
        return False
    word = found["word"].lower()
    if len(word) == 1:
        return True
    if not following[0].isdigit() or (word not in ("no", "nr") and is_known(word, position)):
        return False
    return len(word) <= LONGEST_ABBREVIATION or word.endswith("str")


def is_known(word: str, position: Position) -> bool:
    names = words_of(f"{position.own_name} {' '.join(position.others)}")
    return word in KNOWN_IN_TALK or word in move_words(position) or word in names


def read_sentence(text: str, position: Position) -> Sentence:
    """Classify one sentence on its own."""
    words = without_tag(without_name(without_greeting(spoken(text), position), position))
    if not any(map(is_word, words)):
        return UnclearSentence(text) if has_doubtful_sign(text) or "?" in text else Idle()
    is_asking = "?" in words or has_doubtful_sign(text)
    stated = () if is_asking else stated_moves(words, position) or stated_with_a_typo(words, position)
    if stated and breaks_off(text):
        return UnclearSentence(text)
    idle = read_idle(words, position)
    if idle and not (stated and position.is_legal(position.engine.parse(stated[0]))):
        return idle
    if stated:
        return Moves(stated, is_bare([word for word in words if is_word(word)]), may_continue=may_continue(words))
    if not is_asking and not breaks_off(text) and (other := read_other_move(text, words, position)):
        return other
    asks_about_a_move = is_asking and len(words) <= SHORT and not set(position.engine.verbs).isdisjoint(words)
    is_unclear = asks_about_a_move or mentions_a_move(words, position) or may_be_an_answer(words, position)
    return UnclearSentence(text) if is_unclear else Chat(text)


def may_be_an_answer(words: Words, position: Position) -> bool:
    """Return whether a short sentence has a "yes" or "no" that would be a move on its own: "hm yes after all"."""
    answers = [word for word in words if word in wording.YES or word in wording.NO]
    return len(words) <= SHORT + 1 and any(is_answer([word], position) for word in answers)


def read_other_move(text: str, words: Words, position: Position) -> Moves | Refused | None:
    """Read a sentence that corrects a move or refuses one."""
    if corrected := corrected_moves(words, position):
        return Moves(corrected, is_correction=True)
    if stated := moves_beside_a_refusal(words, position):
        return Moves(stated)
    refused = refused_moves(words, position)
    return Refused(text, refused) if refused else None


def may_continue(words: Words) -> bool:
    return words[0] in wording.CONTINUES or contains(words, wording.ADDS)


def without_greeting(words: Words, position: Position) -> Words:
    """Drop "Hi Ben," at the beginning of a sentence, but not if it may ask Ben to move: "Dear Ben, please draw"."""
    comma = next((at for at, word in enumerate(words) if word in (",", "-")), len(words))
    is_greeting = follows(words[:comma], wording.GREETINGS) <= LONGEST_NAME
    names = {word for name in position.others for word in words_of(name)}
    asks_someone = not names.isdisjoint(words[:comma]) and list(words[comma + 1 : comma + 2]) == ["please"]
    return words[comma + 1 :] if is_greeting and comma + 1 < len(words) and not asks_someone else words


def without_name(words: Words, position: Position) -> Words:
    """Drop another player's name before a sentence in the first person: "Ben, I'll take 2"."""
    for name in map(words_of, position.others):
        length = len(name)
        if name and list(words[:length]) == name and list(words[length : length + 1]) == [","]:
            following = words[length + 1 : length + 2]
            return words[length + 1 :] if following and following[0] in wording.FIRST_PERSON else words
    return words


def without_tag(words: Words) -> Words:
    """Drop a question that doesn't ask anything, such as ", why not?", from the end of a sentence."""
    ending = next((tag for tag in wording.TAGS if len(words) > len(tag) and tuple(words[-len(tag) :]) == tag), ())
    return words[: len(words) - len(ending)]


def hands_over(text: str) -> bool:
    """Return whether a sentence tells someone else to move, so that a move after it isn't the author's."""
    return contains([word for word in spoken(text) if is_word(word)], wording.HANDS_OVER)


def is_startled(text: str) -> bool:
    """Return whether a sentence is a short question, such as "really?". An answer after it may be part of it."""
    words = [word for word in spoken(text) if is_word(word)]
    return "?" in text and len(words) < SHORT


def read_idle(words: Words, position: Position) -> Idle | None:
    """Recognize greetings and sign-offs, with or without a name, and sentences made only of phrases like "thanks"."""
    bare = tuple(word for word in words if is_word(word))
    if follows(bare, wording.FINAL_SIGN_OFFS) <= LONGEST_NAME and not mentions_a_move(bare, position):
        return Idle(is_final=True)
    if min(follows(bare, wording.GREETINGS), follows(bare, wording.SIGN_OFFS)) <= LONGEST_NAME:
        return None if mentions_a_move(bare, position) or not wording.HEDGES.isdisjoint(bare[1:]) else Idle()
    if bare == tuple(words_of(position.own_name)):
        return Idle(is_final=True)
    idle = (*wording.IDLE, *wording.GREETINGS)
    is_idle = consists_of(bare, idle) or any(consists_of(each, idle) for each in without_names(bare, position))
    return Idle(text=" ".join(bare)) if is_idle else None


def without_names(words: Words, position: Position) -> Iterator[Words]:
    """Drop another player's name from the beginning or the end: "no rush, Ben"."""
    for name in map(words_of, position.others):
        if name and len(words) > len(name):
            if list(words[-len(name) :]) == name:
                yield words[: -len(name)]
            if list(words[: len(name)]) == name:
                yield words[len(name) :]


def takes_back(text: str, *, is_beside: bool, is_below_signature: bool = False) -> bool:
    """Return whether a sentence may take back or limit a move. On a line of its own, only short conditions count.

    Disclaimers, quotations and long sentences below a signature don't count, unless they are about the author.
    """
    words = [word for word in spoken(text) if is_word(word)]
    if not words:
        return has_doubtful_sign(text)
    is_postscript = tuple(words[:1]) == ("ps",) or tuple(words[:2]) == ("p", "s")
    is_own = is_postscript or len(words) <= SHORT or not wording.FIRST_PERSON.isdisjoint(words)
    if contains(words, wording.DISCLAIMERS) or (is_below_signature and not is_own):
        return False
    if not is_beside and len(words) > SHORT and text.startswith('"') and text.rstrip(".").endswith('"'):
        return False
    if contains(words, wording.RETRACTIONS) and (is_beside or not is_long(words)):
        return True
    first = next((word for word in words if word not in wording.HESITATES), "")
    begins = first in wording.STARTS_A_CONDITION or (first in wording.SUGGESTS and any(map(is_number, words)))
    if begins and (is_beside or len(words) <= SHORT_CONDITION):
        return True
    return len(words) <= SHORT and not wording.DENIALS.isdisjoint(words) and not consists_of(words, wording.IDLE)


def is_long(words: Words) -> bool:
    return len(words) > 2 * SHORT_CONDITION


def runs_on(text: str, position: Position) -> bool:
    """Return whether a line of prose may continue on the next line, so that a move there isn't a sentence of its
    own."""
    words = [word for word in spoken(text) if is_word(word)]
    last = text.rstrip()[-1:]
    if last in ".!?…)" or (last and category(last) in PICTURES):
        return False
    if last in ":,;-–—" or len(words) < SHORT:
        return True
    return words[-1] in wording.RUNS_ON or has_hedge(words, position)

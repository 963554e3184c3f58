"""Find the moves that a sentence states.

A sentence states a move only if every word of it is accounted for, by the game's grammar or by a list of words that
change nothing, such as "please". That way, a negation, a question, a condition, or a sentence about someone else never
plays a move.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any

from games.engine.phrases import AND_THEN, BETWEEN_NUMBERS, ONLY_IF_LEGAL, Found, Words, found_in, words_of
from inbound.reading import wording
from inbound.reading.position import Position, kind_of, normalized
from inbound.reading.wording import Phrases
from inbound.reading.words import MOST_WORDS, after, consists_of, contains, digits, is_number, is_word

Reading = tuple[frozenset[str], ...]
"""The steps of a sentence, each with the moves it can mean."""


MOST_STEPS = 6
SHORTEST_VERB = 3
MOST_READINGS = 100
LONGEST_PLACE = 3
MOST_GAPS = 4
"""The maximum number of commas in a sentence that states one move and refuses another."""


class Needs(IntEnum):
    """What must follow a phrase that comes before a move, from the least to the most demanding."""

    NOTHING = 0
    PHRASE = 1
    """A number on its own is not enough."""
    VERB = 2
    PARTICIPLE = 3


class Unclear(Exception):
    """Raised if a sentence can be read in too many ways."""


def stated_moves(words: Words, position: Position) -> tuple[str, ...]:
    """Return the moves that a sentence states, or nothing if it may mean something else."""
    says_both = not (wording.YES.isdisjoint(words) or wording.SAYS_NO.isdisjoint(words))
    if len(words) > MOST_WORDS or says_both or contains(words, wording.NOT_STATED):
        return ()
    if len(words) > 1 and len(set(words)) == 1 and words[0].isalpha():
        words = words[:1]
    try:
        readings = {resolved(reading, position) for reading in Reader(words, position).steps(0, MOST_STEPS)} - {None}
    except Unclear:
        return ()
    found = possible_now(readings, position) or readings or {joined_word(words, position)}
    return found.pop() or () if len(found) == 1 else ()


def possible_now(readings: set[Any], position: Position) -> set[Any]:
    """Keep the readings whose first move is of a kind that is possible now: "I bid 12" may also be an offer."""
    engine = position.engine
    return {each for each in readings if each and kind_of(engine.parse(each[0])) in position.possible_kinds}


@dataclass
class Reader:
    """Finds all ways to read a sentence as a sequence of moves and words that change nothing."""

    words: Words
    position: Position
    known: dict[tuple[int, int], set[Reading]] = field(default_factory=dict)

    def steps(self, at: int, most: int) -> set[Reading]:
        """Return all ways to read the rest of the sentence as at most this many moves. Each remainder is read only
        once."""
        if (at, most) not in self.known:
            found = self.known[at, most] = set()
            for reading in self.read_steps(at, most):
                found.add(reading)
                if len(found) > MOST_READINGS:
                    raise Unclear
        return self.known[at, most]

    def read_steps(self, at: int, most: int) -> Iterator[Reading]:
        for start, needs in self.openings(at):
            for found in self.moves_at(start):
                if not self.fits_reasons(start if at == 0 else 0, found.moves):
                    continue
                words = self.words[start : start + found.length]
                if not self.has_what_it_needs(words, needs):
                    continue
                for end in after(self.words, start + found.length, self.closing(words)):
                    yield from self.rest(end, found.moves, most - 1, words)

    def fits_reasons(self, start: int, moves: frozenset[str]) -> bool:
        """Return whether the reasons before a move can be reasons for it, unlike in "too expensive, yes"."""
        gaps = [end for end in range(1, start) if is_separator(self.words[end])]
        reasons = [self.reason_for(self.words[:end], ()) for end in gaps]
        return all(each is None or may_explain(each, moves) for each in reasons)

    def openings(self, at: int) -> list[tuple[int, Needs]]:
        """Return the places where a move can begin after introductory phrases, and what must follow at each place."""
        reached = [(at, Needs.NOTHING), *((end, Needs.PHRASE) for end in self.after_a_reason(at))]
        for start, needed in reached:
            nexts = [(start + 1, needed)] if self.words[start : start + 1] and is_separator(self.words[start]) else []
            for needs, phrases in self.opening.items():
                nexts += [
                    (start + len(phrase), max(needs, needed))
                    for phrase in phrases
                    if tuple(self.words[start : start + len(phrase)]) == phrase
                ]
            reached += [each for each in dict.fromkeys(nexts) if each not in reached]
        return reached

    def after_a_reason(self, at: int) -> Iterator[int]:
        """Return the places after a reason and a comma: "too expensive for me, I pass"."""
        gaps = [end for end, word in enumerate(self.words) if end > at and word in (",", ";", "-")]
        for end in gaps if at == 0 else ():
            if self.is_reason(self.words[at:end], ()) or self.explains(self.words[at:end]):
                yield end + 1

    def has_what_it_needs(self, words: Words, needs: Needs) -> bool:
        first = next((word for word in words if word not in ("only", "just")), "")
        match needs:
            case Needs.PHRASE:
                return not is_bare(words)
            case Needs.VERB:
                return first in self.verbs
            case Needs.PARTICIPLE:
                return first in self.verbs and first.endswith("ing")
        return True

    def rest(self, at: int, moves: frozenset[str], most: int, words: Words) -> Iterator[Reading]:
        if at == len(self.words) or self.is_idle_talk(self.words[at:], words, moves):
            yield (moves,)
            return
        is_number_alone = is_bare(words) and any(map(is_number, words))
        for phrase in wording.BETWEEN_MOVES if most and not is_number_alone else ():
            if tuple(self.words[at : at + len(phrase)]) == phrase:
                for following in self.steps(at + len(phrase), most):
                    yield (moves, *following)

    @cached_property
    def opening(self) -> dict[Needs, Phrases]:
        """The phrases that may precede a move, by what they need after them."""
        names = self.own_name()
        return {
            Needs.NOTHING: (*wording.BEFORE_ANYTHING, *with_comma(wording.SOCIAL), *((*name, ":") for name in names)),
            Needs.PHRASE: (
                *wording.BEFORE_A_PHRASE,
                *wording.SOCIAL,
                *names,
                *(("sorry", *name) for name in self.others),
            ),
            Needs.VERB: wording.BEFORE_A_VERB,
            Needs.PARTICIPLE: wording.BEFORE_A_PARTICIPLE,
        }

    @cached_property
    def verbs(self) -> set[str]:
        engine = self.position.engine
        listed = {words_of(each)[0] for words in engine.phrases.words.values() for each in words.split("|")}
        return (listed | {form for verb in engine.verbs for form in (verb, f"{verb}ing")}) - {"i", "i'll", "i'd"}

    @cached_property
    def others(self) -> Phrases:
        return tuple(tuple(words_of(name)) for name in self.position.others if name)

    def closing(self, words: Words) -> Phrases:
        """The phrases that may follow a move. Some of them may address another player: "sorry, Ben"."""
        to_others = tuple(
            (*said, *comma, *name)
            for said in wording.TO_OTHERS
            for comma in ((), (",",))
            for name in (*self.others, *wording.COMPANY)
        )
        more = () if is_bare(words) else wording.AFTER_A_PHRASE
        return (*wording.AFTER_A_MOVE, *more, *self.own_name(), *to_others)

    def own_name(self) -> Phrases:
        name = tuple(words_of(self.position.own_name))
        return (name, (*name, "here"), ("this", "is", *name), ("for", *name)) if name else ()

    def moves_at(self, at: int) -> Iterator[Found]:
        words, position = self.words[at:], self.position
        yield from found_in(words, position.engine.phrases, position.state, position.seat)
        for length in range(1, len(words) + 1):
            if notation := self.notation_of(words[:length]):
                yield Found(length, frozenset({notation}))

    def notation_of(self, words: Words) -> str:
        """Read the game's own notation. In a game without phrases of its own, numbers may be written as words."""
        if not is_word(words[-1]) or any(not is_word(word) and word not in BETWEEN_NUMBERS for word in words):
            return ""
        has_phrases = bool(self.position.engine.phrases.phrases)
        return normalized(" ".join(words if has_phrases else digits(words)), self.position)

    def is_idle_talk(self, words: Words, move: Words, moves: frozenset[str]) -> bool:
        """Return whether the rest of a sentence has nothing to do with the move, because it consists only of phrases
        and remarks that change nothing, separated by commas."""
        first = words[0]
        if not (is_separator(first) or first == "and" or first in wording.GIVES_A_REASON):
            return False
        parts = [list(part) for is_gap, part in groupby(words, is_separator) if not is_gap]
        return bool(parts) and all(self.is_remark(part, move, moves) for part in parts)

    def is_remark(self, words: Words, move: Words, moves: frozenset[str]) -> bool:
        words = words[1:] if words[0] == "and" else words
        if not words or not all(map(is_word, words)):
            return False
        reason = self.reason_for(words, move)
        if consists_of(words, (*self.closing(move), *wording.COMPANY, *wording.AFTER_A_COMMA)):
            return True
        if reason is not None:
            return may_explain(reason, moves)
        if is_bare(move):
            return False
        return (
            self.greets(words)
            or consists_of(words, (*wording.IDLE_AFTER_A_MOVE, *self.closing(move)))
            or begins(words, wording.WISHES_BEGIN, wording.WISH_WORDS | self.own_words | self.names)
            or begins(words, wording.REMARKS_BEGIN, wording.REMARK_WORDS | self.own_words)
        )

    def explains(self, words: Words) -> bool:
        return begins(words, wording.EXPLAINS, wording.REMARK_WORDS | self.own_words)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The words of the game that a remark may contain."""
        return frozenset(word for each in self.position.engine.phrases.remarks for word in words_of(each))

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(word for name in self.others for word in name)

    def greets(self, words: Words) -> bool:
        """Return whether a remark greets someone or comes from somewhere: "greetings from Lisbon"."""
        named = without_beginning(words, wording.GREETS)
        known = wording.HEDGES | wording.DENIALS | move_words(self.position)
        return 0 < len(named) <= LONGEST_PLACE and all(map(str.isalpha, named)) and known.isdisjoint(named)

    def is_reason(self, words: Words, move: Words) -> bool:
        return self.reason_for(words, move) is not None

    def reason_for(self, words: Words, move: Words) -> frozenset[str] | None:
        """Return the moves that this part of a sentence gives a reason for, in words that are typical of this game. The
        result is None if it isn't a reason, and the reason fits every move if it contains an empty text."""
        engine, state, seat = self.position.engine, self.position.state, self.position.seat
        start = 1 if words[0] in wording.GIVES_A_REASON else 0
        reasons = engine.phrases._replace(phrases=engine.phrases.reasons)
        for found in found_in(words[start:], reasons, state, seat):
            if consists_of(words[start + found.length :], self.closing(move)):
                return found.moves
        return None


def may_explain(reason: frozenset[str], moves: frozenset[str]) -> bool:
    return "" in reason or not {text.removeprefix(ONLY_IF_LEGAL) for text in moves}.isdisjoint(reason)


def is_separator(word: str) -> bool:
    return word in wording.SEPARATORS


def is_bare(words: Words) -> bool:
    """Return whether a move is only a number, "the second" or "yes", which mean a move only if they stand alone."""
    return all(is_number(word) or word in wording.BARE or not is_word(word) for word in words)


def begins(words: Words, beginnings: Phrases, known: frozenset[str]) -> bool:
    """Return whether the words start with one of these phrases and contain only known words after it."""
    return any(
        tuple(words[: len(phrase)]) == phrase and known.issuperset(words[len(phrase) :]) for phrase in beginnings
    )


def with_comma(phrases: Phrases) -> Phrases:
    return tuple((*phrase, sign) for phrase in phrases for sign in (",", ":", "-"))


def resolved(reading: Reading, position: Position) -> tuple[str, ...] | None:
    """Resolve each step to the one move it can mean. Return None if the sentence can't be read this way."""
    steps = list(dict.fromkeys(step for each in reading for step in in_steps(each)))
    if len(steps) > 1:
        is_clear = all(len(step) == 1 and not any(text.startswith(ONLY_IF_LEGAL) for text in step) for step in steps)
        return tuple(normalized(next(iter(step)), position) for step in steps) if is_clear else None
    moves = {normalized(text, position) for text in steps[0]} - {""}
    if not any(text.startswith(ONLY_IF_LEGAL) for text in steps[0]):
        return tuple(moves) if len(moves) == 1 else ()
    legal = [text for text in moves if position.is_legal(position.engine.parse(text))]
    fitting = legal or [text for text in moves if kind_of(position.engine.parse(text)) in position.possible_kinds]
    if not fitting:
        return None
    return tuple(fitting) if len(fitting) == 1 else ()


def stated_with_a_typo(words: Words, position: Position) -> tuple[str, ...]:
    """Return a legal move whose verb has one typo: "tkae 2". No other verb may be as close, and every other word must
    be understood as usual."""
    verbs = {verb for verb in {*position.engine.verbs, *first_words(position)} if verb.isalpha() and verb.isascii()}
    for at, word in enumerate(words):
        if len(word) < SHORTEST_VERB or word in wording.NOT_TYPOS or word in verbs or not word.isalpha():
            continue
        is_alone = len(words) == 1
        meant = [verb for verb in verbs if is_misspelled(verb, word, may_be_cut_off=not is_alone)]
        if len(meant) == 1:
            moves = stated_moves([*words[:at], meant[0], *words[at + 1 :]], position)
            return moves if moves and position.is_legal(position.engine.parse(moves[0])) else ()
    return ()


def is_misspelled(verb: str, word: str, *, may_be_cut_off: bool) -> bool:
    """Return whether a word is a verb with two letters swapped, one left out, or one typed more than once."""
    if word[0] != verb[0]:
        return False
    if any(verb[:at] + verb[at + 1] + verb[at] + verb[at + 2 :] == word for at in range(1, len(verb) - 1)):
        return True
    if [letter for letter, _ in groupby(word)] == [letter for letter, _ in groupby(verb)]:
        return True
    last = len(verb) if may_be_cut_off else len(verb) - 1
    return len(verb) > SHORTEST_VERB and any(verb[:at] + verb[at + 1 :] == word for at in range(1, last))


def first_words(position: Position) -> set[str]:
    listed = position.engine.phrases.words.values()
    return {words_of(each)[0] for words in listed for each in words.split("|")} | {"interested"}


def corrected_moves(words: Words, position: Position) -> tuple[str, ...]:
    """Return the move in a correction, such as "sorry, I meant row 3". A single number may correct anything."""
    for start in after(words, 0, wording.BEFORE_A_CORRECTION):
        rest = without_beginning(words[start:], wording.CORRECTS)
        is_single_number = is_bare(rest) and sum(map(is_number, rest)) == 1
        if (
            rest
            and not is_single_number
            and not is_answer(words[:start], position)
            and (moves := stated_moves(rest, position))
        ):
            return moves
    return ()


def is_answer(words: Words, position: Position) -> bool:
    """Return whether these words are a move on their own. "No, I mean yes" names two."""
    said = [word for word in words if is_word(word)]
    moves = stated_moves(said, position) if said else ()
    return bool(moves) and position.is_legal(position.engine.parse(moves[0]))


def refused_moves(words: Words, position: Position, *, may_be_a_number: bool = False) -> frozenset[str]:
    """Return the moves that a sentence refuses, such as "I don't want row 1 or row 3". "I'm not 12" refuses nothing."""
    for start in after(words, 0, wording.BEFORE_A_REFUSAL):
        if several := several_refused(words[start:], position):
            return several
        rest = without_ending(without_beginning(words[start:], wording.REFUSES), wording.AFTER_A_REFUSED_MOVE)
        each = [stated_moves(part, position) for part in divided(rest, wording.BETWEEN_REFUSALS)]
        is_clear = may_be_a_number or not is_bare(rest)
        if each and is_clear and all(len(moves) == 1 for moves in each):
            return frozenset(moves[0] for moves in each)
    return frozenset()


def several_refused(words: Words, position: Position) -> frozenset[str]:
    """Return the moves that a phrase of the game refuses together, such as "I don't want any of the rows"."""
    refusals = position.engine.phrases._replace(phrases=position.engine.phrases.refusals)
    found = found_in(words, refusals, position.state, position.seat)
    return next((each.moves for each in found if each.length == len(words)), frozenset())


def moves_beside_a_refusal(words: Words, position: Position) -> tuple[str, ...]:
    """Return the moves in a sentence that also refuses others: "I don't want to draw, so I'll take 2", "row 2, not
    row 1"."""
    gaps = [at for at, word in enumerate(words) if word in (",", ";", "-", ":", "so") and 0 < at < len(words) - 1]
    for at in gaps if len(gaps) <= MOST_GAPS else ():
        before, rest = list(words[:at]), list(words[at + (words[at] != "so") :])
        stated, refused = before, refused_moves(rest, position, may_be_a_number=rest[0] == "not")
        if not refused and (rest[0] in wording.AFTER_A_REFUSAL or several_refused(before, position)):
            stated, refused = rest[rest[0] in wording.LEADS_ON :], refused_moves(before, position)
        moves = stated_moves(stated, position) if refused and stated and not is_bare(stated) else ()
        if moves and not is_contradictory(moves, refused):
            return moves
    return ()


def is_contradictory(stated: Collection[str], refused: Collection[str]) -> bool:
    """Return whether a stated move is also refused, or has a number or a square in common with a refused move: "bid 12
    45" and "not 12"."""
    return not set(stated).isdisjoint(refused) or not arguments(stated).isdisjoint(arguments(refused))


def arguments(moves: Collection[str]) -> set[str]:
    return {argument for move in moves for argument in move.split()[1:]}


def without_beginning(words: Words, beginnings: Phrases) -> list[str]:
    """Return the words after one of these phrases, or nothing if there is none."""
    found = next((phrase for phrase in beginnings if tuple(words[: len(phrase)]) == phrase), None)
    rest = list(words[len(found) :]) if found else []
    return rest[1:] if rest[:1] == [":"] else rest


def without_ending(words: Words, endings: Phrases) -> list[str]:
    found = next((phrase for phrase in endings if tuple(words[-len(phrase) :]) == phrase), ())
    return list(words[: len(words) - len(found)])


def divided(words: Words, dividers: frozenset[str]) -> list[list[str]]:
    return [list(part) for is_gap, part in groupby(words, dividers.__contains__) if not is_gap]


def in_steps(moves: frozenset[str]) -> list[frozenset[str]]:
    """Split a phrase that means two moves in a row into one step per move."""
    text = next(iter(moves))
    return [frozenset({step}) for step in text.split(AND_THEN)] if AND_THEN in text else [moves]


def joined_word(words: Words, position: Position) -> tuple[str, ...]:
    """Read a one-word move that was accidentally split by a space, as in "dr aw"."""
    joined = "".join(words)
    whole = {position.engine.notation(move) for move in position.legal}
    return (joined,) if len(words) > 1 and joined.isalpha() and joined in whole else ()


def mentions_a_move(words: Words, position: Position) -> bool:
    """Return whether a sentence may be about a move: it has a move's verb and number, or a one-word move."""
    complete = {example for example, _ in position.engine.notation_help if " " not in example}
    has_verb = contains(words, verb_phrases(position))
    has_number = any(map(is_number, words))
    names_a_row = any(first == "row" and is_number(second) for first, second in pairwise(words))
    whole = {form for word in complete for form in (word, f"{word}s", f"{word}ing")}
    return (has_verb and has_number) or names_a_row or not whole.isdisjoint(words)


def move_words(position: Position) -> set[str]:
    """Return the words that a move may start with."""
    return {phrase[0] for phrase in verb_phrases(position)}


def verb_phrases(position: Position) -> set[tuple[str, ...]]:
    """Return the verbs that a move may start with. Some have several words, such as "go for"."""
    engine = position.engine
    verbs = {*engine.verbs, *(example.split()[0] for example, _ in engine.notation_help)}
    listed = {tuple(words_of(each)) for words in engine.phrases.words.values() for each in words.split("|")}
    single = verbs | {phrase[0] for phrase in listed if len(phrase) == 1}
    return listed | {(form,) for verb in single for form in (verb, f"{verb}s", f"{verb}ing")}


def has_hedge(words: Words, position: Position) -> bool:
    names = {word for name in position.others for word in words_of(name)}
    return any(word in wording.HEDGES or word in names or is_number(word) for word in words)

"""How people write Coloretto moves in their own words."""

from collections.abc import Iterator
from itertools import pairwise

from games.engine.coloretto.state import COLOURS, JOKER, PLUS_TWO, ROW_ROOM, State, jokers
from games.engine.phrases import Grammar, Words, number, ordinal

CARDS = {name: letter for letter, name in COLOURS.items()} | {"purple": "V", "joker": JOKER, "wild": JOKER}
COUNTABLE = "a|one|the|another|one more|another one"
# "Take one" usually means a card, so "one" counts as a row number only after "row" or "number".
NOT_A_ROW = {"one"}


def row(words: Words, _state: State | None, _seat: int) -> Iterator[tuple[int, str]]:
    for length, value in number(words):
        yield length, str(value)


def plain_row(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    if words and words[0] not in NOT_A_ROW:
        yield from row(words, state, seat)


def nth(words: Words, _state: State | None, _seat: int) -> Iterator[tuple[int, str]]:
    for length, value in ordinal(words):
        yield length, str(value)


def plain_nth(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    """An ordinal on its own. "First" is left out, because it often starts a list of steps."""
    if words and words[0] != "first":
        yield from nth(words, state, seat)


def row_with(words: Words, state: State | None, _seat: int) -> Iterator[tuple[int, str]]:
    """Find the rows that hold certain cards: "green", "a joker and blue", "the +2"."""
    for length, cards in cards_in(words):
        for index, held in enumerate(state.rows if state else ()):
            if held and all(holds(held, card) for card in cards):
                yield length, str(index + 1)


def edge(words: Words, state: State | None, _seat: int) -> Iterator[tuple[int, str]]:
    """The top, middle or last row, as long as all rows are there."""
    count = len(state.rows) if state and None not in state.rows else 0
    rows = {"top": 1, "upper": 1, "uppermost": 1, "last": count, "bottom": count, "lowest": count}
    rows |= {"middle": count // 2 + 1} if count % 2 else {}
    if count and words and words[0] in rows:
        yield 1, str(rows[words[0]])


def joker_row(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    if words[:1] in (["joker"], ["wild"]):
        yield from row_with(words[:1], state, seat)


def several(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    """Two or more cards, which may be enough to name a row: "red and joker"."""
    for length, cards in cards_in(words):
        if len(cards) > 1:
            yield from row_with(words[:length], state, seat)


def holds(row: str, card: str) -> bool:
    return jokers(row) > 0 if card == JOKER else card in row


def cards_in(words: Words) -> Iterator[tuple[int, list[str]]]:
    skipped = 1 if words[:1] in (["a"], ["the"], ["an"]) else 0
    length, card = card_in(words[skipped:])
    if not card:
        return
    yield skipped + length, [card]
    following = words[skipped + length :]
    gap = 1 if following[:1] in (["and"], [","], ["&"]) else 0
    if gap:
        for more, cards in cards_in(following[gap:]):
            yield skipped + length + gap + more, [card, *cards]


def card_in(words: Words) -> tuple[int, str]:
    first = words[0] if words else ""
    if first in CARDS:
        return 1, CARDS[first]
    is_plus_two = any(tuple(pair) in (("+", "2"), ("plus", "two"), ("plus", "2")) for pair in pairwise(words[:2]))
    return (2, PLUS_TWO) if is_plus_two else (0, "")


def card_name(words: Words, state: State | None, _seat: int) -> Iterator[tuple[int, str]]:
    """The drawn card, which the player may name by its color."""
    length, card = card_in(words)
    if card and state and (state.drawn == card or (card == JOKER and jokers(state.drawn))):
        yield length, ""


def empty_row(_words: Words, state: State | None, _seat: int) -> Iterator[tuple[int, str]]:
    for index, held in enumerate(state.rows if state else ()):
        if held == "":
            yield 0, str(index + 1)


ROW = (
    "(reihe|row|pile|column|stack|line|number|row number|row n|row no|row no .|row nr|row nr .|no .|nr|nr .|#|row #"
    "|row :|:|r|option|row =|rwo|die reihe|la rangée|la ligne|la fila|la riga|rij)"
)
# A row that is named after "draw" is where the drawn card goes.
THEN = "(,|, then|then|and then|, and then|- >|= >|+|&|onto|into|, to|, on)"
THEN_ROW = "(,|, then|then|and|and then|, and then|- >|= >|+|&|onto|into|to|on|for|in|, to|, on)"
A_ROW = "[row|pile|column|stack|line|one]"
CARD = "it|this|that|this one|that one|the card|card|my card|this card|that card|the drawn card|the new card|mine"
IT = f"[{CARD}|them]"
FROM_DECK = "[from the deck|from the supply|from the stack|from the pile|from deck|from stack]"
WHERE = "[in|on|into|onto|to|at|down on|down in|down at]"
TO = "(in|on|into|onto|to|at|- >|= >)"
GOES = "(goes|belongs|should go|shall go|can go|will go)"
EMPTY = "(empty|free|new)"
HOLDING = "(with|containing|that has|which has)"
ANY_ROW = (
    "(anything|a row|any row|any|any of them|any of the rows|any of these rows|any of those rows|any of these|"
    "any of those|these rows|those rows|the rows)"
)
MOST_ROWS = max(map(len, ROW_ROOM.values()))
EVERY_TAKE = " | ".join(f"take {row}" for row in range(1, MOST_ROWS + 1))

PHRASES = Grammar(
    phrases=(
        (f"{{draw}} [{COUNTABLE}] [new|next|top] [card] {FROM_DECK}", "draw"),
        ("{draw} it", "draw"),
        (f"{{draw}} [a card|a new card|one card] {THEN} <plain_row>", "draw / place <plain_row>"),
        (f"{{draw}} [a card|a new card|one card] {THEN_ROW} [the] {ROW} <row>", "draw / place <row>"),
        (f"{{draw}} {THEN_ROW} [the] <nth> row", "draw / place <nth>"),
        ("{draw} [a card] [and|,|then|and then] (start|starting|begin|open) (a|the) (new|empty) <empty_row> row",
         "draw / place <empty_row>"),
        ("[another|a new|the next|next|one more|a|one|new] card", "?draw"),
        ("{take} (a|another|a new|the next|one|one more) card " + FROM_DECK, "?draw"),
        ("{choose} (another|a new|the next|one more|a) card", "?draw"),
        ("(risk|risking|chance|have|having|ready for|i'm ready for) (another|a new|the next|one more|a) (card|one)",
         "?draw"),
        ("({draw}|deal|dealing) me (a|another|a new|the next|one more) [card]", "draw"),
        ("{choose} [to|a] draw [a card|another card|one card]", "draw"),
        ("{draw} 1 card", "draw"),
        ("(no|nah|nope) , (i|i'm|i'll|i will|i'd rather|let me) {draw} [a card|another card|one more card]", "draw"),
        ("(hit me|another one|another|another , please|one more|one more please|one more for me)", "?draw"),
        ("[i|i'll|i will|let me|let's] (keep|continue|carry on|keep on|go on) {draw}", "?draw"),
        ("(flip|flipping|turn over|turning over|reveal|revealing) (another|another one|one more|the next one|the next)",
         "?draw"),
        ("(turn|turning|flip|flipping) [another|the next] (one|card) over", "?draw"),
        ("a draw (please|from me|for me)", "draw"),
        (f"{{take}} [the] {ROW} <row>", "take <row>"),
        (f"{{take}} [the] {ROW} <row> [,|(] [the one|the row] {HOLDING} <row:row_with> [in it|card|cards] [)]",
         "take <row>"),
        (f"[the] {ROW} <row> [,|(] [the one|the row] {HOLDING} <row:row_with> [in it|card|cards] [)]",
         "?take <row> | ?place <row>"),
        ("{take} <row:plain_row> [,|(] the <row:row_with> (row|one|pile|column) [)]", "take <row>"),
        (f"{{take}} [the] {ROW} <row> [,|(] the <row:row_with> (row|one|pile|column) [)]", "take <row>"),
        (f"[the] {ROW} <row> [,|(] the <row:row_with> (row|one|pile|column) [)]", "?take <row> | ?place <row>"),
        (f"[the] {ROW} <row> (is mine|is for me|will be mine)", "?take <row>"),
        (f"{{take}} [all] [the] cards (in|from|of|on) [the] {ROW} <row>", "?take <row>"),
        (f"all [the] cards (in|from|of|on) [the] {ROW} <row>", "?take <row>"),
        (f"(mine is) [the] {ROW} <row>", "?take <row>"),
        ("{take} [the] <edge> (row|pile|column|line|one)", "?take <edge>"),
        ("{choose} [the] <edge> (row|pile|column|line|one)", "?take <edge> | ?place <edge>"),
        ("[the] <edge> (row|pile|column|line)", "?take <edge> | ?place <edge>"),
        (f"{{place}} {IT} {WHERE} [the] <edge> (row|pile|column|line)", "place <edge>"),
        ("(give me|gimme|i want|want|i'd like|i would like) [the|that] <joker>", "?take <joker>"),
        ("<joker> (please|pls|plz)", "?take <joker>"),
        ("<several>", "?take <several>"),
        (f"[the] {ROW} <row> (sounds|is) (good|great|fine|perfect|best|good to me|good for me|fine for me)",
         "?take <row> | ?place <row>"),
        (f"[the] {ROW} <row> (looks|sounds|is) (good|great|nice|fine|perfect|best) [to me|for me|enough] [,] [and|so] "
         "(i take|i'll take|i will take|taking|i'm taking|i am taking) (it|that|this one|that one)", "take <row>"),
        (f"[i'll|i will|i|let me|let's] (start|starting|begin|open) [a|the] {EMPTY} <empty_row> row",
         "?place <empty_row>"),
        ("(start|starting|begin|open) row <row> [with it|with this|with that|with this card]", "?place <row>"),
        ("(auf|in|sur|su) [die|la|il] <plain_row>", "?place <plain_row>"),
        (f"[{{place}}] [{CARD}] [on|in|into|onto] (its own|it's own|a row of its own|an own) <empty_row> [row]",
         "?place <empty_row>"),
        ("own <empty_row> row", "?place <empty_row>"),
        (f"[{{place}}] [{CARD}] (alone|by itself|on its own) [,] (on|in|into|onto) [the] {ROW} <row>", "?place <row>"),
        (f"[{{place}}] [{CARD}] (in|on|into|onto|to) [the] <edge> (row|pile|column|line|one)", "?place <edge>"),
        ("[the|my] <card> [card] [row] [:] <plain_row>", "?place <plain_row>"),
        ("my row is <row>", "?take <row> | ?place <row>"),
        ("{take} <plain_row>", "take <plain_row>"),
        (f"{{take}} [the] <nth> {A_ROW}", "take <nth>"),
        (f"{{take}} [the] (row|pile|column|one) {HOLDING} <row_with> [in it|card|cards|on it]", "take <row_with>"),
        ("(take|taking|grab|grabbing) <row_with> [card|cards]", "?take <row_with>"),
        ("{take} [the] <row_with> (row|one|pile|column)", "take <row_with>"),
        (f"{{take}} [the] <row_with> (row|one|pile|column) {HOLDING} <row_with> [in it|card|cards|on it]",
         "take <row_with>"),
        (f"{{place}} {IT} {WHERE} [the] {ROW} <row>", "place <row>"),
        (f"{{place}} {IT} {WHERE} <plain_row>", "place <plain_row>"),
        (f"{{place}} {IT} {WHERE} [the] <nth> {A_ROW}", "place <nth>"),
        (f"{{place}} [the|my] <card> [card|one] {WHERE} [the] {ROW} <row>", "place <row>"),
        (f"{{place}} [the|my] <card> [card|one] {WHERE} <plain_row>", "place <plain_row>"),
        (f"{{place}} [the|my] <card> [card|one] {WHERE} [the] <nth> {A_ROW}", "place <nth>"),
        (f"{{place}} {IT} (with|next to|beside|to) <row_with> [card|one|row]", "place <row_with>"),
        ("{place} [the|my] <card> [card|one] (with|next to|beside|to) <row_with> [card|one|row]",
         "place <row_with>"),
        (f"{{place}} {IT} {WHERE} [the] {ROW} <row> [,|(] the {EMPTY} <row:empty_row> (row|one) [)]", "place <row>"),
        (f"{{place}} {IT} {WHERE} the (row|pile|column|one) {HOLDING} <row_with> [in it|card|cards]",
         "place <row_with>"),
        (f"{{place}} {IT} {WHERE} [the] <row_with> (row|one|pile|column)", "place <row_with>"),
        (f"{{place}} {IT} {WHERE} [the|an|a] {EMPTY} <empty_row> (row|one|pile)", "place <empty_row>"),
        (f"[{CARD}] {GOES} {WHERE} [the] {ROW} <row>", "place <row>"),
        (f"[{CARD}] {GOES} {WHERE} <plain_row>", "place <plain_row>"),
        (f"[{CARD}] {GOES} {WHERE} [the] <nth> {A_ROW}", "place <nth>"),
        (f"[the|my] <card> [card|one] {GOES} {WHERE} [the] {ROW} <row>", "place <row>"),
        (f"[the|my] <card> [card|one] {GOES} {WHERE} <plain_row>", "place <plain_row>"),
        (f"[the|my] <card> [card|one] {TO} [the] {ROW} <row>", "?place <row>"),
        (f"[the|my] <card> [card|one] {TO} <plain_row>", "?place <plain_row>"),
        (f"[the|my] <card> [card|one] {TO} [the] <nth> {A_ROW}", "?place <nth>"),
        (f"[the] {ROW} <row> for (it|this|that|the card|this card|that card)", "?place <row>"),
        (f"[the] {ROW} <row> for [the|my] <card> [card|one]", "?place <row>"),
        ("[the] <nth> row for [the|my] <card> [card|one]", "?place <nth>"),
        ("(with|next to|beside|to) <row_with> [card|one|row]", "?place <row_with>"),
        (f"{TO} [the] <row_with> (row|one|pile|column)", "?place <row_with>"),
        (f"[{CARD}] [in|on|into|onto|to|at] [the|an|a] {EMPTY} <empty_row> (row|one|pile)", "?place <empty_row>"),
        (f"{{choose}} [the|an|a] {EMPTY} <empty_row> (row|one|pile)", "?place <empty_row>"),
        (f"[the] {ROW} <row> [,|(] [the] {EMPTY} <row:empty_row> (row|one) [)]", "?place <row>"),
        (f"[{CARD}] (in|on|into|onto|to) [the] {ROW} <row>", "?place <row>"),
        (f"[{CARD}] (in|on|onto|into|to|- >|= >) <plain_row>", "?place <plain_row>"),
        (f"[{CARD}] (in|on|into|onto|to) the <nth> {A_ROW}", "?place <nth>"),
        (f"{{choose}} [the] {ROW} <row>", "?take <row> | ?place <row>"),
        ("{choose} <plain_row>", "?take <plain_row> | ?place <plain_row>"),
        (f"{{choose}} [the] <nth> {A_ROW}", "?take <nth> | ?place <nth>"),
        (f"[the] {ROW} <row>", "?take <row> | ?place <row>"),
        ("{choose} [the] <row_with> (row|one|pile|column)", "?take <row_with> | ?place <row_with>"),
        (f"{{choose}} [the] (row|one|pile|column) {HOLDING} <row_with> [in it|card|cards]",
         "?take <row_with> | ?place <row_with>"),
        (f"[the] (row|one|pile|column) {HOLDING} <row_with> [in it|card|cards]",
         "?take <row_with> | ?place <row_with>"),
        ("[the] <row_with> (row|one|pile|column)", "?take <row_with> | ?place <row_with>"),
        ("[the] <nth> (row|pile|column|one|stack)", "?take <nth> | ?place <nth>"),
        ("[the] <plain_nth>", "?take <plain_nth> | ?place <plain_nth>"),
        ("<plain_row>", "?take <plain_row> | ?place <plain_row>"),
    ),
    words={
        "draw": "draw|drawing|reveal|revealing|turn over|turning over|flip|flipping|flip over|pull|pulling|"
        "uncover|ziehe|ziehen|eine karte ziehen|karte ziehen|pioche|pesco|robo",
        "take": "take|taking|grab|grabbing|claim|claiming|collect|collecting|pick up|picking up|scoop up|snatch|"
        "nab|nehme|nehme bitte|nehme gerne|nehme dann|nimm|prends|prendo|tomo|pego",
        "place": "place|placing|put|putting|lay|laying|add|adding|drop|dropping|stick|sticking|slot|set"
        "|pop|popping|chuck|chucking|tuck|lege|mets|metto|pongo",
        "choose": "choose|choosing|select|pick|picking|go for|going for|go with|going with|want|play|get|gimme"
        "|give me|opt for|opting for|settle for|settling for|happy with|i'm happy with|stick with|use|using|i'll have"
        "|i will have|i'd like to have|i would like to have|i want to have|let me have|let me get|i'd like|i would like"
        "|i'd love|put me down for|i decided on|i have decided on|i've decided on|decided on"
        "|prefer|i'd prefer|i'd pick|i'd choose|i'd go for|i'd go with|i think|i guess|i say|i'd say|go|do"
        "|i would prefer|try",
    },
    reasons=(
        ("[it's|it is|that's|still|far|much|way] too risky [to draw|for me]", ""),
        ("(enough|no more) (cards|drawing) [for me]", ""),
        ("(nobody|no one|nobody else|no one else) (wants|needs|likes|collects) (it|that|this)", ""),
        ("(nobody|no one|nobody else|no one else) (wants|needs|likes|collects) <card>", ""),
        ("(nothing|nothing good|nothing useful|nothing nice) [there|for me|here|in the rows]", ""),
        ("(better safe than sorry|better than nothing|just to be safe|what else)", ""),
        ("i (need|want|love|like|collect|could use) [the] <card> [and|,] [<card>] [card|cards|color|colour]", ""),
    ),
    refusals=(
        (f"(i don't|i do not|don't|i won't|i will not|i'd rather not|i'm not going to|i am not going to) "
         f"[want to|like to] {{take}} {ANY_ROW} [now|yet|this time]", EVERY_TAKE),
        (f"(i don't|i do not|don't) (want|like|need) {ANY_ROW} [now|yet]", EVERY_TAKE),
        (f"[i'm|i am] not {{take}} {ANY_ROW} [now|yet|this time]", EVERY_TAKE),
        ("no (good|nice|useful|interesting|great) (row|rows) [there|here|for me|yet]", EVERY_TAKE),
        ("none of (the rows|these rows|those rows|them|these|those) [for me]", EVERY_TAKE),
    ),
    remarks=("card cards row rows joker jokers deck points", " ".join(CARDS)),
    slots={
        "row": row,
        "plain_row": plain_row,
        "nth": nth,
        "plain_nth": plain_nth,
        "row_with": row_with,
        "card": card_name,
        "empty_row": empty_row,
        "edge": edge,
        "joker": joker_row,
        "several": several,
    },
)  # fmt: skip

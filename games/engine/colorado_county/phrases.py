"""How people write Colorado County moves in their own words."""

from collections.abc import Iterator

from games.engine.colorado_county.geometry import NAMES, SQUARES
from games.engine.colorado_county.state import State
from games.engine.phrases import NUMBERS, Grammar, Words, number, numbers, ordinal

LONGEST_RANGE = 2
SHORTEST_LIST = 3
BEFORE_A_CARD = {"card", "pick", "take", "number", "#", "the", ":"}
BEFORE_SQUARES = {"on", "at", "with", "and", ",", ":", "cube", "cubes", "to", "square", "squares"}
BETWEEN_SQUARES = {",", "and", "&", "+", "-", "/", ";", "on", "finally"}
BETWEEN_PICKS = {"/", ",", ";", "or", "else", "otherwise", "then", "."}
BEFORE_A_COWBOY = {"my", "the", "#", "cowboy", "number", "both"}


def cowboys(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    """Read cowboy numbers: "12, 45 and 60", "my 12, my 45 and my 60", "12-45-60"."""
    kept = [at for at, word in enumerate(words) if word not in BEFORE_A_COWBOY]
    for length, values in numbers([words[at] for at in kept]):
        if all(values):
            yield kept[length - 1] + 1, " ".join(map(str, values))
    yield from dashed(words, state, seat)
    yield from listed(words, state, seat)


def dashed(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    """Read numbers joined by dashes: 12-45-60. Two numbers are skipped if the player has cowboys between them, because
    they may be a range."""
    values, at = [], 0
    for length, value in list(number(words))[:1]:
        values, at = [value], length
    while values and words[at : at + 1] == ["-"]:
        following = list(number(words[at + 1 :]))[:1]
        if not following:
            return
        values.append(following[0][1])
        at += 1 + following[0][0]
    hand = state.hands[seat] if state else ()
    may_be_a_range = len(values) == LONGEST_RANGE and any(values[0] < cowboy < values[1] for cowboy in hand)
    if len(values) > 1 and not may_be_a_range:
        yield at, " ".join(map(str, values))


def listed(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    """Read three or more of the player's cowboys with slashes or dots between them: 12/45/60. Two could be
    alternatives."""
    hand = state.hands[seat] if state else ()
    for sign in ("/", "."):
        values, at = [], 0
        for length, value in list(number(words))[:1]:
            values, at = [value], length
        while values and words[at : at + 1] == [sign] and (following := list(number(words[at + 1 :]))[:1]):
            values.append(following[0][1])
            at += 1 + following[0][0]
        if len(values) >= SHORTEST_LIST and set(values) <= set(hand):
            yield at, " ".join(map(str, values))


def counted(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    """Read "three cowboys: 12, 45 and 60" or "just one, 60", if the count is right."""
    is_written = bool(words) and words[0] in NUMBERS
    counts = [(2, 1)] if tuple(words[:2]) == ("a", "single") else number(words)
    for length, count in counts:
        rest = words[length:]
        has_noun = rest[:1] in (["cowboy"], ["cowboys"])
        if has_noun or rest[:1] == [":"] or (is_written and rest[:1] == [","]):
            gap = has_noun + (rest[has_noun : has_noun + 1] in ([":"], [","]))
            for more, found in cowboys(rest[gap:], state, seat):
                if len(found.split()) == count:
                    yield length + gap + more, found


def extreme(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    """Read "highest, 60" or "lowest cowboy: 12", if that is the player's highest or lowest cowboy."""
    hand = state.hands[seat] if state else ()
    if not hand or not words:
        return
    ends = {"highest": max(hand), "biggest": max(hand), "lowest": min(hand), "smallest": min(hand)}
    at = skipped(words, 1, {"cowboy", ",", ":"})
    for length, value in number(words[at:]):
        if value == ends.get(words[0]):
            yield at + length, str(value)


def on_sale(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    """Read the square that is being sold."""
    for length, name in square(words, state, seat):
        if state and state.sale and name == NAMES[state.sale.square]:
            yield length, ""


def card(words: Words, _state: State | None, _seat: int) -> Iterator[tuple[int, str]]:
    for length, value in number(words):
        yield length, str(value)


def nth(words: Words, _state: State | None, _seat: int) -> Iterator[tuple[int, str]]:
    for length, value in ordinal(words):
        yield length, str(value)


def square(words: Words, _state: State | None, _seat: int) -> Iterator[tuple[int, str]]:
    dash = 1 if words[1:2] == ["-"] else 0
    column, row = [*words[:1], *words[1 + dash : 2 + dash], "", ""][:2]
    if (name := f"{column.upper()}{row}") in SQUARES:
        yield 2 + dash, name


def squares(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    for length, first in square(words, state, seat):
        yield length, first
        gap = skipped(words, length, BETWEEN_SQUARES) - length
        for more, following in squares(words[length + gap :], state, seat):
            yield length + gap + more, f"{first} {following}"


def pick(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    """Read a pick of a plan: "2 D7 E9", "card 2 on D7 and E9", "1 C3 only", "card 1 and nothing"."""
    start = skipped(words, 0, BEFORE_A_CARD)
    for length, value in number(words[start:]):
        at = skipped(words, start + length, BEFORE_SQUARES)
        if words[at : at + 1] == ["nothing"]:
            yield at + 1, f"{value} nothing"
        for more, found in squares(words[at:], state, seat):
            is_single = words[at + more : at + more + 1] == ["only"]
            yield at + more + is_single, f"{value} {found}{' only' if ' ' not in found else ''}"


def plan(words: Words, state: State | None, seat: int) -> Iterator[tuple[int, str]]:
    """Read the picks of a plan, most wanted first: "2 D7 E9, or else 1 C3 only"."""
    for length, first in pick(words, state, seat):
        yield length, first
        for more, others in plan(words[skipped(words, length, BETWEEN_PICKS) :], state, seat):
            gap = skipped(words, length, BETWEEN_PICKS) - length
            if gap:
                yield length + gap + more, f"{first} or {others}"


def skipped(words: Words, at: int, fillers: set[str]) -> int:
    """Return the position after any of these words."""
    while words[at : at + 1] and words[at] in fillers:
        at += 1
    return at


COWBOYS = "[only|just] [my] [cowboy|cowboys|number|numbers|cowboy number] [:]"
CARD = "[the] [card|card number|card no|card no .|card nr|#|card #|number|no .|nr|nr .] [:]"
CUBES = (
    "[,|- >|:] [and|with] [then] [place|put|placing|putting] [a|my|the|one|two] [cube|cubes] [goes|go] "
    "[on|at|in|onto|to|for|:] [square|field|space] [just|only]"
)
NO_CUBES = (
    "(no cube|no cubes|without cube|without any cubes|nothing|nothing else|without cubes|without a cube|"
    "without placing anything|without placing a cube|without placing any cubes|without placing cubes|"
    "don't place anything|don't place a cube|don't place any cubes|without any cube|zero cubes)"
)
FLAGS = "[my|the] [own] [two|three|four|2|3|4] [flag|flags|them]"
LAND = "|".join(
    ["it", "that", "this", "that one", "this one"]
    + [f"{whose} {what}" for whose in ("the", "that", "this", "your") for what in ("land", "square", "field", "plot")]
)
THIS_AUCTION = "(this|this one|this round|this auction|this bid|these|these cards|this time|the auction)"
YES = (
    "yes|yep|yeah|yup|y|ok|okay|sure|sure thing|of course|certainly|absolutely|definitely|for sure|gladly|indeed|"
    "with pleasure|by all means|aye|i'm in|im in|i am in|count me in|i'm keen|i do|i am|it's a yes|"
    "that's a yes|a yes|interested|i'm interested|im interested|i am interested|very interested|"
    "definitely interested|affirmative|me|why not|i'd love to|i would love to|ja|oui|"
    "i'm very interested|i'm definitely interested|i'd be interested|i would be interested|oh yes|ooh yes|yess|"
    "yea|ye|yeh|yes sir|yes ma'am|yes i would|yes , i would|jawohl|jep|sorry yes|i'm up for it|put me down|"
    "put me down as interested|mark me as interested|count me as interested|note me as interested|"
    "si|sì|sí|very much so|very much|hell yes|sehr gern|sehr gerne|gern|gerne|volentieri|avec plaisir"
)
NO = (
    "no|nope|nah|n|no way|not interested|i'm not interested|im not interested|i am not interested|no interest|"
    "not for me|not really|not really interested|not interested at all|no interest at all|i have no interest|"
    "count me out|uninterested|not at all|i don't want it|i dont want it|i do not want it|don't want it|"
    "dont want it|i don't need it|don't need it|i do not need it|i'm not really interested|not this time|"
    "no interest from me|i'd rather not|not this one|i don't want that|i don't want that land|i don't want this|"
    "i don't want this land|no need|it's a no|that's a no|a no|certainly not|absolutely not|definitely not|"
    "of course not|nein|non|not me|nothing for me|i'm not|i am not|"
    "decline|i decline|declined|i'll decline|i'm good|i am good|no thanks|no interest here|"
    "unfortunately not|sadly not|i'm afraid not|i am afraid not|unfortunately no|sadly no|alas no|sorry no|"
    "can't use it|i can't use it|i cannot use it|hard no|no from me|it's a no from me|nada|no sale|"
    "not at all interested|i'm afraid i'm not interested|i'm afraid i am not interested|"
    "unfortunately i'm not interested|sadly i'm not interested|nee|non merci|nein danke|no grazie|no gracias"
)
NO_BID = (
    "0|zero|nil|nothing|none|no bid|no bids|no bid from me|no bid this time|no cowboys|zero cowboys|0 cowboys|"
    "i bid nothing|nothing from me|i don't bid|i dont bid|i do not bid|i won't bid|i will not bid|not bidding|"
    "i'm not bidding|im not bidding|i don't want to bid|i do not want to bid|i'd rather not bid|i'm not going to bid|"
    "no bid for me|none for me|nothing for me|not this time|not this round|not this auction|"
    "i have no bid|empty bid|an empty bid|i don't bid this time|i won't bid this time"
)
PASSING = (
    "pass|hard pass|i pass|passing|i'll pass|ill pass|i'm passing|pass this one|"
    "pass this round|pass this auction|skip this round|skip this auction|pass on this one|pass on this|pass on it|"
    "pass on that|skip|i skip|i'll skip|skip me|skip this one|skip it|not today|i'm out|im out|i am out|"
    "sit this one out|sitting this one out|sit it out|i'm sitting this one out|"
    "i'm skipping|i'm skipping this one|i'm skipping this round|i'll skip this one|i'll skip this round|"
    "passe|passo|paso|passez|i stay out|i'm staying out|i'll stay out|staying out|stay out|"
    "sit this round out|sitting this round out|sit this auction out|i'll sit this round out|"
    "skipping this one|count me out|i abstain|abstain|sit out|sitting out|i'll sit out|passing on this one"
)

RATHER_SAVING = (
    "[i'd rather|i would rather|i prefer to|i'd prefer to|let me|i'll|i] (keep|save) [all] my cowboys [for later]"
)
SAVING = "(i'm|i am|i'll|i) (keep|save|keeping|saving) [all] my cowboys [for later]"

DECLINES = "bid none | not interested"

PHRASES = Grammar(
    phrases=(
        (f"[only|just] {{bid}} [with] {COWBOYS} <cowboys> [only]", "bid <cowboys>"),
        (f"[only|just] {{bid}} [=|with|no .|nr .|number] {COWBOYS} <cowboys> [only|and nothing else|, nothing else]",
         "bid <cowboys>"),
        (f"[my|my secret] (bid|bids) [for this round|for this auction|this time] [is|will be|of|are] [:] "
         f"{COWBOYS} <cowboys>", "bid <cowboys>"),
        (f"{{bid}} {COWBOYS} <cowboys> [,|;|-] [and|with] [my|the|a] {{plan}} [is] [:|to|-|to pick] <plan>",
         "bid <cowboys> plan <plan>"),
        ("<cowboys> [,|;|-] [and|with] [my|the|a] {plan} [is] [:|to|-|to pick] <plan>",
         "?bid <cowboys> plan <plan>"),
        ("[only|just] {bid} [only|just] <counted>", "bid <counted>"),
        ("[my|just|only] <counted>", "?bid <counted> | ?offer <counted>"),
        (f"[a|one] bid of {COWBOYS} <cowboys>", "?bid <cowboys> | ?offer <cowboys>"),
        (f"(i'm in with|i am in with|count me in with|in with|mein gebot :|mein gebot ist) {COWBOYS} <cowboys>",
         "?bid <cowboys> | ?offer <cowboys>"),
        (f"[{{bid}}|{{offer}}] {COWBOYS} <cowboys> (go in|goes in|into the ring|into the auction)",
         "?bid <cowboys> | ?offer <cowboys>"),
        ("[the|my] <extreme>", "?bid <extreme> | ?offer <extreme>"),
        (f"{{bid}} {COWBOYS} <cowboys> [for it|for {LAND.replace('|', '|for ')}]", "?bid <cowboys> | ?offer <cowboys>"),
        (f"my bid [is|of] [:] {COWBOYS} <cowboys>", "?bid <cowboys> | ?offer <cowboys>"),
        (f"{{offer}} {COWBOYS} <cowboys> for (the cards|the card|a card|these cards|this auction|this round)",
         "bid <cowboys>"),
        ("[i] (place|placing|make) (a|my) bid [of|with|:] [my] [cowboys] <cowboys>", "bid <cowboys>"),
        ("[the] [number] <cowboys> is my (bid|offer)", "?bid <cowboys> | ?offer <cowboys>"),
        ("[i] [bid] [nothing] [,] [i] (keep|save|keeping|saving) [all] my cowboys", "?bid none"),
        (f"{COWBOYS} <cowboys> [for it|only]", "?bid <cowboys> | ?offer <cowboys>"),
        (f"({NO_BID}) [,|-|:] [so] ({PASSING})", "?bid none"),
        (f"({NO_BID}|{PASSING}) [,|-|(] [i'm|i am] (saving|keeping) [all] [my|the] cowboys [for later] [)]",
         "?bid none"),
        (f"{SAVING} [,|:] [so] ({NO_BID})", "?bid none"),
        (f"{SAVING} [,|:] [so] ({PASSING})", "?bid none"),
        (f"[i|i'll|i will|i'm|i am|let me] (pass|passing|skip|skipping|abstain|stay out|staying out|out|sit out|"
         f"sitting out) (for|on|in|of|from) {THIS_AUCTION}", "?bid none"),
        (f"[no|nope|nah] [,] {RATHER_SAVING}", "?bid none | ?not interested"),
        ("(no|nope|nah) [,] [i'm|i am] (saving|keeping) [all] my cowboys [for later]", "?bid none | ?not interested"),
        ("{bid} (nothing|none|zero|0|no cowboys|no cowboy)", "bid none"),
        ("[my] bid [is] [:] (nothing|none|zero|no cowboys)", "bid none"),
        (f"({NO_BID})", "?bid none"),
        (f"({PASSING})", "?bid none | ?not interested"),
        (f"(no ,|nope|nope ,|nah|nah ,|no thanks|no thanks ,|no thank you ,) ({PASSING})",
         "?bid none | ?not interested"),
        (f"(no ,|nope ,|nah ,|no thanks|no thanks ,|no thank you ,) ({NO_BID})", "?bid none"),
        ("{sell} [my] [land|square|field|plot|the land|the square] [on|at|in] <square>", "sell <square>"),
        ("{sell} [my|the] <square> (square|field|plot)", "sell <square>"),
        ("(put|putting|put up|putting up) [my] <square> (for sale|on sale|on the market)", "sell <square>"),
        ("(put|offer|offering|putting) [my] <square> (up for sale|for sale)", "sell <square>"),
        ("[my] <square> [is] (for sale|up for sale)", "?sell <square>"),
        (f"({YES}) [,|-] [{YES}] [in it|in that|in this|in the land|in that land|to that|to it]", "?interested"),
        (f"({YES}) [,|-] [{YES}] (in|to|for) <on_sale>", "?interested"),
        (f"[{YES}] [,|-] {{want}} [to have|to buy] ({LAND})", "?interested"),
        (f"[{YES}] [,|-] (buy|i buy|i'll buy|i will buy|i want to buy|i'd like to buy|i would like to buy|i'd buy)",
         "?interested"),
        (f"({YES}) [,|-] [{YES}] (in|to) ({LAND})", "?interested"),
        (f"[{YES}] [,|-] {{want}} [to have|to buy] <on_sale>", "?interested"),
        (f"[{YES}] [,|-] <on_sale> (please|pls|plz|yes)", "?interested"),
        (f"[{YES}] [,|-] {{need}} ({LAND})", "?interested"),
        (f"[{YES}] [,|-] {{need}} <on_sale>", "?interested"),
        ("(fine by me|sounds good|sounds good to me|agreed|i agree|i have interest)", "?interested"),
        (f"[you can] keep ({LAND})", "?not interested"),
        (f"({NO}) [,|-] (you keep it|you can keep it)", "?not interested"),
        (f"({NO}) [,] but (thanks|thank you|thx) [anyway|for the offer|for offering|for asking|a lot]",
         "?not interested"),
        (f"[{NO}] [,|-] (i don't want|i do not want|i don't need|i do not need|i can't use) [to buy] <on_sale>",
         "?not interested"),
        (f"[{NO}] [,|-] (i don't want|i do not want|i don't need|i do not need|don't want|don't need) ({LAND})",
         "?not interested"),
        (f"[{NO}] [,|-] (i won't|i will not|i don't want to|i do not want to|i'm not going to|i'd rather not) buy "
         f"[{LAND}]", "?not interested"),
        (f"[{NO}] [,|-] [i'm|i am] not buying [{LAND}]", "?not interested"),
        (f"({NO}) [,|-] [{NO}] (in|to|for) ({LAND})", "?not interested"),
        (f"[i have] no (money|use|need|interest) (for|in) ({LAND})", "?not interested"),
        ("[i|i'll|i will|i'm] (pass|passing) on <on_sale>", "?not interested"),
        ("(rather not|i'd rather not|i refuse|no money|i have no use for it|no use for it)", "?not interested"),
        ("[i] (can't|cannot|cant) afford (it|that|this)", "?not interested"),
        (f"({NO}) [,|-] [{NO}] [in it|in that|in this|in this one|in that one|in the land|in that land|to that|to it]",
         "?not interested"),
        (f"({NO}) [,|-] [{NO}] (in|to|for) <on_sale>", "?not interested"),
        ("(thanks|thank you|thx) [,] (but no|but no thanks|but no thank you)", "?not interested"),
        (f"(thanks|thank you|thx) [,] but ({NO})", "?not interested"),
        (f"{{offer}} [you] [with] [a] {COWBOYS} <cowboys> [for it|for the land|for that]", "offer <cowboys>"),
        (f"(you can have|you get|you'll get) {COWBOYS} <cowboys> [for it|for that|for the land|for your land]",
         "?offer <cowboys>"),
        ("[my|the] <cowboys> is all (i'll|i will|i can|i|i'm willing to) (give|offer|pay)", "?offer <cowboys>"),
        (f"[{{offer}}] {COWBOYS} <cowboys> for <on_sale>", "offer <cowboys>"),
        (f"[{{offer}}] {COWBOYS} <cowboys> for ({LAND})", "?offer <cowboys>"),
        (f"(here's|here is|here are) {COWBOYS} <cowboys> [for it]", "?offer <cowboys>"),
        ("take my [cowboy|cowboys|number] <cowboys> [for it]", "?offer <cowboys>"),
        (f"[my] offer [is|of] [:] {COWBOYS} <cowboys>", "offer <cowboys>"),
        (f"{{pick}} {CARD} <card> {CUBES} <squares>", "pick <card> <squares>"),
        (f"{{pick}} [the] <nth> [card|one] {CUBES} <squares>", "pick <nth> <squares>"),
        (f"[the] <nth> (card|one) {CUBES} <squares>", "?pick <nth> <squares>"),
        (f"{CARD} <card> {CUBES} <squares>", "?pick <card> <squares>"),
        (f"{{pick}} {CARD} <card> [,] [and|with|but] [place|put] {NO_CUBES}", "pick <card> nothing"),
        (f"{{pick}} [the] <nth> [card|one] [,] [and|with|but] [place|put] {NO_CUBES}", "pick <nth> nothing"),
        (f"[the] <nth> (card|one) [,] [and|with|but] {NO_CUBES}", "?pick <nth> nothing"),
        (f"{CARD} <card> [,] [and|with|but] {NO_CUBES}", "?pick <card> nothing"),
        (f"{{place}} {FLAGS} [on|at|in|to|:] <squares>", "flags <squares>"),
        ("[my] [two|three|four|2|3|4] flags [are|go|should go] [on|at|in|to|:] <squares>", "flags <squares>"),
        ("[choose|pick|choosing|picking|take|taking|use|want] [the] [square|squares|fields] [:] <squares>",
         "?flags <squares>"),
        ("withdraw [my|the] [bid|offer|answer|it]", "withdraw"),
        ("(take back|cancel|retract|revoke|undo) (my bid|my offer|my answer)", "withdraw"),
    ),
    words={
        "bid": "bid|bidding|bet|betting|use|using|play|playing|go with|going with|put in|commit|send|sending|send in"
        "|spend|spending|try|trying|throw in|throwing in|place|placing|biete|mise|offro|pujo",
        "sell": "sell|selling",
        "offer": "offer|offering|give|giving|pay|paying|i can offer|i can give|i can pay",
        "pick": "pick|picking|take|taking|choose|choosing|want|get|grab|have",
        "need": "i need|i can use|i could use|i'd buy|i would buy|i'll buy|i will buy",
        "want": "want|i want|i do want|i'd like|id like|i would like|i'd love|i would love|i'd love to have"
        "|i would love to have|i'd love to buy|i'd love to get|i'll take|ill take|i will take|i'd like to have"
        "|i'd like to buy|i want to buy|i would like to buy|buy|i buy|i'll have|i will have|i'd take|i would take",
        "place": "place|placing|put|putting",
        "plan": "plan",
        "pass": "pass|passing|passe|passo|paso|skip|skipping|sit|sitting|decline",
    },
    reasons=(
        ("[it's|it is|that's|they're|far|much|way|a bit] too (expensive|far|far away|cheap|small|much|rich|late) "
         "[for me]", DECLINES),
        ("(nothing|nothing useful|nothing good|nothing interesting) [there|here|for me|in it for me]", DECLINES),
        ("[i'm|i am] saving [up] [for later]", DECLINES),
        ("[i'm|i am] not interested in (these cards|those cards|the cards|any of these cards|any of the cards)",
         DECLINES),
        ("[i] don't (want|need|like) (these cards|those cards|the cards|any of these cards|any of the cards)",
         DECLINES),
        ("(these|those|the) cards are (useless|no good|not for me|bad|no use|no use to me|too expensive)", DECLINES),
        ("(i have|i've got|i've|i have got) (enough land|enough cubes|no cowboys|no cowboys left|no money)", DECLINES),
        ("i (need|want|like) [the] (blue|red|green|yellow) [card|cards]", ""),
        ("(that should be enough|that's enough|hope that's enough|better than nothing|that should do it|that should do|"
         "that'll do|that will do|should be enough|should do it|hope it's enough|let's hope it's enough)", ""),
    ),
    remarks=("card cards land square cube cubes cowboy cowboys bid lake lakes points",),
    slots={"cowboys": cowboys, "plan": plan, "card": card, "nth": nth, "square": square, "squares": squares,
           "on_sale": on_sale, "extreme": extreme,
           "counted": counted},
)  # fmt: skip

"""Read commands that take up a whole line or sentence, and commands that were copied from our emails."""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import takewhile
from string import ascii_letters, digits
from typing import Any

from games.engine import orders
from games.engine.errors import BadOrder
from games.engine.orders import Language
from games.engine.phrases import Grammar, Words, words_of
from games.engine.registry import AnyEngine
from inbound.reading import wording
from inbound.reading.commands import (
    Agree,
    Back,
    Board,
    Command,
    Help,
    ListMoves,
    Log,
    Mute,
    MuteOff,
    Order,
    OrderOff,
    OrderResume,
    PlayMove,
    Refuse,
    Resign,
    Rules,
    Say,
    Settings,
    Unreadable,
    Vacation,
    VacationOff,
)
from inbound.reading.move_sentences import stated_moves
from inbound.reading.position import Position, is_move, normalized
from inbound.reading.proposing import PROPOSE, read_proposal
from inbound.reading.wording import phrases
from inbound.reading.words import breaks_off, contains, meanings, spoken

FIXED: dict[str, Callable[[], Command]] = {
    "help": Help,
    "board": Board,
    "log": Log,
    "moves": ListMoves,
    "rules": Rules,
    "settings": Settings,
    "resign": Resign,
    "i resign": Resign,
    "order resume": OrderResume,
    "mute": Mute,
    "mute off": MuteOff,
    "unmute": MuteOff,
    "vacation off": VacationOff,
    "back": Back,
    "i'm back": Back,
    "agree": Agree,
    "refuse": Refuse,
}
EVERYDAY: dict[str, Callable[[], Command]] = {
    "i want to resign": Resign,
    "i'd like to resign": Resign,
    "i would like to resign": Resign,
    "resign please": Resign,
    "i give up": Resign,
    "i quit": Resign,
    "i concede": Resign,
    "i surrender": Resign,
    "i forfeit": Resign,
    "i am back": Back,
    "mute please": Mute,
    "please mute": Mute,
    "settings please": Settings,
    "my settings": Settings,
    "unsubscribe": Mute,
    "unsubscribe me": Mute,
    "unsubscribe please": Mute,
    "please unsubscribe": Mute,
    "please unsubscribe me": Mute,
    "no more emails": Mute,
    "no more emails please": Mute,
    "no more mails": Mute,
    "no more mails please": Mute,
    "stop sending me emails": Mute,
    "mute this match": Mute,
    "mute this match please": Mute,
    "mute this match, please": Mute,
    "withdraw my orders": lambda: OrderOff(None),
    "cancel my orders": lambda: OrderOff(None),
    "withdraw all my orders": lambda: OrderOff(None),
    "cancel all my orders": lambda: OrderOff(None),
}
IN_THE_SHELL = FIXED | {"join": Agree, "decline": Refuse}

ABOUT_A_MATCH = {"play", "say", "board", "log", "moves", "back", "agree", "refuse", "join", "decline", "mute"}
"""Shell commands that take a match and have the same name in email replies."""

SAY = re.compile(r"[\"'“„«*]?say\b\s*[:,]?\s*(?P<text>.*)", re.IGNORECASE)

ORDER = re.compile(r"(?:standing )?orders?\b\s*:?\s*(?P<text>.*)", re.IGNORECASE)

ORDER_HEADING = re.compile(
    r"(?:(?:please|my|new|add|here are|the) )*(?:standing )?orders?\s*:\s*(?P<text>.*)", re.IGNORECASE
)
"""With words before it, "order" needs a colon. On a line of its own, it may be a heading for orders below it."""

ORDER_AGAIN = re.compile(r"\b(?:standing )?orders?\b\s*:?", re.IGNORECASE)
"""Separates several orders on one line. They may have been joined because it looked as if a mail program had wrapped a
long line."""

ORDER_OFF = re.compile(r"(?:off|drop|withdraw|none)\b\s*#?\s*(?P<number>[0-9]{1,3})?", re.IGNORECASE)

SETTING = re.compile(r"settings?\b\s*:?\s*(?P<name>[a-z]+)\s+(?P<value>\S.*)", re.IGNORECASE)

VACATION = re.compile(r"vacation\b\s*:?\s*(?P<days>.*)", re.IGNORECASE)

DAY = r"(\d{4}-\d{1,2}-\d{1,2})"

DAYS = re.compile(rf"(?:from )?{DAY}(?: ?(?:\.\.+|-+|/|to|till|until|bis|au|al|até) ?{DAY})?", re.IGNORECASE)

ON_VACATION = re.compile(rf"(?:i'm|i am|i'll be) on (?:vacation|holiday) (?P<days>{DAYS.pattern})", re.IGNORECASE)

VACATION_HINT = "Write the first and last day, for example: vacation 2026-12-20..2027-01-05"

SAY_HINT = "Put your message after 'say', for example: say Good luck!"

OTHER_MATCH_HINT = "That command is for another match, so nothing was done."

# Full-width letters and digits, as typed on East Asian keyboards. Other look-alike characters are not accepted.
NARROW = {ord(sign) + 0xFEE0: sign for sign in ascii_letters + digits}

# Typographic characters that mail programs insert while the player types.
PLAIN_SIGNS = NARROW | str.maketrans({
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "…": "...", "“": '"', "”": '"', "„": '"', "«": '"',
    "，": ",", "、": ",", "；": ";", "：": ":", "。": ".", "．": ".", "！": "!", "？": "?", "؟": "?", "¡": "", "¿": "?",
    "→": "->", "⇒": "->", "»": '"', "‘": "'", "’": "'", "‚": "'", "´": "'", "`": "'",
})  # fmt: skip

AROUND = " \"'*_"

BULLET = re.compile(r"^\s*(?:[-*•·▪◦‣→»☞] *|[-=]> *|\(?(?:\d{1,2}|[a-d])[)] +|\d{1,2}[.] +)(?=[a-zA-Z])")

ALTERNATIVES = re.compile(r"\d *(?:/|\.{2,}) *\d")
"""Two numbers that may be alternatives or a range, as in "bid 12/45". In a plan, a slash separates picks."""

PASTED = re.compile(r"(?P<before>.*\s|)\$? ?turnpost +(?P<order>\S.*)", re.IGNORECASE)

QUESTIONS: dict[str, Callable[[], Command]] = {
    "help": Help,
    "board": Board,
    "log": Log,
    "moves": ListMoves,
    "rules": Rules,
}
"""Commands that change nothing, so they can be part of a longer sentence, and end in a question mark."""
ASKED = QUESTIONS | {"settings": Settings}

ASKING = Grammar(
    (
        (
            "[please] [can you|could you] [please] [show|show me|send|send me|see] [the] [current] board [again]",
            "board",
        ),
        ("(can i see|may i see|could i see) [the] [current] board [again]", "board"),
        (
            "(whose turn is it|who's turn is it|who is to move|is it my turn|who is next|who's next) [now|again]",
            "board",
        ),
        ("(what's|what is) (the score|the current score|the standing|on the table|the situation) [now]", "board"),
        ("(who's|who is) (winning|ahead|in the lead) [now]", "board"),
        ("(what are) (my|the) [legal|possible] moves", "moves"),
        ("(which|what) moves (can i make|do i have|are possible)", "moves"),
        ("(what can i do|what are my options)", "moves"),
        ("(what are the rules|how do i play|how do you play) [this game|this]", "rules"),
        ("(what happened|what has happened) [since then|so far]", "log"),
        ("(can i see|may i see|could i see) [the] (rules)", "rules"),
        ("[show|show me|send|send me|see] [the] (log|history|recent events)", "log"),
        ("(help|help me|i need help|instructions)", "help"),
        ("[show|show me|send|send me|list] [all|the|my|all my|all the] [legal|possible] moves", "moves"),
        ("[show|show me|send|send me] [the] rules [of the game]", "rules"),
    )
)

IN_FAVOR = (
    "yes|yep|yeah|yup|y|ok|okay|sure|sure thing|of course|certainly|definitely|absolutely|gladly|with pleasure|agree|"
    "agreed|i agree|i'm in favor|in favor|fine|fine with me|fine by me|ok with me|okay with me|i'm fine with it|"
    "i'm ok with it|i accept|accept|accepted|i'm in|i am in|count me in|join|i'll join|i will join|i join|joining|"
    "i'd love to|i'd love to join|i'd like to join|i would like to join|i would love to|i'd like to play|"
    "i'd love to play|"
    "i'll play|let's play|happy to join|happy to play|i'm happy to join|sounds good|sounds great|sounds fun|why not|"
    "i don't mind|i do not mind|fine for me|ok for me|okay for me|it's ok|it's fine|it's ok for me|it's fine for me|"
    "that's ok|that's okay|that's fine|that's fine with me|that's ok for me|that's fine by me|i'm ok with that|"
    "i'm okay with that|i'm fine with that|i'm good with that|works for me|good idea|great idea|aye|ja|klar|oui|"
    "that works for me|that works|sounds good to me|go for it|i'd be happy to|i would be happy to|ja gerne|"
    "approve|approved|i approve|granted|vote yes|i vote yes|my vote is yes|my vote : yes|i'm for it|i am for it|"
    "i'm all for it|all for it|in favour|i'm in favour|by all means|i accept the proposal|i agree to the proposal|"
    "i agree to that|i agree with that|i agree with it|i accept it|deal|let's do it|let's do that|happy to wait|"
    "i'm happy to wait|alright|all right|ok then|absolutely fine|yes please|yess|yesss"
)
AGAINST = (
    "no|nope|nah|n|no thanks|no thank you|"
    "disagree|i disagree|i don't agree|i do not agree|refuse|i refuse|not interested|i'm not interested|"
    "i am not interested|i decline|decline|declined|i'd rather not|i'm against it|against it|rather not|no way|"
    "not this time|not today|no time|i have no time|i don't have time|i don't have the time|i can't|i cannot|"
    "i can't join|i can't play|count me out|i'm out|i pass|pass|i'll pass|not for me|i don't want to|"
    "i don't want to play|i don't want to join|i must decline|i have to decline|but no thanks|but no|nein|non|nooo|noo|"
    "i'm afraid not|i am afraid not|unfortunately not|sadly not|no time at the moment|no time right now|"
    "reject|rejected|i reject|i reject it|object|i object|denied|veto|vote no|i vote no|my vote is no|my vote : no|"
    "against|i'm against|not ok|not okay|not ok with me|not okay with me|not ok for me|not fine with me|"
    "i'm not ok with that|i don't want that|i don't want it|i don't want a pause|no pause please|please no|please don't"
)
SIGNS: dict[str, Callable[[], Command]] = {"👍": Agree, "✅": Agree, "👎": Refuse}
KIND_NOS = phrases("no problem|no problem at all|not a problem|no worries|no objection|no objections|no rush|no hurry")
"""Friendly answers that contain "no"."""
KIND = (
    "take your time|take all the time you need|get well|get well soon|enjoy your holiday|enjoy your holidays|"
    "enjoy your vacation|have a nice holiday|have a nice vacation|no problem|no problem at all|no worries|no rush|"
    "no hurry|not a problem|good luck|please do|go ahead|have fun|have fun on your trip|have a good trip|safe travels"
)
AGAINST_BECAUSE = (
    "let's continue|let's play on|let's go on|too long|that's too long|it's too long|that's too much|too late|"
    "i want to keep playing|i'd like to keep playing|let's keep playing|"
    "i want to play on|i'd like to play on|i want to continue"
)


def name(words: Words, names: Any, _seat: int) -> Iterator[tuple[int, str]]:
    """Read another player's name."""
    for each in map(words_of, names or ()):
        if each and list(words[: len(each)]) == each:
            yield len(each), ""


VOTES = Grammar(
    (
        (f"({IN_FAVOR}) [,|-|and] [{IN_FAVOR}]", "yes"),
        (f"({AGAINST}) [,|-] [{AGAINST}]", "no"),
        (f"({IN_FAVOR}) [,|-|and] [then] ({KIND})", "yes"),
        (f"[{IN_FAVOR}] [,|-|and] ({KIND}) [,] <name>", "yes"),
        ("(take your time|take all the time you need|no problem|no problem at all|not a problem|no worries)", "yes"),
        ("[i have] (no objection|no objections) [from me|from my side|at all|here]", "yes"),
        ("(i don't mind|i do not mind) [it] at all", "yes"),
        (f"({IN_FAVOR}) [,] <name>", "yes"),
        (f"(actually|sorry|on second thought|on second thoughts) [,] ({IN_FAVOR})", "yes"),
        (f"(actually|sorry|on second thought|on second thoughts) [,] ({AGAINST})", "no"),
        ("(no thanks|no thank you) [,] <name>", "no"),
        (f"sorry [,] <name> , ({AGAINST})", "no"),
        (f"({AGAINST}) [,|-] ({AGAINST_BECAUSE}) [for me]", "no"),
        (f"({AGAINST_BECAUSE}) [for me]", "no"),
    ),
    slots={"name": name},
)


def read_line(line: str, position: Position) -> Command | None:
    """Read a command that takes up a whole line."""
    if said := SAY.fullmatch(line):
        return Say(said["text"]) if said["text"] else Unreadable(line, SAY_HINT)
    text = plain(line)
    if (pasted := PASTED.fullmatch(text)) and (
        not pasted["before"].strip(" $") or is_move(pasted["before"], position.engine)
    ):
        return read_pasted(line, pasted["order"], position)
    if make := FIXED.get(text.lower()) or EVERYDAY.get(text.lower()) or ASKED.get(text.lower().rstrip(" ?")):
        return make()
    if order := ORDER.fullmatch(text) or ORDER_HEADING.fullmatch(text):
        return read_order(order["text"])
    if setting := SETTING.fullmatch(text):
        return Settings(setting["name"].lower(), setting["value"])
    if proposal := PROPOSE.fullmatch(text):
        return read_proposal(line, proposal["text"])
    if days := VACATION.fullmatch(text) or ON_VACATION.fullmatch(text):
        return read_vacation(line, days["days"])
    is_vague = (ALTERNATIVES.search(text) and "plan" not in text.lower()) or breaks_off(line)
    if is_vague or not is_move(text, position.engine) or means_a_possible_move(text, position):
        return None
    return PlayMove(text)


def means_a_possible_move(text: str, position: Position) -> bool:
    """Return whether a move that isn't possible now is also a way to write another one that is: "bid 17" for land."""
    engine = position.engine
    if position.state is None or position.is_legal(engine.parse(text)):
        return False
    said = stated_moves(spoken(text), position)
    return bool(said) and said[0] != normalized(text, position) and position.is_legal(engine.parse(said[0]))


def plain(line: str) -> str:
    """Reduce a line to what people would type in a shell: plain characters without a bullet, surrounding quotes or a
    final period."""
    signs = BULLET.sub("", line.translate(PLAIN_SIGNS), count=1)
    return " ".join(signs.split()).strip(AROUND).rstrip(" .!;," + AROUND)


def read_order(text: str) -> Order | OrderOff:
    if off := ORDER_OFF.fullmatch(text):
        return OrderOff(int(off["number"]) if off["number"] else None)
    return Order(tuple(line.strip() for line in ORDER_AGAIN.split(text) if line.strip()))


def orders_below(lines: Sequence[str], position: Position) -> list[str]:
    """Return the standing orders below a heading such as "My orders:"."""
    language = position.engine.orders
    if not lines or language is None or not is_heading(lines[0]):
        return []
    return [plain(line) for line in takewhile(lambda line: is_order(plain(line), language), lines[1:])]


def is_heading(line: str) -> bool:
    found = ORDER_HEADING.fullmatch(line.strip(AROUND))
    return found is not None and not found["text"]


def is_order(text: str, language: Language[Any, Any]) -> bool:
    try:
        orders.read_all(language, text)
    except BadOrder:
        return False
    return True


def read_pasted(line: str, order: str, position: Position) -> Command | None:
    """Read a shell command that the player copied from one of our emails."""
    try:
        command, *words = shlex.split(order)
    except ValueError:
        return None
    if words and position.match_id and words[0] != position.match_id and command in ABOUT_A_MATCH:
        return Unreadable(line, OTHER_MATCH_HINT)
    if command == "play":
        return read_pasted_move(words[1:], position)
    if command == "say":
        return Say(" ".join(words[1:]))
    make = IN_THE_SHELL.get(command) if command in ABOUT_A_MATCH else None
    return make() if make else None


def read_pasted_move(words: Sequence[str], position: Position) -> Command | None:
    option = words.index("--turn") if "--turn" in words else len(words)
    text, turn = " ".join(words[:option]), "".join(words[option + 1 :])
    is_whole = turn.isascii() and turn.isdigit() and is_move(text, position.engine)
    return PlayMove(normal(text, position.engine), int(turn)) if is_whole else None


def read_vacation(line: str, days: str) -> Command:
    found = DAYS.fullmatch(days)
    try:
        first, last = (day(found[1]), day(found[2] or found[1])) if found else (date.max, date.min)
    except ValueError:
        return Unreadable(line, VACATION_HINT)
    return Vacation(first, last) if first <= last else Unreadable(line, VACATION_HINT)


def day(written: str) -> date:
    year, month, number = map(int, written.split("-"))
    return date(year, month, number)


def read_vote(sentence: str, names: Sequence[str] = ()) -> Command | None:
    """Read an answer to the proposal in the email. A question is not an answer, except "why not?"."""
    shown = {SIGNS[sign]() for sign in sentence if sign in SIGNS}
    written = "".join(sign for sign in sentence if sign not in SIGNS and not is_modifier(sign)) if shown else sentence
    said = vote_in_words(written, names) if written.strip(" .!") else None
    if not shown:
        return said
    return shown.pop() if len(shown) == 1 and (not written.strip(" .!") or said in shown) else None


def is_modifier(sign: str) -> bool:
    """Return whether a character only changes the look of the emoji before it, such as its skin tone."""
    return "\U0001f3fb" <= sign <= "\U0001f3ff" or sign == "\ufe0f"


def vote_in_words(sentence: str, names: Sequence[str]) -> Command | None:
    words = spoken(sentence)
    if words in (["+", "1"], ["-", "1"]):
        return Agree() if words[0] == "+" else Refuse()
    if words == ["why", "not", "?"]:
        return Agree()
    if words[:2] == ["oh", "no"]:
        return None  # This may be an exclamation.
    if contains(words, KIND_NOS):
        return Agree() if "yes" in meanings(words, VOTES, names) else None
    says_both = not (wording.YES.isdisjoint(words) or wording.NO.isdisjoint(words))
    meant = set() if says_both else meanings(words, VOTES, names)
    return (Agree() if meant == {"yes"} else Refuse()) if len(meant) == 1 else None


def read_question(sentence: str) -> Command | None:
    asked = meanings([word for word in spoken(sentence) if word != "?"], ASKING)
    return QUESTIONS[next(iter(asked))]() if len(asked) == 1 else None


def normal(text: str, engine: AnyEngine) -> str:
    return engine.notation(engine.parse(text))

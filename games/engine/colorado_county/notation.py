"""Read and write moves the way players do, such as bid 12 45 60, pick 2 D7 E9 or sell D7."""

import re
from collections.abc import Callable

from games.engine.choices import Button
from games.engine.colorado_county.state import (
    LONGEST_PLAN,
    Answer,
    AnyMove,
    Bid,
    Offer,
    Pick,
    PlaceFlags,
    Sell,
    Withdraw,
)
from games.engine.errors import MalformedMove
from games.engine.text import listing

HELP = (
    ("bid 12 45 60", "bid these cowboys for the cards on offer"),
    ("bid none", "bid nothing and take no card"),
    (
        "bid 12 45 plan 2 D7 E9 / 1 C3 only",
        "bid with a plan: pick card 2 on D7 and E9, or else card 1 on C3; if neither is possible, ask me",
    ),
    ("withdraw", "take back your bid, answer or offer"),
    ("pick 2 D7 E9", "take card 2 and place cubes on D7 and E9"),
    ("pick 2 D7 only", "take card 2 and place a single cube on D7"),
    ("pick 2 nothing", "take card 2 and place no cube"),
    ("sell D7", "put your land on D7 up for sale"),
    ("interested", "say that you want the land for sale"),
    ("not interested", "say that you don't want it"),
    ("offer 17", "offer cowboy 17 for the land; list several if others want it too"),
    ("flags A1 C3 E5", "place your flags, face down"),
)
EXAMPLES = {
    "bid": "bid 12 45 60",
    "pick": "pick 2 D7 E9",
    "sell": "sell D7",
    "interested": "interested",
    "not": "not interested",
    "offer": "offer 17",
    "flags": "flags A1 C3 E5",
    "withdraw": "withdraw",
}
PLAN = re.compile(r"\bplan\b")
PLANNED_BID = "bid 12 45 plan 2 D7 E9 / 1 C3 only"
FRACTION = re.compile(r"[0-9]+\.[0-9]+")
COUNTED = re.compile(r"\W*(?:bid|offer)\W+(?:with\W+)?([1-9][0-9]{0,2})\s+cowboys?\b")
"""A number that may be a cowboy, or the number of cowboys: "bid 3 cowboys"."""
WORD = re.compile(r"[a-z]+|[0-9]+")
BETWEEN_WORDS = re.compile(r"[\s,.:!+&/;()]*")
BETWEEN_PICKS = re.compile(r"[/;\n]|\b(?:or|else|then|plan)\b")
FILLERS = {"and", "with", "on", "card", "cards", "cowboy", "cowboys", "cube", "cubes", "square", "squares"}
NOTHING = {"none", "nothing", "0", "zero"}
LONGEST_NUMBER = 3

Words = list[str]


def parse(text: str) -> AnyMove:
    order, *plan = PLAN.split(text.lower(), maxsplit=1)
    verb, *words = read_words(order, text) or [""]
    if counted := COUNTED.match(order):
        message = f"'{counted[1]} cowboys' may mean cowboy {counted[1]} or {counted[1]} of your cowboys."
        raise malformed("cowboy_or_count", message, text, f"{verb} {counted[1]}")
    if verb not in READERS:
        raise malformed("unknown_move", "That isn't a Colorado County move.", text)
    move = READERS[verb](words, text)
    if not plan:
        return move
    if not isinstance(move, Bid):
        raise malformed("plan_without_bid", "Only a bid can have a plan.", text, PLANNED_BID)
    return Bid(move.cowboys, read_plan(plan[0], text))


def read_words(written: str, text: str) -> Words:
    """Split the text into words and numbers, leaving out punctuation and filler words."""
    if BETWEEN_WORDS.fullmatch(WORD.sub("", written)) is None:
        raise malformed("unknown_character", "This contains a character that no move uses.", text)
    if fraction := FRACTION.search(written):
        raise malformed("not_a_number", f"'{fraction[0][:20]}' isn't a whole number.", text)
    return [word for word in WORD.findall(written) if word not in FILLERS]


def read_bid(words: Words, text: str) -> Bid:
    return Bid(read_cowboys(words, text))


def read_offer(words: Words, text: str) -> Offer:
    return Offer(read_cowboys(words, text))


def read_cowboys(words: Words, text: str) -> tuple[int, ...]:
    if not words:
        raise malformed("cowboys_missing", "Which cowboys?", text)
    return () if len(words) == 1 and words[0] in NOTHING else read_numbers(words, text)


def read_pick(words: Words, text: str) -> Pick:
    number, *rest = words or [""]
    if not number.isdigit():
        raise malformed("card_missing", "Which card do you want to pick?", text)
    (card,) = read_numbers([number], text)
    if len(rest) == 1 and rest[0] in NOTHING:
        return Pick(card)
    squares = read_squares(rest[:-1] if rest[-1:] == ["only"] else rest, text)
    if not squares:
        raise malformed("squares_missing", f"Where do you want to play card {card}?", text)
    if rest[-1] == "only" and len(squares) > 1:
        raise malformed("only_one_square", "Use 'only' with exactly one square.", text)
    return Pick(card, squares)


def read_plan(written: str, text: str) -> tuple[Pick, ...]:
    """Parse the picks of a plan. A plan may end in "ask me", although that is the default."""
    parts = [part for part in (read_words(part, text) for part in BETWEEN_PICKS.split(written)) if part]
    if parts and parts[-1] in (["ask"], ["ask", "me"]):
        parts.pop()
    picks = [part[1:] if part[0] == "pick" else part for part in parts]
    if not 1 <= len(picks) <= LONGEST_PLAN:
        message = f"A plan lists 1 to {LONGEST_PLAN} picks; yours has {len(picks)}."
        raise malformed("pick_count", message, text)
    return tuple(read_pick(words, text) for words in picks)


def read_sale(words: Words, text: str) -> Sell:
    squares = read_squares(words, text)
    if len(squares) != 1:
        raise malformed("one_square", "Sell one square at a time.", text)
    return Sell(squares[0])


def read_flags(words: Words, text: str) -> PlaceFlags:
    if not words:
        raise malformed("squares_missing", "Where do you want to place your flags?", text)
    return PlaceFlags(read_squares(words, text))


def read_interest(words: Words, text: str) -> Answer:
    end_of_move(words, "interested", text)
    return Answer(interested=True)


def read_no_interest(words: Words, text: str) -> Answer:
    if words[:1] != ["interested"]:
        raise malformed("incomplete", "Did you mean 'not interested'?", text)
    end_of_move(words[1:], "not interested", text)
    return Answer(interested=False)


def read_withdrawal(words: Words, text: str) -> Withdraw:
    end_of_move(words, "withdraw", text)
    return Withdraw()


def end_of_move(words: Words, move: str, text: str) -> None:
    if words:
        raise malformed("too_much", f"Nothing can follow '{move}'.", text, move)


def read_numbers(words: Words, text: str) -> tuple[int, ...]:
    strange = [word for word in words if not word.isdigit() or len(word) > LONGEST_NUMBER]
    if strange:
        raise malformed("not_a_number", f"'{strange[0][:20]}' isn't a number.", text)
    return tuple(map(int, words))


def read_squares(words: Words, text: str) -> tuple[str, ...]:
    """Parse squares. The letter and the number may be separated by a space."""
    pairs = list(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or not all(len(column) == 1 and column.isalpha() for column, _ in pairs):
        raise malformed("not_a_square", "A square is a letter and a number.", text)
    rows = read_numbers([row for _, row in pairs], text)
    return tuple(f"{column.upper()}{row}" for (column, _), row in zip(pairs, rows, strict=True))


READERS: dict[str, Callable[[Words, str], AnyMove]] = {
    "bid": read_bid,
    "pick": read_pick,
    "sell": read_sale,
    "interested": read_interest,
    "not": read_no_interest,
    "offer": read_offer,
    "flags": read_flags,
    "withdraw": read_withdrawal,
}


def malformed(code: str, message: str, text: str, example: str = "") -> MalformedMove:
    hint = f"Try '{example or example_like(text)}'."
    return MalformedMove(code, message, hint, text=text[:80], allowed=[move for move, _ in HELP])


def example_like(text: str) -> str:
    """Choose an example that starts with the same word. If there is none, choose a bid."""
    first = WORD.search(text.lower())
    verb = first[0] if first else ""
    return PLANNED_BID if verb == "bid" and PLAN.search(text.lower()) else EXAMPLES.get(verb, EXAMPLES["bid"])


def notation(move: AnyMove) -> str:
    match move:
        case Bid(cowboys=cowboys, plan=plan):
            return "bid " + numbers(cowboys) + plan_notation(plan)
        case Offer(cowboys=cowboys):
            return "offer " + numbers(cowboys)
        case Pick():
            return "pick " + pick_notation(move)
        case Sell(square=square):
            return f"sell {square}"
        case Answer(interested=interested):
            return "interested" if interested else "not interested"
        case PlaceFlags(squares=squares):
            return "flags " + " ".join(squares)
        case Withdraw():
            return "withdraw"


def numbers(cowboys: tuple[int, ...]) -> str:
    return " ".join(map(str, cowboys)) or "none"


def plan_notation(plan: tuple[Pick, ...]) -> str:
    return " plan " + " / ".join(map(pick_notation, plan)) if plan else ""


def pick_notation(pick: Pick) -> str:
    if not pick.squares:
        return f"{pick.card} nothing"
    return f"{pick.card} {' '.join(pick.squares)}" + (" only" if len(pick.squares) == 1 else "")


CONTROL_LABELS = {
    "bid": "Bid for the cards",
    "cowboys": "Your cowboys",
    "plan": "Your plan",
    "offer": "Make an offer",
    "place_flags": "Place your flags",
    "squares": "Squares for your flags",
}
CONTROL_HINTS = {
    "cowboys": "More cowboys beat fewer. With equal numbers, the highest cowboy wins.",
    "plan": "Optional. Tap a card, then the squares for your cubes. If you win a card, the first pick that is still "
    "possible is made for you.",
    "squares": "Tap free squares that aren't next to a flag. Tap a square again to deselect it.",
    "pick": "Tap a card, then the squares for your cubes.",
    "sell": (
        "Tap the square that you want to sell. All bids are returned, and then the other players say whether they want "
        "the square."
    ),
}


def button(move: AnyMove) -> Button:
    match move:
        case Pick():
            return pick_button(move)
        case Sell(square=square):
            return Button(f"Sell {square}", (square,), "Sell land")
        case Answer(interested=interested):
            return Button("I want it" if interested else "I don't want it")
        case Withdraw():
            return Button("Withdraw and decide again")
        case Bid(cowboys=cowboys, plan=plan):
            return Button(f"Bid {listed(cowboys)}{plan_in_words(plan)}" if cowboys else "Bid nothing")
        case Offer(cowboys=cowboys):
            return Button(f"Offer {listed(cowboys)}")
        case PlaceFlags(squares=squares):
            return Button(f"Place your flags on {listing(squares)}")


def listed(cowboys: tuple[int, ...]) -> str:
    return listing([str(cowboy) for cowboy in cowboys])


def plan_in_words(plan: tuple[Pick, ...]) -> str:
    return ". Plan: " + ", or else ".join(map(pick_in_words, plan)) if plan else ""


def pick_in_words(pick: Pick) -> str:
    return f"card {pick.card} {f'with {cubes_on(pick)}' if pick.squares else 'without a cube'}"


def pick_button(pick: Pick) -> Button:
    return Button(
        f"Card {pick.card}, {cubes_on(pick) if pick.squares else 'no cube'}", (f"Card {pick.card}", *pick.squares)
    )


def cubes_on(pick: Pick) -> str:
    return f"cubes on {listing(pick.squares)}" if len(pick.squares) > 1 else f"one cube on {''.join(pick.squares)}"

"""Read and write moves the way players do, such as draw, place 2 or take 3, and describe events in sentences."""

import re

from games.engine.choices import Button
from games.engine.coloretto import state
from games.engine.coloretto.scoring import cards_of
from games.engine.coloretto.state import COLOURS, GOLDEN_JOKER, NAMES, AnyMove, Draw, Place, Score, Take
from games.engine.errors import MalformedMove
from games.engine.names import Names, who_won
from games.engine.records import Event
from games.engine.text import counted, listing

HELP = (
    ("draw", "reveal the top card of the supply"),
    ("place 2", "put the drawn card on row 2"),
    ("take 3", "take row 3 and sit out the rest of the round"),
)
DRAW = {"draw", "draw card", "draw a card"}
ON_A_ROW = re.compile(r"(?P<verb>place|put|take)(?: it)?(?: on)?(?: the)?(?: row)? ?#? ?(?P<row>[0-9]{1,3})?")


def parse(text: str) -> AnyMove:
    written = " ".join(text.lower().split()).rstrip(" .!")
    if written in DRAW:
        return Draw()
    found = ON_A_ROW.fullmatch(written)
    if not found:
        raise malformed("unknown_move", "That isn't a Coloretto move.", "Try 'draw', 'place 2' or 'take 3'.", text)
    verb = "take" if found["verb"] == "take" else "place"
    if not found["row"]:
        raise malformed("row_missing", "Which row do you mean?", f"Try '{verb} 2' for row 2.", text)
    return (Take if verb == "take" else Place)(int(found["row"]))


def malformed(code: str, message: str, hint: str, text: str) -> MalformedMove:
    return MalformedMove(code, message, hint, text=text[:80], allowed=[example for example, _ in HELP])


def notation(move: AnyMove) -> str:
    match move:
        case Draw():
            return "draw"
        case Place(row=row):
            return f"place {row}"
        case Take(row=row):
            return f"take {row}"


def button(move: AnyMove) -> Button:
    match move:
        case Draw():
            return Button("Draw a card")
        case Place(row=row):
            return Button(f"Place it on row {row}", (f"Row {row}",))
        case Take(row=row):
            return Button(f"Take row {row}", (f"Row {row}",))


def tell(event: Event, names: Names) -> str:
    match event:
        case state.DealStarted():
            return tell_start(event, names)
        case state.CardDrawn(seat=seat, card=card):
            return f"{names.subject(seat)} {names.verb('drew', 'draw')} {one(card)}."
        case state.LastRoundSeen():
            return (
                f"The last-round card {names.verb('came', 'come')} up. "
                f"This {names.verb('is', 'be')} the last round of the game."
            )
        case state.CardPlaced(seat=seat, card=card, row=row):
            return f"{names.subject(seat)} {names.verb('placed', 'place')} {one(card)} on row {row}."
        case state.RowTaken(seat=seat, row=row, cards=taken):
            return f"{names.subject(seat)} {names.verb('took', 'take')} row {row} ({names_of(taken)})."
        case state.GoldenCardGained(seat=seat, card=card):
            return f"The golden joker {names.verb('gave', 'give')} {names.object(seat)} another card: {one(card)}."
        case state.RowRemoved(row=row, cards=removed):
            left = names.verb("left", "leave")
            return f"Nobody {names.verb('took', 'take')} row {row}, so its cards {left} the game: {names_of(removed)}."
        case state.RoundEnded(next_seat=seat):
            return f"The round {names.verb('ended', 'end')}. {names.subject(seat, 'begins', 'begin')} the next one."
        case state.DealScored():
            return tell_scores(event, names)
        case state.MatchWon(totals=totals):
            return who_won(names, totals)
    raise ValueError(f"Not an event of Coloretto: {event!r}")


def tell_start(event: state.DealStarted, names: Names) -> str:
    colours = listing([NAMES[colour] for colour in event.colours])
    hands = [
        f"{names.subject(seat, 'starts', 'start')} with {listing([NAMES[card] for card in hand])}."
        for seat, hand in enumerate(event.hands)
    ]
    begins = f"{names.subject(event.starter, 'begins', 'begin')}."
    return "\n  ".join([f"Game {event.deal} {names.verb('was', 'be')} dealt. Colors: {colours}.", *hands, begins])


def tell_scores(event: state.DealScored, names: Names) -> str:
    lines = [f"Game {event.deal} {names.verb('ended and was scored', 'end and be scored')}."]
    for seat, (score, total) in enumerate(zip(event.scores, event.totals, strict=True)):
        so_far = f", {total} in the match so far" if event.deal > 1 else ""
        lines.append(f"  {names.subject(seat)}: {counted(score.total, 'point')}{so_far}.")
        lines.extend(f"    {line}" for line in score_lines(score))
    return "\n".join(lines)


def score_lines(score: Score) -> list[str]:
    """Write a line for each source of points."""
    lines = [f"{line.points:>+4}  {NAMES[line.colour]}, {cards_of(line.cards, line.jokers)}" for line in score.colours]
    if score.plus_twos:
        lines.append(f"{2 * score.plus_twos:>+4}  +2, {cards_of(score.plus_twos)}")
    return lines


def one(card: str) -> str:
    """Name a card, as in "a red card", "a +2" or "the golden joker"."""
    if card in COLOURS:
        return f"{'an' if card == 'O' else 'a'} {NAMES[card]} card"
    return f"{'the' if card == GOLDEN_JOKER else 'a'} {NAMES[card]}"


def short(card: str) -> str:
    """Name a card in a few words, as in "red", "a +2" or "the golden joker"."""
    return NAMES[card] if card in COLOURS else one(card)


def names_of(cards: str) -> str:
    return ", ".join(NAMES[card] for card in cards)

"""Events as sentences, for logs, mails and playthroughs."""

from collections.abc import Sequence

from games.engine.coloretto import cards, events
from games.engine.coloretto.scoring import Score
from games.engine.records import Event
from games.engine.text import counted, listing


def tell(event: Event, names: Sequence[str]) -> str:
    match event:
        case events.DealStarted():
            return tell_start(event, names)
        case events.CardDrawn(seat=seat, card=card):
            return f"{names[seat]} drew {cards.one(card)}."
        case events.LastRoundSeen():
            return "The last-round card came up: this round is the last of the game."
        case events.CardPlaced(seat=seat, card=card, row=row):
            return f"{names[seat]} placed {cards.one(card)} on row {row}."
        case events.RowTaken(seat=seat, row=row, cards=taken):
            return f"{names[seat]} took row {row}: {cards.names(taken)}."
        case events.GoldenCardGained(seat=seat, card=card):
            return f"The golden joker brought {names[seat]} another card: {cards.one(card)}."
        case events.RowRemoved(row=row, cards=removed):
            return f"Nobody took row {row}, and its cards left the game: {cards.names(removed)}."
        case events.RoundEnded(next_seat=seat):
            return f"The round ended. {names[seat]} took the last row and begins the next."
        case events.DealScored():
            return tell_scores(event, names)
        case events.MatchWon(winners=winners, totals=totals):
            return tell_winners(winners, max(totals), names)
    raise ValueError(f"Not an event of Coloretto: {event!r}")


def tell_start(event: events.DealStarted, names: Sequence[str]) -> str:
    colours = listing([cards.name(colour) for colour in event.colours])
    hands = [f"{name} starts with {cards.names(hand)}." for name, hand in zip(names, event.hands, strict=True)]
    begins = f"{names[event.starter]} begins."
    return "\n  ".join([f"Game {event.deal} was dealt in {colours}.", *hands, begins])


def tell_scores(event: events.DealScored, names: Sequence[str]) -> str:
    lines = [f"Game {event.deal} ended and was scored."]
    for name, score, total in zip(names, event.scores, event.totals, strict=True):
        so_far = f", {total} in the match so far" if event.deal > 1 else ""
        lines.append(f"  {name}: {counted(score.total, 'point')}{so_far}.")
        lines.extend(f"    {line}" for line in score_lines(score))
    return "\n".join(lines)


def tell_winners(winners: Sequence[int], points: int, names: Sequence[str]) -> str:
    won = "won" if len(winners) == 1 else "share the win"
    return f"{listing([names[seat] for seat in winners])} {won} with {counted(points, 'point')}."


def score_lines(score: Score) -> list[str]:
    """The breakdown of a score, a line for each source."""
    lines = [
        f"{line.points:>+4}  {cards.name(line.colour)}, {cards_of(line.cards, line.jokers)}" for line in score.colours
    ]
    if score.plus_twos:
        lines.append(f"{2 * score.plus_twos:>+4}  +2, {cards_of(score.plus_twos)}")
    return lines


def cards_of(count: int, jokers: int = 0) -> str:
    """4 cards (1 joker)"""
    return counted(count, "card") + (f" ({counted(jokers, 'joker')})" if jokers else "")

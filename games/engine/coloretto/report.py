"""Events as sentences, for logs, mails and playthroughs."""

from collections.abc import Sequence

from games.engine.coloretto import cards, events
from games.engine.coloretto.picture import score_lines
from games.engine.records import Event
from games.engine.text import listing


def tell(event: Event, names: Sequence[str]) -> str:
    match event:
        case events.DealStarted():
            return tell_start(event, names)
        case events.CardDrawn(seat=seat, card=card):
            return f"{names[seat]} drew {cards.name(card)}."
        case events.LastRoundSeen():
            return "The last-round card came up: this round is the last of the game."
        case events.CardPlaced(seat=seat, card=card, row=row):
            return f"{names[seat]} placed {cards.name(card)} on row {row}."
        case events.RowTaken(seat=seat, row=row, cards=taken):
            return f"{names[seat]} took row {row}: {cards.names(taken)}."
        case events.GoldenCardGained(seat=seat, card=card):
            return f"The golden joker brought {names[seat]} another card: {cards.name(card)}."
        case events.RowRemoved(row=row, cards=removed):
            return f"Nobody took row {row}; its cards left the game: {cards.names(removed)}."
        case events.RoundEnded(next_seat=seat):
            return f"The round ended. {names[seat]} took the last row and begins the next."
        case events.DealScored():
            return tell_scores(event, names)
        case events.MatchWon(winners=winners, totals=totals):
            won = "won" if len(winners) == 1 else "share the win"
            return f"{listing([names[seat] for seat in winners])} {won} with {max(totals)} points."
    raise ValueError(f"Not an event of Coloretto: {event!r}")


def tell_start(event: events.DealStarted, names: Sequence[str]) -> str:
    hands = "; ".join(f"{name} starts with {cards.names(hand)}" for name, hand in zip(names, event.hands, strict=True))
    colours = ", ".join(cards.COLOURS[colour] for colour in event.colours)
    return f"Game {event.deal} was dealt in {colours}. {hands}. {names[event.starter]} begins."


def tell_scores(event: events.DealScored, names: Sequence[str]) -> str:
    lines = [f"Game {event.deal} ended and was scored."]
    for name, score, total in zip(names, event.scores, event.totals, strict=True):
        lines.append(f"  {name}: {score.total} points, {total} in the match so far.")
        lines.extend(f"    {line}" for line in score_lines(score)[:-1])
    return "\n".join(lines)

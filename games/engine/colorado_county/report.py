"""Events as sentences, for logs, mails and playthroughs."""

from collections.abc import Mapping, Sequence

from games.engine.colorado_county import cards, events
from games.engine.colorado_county.board import FLAGS, LAKES
from games.engine.colorado_county.scoring import Score
from games.engine.records import Event
from games.engine.text import listing

Names = Sequence[str]


def tell(event: Event, names: Names) -> str:
    match event:
        case events.LakesLaid(lakes=lakes):
            laid = (f"{value} on {listing(squares)}" for value, squares in zip(LAKES, lakes, strict=True))
            return "The lakes lie, by their value: " + "; ".join(laid) + "."
        case events.RoundStarted(round=number):
            return f"Round {number} began."
        case events.FlagsDrawn(flags=flags):
            return f"The flags were drawn: {flags_by_colour(flags)}."
        case events.FlagsPlaced(seat=seat, squares=squares):
            return f"{names[seat]} placed flags face down on {listing(squares)}."
        case events.FlagsRevealed(flags=flags):
            return f"The flags were turned up: {flags_by_colour(flags)}."
        case events.RoundScored():
            return tell_scores(event, names)
        case events.MatchWon(winners=winners, totals=totals):
            won = "won" if len(winners) == 1 else "share the win"
            return f"{listing([names[seat] for seat in winners])} {won} with {max(totals)} points."
    return tell_auction(event, names) or tell_sale(event, names)


def tell_auction(event: Event, names: Names) -> str:
    match event:
        case events.CardsTurnedUp(cards=turned_up, left=left):
            listed = "; ".join(f"{number}: {cards.name(card)}" for number, card in enumerate(turned_up, 1))
            return f"Cards were turned up: {listed}. {left or 'None'} left face down in this round."
        case events.Committed(seat=seat):
            return f"{names[seat]} has decided."
        case events.Withdrawn(seat=seat):
            return f"{names[seat]} withdrew and will decide again."
        case events.BidsRevealed():
            return tell_bids(event, names)
        case events.CardPicked(seat=seat, number=number, card=card, squares=squares):
            where = f"cubes on {listing(squares)}" if len(squares) > 1 else "a cube on " + "".join(squares)
            return f"{names[seat]} took card {number} ({cards.name(card)}): {where if squares else 'no cube'}."
        case events.LakeChangedHands():
            return tell_lake(event, names)
        case events.CardsDiscarded(cards=discarded):
            return f"Nobody took {listing([cards.name(card) for card in discarded])}."
        case events.CowboysDrawn(seat=seat, count=count):
            return f"{names[seat]} drew {how_many(count)} from the bag."
        case events.CowboysSeen(seat=seat, cowboys=cowboys):
            return f"New cowboys of {names[seat]}: {written(cowboys) or 'none'}."
    return ""


def tell_sale(event: Event, names: Names) -> str:
    match event:
        case events.LandPutUp(seat=seat, square=square, returned=returned):
            back = f" Bids went back unseen to {listing([names[s] for s in returned])}." if returned else ""
            return f"{names[seat]} put {square} up for sale.{back}"
        case events.InterestRevealed(seats=seats):
            return f"{listing([names[seat] for seat in seats]) or 'Nobody'} wanted it."
        case events.OffersRevealed(seats=seats, offers=offers):
            made = (f"{names[seat]} {written(offer)}" for seat, offer in zip(seats, offers, strict=True))
            return "Offers were revealed: " + "; ".join(made) + "."
        case events.LandSold(seller=seller, buyer=buyer, square=square, cowboys=cowboys):
            return f"{names[buyer]} bought {square} from {names[seller]} for {written(cowboys)}."
        case events.LandFreed(seller=seller, square=square):
            return f"{names[seller]} left {square}, which is free land again."
    raise ValueError(f"Not an event of Colorado County: {event!r}")


def tell_bids(event: events.BidsRevealed, names: Names) -> str:
    bids = "; ".join(f"{name} {written(bid) or 'none'}" for name, bid in zip(names, event.bids, strict=True))
    if not event.order:
        return f"Bids were revealed: {bids}. Nobody picks a card."
    return f"Bids were revealed: {bids}. {listing([names[seat] for seat in event.order])} pick in this order."


def tell_lake(event: events.LakeChangedHands, names: Names) -> str:
    before = "" if event.before is None else f" from {names[event.before]}"
    if event.holder is None:
        return f"The lake worth {event.lake} was lost{before}: several own most of its fields, so nobody holds it."
    return f"{names[event.holder]} took the lake worth {event.lake}{before}."


def tell_scores(event: events.RoundScored, names: Names) -> str:
    lines = [f"Round {event.round} ended and was scored."]
    for name, score, total in zip(names, event.scores, event.totals, strict=True):
        lines.append(f"  {name}: {score.total} points, {total} in the match so far.")
        lines.extend(f"    {line}" for line in score_lines(score))
    return "\n".join(lines)


def score_lines(score: Score) -> list[str]:
    """A line for each source, also for those that brought nothing."""
    held = f" (worth {listing([str(value) for value in score.lakes_held])})" if score.lakes_held else ""
    return [
        f"{score.border:>3}  border, {score.border_squares} squares",
        f"{score.lakes:>3}  lakes, {len(score.lakes_held)}{held}",
        f"{score.doubles:>3}  doubles, {score.double_groups}",
        f"{score.domain:>3}  great domain, {score.domain_size} squares",
    ]


def flags_by_colour(flags: Mapping[str, tuple[str, ...]]) -> str:
    return "; ".join(f"{FLAGS[letter]} on {listing(squares)}" for letter, squares in flags.items())


def how_many(cowboys: int) -> str:
    return "1 cowboy" if cowboys == 1 else f"{cowboys or 'no'} cowboys"


def written(cowboys: tuple[int, ...]) -> str:
    return " ".join(map(str, cowboys))

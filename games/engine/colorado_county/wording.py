"""Describe events in sentences, and write the lines below the board."""

from collections.abc import Mapping, Sequence

from games.engine.colorado_county import events, state
from games.engine.colorado_county.geometry import FLAGS, LAKES
from games.engine.colorado_county.notation import notation, numbers, plan_notation
from games.engine.colorado_county.scoring import Score
from games.engine.colorado_county.view import View
from games.engine.names import Names, who_won
from games.engine.records import Event
from games.engine.text import MATCH_HAS_ENDED, counted, listing

TASKS = {
    "flags": "place your flags",
    "bids": "your bid, please",
    "picks": "pick a card",
    "interest": "do you want {}?",
    "offers": "make an offer for {}",
}
"""What a player has to do in each phase, in a few words."""


def tell(event: Event, names: Names) -> str:
    told = tell_round(event, names) or tell_auction(event, names) or tell_sale(event, names)
    if not told:
        raise ValueError(f"Not an event of Colorado County: {event!r}")
    return told


def tell_round(event: Event, names: Names) -> str:
    match event:
        case events.LakesLaid(lakes=lakes):
            laid = (f"worth {value}: {' '.join(squares)}" for value, squares in zip(LAKES, lakes, strict=True))
            return "\n  ".join([f"The lakes {names.verb('were', 'be')} placed at random.", *laid])
        case events.RoundStarted(round=number):
            return f"Round {number} {names.verb('began', 'begin')}."
        case events.FlagsDrawn(flags=flags):
            return "\n  ".join([f"The flags {names.verb('were', 'be')} placed at random.", *flag_lines(flags)])
        case events.FlagsPlaced(seat=seat, squares=squares):
            return f"{names.subject(seat)} {names.verb('placed', 'place')} flags face down on {listing(squares)}."
        case events.FlagsRevealed(flags=flags):
            return "\n  ".join([f"The flags {names.verb('were', 'be')} revealed.", *flag_lines(flags)])
        case events.RoundScored():
            return tell_scores(event, names)
        case events.MatchWon(totals=totals):
            return who_won(names, totals)
    return ""


def tell_auction(event: Event, names: Names) -> str:
    match event:
        case events.CardsTurnedUp(cards=turned_up, left=left):
            rest = f"{left} more to come this round" if left else "the last of this round"
            heading = f"New cards {names.verb('were', 'be')} revealed ({rest})."
            return "\n  ".join(
                [heading, *(f"{number}: {state.name(card)}" for number, card in enumerate(turned_up, 1))]
            )
        case events.Committed(seat=seat):
            has = "have" if seat == names.reader else "has"
            if names.is_preview:
                return f"Everyone would see that {names.object(seat)} {has} decided."
            return f"{names.subject(seat)} {has} decided."
        case events.Withdrawn(seat=seat):
            return f"{names.subject(seat)} {names.verb('withdrew and will', 'withdraw and')} decide again."
        case events.BidsRevealed():
            return tell_bids(event, names)
        case events.CardPicked():
            return tell_pick(event, names)
        case events.LakeChangedHands():
            return tell_lake(event, names)
        case events.CardsDiscarded(cards=discarded):
            heading = "Leftover cards would be discarded" if names.is_preview else "Discarded"
            return f"{heading}: {'; '.join(map(state.name, discarded))}."
        case events.CowboysDrawn(seat=seat, count=count):
            return f"{names.subject(seat)} {names.verb('drew', 'draw')} {counted(count, 'cowboy')} from the bag."
        case events.CowboysSeen(seat=seat, cowboys=cowboys):
            drawn = listing([str(cowboy) for cowboy in cowboys]) or "no cowboys, because the bag is empty"
            return f"{names.subject(seat)} {names.verb('drew', 'draw')} {drawn}."
    return ""


def tell_sale(event: Event, names: Names) -> str:
    match event:
        case events.LandPutUp(seat=seat, square=square, returned=returned):
            back = f" Bids {names.verb('were', 'be')} returned unseen to {names.objects(returned)}." if returned else ""
            return f"{names.subject(seat)} {names.verb('put', 'put')} {square} up for sale.{back}"
        case events.InterestRevealed(seats=seats):
            if not seats:
                return f"Nobody {names.verb('bought', 'buy')} it."
            return f"{names.subjects(seats)} {names.verb('wanted', 'want')} it."
        case events.OffersRevealed(seats=seats, offers=offers):
            made = (f"{names.subject(seat)}: {numbers(offer)}" for seat, offer in zip(seats, offers, strict=True))
            return "\n  ".join([f"Offers {names.verb('were', 'be')} revealed.", *made])
        case events.LandSold(seller=seller, buyer=buyer, square=square, cowboys=cowboys):
            bought = f"{names.subject(buyer)} {names.verb('bought', 'buy')} {square}"
            return f"{bought} from {names.object(seller)} for {numbers(cowboys)}."
        case events.LandFreed(seller=seller, square=square):
            gave_up = f"{names.subject(seller)} {names.verb('gave', 'give')} up {square}"
            return f"{gave_up}. It {names.verb('is', 'be')} free land again."
    return ""


def tell_bids(event: events.BidsRevealed, names: Names) -> str:
    bids = [f"{names.subject(seat)}: {numbers(bid)}" for seat, bid in enumerate(event.bids)]
    what = "first" if len(event.order) > 1 else "a card"
    picks = who_picks(event.order, names, what) if event.order else f"Nobody {names.verb('picks', 'pick')} a card."
    return "\n  ".join([f"Bids {names.verb('were', 'be')} revealed.", *bids, picks])


def who_picks(order: Sequence[int], names: Names, what: str) -> str:
    """Say who picks, as in "Ada picks first, then you"."""
    first, *others = order
    return ", then ".join([f"{names.subject(first, 'picks', 'pick')} {what}", *names.in_order(others)]) + "."


def tell_pick(event: events.CardPicked, names: Names) -> str:
    where = f"cubes on {listing(event.squares)}" if len(event.squares) > 1 else f"a cube on {''.join(event.squares)}"
    took = f"{names.subject(event.seat)} {names.verb('took', 'take')} card {event.number} ({state.name(event.card)})"
    return f"{took} and {'place' if names.is_preview else 'placed'} {where if event.squares else 'no cubes'}."


def tell_lake(event: events.LakeChangedHands, names: Names) -> str:
    lake = f"the lake worth {event.lake}"
    if event.holder is not None:
        loser = "" if event.before is None else f" from {names.object(event.before)}"
        return f"{names.subject(event.holder)} {names.verb('took', 'take')} {lake}{loser}."
    assert event.before is not None
    lost = f"{names.subject(event.before)} {names.verb('lost', 'lose')} {lake}"
    return f"{lost}. Nobody {names.verb('holds it now', 'hold it then')}."


def tell_scores(event: events.RoundScored, names: Names) -> str:
    lines = [f"Round {event.round} {names.verb('ended and was scored', 'end and be scored')}."]
    for seat, (score, total) in enumerate(zip(event.scores, event.totals, strict=True)):
        so_far = f", {total} in the match so far" if event.round > 1 else ""
        lines.append(f"  {names.subject(seat)}: {counted(score.total, 'point')}{so_far}.")
        lines.extend(f"    {line}" for line in score_lines(score))
    return "\n".join(lines)


def score_lines(score: Score) -> list[str]:
    """Write a line for each source of points, even if the player got none from it."""
    held = f" (worth {listing([str(value) for value in score.lakes_held])})" if score.lakes_held else ""
    return [
        f"{score.border:>3}  border, {counted(score.border_squares, 'square')}",
        f"{score.lakes:>3}  {counted(len(score.lakes_held), 'lake')}{held}",
        f"{score.doubles:>3}  {counted(score.double_groups, 'double')}",
        f"{score.domain:>3}  great domain, {counted(score.domain_size, 'square')}",
    ]


def flag_lines(flags: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [f"{FLAGS[letter]}: {' '.join(squares)}" for letter, squares in flags.items()]


def result(view: View, names: Names) -> str:
    return f"The match is over. {who_won(names, [player.total for player in view.players])}"


def what_is_asked(view: View, names: Names) -> str:
    if not view.awaiting:
        return MATCH_HAS_ENDED
    waiting = f"Waiting for {names.objects(view.awaiting)}."
    if view.phase == "flags":
        return f"Flags are being placed face down. {waiting}"
    if view.phase == "picks":
        return who_picks(view.order, names, "a card now")
    if view.sale is None:
        return f"Bidding is open. {waiting}"
    return who_buys(view, names, waiting)


def who_buys(view: View, names: Names, waiting: str) -> str:
    assert view.sale is not None
    seller = names.subject(view.sale.seller, "is", "are")
    asked = "Do you want it?" if names.reader in view.awaiting else "Who wants it?"
    is_only_buyer = view.sale.interested == (names.reader,)
    offers = "Nobody else wants it. Which cowboy do you pay?" if is_only_buyer else "Offers are open."
    told = f"{seller} selling {view.sale.square}. {asked if view.phase == 'interest' else offers}"
    is_asked = view.awaiting == (names.reader,) and (view.phase == "interest" or is_only_buyer)
    return told if is_asked else f"{told} {waiting}"


def own_lines(view: View) -> tuple[str, ...]:
    """Write the lines that only this player sees."""
    if view.seat is None:
        return ()
    lines = [f"Your cowboys: {numbers(view.cowboys)}"]
    if view.sealed is not None:
        lines.append(f"Your sealed move: {notation(view.sealed)}")
    if view.plan:
        lines.append(f"Your plan:{plan_notation(view.plan).removeprefix(' plan')}")
    return tuple(lines)

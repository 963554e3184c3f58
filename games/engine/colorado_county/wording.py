"""Sentences: what happened, for logs, mails and playthroughs, and what is asked now, for boards."""

from collections.abc import Mapping, Sequence

from games.engine.colorado_county import events, state
from games.engine.colorado_county.geometry import FLAGS, LAKES
from games.engine.colorado_county.notation import notation, numbers, plan_notation
from games.engine.colorado_county.scoring import Score
from games.engine.colorado_county.view import View
from games.engine.records import Event
from games.engine.text import MATCH_HAS_ENDED, counted, listing

Names = Sequence[str]


def tell(event: Event, names: Names) -> str:
    told = tell_round(event, names) or tell_auction(event, names) or tell_sale(event, names)
    if not told:
        raise ValueError(f"Not an event of Colorado County: {event!r}")
    return told


def tell_round(event: Event, names: Names) -> str:
    match event:
        case events.LakesLaid(lakes=lakes):
            laid = (f"worth {value}: {' '.join(squares)}" for value, squares in zip(LAKES, lakes, strict=True))
            return "\n  ".join(["The lakes were laid by lot.", *laid])
        case events.RoundStarted(round=number):
            return f"Round {number} began."
        case events.FlagsDrawn(flags=flags):
            return "\n  ".join(["The flags were placed by lot.", *flag_lines(flags)])
        case events.FlagsPlaced(seat=seat, squares=squares):
            return f"{names[seat]} placed flags face down on {listing(squares)}."
        case events.FlagsRevealed(flags=flags):
            return "\n  ".join(["The flags were turned up.", *flag_lines(flags)])
        case events.RoundScored():
            return tell_scores(event, names)
        case events.MatchWon(winners=winners, totals=totals):
            won = "won" if len(winners) == 1 else "share the win"
            return f"{listing([names[seat] for seat in winners])} {won} with {counted(max(totals), 'point')}."
    return ""


def tell_auction(event: Event, names: Names) -> str:
    match event:
        case events.CardsTurnedUp(cards=turned_up, left=left):
            heading = f"Cards were turned up, with {left or 'no'} more to come in this round."
            return "\n  ".join(
                [heading, *(f"{number}: {state.name(card)}" for number, card in enumerate(turned_up, 1))]
            )
        case events.Committed(seat=seat):
            return f"{names[seat]} has decided."
        case events.Withdrawn(seat=seat):
            return f"{names[seat]} withdrew and will decide again."
        case events.BidsRevealed():
            return tell_bids(event, names)
        case events.CardPicked():
            return tell_pick(event, names)
        case events.LakeChangedHands():
            return tell_lake(event, names)
        case events.CardsDiscarded(cards=discarded):
            return f"Nobody took {'; '.join(map(state.name, discarded))}."
        case events.CowboysDrawn(seat=seat, count=count):
            return f"{names[seat]} drew {counted(count, 'cowboy')} from the bag."
        case events.CowboysSeen(seat=seat, cowboys=cowboys):
            return f"New cowboys of {names[seat]}: {numbers(cowboys)}."
    return ""


def tell_sale(event: Event, names: Names) -> str:
    match event:
        case events.LandPutUp(seat=seat, square=square, returned=returned):
            back = f" Bids went back unseen to {listing([names[s] for s in returned])}." if returned else ""
            return f"{names[seat]} put {square} up for sale.{back}"
        case events.InterestRevealed(seats=seats):
            return f"{listing([names[seat] for seat in seats]) or 'Nobody'} wanted it."
        case events.OffersRevealed(seats=seats, offers=offers):
            made = (f"{names[seat]} {numbers(offer)}" for seat, offer in zip(seats, offers, strict=True))
            return "\n  ".join(["Offers were revealed.", *made])
        case events.LandSold(seller=seller, buyer=buyer, square=square, cowboys=cowboys):
            return f"{names[buyer]} bought {square} from {names[seller]} for {numbers(cowboys)}."
        case events.LandFreed(seller=seller, square=square):
            return f"{names[seller]} left {square}, which is free land again."
    return ""


def tell_bids(event: events.BidsRevealed, names: Names) -> str:
    bids = [f"{name} {numbers(bid)}" for name, bid in zip(names, event.bids, strict=True)]
    first, *others = [names[seat] for seat in event.order] or ["Nobody"]
    then = "".join(f", then {other}" for other in others)
    return "\n  ".join(["Bids were revealed.", *bids, f"{first} picks{' first' if others else ' a card'}{then}."])


def tell_pick(event: events.CardPicked, names: Names) -> str:
    where = f"cubes on {listing(event.squares)}" if len(event.squares) > 1 else f"a cube on {''.join(event.squares)}"
    took = f"{names[event.seat]} took card {event.number} ({state.name(event.card)})"
    return f"{took}: {where if event.squares else 'no cube'}."


def tell_lake(event: events.LakeChangedHands, names: Names) -> str:
    before = None if event.before is None else names[event.before]
    if event.holder is None:
        return f"{before} lost the lake worth {event.lake}. Nobody holds it now."
    return f"{names[event.holder]} took the lake worth {event.lake}" + (f" from {before}." if before else ".")


def tell_scores(event: events.RoundScored, names: Names) -> str:
    lines = [f"Round {event.round} ended and was scored."]
    for name, score, total in zip(names, event.scores, event.totals, strict=True):
        so_far = f", {total} in the match so far" if event.round > 1 else ""
        lines.append(f"  {name}: {counted(score.total, 'point')}{so_far}.")
        lines.extend(f"    {line}" for line in score_lines(score))
    return "\n".join(lines)


def score_lines(score: Score) -> list[str]:
    """A line for each source, also for those that brought nothing."""
    held = f" (worth {listing([str(value) for value in score.lakes_held])})" if score.lakes_held else ""
    return [
        f"{score.border:>3}  border, {counted(score.border_squares, 'square')}",
        f"{score.lakes:>3}  {counted(len(score.lakes_held), 'lake')}{held}",
        f"{score.doubles:>3}  {counted(score.double_groups, 'double')}",
        f"{score.domain:>3}  great domain, {counted(score.domain_size, 'square')}",
    ]


def flag_lines(flags: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [f"{FLAGS[letter]}: {' '.join(squares)}" for letter, squares in flags.items()]


def who_won(view: View, names: Names) -> str:
    best = max(player.total for player in view.players)
    winners = [names[player.seat] for player in view.players if player.total == best]
    won = "won" if len(winners) == 1 else "share the win"
    return f"The match is over. {listing(winners)} {won} with {counted(best, 'point')}."


def what_is_asked(view: View, names: Names) -> str:
    if not view.awaiting:
        return MATCH_HAS_ENDED
    waiting = f"Waiting for {listing([called(view, seat, names) for seat in view.awaiting])}."
    if view.phase == "flags":
        return f"Flags are being placed face down. {waiting}"
    if view.phase == "picks":
        return who_picks(view, names)
    if view.sale is None:
        return f"Bidding is open. {waiting}"
    return who_buys(view, names, waiting)


def called(view: View, seat: int, names: Names) -> str:
    return "you" if seat == view.seat else names[seat]


def who_picks(view: View, names: Names) -> str:
    first, *following = [called(view, seat, names) for seat in view.order]
    picks = "You pick a card now" if first == "you" else f"{first} picks a card now"
    return f"{picks}, then {listing(following)}." if following else f"{picks}."


def who_buys(view: View, names: Names, waiting: str) -> str:
    assert view.sale is not None
    seller = "You are" if view.sale.seller == view.seat else f"{names[view.sale.seller]} is"
    asked = "Do you want it?" if view.seat in view.awaiting else "Who wants it?"
    question = asked if view.phase == "interest" else "Offers are open."
    told = f"{seller} selling {view.sale.square}. {question}"
    return told if view.awaiting == (view.seat,) and view.phase == "interest" else f"{told} {waiting}"


def own_lines(view: View) -> tuple[str, ...]:
    """What only this player sees."""
    if view.seat is None:
        return ()
    lines = [f"Your cowboys: {numbers(view.cowboys)}"]
    if view.sealed is not None:
        lines.append(f"You have committed: {notation(view.sealed)}")
    if view.plan:
        lines.append(f"Your plan:{plan_notation(view.plan).removeprefix(' plan')}")
    return tuple(lines)

"""All that a seat may do now: a list where it is short, a form where there are thousands of possibilities."""

from collections.abc import Callable

from games.engine.choices import Choices, Form, Ranking, Squares, Subset
from games.engine.colorado_county.board import NAMES, OWNERS, names, squares_with
from games.engine.colorado_county.flags import beside_flags, first_squares, free_squares
from games.engine.colorado_county.legality import selling_barred
from games.engine.colorado_county.moves import Answer, AnyMove, Bid, Offer, PlaceFlags, Sell, Withdraw
from games.engine.colorado_county.options import FLAGS_EACH, MOST_WISHES
from games.engine.colorado_county.placements import picks
from games.engine.colorado_county.state import State

BID_NONE = Bid()
WITHDRAW = Withdraw()
ANSWERS = (Answer(interested=True), Answer(interested=False))
FORMS: dict[str, Callable[..., AnyMove]] = {"bid": Bid, "offer": Offer, "place_flags": PlaceFlags}
SALES = tuple(Sell(name) for name in NAMES)


def choices(state: State, seat: int) -> Choices[AnyMove]:
    if seat not in state.asked:
        return Choices()
    if state.phase == "bids":
        return bid_choices(state, seat)
    if state.phase == "picks":
        return Choices(picks(state, seat))
    if state.phase == "interest":
        return Choices(ANSWERS + to_withdraw(state, seat))
    if state.phase == "offers":
        return Choices(to_withdraw(state, seat), (offer_form(state, seat),))
    return Choices(forms=(flags_form(state),))


def to_withdraw(state: State, seat: int) -> tuple[AnyMove, ...]:
    return () if state.sealed[seat] is None else (WITHDRAW,)


def bid_choices(state: State, seat: int) -> Choices[AnyMove]:
    moves = (BID_NONE, *to_withdraw(state, seat), *to_sell(state, seat))
    return Choices(moves, (bid_form(state, seat),) if state.hands[seat] else ())


def to_sell(state: State, seat: int) -> list[AnyMove]:
    if selling_barred(state, seat):
        return []
    return [SALES[square] for square in squares_with(state.board, OWNERS[seat])]


def bid_form(state: State, seat: int) -> Form:
    """A bid of something; a bid of none is among the moves, as it has no plan."""
    hand = state.hands[seat]
    cowboys = Subset("cowboys", hand, 1, len(hand))
    plan = Ranking("plan", picks(state, seat), MOST_WISHES)
    return Form("bid", (cowboys, plan), "bid " + " ".join(map(str, hand[:3])))


def offer_form(state: State, seat: int) -> Form:
    """Several who want the land outbid one another; a single one gives one cowboy."""
    hand = state.hands[seat]
    most = len(hand) if len(state.asked) > 1 else 1
    return Form("offer", (Subset("cowboys", hand, 1, most),), f"offer {hand[0]}")


def flags_form(state: State) -> Form:
    count = FLAGS_EACH[state.seats]
    free, beside = free_squares(state.board), beside_flags(state.board)
    shut = [square for square in free if square in beside]
    example = first_squares(state.board, count)
    field = Squares("squares", names(free), names(shut), count)
    return Form("place_flags", (field,), "flags " + " ".join(names(example)))

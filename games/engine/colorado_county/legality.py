"""Determine what a seat may do now, and explain why other moves are refused."""

from collections.abc import Callable

from games.engine.choices import Choices, Form, Ranking, Squares, Subset
from games.engine.colorado_county import flags, placements
from games.engine.colorado_county.geometry import NAMES, OWNERS, SQUARES, names, no_square, squares_with
from games.engine.colorado_county.state import (
    FLAGS_EACH,
    LONGEST_PLAN,
    SALES_PER_ROUND,
    Answer,
    AnyMove,
    Bid,
    Offer,
    Pick,
    PlaceFlags,
    Sell,
    State,
    Withdraw,
    awaiting,
)
from games.engine.dice import Dice
from games.engine.errors import IllegalMove
from games.engine.text import listing

Reason = tuple[str, str, str]
"""An error code, a message and a hint."""

ALLOWED: dict[str, tuple[type[AnyMove], ...]] = {
    "flags": (PlaceFlags,),
    "bids": (Bid, Sell, Withdraw),
    "picks": (Pick,),
    "interest": (Answer, Withdraw),
    "offers": (Offer, Withdraw),
}
VERBS = {
    "flags": ("flags",),
    "bids": ("bid", "sell", "withdraw"),
    "picks": ("pick",),
    "interest": ("interested", "not interested", "withdraw"),
    "offers": ("offer", "withdraw"),
}
WHAT_NOW = {
    "flags": ("It's time to place flags.", "Name your squares, for example 'flags A1 C3 E5'."),
    "bids": (
        "It's time to bid.",
        "Bid some of your cowboys, for example 'bid 12 45 60', or 'bid none'.",
    ),
    "picks": ("It's time to pick a card.", "Try 'pick 2 D7 E9', 'pick 2 D7 only' or 'pick 2 nothing'."),
    "interest": ("Land is for sale.", "Try 'interested' or 'not interested'."),
    "offers": ("Land is for sale, and you said you want it.", "Offer one of your cowboys, for example 'offer 17'."),
}


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
        return Choices(placements.picks(state, seat))
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
    """Build the form for bids of at least one cowboy. A bid of no cowboys has no plan, so it is listed as a move."""
    hand = state.hands[seat]
    cowboys = Subset("cowboys", hand, 1, len(hand))
    plan = Ranking("plan", placements.picks(state, seat), LONGEST_PLAN)
    return Form("bid", (cowboys, plan), "bid " + " ".join(map(str, hand[:3])))


def offer_form(state: State, seat: int) -> Form:
    """Build the form for offers.

    If there are several buyers, they can outbid one another. A single buyer gives one cowboy.
    """
    hand = state.hands[seat]
    most = len(hand) if len(state.asked) > 1 else 1
    return Form("offer", (Subset("cowboys", hand, 1, most),), f"offer {hand[0]}")


def flags_form(state: State) -> Form:
    count = FLAGS_EACH[state.seats]
    free, beside = flags.free_squares(state.board), flags.beside_flags(state.board)
    shut = [square for square in free if square in beside]
    example = flags.first_squares(state.board, count)
    field = Squares("squares", names(free), names(shut), count)
    return Form("place_flags", (field,), "flags " + " ".join(names(example)))


def sampled_bid(state: State, seat: int, dice: Dice) -> AnyMove:
    """Choose a random bid or sale without listing all of them."""
    hand = state.hands[seat]
    for_sale = 0 if selling_barred(state, seat) else state.board.count(OWNERS[seat])
    pick = dice.below(1 + for_sale + bool(hand))
    if not pick:
        return BID_NONE
    if pick <= for_sale:
        return SALES[squares_with(state.board, OWNERS[seat])[pick - 1]]
    cowboys = sorted(dice.draw(hand, 1 + dice.below(len(hand)))[0])
    return Bid(tuple(cowboys), sampled_plan(state, seat, dice))


def sampled_plan(state: State, seat: int, dice: Dice) -> tuple[Pick, ...]:
    if not dice.below(2):
        return ()
    wishes, count = placements.picks(state, seat), 1
    while count < min(LONGEST_PLAN, len(wishes)) and dice.below(2):
        count += 1
    return (dice.choice(wishes),) if count == 1 else tuple(dice.draw(wishes, count)[0])


def sampled_offer(state: State, seat: int, dice: Dice) -> AnyMove:
    dice.below(1)  # there is only one form
    hand = state.hands[seat]
    count = 1 + dice.below(len(hand) if len(state.asked) > 1 else 1)
    return Offer(tuple(dice.draw(hand, count)[0]))


def sample(state: State, seat: int, dice: Dice) -> AnyMove:
    """Choose a random legal move without listing all of them."""
    if state.phase == "picks":
        return dice.choice(placements.picks(state, seat))
    if state.sealed[seat] is None:
        if state.phase == "bids":
            return sampled_bid(state, seat, dice)
        if state.phase == "interest":
            return dice.choice(ANSWERS)
        if state.phase == "offers":
            return sampled_offer(state, seat, dice)
    offered = choices(state, seat)
    pick = dice.below(len(offered.moves) + len(offered.forms))
    return offered.moves[pick] if pick < len(offered.moves) else filled(offered.forms[0], dice)


def filled(form: Form, dice: Dice) -> AnyMove:
    return FORMS[form.move](**{field.name: tuple(field.sample(dice)) for field in form.fields})


def refusal(state: State, seat: int, move: AnyMove) -> IllegalMove | None:
    if state.phase == "over":
        return IllegalMove("match_over", "The match is over.", "Look at the result.")
    if seat not in state.asked:
        awaited = sorted(awaiting(state))
        return IllegalMove("not_your_turn", "It isn't your turn.", "Wait for your turn.", awaited=awaited)
    if not isinstance(move, ALLOWED[state.phase]):
        what, how = WHAT_NOW[state.phase]
        return IllegalMove(
            "not_now", f"You can't do that now. {what}", how, phase=state.phase, allowed=verbs(state, seat)
        )
    return move_refusal(state, seat, move)


def verbs(state: State, seat: int) -> list[str]:
    """Return the first words of the moves this seat can make."""
    barred = {"sell"} if state.phase == "bids" and not can_sell(state, seat) else set()
    if state.sealed[seat] is None:
        barred.add("withdraw")
    return [verb for verb in VERBS[state.phase] if verb not in barred]


def can_sell(state: State, seat: int) -> bool:
    return selling_barred(state, seat) is None and bool(own_land(state, seat))


def move_refusal(state: State, seat: int, move: AnyMove) -> IllegalMove | None:
    """Return why this seat cannot make the move. The caller has checked that the phase allows this kind of move."""
    match move:
        case Bid():
            return bid_refusal(state, seat, move)
        case Pick():
            return placements.refusal(state, seat, move)
        case Sell(square=square):
            return sell_refusal(state, seat, square)
        case Offer(cowboys=cowboys):
            return offer_refusal(state, seat, cowboys)
        case PlaceFlags(squares=squares):
            return flags.refusal(state.board, FLAGS_EACH[state.seats], squares)
        case Withdraw():
            return withdraw_refusal(state, seat)
        case Answer():
            return None


def bid_refusal(state: State, seat: int, move: Bid) -> IllegalMove | None:
    refused = cowboys_refusal(state, seat, move.cowboys)
    if refused or not move.plan:
        return refused
    if not move.cowboys:
        return IllegalMove(
            "plan_without_bid",
            "If you bid none, you get no card, so you can't add a plan.",
            "Bid at least one cowboy, or 'bid none' without a plan.",
            allowed=list(state.hands[seat]),
        )
    for number, pick in enumerate(move.plan, start=1):
        against = placements.refusal(state, seat, pick, order="")
        if against:
            message = f"Pick {number} of your plan: {against.message}"
            return IllegalMove(against.code, message, against.hint, pick=number, **against.data)
    return None


def cowboys_refusal(state: State, seat: int, cowboys: tuple[int, ...]) -> IllegalMove | None:
    hand = state.hands[seat]
    chosen = set(cowboys)
    if len(chosen) == len(cowboys) and chosen.issubset(hand):
        return None
    yours = "Your cowboys: " + (" ".join(map(str, hand)) or "none") + "."
    missing = sorted(chosen.difference(hand))
    if missing:
        message = f"You don't have {listing([str(cowboy) for cowboy in missing], 'or')}."
        return IllegalMove("not_your_cowboy", message, yours, cowboys=missing, allowed=list(hand))
    twice = sorted(cowboy for cowboy in chosen if cowboys.count(cowboy) > 1)
    message = f"You listed cowboy {twice[0]} twice."
    return IllegalMove("same_cowboy_twice", message, yours, cowboys=twice, allowed=list(hand))


def offer_refusal(state: State, seat: int, cowboys: tuple[int, ...]) -> IllegalMove | None:
    hand = list(state.hands[seat])
    if not cowboys:
        return IllegalMove("offer_of_none", "Offer at least one cowboy.", f"Try 'offer {hand[0]}'.", allowed=hand)
    if len(cowboys) > 1 and len(state.asked) == 1:
        return IllegalMove(
            "one_cowboy",
            "Nobody else wants this land, so you give exactly one cowboy.",
            f"Try 'offer {hand[0]}' or choose another of your cowboys.",
            allowed=hand,
        )
    return cowboys_refusal(state, seat, cowboys)


def withdraw_refusal(state: State, seat: int) -> IllegalMove | None:
    if state.sealed[seat] is None:
        what, how = WHAT_NOW[state.phase]
        message = f"You have nothing to withdraw. {what}"
        return IllegalMove("nothing_to_withdraw", message, how, allowed=verbs(state, seat))
    return None


def sell_refusal(state: State, seat: int, square: str) -> IllegalMove | None:
    barred = selling_barred(state, seat)
    if barred:
        return IllegalMove(*barred, allowed=verbs(state, seat))
    own = list(own_land(state, seat))
    if square not in SQUARES:
        return IllegalMove("off_board", no_square(square), sale_hint(own), allowed=own)
    if square not in own:
        return IllegalMove(
            "not_your_land",
            f"You have no cube on {square}.",
            sale_hint(own),
            square=square,
            allowed=own,
        )
    return None


def selling_barred(state: State, seat: int) -> Reason | None:
    """Return why this seat cannot sell anything now."""
    if state.sealed[seat] is not None:
        return "withdraw_first", "You have already bid.", "Withdraw it first, then sell, then bid again."
    if not state.deck:
        return "last_cards", "Nothing can be sold during the last auction of a round.", WHAT_NOW["bids"][1]
    if state.sales[seat] == SALES_PER_ROUND:
        return "third_sale", "You have already sold twice this round, which is the limit.", WHAT_NOW["bids"][1]
    if not state.tokens[seat]:
        return "no_tokens", "You have no For Sale tokens left.", WHAT_NOW["bids"][1]
    return None


def own_land(state: State, seat: int) -> tuple[str, ...]:
    return tuple([NAMES[square] for square in squares_with(state.board, OWNERS[seat])])


def sale_hint(own: list[str]) -> str:
    return f"Your land: {' '.join(own)}." if own else "You don't own any land yet."

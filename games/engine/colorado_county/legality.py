"""Who may make which move now, and in which words anything else is refused."""

from collections.abc import Callable

from games.engine.colorado_county import flags, placements
from games.engine.colorado_county.board import (
    FACE_DOWN,
    FLAGS,
    FREE,
    LAKES,
    NAMES,
    NEIGHBOURS,
    OWNERS,
    SQUARES,
    mark,
    squares_with,
)
from games.engine.colorado_county.moves import Answer, AnyMove, Bid, Offer, Pick, PlaceFlags, Sell, Withdraw
from games.engine.colorado_county.options import FLAGS_EACH, SALES_PER_ROUND
from games.engine.colorado_county.state import State, awaiting
from games.engine.errors import IllegalMove

ALLOWED: dict[str, tuple[type[AnyMove], ...]] = {
    "flags": (PlaceFlags,),
    "bids": (Bid, Sell, Withdraw),
    "picks": (Pick,),
    "interest": (Answer, Withdraw),
    "offers": (Offer, Withdraw),
}
WHAT_NOW = {
    "flags": ("It is time to place flags.", "Write 'flags' and your squares, for example 'flags A1 C3 E5'."),
    "bids": ("It is time to bid for the cards.", "Write 'bid 12 45 60' with cowboys of yours, or 'bid none'."),
    "picks": ("It is time to pick a card.", "Write 'pick 2 D7 E9', 'pick 2 D7 only' or 'pick 2 nothing'."),
    "interest": ("Land is for sale.", "Write 'interested' or 'not interested'."),
    "offers": ("Land is for sale and you wanted it.", "Write 'offer 17' with a cowboy of yours."),
}


def refusal(state: State, seat: int, move: AnyMove) -> IllegalMove | None:
    if state.phase == "over":
        return IllegalMove("match_over", "The match is over.", "Look at the result.")
    if seat not in state.asked:
        return IllegalMove(
            "not_your_turn",
            "You are not asked now.",
            "Wait for your notice.",
            awaited=sorted(awaiting(state)),
        )
    if not isinstance(move, ALLOWED[state.phase]):
        what, how = WHAT_NOW[state.phase]
        return IllegalMove("not_now", f"You cannot do this now. {what}", how, phase=state.phase)
    return REFUSALS[type(move)](state, seat, move)


def bid_refusal(state: State, seat: int, move: Bid) -> IllegalMove | None:
    refused = cowboys_refusal(state, seat, move.cowboys)
    if refused or not move.plan:
        return refused
    if not move.cowboys:
        return IllegalMove(
            "plan_without_bid",
            "A bid of none takes no card, so a plan is of no use.",
            "Write 'bid none', or bid at least one cowboy.",
        )
    for number, wish in enumerate(move.plan, start=1):
        against = placements.refusal(state, seat, wish)
        if against:
            message = f"Wish {number}: {against.message}"
            return IllegalMove(against.code, message, against.hint, wish=number, **against.data)
    return None


def cowboys_refusal(state: State, seat: int, cowboys: tuple[int, ...]) -> IllegalMove | None:
    hand = state.hands[seat]
    strangers = sorted(set(cowboys).difference(hand))
    yours = "Your cowboys: " + (" ".join(map(str, hand)) or "none") + "."
    if strangers:
        names = ", ".join(map(str, strangers))
        return IllegalMove("not_your_cowboy", f"You do not have {names}.", yours, cowboys=strangers, allowed=list(hand))
    twice = sorted({cowboy for cowboy in cowboys if cowboys.count(cowboy) > 1})
    if twice:
        return IllegalMove(
            "same_cowboy_twice",
            f"You have only one cowboy {twice[0]}.",
            yours,
            cowboys=twice,
            allowed=list(hand),
        )
    return None


def offer_refusal(state: State, seat: int, move: Offer) -> IllegalMove | None:
    hand = list(state.hands[seat])
    if not move.cowboys:
        return IllegalMove(
            "offer_of_none", "An offer is at least one cowboy.", f"Write 'offer {hand[0]}'.", allowed=hand
        )
    if len(move.cowboys) > 1 and len(state.asked) == 1:
        return IllegalMove(
            "one_cowboy",
            "Nobody else wants this land: you give one cowboy.",
            f"Write 'offer {hand[0]}', or another one of yours.",
            allowed=hand,
        )
    return cowboys_refusal(state, seat, move.cowboys)


def answer_refusal(state: State, seat: int, move: Answer) -> IllegalMove | None:
    return None


def withdraw_refusal(state: State, seat: int, move: Withdraw) -> IllegalMove | None:
    if state.sealed[seat] is None:
        what, how = WHAT_NOW[state.phase]
        return IllegalMove("nothing_to_withdraw", f"You have not committed anything yet. {what}", how)
    return None


def pick_refusal(state: State, seat: int, move: Pick) -> IllegalMove | None:
    return placements.refusal(state, seat, move)


def sell_refusal(state: State, seat: int, move: Sell) -> IllegalMove | None:
    barred = selling_barred(state, seat)
    if barred:
        return barred
    own = list(own_land(state, seat))
    if move.square not in SQUARES:
        return IllegalMove("off_board", no_square(move.square), sale_hint(own), allowed=own)
    if move.square not in own:
        return IllegalMove(
            "not_your_land",
            f"You have no cube on {move.square}.",
            sale_hint(own),
            square=move.square,
            allowed=own,
        )
    return None


def selling_barred(state: State, seat: int) -> IllegalMove | None:
    """Why this seat cannot sell anything now."""
    if state.sealed[seat] is not None:
        return IllegalMove(
            "withdraw_first", "You have committed a bid.", "Write 'withdraw' first, then sell, then bid again."
        )
    if not state.deck:
        return IllegalMove("last_cards", "On the last cards of a round nothing can be sold.", WHAT_NOW["bids"][1])
    if state.sales[seat] == SALES_PER_ROUND:
        return IllegalMove("third_sale", "You have sold twice in this round.", "You can sell again in the next round.")
    if not state.tokens[seat]:
        return IllegalMove("no_tokens", "You have no For Sale token left.", WHAT_NOW["bids"][1])
    return None


def own_land(state: State, seat: int) -> tuple[str, ...]:
    return tuple([NAMES[square] for square in squares_with(state.board, OWNERS[seat])])


def sale_hint(own: list[str]) -> str:
    return f"Your land: {' '.join(own)}." if own else "You own no land yet."


def no_square(square: str) -> str:
    return f"There is no square {square[:8]}; the board goes from A1 to O10."


def flags_refusal(state: State, seat: int, move: PlaceFlags) -> IllegalMove | None:
    count = FLAGS_EACH[state.seats]
    if len(move.squares) != count:
        return IllegalMove(
            "flag_count",
            f"You place {count} flags, and you named {len(move.squares)} squares.",
            f"Write 'flags' and {count} squares.",
            count=count,
        )
    board = state.board
    for square in move.squares:
        refused = flag_refusal(board, square)
        if refused:
            return refused
        board = mark(board, SQUARES[square], FACE_DOWN)
    return None


def flag_refusal(board: str, square: str) -> IllegalMove | None:
    """Why the next flag may not go there, after those named before it."""
    open_now = [NAMES[other] for other in flags.open_squares(board)]
    if square in open_now:
        return None
    code, reason = reason_against_flag(board, square)
    hint = f"Open squares are for example {' '.join(open_now[:8])}."
    return IllegalMove(code, reason, hint, square=square, allowed=open_now)


def reason_against_flag(board: str, square: str) -> tuple[str, str]:
    if square not in SQUARES:
        return "off_board", no_square(square)
    there = board[SQUARES[square]]
    if there in LAKES:
        return "lake", f"{square} is part of a lake."
    if there in OWNERS:
        return "occupied", f"There is a cube on {square}."
    if there != FREE:
        return "flag_there", f"There is a flag on {square} already."
    beside = [near for near in NEIGHBOURS[SQUARES[square]] if board[near] in (*FLAGS, FACE_DOWN)]
    return "flag_beside_flag", f"{square} lies beside the flag on {NAMES[beside[0]]}."


REFUSALS: dict[type[AnyMove], Callable[[State, int, AnyMove], IllegalMove | None]] = {
    PlaceFlags: flags_refusal,
    Bid: bid_refusal,
    Withdraw: withdraw_refusal,
    Pick: pick_refusal,
    Sell: sell_refusal,
    Answer: answer_refusal,
    Offer: offer_refusal,
}

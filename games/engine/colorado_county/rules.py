"""Moves and their consequences: revealing sealed moves, ending and starting rounds, ending the match."""

from msgspec.structs import replace

from games.engine.base import Played
from games.engine.colorado_county import auction, flags, sales
from games.engine.colorado_county.events import (
    Committed,
    FlagsDrawn,
    FlagsPlaced,
    FlagsRevealed,
    MatchWon,
    RoundScored,
    RoundStarted,
    Withdrawn,
)
from games.engine.colorado_county.geometry import NAMES, SQUARES
from games.engine.colorado_county.legality import refusal
from games.engine.colorado_county.placements import picks
from games.engine.colorado_county.scoring import score
from games.engine.colorado_county.state import (
    CARDS_PER_COLOUR,
    FLAGS_EACH,
    ROUNDS,
    Answer,
    AnyMove,
    Bid,
    Offer,
    Pick,
    PlaceFlags,
    SealedMove,
    Sell,
    State,
    Withdraw,
    all_committed,
)
from games.engine.dice import Dice
from games.engine.records import Event, put


def play(state: State, seat: int, move: AnyMove, dice: Dice) -> Played[State]:
    refused = refusal(state, seat, move)
    if refused:
        raise refused
    if isinstance(move, SealedMove):
        return commit(state, seat, move, dice)
    if isinstance(move, Withdraw):
        return Played(replace(state, sealed=put(state.sealed, seat, None)), (Withdrawn(seat),), quiet=True)
    happened: list[Event] = []
    return Played(act(state, seat, move, dice, happened), tuple(happened))


def commit(state: State, seat: int, move: SealedMove, dice: Dice) -> Played[State]:
    """A player's first commitment is public; replacing it is not."""
    committed = replace(state, sealed=put(state.sealed, seat, move))
    if not all_committed(committed):
        first = state.sealed[seat] is None
        return Played(committed, (Committed(seat),) if first else (), quiet=True)
    happened: list[Event] = []
    return Played(resolve(committed, dice, happened), tuple(happened))


def resolve(state: State, dice: Dice, happened: list[Event]) -> State:
    """Resolve the phase after its last sealed move."""
    if state.phase == "interest":
        return sales.resolve_answers(state, dice, happened)
    if state.phase == "offers":
        return sales.resolve_offers(state, dice, happened)
    return continue_picking(auction.reveal_bids(state, happened), dice, happened)


def act(state: State, seat: int, move: PlaceFlags | Pick | Sell, dice: Dice, happened: list[Event]) -> State:
    if isinstance(move, PlaceFlags):
        return place_flags(state, seat, move.squares, dice, happened)
    if isinstance(move, Sell):
        return sales.put_up(state, seat, SQUARES[move.square], dice, happened)
    return continue_picking(auction.take_card(state, seat, move, happened), dice, happened)


def continue_picking(state: State, dice: Dice, happened: list[Event]) -> State:
    state = auction.play_plans(state, happened)
    if state.asked:
        return state
    return continue_round(auction.close(state, dice, happened), dice, happened)


def start_round(state: State, number: int, dice: Dice, happened: list[Event]) -> State:
    happened.append(RoundStarted(number))
    drawn = [dice.draw(cards, CARDS_PER_COLOUR) for cards in state.stock]
    started = replace(
        state,
        round=number,
        sales=(0,) * state.seats,
        stock=tuple(tuple(left) for _, left in drawn),
        deck=tuple(dice.shuffle([card for cards, _ in drawn for card in cards])),
        board=flags.without_flags(state.board),
        flags_aside=state.flags_aside + flags.count(state.board),
        sealed=state.nobody,
    )
    if state.options.flags == "players":
        return replace(started, phase="flags", asked=(first_to_place(started),))
    board = flags.place_at_random(started.board, dice)
    happened.append(FlagsDrawn(flags.by_colour(board)))
    return auction.turn_up(replace(started, board=board, flags_aside=0), happened)


def first_to_place(state: State) -> int:
    """Moves one seat each round (house)."""
    return (state.round - 1) % state.seats


def place_flags(state: State, seat: int, squares: tuple[str, ...], dice: Dice, happened: list[Event]) -> State:
    happened.append(FlagsPlaced(seat, squares))
    board = flags.face_down(state.board, [SQUARES[square] for square in squares])
    placed = replace(state, board=board, flags_aside=state.flags_aside - len(squares))
    if placed.flags_aside:
        return replace(placed, asked=((seat + 1) % state.seats,))
    board = flags.turn_up(board, dice)
    happened.append(FlagsRevealed(flags.by_colour(board)))
    return auction.turn_up(replace(placed, board=board), happened)


def continue_round(state: State, dice: Dice, happened: list[Event]) -> State:
    """After an auction, turn up the next cards or end the round."""
    return auction.turn_up(state, happened) if state.deck else end_round(state, dice, happened)


def end_round(state: State, dice: Dice, happened: list[Event]) -> State:
    scores = score(state.board, state.holders, state.seats, state.round)
    scored = replace(state, scores=(*state.scores, scores))
    happened.append(RoundScored(state.round, scores, scored.totals))
    if state.round < ROUNDS:
        return start_round(scored, state.round + 1, dice, happened)
    best = max(scored.totals)
    winners = tuple(seat for seat, points in enumerate(scored.totals) if points == best)
    happened.append(MatchWon(winners, scored.totals))
    return replace(scored, phase="over", asked=())


def on_timeout(state: State, seat: int) -> AnyMove:
    """Keep the absent player's cowboys and land. A card they already paid for is used, though: the first of those
    that allow the most cubes."""
    if state.phase == "flags":
        squares = flags.first_squares(state.board, FLAGS_EACH[state.seats])
        return PlaceFlags(tuple(NAMES[square] for square in squares))
    if state.phase == "picks":
        return max(picks(state, seat), key=lambda pick: len(pick.squares))
    if state.phase == "interest":
        return Answer(interested=False)
    if state.phase == "offers":
        return Offer(state.hands[seat][:1])
    return Bid()

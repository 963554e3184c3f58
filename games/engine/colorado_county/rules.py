"""The effects of moves: revealing sealed moves, starting and ending rounds, and ending the match."""

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
from games.engine.colorado_county.legality import refusal, sample
from games.engine.colorado_county.placements import picks
from games.engine.colorado_county.scoring import score
from games.engine.colorado_county.state import (
    CARDS_PER_COLOUR,
    FLAGS_EACH,
    ROUNDS,
    SEALED_MOVES,
    Answer,
    AnyMove,
    Bid,
    Offer,
    Pick,
    PlaceFlags,
    Sell,
    State,
    Withdraw,
    all_committed,
    awaiting,
)
from games.engine.dice import Dice
from games.engine.records import IGNORED_EVENTS, Happened, put


def play(state: State, seat: int, move: AnyMove, dice: Dice) -> Played[State]:
    refused = refusal(state, seat, move)
    if refused:
        raise refused
    happened = Happened()
    played = advance(state, seat, move, dice, happened)
    return Played(played, tuple(happened), quiet=isinstance(move, Withdraw) or waits_for_others(state, seat, move))


def waits_for_others(state: State, seat: int, move: AnyMove) -> bool:
    return type(move) in SEALED_MOVES and not awaiting(state) <= {seat}


def advance(state: State, seat: int, move: AnyMove, dice: Dice, happened: Happened = IGNORED_EVENTS) -> State:
    if type(move) in SEALED_MOVES:
        return commit(state, seat, move, dice, happened)
    if isinstance(move, Pick):
        return continue_picking(auction.take_card(state, seat, move, happened), dice, happened)
    if isinstance(move, Sell):
        return sales.put_up(state, seat, SQUARES[move.square], dice, happened)
    if isinstance(move, PlaceFlags):
        return place_flags(state, seat, move.squares, dice, happened)
    happened.add(Withdrawn, seat)
    return replace(state, sealed=put(state.sealed, seat, None))


def commit(state: State, seat: int, move: AnyMove, dice: Dice, happened: Happened) -> State:
    """Seal a move. Everyone is told when a seat first seals a move, but not when it replaces the move."""
    committed = replace(state, sealed=put(state.sealed, seat, move))
    if all_committed(committed):
        return resolve(committed, dice, happened)
    if state.sealed[seat] is None:
        happened.add(Committed, seat)
    return committed


def resolve(state: State, dice: Dice, happened: Happened) -> State:
    """Resolve the phase after its last sealed move."""
    if state.phase == "interest":
        return sales.resolve_answers(state, dice, happened)
    if state.phase == "offers":
        return sales.resolve_offers(state, dice, happened)
    return continue_picking(auction.reveal_bids(state, happened), dice, happened)


def playout(state: State, dice: Dice) -> State:
    """Play random moves to the end. If several seats have to decide, they make their sealed moves together."""
    while state.phase != "over":
        sealed: list[AnyMove | None] = list(state.sealed)
        for seat in state.asked:
            if sealed[seat] is None:
                move = sample(state, seat, dice)
                if type(move) not in SEALED_MOVES:
                    state = advance(state, seat, move, dice)
                    break
                sealed[seat] = move
        else:
            state = resolve(replace(state, sealed=tuple(sealed)), dice, IGNORED_EVENTS)
    return state


def continue_picking(state: State, dice: Dice, happened: Happened) -> State:
    state = auction.play_plans(state, happened)
    if state.asked:
        return state
    return continue_round(auction.close(state, dice, happened), dice, happened)


def start_round(state: State, number: int, dice: Dice, happened: Happened) -> State:
    happened.add(RoundStarted, number)
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
    happened.add(flags_drawn, board)
    return auction.turn_up(replace(started, board=board, flags_aside=0), happened)


def flags_drawn(board: str) -> FlagsDrawn:
    return FlagsDrawn(flags.by_colour(board))


def flags_revealed(board: str) -> FlagsRevealed:
    return FlagsRevealed(flags.by_colour(board))


def first_to_place(state: State) -> int:
    """Return the seat that places flags first, which is one seat further to the left each round (house rule)."""
    return (state.round - 1) % state.seats


def place_flags(state: State, seat: int, squares: tuple[str, ...], dice: Dice, happened: Happened) -> State:
    happened.add(FlagsPlaced, seat, squares)
    board = flags.face_down(state.board, [SQUARES[square] for square in squares])
    placed = replace(state, board=board, flags_aside=state.flags_aside - len(squares))
    if placed.flags_aside:
        return replace(placed, asked=((seat + 1) % state.seats,))
    board = flags.turn_up(board, dice)
    happened.add(flags_revealed, board)
    return auction.turn_up(replace(placed, board=board), happened)


def continue_round(state: State, dice: Dice, happened: Happened) -> State:
    """Turn up the next cards after an auction, or end the round."""
    return auction.turn_up(state, happened) if state.deck else end_round(state, dice, happened)


def end_round(state: State, dice: Dice, happened: Happened) -> State:
    scores = score(state.board, state.holders, state.seats, state.round)
    scored = replace(state, scores=(*state.scores, scores))
    happened.add(round_scored, scored)
    if state.round < ROUNDS:
        return start_round(scored, state.round + 1, dice, happened)
    happened.add(match_won, scored)
    return replace(scored, phase="over", asked=())


def round_scored(state: State) -> RoundScored:
    return RoundScored(state.round, state.scores[-1], state.totals)


def match_won(state: State) -> MatchWon:
    best = max(state.totals)
    return MatchWon(tuple(seat for seat, points in enumerate(state.totals) if points == best), state.totals)


def on_timeout(state: State, seat: int) -> AnyMove:
    """Choose a move that keeps the absent player's cowboys and land.

    If they have already paid for a card, use the first card that allows the most cubes.
    """
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

"""Setting up a deal, and the effect of each move."""

from msgspec.structs import replace

from games.engine.base import Played
from games.engine.coloretto.legality import DRAW, PLACES, TAKES, refusal, rows_to_take, rows_with_room
from games.engine.coloretto.scoring import score, totals
from games.engine.coloretto.state import (
    CARDS_PER_COLOUR,
    COLOURS,
    COLOURS_LEAVING,
    GOLDEN_JOKER,
    JOKERS,
    LAST_ROUND,
    PLUS_TWO,
    PLUS_TWOS,
    ROW_ROOM,
    STARTING_CARDS,
    UNDER_LAST_ROUND,
    AnyMove,
    CardDrawn,
    CardPlaced,
    DealScored,
    DealStarted,
    Draw,
    FinishedDeal,
    GoldenCardGained,
    LastRoundSeen,
    MatchWon,
    Options,
    Place,
    RoundEnded,
    RowRemoved,
    RowTaken,
    State,
)
from games.engine.dice import Dice
from games.engine.records import Event, put


def deal(seats: int, options: Options, starter: int, finished: tuple[FinishedDeal, ...], dice: Dice) -> State:
    _leaving, staying = dice.draw("".join(COLOURS), COLOURS_LEAVING[seats])
    colours = "".join(staying)
    hands = starting_hands(seats, colours, dice)
    supply = "".join(dice.shuffle(box(colours, options, without="".join(hands))))
    above = len(supply) - UNDER_LAST_ROUND[options.edition]
    return State(
        options=options,
        seats=seats,
        deal=len(finished) + 1,
        starter=starter,
        colours=colours,
        supply=supply[:above] + LAST_ROUND + supply[above:],
        rows=("",) * len(ROW_ROOM[seats]),
        hands=hands,
        took=(None,) * seats,
        to_move=starter,
        finished=finished,
    )


def starting_hands(seats: int, colours: str, dice: Dice) -> tuple[str, ...]:
    """All starting cards have different colours, with two players across both hands (house)."""
    each = STARTING_CARDS[seats]
    dealt = "".join(dice.draw(colours, seats * each)[0])
    return tuple(dealt[seat * each : (seat + 1) * each] for seat in range(seats))


def box(colours: str, options: Options, without: str = "") -> str:
    """All cards of a game with these colours, except the last-round card and those in `without`."""
    coloured = "".join(colour * (CARDS_PER_COLOUR - without.count(colour)) for colour in colours)
    return coloured + PLUS_TWO * PLUS_TWOS + JOKERS[options.edition]


def deal_started(state: State) -> DealStarted:
    supply = len(state.supply) - len(LAST_ROUND)
    return DealStarted(state.deal, state.starter, state.colours, state.hands, supply)


Happened = tuple[Event, ...]
NOTHING: Happened = ()


def play(state: State, seat: int, move: AnyMove, dice: Dice) -> Played[State]:
    refused = refusal(state, seat, move)
    if refused:
        raise refused
    if isinstance(move, Draw):
        return draw(state, seat)
    if isinstance(move, Place):
        return place(state, seat, move.row)
    return take(state, seat, move.row, dice)


def reveal(state: State, seat: int) -> tuple[str, str, bool, Happened]:
    """The top card, the rest of the supply, whether this is the last round, and the events.

    There always is a card: the longest round takes fewer cards than lie under the last-round card.
    """
    supply, last_round, seen = state.supply, state.last_round, NOTHING
    if supply.startswith(LAST_ROUND):
        supply, last_round, seen = supply[1:], True, (LastRoundSeen(seat),)
    assert supply, "the supply never runs dry"
    return supply[0], supply[1:], last_round, seen


def draw(state: State, seat: int) -> Played[State]:
    card, supply, last_round, seen = reveal(state, seat)
    drawn = replace(state, supply=supply, drawn=card, last_round=last_round)
    return Played(drawn, (*seen, CardDrawn(seat, card)))


def place(state: State, seat: int, row: int) -> Played[State]:
    cards = (state.rows[row - 1] or "") + state.drawn
    placed = replace(state, rows=put(state.rows, row - 1, cards), drawn="", to_move=next_still_in(state.took, seat))
    return Played(placed, (CardPlaced(seat, state.drawn, row),))


def take(state: State, seat: int, row: int, dice: Dice) -> Played[State]:
    cards = state.rows[row - 1] or ""
    taken = replace(
        state,
        rows=put(state.rows, row - 1, None),
        hands=put(state.hands, seat, state.hands[seat] + cards),
        took=put(state.took, seat, row),
    )
    happened: Happened = (RowTaken(seat, row, cards),)
    if GOLDEN_JOKER in cards:
        taken, gained = gain_golden_card(taken, seat)
        happened += gained
    if None in taken.took:
        return Played(replace(taken, to_move=next_still_in(taken.took, seat)), happened)
    ended, followed = end_round(taken, seat, dice)
    return Played(ended, happened + followed)


def gain_golden_card(state: State, seat: int) -> tuple[State, Happened]:
    card, supply, last_round, seen = reveal(state, seat)
    hands = put(state.hands, seat, state.hands[seat] + card)
    gained = replace(state, supply=supply, hands=hands, last_round=last_round)
    return gained, (*seen, GoldenCardGained(seat, card))


def end_round(state: State, last_taker: int, dice: Dice) -> tuple[State, Happened]:
    removed: Happened = tuple(RowRemoved(i + 1, cards) for i, cards in enumerate(state.rows) if cards)
    left_over = "".join(cards for cards in state.rows if cards)
    state = replace(state, removed=state.removed + left_over, rows=("",) * len(state.rows))
    if state.last_round:
        ended, followed = end_deal(state, dice)
        return ended, removed + followed
    again = replace(state, took=(None,) * state.seats, to_move=last_taker)
    return again, (*removed, RoundEnded(last_taker))


def end_deal(state: State, dice: Dice) -> tuple[State, Happened]:
    scores = tuple(score(hand, state.colours, state.options.scoring) for hand in state.hands)
    finished = (*state.finished, FinishedDeal(state.colours, state.hands))
    sums = totals(finished, state.options.scoring, state.seats)
    scored = DealScored(state.deal, scores, sums)
    if state.deal == state.options.deals:
        best = max(sums)
        winners = tuple(seat for seat, points in enumerate(sums) if points == best)
        return replace(state, over=True, finished=finished), (scored, MatchWon(winners, sums))
    starter = (state.starter + 1) % state.seats
    following = deal(state.seats, state.options, starter, finished, dice)
    return following, (scored, deal_started(following))


def next_still_in(took: tuple[int | None, ...], seat: int) -> int:
    """The next seat to the left that has not taken a row this round; possibly the same seat."""
    following = seat + 1
    while took[following % len(took)] is not None:
        following += 1
    return following % len(took)


def on_timeout(state: State, seat: int) -> AnyMove:
    """Take the row worth most to the absent player, which reveals nothing new. If no row can be taken, draw and
    place the card on the row with the most room."""
    if state.drawn:
        room = ROW_ROOM[state.seats]
        return PLACES[max(rows_with_room(state), key=lambda i: room[i] - len(state.rows[i] or ""))]
    takeable = rows_to_take(state)
    if not takeable:
        return DRAW
    return TAKES[max(takeable, key=lambda i: worth_of_row(state, seat, i))]


def worth_of_row(state: State, seat: int, row: int) -> int:
    return score(state.hands[seat] + (state.rows[row] or ""), state.colours, state.options.scoring).total

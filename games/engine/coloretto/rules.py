"""Set up deals, and apply moves."""

from msgspec.structs import replace

from games.engine.base import Played
from games.engine.coloretto.legality import DRAW, PLACES, TAKES, refusal, rows_to_take, rows_with_room
from games.engine.coloretto.scoring import deal_scores, score, totals
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
from games.engine.records import IGNORED_EVENTS, Happened, put


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
    """Draw the starting cards, all in different colors, even if two players draw two each (house rule)."""
    each = STARTING_CARDS[seats]
    dealt = "".join(dice.draw(colours, seats * each)[0])
    return tuple(dealt[seat * each : (seat + 1) * each] for seat in range(seats))


def box(colours: str, options: Options, without: str = "") -> str:
    """Return all cards of a deal with these colors, except for the last-round card and the cards in `without`."""
    coloured = "".join(colour * (CARDS_PER_COLOUR - without.count(colour)) for colour in colours)
    return coloured + PLUS_TWO * PLUS_TWOS + JOKERS[options.edition]


def deal_started(state: State) -> DealStarted:
    supply = len(state.supply) - len(LAST_ROUND)
    return DealStarted(state.deal, state.starter, state.colours, state.hands, supply)


def play(state: State, seat: int, move: AnyMove, dice: Dice) -> Played[State]:
    refused = refusal(state, seat, move)
    if refused:
        raise refused
    happened = Happened()
    return Played(advance(state, seat, move, dice, happened), tuple(happened))


def advance(state: State, seat: int, move: AnyMove, dice: Dice, happened: Happened = IGNORED_EVENTS) -> State:
    if isinstance(move, Draw):
        return draw(state, seat, happened)
    if isinstance(move, Place):
        return place(state, seat, move.row, happened)
    return take(state, seat, move.row, dice, happened)


def reveal(state: State, seat: int, happened: Happened) -> tuple[str, str, bool]:
    """Return the top card, the rest of the supply, and whether this is the last round.

    The supply never runs out, because even the longest round takes fewer cards than there are under the last-round
    card.
    """
    supply, last_round = state.supply, state.last_round
    if supply[:1] == LAST_ROUND:
        supply, last_round = supply[1:], True
        happened.add(LastRoundSeen, seat)
    assert supply, "the supply never runs dry"
    return supply[0], supply[1:], last_round


def draw(state: State, seat: int, happened: Happened) -> State:
    card, supply, last_round = reveal(state, seat, happened)
    happened.add(CardDrawn, seat, card)
    return replace(state, supply=supply, drawn=card, last_round=last_round)


def place(state: State, seat: int, row: int, happened: Happened) -> State:
    happened.add(CardPlaced, seat, state.drawn, row)
    cards = (state.rows[row - 1] or "") + state.drawn
    return replace(state, rows=put(state.rows, row - 1, cards), drawn="", to_move=next_still_in(state.took, seat))


def take(state: State, seat: int, row: int, dice: Dice, happened: Happened) -> State:
    cards = state.rows[row - 1] or ""
    happened.add(RowTaken, seat, row, cards)
    took = put(state.took, seat, row)
    taken = replace(
        state,
        rows=put(state.rows, row - 1, None),
        hands=put(state.hands, seat, state.hands[seat] + cards),
        took=took,
        to_move=next_still_in(took, seat) if None in took else seat,
    )
    if GOLDEN_JOKER in cards:
        taken = gain_golden_card(taken, seat, happened)
    return taken if None in took else end_round(taken, seat, dice, happened)


def gain_golden_card(state: State, seat: int, happened: Happened) -> State:
    card, supply, last_round = reveal(state, seat, happened)
    happened.add(GoldenCardGained, seat, card)
    hands = put(state.hands, seat, state.hands[seat] + card)
    return replace(state, supply=supply, hands=hands, last_round=last_round)


def end_round(state: State, last_taker: int, dice: Dice, happened: Happened) -> State:
    for number, cards in enumerate(state.rows, start=1):
        if cards:
            happened.add(RowRemoved, number, cards)
    removed = state.removed + "".join([cards for cards in state.rows if cards])
    rows = ("",) * len(state.rows)
    if state.last_round:
        return end_deal(replace(state, removed=removed, rows=rows), dice, happened)
    happened.add(RoundEnded, last_taker)
    return replace(state, removed=removed, rows=rows, took=(None,) * state.seats, to_move=last_taker)


def end_deal(state: State, dice: Dice, happened: Happened) -> State:
    finished = (*state.finished, FinishedDeal(state.colours, state.hands))
    happened.add(deal_scored, state, finished)
    if state.deal == state.options.deals:
        happened.add(match_won, state, finished)
        return replace(state, over=True, finished=finished)
    starter = (state.starter + 1) % state.seats
    following = deal(state.seats, state.options, starter, finished, dice)
    happened.add(deal_started, following)
    return following


def deal_scored(state: State, finished: tuple[FinishedDeal, ...]) -> DealScored:
    scoring = state.options.scoring
    return DealScored(state.deal, deal_scores(finished[-1], scoring), totals(finished, scoring, state.seats))


def match_won(state: State, finished: tuple[FinishedDeal, ...]) -> MatchWon:
    points = totals(finished, state.options.scoring, state.seats)
    best = max(points)
    return MatchWon(tuple(seat for seat, mine in enumerate(points) if mine == best), points)


def next_still_in(took: tuple[int | None, ...], seat: int) -> int:
    """Return the next seat to the left that has not taken a row in this round. It may be the same seat."""
    following = (seat + 1) % len(took)
    while took[following] is not None:
        following = (following + 1) % len(took)
    return following


def on_timeout(state: State, seat: int) -> AnyMove:
    """Take the row that is worth the most to the absent player, because taking a row reveals nothing new.

    If no row can be taken, draw a card and place it on the row with the most room.
    """
    if state.drawn:
        room = ROW_ROOM[state.seats]
        return PLACES[max(rows_with_room(state), key=lambda i: room[i] - len(state.rows[i] or ""))]
    takeable = rows_to_take(state)
    if not takeable:
        return DRAW
    return TAKES[max(takeable, key=lambda i: worth_of_row(state, seat, i))]


def worth_of_row(state: State, seat: int, row: int) -> int:
    return score(state.hands[seat] + (state.rows[row] or ""), state.colours, state.options.scoring).total

"""Advice for bots that play Colorado County: the value of cards and cowboys, and how much others are likely to bid."""

from collections.abc import Sequence
from functools import lru_cache
from math import exp, factorial, sqrt

from msgspec.structs import replace

from games.engine.colorado_county import flags
from games.engine.colorado_county.appraisal import AUCTIONS, GENEROSITY, Land, appraise, land
from games.engine.colorado_county.geometry import FREE, NAMES, OWNERS, SQUARES, mark, squares_with
from games.engine.colorado_county.holdings import Cowboys
from games.engine.colorado_county.legality import ANSWERS, BID_NONE, SALES, selling_barred
from games.engine.colorado_county.placements import cubes_to_place
from games.engine.colorado_county.state import (
    CARDS_TURNED_UP,
    CONSOLATION,
    CONSOLATION_FOR_NONE,
    COWBOYS,
    DRAWN_BY_SELLER,
    FLAGS_EACH,
    ROUNDS,
    Answer,
    AnyMove,
    Bid,
    Offer,
    Pick,
    PlaceFlags,
    Sell,
    State,
)
from games.engine.dice import Dice
from games.engine.strategy import Option, Strategy

PRICE = 0.7
"""The value of a cowboy at the start of a match, in points."""
PLENTY = 3.0
"""The number of cowboys per remaining auction at which one more cowboy is worth only half as much."""
HIGH_NUMBER = 0.25
"""How much more the highest cowboy is worth than the lowest, as a fraction of the price."""
EAGERNESS = 1.6
"""How many cowboys other players are expected to bid, compared with spreading their hands evenly over all auctions."""
MOST_PICKS = 6
MOST_SALES = 2
MOST_BID = 6
SAVINGS = 3.0
"""The factor by which a search multiplies the price of cowboys. It reflects what cowboys earned in matches between
normal bots."""
LUCK = (2.0, 2.2)
"""The spread of scores at the end of a match, and how much each remaining auction adds to it."""


def auctions_left(state: State) -> int:
    """Count the auctions left in the match after the current one."""
    return len(state.deck) // CARDS_TURNED_UP[state.seats] + (ROUNDS - state.round) * AUCTIONS[state.seats]


@lru_cache(maxsize=4096)
def hand_value(count: int, auctions: int, seats: int) -> float:
    """Estimate what this many cowboys are worth with this many auctions left."""
    if not auctions:
        return 0.0
    season = sqrt(auctions / (ROUNDS * AUCTIONS[seats]))
    return PRICE * season * count / (1 + count / (PLENTY * auctions))


def cowboys_value(hand: Cowboys, auctions: int, seats: int) -> float:
    if not hand:
        return 0.0
    average = sum(hand) / len(hand) / COWBOYS - 0.5
    return hand_value(len(hand), auctions, seats) * (1 + HIGH_NUMBER * average)


class Auction:
    """The cards on offer, as a seat sees them before it bids."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat, self.land = state, seat, land(state)
        self.auctions = auctions_left(state)
        self.others = sorted(
            [other for other in range(state.seats) if other != seat], key=lambda other: -len(state.hands[other])
        )
        self.by_rank = [self.outcome(rank) for rank in range(state.seats)]
        self.expected = [others_bid(len(state.hands[other]), self.auctions) for other in self.others]

    def outcome(self, rank: int) -> float:
        """Rate the picks if this many other seats pick before this one, and everyone takes their best card."""
        cards = list(self.state.turned_up)
        order = [*self.others[:rank], self.seat, *self.others[rank:]]
        mine = given = 0.0
        for picker in order:
            if not cards:
                break
            gained, card = self.favourite(picker, cards)
            cards.remove(card)
            if picker == self.seat:
                mine = gained
            else:
                given += gained
        return mine - GENEROSITY * given / len(self.others)

    def favourite(self, picker: int, cards: Sequence[str]) -> tuple[float, str]:
        cubes = cubes_to_place(self.state, picker)
        return max((self.land.picks(picker, card, cubes)[0][0], card) for card in cards)

    def worth(self, cowboys: Cowboys) -> float:
        """Rate a bid by averaging over the possible bids of the others."""
        state, hand = self.state, self.state.hands[self.seat]
        left = tuple([cowboy for cowboy in hand if cowboy not in cowboys])
        ahead, lowest = self.ranks(cowboys)
        drawn = CONSOLATION_FOR_NONE if not cowboys else CONSOLATION[state.options.consolation] * lowest
        if cowboys:
            picks = sum([chance * value for chance, value in zip(ahead, self.by_rank, strict=True)])
        else:
            picks = self.by_rank[-1] if len(self.others) >= len(state.turned_up) else self.without()
        keeping = cowboys_value(left, self.auctions, state.seats)
        marginal = hand_value(len(left) + 1, self.auctions, state.seats) - hand_value(
            len(left), self.auctions, state.seats
        )
        return picks + keeping + drawn * marginal

    def without(self) -> float:
        """Rate the picks if this seat takes no card."""
        cards, given = list(self.state.turned_up), 0.0
        for picker in self.others:
            if cards:
                gained, card = self.favourite(picker, cards)
                cards.remove(card)
                given += gained
        return -GENEROSITY * given / len(self.others)

    def ranks(self, cowboys: Cowboys) -> tuple[list[float], float]:
        """Estimate how likely it is that 0, 1, 2 … others bid more, and that this bid is the lowest."""
        count, top = len(cowboys), max(cowboys, default=0)
        ahead = [1.0]
        lowest = 1.0
        for expected in self.expected:
            more = sum(expected[count + 1 :])
            tie = expected[count] if count < len(expected) else 0.0
            over = more + tie * (1 - (top / COWBOYS) ** 1.3)
            ahead = [
                (ahead[rank] * (1 - over) if rank < len(ahead) else 0.0) + (ahead[rank - 1] * over if rank else 0.0)
                for rank in range(len(ahead) + 1)
            ]
            lowest *= over
        return ahead, lowest


@lru_cache(maxsize=4096)
def others_bid(hand: int, auctions: int) -> tuple[float, ...]:
    """Estimate how likely a player with this many cowboys is to bid none, one, two and so on."""
    mean = min(hand, 0.4 + EAGERNESS * hand / (auctions + 1))
    weights = [mean**count / factorial(count) for count in range(hand + 1)]
    return tuple([weight / sum(weights) for weight in weights])


class CountyStrategy(Strategy[State, AnyMove]):
    def options(self, state: State, seat: int, dice: Dice) -> list[Option[AnyMove]]:
        if state.phase == "bids":
            return [*bids(state.hands[seat]), *sales(state, seat)]
        if state.phase == "picks":
            return [Option(pick, pick) for _, pick in ranked_picks(state, seat)[:MOST_PICKS]]
        if state.phase == "interest":
            return [Option(answer.interested, answer) for answer in ANSWERS]
        if state.phase == "offers":
            return offers(state, seat)
        return [Option("flags", best_flags(state, seat))]

    def worth(self, state: State, seat: int, options: Sequence[Option[AnyMove]]) -> list[float]:
        moves = [option.move for option in options]
        if state.phase == "bids":
            return worth_of_bids(state, seat, moves)
        if state.phase == "picks":
            by_pick = {pick: gained for gained, pick in ranked_picks(state, seat)}
            return [by_pick[move] for move in moves if isinstance(move, Pick)]
        if state.phase == "interest":
            wanted = land_for_sale(state, seat) - price_of_one(state, seat)
            return [wanted if isinstance(move, Answer) and move.interested else 0.0 for move in moves]
        if state.phase == "offers":
            return [worth_of_offer(state, seat, move.cowboys) for move in moves if isinstance(move, Offer)]
        return [0.0] * len(moves)

    def playout_move(self, state: State, seat: int, dice: Dice) -> AnyMove:
        if state.phase == "picks":
            return ranked_picks(state, seat)[0][1]
        if state.phase == "bids":
            return playout_bid(state, seat, dice)
        options = self.options(state, seat, dice)
        worth = self.worth(state, seat, options)
        return options[worth.index(max(worth))].move

    def is_horizon(self, start: State, state: State) -> bool:
        next_auction = state.phase in ("bids", "flags") and state.turned_up != start.turned_up
        return state.phase == "over" or next_auction

    def chances(self, state: State) -> Sequence[float]:
        totals = state.totals
        if state.phase == "over":
            best = max(totals)
            return [1 / totals.count(best) if mine == best else 0.0 for mine in totals]
        hoped = expected_points(state)
        spread = LUCK[0] + LUCK[1] * (auctions_left(state) + 1) ** 0.5
        weights = [exp((points - max(hoped)) / spread) for points in hoped]
        return [weight / sum(weights) for weight in weights]

    def reopened(self, state: State, seat: int) -> State:
        sealed = tuple([move if owner == seat else None for owner, move in enumerate(state.sealed)])
        plans = tuple([plan if owner == seat else () for owner, plan in enumerate(state.plans)])
        return replace(state, sealed=sealed, plans=plans)


def expected_points(state: State) -> list[float]:
    """Estimate each seat's points at the end of the match."""
    auctions = auctions_left(state) + 1
    return [
        total + of_land + SAVINGS * cowboys_value(hand, auctions, state.seats)
        for total, of_land, hand in zip(state.totals, land(state).values(), state.hands, strict=True)
    ]


def bids(hand: Cowboys) -> list[Option[AnyMove]]:
    """List the bids worth considering: none, or the lowest cowboys with or without the highest.

    They have no plans, because bots pick immediately when it is their turn, knowing what others have picked.
    """
    found: list[Option[AnyMove]] = [Option((0, ""), BID_NONE)]
    for count in range(1, min(len(hand), MOST_BID) + 1):
        found.append(Option((count, "low"), Bid(hand[:count])))
        if count < len(hand):
            found.append(Option((count, "high"), Bid((*hand[: count - 1], hand[-1]))))
    return found


def worth_of_bids(state: State, seat: int, moves: Sequence[AnyMove]) -> list[float]:
    auction = Auction(state, seat)
    worth = [auction.worth(move.cowboys) if isinstance(move, Bid) else 0.0 for move in moves]
    best = max(worth)
    return [
        best + worth_of_sale(state, seat, move.square) if isinstance(move, Sell) else of_bid
        for move, of_bid in zip(moves, worth, strict=True)
    ]


def playout_bid(state: State, seat: int, dice: Dice) -> AnyMove:
    """Bid a plausible number of cowboys, either all low or including the highest."""
    hand = state.hands[seat]
    if not hand:
        return BID_NONE
    point, count = dice.below(10_000) / 10_000, 0
    expected = others_bid(len(hand), auctions_left(state))
    while count < len(hand) and point >= expected[count]:
        point -= expected[count]
        count += 1
    if not count:
        return BID_NONE
    return Bid(hand[:count] if dice.below(2) else (*hand[: count - 1], hand[-1]))


def ranked_picks(state: State, seat: int) -> list[tuple[float, Pick]]:
    """List the picks of all remaining cards, starting with the best."""
    appraised, cubes = land(state), cubes_to_place(state, seat)
    found = []
    for number, (card, taker) in enumerate(zip(state.turned_up, state.takers, strict=True), start=1):
        if taker is None:
            picks = appraised.picks(seat, card, cubes)[: MOST_PICKS + 1]
            found += [(gained, Pick(number, pick.squares)) for gained, pick in picks]
    return sorted(found, key=lambda gained: -gained[0])


def sales(state: State, seat: int) -> list[Option[AnyMove]]:
    if selling_barred(state, seat):
        return []
    own = squares_with(state.board, OWNERS[seat])
    best = sorted(own, key=lambda square: -worth_of_sale(state, seat, NAMES[square]))[:MOST_SALES]
    return [Option(("sell", square), SALES[square]) for square in best]


def worth_of_sale(state: State, seat: int, name: str) -> float:
    """Rate a sale by the cowboys gained, minus the land lost and a share of the buyer's profit."""
    before, square = land(state), SQUARES[name]
    after = without_cube(before, square)
    lost = -after.gain(seat, (square,))
    hand, auctions = len(state.hands[seat]), auctions_left(state) + 1
    richer = hand_value(hand + DRAWN_BY_SELLER, auctions, state.seats) - hand_value(hand, auctions, state.seats)
    buyers = [other for other in range(state.seats) if other != seat and state.hands[other] and state.cubes[other]]
    wanted = max([after.gain(other, (square,)) - price_of_one(state, other) for other in buyers], default=0.0)
    if wanted > 0:
        richer *= 1.5
    return lost + richer - GENEROSITY * max(0.0, wanted) / (state.seats - 1)


def without_cube(before: Land, square: int) -> Land:
    return appraise(mark(before.board, square, FREE), before.holders, before.seats, before.number, before.left)


def price_of_one(state: State, seat: int) -> float:
    count, auctions = len(state.hands[seat]), auctions_left(state) + 1
    return hand_value(count, auctions, state.seats) - hand_value(count - 1, auctions, state.seats) if count else 0.0


def land_for_sale(state: State, seat: int) -> float:
    """Estimate what the square for sale is worth to this seat."""
    assert state.sale is not None
    return without_cube(land(state), state.sale.square).gain(seat, (state.sale.square,))


def offers(state: State, seat: int) -> list[Option[AnyMove]]:
    hand = state.hands[seat]
    if len(state.asked) == 1:
        return [Option((1, "low"), Offer(hand[:1]))]
    return [Option(label, Offer(bid.cowboys)) for label, bid in bids(hand) if isinstance(bid, Bid) and bid.cowboys]


def worth_of_offer(state: State, seat: int, cowboys: Cowboys) -> float:
    """Rate an offer, assuming that rivals add one more cowboy half of the time."""
    rivals = len(state.asked) - 1
    beaten = 1 - 0.5 ** len(cowboys) * (1.2 - max(cowboys) / COWBOYS)
    gained = land_for_sale(state, seat) - price_of_one(state, seat) * len(cowboys)
    return beaten**rivals * gained


def best_flags(state: State, seat: int) -> PlaceFlags:
    """Place the flags on the open squares that are best for this seat."""
    count, appraised = FLAGS_EACH[state.seats], land(state)
    free = sorted(flags.open_squares(state.board), key=lambda square: -appraised.gain(seat, (square,)))
    board = state.board
    chosen: list[int] = []
    for square in free:
        if flags.is_open(board, square) and len(chosen) < count:
            chosen.append(square)
            board = flags.face_down(board, [square])
    chosen += flags.first_squares(board, count - len(chosen))
    return PlaceFlags(tuple([NAMES[square] for square in chosen]))

"""Standing orders in Colorado County: answers to sales, bids by card color or value, and picks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from games.engine.choices import Choices
from games.engine.colorado_county import notation
from games.engine.colorado_county.appraisal import AUCTIONS, Land, appraise
from games.engine.colorado_county.geometry import FLAGS, SQUARES
from games.engine.colorado_county.legality import BID_NONE
from games.engine.colorado_county.state import CARDS_TURNED_UP, Answer, AnyMove, Bid, Offer, Pick
from games.engine.colorado_county.view import CardView, View
from games.engine.errors import MalformedMove
from games.engine.orders import Language, Rule, Unforeseen, Words, bad_order
from games.engine.text import counted

HELP = (
    ("interested in D7 E9 only", "say that you want these squares, and no others, when they are for sale"),
    ("never interested", "say that you want no land; 'always interested' works too"),
    ("offer my lowest 2", "offer your two lowest cowboys, or only one if nobody else wants the land"),
    ("bid none for 2 auctions", "bid nothing in the next two auctions"),
    ("bid none unless a card is worth 6", "bid nothing unless a card may be worth 6 points to you"),
    ("bid my lowest 3 on any blue card", "bid your three lowest cowboys if a blue card is offered"),
    ("bid my lowest 2 and my highest if a card is worth 6", "bid these cowboys if a card may be worth 6 points to you"),
    ("bid 12 45 plan 2 D7 E9", "make this bid in this auction, and again if a sale returns it"),
    ("pick where it is worth most to me", "pick the card and squares that a bot would pick for you"),
    ("ask me if a blue card is offered", "leave the decision to you; 'if land is for sale' works too"),
)
COLOURS: Mapping[str, str] = {name: letter for letter, name in FLAGS.items()}
FILLERS = "the a an it its is are has have i me my to please there theres then card cards any that just"


def own(view: View) -> int:
    if view.seat is None:
        raise ValueError("Only players have standing orders.")
    return view.seat


def land_of(view: View) -> Land:
    seats = len(view.players)
    holders = tuple(lake.holder for lake in view.lakes)
    return appraise("".join(view.board), holders, seats, view.round, view.deck // CARDS_TURNED_UP[seats])


def worth(view: View, card: CardView) -> float:
    """Estimate the points that a card is worth to the player who picks it, the same way bots do."""
    seat = own(view)
    picks = land_of(view).picks(seat, card.card, min(2, view.players[seat].cubes))
    return picks[0][0] if picks else 0.0


def offered(view: View) -> list[CardView]:
    return [card for card in view.cards if card.taken_by is None]


@dataclass(frozen=True)
class CardCondition:
    """The condition that a card on offer must meet."""

    colours: str = ""
    worth: int | None = None

    def met_by(self, view: View) -> CardView | None:
        return next((card for card in offered(view) if self.passes(view, card)), None)

    def passes(self, view: View, card: CardView) -> bool:
        return (not self.colours or card.colour in self.colours) and (
            self.worth is None or worth(view, card) >= self.worth
        )


ANY_CARD = CardCondition()


@dataclass(frozen=True)
class AnswerSales(Rule[View, AnyMove]):
    seals = True
    interested: bool
    squares: tuple[str, ...] = ()
    """The squares that the answer is about. Empty means any square."""
    only: bool = False
    """Whether the answer for all other squares is the opposite."""

    def move(self, view: View, choices: Choices[AnyMove]) -> AnyMove | None:
        if view.phase != "interest" or view.sale is None:
            return None
        if not self.squares or view.sale.square in self.squares:
            return Answer(self.interested)
        return Answer(not self.interested) if self.only else None


@dataclass(frozen=True)
class OfferLowest(Rule[View, AnyMove]):
    seals = True
    count: int

    def move(self, view: View, choices: Choices[AnyMove]) -> AnyMove | None:
        if view.phase != "offers" or view.sale is None:
            return None
        count = self.count if len(view.sale.interested) > 1 else 1
        return Offer(cowboys(view, count, highest=0))


@dataclass(frozen=True)
class BidCowboys(Rule[View, AnyMove]):
    """Bid some of the lowest and some of the highest cowboys, or none."""

    seals = True
    lowest: int
    highest: int
    on: CardCondition
    unless: CardCondition | None

    def check(self, view: View) -> None:
        if self.lowest + self.highest > len(view.cowboys):
            message = f"You have only {counted(len(view.cowboys), 'cowboy')}."
            raise bad_order(LANGUAGE, "too_few_cowboys", message, hint="Bid fewer cowboys.")

    def move(self, view: View, choices: Choices[AnyMove]) -> AnyMove | None:
        if view.phase != "bids" or (self.unless and self.unless.met_by(view)) or not self.on.met_by(view):
            return None
        if not self.lowest + self.highest:
            return BID_NONE
        return Bid(cowboys(view, self.lowest, self.highest))


def cowboys(view: View, lowest: int, highest: int) -> tuple[int, ...]:
    hand = view.cowboys
    if len(hand) < lowest + highest:
        raise Unforeseen(
            f"Your standing order needs {counted(lowest + highest, 'cowboy')}, but you have only {len(hand)}."
        )
    return (*hand[:lowest], *hand[len(hand) - highest :])


@dataclass(frozen=True)
class ThisBid(Rule[View, AnyMove]):
    """A particular bid, with its plan, for the auction in which the order was given."""

    seals = True
    unit = "auction"
    bid: Bid

    def check(self, view: View) -> None:
        if missing := sorted(set(self.bid.cowboys) - set(view.cowboys)):
            message = f"You don't have cowboy {missing[0]}."
            raise bad_order(LANGUAGE, "not_your_cowboy", message, hint="Bid only cowboys that you have.")

    def move(self, view: View, choices: Choices[AnyMove]) -> AnyMove | None:
        if view.phase != "bids":
            return None
        if missing := sorted(set(self.bid.cowboys) - set(view.cowboys)):
            raise Unforeseen(f"You no longer have cowboy {missing[0]}, which your standing order bids.")
        return self.bid


@dataclass(frozen=True)
class PickBest(Rule[View, AnyMove]):
    on: CardCondition

    def move(self, view: View, choices: Choices[AnyMove]) -> AnyMove | None:
        legal = [move for move in choices.moves if isinstance(move, Pick)]
        if view.phase != "picks" or not legal:
            return None
        liked = {card.number for card in offered(view) if self.on.passes(view, card)}
        picks = [pick for pick in legal if pick.card in liked]
        land, seat = land_of(view), own(view)
        return max(picks, key=lambda pick: land.gain(seat, placed(pick)), default=None)


def placed(pick: Pick) -> tuple[int, ...]:
    return tuple(SQUARES[square] for square in pick.squares)


@dataclass(frozen=True)
class AskMe(Rule[View, AnyMove]):
    sale: bool = False
    card: CardCondition | None = None
    fewer: int = 0

    def asks(self, view: View) -> str:
        if self.sale and view.sale:
            return f"{view.sale.square} is for sale."
        if self.card and view.phase == "bids" and (found := self.card.met_by(view)):
            return f"Card {found.number} is on offer: {found.text}."
        if len(view.cowboys) < self.fewer:
            return f"You have only {counted(len(view.cowboys), 'cowboy')}."
        return ""

    def move(self, view: View, choices: Choices[AnyMove]) -> None:
        return None


def auction(view: View) -> int:
    """Return the number of the current auction. The auctions of a match are numbered from 1."""
    seats = len(view.players)
    return view.round * AUCTIONS[seats] - view.deck // CARDS_TURNED_UP[seats]


class CountyOrders(Language[View, AnyMove]):
    help = HELP
    fillers = FILLERS
    default_unit = "round"
    from_now_on: ClassVar[Mapping[str, str]] = {"not interested": "never interested for the match"}
    units: Mapping[str, Callable[[View], int]] = {"round": lambda view: view.round, "auction": auction}
    readers: ClassVar[Mapping[str, str]] = {
        "interested": "interested",
        "only interested": "only_interested",
        "always interested": "always",
        "never interested": "not_interested",
        "not interested": "not_interested",
        "im not interested": "not_interested",
        "am not interested": "not_interested",
        "im interested": "interested",
        "am interested": "interested",
        "say yes": "yes",
        "say interested": "yes",
        "say no": "not_interested",
        "say not interested": "not_interested",
        "yes": "yes_to",
        "no": "no_to",
        "pass": "no_bid",
        "skip": "no_bid",
        "sit out": "no_bid",
        "never bid": "no_bid",
        "dont bid": "no_bid",
        "do not bid": "no_bid",
        "no bid": "no_bid",
        "offer": "offer",
        "bid": "bid",
        "pick": "pick",
        "ask": "ask",
    }

    def starts(self, unit: str, view: View) -> int:
        """Return the first auction to which an order can apply. Once the player has bid, that is the next auction."""
        has_bid = view.phase == "picks" or (view.phase == "bids" and view.seat not in view.awaiting)
        return self.units[unit](view) + (unit == "auction" and has_bid)

    def read(self, words: Words) -> Rule[View, AnyMove]:
        kind = words.one_of(self.readers)
        if kind is None and words.skip("always"):
            kind = words.one_of(self.readers)
        if kind is None:
            raise words.unreadable()
        rule: Rule[View, AnyMove] = getattr(self, f"read_{kind}")(words)
        return rule

    def read_interested(self, words: Words) -> AnswerSales:
        is_first = words.skip("only")
        if words.skip("in nothing", "in none", "nothing"):
            return AnswerSales(interested=False)
        if words.skip(*EVERY_SALE):
            return AnswerSales(interested=True)
        squares = read_squares(words)
        return AnswerSales(interested=True, squares=squares, only=words.skip("only") or is_first)

    def read_only_interested(self, words: Words) -> AnswerSales:
        return AnswerSales(interested=True, squares=read_squares(words), only=True)

    def read_always(self, words: Words) -> AnswerSales:
        return AnswerSales(interested=True)

    def read_yes(self, words: Words) -> AnswerSales:
        words.skip(*EVERY_SALE)
        return self.read_interested(words) if words else AnswerSales(interested=True)

    def read_yes_to(self, words: Words) -> AnswerSales:
        return self.read_interested(words)

    def read_no_to(self, words: Words) -> AnswerSales:
        if not words:
            raise words.unreadable()
        return self.read_not_interested(words)

    def read_not_interested(self, words: Words) -> AnswerSales:
        words.skip(*EVERY_SALE)
        if words.skip("unless", "except for", "except", "but"):
            return AnswerSales(interested=True, squares=read_squares(words), only=True)
        return AnswerSales(interested=False, squares=read_squares(words) if words else ())

    def read_offer(self, words: Words) -> OfferLowest:
        lowest, highest = read_counts(words)
        if highest:
            raise words.unreadable("highest")
        return OfferLowest(lowest)

    def read_bid(self, words: Words) -> Rule[View, AnyMove]:
        if words.next.isdigit() and not words.follows("lowest", "highest"):
            return self.read_this_bid(words)
        if words.skip("none", "nothing"):
            return self.read_no_bid(words)
        return self.read_when_to_bid(words, *read_counts(words))

    def read_no_bid(self, words: Words) -> BidCowboys:
        return self.read_when_to_bid(words, 0, 0)

    def read_when_to_bid(self, words: Words, lowest: int, highest: int) -> BidCowboys:
        on, unless = ANY_CARD, None
        if words.skip("if no", "when no", "if nothing"):
            unless = read_card(words)
        elif words.skip("on", "if", "when", "whenever", "for"):
            on = read_card(words)
        if words.skip("unless"):
            unless = read_card(words)
        return BidCowboys(lowest, highest, on, unless)

    def read_this_bid(self, words: Words) -> ThisBid:
        try:
            written = notation.parse(words.rest())
        except MalformedMove as malformed:
            raise words.bad(malformed.code, malformed.message) from None
        if not isinstance(written, Bid):
            raise words.unreadable()
        return ThisBid(written)

    def read_pick(self, words: Words) -> PickBest:
        if words.skip("best"):
            return PickBest(read_card(words) if words else ANY_CARD)
        on = ANY_CARD if words.next == "where" else read_card(words)
        if not words.skip("where worth most for", "where worth most", "where best for", "where best"):
            raise words.unreadable()
        return PickBest(on)

    def read_ask(self, words: Words) -> AskMe:
        words.skip("if", "when")
        if words.skip("land for sale", "land up for sale", "somebody sells", "someone sells", "about sales"):
            words.skip("land", "something", "square")
            return AskMe(sale=True)
        if words.skip("fewer than", "less than"):
            fewer = words.need_number("'fewer than'")
            words.skip("cowboys", "cowboy")
            return AskMe(fewer=fewer)
        return AskMe(card=read_card(words))


EVERY_SALE = (
    "all sales", "any sale", "sales", "in anything", "in everything", "in all land", "in land", "everything",
    "anything", "all land", "land",
)  # fmt: skip
ENDS = {"lowest": "lowest", "highest": "highest", "and lowest": "lowest", "and highest": "highest"}


def read_counts(words: Words) -> tuple[int, int]:
    """Read "lowest 3" or "3 lowest", "highest", or both joined by "and"."""
    found: dict[str, int] = {}
    count = words.number()
    while end := words.one_of(ENDS):
        count = words.number() if count is None else count
        words.skip("cowboys", "cowboy")
        found[end] = 1 if count is None else count
        count = None
    if not sum(found.values()):
        raise words.unreadable()
    return found.get("lowest", 0), found.get("highest", 0)


def read_card(words: Words) -> CardCondition:
    """Read "blue or red", "worth 6", or both."""
    colours = ""
    while letter := words.one_of(COLOURS):
        colours += letter
        words.skip("or")
    words.skip("offered", "on offer", "turned up", "turns up", "comes up", "shows up", "appears", "up")
    least = None
    words.skip("and", "if")
    if words.skip("worth"):
        words.skip("at least")
        least = words.need_number("'worth'")
        words.skip("or more")
        words.skip("points", "point")
    if not colours and least is None:
        raise words.unreadable()
    return CardCondition(colours, least)


def read_squares(words: Words) -> tuple[str, ...]:
    words.skip("in")
    squares: list[str] = []
    while words.next.upper() in SQUARES:
        squares.append(words.next.upper())
        words.skip(words.next)
        words.skip("and", "or")
    if not squares:
        raise words.unreadable()
    return tuple(squares)


LANGUAGE = CountyOrders()

"""Standing orders in Coloretto, such as "take 2 if it has 3 cards", "take any worth 5" and "draw"."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from games.engine.choices import Choices
from games.engine.coloretto.scoring import score
from games.engine.coloretto.state import COLOURS, GOLDEN_JOKER, JOKER, PLUS_TWO, AnyMove, Draw, Place, Take
from games.engine.coloretto.view import RowView, View
from games.engine.coloretto.wording import names_of
from games.engine.orders import Language, Rule, Words, bad_order
from games.engine.text import counted

HELP = (
    ("take 2 if it has 3 cards", "take row 2 once it has three cards; 'is full' and 'at least 2 cards' work too"),
    ("take any worth 5", "take the best row that is worth at least 5 points to you now"),
    ("take any with green or yellow and no red", "take the best row that has a green or yellow card and no red one"),
    ("draw if no row is worth 3", "draw unless a row is worth at least 3 points to you now"),
    ("else draw", "draw if no line above applies"),
    ("place where it is worth least to the others", "place the drawn card where it helps the others least"),
    ("place where it is worth most to me", "place the drawn card on the row that it makes most valuable to you"),
    ("place joker on 2", "place a joker on row 2; 'on the emptiest' and 'on the fullest' work too"),
    ("ask me if the last round card appears", "leave the last round of a game to you"),
    ("ask me if I draw a joker", "let you decide where a joker goes"),
)
CARDS: Mapping[str, str] = {
    **{name: letter for letter, name in COLOURS.items()},
    **{f"{name}s": letter for letter, name in COLOURS.items()},
    "purple": "V",
    "joker": JOKER + GOLDEN_JOKER,
    "jokers": JOKER + GOLDEN_JOKER,
    "golden joker": GOLDEN_JOKER,
    "+2": PLUS_TWO,
    "plus two": PLUS_TWO,
    "plus 2": PLUS_TWO,
}
FILLERS = (
    "the a an it its is are has have row rows i me my to in into onto please there theres then that which just always"
)
CONNECTORS = ("as soon as", "if", "when", "whenever", "once", "and", "but")
WORTH = ("worth", "gives", "brings")
WITHOUT = (
    "with no", "no", "without", "unless with", "unless contains", "unless", "doesnt contain", "doesnt",
    "does not contain", "does not",
)  # fmt: skip
HIGHEST = 99
VERBS: Mapping[str, str] = {
    "take": "take",
    "grab": "take",
    "collect": "take",
    "draw": "draw",
    "place": "place",
    "put": "place",
    "lay": "place",
    "add": "place",
    "ask": "ask",
    "let decide": "ask",
}


@dataclass(frozen=True)
class Condition:
    """The condition that a row must meet."""

    fewest: int = 0
    most: int = HIGHEST
    full: bool = False
    worth: int | None = None
    needs: tuple[tuple[str, int], ...] = ()
    """The row must have at least as many of each of these cards."""
    never: str = ""

    def passes(self, row: RowView, view: View) -> bool:
        return (
            self.fewest <= len(row.cards) <= self.most
            and (not self.full or len(row.cards) == row.room)
            and all(sum(map(row.cards.count, need)) >= count for need, count in self.needs)
            and not set(self.never) & set(row.cards)
            and (self.worth is None or gain(view, own(view), row.cards) >= self.worth)
        )


def own(view: View) -> int:
    if view.seat is None:
        raise ValueError("Only players have standing orders.")
    return view.seat


def gain(view: View, seat: int, cards: str) -> int:
    """Return the points that these cards would add for a player if the game ended now."""
    player = view.players[seat]
    return score(player.hand + cards, view.colours, view.scoring).total - player.score_now.total


def still_in(view: View) -> list[int]:
    """Return the other players who have not taken a row in this round."""
    gone = {row.taken_by for row in view.rows}
    return [player.seat for player in view.players if player.seat not in gone and player.seat != view.seat]


@dataclass(frozen=True)
class TakeRow(Rule[View, AnyMove]):
    rows: tuple[int, ...]
    """The rows that may be taken. Empty means any row."""
    condition: Condition

    def check(self, view: View) -> None:
        check_rows(self.rows, view)

    def move(self, view: View, choices: Choices[AnyMove]) -> AnyMove | None:
        found = self.fitting([view.rows[move.row - 1] for move in choices.moves if isinstance(move, Take)], view)
        return Take(max(found, key=lambda row: gain(view, own(view), row.cards)).row) if found else None

    def fitting(self, rows: Sequence[RowView], view: View) -> list[RowView]:
        wanted = [row for row in rows if not self.rows or row.row in self.rows]
        return [row for row in wanted if self.condition.passes(row, view)]


@dataclass(frozen=True)
class DrawCard(Rule[View, AnyMove]):
    unless: TakeRow | None = None
    """Draw only if this order doesn't take a row."""

    def check(self, view: View) -> None:
        if self.unless:
            self.unless.check(view)

    def move(self, view: View, choices: Choices[AnyMove]) -> AnyMove | None:
        if self.unless and self.unless.move(view, choices):
            return None
        return next((move for move in choices.moves if isinstance(move, Draw)), None)


def worth_to_others(view: View, row: RowView) -> int:
    """Return how much better the drawn card makes the row for the players who can still take it."""
    better = row.cards + view.drawn
    return sum(gain(view, seat, better) - gain(view, seat, row.cards) for seat in still_in(view))


def worth_to_me(view: View, row: RowView) -> int:
    return gain(view, own(view), row.cards + view.drawn)


Rank = Callable[[View, RowView], tuple[int, int]]


def worst_for_others(view: View, row: RowView) -> tuple[int, int]:
    return -worth_to_others(view, row), worth_to_me(view, row)


def best_for_me(view: View, row: RowView) -> tuple[int, int]:
    return worth_to_me(view, row), -worth_to_others(view, row)


def emptiest(view: View, row: RowView) -> tuple[int, int]:
    return -len(row.cards), worth_to_me(view, row)


def fullest(view: View, row: RowView) -> tuple[int, int]:
    return len(row.cards), worth_to_me(view, row)


PLACES: Mapping[str, Rank] = {
    "where worth least others": worst_for_others,
    "where worth least for others": worst_for_others,
    "where helps others least": worst_for_others,
    "where best": best_for_me,
    "where best for": best_for_me,
    "where worth most": best_for_me,
    "where worth most for": best_for_me,
    "emptiest": emptiest,
    "with fewest cards": emptiest,
    "fewest cards": emptiest,
    "fullest": fullest,
    "with most cards": fullest,
    "most cards": fullest,
}


@dataclass(frozen=True)
class PlaceCard(Rule[View, AnyMove]):
    cards: str
    """The cards that the order is about. Empty means any card."""
    rows: tuple[int, ...]
    condition: Condition
    rank: Rank

    def check(self, view: View) -> None:
        check_rows(self.rows, view)

    def move(self, view: View, choices: Choices[AnyMove]) -> AnyMove | None:
        if self.cards and view.drawn not in self.cards:
            return None
        room = [view.rows[move.row - 1] for move in choices.moves if isinstance(move, Place)]
        found = [row for row in room if (not self.rows or row.row in self.rows) and self.condition.passes(row, view)]
        return Place(max(found, key=lambda row: self.rank(view, row)).row) if found else None


@dataclass(frozen=True)
class AskMe(Rule[View, AnyMove]):
    last_round: bool = False
    drawn: str = ""
    left: int | None = None
    """Leave the decision to the player once at most this many cards are above the last-round card."""
    row: TakeRow | None = None
    """Leave the decision to the player if this order could take a row."""

    def check(self, view: View) -> None:
        if self.row:
            self.row.check(view)

    def asks(self, view: View) -> str:
        if self.last_round and view.until_last_round is None:
            return "The last-round card has come up."
        if self.drawn and view.drawn and view.drawn in self.drawn:
            return f"You drew this card: {names_of(view.drawn)}."
        if self.left is not None and (view.until_last_round or 0) <= self.left:
            return f"{counted(view.until_last_round or 0, 'card')} left before the last-round card."
        if self.row and not view.drawn and (found := self.row.fitting(takeable(view), view)):
            return f"You wanted to decide about rows like row {found[0].row} yourself."
        return ""

    def move(self, view: View, choices: Choices[AnyMove]) -> None:
        return None


def takeable(view: View) -> list[RowView]:
    return [row for row in view.rows if row.cards and row.taken_by is None]


def check_rows(rows: Sequence[int], view: View) -> None:
    if missing := [row for row in rows if not 1 <= row <= len(view.rows)]:
        message = f"There is no row {missing[0]}. Rows go from 1 to {len(view.rows)}."
        raise bad_order(LANGUAGE, "no_such_row", message, hint="Name a row that exists, or write 'any'.")


class ColorettoOrders(Language[View, AnyMove]):
    help = HELP
    fillers = FILLERS
    default_unit = "game"
    units: Mapping[str, Callable[[View], int]] = {"game": lambda view: view.game}

    def read(self, words: Words) -> Rule[View, AnyMove]:
        if words.skip(*CONNECTORS):
            return self.read_condition_first(words)
        verb = words.one_of(VERBS)
        if verb is None:
            raise words.unreadable()
        rule: Rule[View, AnyMove] = getattr(self, f"read_{verb}")(words)
        return rule

    def read_condition_first(self, words: Words) -> Rule[View, AnyMove]:
        """Read an order that begins with its condition: "if row 2 has 3 cards, take it"."""
        if words.skip("no", "nothing"):
            drawing = DrawCard(TakeRow((), need_condition(words)))
            self.need(words, "draw")
            words.skip("card")
            return drawing
        if words.next in ("draw", "last"):
            asking = self.read_ask(words)
            self.need(words, "ask")
            return asking
        taking = TakeRow(read_rows_of_condition(words), read_condition(words))
        self.need(words, "take")
        return taking

    def need(self, words: Words, verb: str) -> None:
        if words.one_of(VERBS) != verb:
            raise words.unreadable()

    def read_take(self, words: Words) -> TakeRow:
        return TakeRow(read_rows(words), read_condition(words))

    def read_draw(self, words: Words) -> DrawCard:
        words.skip("card")
        if words.skip("if no", "when no", "if nothing"):
            return DrawCard(TakeRow((), need_condition(words)))
        if words.skip("unless"):
            return DrawCard(TakeRow(read_rows_of_condition(words), need_condition(words)))
        return DrawCard()

    def read_place(self, words: Words) -> PlaceCard:
        cards: str = words.one_of(CARDS) or ""
        if cards:
            cards += "".join(more_cards(words, "or"))
        words.skip("cards", "card")
        words.skip("on")
        if words.skip("empty", "new", "free"):
            return PlaceCard(cards, (), Condition(most=0), best_for_me)
        rank: Rank | None = words.one_of(PLACES)
        if rank:
            return PlaceCard(cards, (), read_condition(words), rank)
        return PlaceCard(cards, read_rows(words), read_condition(words), best_for_me)

    def read_ask(self, words: Words) -> AskMe:
        words.skip(*CONNECTORS)
        if words.skip("last round"):
            words.skip("card")
            words.skip("appears", "comes up", "turns up", "shows up", "drawn", "begins", "starts")
            return AskMe(last_round=True)
        if words.skip("draw"):
            return AskMe(drawn=read_card(words) + "".join(more_cards(words, "or")))
        if card := words.one_of(CARDS):
            card += "".join(more_cards(words, "or"))
            words.skip("appears", "comes up", "turns up", "shows up", "drawn")
            return AskMe(drawn=card)
        if words.next in STARTS_A_RANGE or words.follows("card", "cards", "or"):
            fewest, most = read_range(words)
            if not words.skip("cards", "card"):
                raise words.unreadable()
            if words.skip("left"):
                return AskMe(left=min(most, fewest or most))
            return AskMe(row=TakeRow((), Condition(fewest=fewest, most=most)))
        return AskMe(row=TakeRow(read_rows_of_condition(words), need_condition(words)))


STARTS_A_RANGE = {"at", "up", "more", "fewer", "less"}
BEFORE_A_CONDITION = {
    *(["as", "if", "when", "whenever", "once", "unless", "with", "without", "contains", "containing", "full"]),
    *STARTS_A_RANGE,
    *WORTH,
}


def read_rows(words: Words) -> tuple[int, ...]:
    if words.skip("any best", "any", "best") or words.next in BEFORE_A_CONDITION:
        return ()
    if words.next == "one":
        raise words.bad("which_row", "'one' could be row 1 or any row. Write '1' or 'any'.")
    rows = [words.need_number("A row")]
    while words.skip("or"):
        rows.append(words.need_number("A row"))
    if names_card(words):
        raise words.bad("row_or_count", "This number could be a row or a number of cards. Write 'row' and 'with'.")
    return tuple(rows)


def read_rows_of_condition(words: Words) -> tuple[int, ...]:
    """Read the rows in "row 2 has 3 cards". In "a row has 3 cards", the number isn't a row."""
    return () if words.follows("card", "cards") or names_card(words) else read_rows(words)


def read_condition(words: Words) -> Condition:
    condition = Condition()
    while words and words.next not in VERBS:
        is_joined = words.skip(*CONNECTORS)
        if words.skip("full"):
            condition = replace(condition, full=True)
        elif words.skip(*WORTH):
            condition = replace(condition, worth=read_points(words))
        elif words.skip(*WITHOUT):
            never = read_card(words) + "".join(more_cards(words, "or", "and", "or no", "and no"))
            condition = replace(condition, never=condition.never + never)
        elif words.skip("with", "contains", "containing") or is_joined or not condition.needs:
            condition = read_cards(words, condition)
        else:
            raise words.unreadable()
    return condition


def read_cards(words: Words, condition: Condition) -> Condition:
    """Add "green or yellow", "2 green cards" or "at least 3 cards" to a condition."""
    if names_card(words):
        return replace(condition, needs=(*condition.needs, *read_needs(words)))
    fewest, most = read_range(words)
    if names_card(words) and fewest:
        return replace(condition, needs=(*condition.needs, (read_card(words), fewest)))
    if not words.skip("cards", "card"):
        raise words.unreadable()
    most = HIGHEST if words.skip("or more") else most
    return replace(condition, fewest=max(condition.fewest, fewest), most=min(condition.most, most))


def need_condition(words: Words) -> Condition:
    condition = read_condition(words)
    if condition == Condition():
        raise words.unreadable()
    return condition


def read_range(words: Words) -> tuple[int, int]:
    """Read "3", "at least 3", "3 or more", "at most 3" or "more than 3", and return the least and the most."""
    if words.skip("at most", "up to", "no more than", "not more than"):
        return 0, words.need_number("'At most'")
    if words.skip("fewer than", "less than"):
        return 0, words.need_number("'Fewer than'") - 1
    if words.skip("more than"):
        return words.need_number("'More than'") + 1, HIGHEST
    is_least = words.skip("at least")
    number = words.number()
    if number is None:
        raise words.unreadable()
    if words.skip("or fewer", "or less"):
        return 0, number
    return number, HIGHEST if words.skip("or more") or is_least else number


def read_points(words: Words) -> int:
    """Read "5", "at least 5 points" or "5 points or more", which all mean the same."""
    fewest, most = read_range(words)
    words.skip("points", "point")
    words.skip("or more")
    if most < HIGHEST and fewest != most:
        raise words.unreadable("at most")
    return fewest


def names_card(words: Words) -> bool:
    return words.next in CARDS or words.next in ("golden", "plus")


def read_needs(words: Words) -> tuple[tuple[str, int], ...]:
    """Read "green or yellow" (one of them) or "green and yellow" (both)."""
    first = read_card(words)
    if others := more_cards(words, "or"):
        return ((first + "".join(others), 1),)
    return ((first, 1), *((each, 1) for each in more_cards(words, "and")))


def read_card(words: Words) -> str:
    letters: str | None = words.one_of(CARDS)
    if letters is None:
        raise words.unreadable()
    words.skip("cards", "card")
    return letters


def more_cards(words: Words, *connectors: str) -> list[str]:
    """Read "or yellow or red". A connector that isn't followed by a card starts another condition."""
    named = {f"{connector} {name}": letters for connector in connectors for name, letters in CARDS.items()}
    cards: list[str] = []
    while letters := words.one_of(named):
        words.skip("cards", "card")
        cards.append(letters)
    return cards


LANGUAGE = ColorettoOrders()

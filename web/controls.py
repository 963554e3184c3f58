"""The controls on the match page: buttons, taps on the board, and forms. They are made from the game's choices.

Nothing here depends on a particular game. Each engine names its moves and says where they are on the board.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.choices import Choices, Field, Form, Ranking, Squares, Subset
from games.engine.errors import MalformedMove
from games.engine.registry import AnyEngine
from web.board_html import NO_TAPS, Taps
from web.drafts import Draft, first_mode, form_in, next_places, open_squares, squares_in, tappable

MOST_CHIPS = 20
"""If there are more squares than this, they are shown only on the board."""


@dataclass(frozen=True)
class Option:
    label: str
    value: str
    is_chosen: bool = False


@dataclass(frozen=True)
class FieldControl:
    name: str
    label: str
    hint: str
    kind: str
    """The kind of control. "checkbox" and "radio" are ordinary inputs; "ranking" and "squares" are filled in on the
    board."""
    options: Sequence[Option]
    count: str = ""
    """How many values are needed, if the number is fixed."""


@dataclass(frozen=True)
class FormControl:
    label: str
    fields: Sequence[FieldControl]
    is_complete: bool
    """Whether everything that has to be filled in on the board has been filled in."""


@dataclass(frozen=True)
class Controls:
    modes: Sequence[Option] = ()
    """Mutually exclusive kinds of moves, such as bidding and selling."""
    hint: str = ""
    buttons: Sequence[Option] = ()
    """Moves that have no place on the board to tap."""
    endings: Sequence[Option] = ()
    """Moves that are complete with the places tapped so far, although more places could be tapped."""
    form: FormControl | None = None
    taps: Taps = NO_TAPS
    chips: Sequence[Option] = ()
    """The squares that can be tapped. A small screen shows only some of them at a time."""
    only: Option | None = None
    """The only possible move. It needs no confirmation, because there is nothing to decide."""
    confirm: Option | None = None
    """A complete move that waits for confirmation."""

    @property
    def shows_hand(self) -> bool:
        """Whether the controls list everything that the player holds, so that the board doesn't have to."""
        return self.form is not None and any(field.kind in ("checkbox", "radio") for field in self.form.fields)

    def __bool__(self) -> bool:
        return bool(self.buttons or self.form or self.modes or self.taps.open or self.only or self.confirm)


def controls(engine: AnyEngine, choices: Choices[Any], draft: Draft) -> Controls:
    if draft.move:
        return confirming(engine, choices, draft)
    if len(choices.moves) == 1 and not choices.forms:
        (move,) = choices.moves
        only = Option(engine.button(move).label, engine.notation(move))
        return Controls(only=only, taps=Taps(marked=engine.button(move).places))
    mode = current_mode(engine, choices, draft)
    form = form_in(choices, mode)
    moves = tappable(engine, choices, mode)
    taps = taps_on_board(engine, choices, mode, draft)
    squares = sorted(filter(is_square, taps.open), key=reading_order)
    return Controls(
        modes=modes(engine, choices, mode),
        hint=engine.control_hints.get(kind_of(moves[-1][0]), "") if moves and form is None else "",
        buttons=loose_buttons(engine, choices),
        endings=endings(engine, moves, draft) if draft.places else [],
        form=form_control(engine, form, draft) if form else None,
        taps=taps,
        chips=[Option(square, square) for square in squares] if len(squares) <= MOST_CHIPS else [],
    )


def confirming(engine: AnyEngine, choices: Choices[Any], draft: Draft) -> Controls:
    """Ask for confirmation."""
    for move in choices.moves:
        if engine.notation(move) == draft.move:
            button = engine.button(move)
            return Controls(confirm=Option(button.label, draft.move), taps=Taps(marked=button.places))
    marked = {place for values in draft.values.values() for place in values if is_square(place)}
    return Controls(confirm=Option(called(engine, draft.move), draft.move), taps=Taps(marked=marked))


def called(engine: AnyEngine, notation: str) -> str:
    """Name a move in words. A move that can't be read is shown as it was typed."""
    try:
        return engine.button(engine.parse(notation)).label
    except MalformedMove:
        return notation


def current_mode(engine: AnyEngine, choices: Choices[Any], draft: Draft) -> str:
    known = {form.move for form in choices.forms} | {engine.button(move).title for move in choices.moves}
    return draft.mode if draft.mode and draft.mode in known else first_mode(engine, choices)


def modes(engine: AnyEngine, choices: Choices[Any], current: str) -> list[Option]:
    """List the modes, unless there is only one."""
    titles = dict.fromkeys(button.title for button in map(engine.button, choices.moves) if button.title)
    named = {form.move: engine.control_label(form.move) for form in choices.forms} | {each: each for each in titles}
    return [Option(label, key, key == current) for key, label in named.items()] if len(named) > 1 else []


def kind_of(move: Any) -> str:
    return str(type(move).__struct_config__.tag)


def loose_buttons(engine: AnyEngine, choices: Choices[Any]) -> list[Option]:
    shown = [(engine.button(move), engine.notation(move)) for move in choices.moves]
    return [Option(button.label, notation) for button, notation in shown if not button.places and not button.title]


def endings(engine: AnyEngine, moves: Sequence[tuple[Any, tuple[str, ...]]], draft: Draft) -> list[Option]:
    return [
        Option(engine.button(move).label, engine.notation(move))
        for move, route in moves
        if set(route) == set(draft.places)
    ]


def taps_on_board(engine: AnyEngine, choices: Choices[Any], mode: str, draft: Draft) -> Taps:
    if field := squares_in(form_in(choices, mode)):
        named = draft.values.get(field.name, ())
        return Taps(dict.fromkeys(open_squares(field, named), ""), named)
    moves = tappable(engine, choices, mode)
    following = next_places([route for _, route in moves], draft.places)
    alone = {route[0]: engine.button(move).label for move, route in moves if len(route) == 1}
    labels = alone if all(len(route) == 1 for _, route in moves) else {}
    return Taps({place: labels.get(place, "") for place in following}, draft.places)


def form_control(engine: AnyEngine, form: Form, draft: Draft) -> FormControl:
    fields = [field_control(engine, field, draft) for field in form.fields]
    squares = squares_in(form)
    is_complete = squares is None or len(draft.values.get(squares.name, ())) == squares.count
    return FormControl(engine.control_label(form.move), fields, is_complete and not draft.places)


def field_control(engine: AnyEngine, field: Field, draft: Draft) -> FieldControl:
    values = draft.values.get(field.name, ())
    label, hint = engine.control_label(field.name), engine.control_hints.get(field.name, "")
    match field:
        case Subset(most=most):
            options = [Option(str(value), str(value), str(value) in values) for value in field.values]
            if most == 1:  # The hint explains how to combine values.
                return FieldControl(field.name, label, "", "radio", options)
            return FieldControl(field.name, label, hint, "checkbox", options)
        case Ranking():
            by_notation = {engine.notation(move): engine.button(move).label for move in field.values}
            ranked = [Option(by_notation.get(value, value), value) for value in values]
            return FieldControl(field.name, label, hint, "ranking", ranked)
        case Squares(count=count):
            named = [Option(value, value, is_chosen=True) for value in values]
            return FieldControl(field.name, label, hint, "squares", named, f"{len(values)} of {count}")


def is_square(place: str) -> bool:
    return place[:1].isalpha() and place[1:].isdecimal()


def reading_order(place: str) -> tuple[int, str]:
    digits = "".join(character for character in place if character.isdecimal())
    return int(digits or 0), place

"""A move that a player is putting together, tap by tap.

It is stored in the page's address, encrypted, so that an unfinished bid never appears in an access log or browser
history, and the back button undoes a tap.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from core import vault
from games.engine.choices import Choices, Field, Form, Ranking, Squares, Subset, sides
from games.engine.records import Record
from games.engine.registry import AnyEngine


class Draft(Record, frozen=True):
    mode: str = ""
    """The form, or the group of moves, that the player has opened."""
    values: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The values filled in so far, by field."""
    places: tuple[str, ...] = ()
    """The places tapped for the next move, or for the next entry in a ranking."""
    move: str = ""
    """A complete move that only has to be confirmed."""


class Envelope(Record, frozen=True):
    match: str
    user: int
    turn: int
    draft: Draft


def sealed(match_id: str, user_id: int, turn: int, draft: Draft) -> str:
    return vault.encrypt(msgspec.json.encode(Envelope(match_id, user_id, turn, draft)))


def opened(token: str, match_id: str, user_id: int) -> tuple[int, Draft] | None:
    """Return the turn and the draft. Return None if the draft wasn't made by this user for this match."""
    try:
        envelope = msgspec.json.decode(vault.decrypt(token), type=Envelope)
    except (vault.CannotDecrypt, msgspec.DecodeError, UnicodeError):
        return None
    is_theirs = (envelope.match, envelope.user) == (match_id, user_id)
    return (envelope.turn, envelope.draft) if is_theirs else None


def draft_of_move(engine: AnyEngine, choices: Choices[Any], move: Any) -> Draft:
    """Return the draft from which a sealed move can be changed."""
    written = msgspec.to_builtins(move)
    form = form_in(choices, written["move"])
    if form is None:
        return Draft()
    values = {field.name: written_values(engine, field, getattr(move, field.name)) for field in form.fields}
    return Draft(mode=form.move, values=values)


def written_values(engine: AnyEngine, field: Field, values: Iterable[Any]) -> tuple[str, ...]:
    return tuple(engine.notation(value) if isinstance(field, Ranking) else str(value) for value in values)


def form_in(choices: Choices[Any], mode: str) -> Form | None:
    return next((form for form in choices.forms if form.move == mode), None)


def first_mode(engine: AnyEngine, choices: Choices[Any]) -> str:
    """Return the mode to start in. Moves on the board come first, then forms, then groups of moves."""
    buttons = [engine.button(move) for move in choices.moves]
    if any(button.places and not button.title for button in buttons):
        return ""
    return next((form.move for form in choices.forms), next((button.title for button in buttons if button.title), ""))


def tappable(engine: AnyEngine, choices: Choices[Any], mode: str) -> list[tuple[Any, tuple[str, ...]]]:
    """Return the moves that can be made by tapping the board in this mode, with their places."""
    form = form_in(choices, mode)
    moves = choices.moves if form is None else (ranking.values if (ranking := ranking_in(form)) else ())
    buttons = [(move, engine.button(move)) for move in moves]
    return [(move, button.places) for move, button in buttons if button.places and (form or button.title == mode)]


def ranking_in(form: Form) -> Ranking | None:
    return next((field for field in form.fields if isinstance(field, Ranking)), None)


def squares_in(form: Form | None) -> Squares | None:
    return next((field for field in form.fields if isinstance(field, Squares)), None) if form else None


def next_places(routes: Iterable[tuple[str, ...]], places: Sequence[str]) -> set[str]:
    """Return the places that can be tapped next: the first places of other moves, and places that continue this
    move."""
    listed, tapped = list(routes), set(places)
    further = {place for route in listed if tapped and tapped <= set(route) for place in route}
    return ({route[0] for route in listed} | further) - tapped


def open_squares(field: Squares, named: Sequence[str]) -> set[str]:
    if len(named) >= field.count:
        return set()
    closed = {*field.shut, *named, *(near for square in named for near in sides(square))}
    return set(field.values) - closed or set(field.values) - set(named)


def tap(engine: AnyEngine, choices: Choices[Any], draft: Draft, place: str) -> Draft:
    """Return the draft after a tap on the board.

    Tapping a chosen place takes it back, and an impossible tap changes nothing.
    """
    if field := squares_in(form_in(choices, draft.mode)):
        return tap_square(draft, field, place)
    moves = tappable(engine, choices, draft.mode)
    routes = [route for _, route in moves]
    if place in draft.places:
        kept = tuple(other for other in draft.places if other != place)
        return replace(draft, places=() if place == draft.places[0] else kept)
    if place not in next_places(routes, draft.places):
        return draft
    is_beginning = any(route[0] == place for route in routes)
    places = (place,) if is_beginning and len(draft.places) else (*draft.places, place)
    if next_places(routes, places) - {route[0] for route in routes}:
        return replace(draft, places=places)
    finished = [move for move, route in moves if set(route) == set(places)]
    return settle(engine, choices, replace(draft, places=places), engine.notation(finished[0])) if finished else draft


def tap_square(draft: Draft, field: Squares, place: str) -> Draft:
    named = draft.values.get(field.name, ())
    if place in named:
        return with_values(draft, field.name, [other for other in named if other != place])
    return with_values(draft, field.name, [*named, place]) if place in open_squares(field, named) else draft


def settle(engine: AnyEngine, choices: Choices[Any], draft: Draft, notation: str) -> Draft:
    """Finish the move that the player has put together.

    If the move is an entry in a ranking, it is added to the ranking. Otherwise, the player still has to confirm it.
    """
    form = form_in(choices, draft.mode)
    if form is None:
        return replace(draft, move=notation)
    ranking = ranking_in(form)
    if ranking is None or notation not in {engine.notation(move) for move in ranking.values}:
        return draft
    named = [other for other in draft.values.get(ranking.name, ()) if other != notation]
    return replace(with_values(draft, ranking.name, [*named, notation][: ranking.most]), places=())


def with_values(draft: Draft, name: str, values: Iterable[str]) -> Draft:
    return replace(draft, values=draft.values | {name: tuple(values)})


def fill_in(form: Form | None, draft: Draft, sent: Callable[[str], list[str]]) -> Draft:
    """Update the draft with the state of the checkboxes, which is sent with every tap."""
    for field in form.fields if form else ():
        if isinstance(field, Subset):
            draft = with_values(draft, field.name, sent(field.name))
    return draft


def finished_move(engine: AnyEngine, form: Form, draft: Draft) -> Any:
    """Return the finished move. Raise MalformedMove if a value is invalid."""
    return engine.read_move(
        {"move": form.move} | {field.name: read_values(engine, field, draft) for field in form.fields}
    )


def read_values(engine: AnyEngine, field: Field, draft: Draft) -> list[Any]:
    values = draft.values.get(field.name, ())
    if isinstance(field, Subset):
        return [int(value) if value.isdecimal() and len(value) < 10 else value for value in values]
    if isinstance(field, Ranking):
        return [msgspec.to_builtins(engine.parse(value)) for value in values]
    return list(values)

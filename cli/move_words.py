"""Complete moves word by word, in the shell and at the prompt."""

from collections.abc import Iterator

from cli.local_store import Document

PLAN = "plan"
BETWEEN_PICKS = "/"


def next_words(game: str, choices: Document | None, typed: list[str]) -> list[str]:
    """Return the words that can follow those already typed, in the order in which the moves are offered."""
    if not choices:
        return []
    so_far = [word.lower() for word in typed]
    listed = [move["notation"].split() for move in choices["moves"]]
    words = [move[len(so_far)] for move in listed if continues(move, so_far)]
    words += [word for form in choices["forms"] for word in form_words(game, form, so_far)]
    return list(dict.fromkeys(words))


def continues(move: list[str], so_far: list[str]) -> bool:
    return len(move) > len(so_far) and [word.lower() for word in move[: len(so_far)]] == so_far


def form_words(game: str, form: Document, so_far: list[str]) -> Iterator[str]:
    """Return the words that can follow in a move with blanks.

    The verb comes first, followed by values that haven't been used.
    """
    verb, *_ = form["example"].split()
    if not so_far:
        yield verb
        return
    if so_far[0] != verb:
        return
    ranked = next((field for field in form["fields"] if field["type"] == "ranking"), None)
    if PLAN in so_far:
        yield from plan_words(game, ranked, so_far[so_far.index(PLAN) + 1 :]) if ranked else ()
        return
    used = so_far[1:]
    for field in form["fields"]:
        if field["type"] != "ranking" and len(used) < field.get("most", field.get("count", 0)):
            yield from (str(value) for value in field["values"] if str(value).lower() not in used)
    if ranked and ranked["values"] and used:
        yield PLAN


def plan_words(game: str, ranked: Document, so_far: list[str]) -> Iterator[str]:
    """Return the next word of the current pick in a plan, and a slash if the pick is complete."""
    starts = [number + 1 for number, word in enumerate(so_far) if word == BETWEEN_PICKS]
    current = so_far[starts[-1] :] if starts else so_far
    picks = written_picks(game, ranked["values"])
    yield from (pick[len(current)] for pick in picks if continues(pick, current))
    if any([word.lower() for word in pick] == current for pick in picks) and len(starts) + 1 < ranked["most"]:
        yield BETWEEN_PICKS


def written_picks(game: str, picks: list[Document]) -> list[list[str]]:
    """Write picks as in a plan, without their verb. Return nothing if this client is too old for the game."""
    from games.engine.errors import EngineError
    from games.engine.registry import engine

    try:
        rules = engine(game)
        return [rules.notation(rules.read_move(pick)).split()[1:] for pick in picks]
    except EngineError:
        return []

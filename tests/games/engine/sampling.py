"""Stored records: a file for each schema of each game, which must stay loadable forever.

`python -m tests.games.engine.sampling` writes the file for a game's current schema if it is missing. Committed files
are never rewritten.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

from games.engine.registry import AnyEngine, engines
from tests.games.engine.playing import new_match, seed_of, steps
from tests.games.engine.setups import SETUPS

FOLDER = Path(__file__).parent / "samples"
STATES = 8


def path(slug: str, schema: int) -> Path:
    return FOLDER / f"{slug}-{schema}.json"


def kinds(union: Any) -> set[str]:
    """Return the tags of a union of moves or events."""
    return {kind.__struct_config__.tag for kind in get_args(union)}


def one_of_each(records: Iterable[Any]) -> list[Any]:
    return list({type(record): record for record in records}.values())


def sample(engine: AnyEngine) -> dict[str, list[Any]]:
    """Collect some positions and their views, and one move and event of each kind."""
    setups = SETUPS[engine.slug]
    played = [step for setup in setups for step in steps(setup)]
    states = [step.played.state for step in played[:: len(played) // STATES]] + [played[-1].played.state]
    started = [event for setup in setups for event in new_match(setup, seed_of("sample")).events]
    return {
        "states": [json.loads(engine.states.dump(state)) for state in states],
        "moves": [json.loads(engine.moves.dump(move)) for move in one_of_each(step.move for step in played)],
        "events": [
            json.loads(engine.events.dump(event))
            for event in one_of_each([*started, *(event for step in played for event in step.played.events)])
        ],
        "views": [json.loads(engine.views.dump(engine.view(state, seat))) for state in states for seat in (0, None)],
    }


def one_record_a_line(sampled: dict[str, list[Any]]) -> str:
    parts = []
    for name, records in sampled.items():
        lines = ",\n".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in records)
        parts.append(f'"{name}": [\n{lines}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write_missing() -> None:
    FOLDER.mkdir(exist_ok=True)
    for engine in engines():
        file = path(engine.slug, engine.states.schema)
        if not file.exists():
            file.write_text(one_record_a_line(sample(engine)), "utf-8")


if __name__ == "__main__":
    write_missing()

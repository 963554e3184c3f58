"""Damaged emails for testing the parser.

`python -m tests.inbound.fuzzing 20000` tries 20,000 of them. Emails that take a new path through the parser are stored
in fuzz/. A path is new if it has a step from one line to another that no stored email has taken before.
"""

import random
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any

from inbound import parsing
from tests.inbound.corpus import MAILS

FOLDER = Path(__file__).parent / "fuzz"
KEPT = {path.stem: path.read_bytes() for path in sorted(FOLDER.glob("*.eml"))}
LONGEST = 50_000
READER = str(Path(parsing.__file__).parent)


def damaged_mails(seed: str, mails: list[bytes]) -> Iterator[bytes]:
    """Yield the same damaged emails every time. Bytes are changed, removed or repeated, or two emails are merged."""
    chance = random.Random(seed)
    while True:
        yield damaged(chance, chance.choice(mails), chance.choice(mails))


def damaged(chance: random.Random, raw: bytes, other: bytes) -> bytes:
    for _ in range(chance.randint(1, 5)):
        start, end = sorted(chance.randrange(len(raw) + 1) for _ in range(2))
        kind = chance.randrange(4)
        if kind == 0:
            raw = raw[:start] + chance.randbytes(chance.randint(1, 8)) + raw[start:]
        elif kind == 1:
            raw = raw[:start] + raw[end:]
        elif kind == 2:
            raw = raw[:end] + raw[start:]
        else:
            raw = raw[:start] + other[chance.randrange(len(other) + 1) :]
    return raw[:LONGEST]


def steps(raw: bytes) -> set[tuple[str, int, int]]:
    """Return the line-to-line steps that parsing an email takes."""
    taken: set[tuple[str, int, int]] = set()

    def enter(frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(READER):
            return None
        before = frame.f_code.co_firstlineno

        def line(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal before
            taken.add((frame.f_code.co_filename, before, frame.f_lineno))
            before = frame.f_lineno
            return line

        return line

    sys.settrace(enter)
    try:
        parsing.read(raw)
    finally:
        sys.settrace(None)
    return taken


def hunt(tries: int) -> None:
    mails = [*MAILS.values(), *KEPT.values()]
    known = set[tuple[str, int, int]]().union(*map(steps, mails))
    for raw in islice(damaged_mails(f"hunt {len(mails)}", mails), tries):
        if not (taken := steps(raw)) <= known:
            known |= taken
            name = sha256(raw).hexdigest()[:12]
            FOLDER.mkdir(exist_ok=True)
            (FOLDER / f"{name}.eml").write_bytes(raw)
            print(f"{name}: {len(taken)} steps, {len(raw)} bytes", flush=True)  # noqa: T201


if __name__ == "__main__":
    hunt(int(sys.argv[1]))

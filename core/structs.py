"""Prepare all structs before any threads start.

msgspec examines a type when it is first used. If two threads do so at the same time, the process crashes.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec


def prepare() -> None:
    """Let msgspec examine every struct that has been imported. Structs that can only be written are left out."""
    for kind in subclasses(msgspec.Struct):
        with suppress(NameError, TypeError):
            msgspec.json.Decoder(kind)


def subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for one in kind.__subclasses__():
        yield one
        yield from subclasses(one)

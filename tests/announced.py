"""Record the announcements that apps make to each other."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar
from unittest.mock import patch

from core import announcements

A = TypeVar("A")


@contextmanager
def announced(kind: type[A]) -> Iterator[list[A]]:
    """Collect all announcements of this kind that are made inside the block."""
    said: list[A] = []
    with patch.dict(announcements._listeners, {kind: [*announcements._listeners[kind], said.append]}):
        yield said

"""Changing immutable rows of things: a new one with one place exchanged."""

from typing import TypeVar

T = TypeVar("T")


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])

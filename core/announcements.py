"""Tell higher-level apps what has happened, without depending on them.

An app declares its announcements as dataclasses and announces them inside its transaction. Higher-level apps register
listeners when Django starts. A listener's writes belong to the same transaction, and an exception in a listener rolls
everything back.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar

A = TypeVar("A")
_listeners: dict[type[Any], list[Callable[[Any], None]]] = defaultdict(list)


def listens_to(kind: type[A]) -> Callable[[Callable[[A], None]], Callable[[A], None]]:
    """Register a function that is called with each announcement of this type, as in `@listens_to(MoveMade)`.

    Listeners run in the order of their apps.
    """

    def register(listener: Callable[[A], None]) -> Callable[[A], None]:
        _listeners[kind].append(listener)
        return listener

    return register


def announce(announcement: object) -> None:
    for listener in _listeners[type(announcement)]:
        listener(announcement)

"""How an app tells the apps above it what happened, without knowing them.

An app declares its announcements as dataclasses and announces them inside the transaction of what happened; the apps
above register listeners when Django starts. What a listener writes belongs to the same transaction, and if a listener
fails, nothing has happened.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar

A = TypeVar("A")
_listeners: dict[type[Any], list[Callable[[Any], None]]] = defaultdict(list)


def listens_to(kind: type[A]) -> Callable[[Callable[[A], None]], Callable[[A], None]]:
    """`@listens_to(MoveMade)` on a function of one announcement. Listeners are called in the order of their apps."""

    def register(listener: Callable[[A], None]) -> Callable[[A], None]:
        _listeners[kind].append(listener)
        return listener

    return register


def announce(announcement: object) -> None:
    for listener in _listeners[type(announcement)]:
        listener(announcement)

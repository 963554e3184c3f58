"""Collect the contract tests as functions that take a setup."""

import inspect
from collections.abc import Callable, Iterator

from tests.games.engine.contract import test_matches, test_moves, test_records, test_secrecy, test_words
from tests.games.engine.setups import Setup

MODULES = (test_matches, test_moves, test_records, test_secrecy, test_words)


def rules_for_a_setup() -> Iterator[Callable[[Setup], None]]:
    """Return all contract tests that take only a setup."""
    for module in MODULES:
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if name.startswith("test_") and list(inspect.signature(function).parameters) == ["setup"]:
                yield function

"""Django's SQLite, with a queue for those who write.

SQLite lets one write at a time and has the others try again and again, with longer and longer pauses: whoever has bad
luck waits for seconds while others come and go. In one process all know of each other, so they can stand in line.
"""

import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class Line:
    """First come, first served."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._busy = False

    def enter(self, seconds: float) -> None:
        with self._guard:
            if not self._busy:
                self._busy = True
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        if not turn.acquire(timeout=seconds):
            self._give_up(turn)

    def leave(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._busy = False

    def _give_up(self, turn: threading.Lock) -> None:
        with self._guard:
            if turn in self._waiting:
                self._waiting.remove(turn)
                raise OperationalError("database is locked")  # as SQLite says it


LINES: dict[str, Line] = {}
"""One for each file. A forked process has none of those who stood in line."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=LINES.clear)

Sqlite: Any = base.DatabaseWrapper


class DatabaseWrapper(Sqlite):  # type: ignore[misc]
    """Has its turn from the beginning of a transaction to its end, or for a single statement that writes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._has_turn = False
        self.execute_wrappers.append(self._in_line)

    def _start_transaction_under_autocommit(self) -> None:
        self._take_turn()
        try:
            super()._start_transaction_under_autocommit()
        except BaseException:
            self._end_turn()
            raise

    def _commit(self) -> None:
        super()._commit()
        self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()
        finally:
            self._end_turn()

    def _in_line(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Only outside of transactions: inside one there is nothing to wait for any more."""
        if not sql.startswith(WRITES):
            return execute(sql, params, many, context)
        self._take_turn()
        try:
            return execute(sql, params, many, context)
        finally:
            self._end_turn()

    def _take_turn(self) -> None:
        """Transactions that do not take the write lock when they begin would keep others waiting for nothing."""
        if self.transaction_mode == "IMMEDIATE" and not self._has_turn:
            name = str(self.settings_dict["NAME"])
            line = LINES.get(name) or LINES.setdefault(name, Line())
            line.enter(self.settings_dict["OPTIONS"]["timeout"])
            self._has_turn = True
            self.execute_wrappers.remove(self._in_line)

    def _end_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            self.execute_wrappers.append(self._in_line)
            LINES[str(self.settings_dict["NAME"])].leave()

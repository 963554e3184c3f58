"""Django's SQLite backend with a queue for writers.

SQLite allows one writer at a time. The others retry with growing pauses, so an unlucky writer can wait for seconds
while others overtake it. Writers in the same process wait in a queue instead.
"""

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class WriteQueue:
    """A lock that serves threads in the order they arrive."""

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
                raise OperationalError("database is locked")  # SQLite uses the same message.


def keep_private(name: str) -> None:
    """Let only the service's own account read the file, even if others can read its folder.

    SQLite gives its journals the same permissions. An existing file is never opened here, because closing it would
    release the locks that other connections of this process hold on it.
    """
    path = Path(name)
    if name == ":memory:" or name.startswith("file:"):
        return
    with suppress(FileExistsError, FileNotFoundError, PermissionError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with suppress(FileNotFoundError, PermissionError):
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)


QUEUES: dict[str, WriteQueue] = {}
"""The queue for each database file. A forked process starts with none."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=QUEUES.clear)

Sqlite: Any = base.DatabaseWrapper


class DatabaseWrapper(Sqlite):  # type: ignore[misc]
    """Holds the write lock for a whole transaction, or for a single writing statement."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._has_turn = False
        self.execute_wrappers.append(self._queue_writes)

    def get_new_connection(self, conn_params: Any) -> Any:
        keep_private(str(self.settings_dict["NAME"]))
        return super().get_new_connection(conn_params)

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

    def _queue_writes(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Take the lock for a single statement outside of a transaction. A transaction already holds the lock."""
        if not sql.startswith(WRITES):
            return execute(sql, params, many, context)
        self._take_turn()
        try:
            return execute(sql, params, many, context)
        finally:
            self._end_turn()

    def _take_turn(self) -> None:
        """Take the lock for IMMEDIATE transactions only.

        Other transactions do not take SQLite's write lock when they begin.
        """
        if self.transaction_mode == "IMMEDIATE" and not self._has_turn:
            name = str(self.settings_dict["NAME"])
            queue = QUEUES.get(name) or QUEUES.setdefault(name, WriteQueue())
            queue.enter(self.settings_dict["OPTIONS"]["timeout"])
            self._has_turn = True
            self.execute_wrappers.remove(self._queue_writes)

    def _end_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            self.execute_wrappers.append(self._queue_writes)
            QUEUES[str(self.settings_dict["NAME"])].leave()

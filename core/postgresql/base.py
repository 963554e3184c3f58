"""Django's PostgreSQL backend with fewer round trips.

The BEGIN of a transaction is sent with its first statement, and the statements passed to `run_at_commit` are sent with
its COMMIT. Connections aren't checked before each request. If the first statements fail because the connection is
broken, they are sent again on a new one, provided that they only read, or belong to a transaction whose COMMIT wasn't
sent.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from time import monotonic
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError
from django.db.backends.postgresql import base
from psycopg.abc import Buffer
from psycopg.adapt import Loader

from core.postgresql.pipeline import Pipeline, Rows, Statement

R = TypeVar("R")
BEGIN: Statement = "BEGIN", ()
COMMIT: Statement = "COMMIT", ()

Postgresql: Any = base.DatabaseWrapper


class TimestampLoader(Loader):
    """Parses times in C. PostgreSQL sends them in UTC, because the connection is set up that way."""

    timezone = UTC

    def load(self, data: Buffer) -> datetime:
        return datetime.fromisoformat(str(data, "ascii"))


class DatabaseWrapper(Postgresql):  # type: ignore[misc]
    """Keeps psycopg in autocommit mode and sends BEGIN and COMMIT itself."""

    connection: Any
    health_check_done: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._begins = False
        self._at_commit: list[Statement] = []
        self.execute_wrappers.append(self._send)

    def run_together(self, statements: Sequence[Statement]) -> list[Rows]:
        """Run statements in one round trip, and return the rows that each of them found."""
        self.ensure_connection()
        self.validate_thread_sharing()
        self.validate_no_broken_transaction()
        sent = [*self._at_commit, *statements]
        self._at_commit = []
        if self._begins:
            sent.insert(0, BEGIN)
            self._begins = False
        began = monotonic()
        try:
            found = self._checked(lambda: self._run(sent), is_repeatable=is_repeatable(sent))
        finally:
            if self.queries_logged:
                sql = ";\n".join(sql for sql, _ in sent)
                self.queries_log.append({"sql": sql, "time": f"{monotonic() - began:.3f}"})
        return found[len(found) - len(statements) :]

    def run_at_commit(self, statements: Sequence[Statement]) -> None:
        """Run the statements together with COMMIT.

        If the transaction continues with another statement, they run before it.
        """
        self._at_commit += statements
        if len(self.atomic_blocks) != 1:
            self.run_together([])

    def close_if_health_check_failed(self) -> None:
        """Do nothing, because `_checked` notices a broken connection."""

    def get_new_connection(self, conn_params: Any) -> Any:
        connection = super().get_new_connection(conn_params)
        connection.autocommit = True
        connection.adapters.register_loader("timestamptz", TimestampLoader)
        self._pipeline = Pipeline(connection)
        return connection

    def _set_autocommit(self, autocommit: bool) -> None:
        self._begins = not autocommit

    def _commit(self) -> None:
        if self._at_commit:
            self.run_together([COMMIT])
        else:
            super()._commit()
        self._begins = not self.autocommit

    def _rollback(self) -> None:
        self._at_commit.clear()
        super()._rollback()
        self._begins = not self.autocommit

    def _close(self) -> None:
        self._at_commit.clear()
        super()._close()

    def _run(self, statements: Sequence[Statement]) -> list[Rows]:
        with self.wrap_database_errors:
            return self._pipeline.run(statements)

    def _send(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        if self._at_commit:
            self.run_together([])
        begins, self._begins = self._begins, False

        def send() -> Any:
            if not begins:
                return execute(sql, params, many, context)
            if many or not isinstance(sql, str):
                context["cursor"].cursor.execute("BEGIN")
                return execute(sql, params, many, context)
            result = execute(f"BEGIN;\n{sql}", params, many, context)
            context["cursor"].cursor.nextset()
            return result

        only_reads = isinstance(sql, str) and sql.startswith("SELECT")
        return self._checked(send, is_repeatable=begins or only_reads, cursor=context["cursor"])

    def _checked(self, send: Callable[[], R], *, is_repeatable: bool, cursor: Any = None) -> R:
        """Send statements. If they are the first of a request, replace a broken connection."""
        is_first, self.health_check_done = not self.health_check_done, True
        if not is_first:
            return send()
        if is_repeatable:
            try:
                return send()
            except (InterfaceError, OperationalError):
                if not self.connection.closed:
                    raise
            self._reconnect(cursor)
        elif not self.is_usable():
            self._reconnect(cursor)
        return send()

    def _reconnect(self, cursor: Any) -> None:
        """Replace the connection. The transaction's state in Django stays as it is, because nothing has been sent."""
        with self.wrap_database_errors:
            self.connection.close()
            self.connection = self.get_new_connection(self.get_connection_params())
            self.init_connection_state()
        self.errors_occurred = False
        if cursor:
            cursor.cursor = self.create_cursor()


def is_repeatable(statements: Sequence[Statement]) -> bool:
    """Return whether statements can be sent again if it is unknown whether they have run."""
    if statements[0] is BEGIN:
        return statements[-1] is not COMMIT
    return all(sql.startswith("SELECT") for sql, _ in statements)

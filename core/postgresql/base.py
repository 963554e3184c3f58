"""Django's PostgreSQL backend with fewer round trips.

The BEGIN of a transaction is sent with its first statement, and the statements passed to `run_at_commit` are sent with
its COMMIT. Connections aren't checked before each request. If the first statement fails because the connection is
broken, it's sent again on a new one. That's safe for statements that only read, and for statements in a transaction
that was never committed.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.db import InterfaceError, OperationalError
from django.db.backends.postgresql import base
from psycopg.abc import Buffer
from psycopg.adapt import Loader

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
        self._at_commit: list[str] = []
        self.execute_wrappers.append(self._send)

    def run_at_commit(self, statements: str) -> None:
        """Run the statements together with COMMIT.

        If the transaction continues with another statement, they run before it.
        """
        self._at_commit.append(statements)
        if len(self.atomic_blocks) != 1:
            self._run_pending()

    def close_if_health_check_failed(self) -> None:
        """Do nothing, because `_send` notices a broken connection."""

    def get_new_connection(self, conn_params: Any) -> Any:
        connection = super().get_new_connection(conn_params)
        connection.autocommit = True
        connection.adapters.register_loader("timestamptz", TimestampLoader)
        return connection

    def _set_autocommit(self, autocommit: bool) -> None:
        self._begins = not autocommit

    def _commit(self) -> None:
        if self._at_commit:
            self._run_pending("COMMIT")
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

    def _run_pending(self, *more: str) -> None:
        statements, self._at_commit = [*self._at_commit, *more], []
        with self.cursor() as cursor:
            cursor.execute(";\n".join(statements))

    def _send(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        if self._at_commit:
            self._run_pending()
        begins, self._begins = self._begins, False
        is_first, self.health_check_done = not self.health_check_done, True

        def send() -> Any:
            if not begins:
                return execute(sql, params, many, context)
            if many or not isinstance(sql, str):
                context["cursor"].cursor.execute("BEGIN")
                return execute(sql, params, many, context)
            result = execute(f"BEGIN;\n{sql}", params, many, context)
            context["cursor"].cursor.nextset()
            return result

        if not is_first:
            return send()
        if not begins and not (isinstance(sql, str) and sql.startswith("SELECT")):
            if not self.is_usable():
                self._reconnect(context["cursor"])
            return send()
        try:
            return send()
        except (InterfaceError, OperationalError):
            if not self.connection.closed:
                raise
        self._reconnect(context["cursor"])
        return send()

    def _reconnect(self, cursor: Any) -> None:
        """Replace the connection. The transaction's state in Django stays as it is, because nothing has been sent."""
        with self.wrap_database_errors:
            self.connection.close()
            self.connection = self.get_new_connection(self.get_connection_params())
            self.init_connection_state()
        self.errors_occurred = False
        cursor.cursor = self.create_cursor()

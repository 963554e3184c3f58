"""Send several statements in one round trip, and let PostgreSQL parse and plan each of them only once per connection.

Statements are sent in libpq's pipeline mode, apart from their parameters. If one fails, PostgreSQL skips the rest.
"""

import re
from collections.abc import Generator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import compress, count
from typing import Any

import psycopg
from psycopg import generators
from psycopg.abc import Buffer
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import FeatureNotSupported, InvalidSqlStatementName, error_from_result
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

Statement = tuple[str, Sequence[Any]]
"""A statement with %s for each parameter, and its parameters."""
Parameters = Sequence[Buffer | None]
Rows = list[tuple[Any, ...]]

MOST_PREPARED = 200
"""How many statements are prepared per connection. Each takes some of the server's memory."""
SERVER_PROCESS: Statement = "SELECT pg_backend_pid()", ()
SUCCEEDED = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


class Pipeline:
    """Sends statements over a connection, and remembers which of them are prepared there.

    Behind a pooler, the next transaction may run in another server process, where they aren't prepared. Therefore,
    nothing is prepared unless the first round trip shows that the connection leads to the server process that accepted
    it. Poolers accept connections themselves.
    """

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self._transformer = Transformer.from_context(connection)
        self._is_direct: bool | None = None
        self._names: dict[str, bytes] = {}
        self._numbers = count()

    def run(self, statements: Sequence[Statement]) -> list[Rows]:
        """Run the statements, and return the rows that each of them found."""
        if self._is_direct is None:
            *found, [[process]] = self._run([*statements, SERVER_PROCESS])
            self._is_direct = process == self._connection.info.backend_pid
            return found
        status = self._connection.info.transaction_status
        try:
            return self._run(statements)
        except (FeatureNotSupported, InvalidSqlStatementName):
            # A column has a new type, or the prepared statements have been discarded.
            self._names.clear()
            if status != TransactionStatus.IDLE:
                raise
            self._connection.rollback()
            return self._run(statements)

    def _run(self, statements: Sequence[Statement]) -> list[Rows]:
        connection = self._connection
        sent = [(sql, self._dumped(values)) for sql, values in statements]
        with connection.lock:
            connection.pgconn.enter_pipeline_mode()
            try:
                results = connection.wait(self._results(sent))
            finally:
                self._leave()
        return [self._rows(result) for result in results]

    def _dumped(self, values: Sequence[Any]) -> Parameters:
        texts = [written(value) if type(value) is datetime else value for value in values]
        return self._transformer.dump_sequence(texts, [PyFormat.TEXT] * len(texts))

    def _leave(self) -> None:
        try:
            self._connection.pgconn.exit_pipeline_mode()
        except psycopg.OperationalError:  # An exception has interrupted the exchange.
            self._connection.close()

    def _results(self, statements: Sequence[tuple[str, Parameters]]) -> Generator[Any, Any, list[PGresult]]:
        pgconn, prepared, is_wanted = self._connection.pgconn, dict[str, bytes](), list[bool]()
        for sql, values in statements:
            name = self._names.get(sql) or prepared.get(sql)
            if name is None and self._is_direct and len(self._names) + len(prepared) < MOST_PREPARED:
                name = prepared[sql] = b"turnpost%d" % next(self._numbers)
                pgconn.send_prepare(name, numbered(sql))
                is_wanted.append(False)
            if name is None:
                pgconn.send_query_params(numbered(sql), values)
            else:
                pgconn.send_query_prepared(name, values)
            is_wanted.append(True)
        pgconn.pipeline_sync()
        yield from generators.send(pgconn)
        results = yield from self._received()
        for result in results:
            if result.status not in SUCCEEDED:
                raise error_from_result(result, self._connection.info.encoding)
        self._names |= prepared
        return list(compress(results, is_wanted))

    def _received(self) -> Generator[Any, Any, list[PGresult]]:
        """Receive the result of each statement, up to the end of the round trip."""
        pgconn, results = self._connection.pgconn, list[PGresult]()
        while True:
            result = yield from generators.fetch(pgconn)
            if result is None:
                if pgconn.status == ConnStatus.BAD:
                    raise psycopg.OperationalError("The connection to the database is lost.")
            elif result.status == ExecStatus.PIPELINE_SYNC:
                return results
            else:
                results.append(result)

    def _rows(self, result: PGresult) -> Rows:
        if result.status != ExecStatus.TUPLES_OK:
            return []
        self._transformer.set_pgresult(result)
        return self._transformer.load_rows(0, result.ntuples, tuple)


@lru_cache(maxsize=64)
def written(time: datetime) -> str:
    """Write a time the way psycopg does. Most times in a transaction are the same."""
    return str(time)


@lru_cache(maxsize=2048)
def numbered(sql: str) -> bytes:
    """Write the parameters the way PostgreSQL does, as $1, $2, and so on."""
    numbers = count(1)
    return re.sub("%[s%]", lambda found: "%" if found[0] == "%%" else f"${next(numbers)}", sql).encode()

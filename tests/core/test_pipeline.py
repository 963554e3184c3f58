"""Statements for PostgreSQL are sent together, and are parsed and planned once per connection."""

from unittest.mock import PropertyMock, patch

import psycopg
import pytest
from django.db import connection
from psycopg.errors import DivisionByZero, InvalidSqlStatementName

from core.postgresql.pipeline import Pipeline
from tests.databases import counted_round_trips, postgresql_only

pytestmark = [pytest.mark.django_db, postgresql_only]

ONE, TWO = ("SELECT %s::int", [1]), ("SELECT %s::int + 1", [1])
DIVISION_BY_ZERO = ("SELECT 1 / %s::int", [0])
BEGIN = ("BEGIN", ())


@pytest.fixture
def opened():
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as opened:
        yield opened


@pytest.fixture
def together(opened):
    pipeline = Pipeline(opened)
    return lambda *statements: pipeline.run(statements)


def prepared(opened):
    found = opened.execute("SELECT statement FROM pg_prepared_statements ORDER BY prepare_time, name")
    return [statement for (statement,) in found]


def test_each_statement_returns_its_own_rows(together):
    for _ in range(3):
        assert together(ONE, ("SET work_mem = '4MB'", []), TWO) == [[(1,)], [], [(2,)]]


def test_a_percent_sign_is_written_twice(together):
    assert together(("SELECT '5%%', %s::text", ["10%"])) == [[("5%", "10%")]]


def test_much_data_in_both_directions_does_not_block(together):
    text = "x" * 200_000
    assert together(*[("SELECT %s::text", [text])] * 50) == [[(text,)]] * 50


class TestPreparing:
    def test_a_statement_is_prepared_once(self, opened, together):
        for _ in range(4):
            together(ONE, TWO, ONE)
        assert prepared(opened) == ["SELECT $1::int", "SELECT $1::int + 1"]

    def test_preparing_takes_no_round_trip_of_its_own(self, opened, together):
        counts = []
        for statements in ([ONE], [ONE, TWO], [TWO]):
            with counted_round_trips(opened) as trips:
                together(*statements)
            counts.append(trips.count)
        assert counts == [1, 1, 1]

    def test_nothing_is_prepared_behind_a_pooler(self, opened, together):
        other = PropertyMock(return_value=opened.info.backend_pid + 1)
        with patch.object(psycopg.ConnectionInfo, "backend_pid", other):
            for _ in range(3):
                assert together(ONE) == [[(1,)]]
        assert prepared(opened) == []

    def test_once_there_are_many_no_further_statement_is_prepared(self, opened, together, monkeypatch):
        monkeypatch.setattr("core.postgresql.pipeline.MOST_PREPARED", 2)
        for number in range(5):
            assert together((f"SELECT {number}", [])) == [[(number,)]]
        assert prepared(opened) == ["SELECT 1", "SELECT 2"]

    def test_statements_are_prepared_again_after_they_have_been_discarded(self, opened, together):
        for _ in range(3):
            assert together(ONE, TWO) == [[(1,)], [(2,)]]
            opened.execute("DISCARD ALL")

    def test_statements_discarded_within_a_transaction_end_only_this_transaction(self, opened, together):
        together(ONE)
        together(BEGIN, ONE)
        opened.execute("DEALLOCATE ALL")
        with pytest.raises(InvalidSqlStatementName):
            together(ONE)
        opened.rollback()
        assert together(BEGIN, ONE) == [[], [(1,)]]

    @pytest.mark.parametrize("before", [[], [BEGIN]])
    def test_a_statement_still_works_after_a_column_has_got_another_type(self, opened, together, before):
        opened.execute("CREATE TEMPORARY TABLE changing AS SELECT 5 AS value")

        def read():
            *_, rows = together(*before, ("SELECT value FROM changing", []))
            opened.rollback()
            return rows

        assert [read(), read()] == [[(5,)], [(5,)]]
        opened.execute("ALTER TABLE changing ALTER COLUMN value TYPE text")
        assert [read(), read()] == [[("5",)], [("5",)]]


class TestErrors:
    def test_if_a_statement_fails_none_of_them_has_any_effect(self, opened, together):
        opened.execute("CREATE TEMPORARY TABLE written (number int)")
        insert = "INSERT INTO written VALUES (%s)"
        for _ in range(2):
            with pytest.raises(DivisionByZero):
                together((insert, [1]), DIVISION_BY_ZERO, (insert, [2]))
            assert together(("SELECT * FROM written", [])) == [[]]

    def test_a_statement_that_was_first_used_with_one_that_failed_can_be_used(self, together):
        together(ONE)
        for _ in range(2):
            with pytest.raises(DivisionByZero):
                together(TWO, DIVISION_BY_ZERO)
        assert together(TWO) == [[(2,)]]

    def test_text_with_a_null_character_is_refused_and_nothing_is_sent(self, opened, together):
        with counted_round_trips(opened) as trips, pytest.raises(psycopg.DataError):
            together(ONE, ("SELECT %s::text", ["one\0two"]))
        assert trips.count == 0
        assert together(ONE) == [[(1,)]]

    def test_parameters_are_never_read_as_sql(self, together):
        text = "'; DROP TABLE accounts_user; -- \\' %s $1"
        assert together(("SELECT %s::text", [text])) == [[(text,)]]

    def test_losing_the_connection_is_an_operational_error(self, opened, together):
        with pytest.raises(psycopg.OperationalError):
            together(("SELECT pg_terminate_backend(pg_backend_pid())", []), ONE)
        assert opened.closed

    def test_an_interrupted_round_trip_closes_the_connection(self, opened, together):
        with patch("psycopg.generators.fetch", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
            together(ONE)
        assert opened.closed

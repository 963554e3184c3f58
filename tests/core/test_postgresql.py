"""The PostgreSQL backend saves round trips without changing how transactions work."""

from contextlib import suppress
from datetime import UTC, datetime
from unittest.mock import patch

import psycopg
import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from clock.models import Downtime
from core import sql
from notifications.models import UnsubscribedAddress
from tests.databases import counted_round_trips, postgresql_only

pytestmark = [pytest.mark.django_db(transaction=True), postgresql_only]

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def break_connection():
    """Break a connection that is waiting for the next request, as a restarting server would."""
    pid = connection.connection.info.backend_pid
    with psycopg.connect(**connection.connection.info.get_parameters(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [pid])
    connection.close_if_unusable_or_obsolete()


def unsubscribe(*names):
    sql.run([sql.insert([UnsubscribedAddress(email=f"{name}@example.org", since=NOON) for name in names])])


def unsubscribed():
    return sorted(row.email[0] for row in UnsubscribedAddress.objects.all())


class TestRoundTrips:
    def test_begin_is_sent_with_the_first_statement_and_the_writes_with_commit(self):
        with counted_round_trips() as trips, transaction.atomic():
            assert not Downtime.objects.exists()
            unsubscribe("ann")
        assert (trips.count, unsubscribed()) == (2, ["a"])

    def test_a_transaction_that_only_writes_takes_one_round_trip(self):
        with counted_round_trips() as trips, transaction.atomic():
            unsubscribe("ann")
            unsubscribe("ben")
        assert (trips.count, unsubscribed()) == (1, ["a", "b"])

    def test_an_empty_transaction_takes_no_round_trip(self):
        with counted_round_trips() as trips, transaction.atomic():
            pass
        assert trips.count == 0

    def test_an_idle_connection_is_not_checked_before_it_is_used(self):
        connection.ensure_connection()
        connection.close_if_unusable_or_obsolete()
        with counted_round_trips() as trips:
            assert not unsubscribed()
        assert trips.count == 1


class TestTransactions:
    def test_a_write_is_visible_later_in_the_same_transaction(self):
        with transaction.atomic():
            unsubscribe("ann")
            assert unsubscribed() == ["a"]

    def test_an_error_undoes_everything(self):
        with suppress(ZeroDivisionError), transaction.atomic():
            Downtime.objects.create(began_at=NOON, ended_at=NOON)
            unsubscribe("ann")
            raise ZeroDivisionError
        assert not Downtime.objects.exists()
        assert not unsubscribed()

    def test_a_write_that_fails_with_the_commit_undoes_everything(self):
        done = []

        @transaction.atomic
        def write():
            Downtime.objects.create(began_at=NOON, ended_at=NOON)
            transaction.on_commit(lambda: done.append("told"))
            unsubscribe("ann", "ann")

        with pytest.raises(IntegrityError):
            write()
        assert not Downtime.objects.exists()
        assert (unsubscribed(), done) == ([], [])

    def test_rolling_back_a_savepoint_discards_its_writes(self):
        with transaction.atomic():
            unsubscribe("ann")
            with suppress(ZeroDivisionError), transaction.atomic():
                unsubscribe("ben")
                raise ZeroDivisionError
            unsubscribe("cleo")
        assert unsubscribed() == ["a", "c"]

    def test_the_next_transaction_is_not_affected_by_one_that_failed(self):
        with pytest.raises(IntegrityError), transaction.atomic():
            unsubscribe("ann", "ann")
        with transaction.atomic():
            unsubscribe("ben")
        assert unsubscribed() == ["b"]


class TestBrokenConnections:
    def test_a_read_is_repeated_on_a_new_connection(self):
        unsubscribe("ann")
        break_connection()
        assert unsubscribed() == ["a"]

    def test_a_transaction_starts_on_a_new_connection(self):
        Downtime.objects.create(began_at=NOON, ended_at=NOON)
        break_connection()
        with transaction.atomic():
            Downtime.objects.select_for_update().get()
            unsubscribe("ann")
        assert unsubscribed() == ["a"]

    def test_a_transaction_that_only_writes_is_sent_once_on_a_new_connection(self):
        connection.ensure_connection()
        break_connection()
        with transaction.atomic():
            unsubscribe("ann")
        assert unsubscribed() == ["a"]

    def test_writes_are_not_repeated_if_the_connection_breaks_while_they_are_committed(self):
        sent = []

        @transaction.atomic
        def write():
            unsubscribe("ann")

        def run(_, statements):
            sent.append(statements)
            connection.connection.close()
            raise psycopg.OperationalError

        connection.ensure_connection()
        connection.close_if_unusable_or_obsolete()
        with patch("core.postgresql.pipeline.Pipeline.run", run), pytest.raises(OperationalError):
            write()
        assert len(sent) == 1

    def test_a_write_outside_a_transaction_is_sent_once_on_a_new_connection(self):
        connection.ensure_connection()
        break_connection()
        Downtime.objects.bulk_create([Downtime(began_at=NOON, ended_at=NOON)])
        assert Downtime.objects.count() == 1

    def test_a_transaction_in_progress_is_not_continued_on_a_new_connection(self):
        @transaction.atomic
        def write():
            Downtime.objects.create(began_at=NOON, ended_at=NOON)
            break_connection()
            Downtime.objects.create(began_at=NOON, ended_at=NOON)

        with pytest.raises(OperationalError):
            write()
        assert not Downtime.objects.exists()

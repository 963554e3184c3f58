"""Rows written and read with plain SQL are the same as with Django."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import OperationalError, transaction

from accounts.models import Token, User
from clock.models import Downtime
from core import sql
from core.sql import Select
from games.models import Seat
from notifications.models import Notification, UnsubscribedAddress
from tests.accounts.builders import player
from tests.databases import postgresql_only
from tests.games.builders import running_match
from tests.games.racing import all_at_once

pytestmark = pytest.mark.django_db

NOON, DAY = datetime(2026, 11, 16, 12, tzinfo=UTC), timedelta(days=1)
TOKENS_NAMED = Select(Token, "WHERE one.name = %s", related="user")
SEATS = Select(Seat, "WHERE one.match_id = %s ORDER BY one.number", related="user")
DOWNTIME = Select(Downtime, "WHERE one.id = %s")


def stored():
    fields = ("began_at", "ended_at", "credited_through", "is_credited")
    return list(Downtime.objects.order_by("pk").values_list(*fields))


def all_fields(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


class TestInserting:
    def test_rows_are_inserted_in_one_statement(self, django_assert_num_queries):
        rows = [Downtime(began_at=NOON, ended_at=NOON + DAY), Downtime(began_at=NOON, ended_at=NOON, is_credited=True)]
        with django_assert_num_queries(1 + 1):
            sql.run([sql.insert(rows)])
            assert stored() == [(NOON, NOON + DAY, 0, False), (NOON, NOON, 0, True)]

    def test_existing_rows_can_be_left_unchanged(self):
        sql.run([sql.insert([UnsubscribedAddress(email="a@example.org", since=NOON)])])
        again = [UnsubscribedAddress(email=f"{name}@example.org", since=NOON + DAY) for name in "abb"]
        sql.run([sql.insert(again, unless_there=True)])
        kept = list(UnsubscribedAddress.objects.order_by("email").values_list("email", "since"))
        assert kept == [("a@example.org", NOON), ("b@example.org", NOON + DAY)]

    def test_rows_of_several_models_take_one_statement_per_model(self):
        ann = player("ann")
        rows = [
            Downtime(began_at=NOON, ended_at=NOON),
            Notification(user=ann, kind="test_mail", created_at=NOON, due_at=NOON),
            Downtime(began_at=NOON + DAY, ended_at=NOON + DAY),
        ]
        statements = sql.insert_each(rows)
        assert len(statements) == 2
        sql.run(statements)
        assert (len(stored()), Notification.objects.get().pk) == (2, rows[1].pk)

    def test_rows_of_a_model_that_are_written_only_once_are_skipped_if_they_exist(self):
        seat = {"user": player("ann"), "match": running_match().match, "seat": 0, "turn": 99, "kind": "your_turn"}
        for why in ("first", "second"):
            sql.run(sql.insert_each([Notification(**seat, created_at=NOON, due_at=NOON, why=why)]))
        assert Notification.objects.get(turn=99).why == "first"


class TestUpdating:
    def test_only_the_named_fields_of_a_row_are_written(self):
        row = Downtime.objects.create(began_at=NOON, ended_at=NOON)
        row.ended_at, row.credited_through = NOON + DAY, 7
        sql.run([sql.update(row, ["credited_through"])])
        assert stored() == [(NOON, NOON, 7, False)]

    def test_different_fields_can_be_written_in_each_row(self):
        rows = [Downtime.objects.create(began_at=NOON, ended_at=NOON) for _ in range(3)]
        for row in rows:
            row.ended_at, row.credited_through = NOON + DAY, 7
        sql.run([sql.update(rows[0], ["credited_through"]), sql.update(rows[1], ["credited_through", "ended_at"])])
        assert stored() == [(NOON, NOON, 7, False), (NOON, NOON + DAY, 7, False), (NOON, NOON, 0, False)]

    @pytest.mark.parametrize(("new", "kept"), [(NOON + DAY, NOON + DAY), (NOON - DAY, NOON)])
    def test_the_later_of_two_times_is_stored(self, new, kept):
        row = Downtime.objects.create(began_at=NOON, ended_at=NOON)
        row.ended_at = new
        sql.run([sql.update(row, ["ended_at"], latest={"ended_at"})])
        assert Downtime.objects.get().ended_at == kept


def test_writing_nothing_runs_no_statement():
    assert sql.insert_each([]) == []


class TestSelecting:
    def test_each_call_finds_the_rows_that_match_its_values(self, django_assert_num_queries):
        made = {name: Token.objects.create(player(name), name=name)[0] for name in ("ann", "ben")}
        for name in ("ann", "ben", "ann", "nobody"):
            with django_assert_num_queries(1):
                found = TOKENS_NAMED.rows([name])
                assert [(token, token.user.username) for token in found] == [
                    (token, name) for key, token in made.items() if key == name
                ]

    def test_every_field_is_the_same_as_when_django_reads_the_row(self):
        match_id = running_match().match.id
        ours = SEATS.rows([match_id])
        theirs = list(Seat.objects.filter(match=match_id).select_related("user").order_by("number"))
        assert len(ours) == 3
        assert [all_fields(seat) for seat in ours] == [all_fields(seat) for seat in theirs]
        assert [all_fields(seat.user) for seat in ours] == [all_fields(seat.user) for seat in theirs]

    def test_a_missing_related_row_is_none(self, django_assert_num_queries):
        match_id = running_match().match.id
        Seat.objects.filter(match=match_id, number=1).update(user=None)
        with django_assert_num_queries(1):
            seats = SEATS.rows([match_id])
            assert [(seat.user and seat.user.username is not None, seat.user_id is None) for seat in seats] == [
                (True, False),
                (None, True),
                (True, False),
            ]

    @pytest.mark.parametrize(("count", "length"), [(0, 1), (1, 1), (2, 5), (5, 5), (6, 25)])
    def test_lists_of_values_have_only_a_few_lengths(self, count, length):
        made = [Downtime.objects.create(began_at=NOON, ended_at=NOON).pk for _ in range(count)]
        filled = sql.filled(made)
        assert len(filled) == length
        select = Select(Downtime, f"WHERE one.id IN ({', '.join(['%s'] * length)})")
        assert {row.pk for row in select.rows(filled)} == set(made)

    def test_a_selected_row_can_be_saved(self):
        made = Downtime.objects.create(began_at=NOON, ended_at=NOON)
        (row,) = DOWNTIME.rows([made.pk])
        row.credited_through = 7
        row.save()
        assert stored() == [(NOON, NOON, 7, False)]

    def test_locking_does_not_change_the_rows(self):
        match_id = running_match().match.id
        Seat.objects.filter(match=match_id, number=1).update(user=None)
        with transaction.atomic():
            assert sql.read([(SEATS, [match_id])], lock_first=True) == [SEATS.rows([match_id])]


@pytest.mark.django_db(transaction=True)
@postgresql_only
def test_locked_rows_stay_locked_until_the_transaction_ends_and_related_rows_are_not_locked():
    match_id = running_match().match.id
    asked = [
        lambda: lock_at_once(Seat.objects.filter(match=match_id)),
        lambda: lock_at_once(User.objects.filter(seats__match=match_id)),
    ]
    with transaction.atomic():
        sql.read([(SEATS, [match_id])], lock_first=True)
        seats, users = all_at_once(asked)
    assert isinstance(seats, OperationalError)
    assert users == 3
    assert all_at_once(asked[:1]) == [3]


def lock_at_once(rows):
    with transaction.atomic():
        return len(rows.select_for_update(nowait=True, of=("self",)))

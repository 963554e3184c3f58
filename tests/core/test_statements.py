"""Rows written and read by plain statements are the same as Django's own."""

from datetime import UTC, datetime, timedelta

import pytest
from core.prepared import Prepared

from accounts.models import Token
from clock.models import Downtime
from core import bulk_writes
from notifications.models import UnsubscribedAddress
from tests.accounts.builders import player

pytestmark = pytest.mark.django_db

NOON, DAY = datetime(2026, 11, 16, 12, tzinfo=UTC), timedelta(days=1)
TOKENS_NAMED = Prepared(lambda name: Token.objects.select_related("user").filter(name=name).order_by("pk"))


def stored():
    fields = ("began_at", "ended_at", "credited_through", "is_credited")
    return list(Downtime.objects.order_by("pk").values_list(*fields))


def test_rows_are_inserted_in_one_statement(django_assert_num_queries):
    rows = [Downtime(began_at=NOON, ended_at=NOON + DAY), Downtime(began_at=NOON, ended_at=NOON, is_credited=True)]
    with django_assert_num_queries(1):
        bulk_writes.run(bulk_writes.insert(rows))
    assert stored() == [(NOON, NOON + DAY, 0, False), (NOON, NOON, 0, True)]


def test_what_is_there_stays_where_it_is_wanted_so():
    bulk_writes.run(bulk_writes.insert([UnsubscribedAddress(email="a@example.org", since=NOON)]))
    again = [UnsubscribedAddress(email=f"{name}@example.org", since=NOON + DAY) for name in "abb"]
    bulk_writes.run(bulk_writes.insert(again, unless_there=True))
    kept = list(UnsubscribedAddress.objects.order_by("email").values_list("email", "since"))
    assert kept == [("a@example.org", NOON), ("b@example.org", NOON + DAY)]


def test_nothing_to_write_is_no_statement():
    assert bulk_writes.insert([]) == bulk_writes.update_each([]) == []


def test_in_each_row_only_what_is_named_is_written(django_assert_num_queries):
    rows = [Downtime.objects.create(began_at=NOON, ended_at=NOON) for _ in range(3)]
    for row in rows:
        row.ended_at, row.credited_through = NOON + DAY, 7
    with django_assert_num_queries(1):
        bulk_writes.run(
            bulk_writes.update_each([(rows[0], ["credited_through"]), (rows[1], ["credited_through", "ended_at"])])
        )
    assert stored() == [(NOON, NOON, 7, False), (NOON, NOON + DAY, 7, False), (NOON, NOON, 0, False)]


@pytest.mark.parametrize(("new", "kept"), [(NOON + DAY, NOON + DAY), (NOON - DAY, NOON)])
def test_of_two_times_the_later_one_stays(new, kept):
    row = Downtime.objects.create(began_at=NOON, ended_at=NOON)
    row.ended_at = new
    bulk_writes.run(bulk_writes.update_each([(row, ["ended_at"])], latest={"ended_at"}))
    assert Downtime.objects.get().ended_at == kept


def test_a_prepared_query_finds_what_it_is_asked_for_each_time(django_assert_num_queries):
    made = {name: Token.objects.create(player(name), name=name)[0] for name in ("ann", "ben")}
    for name in ("ann", "ben", "ann", "nobody"):
        with django_assert_num_queries(1):
            found = TOKENS_NAMED.ask(name)
            assert [(token, token.user.username) for token in found] == [
                (token, name) for key, token in made.items() if key == name
            ]

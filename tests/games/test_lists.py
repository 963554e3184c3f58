"""Lists of matches contain the right matches in the right order, and take a fixed number of queries."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.authentication import UncheckedToken
from accounts.models import Token
from games.models import Match, Phase, Seat
from games.selectors import lists, presenters
from games.selectors.loading import load_match
from games.services import invitations, lobby
from tests.databases import counted_round_trips, postgresql_only
from tests.games.api.clients import Caller
from tests.games.builders import plan, player, running_match, say
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


def listed(which, user):
    listing = lists.LISTS[which]
    return [listing.match_of(row).pk for row in listing.rows(user).order_by(*listing.ordering)]


def finished_match(**changes):
    """End the match without playing, because lists do not read the board."""
    match = running_match(seats=2, **changes).match
    match.phase, match.ended_at = Phase.FINISHED, timezone.now()
    match.save()
    Seat.objects.filter(match=match).update(awaited_since=None)
    return match


def test_the_list_of_a_players_own_matches_contains_open_and_running_matches_with_the_newest_first(ann, ben):
    first = lobby.create(ann, plan()).match.pk
    second = running_match().match.pk
    finished_match()
    lobby.cancel(lobby.create(ann, plan()).match.pk, ann)
    lobby.create(ben, plan())
    assert listed("mine", ann) == [second, first]


def test_the_match_that_has_waited_longest_comes_first(ann):
    tables = [running_match() for _ in range(4)]
    waiting = {}
    for days, table in enumerate(tables):
        since = timezone.now() - timedelta(days=days % 3, hours=days)
        Seat.objects.filter(match=table.match, awaited_since__isnull=False, user=ann).update(awaited_since=since)
        if not_none(load_match(table.match.pk).seat_of(ann.pk)).awaited_since:
            waiting[table.match.pk] = since
    assert listed("waiting", ann) == sorted(waiting, key=waiting.__getitem__)


def test_a_match_is_no_longer_waiting_once_the_player_has_moved(hush, ann):
    table = running_match("hush")
    assert listed("waiting", ann) == [table.match.pk]
    say(table, not_none(table.seat_of(ann.pk)).drawn, "name 3")
    assert listed("waiting", ann) == []


def test_open_matches_are_public_ones_that_have_not_started(ann, ben):
    public = lobby.create(ann, plan()).match.pk
    lobby.create(ann, plan(is_private=True))
    running_match()
    assert listed("open", ben) == listed("open", None) == [public]


def test_the_list_of_finished_matches_contains_my_own_matches_and_the_archive_contains_public_ones(ann):
    public = finished_match().pk
    private = finished_match(is_private=True).pk
    assert listed("finished", ann) == [private, public]
    assert listed("archive", None) == [public]
    assert listed("finished", player("emil")) == []


def test_invitations_by_name_or_address_are_listed_until_they_are_answered_or_the_match_starts(ann, ben):
    by_name, by_address, answered = [lobby.create(ann, plan(seats=3)).match.pk for _ in range(3)]
    lobby.join(by_name, player("cleo"))
    invitations.invite(by_name, ann, "ben")
    invitations.invite(by_address, ann, "ben@example.org")
    invitations.invite(answered, ann, "ben")
    invitations.decline(answered, ben)
    assert listed("invited", ben) == [by_address, by_name]
    lobby.start(by_name, ann)
    assert listed("invited", ben) == [by_address]


@pytest.mark.parametrize("which", sorted(lists.LISTS))
def test_a_list_takes_the_same_number_of_queries_for_many_matches_as_for_one(which, ann):
    def prepare():
        table = running_match(seats=2)
        Seat.objects.filter(match=table.match, user=ann).update(awaited_since=timezone.now())
        finished_match()
        gathering = lobby.create(player("ben"), plan()).match.pk
        invitations.invite(gathering, player("ben"), "ann")

    def queries():
        listing = lists.LISTS[which]
        with CaptureQueriesContext(
            connection,
        ) as captured:
            for row in listing.rows(ann):
                match = listing.match_of(row)
                assert presenters.summary(match, match.seats.all(), ann).seats
        return len(captured)

    prepare()
    few = queries()
    prepare()
    prepare()
    with_invitations = which in {"mine", "open", "invited"}
    assert queries() == few == 2 + with_invitations


INDEXES = {
    "mine": "seats_of_user",
    "waiting": "waiting_for_user",
    "open": "open_matches",
    "finished": "seats_of_user",
    "archive": "finished_public_matches",
}


@pytest.mark.parametrize("which", INDEXES)
def test_lists_are_read_in_index_order(which, ann):
    """PostgreSQL must not scan the few rows of a test instead of using the index."""
    if connection.vendor == "postgresql":
        connection.cursor().execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
    listing = lists.LISTS[which]
    plan = listing.rows(ann).order_by(*listing.ordering)[:51].explain()
    assert INDEXES[which] in plan
    assert "sort" not in plan.lower()
    assert "temp b-tree" not in plan.lower()


def test_lists_do_not_read_positions(ann):
    running_match()
    row = lists.mine(ann).get()
    assert {"encrypted_state", "encrypted_secret"} <= row.match.get_deferred_fields()


def test_a_pending_move_can_still_be_replaced(hush):
    table = running_match("hush")
    seat = table.seats[0]
    assert lists.pending_move(table, seat) is None
    say(table, 0, "name 1")
    replaced = say(table, 0, "name 2")["move"]["receipt"]
    assert not_none(lists.pending_move(load_match(table.match.pk), seat)).receipt == replaced
    assert lists.pending_move(load_match(table.match.pk), table.seats[1]) is None
    say(table, 0, "withdraw")
    assert lists.pending_move(load_match(table.match.pk), seat) is None
    for number in range(3):
        say(table, number, "name 1")
    assert lists.pending_move(load_match(table.match.pk), seat) is None
    assert Match.objects.get().turn == 2


def first_rows(which, user, most):
    written = Token.objects.create(user, timedelta(days=1), name="test")[1]
    rows, owner = lists.first_rows_with_token(which, most, UncheckedToken(written, admit=lambda _: None))
    assert owner == user
    return rows


@pytest.mark.parametrize("which", lists.OWN)
def test_the_first_page_shows_the_same_as_the_list(which, ann):
    own, gathering = [running_match(seats=2), finished_match()], lobby.create(ann, plan()).match.pk
    invitations.invite(gathering, ann, "ben")
    with_bots = lobby.create(ann, plan(seats=2, bots=1)).match.pk
    departed = running_match(seats=2, players=["ann", "dora"])
    Seat.objects.filter(match=departed.match, user=player("dora")).update(user=None)
    Seat.objects.filter(match__in=[own[0].match, with_bots], user=ann).update(awaited_since=timezone.now())
    running_match(players=["ben", "cleo"])
    listing = lists.LISTS[which]
    slow, fast = list(listing.rows(ann).order_by(*listing.ordering)), first_rows(which, ann, 50)
    seats = lists.seats_of_many([row.match for row in fast])
    assert [presenters.summary(row.match, row.match.seats.all(), ann) for row in slow] == [
        presenters.summary(row.match, seats.taken[row.match.pk], ann, reserved=seats.reserved.get(row.match.pk, 0))
        for row in fast
    ]
    assert slow
    assert first_rows(which, ann, 1) == slow[:1]
    assert {"encrypted_state", "encrypted_secret"} <= fast[0].match.get_deferred_fields()


@pytest.mark.parametrize("which", lists.OWN)
def test_the_first_page_is_read_in_index_order(which):
    query = lists.first_page(which)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        explain = "EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN "
        cursor.execute(explain + query.sql(connection), [*query.parameters, 51])
        steps = str(cursor.fetchall())
    assert INDEXES[which] in steps
    assert "sort" not in steps.lower()
    assert "temp b-tree" not in steps.lower()


@pytest.mark.parametrize("which", lists.OWN)
def test_the_first_page_reads_everything_it_shows_at_once(which, ann, django_assert_num_queries):
    for made in [running_match().match, finished_match()]:
        Seat.objects.filter(match=made, user=ann).update(awaited_since=timezone.now())
    rows = first_rows(which, ann, 50)
    seats = lists.seats_of_many([row.match for row in rows])
    with django_assert_num_queries(0):
        assert [presenters.summary(row.match, seats.taken[row.match.pk], ann, reserved=0) for row in rows]


@pytest.mark.django_db(transaction=True)
@postgresql_only
def test_my_matches_take_two_round_trips(ann):
    running_match(seats=2)
    lobby.create(ann, plan())
    client = Caller(ann)
    assert len(client.get("/matches").json()["results"]) == 2
    with counted_round_trips() as trips:
        client.get("/matches")
    assert trips.count == 2

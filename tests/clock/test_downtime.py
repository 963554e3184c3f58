"""Nobody loses time because the service was down."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from clock import deadlines as clocks
from clock import downtime
from clock.models import Downtime, Heartbeat
from clock.sweep import sweep
from games.models import Move, Seat
from games.models.pace import Pace
from games.selectors.loading import load_match, save_seats
from notifications.models import Notification, NotificationKind
from tests.databases import postgresql_only
from tests.games.builders import awaited, running_match, say

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MONDAY_NOON = datetime(2025, 6, 2, 12, tzinfo=UTC)


def deadlines(table):
    return [seat.deadline for seat in load_match(table.match.id).seats if seat.deadline]


@pytest.fixture
def table(hush, frozen_time):
    table = running_match("hush", pace=Pace(DAY))
    sweep()
    return table


def test_every_running_deadline_moves_by_the_length_of_the_downtime(table, frozen_time):
    frozen_time.outage(7 * HOUR)
    sweep()
    assert deadlines(table) == [MONDAY_NOON + DAY + 7 * HOUR] * 3


def test_nobody_is_late_because_the_service_was_down(table, frozen_time):
    frozen_time.outage(3 * DAY)
    sweep()
    assert not Move.objects.exists()
    frozen_time.shift(DAY)
    sweep()
    assert Move.objects.exists()


@pytest.mark.parametrize("minutes", [2, 4])
def test_even_a_few_minutes_are_credited(table, frozen_time, minutes):
    frozen_time.outage(timedelta(minutes=minutes))
    sweep()
    assert deadlines(table) == [MONDAY_NOON + DAY + timedelta(minutes=minutes)] * 3


def test_nobody_is_late_because_the_service_restarted_at_their_deadline(table, frozen_time):
    frozen_time.shift(DAY - timedelta(minutes=1))
    frozen_time.outage(timedelta(minutes=3))
    sweep()
    assert not Move.objects.exists()


def test_a_few_late_sweeps_do_not_count_as_downtime(table, frozen_time):
    frozen_time.outage(timedelta(seconds=50))
    sweep()
    assert deadlines(table) == [MONDAY_NOON + DAY] * 3
    assert not Downtime.objects.exists()


def test_a_long_crediting_run_does_not_count_as_downtime(table, frozen_time, monkeypatch):
    def slowly(tables):
        save_seats(tables)
        frozen_time.outage(timedelta(seconds=50))

    frozen_time.outage(7 * HOUR)
    with monkeypatch.context() as slow:
        slow.setattr(downtime, "BATCH", 1)
        slow.setattr(downtime, "save_seats", slowly)
        sweep()
    sweep()
    assert Downtime.objects.count() == 1
    assert deadlines(table) == [MONDAY_NOON + DAY + 7 * HOUR] * 3


def test_concurrent_sweeps_credit_downtime_only_once(table, frozen_time):
    frozen_time.outage(7 * HOUR)
    for _ in range(3):
        sweep()
    assert deadlines(table) == [MONDAY_NOON + DAY + 7 * HOUR] * 3


def test_downtime_is_credited_only_once_even_if_crediting_is_interrupted(table, frozen_time, monkeypatch):
    monkeypatch.setattr(downtime, "BATCH", 2)
    frozen_time.outage(7 * HOUR)
    downtime.beat(MONDAY_NOON + 7 * HOUR)
    downtime.credit_batch(MONDAY_NOON + 7 * HOUR)
    assert sorted(deadlines(table)) == [MONDAY_NOON + DAY, *[MONDAY_NOON + DAY + 7 * HOUR] * 2]
    sweep()
    assert deadlines(table) == [MONDAY_NOON + DAY + 7 * HOUR] * 3


def test_a_failed_batch_credits_nothing(table, frozen_time, monkeypatch):
    def fail(*_):
        raise RuntimeError("out of order")

    frozen_time.outage(7 * HOUR)
    downtime.beat(MONDAY_NOON + 7 * HOUR)
    with monkeypatch.context() as broken:
        broken.setattr(downtime, "save_seats", fail)
        with pytest.raises(RuntimeError):
            sweep()
    assert deadlines(table) == [MONDAY_NOON + DAY] * 3
    sweep()
    assert deadlines(table) == [MONDAY_NOON + DAY + 7 * HOUR] * 3


def test_a_turn_that_began_during_the_downtime_is_credited_the_remaining_downtime(frozen_time):
    sweep()
    frozen_time.outage(2 * HOUR)
    table = running_match("coloretto", pace=Pace(DAY))
    frozen_time.outage(5 * HOUR)
    sweep()
    assert deadlines(table) == [MONDAY_NOON + 2 * HOUR + DAY + 5 * HOUR]


def test_a_turn_that_began_after_the_downtime_is_credited_nothing(frozen_time):
    sweep()
    frozen_time.outage(7 * HOUR)
    downtime.beat(MONDAY_NOON + 7 * HOUR)
    table = running_match("coloretto", pace=Pace(DAY))
    sweep()
    assert deadlines(table) == [MONDAY_NOON + 7 * HOUR + DAY]


def test_downtime_on_a_weekend_off_is_not_credited(frozen_time):
    frozen_time.move_to(datetime(2025, 6, 6, 22, tzinfo=UTC))
    table = running_match("coloretto", pace=Pace(DAY, weekends_off=True))
    sweep()
    frozen_time.outage(DAY)
    sweep()
    assert deadlines(table) == [datetime(2025, 6, 10, 0, tzinfo=UTC)]


def test_reminders_move_with_the_deadline(frozen_time):
    running_match("coloretto", pace=Pace(10 * HOUR))
    frozen_time.shift(5 * HOUR)
    sweep()
    frozen_time.outage(5 * HOUR)
    sweep()
    assert Notification.objects.filter(kind=NotificationKind.REMINDER).count() == 1
    assert Seat.objects.get(deadline__isnull=False).wake_at == MONDAY_NOON + 13 * HOUR


def test_setting_the_clock_back_and_forward_again_changes_no_deadline(table, frozen_time):
    frozen_time.outage(-HOUR)
    sweep()
    frozen_time.outage(HOUR)
    sweep()
    assert not Downtime.objects.exists()
    assert awaited(load_match(table.match.id)).deadline == MONDAY_NOON + DAY


class TestUncreditedDowntime:
    """The web processes may be running before the clock is."""

    @pytest.fixture
    def mover(self, frozen_time):
        table = running_match("coloretto", pace=Pace(DAY, bank=DAY))
        sweep()
        return awaited(table)

    def bank_after_a_move(self, mover):
        say(load_match(mover.match_id), mover.drawn, "draw")
        return Seat.objects.get(pk=mover.pk).bank

    def test_a_move_is_not_charged_for_unrecorded_downtime(self, mover, frozen_time):
        frozen_time.outage(3 * DAY)
        assert self.bank_after_a_move(mover) == DAY

    def test_a_move_is_not_charged_for_uncredited_downtime(self, mover, frozen_time):
        frozen_time.outage(3 * DAY)
        downtime.beat(MONDAY_NOON + 3 * DAY)
        assert self.bank_after_a_move(mover) == DAY

    def test_a_move_is_charged_for_the_time_before_and_after_the_downtime(self, mover, frozen_time):
        frozen_time.shift(20 * HOUR)
        frozen_time.outage(3 * DAY)
        downtime.beat(MONDAY_NOON + 3 * DAY + 20 * HOUR)
        frozen_time.shift(6 * HOUR)
        assert self.bank_after_a_move(mover) == 22 * HOUR

    def test_downtime_is_not_credited_twice(self, mover, frozen_time):
        frozen_time.outage(3 * DAY)
        self.bank_after_a_move(mover)
        sweep()
        assert deadlines(load_match(mover.match_id)) == [MONDAY_NOON + 5 * DAY]

    def test_two_pending_downtimes_are_both_credited(self, mover, frozen_time):
        for _ in range(2):
            frozen_time.outage(DAY)
            downtime.beat(timezone.now())
            frozen_time.shift(HOUR)
        assert self.bank_after_a_move(mover) == DAY
        sweep()
        assert deadlines(load_match(mover.match_id)) == [MONDAY_NOON + 2 * DAY + 2 * HOUR + 2 * DAY]


@postgresql_only
def test_crediting_many_seats_takes_no_more_queries_than_crediting_a_few(
    hush, frozen_time, django_assert_max_num_queries
):
    sweep()
    for _ in range(6):
        running_match("hush", 3)
    frozen_time.outage(timedelta(hours=2))
    downtime.beat(timezone.now())
    with django_assert_max_num_queries(14):
        downtime.credit_batch(timezone.now())


def test_downtime_recorded_during_the_check_is_not_missed(frozen_time, monkeypatch):
    """The sweep runs between the two queries, no matter which of them comes first."""
    table = running_match(pace=Pace(timedelta(hours=1), bank=timedelta(hours=5)))
    sweep()
    frozen_time.outage(timedelta(hours=3))
    sweeps = iter([downtime.beat])

    def then_sweep(rows):
        found = list(rows)
        for beat in sweeps:
            beat(timezone.now())
        return found

    beats, owed = Heartbeat.objects.all(), Downtime.objects.filter(is_credited=False)
    fields = ("began_at", "ended_at", "credited_through")
    first_beat = SimpleNamespace(first=lambda: then_sweep(beats.values_list("at", flat=True).all())[0])
    listed = SimpleNamespace(values_list=lambda *_: then_sweep(owed.values_list(*fields).all()))
    heartbeats = SimpleNamespace(values_list=lambda *_, **__: first_beat)
    monkeypatch.setattr(clocks, "Heartbeat", SimpleNamespace(objects=heartbeats))
    monkeypatch.setattr(clocks, "Downtime", SimpleNamespace(objects=SimpleNamespace(filter=lambda **_: listed)))
    clocks.LastGoodBeat.at = None
    say(table, awaited(table).drawn, "draw")
    assert {seat.bank for seat in load_match(table.match.id).seats} == {timedelta(hours=5)}

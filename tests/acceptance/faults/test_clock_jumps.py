"""The system clock jumps. No player loses time, no notification is held back, and no rate limit lasts too long."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from celery import Celery
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from accounts.announcements import AccountDeleted
from accounts.models import MailFrequency
from clock import downtime
from clock.models import Heartbeat
from clock.sweep import sweep
from core import rate_limits
from core.jobs import runner
from core.jobs.celery_runtime import Scheduler
from core.rates import Rate
from core.refusals import Refused
from games.models import Move
from games.models.pace import Pace
from games.selectors.loading import load_match
from games.services import departures, visits
from notifications import bounces, outbox
from notifications.mail.sender import deliver_due
from notifications.models import Delivery, Notification, NotificationKind
from notifications.smtp_replies import MailOutcome, Report
from tests.games.builders import awaited, running_match, say, sitting

MONDAY_NOON = datetime(2025, 6, 2, 12, tzinfo=UTC)
HOUR, DAY, YEAR = timedelta(hours=1), timedelta(days=1), timedelta(days=365)
SWEEP = timedelta(seconds=15)


class Steady:
    """A monotonic clock that the tests control."""

    seconds = 0.0


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until a test moves it or lets the service run."""
    monkeypatch.setattr(downtime.Ahead, "at", None)
    monkeypatch.setattr(downtime, "monotonic", lambda: Steady.seconds)
    with time_machine.travel(MONDAY_NOON, tick=False) as clock:
        yield clock


def run_for(clock, span):
    """Run the service for a while, with a sweep every few seconds."""
    end = timezone.now() + span
    while timezone.now() < end:
        pass_by(clock)
        sweep()


def pass_by(clock):
    """Let the time between two sweeps pass."""
    clock.shift(SWEEP)
    Steady.seconds += SWEEP.total_seconds()


def deadline(table):
    return awaited(load_match(table.match.id)).deadline


@pytest.mark.django_db
class TestForwards:
    @pytest.mark.parametrize("jump", [HOUR, 30 * DAY, 10 * YEAR])
    def test_no_player_times_out_or_is_reminded_because_of_the_jump(self, clock, jump):
        table = running_match(pace=Pace(DAY))
        sweep()
        clock.shift(jump)
        sweep()
        assert not Move.objects.exists()
        assert not Notification.objects.filter(kind=NotificationKind.REMINDER).exists()
        assert deadline(table) == MONDAY_NOON + DAY + jump

    def test_notifications_are_still_sent_after_the_jump(self, clock, mail_server):
        running_match()
        clock.shift(10 * YEAR)
        deliver_due()
        assert {notification.delivery for notification in Notification.objects.all()} <= {
            Delivery.SENT,
            Delivery.SUPPRESSED,
        }


@pytest.mark.django_db
class TestBackwards:
    """The clock jumps forward by mistake, and is set back later. Rows written in between are dated in the future."""

    @pytest.fixture
    def table(self, clock):
        table = running_match(pace=Pace(DAY))
        sweep()
        return table

    def come_back(self, clock):
        clock.move_to(MONDAY_NOON)
        run_for(clock, timedelta(seconds=downtime.CERTAIN_AFTER) + SWEEP)

    def test_every_player_keeps_their_remaining_time(self, clock, table):
        clock.shift(YEAR)
        sweep()
        self.come_back(clock)
        assert deadline(table) - timezone.now() == DAY
        run_for(clock, HOUR)
        assert deadline(table) - timezone.now() == DAY - HOUR
        assert Heartbeat.objects.get().at == timezone.now()

    def test_a_player_whose_turn_began_while_the_clock_was_ahead_gets_the_full_time(self, clock, table):
        clock.shift(YEAR)
        sweep()
        say(table, awaited(table).number, "draw")
        self.come_back(clock)
        assert deadline(table) - timezone.now() == DAY

    def test_notifications_written_or_claimed_while_the_clock_was_ahead_are_sent(self, clock, mail_server):
        clock.shift(YEAR)
        sweep()
        running_match(seats=2)
        running_match(seats=2)
        assert outbox.QUEUE.claim(timezone.now(), 2), "The worker that claimed these never records them."
        self.come_back(clock)
        clock.shift(outbox.QUEUE.lease)
        deliver_due()
        assert not Notification.objects.filter(delivery__in=outbox.QUEUE.waiting).exists()
        assert mail_server.arrived

    def test_an_address_that_bounced_while_the_clock_was_ahead_gets_mail_again(self, clock, table, mail_server):
        asked = sitting(awaited(table))
        clock.shift(YEAR)
        sweep()
        bounces.record_bounce(asked.email, Report(MailOutcome.SOFT, "452 mailbox full"), timezone.now())
        self.come_back(clock)
        deliver_due()
        assert Notification.objects.get(kind=NotificationKind.YOUR_TURN, user=asked).delivery == Delivery.SENT

    def test_a_stand_in_that_took_over_while_the_clock_was_ahead_keeps_playing(self, clock, table):
        clock.shift(YEAR)
        sweep()
        with transaction.atomic():
            departures.leave_matches(AccountDeleted(sitting(awaited(table))))
        self.come_back(clock)
        run_for(clock, SWEEP)
        assert Move.objects.exists()

    @pytest.mark.parametrize("workers", [3, 20])
    def test_a_jump_back_is_noticed_even_if_many_workers_share_the_sweeps(self, clock, table, workers):
        clock.shift(YEAR)
        sweep()
        clock.move_to(MONDAY_NOON)
        seen = [{"at": None, "since": 0.0} for _ in range(workers)]
        for number in range(2 * downtime.CERTAIN_AFTER // SWEEP.seconds):
            mine = seen[number % workers]
            downtime.Ahead.at, downtime.Ahead.since = mine["at"], mine["since"]
            pass_by(clock)
            sweep()
            mine |= {"at": downtime.Ahead.at, "since": downtime.Ahead.since}
        assert Heartbeat.objects.get().at == timezone.now()

    def test_two_machines_with_different_clocks_do_not_undo_each_others_work(self, clock, table):
        for _ in range(2 * downtime.CERTAIN_AFTER // SWEEP.seconds):
            pass_by(clock)
            clock.shift(HOUR)
            sweep()
            clock.shift(-HOUR)
            sweep()
        assert Heartbeat.objects.get().at == timezone.now() + HOUR

    def test_setting_the_clock_back_a_little_changes_nothing(self, clock, table):
        clock.shift(-timedelta(minutes=1))
        run_for(clock, HOUR)
        assert deadline(table) == MONDAY_NOON + DAY

    def test_a_player_whose_last_notification_is_dated_in_the_future_is_notified_again(self, clock, mail_server):
        """If the mail frequency is `until_visit`, emails and visits dated in the future must not count."""
        clock.shift(YEAR)
        table = running_match(seats=2)
        for seat in table.seats:
            sitting(seat).mail_frequency = MailFrequency.UNTIL_VISIT
            sitting(seat).save()
            visits.record(load_match(table.match.id), seat.user)
        deliver_due()
        clock.move_to(MONDAY_NOON)
        for row in (1, 2):
            mover = awaited(load_match(table.match.id))
            visits.record(load_match(table.match.id), sitting(mover))
            for move in ("draw", f"place {row}"):
                say(table, mover.number, move)
        asked = awaited(load_match(table.match.id))
        assert asked == awaited(table), "It is the turn of the player with the notification dated in the future."
        deliver_due()
        told = Notification.objects.filter(user=asked.user, kind=NotificationKind.YOUR_TURN).latest("created_at")
        assert (told.delivery, told.why) == (Delivery.SENT, "")


@pytest.mark.django_db
class TestLimits:
    def test_a_rate_limit_dated_in_the_future_does_not_block_anyone(self, clock, settings):
        settings.RATES = settings.RATES | {"login": Rate(1, 3600)}
        clock.shift(YEAR)
        rate_limits.count_attempt("login", "somewhere")
        with pytest.raises(Refused):
            rate_limits.count_attempt("login", "somewhere")
        clock.move_to(MONDAY_NOON)
        rate_limits.count_attempt("login", "somewhere")

    def test_the_cache_is_tried_again_even_if_the_clock_was_set_back(self, clock, monkeypatch):
        counted = []

        def count(key, *_, **__):
            counted.append(key)
            raise ConnectionError

        monkeypatch.setattr(cache, "add", count)
        monkeypatch.setattr(rate_limits, "CACHE_PAUSE", 0)
        monkeypatch.setattr(rate_limits.CacheOutage, "until", 0.0)
        for _ in range(2):
            assert rate_limits.seconds_to_wait("user", "ann") == 0
            clock.shift(-YEAR)
        assert len(counted) == 2


class TestWhatIsAskedForByABeatThatIsBehind:
    """Workers use their own clock and drop scheduled tasks that seem too old."""

    @pytest.mark.parametrize("entry", settings.CELERY_BEAT_SCHEDULE)
    def test_a_worker_accepts_a_sweep_if_clocks_differ_by_minutes(self, entry):
        asked: Any = settings.CELERY_BEAT_SCHEDULE[entry]["options"]
        assert timedelta(seconds=asked["expires"]) >= outbox.QUEUE.lease

    def test_a_worker_accepts_a_wake_up_if_clocks_differ_by_minutes(self):
        assert timedelta(seconds=runner.EXPIRES_AFTER) >= outbox.QUEUE.lease


class RecordingScheduler(Scheduler):
    sent: list[str]

    def apply_entry(self, entry, *_, **__):
        self.sent.append(entry.name)


class TestBeat:
    """Celery's own scheduler would send nothing until the clock has caught up again."""

    @pytest.fixture
    def scheduler(self, clock):
        app = Celery(broker="memory://", set_as_current=False)
        app.conf.task_default_queue = uuid4().hex
        app.conf.beat_schedule = {name: {"task": name, "schedule": 15} for name in ("sweep", "deliver")}
        scheduler = RecordingScheduler(app, schedule=dict(app.conf.beat_schedule))
        scheduler.update_from_dict(app.conf.beat_schedule)
        scheduler.sent = []
        return scheduler

    def run(self, scheduler, clock, seconds):
        scheduler.sent.clear()
        for _ in range(seconds):
            clock.shift(1)
            while not scheduler.tick():
                pass
        return scheduler.sent

    @pytest.mark.parametrize("jump", [HOUR, -HOUR, YEAR, -YEAR])
    def test_beat_keeps_scheduling_after_the_clock_jumps(self, scheduler, clock, jump):
        self.run(scheduler, clock, 20)
        clock.shift(jump)
        sent = self.run(scheduler, clock, 60)
        assert 3 <= sent.count("sweep") <= 6
        assert 3 <= sent.count("deliver") <= 6

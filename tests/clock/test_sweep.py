from datetime import UTC, datetime, timedelta

import pytest

from accounts import profile
from clock import deadlines
from clock import sweep as sweeping
from clock.sweep import sweep
from games.engine.registry import engines
from games.models import Move, Phase
from games.models.pace import Pace
from games.selectors.loading import load_match
from games.services.audit import first_difference
from notifications.models import Notification, NotificationKind
from tests.games.builders import awaited, play_some, running_match, say, sitting
from tests.not_none import not_none

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MONDAY_NOON = datetime(2025, 6, 2, 12, tzinfo=UTC)


def again(table):
    return load_match(table.match.id)


def told(kind):
    return list(Notification.objects.filter(kind=kind).order_by("created_at"))


def test_nothing_happens_before_a_deadline(frozen_time):
    table = running_match(pace=Pace(DAY))
    frozen_time.shift(DAY - timedelta(seconds=1))
    sweep()
    assert not Move.objects.exists()
    assert awaited(again(table)).deadline == MONDAY_NOON + DAY


def test_at_the_deadline_a_minimal_move_is_made_and_everyone_is_notified(hush, frozen_time):
    table = running_match("hush", pace=Pace(DAY))
    say(table, 0, "name 2")
    say(table, 2, "name 3")
    frozen_time.shift(DAY)
    sweep()
    move = Move.objects.latest("number")
    assert (move.seat, move.source, move.is_sealed) == (1, "time_out", True)
    assert again(table).match.turn == table.match.turn + 1
    passed = told(NotificationKind.DEADLINE_PASSED)
    assert {notification.seat for notification in passed} == {0, 1, 2}
    assert {notification.turn for notification in passed} == {table.match.turn}
    assert passed[0].data == {"late": [1], "stand_ins": []}


def test_a_sealed_move_made_in_time_counts(hush, frozen_time):
    table = running_match("hush", pace=Pace(DAY))
    say(table, 0, "name 5")
    frozen_time.shift(DAY)
    sweep()
    revealed = again(table)
    assert revealed.match.turn == table.match.turn + 1
    assert [seat.timeouts for seat in revealed.seats] == [0, 1, 1]
    assert Move.objects.filter(seat=0).count() == 1


def test_two_late_players_are_reported_in_one_email(hush, frozen_time):
    table = running_match("hush", pace=Pace(DAY))
    say(table, 0, "name 5")
    frozen_time.shift(DAY)
    sweep()
    passed = told(NotificationKind.DEADLINE_PASSED)
    assert len(passed) == 3
    assert passed[0].data["late"] == [1, 2]


def test_two_players_who_are_late_at_different_times_in_one_round_are_both_reported(hush, frozen_time):
    table = running_match("hush", pace=Pace(DAY, bank=DAY))
    say(table, 0, "name 5")
    say(table, 2, "name 5")
    frozen_time.shift(30 * HOUR)
    say(table, 1, "name 5")
    say(table, 0, "name 5")
    for hours, late in [(42, [1]), (6, [2])]:
        frozen_time.shift(hours * HOUR)
        sweep()
        assert [notification.data["late"] for notification in told(NotificationKind.DEADLINE_PASSED)[-3:]] == [late] * 3
    assert len(told(NotificationKind.DEADLINE_PASSED)) == 6


def test_all_steps_of_a_turn_are_played(frozen_time):
    table = running_match(pace=Pace(DAY))
    first = awaited(table)
    frozen_time.shift(DAY)
    sweep()
    following = again(table)
    assert awaited(following) != first
    assert following.seats[first.number].timeouts == 1
    assert len(told(NotificationKind.DEADLINE_PASSED)) == 3


def test_the_next_player_has_the_full_move_time(frozen_time):
    table = running_match(pace=Pace(DAY))
    frozen_time.shift(DAY + 2 * HOUR)
    sweep()
    assert awaited(again(table)).deadline == MONDAY_NOON + 2 * DAY + 2 * HOUR


def test_a_player_who_moves_again_right_after_a_missed_turn_has_the_full_move_time(frozen_time):
    """The last player in a round takes a row, and starts the next round."""
    table = running_match(seats=2, pace=Pace(DAY))
    first = awaited(table).number
    late = 1 - not_none(first)
    for seat, move in [(first, "draw"), (first, "place 2"), (late, "draw"), (late, "place 3"), (first, "take 2")]:
        say(table, seat, move)
    frozen_time.shift(DAY)
    sweep()
    assert Move.objects.filter(source="time_out").count() == 1
    assert awaited(again(table)).number == late
    assert awaited(again(table)).deadline == MONDAY_NOON + 2 * DAY


def test_the_bank_is_empty_after_a_time_out(frozen_time):
    table = running_match(pace=Pace(DAY, bank=DAY))
    first = awaited(table)
    frozen_time.shift(2 * DAY)
    sweep()
    assert again(table).seats[first.number].bank == timedelta()


def test_a_second_sweep_finds_nothing_to_do(frozen_time):
    running_match(pace=Pace(DAY))
    frozen_time.shift(DAY)
    assert sweep() == 1
    moves = Move.objects.count()
    assert sweep() == 0
    assert Move.objects.count() == moves


def test_reminders_come_after_50_and_80_percent_of_the_time(frozen_time):
    table = running_match(pace=Pace(10 * HOUR))
    for hours, reminders in [(4, 0), (5, 1), (6, 1), (7, 1), (8, 2), (9, 2)]:
        frozen_time.move_to(MONDAY_NOON + hours * HOUR)
        sweep()
        assert len(told(NotificationKind.REMINDER)) == reminders
    assert {notification.seat for notification in told(NotificationKind.REMINDER)} == {awaited(table).number}


def prefer(table, django_capture_on_commit_callbacks, **wishes):
    with django_capture_on_commit_callbacks(execute=True):
        profile.change(sitting(awaited(table)), **wishes)


def test_reminders_follow_the_players_settings(frozen_time, django_capture_on_commit_callbacks):
    table = running_match(pace=Pace(10 * HOUR))
    prefer(table, django_capture_on_commit_callbacks, remind_at=[90, 30])
    for hours, reminders in [(2, 0), (3, 1), (5, 1), (8, 1), (9, 2)]:
        frozen_time.move_to(MONDAY_NOON + hours * HOUR)
        sweep()
        assert len(told(NotificationKind.REMINDER)) == reminders


def test_changed_reminder_settings_apply_immediately(frozen_time, django_capture_on_commit_callbacks):
    table = running_match(pace=Pace(10 * HOUR))
    frozen_time.shift(5 * HOUR)
    sweep()
    prefer(table, django_capture_on_commit_callbacks, remind_at=[20, 60])
    assert awaited(again(table)).wake_at == MONDAY_NOON + 6 * HOUR


def test_without_reminders_nothing_is_scheduled_before_the_deadline(frozen_time, django_capture_on_commit_callbacks):
    table = running_match(pace=Pace(10 * HOUR))
    prefer(table, django_capture_on_commit_callbacks, remind_at=[])
    assert awaited(again(table)).wake_at == MONDAY_NOON + 10 * HOUR


def test_a_player_who_bids_none_does_not_count_as_absent(frozen_time):
    table = running_match("colorado-county", 2, pace=Pace(DAY))
    for _ in range(2):
        frozen_time.shift(DAY)
        sweep()
    asked = [seat.number for seat in again(table).seats if seat.awaited_since]
    before = {seat: again(table).seats[seat].timeouts for seat in asked}
    say(table, asked[0], "bid none")
    assert before[asked[0]] == 2
    assert again(table).seats[asked[0]].timeouts == 0


def test_a_late_sweep_sends_only_one_reminder(frozen_time):
    running_match(pace=Pace(10 * HOUR))
    frozen_time.shift(9 * HOUR)
    sweep()
    sweep()
    assert len(told(NotificationKind.REMINDER)) == 1


def test_every_turn_has_its_own_reminders(frozen_time):
    table = running_match(pace=Pace(10 * HOUR))
    frozen_time.shift(5 * HOUR)
    sweep()
    play_some(table, 1)
    frozen_time.shift(5 * HOUR)
    sweep()
    assert len(told(NotificationKind.REMINDER)) == 2


@pytest.mark.parametrize("hours", [12, 24])
def test_one_failing_match_does_not_block_the_others(hours, frozen_time, monkeypatch, caplog):
    broken, fine = running_match(pace=Pace(DAY)), running_match(pace=Pace(DAY))
    recount = deadlines.recount

    def recount_but_one(match, seat, now):
        if match.id == broken.match.id:
            raise RuntimeError("out of order")
        recount(match, seat, now)

    monkeypatch.setattr(deadlines, "recount", recount_but_one)
    frozen_time.shift(hours * HOUR)
    sweep()
    kinds = Notification.objects.filter(
        match=fine.match, kind__in=[NotificationKind.REMINDER, NotificationKind.DEADLINE_PASSED]
    )
    assert kinds.exists()
    assert not kinds.model.objects.filter(match=broken.match, kind__in=[NotificationKind.REMINDER]).exists()
    assert broken.match.id in caplog.text
    caplog.clear()


def test_all_matches_are_handled_even_if_they_do_not_fit_into_one_batch(frozen_time, monkeypatch):
    monkeypatch.setattr(sweeping, "BATCH", 2)
    for _ in range(5):
        running_match(pace=Pace(DAY))
    frozen_time.shift(DAY)
    assert sweep() == 5


@pytest.mark.parametrize("game", [engine.slug for engine in engines()])
def test_the_clock_finishes_a_match_with_an_absent_player(game, frozen_time):
    table = running_match(game, 4, pace=Pace(DAY))
    while table.match.phase == Phase.RUNNING:
        seat = next((seat for seat in table.seats if seat.awaited_since and seat.number != 0), None)
        if seat:
            say(table, seat.number, table.engine.notation(table.engine.on_timeout(table.state, seat.drawn)))
        else:
            frozen_time.shift(DAY)
            sweep()
        table = again(table)
    assert table.match.phase == Phase.FINISHED
    assert table.seats[0].stand_in_since
    assert not Move.objects.filter(match=table.match, seat=0).filter(source__in=["api", "mail"]).exists()
    assert first_difference(table) is None

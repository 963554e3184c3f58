from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts import profile
from accounts.announcements import AccountDeleted
from clock import proposals, stand_ins
from clock.models import ProposalKind, ProposalStatus
from clock.sweep import sweep
from core.announcements import announce
from games.models import Move, Phase, Source
from games.models.pace import Pace
from games.services.moves import Actor, submit_move
from games.services.preview import preview_move
from games.shapes import MoveRefused
from notifications.models import Notification, NotificationKind
from tests.clock.voting import again, propose, told, vote
from tests.games.builders import awaited, play_some, running_match, say, sitting
from tests.not_none import not_none

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]

DAY = timedelta(days=1)


def miss_a_round(table, frozen_time, present=(1, 2)):
    for seat in present:
        say(table, seat, f"name {seat}")
    frozen_time.shift(DAY)
    sweep()


@pytest.fixture
def table(hush):
    return running_match("hush", 3, pace=Pace(DAY, patience=2), options={"rounds": 9})


def test_repeated_time_outs_give_the_seat_to_a_stand_in(table, frozen_time):
    miss_a_round(table, frozen_time)
    assert not again(table).seats[0].has_stand_in
    miss_a_round(table, frozen_time)
    assert again(table).seats[0].has_stand_in
    passed = Notification.objects.filter(kind=NotificationKind.DEADLINE_PASSED).latest("created_at")
    assert passed.data == {"late": [0], "stand_ins": [0]}


def test_a_players_own_move_resets_the_count_of_time_outs(table, frozen_time):
    miss_a_round(table, frozen_time)
    assert again(table).seats[0].timeouts == 1
    say(table, 0, "name 1")
    assert again(table).seats[0].timeouts == 0


def test_replacing_a_sealed_move_made_on_a_time_out_counts_as_a_players_own_move(table, frozen_time):
    say(table, 1, "name 1")
    frozen_time.shift(DAY / 2)
    say(table, 2, "name 2")
    frozen_time.shift(DAY / 4)
    say(table, 2, "withdraw")
    frozen_time.shift(DAY / 4)
    sweep()
    assert [seat.timeouts for seat in again(table).seats] == [1, 0, 0]
    say(table, 0, "name 5")
    assert again(table).seats[0].timeouts == 0
    say(table, 2, "name 3")
    assert again(table).match.turn == table.match.turn + 1


def test_a_player_who_moves_takes_the_seat_back(table, frozen_time):
    for _ in range(2):
        miss_a_round(table, frozen_time)
    say(table, 0, "name 5")
    assert not again(table).seats[0].has_stand_in


def test_a_stand_in_does_not_use_the_players_time_bank(hush):
    table = running_match("hush", 3, pace=Pace(DAY, bank=7 * DAY), options={"rounds": 9})
    profile.remove(sitting(table.seats[0]))
    for _ in range(2):
        for seat in (1, 2):
            say(table, seat, "name 1")
    assert again(table).seats[0].bank == 7 * DAY


def test_a_player_who_is_back_has_time_to_replace_the_stand_ins_sealed_move(table, frozen_time):
    for _ in range(2):
        miss_a_round(table, frozen_time)
    stand_ins.come_back(table.match.id, sitting(table.seats[0]))
    say(table, 0, "withdraw")
    assert again(table).seats[0].deadline == timezone.now() + DAY


def test_nobody_waits_for_a_stand_in(table, frozen_time):
    for _ in range(2):
        miss_a_round(table, frozen_time)
    seats = again(table).seats
    assert [bool(seat.awaited_since) for seat in seats] == [False, True, True]
    say(table, 1, "name 1")
    answer = say(table, 2, "name 2")
    assert answer["awaiting"] == [1, 2]
    assert answer["turn"] == again(table).match.turn


def test_a_player_with_a_stand_in_gets_no_email_about_their_turn(table, frozen_time):
    for _ in range(2):
        miss_a_round(table, frozen_time)
    Notification.objects.all().delete()
    for seat in (1, 2):
        say(table, seat, "name 1")
    assert not Notification.objects.filter(seat=0).exists()


def test_a_player_who_has_to_move_again_immediately_gets_no_email(frozen_time):
    table = running_match(seats=2, pace=Pace(DAY, patience=1))
    gone = awaited(table)
    frozen_time.shift(DAY)
    sweep()
    Notification.objects.all().delete()
    play_some(table, 4)
    assert not again(table).seats[gone.number].awaited_since
    assert not Notification.objects.filter(kind=NotificationKind.YOUR_TURN).exists()


def test_the_response_reports_the_moves_of_stand_ins(frozen_time):
    table = running_match(seats=2, pace=Pace(DAY, patience=1))
    gone = awaited(table)
    frozen_time.shift(DAY)
    sweep()
    answer = say(table, 1 - not_none(gone.number), "draw")
    while answer["awaiting"] != [1 - not_none(gone.number)] or not any(
        event["event"].get("seat") == gone.number for event in answer["events"]
    ):
        play_one = again(table)
        mover = awaited(play_one)
        move = play_one.engine.on_timeout(play_one.state, mover.drawn)
        answer = say(table, mover.number, play_one.engine.notation(move))
    assert answer["turn"] == again(table).match.turn


def test_stand_ins_that_reach_the_limit_per_transaction_continue_in_the_next_sweep(table, frozen_time, monkeypatch):
    for _ in range(2):
        miss_a_round(table, frozen_time)
    monkeypatch.setattr(stand_ins, "MOST_MOVES_AT_ONCE", 0)
    say(table, 1, "name 1")
    say(table, 2, "name 2")
    assert again(table).seats[0].awaited_since
    monkeypatch.undo()
    sweep()
    assert not again(table).seats[0].awaited_since


def test_a_match_without_players_is_abandoned(table, frozen_time):
    for _ in range(2):
        frozen_time.shift(DAY)
        sweep()
    left = again(table)
    assert left.match.phase == Phase.ABANDONED
    assert not any(seat.awaited_since or seat.deadline or seat.wake_at for seat in left.seats)
    assert Notification.objects.filter(kind=NotificationKind.MATCH_OVER).count() == 3


def test_stand_ins_do_not_have_to_agree_to_abandon_the_match(table, frozen_time):
    for _ in range(2):
        miss_a_round(table, frozen_time)
    for seat in (1, 2):
        proposals.abandon(table.match.id, table.seats[seat].user, agreed=True)
    assert again(table).match.phase == Phase.ABANDONED


def test_a_player_who_gets_a_stand_in_no_longer_keeps_the_others_from_abandoning_the_match(table, frozen_time):
    for seat in (1, 2):
        proposals.abandon(table.match.id, table.seats[seat].user, agreed=True)
    for _ in range(2):
        assert again(table).match.phase == Phase.RUNNING
        miss_a_round(table, frozen_time)
    assert again(table).match.phase == Phase.ABANDONED


def test_a_player_who_gets_a_stand_in_no_longer_blocks_a_pause(table, frozen_time):
    miss_a_round(table, frozen_time)
    proposal = propose(table, 1, ProposalKind.PAUSE, time=DAY)
    vote(table, 2, proposal)
    miss_a_round(table, frozen_time)
    proposal.refresh_from_db()
    assert proposal.status == ProposalStatus.AGREED
    assert {status for _, status in told(proposal)} == {"open", "agreed"}


def test_a_stand_in_plays_a_deleted_players_seat_right_after_the_next_move(table):
    table.seats[0].user.delete()
    say(table, 1, "name 1")
    say(table, 2, "name 2")
    assert again(table).match.turn == table.match.turn + 1
    assert Move.objects.filter(seat=0, source="stand_in").count() == 2


def test_a_stand_in_plays_a_deleted_players_seat_in_the_next_sweep(frozen_time):
    table = running_match(pace=Pace(DAY))
    gone = awaited(table)
    announce(AccountDeleted(sitting(gone)))
    sitting(gone).delete()
    sweep()
    assert awaited(again(table)).number != gone.number


def test_a_stand_in_plays_a_deleted_players_seat_at_its_deadline_at_the_latest(frozen_time):
    table = running_match(pace=Pace(DAY))
    gone = awaited(table)
    sitting(gone).delete()
    frozen_time.shift(DAY)
    sweep()
    assert awaited(again(table)).number != gone.number
    assert not Notification.objects.filter(kind=NotificationKind.DEADLINE_PASSED).exists()


def test_the_response_shows_a_move_that_a_stand_in_makes_immediately(frozen_time):
    table = running_match(seats=2, pace=Pace(DAY, patience=1))
    gone = awaited(table)
    frozen_time.shift(DAY)
    sweep()
    for turn in (table.match.turn, again(table).match.turn):
        move: dict[str, Any] = {"match_id": table.match.id, "move": "draw", "turn": turn}
        results = [
            submit_move(actor=Actor(Source.API, sitting(gone)), **move),
            preview_move(user=sitting(gone), **move),
        ]
        refused = [(result.kind, result.code) for result in results if isinstance(result, MoveRefused)]
        assert refused == [("conflict", "stand_in_plays")] * 2

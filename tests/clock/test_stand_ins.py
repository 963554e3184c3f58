"""A seat whose player does not act for long."""

from datetime import timedelta

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
from notifications.models import Notification, NotificationKind
from tests.clock.deciding import again, propose, told, vote
from tests.games.builders import awaited, play_some, running_match, say, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wall")]

DAY = timedelta(days=1)


def miss_a_round(table, wall, present=(1, 2)):
    for seat in present:
        say(table, seat, f"name {seat}")
    wall.shift(DAY)
    sweep()


@pytest.fixture
def table(hush):
    return running_match("hush", 3, pace=Pace(DAY, patience=2), options={"rounds": 9})


def test_after_so_many_time_outs_in_a_row_the_seat_goes_to_a_stand_in(table, wall):
    miss_a_round(table, wall)
    assert not again(table).seats[0].has_stand_in
    miss_a_round(table, wall)
    assert again(table).seats[0].has_stand_in
    passed = Notification.objects.filter(kind=NotificationKind.DEADLINE_PASSED).latest("created_at")
    assert passed.data == {"late": [0], "stand_ins": [0]}


def test_any_move_of_ones_own_starts_the_count_again(table, wall):
    miss_a_round(table, wall)
    assert again(table).seats[0].timeouts == 1
    say(table, 0, "name 1")
    assert again(table).seats[0].timeouts == 0


def test_replacing_the_clocks_sealed_move_is_a_move_of_ones_own(table, wall):
    say(table, 1, "name 1")
    wall.shift(DAY / 2)
    say(table, 2, "name 2")
    wall.shift(DAY / 4)
    say(table, 2, "withdraw")
    wall.shift(DAY / 4)
    sweep()
    assert [seat.timeouts for seat in again(table).seats] == [1, 0, 0]
    say(table, 0, "name 5")
    assert again(table).seats[0].timeouts == 0
    say(table, 2, "name 3")
    assert again(table).match.turn == table.match.turn + 1


def test_who_moves_for_their_seat_while_a_stand_in_has_it_is_back(table, wall):
    for _ in range(2):
        miss_a_round(table, wall)
    say(table, 0, "name 5")
    assert not again(table).seats[0].has_stand_in


def test_a_stand_in_spends_nothing_of_what_the_seat_has_saved(hush):
    table = running_match("hush", 3, pace=Pace(DAY, bank=7 * DAY), options={"rounds": 9})
    profile.remove(sitting(table.seats[0]))
    for _ in range(2):
        for seat in (1, 2):
            say(table, seat, "name 1")
    assert again(table).seats[0].bank == 7 * DAY


def test_who_is_back_has_time_to_think_over_what_the_stand_in_sealed(table, wall):
    for _ in range(2):
        miss_a_round(table, wall)
    stand_ins.come_back(table.match.id, sitting(table.seats[0]))
    say(table, 0, "withdraw")
    assert again(table).seats[0].deadline == timezone.now() + DAY


def test_nobody_waits_for_a_stand_in(table, wall):
    for _ in range(2):
        miss_a_round(table, wall)
    seats = again(table).seats
    assert [bool(seat.awaited_since) for seat in seats] == [False, True, True]
    say(table, 1, "name 1")
    answer = say(table, 2, "name 2")
    assert answer["awaiting"] == [1, 2]
    assert answer["turn"] == again(table).match.turn


def test_a_stand_in_is_not_sent_your_turn(table, wall):
    for _ in range(2):
        miss_a_round(table, wall)
    Notification.objects.all().delete()
    for seat in (1, 2):
        say(table, seat, "name 1")
    assert not Notification.objects.filter(seat=0).exists()


def test_whoever_moved_is_not_mailed_about_a_turn_that_comes_back_at_once(wall):
    table = running_match(seats=2, pace=Pace(DAY, patience=1))
    gone = awaited(table)
    wall.shift(DAY)
    sweep()
    Notification.objects.all().delete()
    play_some(table, 4)
    assert not again(table).seats[gone.number].awaited_since
    assert not Notification.objects.filter(kind=NotificationKind.YOUR_TURN).exists()


def test_the_answer_tells_what_stand_ins_did(wall):
    table = running_match(seats=2, pace=Pace(DAY, patience=1))
    gone = awaited(table)
    wall.shift(DAY)
    sweep()
    answer = say(table, 1 - gone.number, "draw")
    while answer["awaiting"] != [1 - gone.number] or not any(
        event["event"].get("seat") == gone.number for event in answer["events"]
    ):
        play_one = again(table)
        mover = awaited(play_one)
        move = play_one.engine.on_timeout(play_one.state, mover.drawn)
        answer = say(table, mover.number, play_one.engine.notation(move))
    assert answer["turn"] == again(table).match.turn


def test_stand_ins_go_on_in_the_next_sweep_where_one_transaction_did_enough(table, wall, monkeypatch):
    for _ in range(2):
        miss_a_round(table, wall)
    monkeypatch.setattr(stand_ins, "MOST_MOVES_AT_ONCE", 0)
    say(table, 1, "name 1")
    say(table, 2, "name 2")
    assert again(table).seats[0].awaited_since
    monkeypatch.undo()
    sweep()
    assert not again(table).seats[0].awaited_since


def test_a_match_that_nobody_plays_any_more_is_abandoned(table, wall):
    for _ in range(2):
        wall.shift(DAY)
        sweep()
    left = again(table)
    assert left.match.phase == Phase.ABANDONED
    assert not any(seat.awaited_since or seat.deadline or seat.wake_at for seat in left.seats)
    assert Notification.objects.filter(kind=NotificationKind.MATCH_OVER).count() == 3


def test_stand_ins_need_not_agree_to_abandon(table, wall):
    for _ in range(2):
        miss_a_round(table, wall)
    for seat in (1, 2):
        proposals.abandon(table.match.id, table.seats[seat].user, agreed=True)
    assert again(table).match.phase == Phase.ABANDONED


def test_who_gets_a_stand_in_no_longer_keeps_the_others_from_abandoning(table, wall):
    for seat in (1, 2):
        proposals.abandon(table.match.id, table.seats[seat].user, agreed=True)
    for _ in range(2):
        assert again(table).match.phase == Phase.RUNNING
        miss_a_round(table, wall)
    assert again(table).match.phase == Phase.ABANDONED


def test_who_gets_a_stand_in_no_longer_keeps_the_others_from_a_pause(table, wall):
    miss_a_round(table, wall)
    proposal = propose(table, 1, ProposalKind.PAUSE, time=DAY)
    vote(table, 2, proposal)
    miss_a_round(table, wall)
    proposal.refresh_from_db()
    assert proposal.status == ProposalStatus.AGREED
    assert {status for _, status in told(proposal)} == {"open", "agreed"}


def test_the_seat_of_a_player_who_is_gone_is_played_with_the_next_move(table):
    table.seats[0].user.delete()
    say(table, 1, "name 1")
    say(table, 2, "name 2")
    assert again(table).match.turn == table.match.turn + 1
    assert Move.objects.filter(seat=0, source="stand_in").count() == 2


def test_the_seat_of_a_player_who_is_gone_is_played_in_the_next_sweep(wall):
    table = running_match(pace=Pace(DAY))
    gone = awaited(table)
    announce(AccountDeleted(gone.user))
    gone.user.delete()
    sweep()
    assert awaited(again(table)).number != gone.number


def test_the_seat_of_a_player_who_is_gone_is_played_at_the_latest_when_its_time_is_up(wall):
    table = running_match(pace=Pace(DAY))
    gone = awaited(table)
    gone.user.delete()
    wall.shift(DAY)
    sweep()
    assert awaited(again(table)).number != gone.number
    assert not Notification.objects.filter(kind=NotificationKind.DEADLINE_PASSED).exists()


def test_whoever_moves_beside_a_stand_in_that_moves_at_once_learns_of_it(wall):
    table = running_match(seats=2, pace=Pace(DAY, patience=1))
    gone = awaited(table)
    wall.shift(DAY)
    sweep()
    for turn in (table.match.turn, again(table).match.turn):
        move = {"match_id": table.match.id, "move": "draw", "turn": turn}
        results = [
            submit_move(actor=Actor(Source.API, sitting(gone)), **move),
            preview_move(user=sitting(gone), **move),
        ]
        assert [(result.kind, result.code) for result in results] == [("conflict", "stand_in_plays")] * 2

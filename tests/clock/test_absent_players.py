"""Jobs let bots move for players who are late or away."""

from datetime import timedelta

import pytest

from clock import stand_ins
from clock.sweep import sweep
from games.engine.registry import engines
from games.models import Absent, BotTurn, Move, Phase
from games.models.pace import Pace
from games.selectors import match_log, presenters
from games.selectors.loading import load_match
from games.services import bot_moves, lobby, thinking
from games.services.audit import first_difference
from notifications.context import load
from notifications.letters import write
from notifications.models import Notification, NotificationKind
from tests.games.builders import awaited, player, running_match, say, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]

DAY = timedelta(days=1)


@pytest.fixture
def table(frozen_time):
    """Create a match for three players whose first player is late."""
    table = running_match(pace=Pace(DAY, patience=2), absent=Absent.BOT)
    frozen_time.shift(DAY)
    return table


def again(table):
    return load_match(table.match.id)


def sources(seat):
    return list(Move.objects.filter(seat=seat.number).order_by("number").values_list("source", flat=True))


def test_bots_move_for_absent_players_by_default():
    assert lobby.create(player("ann"), lobby.Plan("coloretto", 3)).match.absent == Absent.BOT


def test_a_sweep_over_many_time_outs_does_not_wait_for_bots_to_think(table, frozen_time, monkeypatch):
    for _ in range(3):
        running_match(pace=Pace(DAY), absent=Absent.BOT)
    frozen_time.shift(DAY)
    with monkeypatch.context() as patched:
        patched.setattr(thinking, "decide", lambda *_: pytest.fail("The sweep waited for a bot to think."))
        sweep()
        sweep()
    assert not Move.objects.exists()
    assert BotTurn.objects.count() == 4
    bot_moves.play_due()
    assert set(Move.objects.values_list("source", flat=True)) == {"time_out"}
    assert not BotTurn.objects.exists()


def test_a_bot_finishes_the_turn_of_a_late_player_and_everyone_is_notified(table):
    late = awaited(table)
    sweep()
    bot_moves.play_due()
    assert set(sources(late)) == {"time_out"}
    assert awaited(again(table)) != late
    assert again(table).seats[late.drawn].timeouts == 1
    told = Notification.objects.filter(kind=NotificationKind.DEADLINE_PASSED)
    assert told.count() == 3
    own = write(load([told.get(seat=late.number).pk])[0])
    assert "so a bot moved for you" in repr(own)
    assert first_difference(again(table)) is None


def test_a_player_who_moves_before_the_bot_does_is_not_late(table):
    late = awaited(table)
    sweep()
    say(table, late.number, "draw")
    bot_moves.play_due()
    assert sources(late) == ["api"]
    assert again(table).seats[late.drawn].timeouts == 0
    assert not Notification.objects.filter(kind=NotificationKind.DEADLINE_PASSED).exists()
    assert not BotTurn.objects.exists()


def told_to(table, reader):
    table = again(table)
    return [presenters.event_text(table, event, reader) for event in match_log.events(table)]


def test_the_log_says_whose_move_was_made_after_a_time_out(table):
    late = awaited(table)
    other = (late.drawn + 1) % 3
    sweep()
    bot_moves.play_due()
    for reader, name in ((other, late.player_name), (late.drawn, "You")):
        drawn = next(text for text in told_to(table, reader) if text.startswith(f"{name} drew"))
        assert drawn.endswith(f". ({name} ran out of time.)")
    say(table, other, "draw")
    assert not told_to(table, None)[-1].endswith(")")


def test_the_log_says_who_was_late_when_sealed_moves_are_revealed(frozen_time):
    table = running_match("colorado-county", pace=Pace(DAY), absent=Absent.MINIMAL)
    say(table, 0, "bid none")
    frozen_time.shift(DAY)
    sweep()
    late = again(table).seats[2].player_name
    (revealed,) = [text for text in told_to(table, 1) if text.startswith("Bids were revealed")]
    assert revealed.startswith(f"Bids were revealed. (You and {late} ran out of time.)\n")


def test_the_log_says_for_whom_a_stand_in_moved(table, frozen_time):
    late = with_a_stand_in(table, frozen_time)
    while not any(source == "stand_in" for source in sources(late)):
        mover = awaited(now := again(table))
        say(table, mover.number, now.engine.notation(now.engine.on_timeout(now.state, mover.drawn)))
        bot_moves.play_due()
    assert any(text.endswith(f"(A stand-in moved for {late.player_name}.)") for text in told_to(table, None))
    assert any(text.endswith("(A stand-in moved for you.)") for text in told_to(table, late.drawn))


def with_a_stand_in(table, frozen_time):
    """Let the player time out until a stand-in takes over, while the other players keep moving."""
    late = awaited(table)
    while not again(table).seats[late.drawn].stand_in_since:
        mover = awaited(now := again(table))
        if mover == late:
            frozen_time.shift(DAY)
            sweep()
            bot_moves.play_due()
        else:
            say(table, mover.number, now.engine.notation(now.engine.on_timeout(now.state, mover.drawn)))
    return late


def test_a_stand_in_is_a_bot_that_moves_without_waiting(table, frozen_time):
    late = with_a_stand_in(table, frozen_time)
    while not any(source == "stand_in" for source in sources(late)):
        mover = awaited(now := again(table))
        say(table, mover.number, now.engine.notation(now.engine.on_timeout(now.state, mover.drawn)))
        bot_moves.play_due()
    assert awaited(again(table)) != late
    assert first_difference(again(table)) is None


def test_a_player_can_take_the_seat_back_and_continue(table, frozen_time):
    late = with_a_stand_in(table, frozen_time)
    while awaited(now := again(table)) != late:
        mover = awaited(now)
        say(table, mover.number, now.engine.notation(now.engine.on_timeout(now.state, mover.drawn)))
    assert BotTurn.objects.exists()
    before = sources(late)
    stand_ins.come_back(table.match.id, sitting(late))
    bot_moves.play_due()
    assert sources(late) == before
    assert not BotTurn.objects.exists()
    assert again(table).seats[late.drawn].deadline


def test_two_late_players_in_a_sealed_round_are_reported_in_one_email(hush, frozen_time):
    table = running_match("hush", pace=Pace(DAY), absent=Absent.BOT)
    say(table, 0, "name 5")
    frozen_time.shift(DAY)
    sweep()
    bot_moves.play_due()
    assert again(table).match.turn == table.match.turn + 1
    passed = Notification.objects.filter(kind=NotificationKind.DEADLINE_PASSED)
    assert [told.data["late"] for told in passed] == [[1, 2]] * 3


def test_a_match_that_everybody_has_left_is_abandoned(hush, frozen_time):
    table = running_match("hush", pace=Pace(DAY, patience=1), absent=Absent.BOT)
    frozen_time.shift(DAY)
    sweep()
    bot_moves.play_due()
    assert again(table).match.phase == Phase.ABANDONED
    assert not BotTurn.objects.exists()


@pytest.mark.parametrize("game", [engine.slug for engine in engines()])
def test_a_match_with_an_absent_player_comes_to_an_end(game, frozen_time):
    table = running_match(game, 3, pace=Pace(DAY), absent=Absent.BOT)
    while table.match.phase == Phase.RUNNING:
        seat = next((seat for seat in table.seats if seat.awaited_since and seat.number != 0), None)
        if seat:
            say(table, seat.number, table.engine.notation(table.engine.on_timeout(table.state, seat.drawn)))
        else:
            frozen_time.shift(DAY)
            sweep()
        bot_moves.play_due()
        table = again(table)
    assert table.match.phase == Phase.FINISHED
    assert set(sources(table.seats[0])) == {"time_out", "stand_in"}
    assert first_difference(table) is None

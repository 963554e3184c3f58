"""Owners can give seats to bots. Bots are labeled as bots, and move in jobs."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from core.refusals import Refused
from games.bots import UnknownLevel
from games.engine.proof import verify
from games.models import BotTurn, Match, Move, Phase, SaltMaker, Salts, Seat
from games.selectors import proofs
from games.selectors.loading import LoadedMatch, load_match
from games.services import bot_moves, lobby, thinking
from games.services.audit import first_difference
from games.services.salts import Share
from notifications.models import Notification
from tests.games.builders import plan, player, send, sitting

pytestmark = pytest.mark.django_db


def with_bots(game="coloretto", seats=3, bots=2, level="easy", **changes) -> LoadedMatch:
    created = lobby.create(player("ann"), plan(game, seats, bots=bots, level=level, **changes))
    return load_match(created.match.id)


def person_in(table: LoadedMatch) -> Seat:
    return next(seat for seat in table.seats if not seat.is_bot)


def play_to_the_end(table: LoadedMatch) -> LoadedMatch:
    """Play to the end, with minimal moves for the person."""
    while table.match.phase == Phase.RUNNING:
        bot_moves.play_due()
        table = load_match(table.match.id)
        person = person_in(table)
        if person.awaited_since:
            move = table.engine.notation(table.engine.on_timeout(table.state, person.drawn))
            assert send(table.match.id, sitting(person), move, table.match.turn).status == 200
            table = load_match(table.match.id)
    return table


def refusal(attempt) -> Any:
    with pytest.raises((Refused, UnknownLevel)) as refused:
        attempt()
    return refused.value


class TestSeats:
    def test_a_match_between_one_person_and_bots_starts_immediately(self):
        table = with_bots()
        assert table.match.phase == Phase.RUNNING
        assert sorted(table.names) == ["Ada (bot)", "Ann", "Grace (bot)"]

    def test_a_match_against_bots_waits_for_its_owners_salt_if_they_want_to_send_one(self):
        table = with_bots(salt_follows=True)
        assert table.match.phase == Phase.GATHERING
        lobby.give_salt(table.match.id, player("ann"), Share("rosebud"))
        started = load_match(table.match.id)
        assert started.match.phase == Phase.RUNNING
        assert [share["by"] for share in started.match.players] == ["player", "bot", "bot"]

    def test_bots_commit_to_their_salts_too_and_never_delay_the_start(self):
        table = with_bots(salt_follows=True, salts=Salts.COMMITTED)
        bots = [seat for seat in table.seats if seat.is_bot]
        assert all(seat.salt and seat.commitment and seat.salt_by == SaltMaker.BOT for seat in bots)

    def test_a_match_with_free_seats_for_people_waits_until_they_are_taken(self):
        table = with_bots(bots=1)
        assert table.match.phase == Phase.GATHERING
        lobby.join(table.match.id, player("ben"))
        assert load_match(table.match.id).match.phase == Phase.RUNNING

    def test_the_owner_can_give_free_seats_to_bots_later(self):
        waiting = lobby.create(player("ann"), plan(seats=3, allows_bots=True))
        lobby.add_bots(waiting.match.id, player("ann"), None, "hard")
        started = load_match(waiting.match.id)
        assert started.match.phase == Phase.RUNNING
        assert sorted(seat.bot_level for seat in started.seats) == ["", "hard", "hard"]

    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"level": "godlike"}, "unknown_level"),
            ({"bots": 3}, "too_many_bots"),
            ({"allows_bots": False}, "bots_not_allowed"),
        ],
    )
    def test_refusals_say_what_to_do_instead_and_change_nothing(self, changes, code):
        refused = refusal(lambda: with_bots(**changes))
        assert refused.code == code
        assert refused.hint
        assert not Match.objects.exists()

    @pytest.mark.parametrize(
        ("allows_bots", "count", "level", "code"),
        [
            (False, 1, "easy", "bots_not_allowed"),
            (True, 3, "easy", "too_many_bots"),
            (True, 1, "godlike", "unknown_level"),
        ],
    )
    def test_adding_bots_after_creation_is_refused_for_the_same_reasons(self, allows_bots, count, level, code):
        waiting = lobby.create(player("ann"), plan(seats=3, allows_bots=allows_bots))
        refused = refusal(lambda: lobby.add_bots(waiting.match.id, player("ann"), count, level))
        assert refused.code == code
        assert len(load_match(waiting.match.id).seats) == 1

    def test_only_the_owner_can_give_seats_to_bots(self):
        waiting = lobby.create(player("ann"), plan(seats=3, allows_bots=True))
        with pytest.raises(Refused, match="Only the owner"):
            lobby.add_bots(waiting.match.id, player("ben"), 1, "easy")


class TestMoves:
    @pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
    def test_a_match_with_bots_can_be_verified_and_audited(self, game):
        table = play_to_the_end(with_bots(game, 2, bots=1))
        assert table.match.phase == Phase.FINISHED
        bot = next(seat.drawn for seat in table.seats if seat.is_bot)
        assert set(Move.objects.filter(seat=bot).values_list("source", flat=True)) == {"bot"}
        proven = verify(proofs.proof(table)).proof
        assert {move.by for move in proven.moves if move.seat == bot} <= {"bot", None}
        assert first_difference(table) is None
        assert not BotTurn.objects.exists()

    def test_bots_have_no_deadlines_and_get_no_notifications(self):
        table = play_to_the_end(with_bots(seats=2, bots=1))
        assert {told.user for told in Notification.objects.all()} == {player("ann")}
        waiting = with_bots(seats=3, bots=2)
        assert all(seat.deadline is None for seat in waiting.seats if seat.is_bot)
        assert table.match.phase == Phase.FINISHED

    def test_a_job_for_the_bot_is_due_as_soon_as_its_turn_begins(self):
        table = with_bots()
        is_bots_turn = any(seat.is_bot and seat.awaited_since for seat in table.seats)
        assert BotTurn.objects.filter(match=table.match).exists() == is_bots_turn

    def test_a_killed_worker_loses_nothing_and_no_move_is_made_twice(self, monkeypatch):
        table = bots_turn()
        killed = bot_moves.QUEUE.claim(timezone.now(), 1)
        assert killed is not None
        bot_moves.play_due()
        assert not Move.objects.exists()
        BotTurn.objects.update(due_at=timezone.now())
        bot_moves.play_due()
        made = Move.objects.count()
        assert made
        bot_moves.play(killed.jobs[0], killed.token)
        assert Move.objects.count() == made
        assert first_difference(load_match(table.match.id)) is None

    def test_hard_bots_think_less_while_other_matches_wait(self, settings):
        match = Match()
        assert bot_moves.seconds_to_think(match) == settings.BOT_SECONDS
        while BotTurn.objects.count() < 3:
            with_bots()
        assert bot_moves.seconds_to_think(match) == settings.BOT_SECONDS / 4
        while BotTurn.objects.count() < 8:
            with_bots()
        assert bot_moves.seconds_to_think(match) == bot_moves.SHORTEST

    def test_a_match_can_give_hard_bots_more_time(self, monkeypatch):
        bots_turn(level="hard", think=10)
        asked = []

        def note(engine, state, seat, level, seconds):
            asked.append((level, seconds))
            return engine.on_timeout(state, seat)

        monkeypatch.setattr(thinking, "decide", note)
        bot_moves.play_due()
        assert asked[0] == ("hard", 10)
        assert len(set(asked)) == 1

    def test_a_bot_that_crashes_makes_a_minimal_move(self, monkeypatch, caplog):
        table = bots_turn()

        def crash(*_):
            raise thinking.ThinkingFailed("out of ideas")

        monkeypatch.setattr(thinking, "answered", crash)
        bot_moves.play_due()
        assert Move.objects.filter(match=table.match, source="bot").exists()
        assert "out of ideas" in caplog.text

    def test_after_an_unexpected_failure_the_bots_try_again_later(self, monkeypatch, caplog):
        bots_turn()
        monkeypatch.setattr(bot_moves, "decide", lambda *_, **__: 1 / 0)
        bot_moves.play_due()
        waiting = BotTurn.objects.get()
        assert waiting.progress == "queued"
        assert waiting.due_at > timezone.now()
        assert "ZeroDivisionError" in caplog.text


def bots_turn(**settings) -> LoadedMatch:
    """Create a match in which a bot has to move first."""
    while True:
        table = with_bots(seats=3, bots=2, **settings)
        if BotTurn.objects.exists():
            return table
        Match.objects.all().delete()


class TestEmails:
    def test_a_player_in_a_match_against_bots_does_not_get_an_email_every_turn(self):
        table = with_bots(seats=2, bots=1)
        for _ in range(6):
            bot_moves.play_due()
            table = load_match(table.match.id)
            person = person_in(table)
            if person.awaited_since:
                move = table.engine.notation(table.engine.on_timeout(table.state, person.drawn))
                send(table.match.id, sitting(person), move, table.match.turn)
        assert Notification.objects.filter(kind="your_turn").exists()
        assert not Notification.objects.filter(due_at__lte=timezone.now()).exists()

    def test_a_player_who_has_not_looked_at_the_match_for_an_hour_gets_the_email_about_their_turn_immediately(self):
        table = bots_turn()
        bot_moves.play_due()
        table = load_match(table.match.id)
        Seat.objects.filter(match=table.match).update(visited_at=timezone.now() - timedelta(hours=1))
        Notification.objects.all().delete()
        person = person_in(table)
        while person.awaited_since:
            move = table.engine.notation(table.engine.on_timeout(table.state, person.drawn))
            send(table.match.id, sitting(person), move, table.match.turn)
            table = load_match(table.match.id)
            person = person_in(table)
        Seat.objects.filter(match=table.match).update(visited_at=timezone.now() - timedelta(hours=1))
        bot_moves.play_due()
        assert Notification.objects.filter(kind="your_turn", due_at__lte=timezone.now()).exists()

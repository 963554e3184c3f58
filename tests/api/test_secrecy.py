"""What a caller may not know changes no byte of what they get, on any endpoint.

Every GET address of the API document that holds a match id is asked, and the lists, and dry runs. Status, ETag and body
are compared as they are: ids and times are the same because it is the same match at the same moment.
"""

import re
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import transaction
from msgspec.structs import replace

from games import vault
from games.engine.dice import Dice
from games.engine.registry import engines
from games.models import Event, Match, Move, Phase
from games.play import Submission, submit
from games.reading import LISTS
from games.table import lay_table
from tests.api.clients import Caller
from tests.api.document import of_a_match
from tests.games.builders import play_some, player, running_match

pytestmark = pytest.mark.django_db

GAMES = ["hush", *(engine.slug for engine in engines())]
BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def frozen(hush):
    with time_machine.travel(BEGAN, tick=False) as traveller:
        yield traveller


def positions(game):
    """Some of a match that goes on."""
    table = running_match(game)
    for number in range(5):
        table = play_some(table, 4, seed=bytes([number]) * 32)
        if table.match.phase == Phase.RUNNING:
            yield table


def all_that(caller, match_id):
    """All a caller can get that has to do with a match, by address."""
    lists = [f"/matches?which={which}" for which, listing in LISTS.items() if caller.user or listing.is_public]
    reads = [path.replace("{match_id}", match_id) for path in of_a_match("get")]
    answers = {path: caller.get(path) for path in [*lists, *reads]}
    assert answers[f"/matches/{match_id}"].status_code == 200
    return {path: (said.status_code, said.headers.get("ETag"), said.content) for path, said in answers.items()}


def dry_runs(caller, match_id, moves):
    now = lay_table(match_id).match.turn
    answers = [
        caller.post(f"/matches/{match_id}/moves?dry_run=1", {"move": move, "turn": turn})
        for move in moves
        for turn in (now, 0)
    ]
    return [(said.status_code, said.content) for said in answers]


def moves_to_try(table, seat):
    """Legal ones, ones that are legal for others, and nonsense."""
    engine, state = table.engine, table.state
    offered = [move for other in range(len(table.seats)) for move in engine.choices(state, other).moves[:4]]
    sampled = [engine.sample(state, seat, Dice(bytes([n]) * 32)) for n in range(2) if engine.choices(state, seat)]
    return [*dict.fromkeys(engine.notation(move) for move in [*offered, *sampled]), "dance"]


def hide_otherwise(table, seat, number):
    """Deals everything anew that this seat may not know: the position, private events and pending sealed moves."""
    dice = Dice(bytes([number]) * 32)
    engine = table.engine
    other = engine.imagine(table.state, seat, dice)
    Match.objects.filter(pk=table.match.pk).update(locked_state=vault.lock(engine.states.dump(other)))
    for event in Event.objects.filter(match=table.match, audience__isnull=False):
        if seat not in event.audience:
            Event.objects.filter(pk=event.pk).update(content=vault.lock(b"something else"))
    Move.objects.filter(match=table.match, turn=table.match.turn, is_sealed=True).exclude(seat=seat).update(
        content=vault.lock(b"something else"), nonce="0" * 32, receipt="0" * 64
    )


@pytest.mark.parametrize("game", GAMES)
def test_another_hidden_world_gives_a_player_the_same_bytes_on_every_endpoint(game):
    for number, table in enumerate(positions(game)):
        for seat in range(3):
            caller, moves = Caller(table.seats[seat].user), moves_to_try(table, seat)
            before = all_that(caller, table.match.id), dry_runs(caller, table.match.id, moves)
            with put_back_afterwards():
                hide_otherwise(table, seat, number)
                assert (all_that(caller, table.match.id), dry_runs(caller, table.match.id, moves)) == before


def test_as_a_control_what_a_player_may_know_does_change_what_they_get():
    table = running_match("hush")
    caller = Caller(table.seats[0].user)
    before = all_that(caller, table.match.id)
    other = replace(table.state, cards=(10, *table.state.cards[1:]))
    Match.objects.filter(pk=table.match.pk).update(locked_state=vault.lock(table.engine.states.dump(other)))
    assert all_that(caller, table.match.id) != before


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["emil", None])
def test_another_hidden_world_gives_a_spectator_the_same_bytes_on_every_endpoint(game, name):
    caller = Caller(player(name) if name else None)
    for number, table in enumerate(positions(game)):
        before = all_that(caller, table.match.id)
        with put_back_afterwards():
            hide_otherwise(table, None, number)
            assert all_that(caller, table.match.id) == before


@contextmanager
def put_back_afterwards():
    """Whatever the block does to the database is undone."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def sealed_round(game):
    """A position in which at least two seats are to seal something, and two different moves of one of them."""
    table = running_match(game)
    for step in range(200):
        asked, engine = sorted(table.engine.awaiting(table.state)), table.engine
        samples = {
            engine.notation(move): move
            for move in (engine.sample(table.state, asked[-1], Dice(bytes([n]) * 32)) for n in range(9))
            if engine.is_sealed(move)
        }
        if len(asked) >= 2 and len(samples) >= 2:
            return table, asked[-1], list(samples)[:2]
        table = play_some(table, 1, seed=bytes([step]) * 32)
    raise AssertionError(f"{game} has no sealed round")


SEALING_GAMES = [slug for slug in GAMES if slug != "coloretto"]


def seal(table, seat, *moves, frozen):
    """Seals a move, and replaces it by the next one two days later, and so on."""
    frozen.move_to(BEGAN + timedelta(hours=1))
    for move in moves:
        answer = submit(table.match.id, table.seats[seat].user, Submission(move, table.match.turn))
        assert answer.status == 200
        frozen.shift(timedelta(days=2))
    frozen.move_to(BEGAN + timedelta(days=20))


@pytest.mark.parametrize("game", SEALING_GAMES)
def test_neither_what_was_sealed_nor_that_it_was_replaced_can_be_noticed(game, frozen):
    table, seat, (one, other) = sealed_round(game)
    watchers = [Caller(watcher.user) for watcher in table.seats if watcher.number != seat]
    watchers += [Caller(player("emil")), Caller()]
    seen = []
    for moves in ([one], [other], [one, other], [other, one, one]):
        with put_back_afterwards():
            seal(table, seat, *moves, frozen=frozen)
            seen.append([all_that(watcher, table.match.id) for watcher in watchers])
    for later in seen[1:]:
        assert later == seen[0]


@pytest.mark.parametrize("game", SEALING_GAMES)
def test_even_after_the_reveal_and_in_the_proof_nobody_learns_that_a_move_was_replaced(game, frozen):
    table, seat, (one, other) = sealed_round(game)
    watchers = [Caller(watcher.user) for watcher in table.seats if watcher.number != seat]
    seen = []
    for moves in ([other], [one, other], [other, one, one, other]):
        with put_back_afterwards():
            seal(table, seat, *moves, frozen=frozen)
            play_some(table, seed=b"\1" * 32)
            assert lay_table(table.match.id).match.phase == "finished"
            seen.append([without_chance(all_that(watcher, table.match.id)) for watcher in watchers])
    for later in seen[1:]:
        assert later == seen[0]


def without_chance(answers):
    """Receipts hold a nonce that is drawn anew for each sealed move."""
    return {
        path: (status, tag, re.sub(rb'"(nonce|kept|receipt)":"[0-9a-f]+"', b"", body))
        for path, (status, tag, body) in answers.items()
    }

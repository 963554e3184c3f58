"""Callers can get the boards of past turns, just as they saw them at the time."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction

from core.rates import Rate
from games.selectors.loading import load_match
from games.services import lobby
from tests.games.api.clients import Caller
from tests.games.builders import plan, play_some, player, running_match, say

pytestmark = pytest.mark.django_db


def all_boards(caller, match_id, limit=50):
    found: list[Any] = []
    more = True
    while more:
        since = found[-1]["turn"] if found else 0
        page = caller.get(f"/matches/{match_id}/boards?since={since}&limit={limit}").json()
        found, more = found + page["boards"], page["more"]
    return found


@pytest.mark.parametrize("game", ["coloretto", "colorado-county", "hush"])
def test_each_board_is_what_the_caller_saw_when_the_turn_began(hush, game):
    table = running_match(game)
    callers = [Caller(player(name)) for name in ("ann", "ben", "cleo", "emil")]
    seen: list[dict[int, Any]] = [{} for _ in callers]
    for number in range(25):
        for caller, at in zip(callers, seen, strict=True):
            match = caller.get(f"/matches/{table.match.id}").json()
            at.setdefault(match["turn"], (match["view"], match["picture"]))
        table = play_some(table, 1, seed=bytes([number]) * 32)
    for caller, at in zip(callers, seen, strict=True):
        told = {board["turn"]: (board["view"], board["picture"]) for board in all_boards(caller, table.match.id)}
        assert len(at) > 3
        assert {turn: told[turn] for turn in at} == at


def test_boards_never_show_a_pending_sealed_move():
    table = running_match("colorado-county")
    seat = min(table.engine.awaiting(table.state))
    hand = table.engine.view(table.state, seat).cowboys

    def after(move):
        with transaction.atomic():
            say(table, seat, move)
            told = [all_boards(Caller(player(name)), table.match.id) for name in ("ann", "ben", "cleo", "emil")]
            transaction.set_rollback(True)
        return told

    before = [all_boards(Caller(player(name)), table.match.id) for name in ("ann", "ben", "cleo", "emil")]
    assert after(f"bid {hand[0]}") == after(f"bid {hand[1]} {hand[2]}") == before


def test_boards_are_paginated():
    table = play_some(running_match(), 12)
    ann = Caller(player("ann"))
    assert all_boards(ann, table.match.id, limit=3) == all_boards(ann, table.match.id)
    assert [board["turn"] for board in all_boards(ann, table.match.id)] == list(
        range(1, load_match(table.match.id).match.turn + 1)
    )


def test_a_match_has_no_boards_before_it_starts():
    match_id = lobby.create(player("ann"), plan()).match.id
    assert Caller(player("ann")).get(f"/matches/{match_id}/boards").json() == {"boards": [], "more": False}


def test_others_cannot_tell_that_a_private_match_exists():
    table = running_match(is_private=True)
    assert Caller(player("emil")).get(f"/matches/{table.match.id}/boards").status_code == 404
    assert Caller().get(f"/matches/{table.match.id}/boards").status_code == 401


def test_boards_are_rate_limited(settings):
    cache.clear()
    settings.RATES = settings.RATES | {"boards": Rate(1, 3600)}
    path = f"/matches/{running_match().match.id}/boards"
    ann = Caller(player("ann"))
    assert [ann.get(path).status_code for _ in range(2)] == [200, 429]
    cache.clear()

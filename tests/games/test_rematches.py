import pytest

from accounts import blocks
from core.problems import status_of
from core.refusals import Refused
from games.models import Match
from games.selectors import access
from games.selectors.loading import load_match
from games.services import lobby, rematches
from tests.games.builders import plan, play_some, player, running_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished():
    return play_some(running_match(seats=3, title="Friday", is_private=True)).match


def refusal(call, *args):
    with pytest.raises(Refused) as refused:
        call(*args)
    return status_of(refused.value), refused.value.code


def test_a_rematch_has_the_same_settings_and_invites_the_others(finished):
    new = rematches.rematch(finished.id, player("ann")).match
    kept = ("game", "title", "is_private", "seat_count", "options", "move_time", "salts", "absent", "allows_bots")
    assert [getattr(new, name) for name in kept] == [getattr(finished, name) for name in kept]
    assert {one.user for one in new.invitations.all()} == {player("ben"), player("cleo")}


def test_two_players_who_ask_for_a_rematch_get_the_same_match(finished):
    first = rematches.rematch(finished.id, player("ann")).match
    assert rematches.rematch(finished.id, player("ben")).match == first
    assert rematches.rematch(finished.id, player("ann")).match == first
    assert Match.objects.count() == 2


def test_a_canceled_rematch_can_be_asked_for_again(finished):
    first = rematches.rematch(finished.id, player("ann")).match
    lobby.cancel(first.id, player("ann"))
    assert rematches.rematch(finished.id, player("ben")).match != first


def test_players_who_blocked_the_owner_are_not_invited(finished):
    blocks.block(player("ben"), "ann")
    new = rematches.rematch(finished.id, player("ann")).match
    assert not access.invitations_to(player("ben")).filter(match=new).exists()


def test_a_rematch_against_bots_waits_only_for_the_players_salt():
    alone = lobby.create(player("ann"), plan(seats=2, bots=1, level="easy"))
    Match.objects.filter(pk=alone.match.pk).update(phase="finished")
    new = rematches.rematch(alone.match.id, player("ann"))
    assert [seat.bot_level for seat in new.seats if seat.is_bot] == ["easy"]


def test_bots_of_different_levels_keep_their_levels():
    waiting = lobby.create(player("ann"), plan(seats=3, allows_bots=True))
    for level in ("hard", "easy"):
        lobby.add_bots(waiting.match.id, player("ann"), 1, level)
    Match.objects.filter(pk=waiting.match.pk).update(phase="finished")
    new = rematches.rematch(waiting.match.id, player("ann"))
    assert {seat.bot_name: seat.bot_level for seat in new.seats if seat.is_bot} == {"Ada": "hard", "Grace": "easy"}


def test_only_players_of_a_finished_match_can_ask_for_a_rematch(finished):
    running = running_match(seats=2)
    assert refusal(rematches.rematch, running.match.id, player("ann")) == (409, "not_over")
    assert refusal(rematches.rematch, finished.id, player("dora")) == (404, "no_such_match")
    assert load_match(finished.id).match.rematches.count() == 0

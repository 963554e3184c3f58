"""Players send their salts once and in order, and reveal them only if they committed to them."""

from datetime import timedelta

import msgspec
import pytest
from django.utils import timezone

from accounts.announcements import AccountDeleted
from clock import proposals
from clock.sweep import sweep
from core.announcements import announce
from core.refusals import Conflict
from games.engine import fairness
from games.engine.proof import Proof, verify
from games.models import Match, Phase, SaltMaker, Seat
from games.selectors import proofs
from games.selectors.loading import load_match
from games.services import lobby
from games.services.salts import Share
from tests.games.builders import plan, play_some, player

pytestmark = pytest.mark.django_db


def refusal(action, *args):
    with pytest.raises(Conflict) as refused:
        action(*args)
    return refused.value.code


def committed(match_id, salt):
    return Share(commitment=fairness.commitment(match_id, salt))


@pytest.fixture
def open_match():
    return lobby.create(player("ann"), plan(seats=3)).match.id


@pytest.fixture
def committed_match():
    match_id = lobby.create(player("ann"), plan(seats=2, salts="committed")).match.id
    lobby.give_salt(match_id, player("ann"), committed(match_id, "salt of ann"))
    return match_id


@pytest.fixture
def full_match(committed_match):
    lobby.join(committed_match, player("ben"), committed(committed_match, "salt of ben"))
    return committed_match


class TestOpenSalts:
    def test_a_player_without_a_salt_gets_one_from_the_server(self, open_match):
        lobby.join(open_match, player("ben"))
        assert [seat.salt_by for seat in load_match(open_match).seats] == [SaltMaker.SERVER] * 2
        assert len(set(Seat.objects.values_list("salt", flat=True))) == 2

    def test_the_owner_can_replace_the_servers_salt_until_somebody_joins(self, open_match):
        lobby.give_salt(open_match, player("ann"), Share("mine"))
        assert load_match(open_match).seats[0].salt == "mine"
        other = lobby.create(player("ann"), plan(seats=3)).match.id
        lobby.join(other, player("ben"))
        assert refusal(lobby.give_salt, other, player("ann"), Share("mine")) == "salt_too_late"

    def test_a_player_cannot_copy_another_players_salt(self, open_match, committed_match):
        lobby.give_salt(open_match, player("ann"), Share("mine"))
        assert refusal(lobby.join, open_match, player("ben"), Share("mine")) == "salt_taken"
        copied = committed(committed_match, "salt of ann")
        assert refusal(lobby.join, committed_match, player("ben"), copied) == "salt_taken"

    def test_a_salt_can_be_sent_again_but_not_changed(self, open_match):
        for _ in range(2):
            lobby.give_salt(open_match, player("ann"), Share("mine"))
        assert refusal(lobby.give_salt, open_match, player("ann"), Share("another")) == "salt_given"

    def test_joining_can_be_repeated_with_the_same_salt_even_after_the_start(self, open_match):
        lobby.join(open_match, player("ben"), Share("salt of ben"))
        for _ in range(2):
            lobby.join(open_match, player("cleo"), Share("salt of cleo"))
        assert load_match(open_match).match.phase == Phase.RUNNING
        assert refusal(lobby.join, open_match, player("cleo"), Share("another")) == "not_gathering"

    def test_a_commitment_is_refused_if_salts_are_open(self, open_match):
        share = committed(open_match, "secret")
        assert refusal(lobby.join, open_match, player("ben"), share) == "salts_are_open"

    def test_the_position_of_a_player_who_left_is_not_reused(self, open_match):
        lobby.join(open_match, player("ben"))
        lobby.leave(open_match, player("ben"))
        for name in ("ben", "cleo"):
            lobby.join(open_match, player(name))
        assert [share["position"] for share in load_match(open_match).match.players] == [1, 3, 4]


class TestCommittedSalts:
    def test_a_salt_is_refused_before_all_seats_are_taken(self, committed_match):
        assert refusal(lobby.join, committed_match, player("ben"), Share("salt of ben")) == "salts_are_committed"

    def test_the_match_starts_when_the_last_salt_is_revealed(self, full_match):
        assert load_match(full_match).match.phase == Phase.GATHERING
        lobby.give_salt(full_match, player("ben"), Share("salt of ben"))
        assert load_match(full_match).match.phase == Phase.GATHERING
        lobby.give_salt(full_match, player("ann"), Share("salt of ann"))
        match = load_match(full_match).match
        assert (match.phase, match.reveal_by) == (Phase.RUNNING, None)
        assert [share["salt"] for share in match.players] == ["salt of ann", "salt of ben"]

    def test_only_the_committed_salt_is_accepted(self, full_match):
        assert refusal(lobby.give_salt, full_match, player("ben"), Share("another")) == "wrong_salt"

    def test_nobody_can_join_or_leave_or_start_or_cancel_while_salts_are_being_revealed(self, full_match):
        assert refusal(lobby.leave, full_match, player("ben")) == "revealing"
        assert refusal(lobby.cancel, full_match, player("ann")) == "revealing"
        assert refusal(lobby.start, full_match, player("ann")) == "revealing"
        assert refusal(lobby.join, full_match, player("cleo")) == "match_full"

    def test_a_match_does_not_expire_while_salts_are_being_revealed(self, full_match):
        Match.objects.update(expires_at=timezone.now())
        assert lobby.expire(timezone.now()) == 0

    def test_the_sweep_starts_the_match_without_the_missing_salts(self, full_match):
        lobby.give_salt(full_match, player("ben"), Share("salt of ben"))
        sweep()
        assert load_match(full_match).match.phase == Phase.GATHERING
        Match.objects.update(reveal_by=timezone.now() - timedelta(seconds=1))
        sweep()
        assert [share["salt"] for share in load_match(full_match).match.players] == [None, "salt of ben"]
        proof = proofs.proof(play_some(load_match(full_match)))
        assert verify(proof).proof.terms.players[0].commitment == fairness.commitment(full_match, "salt of ann")

    def test_if_the_owner_starts_early_the_salts_are_revealed_first(self):
        match_id = lobby.create(player("ann"), plan(seats=3, salts="committed")).match.id
        lobby.join(match_id, player("ben"), committed(match_id, "salt of ben"))
        assert lobby.start(match_id, player("ann")).match.reveal_by is not None
        assert lobby.give_salt(match_id, player("ben"), Share("salt of ben")).match.phase == Phase.RUNNING

    def test_a_match_without_commitments_starts_immediately(self):
        match_id = lobby.create(player("ann"), plan(seats=2, salts="committed")).match.id
        assert lobby.join(match_id, player("ben")).match.phase == Phase.RUNNING

    def test_the_commitment_of_a_player_who_deletes_their_account_remains(self, full_match):
        before = [share.pseudonym for share in proofs.contributions(load_match(full_match))]
        announce(AccountDeleted(player("ben")))
        Match.objects.update(reveal_by=timezone.now())
        lobby.begin_overdue(timezone.now())
        match = load_match(full_match).match
        assert [share["pseudonym"] for share in match.players] == before
        assert match.players[1]["salt"] is None


def test_a_deleted_account_cannot_be_traced_in_proofs():
    match_id = lobby.create(player("ann"), plan(seats=2)).match.id
    lobby.join(match_id, player("ben"))
    ben = load_match(match_id).seat_of(player("ben").pk)
    assert ben
    assert ben.pseudonym == fairness.pseudonym(match_id, ben.pseudonym_salt, "ben")
    announce(AccountDeleted(player("ben")))
    assert list(Seat.objects.filter(position=2).values_list("pseudonym_salt", flat=True)) == [""]


def test_a_proof_names_the_players_who_asked_to_end_the_match():
    match_id = lobby.create(player("ann"), plan(seats=2)).match.id
    lobby.join(match_id, player("ben"))
    for name in ("ann", "ben"):
        proposals.abandon(match_id, player(name), agreed=True)
    end = msgspec.json.decode(proofs.proof(load_match(match_id)), type=Proof).end
    assert (end.reason, end.asked_by, end.turn) == ("abandoned", (0, 1), 1)

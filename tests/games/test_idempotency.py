"""Repeated requests get the stored result, and nobody else can read it."""

from datetime import timedelta

import pytest
import time_machine
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.utils import timezone

from clock import proposals
from clock.models import ProposalKind
from core.housekeeping import tidy_up
from core.problems import status_of
from core.refusals import Refused
from games.models import Match, Move, Phase, StoredResult
from games.services import lobby
from games.services.idempotency import RETENTION
from tests.clock.voting import propose, vote
from tests.games.builders import plan, player, running_match, send

pytestmark = pytest.mark.django_db


def test_the_stored_result_of_a_sealed_move_is_encrypted(hush):
    table = running_match("hush", 3)
    send(table.match.id, table.seats[0].user, "name 4", table.match.turn, key="k")
    assert "name" not in StoredResult.objects.get().content


def test_the_stored_refusal_of_a_stale_move_is_encrypted(hush):
    table = running_match("hush", 3)
    send(table.match.id, table.seats[0].user, "name 4", 0, key="k")
    assert "own_card" not in StoredResult.objects.get().content


def test_a_repeated_request_before_the_start_gets_the_first_refusal_again():
    owner = player("ann")
    match = lobby.create(owner, plan()).match
    answers = [send(match.id, owner, "draw", 0, key="k") for _ in range(2)]
    assert answers[0].status == 409
    assert answers[0] == answers[1]


def test_stored_results_survive_a_key_rotation(hush, settings):
    table = running_match("hush", 3)
    sent = [("name 4", table.match.turn, "k"), ("name 4", 0, "stale")]
    first = [send(table.match.id, table.seats[0].user, *request) for request in sent]
    new = Fernet.generate_key().decode()
    settings.VAULT_KEYS = [new, *settings.VAULT_KEYS]
    call_command("reencrypt", verbosity=0)
    settings.VAULT_KEYS = [new]
    assert [send(table.match.id, table.seats[0].user, *request) for request in sent] == first


def test_the_new_player_of_a_seat_does_not_get_the_former_players_results(hush):
    table = running_match("hush", 3)
    sent, former, newcomer = ("name 4", table.match.turn, "k"), table.seats[0].user, player("emil")
    send(table.match.id, former, *sent)
    table.match.seats.filter(number=0).update(stand_in_since=timezone.now())
    proposal = propose(table, 1, ProposalKind.REPLACEMENT, seat=0, newcomer="emil")
    vote(table, 2, proposal)
    proposals.accept(table.match.id, newcomer, proposal.pk)
    answered = send(table.match.id, newcomer, "name 2", table.match.turn, key="k")
    assert answered.status == 200
    assert b"name 2" in answered.body
    with pytest.raises(Refused) as refused:
        send(table.match.id, former, *sent)
    assert status_of(refused.value) == 403


def test_refusals_are_deleted_after_a_month():
    owner = player("ann")
    match = lobby.create(owner, plan()).match
    with time_machine.travel(timezone.now(), tick=False) as clock:
        send(match.id, owner, "draw", 0, key="old")
        clock.shift(timedelta(hours=1))
        send(match.id, owner, "draw", 0, key="new")
        clock.shift(RETENTION - timedelta(minutes=30))
        tidy_up()
    assert [refusal.key for refusal in StoredResult.objects.all()] == ["new"]


def test_results_are_kept_while_the_match_is_running(hush):
    """A turn can take longer than a month, and repeating an old request must not seal the old bid again."""
    table = running_match("hush", 3)
    for number, key in ((4, "first"), (2, "second")):
        send(table.match.id, table.seats[0].user, f"name {number}", table.match.turn, key=key)
    with time_machine.travel(timezone.now() + RETENTION + timedelta(days=1), tick=False):
        tidy_up()
        send(table.match.id, table.seats[0].user, "name 4", table.match.turn, key="first")
    assert Move.objects.count() == 2


def test_a_match_that_never_started_expires():
    match = lobby.create(player("ann"), plan()).match
    with time_machine.travel(timezone.now() + lobby.GATHERING_TIME, tick=False):
        tidy_up()
    assert Match.objects.get(pk=match.pk).phase == Phase.EXPIRED

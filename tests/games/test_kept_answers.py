"""Answers are kept for whoever repeats a request, and for nobody else's eyes."""

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command

from games import lobby
from games.models import Move, Refusal
from games.play import Submission, submit
from tests.games.builders import plan, player, running_match

pytestmark = pytest.mark.django_db


def test_the_kept_answer_to_a_sealed_move_is_not_readable_in_the_database(hush):
    table = running_match("hush", 3)
    submit(table.match.id, table.seats[0].user, Submission("name 4", table.match.turn, key="k"))
    assert "name" not in Move.objects.get().answer


def test_the_kept_refusal_of_a_stale_move_does_not_show_the_players_view_in_the_database(hush):
    table = running_match("hush", 3)
    submit(table.match.id, table.seats[0].user, Submission("name 4", 0, key="k"))
    assert "own_card" not in Refusal.objects.get().answer


def test_a_repeated_request_before_the_start_gets_the_first_refusal_again():
    owner = player("ann")
    match = lobby.create(owner, plan()).match
    answers = [submit(match.id, owner, Submission("draw", 0, key="k")) for _ in range(2)]
    assert answers[0].status == 409
    assert answers[0] == answers[1]


def test_kept_answers_can_still_be_given_after_the_keys_were_changed(hush, settings):
    table = running_match("hush", 3)
    sent = [Submission("name 4", table.match.turn, key="k"), Submission("name 4", 0, key="stale")]
    first = [submit(table.match.id, table.seats[0].user, submission) for submission in sent]
    new = Fernet.generate_key().decode()
    settings.VAULT_KEYS = [new, *settings.VAULT_KEYS]
    call_command("relock", verbosity=0)
    settings.VAULT_KEYS = [new]
    assert [submit(table.match.id, table.seats[0].user, submission) for submission in sent] == first

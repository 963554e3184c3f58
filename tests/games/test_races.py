"""When many requests arrive at once, the lock lets one through.

Without the lock (the control), more of them get through.
"""

from functools import partial

import msgspec
import pytest

from games.models import Event, Move
from games.selectors.loading import load_match
from games.services.audit import first_difference
from tests.games.builders import awaited, running_match, send
from tests.games.racing import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)


def statuses(answers):
    return sorted((getattr(answer, "status", type(answer).__name__) for answer in answers), key=str)


def test_one_of_twenty_identical_moves_is_played():
    table = running_match()
    mover, turn = awaited(table).user, table.match.turn
    answers = all_at_once([lambda: send(table.match.id, mover, "draw", turn)] * 20)
    assert statuses(answers) == [200] + [409] * 19
    assert Move.objects.count() == 1
    assert first_difference(load_match(table.match.id)) is None


def test_twenty_requests_with_one_key_all_get_the_same_response():
    table = running_match()
    mover, turn = awaited(table).user, table.match.turn
    answers = all_at_once([lambda: send(table.match.id, mover, "draw", turn, "key")] * 20)
    assert {(answer.status, answer.body) for answer in answers} == {(200, answers[0].body)}
    assert Move.objects.count() == 1


def test_simultaneous_last_sealed_moves_cause_one_reveal(hush):
    for _ in range(5):
        table = running_match("hush", 4)
        turn = table.match.turn
        answers = all_at_once([partial(send, table.match.id, seat.user, "name 2", turn) for seat in table.seats])
        assert statuses(answers) == [200] * 4
        revealed = [msgspec.json.decode(answer.body)["turn"] for answer in answers]
        assert sorted(revealed) == [1, 1, 1, 2]
        assert Event.objects.filter(match=table.match, content__contains="revealed").count() == 1
        assert first_difference(load_match(table.match.id)) is None


def test_control_without_the_lock_simultaneous_moves_interfere_with_one_another(no_lock):
    """Without the lock, only unique numbers and the database's deadlock detection are left, so sooner or later some
    calls get errors."""
    assert any({"IntegrityError", "OperationalError"} & set(twenty_identical_moves()) for _ in range(30))


def twenty_identical_moves():
    table = running_match()
    mover, turn = awaited(table).user, table.match.turn
    answers = all_at_once([lambda: send(table.match.id, mover, "draw", turn)] * 20)
    assert Move.objects.filter(match=table.match).count() == 1
    return statuses(answers)

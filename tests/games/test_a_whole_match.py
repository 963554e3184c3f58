import pytest

from games.engine.proof import verify
from games.engine.registry import engines
from games.models import Phase
from games.selectors import proofs
from games.services.audit import first_difference
from tests.games.builders import play_some, running_match
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game", [engine.slug for engine in engines()])
def test_a_match_of_any_game_can_be_played_to_the_end_and_proven(game):
    table = play_some(running_match(game))
    assert table.match.phase == Phase.FINISHED
    assert verify(proofs.proof(table)).proof.head == table.match.head
    assert first_difference(table) is None
    assert [seat.points for seat in table.seats] == not_none(table.match.outcome)["points"]

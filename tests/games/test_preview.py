"""A dry run shows everything the player may know, and nothing else."""

import msgspec
import pytest

from core import vault
from games.engine.dice import Dice
from games.engine.registry import engines
from games.models import Event, Match, Move, StoredResult
from games.selectors.loading import load_match
from games.services.preview import preview_move
from notifications.models import Notification
from tests.games.builders import as_answer, play_some, running_match, say, send

pytestmark = pytest.mark.django_db


def told(table, seat, move, turn=None):
    now = load_match(table.match.id)
    answer = dry_run(now, seat, move, now.match.turn if turn is None else turn)
    return answer.status, msgspec.json.decode(answer.body)


def dry_run(table, seat, move, turn):
    return as_answer(preview_move(match_id=table.match.id, user=table.seats[seat].user, move=move, turn=turn))


def awaited(table):
    return min(table.engine.awaiting(table.state))


def everything_stored():
    return [list(model.objects.order_by("pk").values()) for model in (Match, Move, Event, Notification, StoredResult)]


def test_a_preview_does_not_reveal_the_next_card():
    table = running_match()
    status, preview = told(table, awaited(table), "draw")
    assert (status, preview["would"], preview["uncertain"]) == (200, [], True)
    assert preview["text"].startswith("The move would reveal the card you draw.")
    assert preview["awaiting"] == [awaited(table)]


def test_a_certain_outcome_is_shown_in_full():
    table = running_match()
    say(table, awaited(table), "draw")
    status, preview = told(table, awaited(table), "place 1")
    assert (status, preview["uncertain"]) == (200, False)
    assert [one["event"]["event"] for one in preview["would"]] == ["card_placed"]
    assert preview["would"][0]["text"].startswith("You would place ")


def test_a_dry_run_stores_nothing():
    table = running_match()
    before = everything_stored()
    told(table, awaited(table), "draw")
    told(table, awaited(table), "take 1")
    assert everything_stored() == before


def test_a_dry_run_is_refused_for_the_same_reasons_as_the_move():
    table = running_match()
    for seat in range(3):
        for move, turn in (("draw", 1), ("take 1", 1), ("place 2", 1), ("draw", 0)):
            dry = dry_run(table, seat, move, turn)
            if dry.status != 200:
                assert send(table.match.id, table.seats[seat].user, move, turn) == dry


def test_a_finished_match_has_no_preview():
    table = play_some(running_match())
    assert told(table, 0, "draw")[1]["code"] == "not_running"


def test_the_preview_of_a_sealed_move_says_that_it_can_be_replaced(hush):
    table = running_match("hush")
    _, preview = told(table, 0, "name 3")
    assert preview["move"] == {"seat": 0, "notation": "name 3", "sealed": True}
    assert "replace it" in preview["text"]
    assert preview["awaiting"] == [1, 2]


def test_the_preview_of_the_last_sealed_move_announces_the_reveal_but_not_its_content(hush):
    table = running_match("hush")
    say(table, 0, "name 3")
    say(table, 1, "name 3")
    _, preview = told(table, 2, "name 3")
    assert "all sealed moves would be revealed" in preview["text"]
    assert [one["event"]["event"] for one in preview["would"]] == ["sealed"]
    assert preview["uncertain"] is True


def hide_something_else(table, seat, number):
    """Redeal everything that is hidden from this seat."""
    state = table.engine.imagine(table.state, seat, Dice(bytes([number]) * 32))
    Match.objects.filter(pk=table.match.pk).update(encrypted_state=vault.encrypt(table.engine.states.dump(state)))


@pytest.mark.parametrize("game", ["hush", *(engine.slug for engine in engines())])
def test_a_dry_run_does_not_depend_on_hidden_information(hush, game):
    table = running_match(game)
    for made in range(0, 60, 5):
        table = play_some(table, 5, seed=bytes([made]) * 32)
        for seat in range(3):
            for move in table.engine.choices(table.state, seat).moves[:6]:
                written = table.engine.notation(move)
                before = told(table, seat, written)
                hide_something_else(table, seat, made)
                assert told(table, seat, written) == before
                Match.objects.filter(pk=table.match.pk).update(encrypted_state=table.match.encrypted_state)


def test_previewed_events_do_happen(hush):
    """Events that are certain in the preview do happen, no matter what is hidden."""
    table = running_match("hush")
    for step in range(30):
        table = load_match(table.match.id)
        if not (asked := sorted(table.engine.awaiting(table.state))):
            break
        move = table.engine.notation(table.engine.sample(table.state, asked[0], Dice(bytes([step]) * 32)))
        _, preview = told(table, asked[0], move)
        happened = [one["event"] for one in say(table, asked[0], move)["events"]]
        assert all(one["event"] in happened for one in preview["would"])
        assert preview["uncertain"] or len(happened) == len(preview["would"])
    assert step > 5

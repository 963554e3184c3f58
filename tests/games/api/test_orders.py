import pytest

from tests.games.api.clients import Caller
from tests.games.builders import awaited, player, running_match, sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return running_match()


@pytest.fixture
def path(table):
    return f"/matches/{table.match.id}/orders"


@pytest.fixture
def waiting(table):
    """Return a player whose turn it isn't."""
    return Caller(sitting(next(seat for seat in table.seats if not seat.awaited_since)))


def texts(answer):
    return [one["order"] for one in answer.json()["orders"]]


def test_orders_can_be_added_and_listed_and_replaced_and_withdrawn(waiting, path):
    assert texts(waiting.get(path)) == []
    assert texts(waiting.post(path, {"orders": ["take any worth 5", "draw"]})) == ["take any worth 5", "draw"]
    assert texts(waiting.post(path, {"orders": ["place on 1"]})) == ["take any worth 5", "draw", "place on 1"]
    assert texts(waiting.delete(f"{path}/2")) == ["take any worth 5", "place on 1"]
    assert texts(waiting.put(path, {"orders": ["draw once"]})) == ["draw once"]
    listed = waiting.get(path).json()
    assert [(one["number"], one["lasts"]) for one in listed["orders"]] == [
        (1, "until the end of game 1, for 1 more move")
    ]
    assert listed["language"][0]["example"] == "take 2 if it has 3 cards"
    assert texts(waiting.put(path, {"orders": []})) == []


def test_an_order_that_applies_is_played_immediately(table, path):
    mover = Caller(sitting(awaited(table)))
    answer = mover.post(path, {"orders": ["draw", "place on 1"]}).json()
    assert [one["event"]["event"] for one in answer["played"]] == ["card_drawn", "card_placed"]
    assert answer["turn"] == table.match.turn + 2


def test_an_invalid_line_is_refused_with_its_number_and_examples(waiting, path):
    answer = waiting.put(path, {"orders": ["draw", "dance"]})
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["data"]["line"]) == (400, "unknown_order", 2)
    assert "I can't read 'dance'" in problem["message"]
    assert "take any worth 5" in problem["data"]["allowed"]


@pytest.mark.parametrize(
    "body", [{}, {"orders": "draw"}, {"orders": [""]}, {"orders": [7, {}]}, {"orders": ["d"] * 99}]
)
def test_a_malformed_body_is_refused(waiting, path, body):
    assert waiting.put(path, body).status_code == 400


def test_others_can_neither_read_nor_change_orders(waiting, path):
    waiting.put(path, {"orders": ["draw"]})
    stranger = Caller(player("zoe"))
    for answer in (stranger.get(path), stranger.put(path, {"orders": []}), stranger.delete(f"{path}/1")):
        assert answer.status_code == 403
    assert texts(waiting.get(path)) == ["draw"]


def test_an_order_that_does_not_exist_cannot_be_withdrawn(waiting, path):
    assert waiting.delete(f"{path}/1").status_code == 404


def test_orders_are_refused_in_a_game_without_an_order_language(hush):
    table = running_match("hush")
    answer = Caller(player("ann")).post(f"/matches/{table.match.id}/orders", {"orders": ["name 2"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "no_standing_orders")
    assert answer.json()["message"] == "Hush doesn't support standing orders."


def test_an_account_export_contains_its_own_orders(waiting, path):
    waiting.put(path, {"orders": ["take any worth 5"]})
    exported = waiting.get("/me/export").json()["standing_orders"]
    assert [one["orders"] for one in exported] == [["take any worth 5"]]


def test_the_log_says_that_a_standing_order_made_the_move(table, path):
    mover = Caller(sitting(awaited(table)))
    mover.post(path, {"orders": ["draw"]})
    last = mover.get(f"/matches/{table.match.id}/log").json()["results"][-1]
    assert last["cause"]["by"] == "standing_order"


def test_the_log_says_who_made_sealed_moves_after_the_reveal():
    table = running_match("colorado-county")
    callers = [Caller(sitting(seat)) for seat in table.seats]
    match = f"/matches/{table.match.id}"
    callers[0].post(f"{match}/orders", {"orders": ["bid none"]})
    for caller in callers[1:]:
        caller.post(f"{match}/moves", {"move": "bid none", "turn": table.match.turn})
    causes = [one["cause"] for one in callers[1].get(f"{match}/log").json()["results"] if one["cause"]]
    revealed = next(cause["reveals"] for cause in causes if cause["reveals"])
    assert [one["by"] for one in revealed] == ["standing_order", "player", "player"]
    assert all(cause["by"] is None for cause in causes if cause["move"] is None), "not before"

"""On every endpoint of a match, strangers see nothing private and spectators see only the public part."""

import pytest

from games.models import Match, Message, Move, Note, Seat
from games.selectors.loading import load_match
from games.services import lobby
from tests.games.api.clients import Caller
from tests.games.api.document import of_a_match
from tests.games.builders import plan, play_some, player, running_match, say, sitting

pytestmark = pytest.mark.django_db

FOR_PLAYERS = {
    f"/matches/{{match_id}}/{part}"
    for part in ("choices", "messages", "note", "invitations", "orders", "proposals", "review")
}
BODIES = {
    "/matches/{match_id}/moves": {"move": "draw", "turn": 1},
    "/matches/{match_id}/messages": {"text": "hello"},
    "/matches/{match_id}/note": {"text": "hello"},
    "/matches/{match_id}/mute": {"muted": True},
    "/matches/{match_id}/abandon": {"agree": True},
    "/matches/{match_id}/invitations": {"invitee": "dora"},
    "/matches/{match_id}/orders": {"orders": ["else draw"]},
    "/matches/{match_id}/proposals": {"kind": "pause", "time": "1d"},
    "/matches/{match_id}/proposals/{number}/vote": {"agree": True},
}


def address(path, match_id):
    return path.replace("{match_id}", match_id).replace("{number}", "1")


def ask(caller, method, path, match_id):
    body = BODIES.get(path, {})
    if method in ("get", "delete"):
        return getattr(caller, method)(address(path, match_id))
    return getattr(caller, method)(address(path, match_id), body)


def test_all_endpoints_are_covered():
    assert len(of_a_match("get")) >= 8
    assert len(of_a_match("post")) >= 9
    assert (len(of_a_match("put")), len(of_a_match("delete"))) == (4, 2)


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_no_endpoint_reveals_a_private_match_to_strangers(method):
    running = running_match(is_private=True).match.id
    gathering = lobby.create(player("ann"), plan(is_private=True)).match.id
    before = [list(model.objects.values()) for model in (Match, Seat, Move, Message, Note)]
    emil = Caller(player("emil"))
    for path in of_a_match(method):
        missing = ask(emil, method, path, "nosuchone").content
        for match_id in (running, gathering):
            answered = ask(emil, method, path, match_id)
            assert answered.status_code == 404, path
            assert answered.content == missing.replace(b"nosuchone", match_id.encode()), path
    assert [list(model.objects.values()) for model in (Match, Seat, Move, Message, Note)] == before


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_no_endpoint_reveals_a_private_match_without_a_login(method):
    running = running_match(is_private=True).match.id
    for path in of_a_match(method):
        assert ask(Caller(), method, path, running).status_code in (401, 404), path


def test_anyone_can_watch_a_public_match_but_not_see_what_only_its_players_may_see():
    table = play_some(running_match(), 5)
    for caller, refused in ((Caller(), 401), (Caller(player("emil")), 403)):
        for path in of_a_match("get"):
            expected = 409 if path.endswith("/proof") else 200
            if path in FOR_PLAYERS or (path.endswith("/boards") and caller.user is None):
                expected = refused
            assert ask(caller, "get", path, table.match.id).status_code == expected, path


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_a_spectator_cannot_change_anything_in_a_public_match(method):
    table = running_match()
    before = [list(model.objects.values()) for model in (Match, Seat, Move, Message, Note)]
    emil = Caller(player("emil"))
    for path in of_a_match(method):
        assert 400 <= ask(emil, method, path, table.match.id).status_code < 500, path
        assert ask(Caller(), method, path, table.match.id).status_code == 401, path
    assert [list(model.objects.values()) for model in (Match, Seat, Move, Message, Note)] == before


def test_a_spectator_sees_no_secrets(hush):
    table = running_match("hush")
    say(table, 0, "name 3")
    seen = Caller(player("emil")).get(f"/matches/{table.match.id}").json()
    assert (seen["you"], seen["joined"]) == (None, False)
    assert (seen["view"]["own_card"], seen["view"]["own_name"], seen["view"]["sealed"]) == (None, None, [0])


def test_each_player_sees_the_board_from_their_own_seat(hush):
    table = running_match("hush")
    for seat in table.seats:
        seen = Caller(seat.user).get(f"/matches/{table.match.id}").json()
        assert seen["you"] == seen["view"]["seat"] == seat.number
        assert seen["view"]["own_card"] == table.state.cards[seat.number]


def test_a_departed_player_is_shown_as_null():
    table = running_match()
    sitting(table.seats[1]).delete()
    seen = Caller(table.seats[0].user).get(f"/matches/{table.match.id}").json()
    assert seen["seats"][1]["player"] is None
    assert "departed" in seen["picture"]


def test_a_departed_owner_is_shown_as_null():
    table = running_match()
    player("ann").delete()
    someone = next(seat for seat in load_match(table.match.id).seats if seat.user)
    assert Caller(someone.user).get(f"/matches/{table.match.id}").json()["owner"] is None


def test_personal_lists_need_a_login_and_public_ones_do_not():
    statuses = {
        which: Caller().get(f"/matches?which={which}").status_code
        for which in ("mine", "waiting", "finished", "invited", "open", "archive", "all", "")
    }
    assert [which for which, status in statuses.items() if status == 401] == ["mine", "waiting", "finished", "invited"]
    assert [which for which, status in statuses.items() if status == 200] == ["open", "archive"]
    assert [which for which, status in statuses.items() if status == 400] == ["all", ""]

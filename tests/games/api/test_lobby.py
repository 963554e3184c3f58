import pytest

from tests.games.api.clients import Caller
from tests.games.builders import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann():
    return Caller(player("ann"))


@pytest.fixture
def ben():
    return Caller(player("ben"))


@pytest.fixture
def cleo():
    return Caller(player("cleo"))


def create(owner, **changes):
    made = owner.post("/matches", {"game": "coloretto", "seats": 3, **changes})
    assert made.status_code == 201, made.content
    return made.json()


def test_a_new_match_shows_its_settings_and_its_owner(ann):
    match = create(ann, title="Tuesday", pace="24h", options={"edition": "classic"})
    assert match["owner"] == {"username": "ann", "name": "Ann", "bot": False}
    assert match["seats"] == [
        {
            "seat": None,
            "player": {"username": "ann", "name": "Ann", "bot": False},
            "level": None,
            "awaited": False,
            "awaited_since": None,
            "deadline": None,
            "bank": 0,
            "stand_in": False,
            "resigned": False,
            "points": None,
            "place": None,
        }
    ]
    assert (match["phase"], match["turn"], match["you"], match["joined"]) == ("gathering", 0, None, True)
    assert (match["pace"]["move_time"], match["options"]["edition"], match["view"]) == (86400, "classic", None)


def test_a_match_starts_when_the_last_seat_is_taken(ann, ben, cleo):
    match = create(ann)
    assert ben.post(f"/matches/{match['id']}/join").json()["phase"] == "gathering"
    started = cleo.post(f"/matches/{match['id']}/join", {"salt": "my own"}).json()
    assert (started["phase"], started["turn"]) == ("running", 1)
    shares = [(share["position"], share["by"], share["salt"]) for share in started["fairness"]["players"]]
    assert [(position, by) for position, by, _ in shares] == [(1, "server"), (2, "server"), (3, "player")]
    assert shares[2][2] == "my own"
    assert {seat["player"]["username"] for seat in started["seats"]} == {"ann", "ben", "cleo"}
    assert started["seats"][started["you"]]["player"]["username"] == "cleo"


def test_the_owner_can_start_with_fewer_players(ann, ben):
    match = create(ann, seats=5)
    ben.post(f"/matches/{match['id']}/join")
    assert ben.post(f"/matches/{match['id']}/start").status_code == 403
    assert len(ann.post(f"/matches/{match['id']}/start").json()["seats"]) == 2


def test_a_match_does_not_start_with_too_few_players(ann):
    match = create(ann)
    refused = ann.post(f"/matches/{match['id']}/start")
    assert (refused.status_code, refused.json()["code"]) == (400, "seat_count")


def test_a_guest_can_leave_and_the_owner_can_cancel(ann, ben):
    match = create(ann)
    ben.post(f"/matches/{match['id']}/join")
    assert ben.post(f"/matches/{match['id']}/leave").status_code == 204
    assert ann.post(f"/matches/{match['id']}/leave").json()["code"] == "owner_stays"
    assert ann.post(f"/matches/{match['id']}/cancel").json()["phase"] == "cancelled"
    assert ben.get(f"/matches/{match['id']}").status_code == 404


def test_all_players_must_agree_to_abandon(ann, ben):
    match = create(ann, seats=2)
    ben.post(f"/matches/{match['id']}/join")
    asked = ann.post(f"/matches/{match['id']}/abandon", {"agree": True}).json()
    assert (asked["phase"], asked["abandon"]) == ("running", [asked["you"]])
    assert ben.post(f"/matches/{match['id']}/abandon", {"agree": True}).json()["phase"] == "abandoned"


def test_a_match_with_bots_has_by_default_no_other_seats(ann):
    match = ann.post("/matches", {"game": "coloretto", "bots": 2, "level": "hard"}).json()
    assert (match["phase"], match["seats_wanted"], len(match["seats"])) == ("running", 3, 3)


def test_a_match_without_bots_needs_a_number_of_seats(ann):
    refused = ann.post("/matches", {"game": "coloretto"})
    assert refused.status_code == 400
    assert list(refused.json()["data"]["fields"]) == ["seats"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"seats": "many"}, "seats"),
        ({"seats": 10**30}, None),
        ({"pace": "soon"}, "pace"),
        ({"pace": 1}, "pace"),
        ({"pace": True}, "pace"),
        ({"pace": [3]}, "pace"),
        ({"title": "a\u202eb"}, "title"),
        ({"title": "a\nb"}, "title"),
        ({"title": "x" * 81}, "title"),
        ({"salts": "sweet"}, "salts"),
        ({"salt": "my own"}, "salt"),
        ({"options": []}, "options"),
        ({"privat": True}, "privat"),
    ],
)
def test_an_invalid_field_is_named_in_the_refusal(ann, change, field):
    refused = ann.post("/matches", {"game": "coloretto", "seats": 3, **change})
    assert refused.status_code == 400
    assert field is None or list(refused.json()["data"]["fields"]) == [field]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"seats": 9}, "seat_count"),
        ({"options": {"edition": "newest"}}, "bad_option"),
        ({"options": {"colour": "red"}}, "bad_option"),
        ({"options": {"edition": "classic", "scoring": "violet"}}, "scoring_not_in_edition"),
    ],
)
def test_the_refusal_of_impossible_options_lists_the_possible_ones(ann, change, code):
    refused = ann.post("/matches", {"game": "coloretto", "seats": 3, **change})
    assert (refused.status_code, refused.json()["code"]) == (400, code)
    assert refused.json()["data"]["allowed"]


def test_creating_or_joining_a_match_needs_a_login(ann):
    match = create(ann)
    stranger = Caller()
    assert stranger.post("/matches", {"game": "coloretto", "seats": 3}).status_code == 401
    assert stranger.post(f"/matches/{match['id']}/join").status_code == 401


def test_only_invited_players_can_join_a_private_match(ann, ben, cleo):
    match = create(ann, private=True)
    ann.post(f"/matches/{match['id']}/invitations", {"invitee": "BEN"})
    assert cleo.post(f"/matches/{match['id']}/join").status_code == 404
    assert ben.get("/matches?which=invited").json()["results"][0]["id"] == match["id"]
    assert ben.post(f"/matches/{match['id']}/join").status_code == 200


def test_an_invitation_can_be_declined_only_once(ann, ben):
    match = create(ann, private=True)
    ann.post(f"/matches/{match['id']}/invitations", {"invitee": "ben"})
    assert ben.post(f"/matches/{match['id']}/decline").status_code == 204
    assert ben.post(f"/matches/{match['id']}/decline").status_code == 404
    assert ben.get(f"/matches/{match['id']}").status_code == 404


def test_only_the_sender_can_withdraw_an_invitation(ann, ben, cleo):
    match = create(ann, private=True, seats=4)
    first = ann.post(f"/matches/{match['id']}/invitations", {"invitee": "ben"}).json()
    ben.post(f"/matches/{match['id']}/join")
    second = ann.post(f"/matches/{match['id']}/invitations", {"invitee": "cleo"}).json()
    path = f"/matches/{match['id']}/invitations/{second['number']}"
    assert ben.delete(path).status_code == 403
    assert cleo.delete(path).status_code == 403
    assert ann.delete(f"/matches/{match['id']}/invitations/{first['number']}").status_code == 404
    assert ann.delete(f"/matches/{match['id']}/invitations/{10**30}").status_code == 404
    assert ann.delete(path).status_code == 204
    assert ann.get(f"/matches/{match['id']}/invitations").json() == []


def test_players_see_invitations_but_only_the_sender_sees_the_address(ann, ben):
    match = create(ann, seats=4)
    ben.post(f"/matches/{match['id']}/join")
    ann.post(f"/matches/{match['id']}/invitations", {"invitee": "stranger@example.org"})
    listed = [caller.get(f"/matches/{match['id']}/invitations").json()[0] for caller in (ann, ben)]
    assert [one["email"] for one in listed] == ["stranger@example.org", None]
    assert Caller(player("cleo")).get(f"/matches/{match['id']}/invitations").status_code == 403


def test_an_invitation_by_address_looks_the_same_whether_or_not_the_address_has_an_account(ann, ben):
    match = create(ann, seats=4)
    path = f"/matches/{match['id']}/invitations"
    by_address = [ann.post(path, {"invitee": invitee}).json() for invitee in ("ben@example.org", "nobody@example.org")]
    by_name = ann.post(path, {"invitee": "ben"}).json()
    assert [one["player"] for one in by_address] == [None, None]
    assert by_name["number"] not in [one["number"] for one in by_address]
    assert ben.post(f"/matches/{match['id']}/join").status_code == 200
    assert [one["email"] for one in ann.get(path).json()] == ["nobody@example.org"]


def test_an_invalid_invitee_is_refused(ann):
    match = create(ann)
    for invitee, status in (("no such player", 404), ("@", 400), ("a b@c", 400), ("", 400), (["ben"], 400)):
        assert ann.post(f"/matches/{match['id']}/invitations", {"invitee": invitee}).status_code == status


def test_anyone_can_read_the_rules(hush):
    listed = Caller().get("/games/hush").json()
    rules = Caller().client.get(listed["rules_url"]).json()
    assert (rules["slug"], rules["title"], rules["markdown"]) == ("hush", "Hush", hush.rules_page())


def test_games_are_listed_with_everything_needed_to_create_a_match():
    anyone = Caller()
    listed = {game["slug"]: game for game in anyone.get("/games").json()}
    coloretto = listed["coloretto"]
    assert coloretto["seats"] == [2, 3, 4, 5]
    assert coloretto["options"]["properties"]["edition"]["default"] == "modern"
    assert {"example": "place 2", "meaning": "put the drawn card on row 2"} in coloretto["notation"]
    assert anyone.get("/games/coloretto").json()["schemas"].keys() == {"move", "event", "view"}
    assert anyone.get("/games/chess").status_code == 404

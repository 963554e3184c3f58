import pytest
from django.core import signing
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from core import signatures
from games.engine import fairness, receipts
from games.engine.proof import verify
from games.engine.records import canonical
from games.models import Move
from games.selectors import presenters
from games.selectors.loading import load_match
from games.services import invitations, lobby
from notifications import unsubscribe
from notifications.models import BouncingAddress
from tests.databases import counted_round_trips, postgresql_only
from tests.games.api.clients import Caller
from tests.games.builders import plan, play_some, player, running_match, say

pytestmark = pytest.mark.django_db


def whole_log(caller, match_id, query="limit=7"):
    """Fetch all pages, one after another."""
    events, page = [], f"/matches/{match_id}/log?{query}"
    while page:
        answer = caller.get(page).json()
        events += answer["results"]
        page = answer["next"] and answer["next"].partition("/api/v1")[2]
    return events


def test_an_unchanged_match_is_not_sent_again():
    table = running_match()
    ann = Caller(player("ann"))
    first = ann.get(f"/matches/{table.match.id}")
    tag = first.headers["ETag"]
    assert tag.startswith('"1-')
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = ann.get(f"/matches/{table.match.id}", **{"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)


@pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
def test_an_unchanged_match_takes_one_read_that_includes_the_token(game, monkeypatch):
    table = running_match(game)
    ann, path = Caller(player("ann")), f"/matches/{table.match.id}"
    tag = ann.get(path).headers["ETag"]
    monkeypatch.setattr(signatures, "sign", lambda _: pytest.fail("An unchanged match isn't signed."))
    with CaptureQueriesContext(connection) as asked:
        assert ann.get(path, **{"If-None-Match": tag}).status_code == 304
    is_one_trip = connection.vendor == "postgresql"
    assert len(asked) == (1 if is_one_trip else 5)  # SQLite reads token, match, seats, counts and bounces one by one.
    if not is_one_trip:
        assert not [step for step in plan_of(asked) if step.startswith("SCAN ") and "CONSTANT" not in step]


def plan_of(asked):
    with connection.cursor() as cursor:
        for query in asked.captured_queries:
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
            yield from (step for *_, step in cursor.fetchall())


def test_the_etag_changes_with_anything_the_caller_sees():
    table = running_match()
    ann = Caller(player("ann"))
    tags = [ann.get(f"/matches/{table.match.id}").headers["ETag"]]
    ann.post(f"/matches/{table.match.id}/messages", {"text": "Hello"})
    tags.append(ann.get(f"/matches/{table.match.id}").headers["ETag"])
    play_some(table, 1)
    tags.append(ann.get(f"/matches/{table.match.id}").headers["ETag"])
    assert len(set(tags)) == 3
    assert [tag.split("-")[0] for tag in tags] == ['"1', '"1', '"2']


def test_an_unchanged_match_is_not_presented_again(monkeypatch):
    table = running_match()
    ann, path = Caller(player("ann")), f"/matches/{table.match.id}"
    tag = ann.get(path).headers["ETag"]
    assert ann.get(path, **{"If-None-Match": tag}).status_code == 304
    monkeypatch.setattr(presenters, "match_facts", lambda *_: pytest.fail("The ETag is known."))
    again = ann.get(path, **{"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)


CHANGES = {
    "a name": lambda table: User.objects.filter(username="ben").update(display_name="Benjamin"),
    "a message": lambda table: Caller(player("ben")).post(f"/matches/{table.match.id}/messages", {"text": "Hello"}),
    "a note": lambda table: Caller(player("ann")).put(f"/matches/{table.match.id}/note", {"text": "Take row 2."}),
    "a setting": lambda table: unsubscribe.set_muted(table.match.id, player("ann").pk, muted=True),
    "a bounce": lambda table: BouncingAddress.objects.create(email=player("ben").email, is_stopped=True),
    "a move": lambda table: play_some(table, 1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_that_the_caller_sees_is_noticed(change):
    table = running_match()
    ann, path = Caller(player("ann")), f"/matches/{table.match.id}"
    tag = ann.get(path).headers["ETag"]
    for _ in range(2):
        assert ann.get(path, **{"If-None-Match": tag}).status_code == 304
    CHANGES[change](table)
    assert ann.get(path, **{"If-None-Match": tag}).status_code == 200


def test_a_new_invitation_is_noticed_before_the_start():
    ann = player("ann")
    match_id = lobby.create(ann, plan()).match.id
    client, path = Caller(ann), f"/matches/{match_id}"
    tags = [client.get(path).headers["ETag"] for _ in range(2)]
    assert client.get(path, **{"If-None-Match": tags[1]}).status_code == 304
    invited = client.post(f"{path}/invitations", {"invitee": player("ben").username})
    assert invited.status_code < 300
    assert client.get(path, **{"If-None-Match": tags[1]}).status_code == 200


def test_shared_caches_do_not_store_responses():
    table = running_match()
    headers = Caller(player("ann")).get(f"/matches/{table.match.id}").headers
    assert headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in headers["Vary"]


def test_the_log_is_paginated_without_gaps():
    table = play_some(running_match(), 20)
    events = whole_log(Caller(), table.match.id)
    assert [event["number"] for event in events] == list(range(1, table.match.events_made + 1))
    later = whole_log(Caller(), table.match.id, "since=9&limit=200")
    assert [event["number"] for event in later] == list(range(10, table.match.events_made + 1))


def test_hidden_events_keep_their_place_in_the_chain(hush):
    table = play_some(running_match("hush"), 4)
    for caller in (Caller(), *(Caller(seat.user) for seat in table.seats)):
        events = whole_log(caller, table.match.id)
        head = fairness.chain_start(table.terms)
        for event in events:
            if event["cause"]:
                head = fairness.link(head, fairness.move_leaf(canonical(event["cause"])))
            head = fairness.link(head, event["leaf"])
            assert head == event["hash"]
        seen = caller.get(f"/matches/{table.match.id}").json()["fairness"]
        assert (seen["head"], seen["events"]) == (head, len(events))
        own = [event for event in events if not event["hidden"] and event["event"]["event"] == "card_seen"]
        assert len(own) == (1 if caller.user else 0)


def test_a_hidden_event_shows_only_its_place_in_the_chain(hush):
    table = running_match("hush")
    hidden = [event for event in whole_log(Caller(), table.match.id) if event["hidden"]]
    assert len(hidden) == 3
    for event in hidden:
        assert event["event"] is None
        assert event["text"] is None


@pytest.mark.parametrize("since", ["-1", "x", "1e3", str(2**31), "9" * 40, ""])
def test_an_invalid_value_for_since_is_refused(since):
    table = running_match()
    assert Caller().get(f"/matches/{table.match.id}/log?since={since}").status_code == 400


@pytest.mark.parametrize("page", ["limit=0", "limit=201", "limit=x", "cursor=x", "cursor=", "cursor=a:b:c"])
def test_an_invalid_page_size_is_refused(page):
    table = running_match()
    assert Caller().get(f"/matches/{table.match.id}/log?{page}").status_code == 400


def test_everyone_can_open_receipts_after_the_reveal(hush):
    table = running_match("hush")
    sealed = [say(table, seat, "name 2")["move"]["receipt"] for seat in range(3)]
    shown = Caller().get(f"/matches/{table.match.id}/receipts").json()
    assert shown["pending"] is None
    assert [opened["receipt"] for opened in shown["opened"]] == sealed
    assert all(receipts.opens(table.match.id, receipts.Opening(**opened)) for opened in shown["opened"])


def test_nobody_sees_the_receipt_of_another_players_pending_move(hush):
    table = running_match("hush")
    say(table, 0, "name 2")
    for caller in (Caller(), Caller(table.seats[1].user)):
        assert caller.get(f"/matches/{table.match.id}/receipts").json() == {"opened": [], "pending": None}


def test_everyone_can_get_the_proof_once_the_match_is_over(hush):
    table = running_match("hush")
    refused = Caller(table.seats[0].user).get(f"/matches/{table.match.id}/proof")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_over")
    play_some(table)
    proof = Caller().get(f"/matches/{table.match.id}/proof")
    assert proof.headers["Content-Type"] == "application/json"
    assert verify(proof.content).proof.head == load_match(table.match.id).match.head


def test_a_finished_match_shows_its_result(hush):
    table = play_some(running_match("hush"))
    seen = Caller().get(f"/matches/{table.match.id}").json()
    assert (seen["phase"], seen["awaiting"]) == ("finished", [])
    assert [seat["points"] for seat in seen["seats"]] == seen["outcome"]["points"]
    assert sorted(seat["place"] for seat in seen["seats"])[0] == 1


READS = ["", "/updates?messages=9", "/choices", "/log?limit=5", "/messages", "/note", "/receipts"]


def queries(caller, path):
    """Measure the second request, because every few minutes, a request also records when the token was used."""
    assert caller.get(path).status_code == 200
    with CaptureQueriesContext(connection) as captured:
        assert caller.get(path).status_code == 200
    return len(captured)


@pytest.mark.parametrize("path", READS)
def test_reading_takes_a_fixed_number_of_queries(hush, path):
    table = running_match("hush")
    ann = Caller(player("ann"))
    early = queries(ann, f"/matches/{table.match.id}{path}")
    for _ in range(3):
        running_match("hush")
        ann.post(f"/matches/{table.match.id}/messages", {"text": "Hello"})
    play_some(table, 5)
    assert queries(ann, f"/matches/{table.match.id}{path}") == early <= 6


@pytest.mark.parametrize("which", ["mine", "waiting", "open", "finished", "invited", "archive"])
def test_a_list_takes_at_most_four_queries(which):
    for _ in range(3):
        running_match()
    assert queries(Caller(player("ann")), f"/matches?which={which}") <= 4


def test_a_move_takes_at_most_eleven_queries_with_its_key_and_token():
    table = play_some(running_match(), 30)
    counts = set()
    for made in range(12):
        table = load_match(table.match.id)
        seat = next(seat for seat in table.seats if seat.awaited_since)
        caller, path = Caller(seat.user), f"/matches/{table.match.id}"
        move = caller.get(f"{path}/choices").json()["moves"][0]["notation"]
        before = Move.objects.count()
        with CaptureQueriesContext(connection) as captured:
            sent = {"move": move, "turn": table.match.turn}
            played = caller.post(f"{path}/moves", sent, **{"Idempotency-Key": f"key-{made}"})
        assert played.status_code == 200
        assert Move.objects.count() == before + 1
        counts.add(len([query for query in captured if not is_bracket(query["sql"])]))
    assert max(counts) <= 11


def is_bracket(sql):
    """Return whether this is BEGIN, COMMIT or a savepoint, which do not count as queries."""
    return sql.split()[0] in ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


ELSEWISE = {"Accept": "application/json, */*"}
"""A header that makes the REST framework handle a request for a match."""


def either_way(client, url, **headers):
    """Return everything in the two responses, with and without the framework."""
    usual, unusual = (client.get(url, **headers, **more) for more in ({}, ELSEWISE))
    return [(one.status_code, one.content, {**one.headers, "X-Request-ID": ""}) for one in (usual, unusual)]


def test_a_match_is_the_same_whether_or_not_the_framework_handles_the_request():
    table = running_match()
    url = f"/matches/{table.match.id}"
    owner = Caller(table.seats[0].user)
    tag = owner.get(url).headers["ETag"]
    unchanged = {"If-None-Match": tag}
    asked = [(owner, url, {}, 200), (owner, url, unchanged, 304), (owner, "/matches/nothing99", {}, 404)]
    asked += [(Caller(player("eve")), url, {}, 200), (Caller(player("eve")), url, unchanged, 200)]
    for client, where, headers, status in asked:
        usual, unusual = either_way(client, where, **headers)
        assert usual[0] == status
        assert usual == unusual
    owner.client.credentials(HTTP_AUTHORIZATION=f"Bearer turnpost_{'0' * 64}")
    usual, unusual = either_way(owner, url)
    assert usual[0] == 401
    assert usual == unusual


@pytest.mark.parametrize(
    "query", ["", "?which=mine", "?limit=1", "?which=waiting&limit=200", "?which=finished", "?which=mine&limit=1"]
)
def test_a_list_is_the_same_whether_or_not_the_framework_handles_the_request(query, monkeypatch):
    monkeypatch.setattr(signing.TimestampSigner, "timestamp", lambda _: "1xUDfR")
    ann, url = Caller(player("ann")), f"/matches{query}"
    running_match()
    running_match(seats=2)
    invitations.invite(lobby.create(player("ann"), plan()).match.pk, player("ann"), "ben")
    usual, unusual = either_way(ann, url)
    assert usual[0] == 200
    assert usual == unusual
    usual, unusual = either_way(ann, url, Host="not..allowed")
    assert usual[0] == 400
    assert usual == unusual
    ann.client.credentials(HTTP_AUTHORIZATION=f"Bearer turnpost_{'0' * 64}")
    usual, unusual = either_way(ann, url)
    assert usual[0] == 401
    assert usual == unusual


@pytest.mark.django_db(transaction=True)
@postgresql_only
def test_a_match_takes_one_round_trip_even_if_it_is_unchanged():
    table = running_match()
    client, url = Caller(table.seats[0].user), f"/matches/{table.match.id}"
    tag = client.get(url).headers["ETag"]
    for headers, status in (({}, 200), ({"If-None-Match": tag}, 304)):
        with counted_round_trips() as trips:
            assert client.get(url, **headers).status_code == status
        assert trips.count == 1

"""Open streams get new events, serve several clients, are limited in number, and end when a token is revoked."""

import json
import logging
import threading

import pytest
import requests
from django.db import connection, connections, transaction

from accounts import browser_sessions, tokens
from accounts.models import Token, User
from stream import hub, store, wakeup
from stream.formats import NDJSON
from stream.models import StreamEvent, StreamEventKind
from stream.responses import Subscription
from tests.databases import counted_round_trips, postgresql_only
from tests.games.builders import awaited, play_some, player, running_match, say, sitting
from tests.games.racing import beside
from tests.not_none import not_none
from tests.stream.conftest import running_service
from tests.waiting import until


def numbers(events):
    return [int(event["cursor"].split("-")[0]) for event in events]


def test_events_arrive_when_they_are_committed(service):
    table = running_match(seats=2)
    mover = awaited(table)
    stream = service.follow(sitting(mover))
    assert stream.next_event()["kind"] == "connected"
    say(table, mover.number, "draw")
    assert [stream.next_event()["kind"] for _ in range(2)] == ["move_made", "your_turn"]


def test_a_stream_continues_after_its_cursor_without_gaps(service):
    table = running_match(seats=2)
    user = sitting(table.seats[0])
    stream, seen = service.follow(user, "/api/v1/stream?after=0"), []
    for _ in range(3):
        table = play_some(table, 3)
        seen += [stream.next_event() for _ in range(3)]
        stream.answer.close()
        table = play_some(table, 3)
        stream = service.follow(user, f"/api/v1/stream?after={seen[-1]['cursor']}")
        assert stream.next_event()["kind"] == "connected"
    store.number_new()
    last = not_none(not_none(store.last_event(user.pk)).number)
    seen = seen[1:]
    while numbers(seen)[-1] < last:
        seen.append(stream.next_event())
    assert numbers(seen) == list(range(1, last + 1))


def test_all_clients_of_a_user_get_every_event(service):
    table = running_match(seats=2)
    mover = awaited(table)
    streams = [service.follow(sitting(mover)) for _ in range(3)]
    for stream in streams:
        stream.next_event()
    say(table, mover.number, "draw")
    first, *others = [[stream.next_event() for _ in range(2)] for stream in streams]
    assert others == [first, first]


def test_open_streams_occupy_no_threads(service):
    """The web server of this test has two threads."""
    user = player("ann")
    for _ in range(5):
        service.follow(user).next_event()
    assert requests.get(f"{service.url}/healthz", timeout=10).status_code == 200


def test_a_quiet_stream_has_heartbeats(transactional_db, monkeypatch):
    monkeypatch.setattr(hub, "HEARTBEAT_SECONDS", 0.05)
    with running_service() as service:
        with_lines = service.follow(player("ann"))
        with_events = service.follow(player("ann"), Accept="text/event-stream")
        assert with_lines.next_event()["kind"] == with_events_kind(with_events) == "connected"
        assert with_lines.next_line() == b""
        assert b":" in (with_events.next_line(), with_events.next_line())


def with_events_kind(stream):
    line = next(line for line in stream.lines if line.startswith(b"data: "))
    return json.loads(line.removeprefix(b"data: "))["kind"]


def test_a_revoked_token_ends_its_streams_and_no_others(service):
    user = player("ann")
    stolen, secret = service.token(user, "stolen")
    lost, kept = service.follow(user, token=secret), service.follow(user)
    assert lost.next_event()["kind"] == kept.next_event()["kind"] == "connected"
    tokens.revoke(user, stolen.reference)
    assert lost.next_event() is None
    chat_event(user)
    assert kept.next_event()["kind"] == "message"


def test_nothing_is_delivered_after_a_revocation(service, monkeypatch):
    monkeypatch.setattr(hub, "CHECK_SECONDS", 1000)
    user = player("ann")
    stream = service.follow(user)
    stream.next_event()
    with transaction.atomic():
        tokens.log_out_everywhere(user)
        chat_event(user)
    assert stream.next_event() is None


def test_a_revocation_while_a_stream_begins_ends_it_before_anything_is_sent(service, monkeypatch):
    user, read = player("ann"), store.events_after

    def revoke_and_read(*arguments):
        tokens.log_out_everywhere(user)
        chat_event(user)
        store.number_new()
        return read(*arguments)

    monkeypatch.setattr(store, "events_after", revoke_and_read)
    stream = service.follow(user)
    assert stream.next_event()["kind"] == "connected"
    assert stream.next_event() is None


def test_a_locked_account_gets_no_more_events(service):
    user = player("ann")
    stream = service.follow(user)
    stream.next_event()
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert stream.next_event() is None


def chat_event(user, match="k7m2x9q4a"):
    with transaction.atomic():
        kind = StreamEventKind.MESSAGE
        store.add([StreamEvent(user=user, kind=kind, match=match, happened_at="2026-03-02T09:00:00Z")])


def test_a_match_page_gets_only_events_in_its_match_and_no_cursors(service):
    table = running_match(seats=2)
    user, match_id = sitting(table.seats[0]), table.match.id
    key = browser_sessions.start(user, "test", match_id)[1]
    stream = service.open(f"/matches/{match_id}/stream", Cookie=f"seat={key}", Accept="text/event-stream")
    assert stream.answer.headers["Content-Type"] == "text/event-stream"
    lines = [stream.next_line()]
    while b"connected" not in lines[-1]:
        lines.append(stream.next_line())
    chat_event(user, match="elsewhere")
    chat_event(user, match=match_id)
    assert [line for line in (stream.next_line() for _ in range(2)) if line] == [
        b'data: {"kind":"message","turn":null}'
    ]
    assert not any(line.startswith(b"id:") for line in lines)


def test_the_log_shows_the_status_that_the_browser_gets(service, caplog):
    caplog.set_level(logging.INFO)
    table = running_match(seats=2)
    key = browser_sessions.start(sitting(table.seats[0]), "test", table.match.id)[1]
    stream = service.open(f"/matches/{table.match.id}/stream", Cookie=f"seat={key}")
    assert stream.answer.status_code == 200
    (line,) = [message for message in caplog.messages if "/stream" in message]
    assert f"GET /matches/{table.match.id}/stream 200 in" in line


def test_the_number_of_streams_is_limited_per_user_and_in_total(service, monkeypatch, settings):
    monkeypatch.setattr(hub, "MOST_PER_USER", 2)
    settings.MOST_STREAMS = 3
    ann, ben, cleo = player("ann"), player("ben"), player("cleo")
    for user in (ann, ann, ben):
        service.follow(user).next_event()
    for user in (ann, cleo):
        refused = service.follow(user).answer
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
        assert refused.headers["Retry-After"] == "10"
    service.opened[0].answer.close()
    assert until(lambda: service.follow(cleo).answer.status_code == 200)


def test_a_client_that_does_not_read_is_disconnected_and_can_continue(monkeypatch):
    monkeypatch.setattr(hub, "MOST_WAITING", 3)
    follower = hub.Follower(Subscription(1, (Token, ""), NDJSON))
    for _ in range(4):
        follower.add(StreamEvent())
    assert follower.is_over


@postgresql_only
def test_other_processes_are_woken_by_the_database(transactional_db):
    with hub.listening_connection() as listener:
        with counted_round_trips() as trips:
            wakeup.notify()
        assert trips.count == 1
        assert [heard.channel for heard in listener.notifies(timeout=20, stop_after=1)] == [wakeup.CHANNEL]


@postgresql_only
class TestLateCommits:
    """Transactions may commit in a different order than they began."""

    @pytest.fixture
    def slow_move(self, transactional_db):
        """Start a transaction that writes a stream event but does not commit until the test lets it."""
        user, has_written, may_commit = player("ann"), threading.Event(), threading.Event()

        def write():
            with transaction.atomic():
                chat_event(user, match="early")
                has_written.set()
                may_commit.wait(20)

        thread = beside(write)
        has_written.wait(20)

        def commit():
            may_commit.set()
            thread.join()

        yield user, commit
        commit()

    def test_an_event_that_commits_late_comes_last_and_is_not_skipped(self, slow_move, service):
        user, commit = slow_move
        stream = service.follow(user, "/api/v1/stream?after=0")
        chat_event(user, match="late")
        assert [stream.next_event()["match"] for _ in range(2)] == [None, "late"]
        commit()
        assert stream.next_event()["match"] == "early"

    def test_control_a_reader_that_remembers_the_last_id_skips_the_late_event(self, slow_move):
        user, commit = slow_move
        chat_event(user, match="late")
        last = StreamEvent.objects.latest("id")
        commit()
        assert not StreamEvent.objects.filter(id__gt=last.pk).exists()
        assert StreamEvent.objects.filter(match="early").exists()

    def test_two_processes_that_number_events_at_the_same_time_leave_no_gap(self, transactional_db):
        users = [player(name) for name in ("ann", "ben")]
        for n in range(60):
            chat_event(users[n % 2])
        threads = [beside(store.number_new) for _ in range(4)]
        for thread in threads:
            thread.join()
        for user in users:
            assert [event.number for event in store.events_after(user.pk, 0)] == list(range(1, 31))
        assert store.last_position() == 60

    def test_a_stream_survives_a_lost_database_connection(self, service):
        user = player("ann")
        stream = service.follow(user)
        stream.next_event()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid()"
            )
        connections.close_all()
        chat_event(user)
        assert stream.next_event()["kind"] == "message"

"""The benchmark baselines for moves over HTTP (`bench.floors`) write the same rows as a real move."""

import pytest

from accounts.models import Token
from games.models import Event, Move
from notifications.models import Notification
from stream.models import StreamEvent
from tests.games.builders import running_match, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.urls("bench.floors")]


@pytest.mark.parametrize("floor", ["orm", "sql"])
def test_a_floor_writes_a_move_with_its_events_and_for_every_second_move_a_notification(client, floor):
    table = running_match()
    before = [rows.objects.count() for rows in (Move, Event, Notification, StreamEvent)]
    _, token = Token.objects.create(sitting(table.seats[0]), name="bench")
    for _ in range(2):
        sent = client.post(
            f"/{floor}/{table.match.id}",
            {"move": "draw"},
            "application/json",
            headers={"Authorization": f"Bearer {token}"},
        )
        assert sent.status_code == 200, sent.content
    after = [rows.objects.count() for rows in (Move, Event, Notification, StreamEvent)]
    assert [now - then for now, then in zip(after, before, strict=True)] == [2, 2, 1, 8]

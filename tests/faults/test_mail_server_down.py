"""The mail server is down: moves go on, players can read what waits and why, operators see it, and all leaves after."""

from datetime import UTC, datetime

import pytest
import time_machine

from demo.ports import free_port
from games.mail import ledger
from games.mail.sender import deliver_due
from games.models import Notice
from games.models.notice import Delivery
from metrics.backlog import Backlog
from tests.games.builders import awaited, running_match, say, sitting
from tests.games.mail.conftest import sink

__all__ = ["sink"]

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def figure(name):
    return next(sample.value for family in Backlog().collect() for sample in family.samples if sample.name == name)


@pytest.mark.django_db
def test_notices_wait_for_the_mail_server_in_sight_of_player_and_operator(sink, settings, api):
    with time_machine.travel(NOON, tick=False) as clock:
        port, settings.EMAIL_PORT = settings.EMAIL_PORT, free_port()
        table = running_match()
        deliver_due()
        asked = awaited(table)
        told = api(sitting(asked)).get("/api/v1/me/notices").json()["results"]
        assert {notice["state"] for notice in told} <= {"queued", "suppressed"}
        assert any(notice["why"].startswith("The mail server cannot be reached: ") for notice in told)
        waiting = Notice.objects.filter(delivery=Delivery.QUEUED).count()
        assert figure("turnpost_queue_failing") == waiting > 0
        say(table, asked.number, "draw")
        settings.EMAIL_PORT = port
        clock.shift(ledger.FIRST_DELAY)
        deliver_due()
        assert figure("turnpost_queue_failing") == 0
    assert sink.arrived

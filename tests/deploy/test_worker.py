"""In production, a worker exposes its metrics and shuts down cleanly."""

import json
import signal
from contextlib import suppress
from functools import partial

import pytest

from core.jobs.runner import task_name
from demo.ports import free_port
from notifications import outbox
from notifications.models import Delivery, Notification
from tests.brokers import broker
from tests.deploy.services import ask
from tests.games.builders import running_match
from tests.mail_server import RecordingMailServer
from tests.waiting import until
from tests.workers import worker_process

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::celery.exceptions.SecurityWarning"),
]


def figure(port, sample):
    body = ask(port, "/metrics")[2].decode()
    return next((float(line.split()[-1]) for line in body.splitlines() if line.startswith(sample)), 0)


@pytest.mark.parametrize("pool", ["threads", "prefork"])
def test_a_workers_tasks_appear_in_its_log_and_metrics(tmp_path, pool, capfd):
    match_id, port = running_match().match.id, free_port()
    shown = {
        "TURNPOST_LOG": "json",
        "TURNPOST_WORKER_METRICS": f"127.0.0.1:{port}",
        "TURNPOST_METRICS_FOLDER": str(tmp_path / "metrics"),
    }
    with (
        broker("redis") as real,
        RecordingMailServer() as mail_server,
        worker_process(real, mail_server.port, tmp_path, pool=pool, **shown),
    ):
        real.send_task(task_name(outbox.MAIL))
        assert len(mail_server.wait_for(3, 60)) == 3, "one player's turn, two learn of the start"
        assert until(lambda: figure(port, 'turnpost_notifications_total{result="sent"}') == 3)
        assert figure(port, 'turnpost_notification_seconds_count{kind="your_turn"}') == 1
        assert ask(port, "/")[0] == 404
    told = [json.loads(line) for line in capfd.readouterr().err.splitlines() if line.startswith('{"time"')]
    assert "Worker ready" in {line["message"] for line in told}
    sent = [line for line in told if line["message"].startswith("Sent ")]
    assert [line["match_id"] for line in sent] == [match_id] * 3
    assert len({line["request_id"] for line in sent} - {"-"}) == 1, "All three were sent by the same task."


def test_a_stopped_worker_records_what_it_sent_and_releases_the_rest(tmp_path):
    for _ in range(40):
        running_match(seats=2)
    Notification.objects.exclude(kind="your_turn").delete()
    with broker("redis") as real, RecordingMailServer() as mail_server:
        with worker_process(real, mail_server.port, tmp_path, pool="threads") as worker:
            mail_server.on_mail = lambda _: (
                worker.send_signal(signal.SIGTERM) if len(mail_server.arrived) == 2 else None
            )
            real.send_task(task_name(outbox.MAIL))
            assert worker.wait(60) == 0
        sent = len(mail_server.arrived)
    assert 2 < sent < 40
    assert Notification.objects.filter(delivery=Delivery.SENT).count() == sent
    assert Notification.objects.filter(delivery=Delivery.QUEUED).count() == 40 - sent


def test_several_workers_with_the_same_name_can_run_with_rabbitmq(tmp_path):
    """This happens if two workers run on one machine, or if a worker is back before the broker has noticed that it was
    gone."""
    ports = [free_port(), free_port()]
    pages = [{"TURNPOST_WORKER_METRICS": f"127.0.0.1:{port}"} for port in ports]
    with (
        broker("rabbitmq") as real,
        worker_process(real, 0, tmp_path, **pages[0]) as one,
        worker_process(real, 0, tmp_path, **pages[1]) as other,
    ):
        for port in ports:
            assert until(partial(is_open, port), 60)
        assert (one.poll(), other.poll()) == (None, None)


def is_open(port):
    with suppress(OSError):
        return ask(port, "/metrics")[0] == 200

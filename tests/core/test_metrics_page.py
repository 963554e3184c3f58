"""Only operators can read the metrics at /metrics."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families as parse
from prometheus_client.values import MultiProcessValue

from clock.sweep import run as sweep
from games.models import Seat
from inbound import counts
from inbound.models import InboundMail, MailResult
from notifications.mail.sender import deliver_due
from notifications.models import Notification
from tests.callers import caller
from tests.games.builders import awaited, play_some, running_match, say
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


@pytest.fixture
def figures(client):
    """Return a function that reads a metric, as in `figures(name, **labels)`.

    It returns 0 if nothing has been counted yet.
    """

    def read(name, **labels):
        answer = client.get("/metrics")
        assert answer.status_code == 200
        samples = [sample for family in parse(answer.content.decode()) for sample in family.samples]
        return sum(one.value for one in samples if one.name == name and labels.items() <= one.labels.items())

    return read


@pytest.fixture
def more(figures, django_capture_on_commit_callbacks):
    """Return a function that measures how much a metric grows during an action."""

    def growth(do, name, **labels):
        before = figures(name, **labels)
        with django_capture_on_commit_callbacks(execute=True):
            do()
        return figures(name, **labels) - before

    return growth


class TestWhoMayRead:
    def test_without_a_token_only_local_requests_are_allowed(self, client):
        assert client.get("/metrics").status_code == 200
        assert client.get("/metrics", REMOTE_ADDR="10.0.0.1").status_code == 404

    def test_behind_a_proxy_local_requests_are_refused(self, client, settings):
        assert client.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 404
        settings.TRUSTED_PROXIES = 1
        assert client.get("/metrics").status_code == 404

    @pytest.mark.parametrize("sent", ["", "Bearer", "Bearer ", "Bearer wrong", "Basic s3cret", "s3cret"])
    def test_with_a_token_only_requests_that_send_it_are_allowed(self, client, settings, sent):
        settings.METRICS_TOKEN, settings.TRUSTED_PROXIES = "s3cret", 1
        assert client.get("/metrics", headers={"Authorization": sent}).status_code == 404
        assert client.get("/metrics", headers={"Authorization": "Bearer s3cret"}).status_code == 200


class TestWhatIsCounted:
    def test_moves_are_counted_by_game_and_source(self, more):
        table = running_match()
        moved = more(lambda: say(table, awaited(table).number, "draw"), "turnpost_moves_total", game="coloretto")
        assert moved == 1

    def test_a_move_that_was_rolled_back_is_not_counted(self, figures):
        table, before = running_match(), figures("turnpost_moves_total")
        say(table, awaited(table).number, "draw")
        assert figures("turnpost_moves_total") == before, "Its transaction has not been committed."

    def test_refusals_are_counted_by_code(self, more):
        table = running_match()
        client, address = caller(awaited(table).user), f"/api/v1/matches/{table.match.id}/moves"
        stale = {"move": "draw", "turn": 99}
        assert more(lambda: client.post(address, stale), "turnpost_refusals_total", code="stale") == 1
        assert more(lambda: client.post(address, {}), "turnpost_refusals_total", code="invalid") == 1
        assert more(lambda: client.get("/api/v1/nowhere"), "turnpost_refusals_total", code="not_found") == 1

    def test_requests_are_counted_by_route(self, more):
        table = running_match()
        client, name = caller(awaited(table).user), "turnpost_request_seconds_count"
        route = "api/v1/matches/<slug:match_id>"
        assert more(lambda: client.get(f"/api/v1/matches/{table.match.id}"), name, route=route, status="200") == 1
        assert more(lambda: client.generic("BREW", "/coffee"), name, method="other", route="none") == 1

    def test_notifications_are_counted_by_result_and_duration(self, more, settings):
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        running_match()
        Notification.objects.exclude(kind="your_turn").delete()
        Notification.objects.update(created_at=timezone.now() - timedelta(hours=7))
        assert more(deliver_due, "turnpost_notifications_total", result="sent") == 1
        Notification.objects.update(delivery="queued", due_at=timezone.now())
        assert more(deliver_due, "turnpost_notification_seconds_sum", kind="your_turn") == pytest.approx(
            7 * 3600, abs=600
        )

    def test_sweeps_of_the_clock_are_counted(self, more):
        assert more(sweep, "turnpost_sweep_seconds_count") == 1


class TestSeveralProcesses:
    def test_metrics_of_all_processes_are_shown_while_another_one_starts(
        self, figures, settings, monkeypatch, tmp_path
    ):
        settings.METRICS_FOLDER = tmp_path
        monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
        for process in ("7", "8"):
            counted = MultiProcessValue(lambda process=process: process)("counter", "moves", "moves_total", (), (), "")
            counted.inc(2)
        (tmp_path / "counter_9.db").touch()
        assert figures("moves_total") == 4


class TestBacklog:
    def test_a_service_that_keeps_up_has_no_backlog(self, figures):
        assert figures("turnpost_queue_notifications") == figures("turnpost_queue_age_seconds") == 0
        assert figures("turnpost_sweep_lag_seconds") == 0
        assert figures("turnpost_database_up") == 1

    def test_the_age_of_the_queue_is_the_age_of_its_oldest_due_notification(self, figures):
        running_match()
        Notification.objects.update(due_at=timezone.now() + timedelta(hours=1))
        late = not_none(Notification.objects.first())
        late.due_at = timezone.now() - timedelta(minutes=10)
        late.save()
        assert figures("turnpost_queue_notifications") == 1
        assert figures("turnpost_queue_age_seconds") == pytest.approx(600, abs=30)

    def test_incoming_emails_are_counted_by_result(self, figures):
        counts.count(MailResult.FORGED, "smtp")
        counts.count(MailResult.FORGED, "smtp")
        assert figures("turnpost_inbound_mails_total", source="smtp", result="forged") == 2
        assert figures("turnpost_inbound_queue_mails") == figures("turnpost_inbound_queue_age_seconds") == 0

    def test_unprocessed_emails_are_in_the_backlog(self, figures):
        running_match()
        notification, since = not_none(Notification.objects.first()), timezone.now() - timedelta(minutes=10)
        InboundMail.objects.create(notification=notification, turn=1, size=1, received_at=since, due_at=since)
        assert figures("turnpost_inbound_queue_mails") == 1
        assert figures("turnpost_inbound_queue_age_seconds") == pytest.approx(600, abs=30)

    def test_the_sweep_is_reported_as_late_while_a_seat_is_overdue(self, figures):
        running_match()
        Seat.objects.filter(awaited_since__isnull=False).update(wake_at=timezone.now() - timedelta(minutes=2))
        assert figures("turnpost_sweep_lag_seconds") == pytest.approx(120, abs=30)

    def test_the_age_of_the_clocks_heartbeat_is_shown(self, figures):
        sweep()
        assert figures("turnpost_sweep_age_seconds") == pytest.approx(0, abs=30)

    def test_without_a_database_the_other_metrics_are_still_shown(self, figures, monkeypatch):
        play_some(running_match(), 2)
        monkeypatch.setattr(connection, "cursor", lose)
        assert figures("turnpost_database_up") == 0
        assert figures("turnpost_queue_notifications") == 0


def lose():
    from django.db import OperationalError

    raise OperationalError("gone")

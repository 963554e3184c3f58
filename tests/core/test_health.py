import socket

import pytest
from celery import current_app
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from core.health import ReadinessCache
from tests.brokers import broker
from tests.requirements import BROKERS


def test_the_liveness_check_does_not_use_the_database(client):
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.fixture
def anew(monkeypatch):
    monkeypatch.setattr(ReadinessCache, "migrated", False)
    monkeypatch.setattr(ReadinessCache, "broker_until", 0.0)


@pytest.fixture
def use(monkeypatch):
    def use_this(address):
        # The write URL falls back to the other URL, so it is patched first. Otherwise, it would be restored to the
        # patched value.
        monkeypatch.setattr(current_app.conf, "broker_write_url", address)
        monkeypatch.setattr(current_app.conf, "broker_url", address)

    return use_this


@pytest.mark.django_db
@pytest.mark.usefixtures("anew")
class TestReadiness:
    def test_the_service_is_ready_when_the_database_is_migrated(self, client):
        answer = client.get("/readyz")
        assert answer.status_code == 200
        assert answer.json() == {"status": "ready", "database": "ok", "broker": "ok"}

    def test_the_service_is_not_ready_before_the_migrations(self, client):
        MigrationRecorder(connection).migration_qs.filter(app="core").delete()
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert answer.json()["database"] == "migrations missing: 1, run manage.py migrate"

    def test_a_repeated_check_takes_one_query(self, client, django_assert_num_queries):
        client.get("/readyz")
        with django_assert_num_queries(1):
            client.get("/readyz")

    @pytest.mark.parametrize("kind", BROKERS)
    def test_a_working_broker_is_reported(self, client, use, kind):
        with broker(kind):
            use(BROKERS[kind])
            assert client.get("/readyz").json()["broker"] == "ok"

    @pytest.mark.parametrize("address", ["redis://127.0.0.1:1/0", "amqp://127.0.0.1:1//"])
    def test_a_lost_broker_is_reported_but_the_service_stays_ready(self, client, use, address):
        use(address)
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["broker"]) == (200, "unreachable")

    @pytest.mark.parametrize("address", ["redis://127.0.0.1:{}/0", "amqp://127.0.0.1:{}//"])
    def test_an_unresponsive_broker_counts_as_lost(self, client, use, address):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            use(address.format(silent.getsockname()[1]))
            answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["broker"]) == (200, "unreachable")

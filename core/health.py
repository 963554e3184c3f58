"""Health checks for monitoring: whether the service is alive, and whether it can take requests."""

import time

from celery import current_app
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse

from core import old_database

BROKER_TIMEOUT = 1
BROKER_ASKED_EVERY = 5


class ReadinessCache:
    """Caches results, because anyone can call /readyz as often as they like."""

    migrated = False
    broker = ""
    broker_until = 0.0


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """Report whether the database works.

    The service is ready even without a broker, because a missing broker only delays notifications.
    """
    database = _database()
    ready = database == "ok"
    report = {"status": "ready" if ready else "not ready", "database": database, "broker": _broker()}
    return JsonResponse(report, status=200 if ready else 503)


def _database() -> str:
    try:
        missing = 0 if ReadinessCache.migrated else missing_migrations()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "unreachable"
    ReadinessCache.migrated = missing == 0
    if missing and old_database.is_old():
        return old_database.MESSAGE
    return f"migrations missing: {missing}, run manage.py migrate" if missing else "ok"


def missing_migrations() -> int:
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _broker() -> str:
    if time.monotonic() >= ReadinessCache.broker_until:
        ReadinessCache.broker, ReadinessCache.broker_until = _ask_broker(), time.monotonic() + BROKER_ASKED_EVERY
    return ReadinessCache.broker


def _ask_broker() -> str:
    """Connect to the broker and wait for a response. A broker that only accepts connections counts as down."""
    waits = {"socket_connect_timeout": BROKER_TIMEOUT, "socket_timeout": BROKER_TIMEOUT}
    with current_app.connection_for_write(connect_timeout=BROKER_TIMEOUT, transport_options=waits) as broker:
        failures: tuple[type[BaseException], ...] = (OSError, *broker.connection_errors)
        try:
            broker.transport.close_connection(broker.transport.establish_connection())
        except failures:
            return "unreachable"
    return "ok"

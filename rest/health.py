"""For whatever watches the service: is it alive, and may it get requests."""

import socket

from celery import current_app
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse

BROKER_TIMEOUT = 1


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """Without its database the service is not ready. Without its broker it is: notices only leave later."""
    database = _database()
    ready = database == "ok"
    report = {"status": "ready" if ready else "not ready", "database": database, "broker": _broker()}
    return JsonResponse(report, status=200 if ready else 503)


def _database() -> str:
    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "unreachable"
    return f"{len(plan)} migrations missing" if plan else "ok"


def _broker() -> str:
    broker = current_app.connection_for_write().info()
    if broker["transport"] == "memory":
        return "ok"
    try:
        socket.create_connection((broker["hostname"], broker["port"]), timeout=BROKER_TIMEOUT).close()
    except OSError:
        return "unreachable"
    return "ok"

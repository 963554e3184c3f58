"""Collect everything that operators can see: admin pages, metrics, commands, log lines and the database."""

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib import admin
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from core.logs import IdsInLogs, JsonFormatter, TextFormatter
from tests.acceptance.secrecy.api import Seen
from tests.acceptance.secrecy.sandbox import Sandbox, Viewer, seed_randomness
from tests.acceptance.security.endpoints import our_apps

COMMANDS = {"archive": [], "audit": [], "mail_counts": [], "check_lag": ["--max-seconds", "9999999"], "reencrypt": []}
"""Management commands that print stored data."""
RUN_THE_SERVICE = {"serve", "demo", "receive_mail", "backup", "stream", "check_mail"}
"""Commands that run or copy the service. They print only its log."""
NEWEST = 4
TAKES_TIME = re.compile(r"_seconds_(bucket|sum)\b|_created\b|^(python|process)_|_age_seconds|_lag_seconds")
CONCEALED = re.compile(r"\bgAAAAA[\w=-]+|\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b")
CHANCE = re.compile(r'in [\d.]+ ms|"ms": [\d.]+|request_id": "[0-9a-f]{32}"|\[[0-9a-f]{32} ')


def pages(sandbox: Sandbox, _: Viewer) -> Seen:
    """Visit the list page and the newest rows of every model in the admin."""
    seed_randomness("operator")
    operator = Client()
    operator.force_login(User.objects.get(username="operator"))
    for model, shown in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield page(operator, reverse(f"{name}_changelist"))
        for row in model._default_manager.order_by(*(shown.ordering or ["-pk"]))[:NEWEST]:
            yield page(operator, reverse(f"{name}_change", args=[row.pk]))


def page(operator: Client, address: str) -> tuple[str, Any]:
    seed_randomness(address)
    answer = operator.get(address)
    assert answer.status_code == 200, address
    return f"GET {address}", answer.content


def metrics(sandbox: Sandbox, _: Viewer) -> Seen:
    """Yield how much each metric has grown in this world. Durations are left out."""
    grown = {name: value - sandbox.figures.get(name, 0) for name, value in figures().items()}
    yield "GET /metrics", {name: value for name, value in grown.items() if value}


def figures() -> dict[str, float]:
    lines = Client().get("/metrics").content.decode().splitlines()
    told = [line.rpartition(" ") for line in lines if not line.startswith("#") and not TAKES_TIME.search(line)]
    return {name: float(value) for name, _, value in told}


def commands(sandbox: Sandbox, _: Viewer) -> Seen:
    for name, words in COMMANDS.items():
        out = io.StringIO()
        try:
            call_command(name, *words, stdout=out, stderr=out)
        except CommandError as error:
            out.write(str(error))
        yield f"manage.py {name}", out.getvalue()


def rows(sandbox: Sandbox, _: Viewer) -> Seen:
    """Yield all rows, as in a copy of the database.

    Encrypted, hashed and random values are replaced with their length.
    """
    for model in [model for app in our_apps() for model in app.get_models()]:
        stored = model._default_manager.order_by("pk").values_list()
        yield f"rows of {model.__name__}", [[concealed(value) for value in row] for row in stored]


def concealed(value: object) -> str:
    return CONCEALED.sub(lambda found: f"{len(found[0])} characters", repr(value))


def log_lines(sandbox: Sandbox, _: Viewer) -> Seen:
    yield "log", list(sandbox.logs)


class Collected(logging.Handler):
    """Collects log lines of all levels, in both formats."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self.addFilter(IdsInLogs())
        self.lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        for form in (TextFormatter(), JsonFormatter()):
            self.lines.append(CHANCE.sub("", form.format(record)))


@contextmanager
def collected(lines: list[str]) -> Iterator[None]:
    root, handler = logging.getLogger(), Collected(lines)
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(level)

"""Add checks to `manage.py check --deploy` for settings that are fine at home but not for a public service."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, register
from django.core.checks import Warning as CheckWarning


@register(Tags.security, deploy=True)
def public_service(app_configs: Any, **_: Any) -> list[CheckMessage]:
    return list(warnings())


def warnings() -> Iterator[CheckMessage]:
    if settings.PUBLIC_URL.startswith("https://") and not settings.TRUSTED_PROXIES:
        yield CheckWarning(
            "TURNPOST_URL uses HTTPS, but no reverse proxy is trusted.",
            "Set TURNPOST_PROXIES to the number of reverse proxies.",
            id="turnpost.W001",
        )
    if not settings.PUBLIC_URL.startswith("https://"):
        yield CheckWarning(
            "The service does not use HTTPS: passwords, cookies and moves can be intercepted.",
            "Set TURNPOST_URL to an https:// address, and TURNPOST_PROXIES to the number of reverse proxies.",
            id="turnpost.W005",
        )
    elif settings.HSTS == "no":
        yield CheckWarning(
            "HSTS is off, so browsers may fall back to HTTP.",
            "Unset TURNPOST_HSTS, or set it to host.",
            id="turnpost.W006",
        )
    if settings.MAIL_FOLDER:
        yield CheckWarning("Mail is written to a folder and never sent.", "Set EMAIL_URL.", id="turnpost.W002")
    if settings.CELERY_BROKER_URL.startswith("memory"):
        yield CheckWarning(
            "The broker is in memory, so web and worker must run in one process.", "Set BROKER_URL.", id="turnpost.W003"
        )
    if settings.KEYS_IN_FILES and not settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        yield CheckWarning(
            "The keys are in the data folder, where other machines that use this database can't read them.",
            "Set TURNPOST_SECRET_KEY, TURNPOST_VAULT_KEYS and TURNPOST_SIGNING_KEYS.",
            id="turnpost.W004",
        )
    if settings.WORKER_METRICS and settings.WORKER_METRICS[0] not in settings.LOOPBACK and not settings.METRICS_TOKEN:
        yield CheckWarning(
            "The worker's metrics are public.",
            "Set TURNPOST_METRICS_TOKEN, or set TURNPOST_WORKER_METRICS to a local address like 127.0.0.1:9100.",
            id="turnpost.W007",
        )

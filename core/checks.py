"""What `manage.py check --deploy` says beyond Django's own checks: settings that are fine at home and not in public."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, register
from django.core.checks import Warning as Doubt


@register(Tags.security, deploy=True)
def public_service(app_configs: Any, **_: Any) -> list[CheckMessage]:
    return list(doubts())


def doubts() -> Iterator[CheckMessage]:
    if settings.PUBLIC_URL.startswith("https://") and not settings.TRUSTED_PROXIES:
        yield Doubt(
            "The service is to be reached by HTTPS, and no proxy that could speak it is trusted.",
            "Set TURNPOST_PROXIES to the number of proxies before it.",
            id="turnpost.W001",
        )
    if not settings.PUBLIC_URL.startswith("https://"):
        yield Doubt(
            "The service is reached without HTTPS: passwords, cookies and moves can be read on the way.",
            "Set TURNPOST_URL to an address that begins with https://, and TURNPOST_PROXIES to the number of proxies.",
            id="turnpost.W005",
        )
    elif settings.HSTS == "no":
        yield Doubt(
            "Browsers are not told to stay with HTTPS.",
            "Leave TURNPOST_HSTS out, or set it to host.",
            id="turnpost.W006",
        )
    if settings.MAIL_FOLDER:
        yield Doubt("Mail is written into a folder and sent to nobody.", "Set EMAIL_URL.", id="turnpost.W002")
    if settings.CELERY_BROKER_URL.startswith("memory"):
        yield Doubt(
            "The broker is in memory, so web and workers must be one process.", "Set BROKER_URL.", id="turnpost.W003"
        )
    if settings.KEYS_IN_FILES and not settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        yield Doubt(
            "The keys are in the data folder, where other machines that use the database do not find them.",
            "Set TURNPOST_SECRET_KEY and TURNPOST_VAULT_KEYS.",
            id="turnpost.W004",
        )
    if settings.WORKER_METRICS and settings.WORKER_METRICS[0] not in settings.LOOPBACK and not settings.METRICS_TOKEN:
        yield Doubt(
            "A worker shows its figures to everybody who reaches it.",
            "Set TURNPOST_METRICS_TOKEN, or TURNPOST_WORKER_METRICS to an address of this machine like 127.0.0.1:9100.",
            id="turnpost.W007",
        )

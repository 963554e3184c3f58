"""Every URL and every app of the service, taken from Django's own registries."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.urls import URLResolver, get_resolver

PAGE_NAMES = {
    "token": "forged",
    "name": "20261116",
    "slug": "coloretto",
    "number": "1",
    "registration_id": "0b9a1c52-6f0e-4b8e-9d5f-0d5c7a1e2f34",
}
"""Values for path parameters other than match IDs. If a page has a new parameter, tests fail until it is added here."""


def endpoints(patterns: Any = None, before: str = "/") -> Iterator[tuple[str, Any]]:
    """Yield every path outside the admin, with its parameters and its view."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        address = before + str(pattern.pattern)
        if not isinstance(pattern, URLResolver):
            yield re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", address), pattern.callback
        elif not address.startswith("/admin/"):
            yield from endpoints(pattern.url_patterns, address)


def our_apps() -> list[AppConfig]:
    return [app for app in apps.get_app_configs() if Path(app.path).parent == settings.ROOT]


def pages() -> list[str]:
    return [address for address, _ in endpoints() if not address.startswith("/api/")]

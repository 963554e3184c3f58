"""Export all data stored about a user.

To add a section, decorate a function that takes the user: `@exports("seats")`.
"""

from collections.abc import Callable
from typing import Any

from accounts.models import User

Exporter = Callable[[User], Any]
_exporters: dict[str, Exporter] = {}


def exports(part: str) -> Callable[[Exporter], Exporter]:
    def add(exporter: Exporter) -> Exporter:
        _exporters[part] = exporter
        return exporter

    return add


def export(user: User) -> dict[str, Any]:
    return {part: exporter(user) for part, exporter in sorted(_exporters.items())}


@exports("profile")
def profile(user: User) -> dict[str, Any]:
    """Export every column except the password hash, so that new columns are included automatically."""
    hidden = {"password"}
    return {field.attname: getattr(user, field.attname) for field in user._meta.fields if field.name not in hidden}


@exports("tokens")
def tokens(user: User) -> list[dict[str, Any]]:
    rows = user.auth_token_set.order_by("created").values("name", "created", "last_used_at", "expiry")
    return [dict(row) for row in rows]


@exports("browser_sessions")
def browser_sessions(user: User) -> list[dict[str, Any]]:
    rows = user.browser_sessions.order_by("created_at")
    return [dict(row) for row in rows.values("device", "match", "created_at", "last_used_at", "expires_at")]

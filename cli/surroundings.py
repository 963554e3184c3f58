"""What is installed here, and the environment of a process that must not meet a real service."""

import importlib.util
import os

KINDS = ("TURNPOST_", "INBOUND_", "DJANGO_")
NAMES = ("DATABASE_URL", "BROKER_URL", "EMAIL_URL")


def has_server_part() -> bool:
    """Whether a server can be run here, and with it the demo; the client needs none of it."""
    return importlib.util.find_spec("django") is not None


def own_environment() -> dict[str, str]:
    """Nothing of what somebody has set for a service or a client."""
    return {name: value for name, value in os.environ.items() if not name.startswith(KINDS) and name not in NAMES}

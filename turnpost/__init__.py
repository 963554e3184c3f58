"""A client for Turnpost servers, documented in docs/client.md. The command line also uses it."""

from typing import TYPE_CHECKING, Any

from turnpost.errors import NeedsLogin, Problem, Refused, Stale, Unreachable

if TYPE_CHECKING:
    from turnpost.client import Client

__all__ = ["Client", "NeedsLogin", "Problem", "Refused", "Stale", "Unreachable"]


def __getattr__(name: str) -> Any:
    """Load the typed client only for programs that use it, so that commands start quickly."""
    if name != "Client":
        raise AttributeError(f"module 'turnpost' has no attribute '{name}'")
    from turnpost.client import Client

    return Client

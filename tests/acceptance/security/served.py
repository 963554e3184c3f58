"""Every address that the service answers to, taken from its own list of them."""

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLResolver, get_resolver


def served(patterns: Any = None, before: str = "/") -> Iterator[tuple[str, Any]]:
    """Every address that is answered at all, with the parameters it has, and what answers there; but the operators'."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        address = before + str(pattern.pattern)
        if not isinstance(pattern, URLResolver):
            yield re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", address), pattern.callback
        elif not address.startswith("/admin/"):
            yield from served(pattern.url_patterns, address)


def pages() -> list[str]:
    return [address for address, _ in served() if not address.startswith("/api/")]

"""Parse webhook URLs strictly, and resolve them to public addresses only.

Each call resolves the name once and connects to the checked addresses, so DNS rebinding can't redirect it.
"""

import re
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

LONGEST_URL = 500
PORTS = {"http": 80, "https": 443}
LOW_PORTS = 1024
"""Ports below this number belong to other services, except for 80 and 443."""
LOOKED_UP_WITHIN = 5.0
VISIBLE_ASCII = re.compile(r"[\x21-\x5b\x5d-\x7e]+")
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.IGNORECASE)
NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*", re.IGNORECASE)


Address = IPv4Address | IPv6Address

GLOBAL_UNICAST = IPv6Network("2000::/3")
NAT64 = IPv6Network("64:ff9b::/96")
"""The prefix through which IPv6-only machines reach IPv4 hosts. The last 32 bits are the IPv4 address."""
# Older versions of Python consider these networks global: protocol assignments, relays, tunnels, documentation.
SPECIAL_IPV4 = [IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24")]
SPECIAL_IPV6 = [IPv6Network(written) for written in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")]


class BadTarget(Exception):
    """Raised if the URL can't be used for a webhook."""

    def __init__(self, code: str, why: str, hint: str = "Example: https://hooks.example.org/turns") -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.hint = hint


@dataclass(frozen=True)
class Target:
    scheme: str
    host: str
    port: int
    path: str
    """The path and the query string."""

    @property
    def is_secure(self) -> bool:
        return self.scheme == "https"

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def read(url: str) -> Target:
    """Parse a URL. It must be unambiguous, without a username and without unusual notations of IP addresses."""
    if len(url) > LONGEST_URL or not VISIBLE_ASCII.fullmatch(url):
        raise BadTarget("bad_url", f"A URL can have up to {LONGEST_URL} ASCII characters and no spaces.")
    try:
        parts, port = split(url)
    except ValueError:
        raise BadTarget("bad_url", "This isn't a valid URL.") from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise BadTarget("bad_url", "The URL must start with http:// or https://.")
    if "@" in parts.netloc:
        raise BadTarget(
            "bad_url", "The URL can't contain a username or password.", "Put the token in the path instead."
        )
    port = PORTS[parts.scheme] if port is None else port
    if port < LOW_PORTS and port not in PORTS.values():
        raise BadTarget("bad_port", f"Port {port} isn't allowed.", "Use 80, 443, or a port from 1024 up.")
    query = f"?{parts.query}" if parts.query else ""
    return Target(parts.scheme, read_host(parts), port, (parts.path or "/") + query)


def split(url: str) -> tuple[SplitResult, int | None]:
    parts = urlsplit(url)
    return parts, parts.port


def read_host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    try:
        if parts.netloc.startswith("["):
            return read_ipv6(host)
        labels = host.removesuffix(".").split(".")
        return str(IPv4Address(host)) if NUMERIC.fullmatch(labels[-1]) else read_name(host, labels)
    except AddressValueError:
        raise BadTarget("bad_host", "This isn't a valid IP address.") from None


def read_ipv6(written: str) -> str:
    """Parse an IPv6 address. Zone IDs aren't allowed, because they mean something only on the machine itself."""
    if "%" in written:
        raise AddressValueError(written)
    return str(IPv6Address(written))


def read_name(host: str, labels: Sequence[str]) -> str:
    if len(host) > 253 or not all(LABEL.fullmatch(label) for label in labels):
        raise BadTarget("bad_host", "This isn't a valid host name.")
    return host


def addresses_of(target: Target) -> list[str]:
    """Return the target's addresses. If any of them is private, the target is refused."""
    found = look_up(target)
    if not settings.WEBHOOKS_PRIVATE and not all(is_public(address) for address in found):
        raise BadTarget(
            "private_address",
            f"{target.host} isn't a public address.",
            "The operator can allow private addresses (TURNPOST_WEBHOOKS_PRIVATE).",
        )
    return found


def look_up(target: Target) -> list[str]:
    """Resolve the name in a separate thread, because name resolution has no time limit."""
    pool = ThreadPoolExecutor(1, thread_name_prefix="look-up")
    try:
        found = pool.submit(resolve, target.host, target.port).result(LOOKED_UP_WITHIN)
    except (OSError, UnicodeError):
        found = []
    finally:
        pool.shutdown(wait=False)
    if not found:
        raise BadTarget("unknown_host", f"Can't find {target.host}.", "Check the spelling.")
    return found


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a name in the order that the system prefers, without duplicates."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(written: str) -> bool:
    address = ip_address(written)
    return is_public_ipv4(address) if isinstance(address, IPv4Address) else is_public_ipv6(address)


def is_public_ipv4(address: IPv4Address) -> bool:
    special = address.is_multicast or address.is_reserved or any(address in network for network in SPECIAL_IPV4)
    return address.is_global and not special


def is_public_ipv6(address: IPv6Address) -> bool:
    """Return whether an IPv6 address is public.

    Embedded IPv4 addresses must be public, too, and tunnels are not allowed.
    """
    if address.ipv4_mapped:
        return is_public_ipv4(address.ipv4_mapped)
    if address in NAT64:
        return is_public_ipv4(IPv4Address(int(address) & 0xFFFFFFFF))
    special = any(address in network for network in SPECIAL_IPV6)
    return address in GLOBAL_UNICAST and address.is_global and not special

"""The address a request came from, as far as limits are concerned."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

OF_PROXIES = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP")


def address_of(request: HttpRequest) -> str:
    """Each trusted proxy appends whom it was asked by; what stands further left may be invented by the caller."""
    address = request.META.get("REMOTE_ADDR", "")
    forwarded = request.headers.get("X-Forwarded-For", "").split(",")
    if settings.TRUSTED_PROXIES and forwarded[0]:
        address = forwarded[-min(settings.TRUSTED_PROXIES, len(forwarded))]
    return network(address.strip())


def came_through_a_proxy(request: HttpRequest) -> bool:
    """As far as it says so: then whoever asks may be far away, also when the proxy is on this machine."""
    return any(header in request.headers for header in OF_PROXIES)


def network(address: str) -> str:
    """One household's IPv6 addresses are all of a /64, so they count as one."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped or ip_network(f"{address.split('%')[0]}/64", strict=False))
    return str(parsed)

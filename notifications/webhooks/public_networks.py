"""Which network addresses belong to the public, so that nobody reaches through us what only we can reach."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address

GLOBAL_UNICAST = IPv6Network("2000::/3")
NAT64 = IPv6Network("64:ff9b::/96")
"""How a machine with IPv6 only reaches IPv4; the last 32 bits say whom."""
# What older versions of Python call global: protocol assignments, relays and tunnels, and documentation.
SPECIAL_IPV4 = [IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24")]
SPECIAL_IPV6 = [IPv6Network(written) for written in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")]


def is_public(written: str) -> bool:
    address = ip_address(written)
    return is_public_ipv4(address) if isinstance(address, IPv4Address) else is_public_ipv6(address)


def is_public_ipv4(address: IPv4Address) -> bool:
    special = address.is_multicast or address.is_reserved or any(address in network for network in SPECIAL_IPV4)
    return address.is_global and not special


def is_public_ipv6(address: IPv6Address) -> bool:
    """An IPv4 address in the clothes of IPv6 is judged as what it is; tunnels to others are not taken."""
    if address.ipv4_mapped:
        return is_public_ipv4(address.ipv4_mapped)
    if address in NAT64:
        return is_public_ipv4(IPv4Address(int(address) & 0xFFFFFFFF))
    special = any(address in network for network in SPECIAL_IPV6)
    return address in GLOBAL_UNICAST and address.is_global and not special

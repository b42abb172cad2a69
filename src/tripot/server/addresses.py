"""Addresses of clients: as they are compared with configured networks, and as they are counted.

A server that listens on `::` sees IPv4 clients under addresses such as `::ffff:192.0.2.1`. One IPv6 client
usually has a whole network of 64 bits, so its single addresses cannot be counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address

IPV6_PREFIX_BITS: Final = 64  # of the network that a provider gives to one customer, or a larger one


def parse(text: str) -> Address | None:
    """An address, as IPv4 if it is mapped to IPv6; None if the text is none, as of a Unix socket."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def unmapped(text: str) -> str:
    """The text of an address, as IPv4 if it is mapped to IPv6.

    >>> unmapped("::ffff:192.0.2.1"), unmapped("2001:db8::1"), unmapped("no address")
    ('192.0.2.1', '2001:db8::1', 'no address')
    """
    address = parse(text)
    return text if address is None else str(address)


def client_key(text: str) -> str:
    """By what a client is counted: its IPv4 address, or the network of its IPv6 address.

    >>> client_key("::ffff:192.0.2.1"), client_key("2001:db8::1:2:3:4"), client_key("no address")
    ('192.0.2.1', '2001:db8::/64', 'no address')
    """
    address = parse(text)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address.packed, IPV6_PREFIX_BITS), strict=False))
    return text if address is None else str(address)


def is_in(text: str, networks: Iterable[str]) -> bool:
    """Whether an address is one of some addresses or in one of some networks.

    >>> is_in("::ffff:10.1.2.3", ["10.0.0.0/8"]), is_in("2001:db8::1", ["10.0.0.0/8"])
    (True, False)
    """
    address = parse(text)
    return address is not None and any(address in ip_network(network) for network in networks)

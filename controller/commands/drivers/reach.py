"""What a unit may reach of a network: the addresses of its servers, as their names are now."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from controller.config.bus_section import is_loopback

_RESOLVER: Final = Path("/etc/resolv.conf")


def addresses(hosts: Iterable[tuple[str, int]], resolver: Path = _RESOLVER) -> tuple[str, ...]:
    """The addresses of other machines among `hosts` (name or address, and port), sorted.

    A name is looked up again by whoever connects: it needs this machine's name servers, too.
    """
    found: set[str] = set()
    for host, port in hosts:
        if is_loopback(host):
            continue
        if not is_address(host):
            found.update(_name_servers(resolver))
        try:
            known = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            continue  # the doctor says that it cannot be reached
        found.update(str(address[0]) for *_, address in known)
    return tuple(sorted(each for each in found if not is_loopback(each)))


def is_address(host: str) -> bool:
    """Whether it is an IP address, not a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _name_servers(resolver: Path) -> set[str]:
    """The servers that the machine asks for names; those on it are reached anyway."""
    try:
        lines = resolver.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return set()
    words = [each.split() for each in lines]
    named = {each[1].partition("%")[0] for each in words if each[:1] == ["nameserver"] and each[1:]}
    return {each for each in named if is_address(each)}

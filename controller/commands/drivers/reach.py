"""What a unit may reach of a network: the addresses of its servers, as their names are now."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from controller.config.bus_section import is_loopback

_RESOLVER: Final = Path("/etc/resolv.conf")
_ALLOW: Final = "IPAddressAllow="


def addresses(
    hosts: Iterable[tuple[str, int]], resolver: Path = _RESOLVER, *, known: Iterable[str] = ()
) -> tuple[str, ...]:
    """The addresses of other machines among `hosts` (name or address, and port), sorted.

    A name is looked up again by whoever connects: it needs this machine's name servers, too. As
    long as one cannot be looked up, the `known` ones stay, which a unit was given before: an update
    is gone back from before the network is there, and its unit has to reach its servers later.
    """
    found: set[str] = set()
    for host, port in hosts:
        if is_loopback(host):
            continue
        if not is_address(host):
            found.update(_name_servers(resolver))
        try:
            there = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            found.update(known)  # the doctor says that it cannot be reached
            continue
        found.update(str(address[0]) for *_, address in there)
    return tuple(sorted(each for each in found if not is_loopback(each)))


def allowed(drop_in: Path) -> tuple[str, ...]:
    """The addresses that a unit's drop-in allows so far; none where it is not there."""
    try:
        lines = drop_in.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    words = [line.removeprefix(_ALLOW).split() for line in lines if line.startswith(_ALLOW)]
    return tuple(each for some in words for each in some if is_address(each))


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

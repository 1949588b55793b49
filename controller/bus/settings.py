"""How a table reaches the bus: servers, and who it is to them."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

_SCHEMES = frozenset({"nats", "tls"})
PORT = 4222


@dataclass(frozen=True, slots=True)
class BusSettings:
    """`[bus]`: the servers (`nats://HOST:PORT`, `tls://…`), tried in turn, and the credentials.

    `user` goes with `password_file`. `ca_file` is the authority that signed the servers'
    certificates (none: the system's), `cert_file` with `key_file` the table's own certificate.
    Raises `ValueError`, with the key first, for what does not go together.
    """

    servers: tuple[str, ...]
    user: str = ""
    password_file: Path | None = None
    ca_file: Path | None = None
    cert_file: Path | None = None
    key_file: Path | None = None

    def __post_init__(self) -> None:
        for text in _problems(self):
            raise ValueError(text)

    @property
    def hosts(self) -> tuple[tuple[str, int], ...]:
        """Host and port of each server."""
        parts = [urlsplit(each) for each in self.servers]
        return tuple((each.hostname or "", each.port or PORT) for each in parts)

    @property
    def tls(self) -> bool:
        """Whether the line is encrypted."""
        return self.servers[0].startswith("tls:")

    def context(self) -> ssl.SSLContext | None:
        """What checks the servers' certificates; None for a line that is not encrypted.

        Raises `OSError`, `ssl.SSLError`.
        """
        if not self.tls:
            return None
        made = ssl.create_default_context(cafile=None if self.ca_file is None else self.ca_file)
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        if self.cert_file is not None:
            made.load_cert_chain(self.cert_file, self.key_file)
        return made


def _problems(settings: BusSettings) -> Iterator[str]:
    if not settings.servers:
        yield "servers: name one, such as tls://pit.example:4222"
    schemes = set()
    for server in settings.servers:
        parts = urlsplit(server)
        schemes.add(parts.scheme)
        yield from _address_problems(server, parts)
    if len(schemes) > 1:
        yield "servers: either all are nats:// or all are tls://"
    if bool(settings.user) is not bool(settings.password_file):
        yield "user: it goes with password_file, and that with it"
    if bool(settings.cert_file) is not bool(settings.key_file):
        yield "cert_file: it goes with key_file, and that with it"
    if "tls" not in schemes and (settings.ca_file or settings.cert_file):
        yield "ca_file: certificates go with servers that begin with tls://"


def _address_problems(server: str, parts: SplitResult) -> Iterator[str]:
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in _SCHEMES or not parts.hostname or port == -1:
        yield f"servers: {server!r} is none: write it like tls://pit.example:4222"
    elif parts.username or parts.password or parts.path or parts.query:
        yield f"servers: {parts.hostname} stands with more than host and port: leave it out"
    elif parts.scheme == "nats" and not is_loopback(parts.hostname):
        yield f"servers: {server} is another machine: use tls://, nobody else may read or write"


def is_loopback(host: str) -> bool:
    """Whether that host is this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False

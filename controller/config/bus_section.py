"""`[bus]`: how a table reaches the servers of the pit's bus, and who it is to them."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from controller.rules.frozen import frozen
from drivers.settings.checks import Wrong, refuse

#: NATS's own port, where a server is named without one.
PORT: Final = 4222
_TLS: Final = "tls"
_PLAIN: Final = "nats"


@frozen
class BusSection:
    """`[bus]`: the servers (`nats://HOST:PORT`, `tls://…`), tried in turn, and the credentials.

    `user` goes with `password_file`. `ca_file` is the authority that signed the servers'
    certificates (none: the system's), `cert_file` with `key_file` the table's own certificate.
    Raises `SettingsError`.
    """

    servers: tuple[str, ...]
    user: str = ""
    password_file: Path | None = None
    ca_file: Path | None = None
    cert_file: Path | None = None
    key_file: Path | None = None

    def __post_init__(self) -> None:
        refuse((*self._server_problems(), *self._credential_problems()))

    @property
    def hosts(self) -> tuple[tuple[str, int], ...]:
        """Host and port of each server."""
        parts = [urlsplit(each) for each in self.servers]
        return tuple((each.hostname or "", each.port or PORT) for each in parts)

    @property
    def tls(self) -> bool:
        """Whether the line is encrypted."""
        return all(urlsplit(each).scheme == _TLS for each in self.servers)

    def below(self, base: Path) -> BusSection:
        """The same, relative paths taken from the folder `base`."""
        named = {
            name: base / path
            for name in ("password_file", "ca_file", "cert_file", "key_file")
            if (path := getattr(self, name)) is not None
        }
        return replace(self, **named)

    def context(self) -> ssl.SSLContext | None:
        """What checks the servers' certificates; None for a line that is not encrypted.

        Raises `OSError` (`ssl.SSLError` is one) for files that cannot be read or are none.
        """
        if not self.tls:
            return None
        made = ssl.create_default_context(cafile=self.ca_file)
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        if self.cert_file is not None:
            made.load_cert_chain(self.cert_file, self.key_file)
        return made

    def unusable(self) -> str:
        """Why the files that it names are of no use, and what to change; empty where they are."""
        try:
            if self.password_file is not None:
                self.password_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no text"
            return (
                f"bus.password_file: {self.password_file} cannot be read ({why}): write the"
                " password there, where the service's user may read it"
            )
        try:
            self.context()
        except OSError as error:
            return (
                f"bus.ca_file, bus.cert_file or bus.key_file cannot be used ({error}): name PEM"
                " files that the service may read"
            )
        return ""

    def _server_problems(self) -> Iterator[Wrong]:
        if not self.servers:
            yield Wrong("servers", "name one, such as tls://pit.example:4222")
        if len({urlsplit(each).scheme for each in self.servers}) > 1:
            yield Wrong("servers", "either all begin with nats:// or all with tls://")
        for server in self.servers:
            parts = urlsplit(server)
            if parts.scheme not in {_PLAIN, _TLS} or not parts.hostname or not _has_port(server):
                yield Wrong("servers", f"{server!r} is none: write it like tls://pit.example:4222")
            elif parts.username or parts.password or parts.path or parts.query:
                yield Wrong(
                    "servers",
                    f"{parts.hostname} stands with more than host and port: leave that out, "
                    "credentials have keys of their own",
                )
            elif parts.scheme == _PLAIN and not is_loopback(parts.hostname):
                yield Wrong(
                    "servers",
                    f"{server} is another machine: use tls://, or anybody on the way may read",
                )

    def _credential_problems(self) -> Iterator[Wrong]:
        for one, other in (("user", "password_file"), ("cert_file", "key_file")):
            if bool(getattr(self, one)) is not bool(getattr(self, other)):
                yield Wrong(one, f"it goes with {other}: name both, or neither")
        if (self.ca_file or self.cert_file) and not self.tls:
            yield Wrong("ca_file", "certificates go with servers that begin with tls://")


def _has_port(server: str) -> bool:
    """Whether the port is one, or left out."""
    try:
        return urlsplit(server).port != 0
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Whether that host is this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False

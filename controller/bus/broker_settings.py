"""What a broker's file says: who is let in, where it listens, which sites it joins or takes in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from controller.bus.messages import TABLE
from controller.bus.server_conf import HEADQUARTERS, PIT
from controller.config.bus_section import is_loopback
from controller.config.one_section import field_names, read_section, unknown
from controller.config.problems import Problem, refusal
from controller.config.toml_file import read_toml
from controller.rules.frozen import frozen
from drivers.settings.checks import Wrong, refuse


@frozen
class BrokerSection:
    """`[broker]`: `listen` (HOST:PORT), the tables that are let in, and where the buffer lies.

    `cert_file` goes with `key_file`; `ca_file` is the authority that they are of, which tables
    need where it is the house's own. Paths are the broker's machine's. Raises `SettingsError`.
    """

    listen: str = "127.0.0.1:4222"
    tables: tuple[str, ...] = ()
    store: str = "/var/lib/nats"
    store_gb: float = 10
    cert_file: str = ""
    key_file: str = ""
    ca_file: str = ""

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from _names("tables", self.tables, "table")
        yield from _listening("listen", self.listen, self.cert_file)
        if bool(self.cert_file) is not bool(self.key_file):
            yield Wrong("cert_file", "it goes with key_file: name both, or neither")
        if self.ca_file and not self.cert_file:
            yield Wrong("ca_file", "it goes with cert_file and key_file")
        if not self.store_gb > 0:
            yield Wrong("store_gb", f"store_gb is {self.store_gb}: use more than 0")


@frozen
class SiteSection:
    """`[site]`: this broker is a site's, and a leaf of the operator's at `headquarters`.

    `password_file` holds the site's password, which headquarters' own files have. Raises
    `SettingsError`.
    """

    name: str
    headquarters: str
    password_file: Path
    ca_file: str = ""

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from _names("name", (self.name,), "site")
        parts = urlsplit(self.headquarters)
        if parts.scheme not in {"tls", "nats"} or not parts.hostname or not _port(parts.netloc):
            yield Wrong(
                "headquarters",
                f"{self.headquarters!r} is none: write it like tls://hq.example:7422",
            )
        elif parts.username or parts.password or parts.path or parts.query:
            yield Wrong("headquarters", "it stands with more than host and port: leave that out")
        elif parts.scheme == "nats" and not is_loopback(parts.hostname):
            yield Wrong(
                "headquarters",
                f"{self.headquarters} is another machine: use tls://, or anybody on the way reads",
            )


@frozen
class HeadquartersSection:
    """`[headquarters]`: this broker is the operator's; it takes in the brokers of `sites` at
    `listen`, with the certificate of `[broker]`. `commands`: its pit's commands reach the sites'
    tables, which take them from keys that they name. Raises `SettingsError`.
    """

    sites: tuple[str, ...]
    listen: str = "127.0.0.1:7422"
    commands: bool = False

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not self.sites:
            yield Wrong("sites", "name them, as their own [site] does")
        yield from _names("sites", self.sites, "site")
        if not _port(self.listen):
            yield Wrong("listen", f"{self.listen!r} is no HOST:PORT")


@frozen
class BrokerConfig:
    """What the file says; `base` is its folder."""

    broker: BrokerSection
    site: SiteSection | None
    headquarters: HeadquartersSection | None
    base: Path


_SECTIONS: Final[dict[str, Any]] = {
    "broker": BrokerSection, "site": SiteSection, "headquarters": HeadquartersSection,
}  # fmt: skip


def load_broker(path: Path) -> BrokerConfig:
    """Read and check a broker's file. Raises `ConfigError`."""
    source, raw = read_toml(
        path, "there is no configuration {path}: controller/bus/README.md shows one"
    )
    problems = [unknown(name, _SECTIONS, "section") for name in raw if name not in _SECTIONS]
    read = {
        name: read_section(name, model, field_names(model), raw.get(name, {}), problems)
        for name, model in _SECTIONS.items()
        if name == "broker" or name in raw
    }
    if not problems:
        problems += _together(read)
    if problems:
        raise refusal(path, source, problems)
    return BrokerConfig(
        read["broker"], read.get("site"), read.get("headquarters"), path.resolve().parent
    )


def _together(read: dict[str, Any]) -> Iterator[Problem]:
    broker, headquarters = read["broker"], read.get("headquarters")
    if "site" in read and headquarters is not None:
        yield Problem("site", "a broker is a site's or the headquarters', not both: two files")
    if headquarters is None:
        return
    if broker.tables:
        yield Problem("broker.tables", "tables stand at their site's broker, not at headquarters'")
    for each in _listening("listen", headquarters.listen, broker.cert_file):
        yield Problem("headquarters.listen", each.text)


def _names(key: str, names: tuple[str, ...], what: str) -> Iterator[Wrong]:
    """Names stand in subjects, each once."""
    for name in names:
        if not TABLE.fullmatch(name):
            yield Wrong(key, f"{name!r} is no {what}'s name: use letters, digits, - and _")
        elif name in {PIT, HEADQUARTERS}:
            yield Wrong(key, f"{name} is taken: choose another name")
    if twice := {each for each in names if names.count(each) > 1}:
        yield Wrong(key, f"{', '.join(sorted(twice))} stands there twice")


def _listening(key: str, listen: str, certificate: str) -> Iterator[Wrong]:
    if not _port(listen):
        yield Wrong(key, f"{listen!r} is no HOST:PORT")
    elif not is_loopback(listen.rpartition(":")[0].strip("[]")) and not certificate:
        yield Wrong(
            key,
            f"{listen} is not this machine alone, and without TLS passwords could be read on the "
            "way: add broker.cert_file and broker.key_file",
        )


def _port(place: str) -> bool:
    """Whether a place ends with a port."""
    host, _, port = place.rpartition(":")
    return bool(host) and port.isdecimal() and 0 < int(port) <= 65_535

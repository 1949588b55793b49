"""The configuration of a pit: its sections and all its mistakes at once."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from controller.bus.messages import TABLE
from controller.config.bus_section import BusSection, is_loopback
from controller.config.one_section import field_names, read_section, unknown
from controller.config.pit_section import PitKey
from controller.config.problems import Problem, refusal
from controller.config.toml_file import read_toml
from controller.pit.accounts.roles import OF_PEOPLE, PitRole
from controller.pit.accounts.sessions import Lifetime
from controller.pit.alerts.settings import AlertSettings
from controller.pit.archive.storage.connections import ReadPassword
from controller.pit.directories.settings import PeopleSettings
from controller.pit.house_time import HouseTime
from controller.pit.line.buffer import BufferLimits
from controller.pit.sign_in.oidc.settings import OidcSection
from controller.pit.wall.settings import WallSettings
from drivers.settings.checks import Wrong, refuse

#: SQLite's addresses of files, the path after it.
_FILE: Final = "sqlite:///"
_POSTGRESQL_PORT: Final = 5432
#: How the certificate of a database elsewhere is checked (libpq's `sslmode`); all others fall back.
_CHECKED: Final = frozenset({"verify-ca", "verify-full"})
#: Of TLS 1.2: with keys of the moment, and authenticated as they encrypt. Those of 1.3 all are.
_CIPHERS: Final = "ECDHE+AESGCM:ECDHE+CHACHA20"
#: An origin, in small letters and without a port that goes without saying.
_ADDRESS: Final = re.compile(r"https://[a-z0-9._-]+(:(?!443$)\d{1,5})?")


class PitRefused(Exception):
    """The pit cannot start, or do what was asked; the text says what to change."""


@dataclass(frozen=True, slots=True)
class ArchiveSection:
    """`[archive]`: where records are kept, and how much the broker holds while the pit is away.

    `database` is a URL: `sqlite:///FILE` (beside the configuration) or `postgresql://…`, whose
    password may stand in `password_file`; of another machine its certificate is checked. `sites`:
    an operator's archive, whose broker mirrors those of these sites. Raises `SettingsError`.
    """

    database: str = "sqlite:///archive.db"
    password_file: Path | None = None
    buffer_days: float = 7
    buffer_gb: float = 8
    sites: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        for name in ("buffer_days", "buffer_gb"):
            if not getattr(self, name) > 0:
                yield Wrong(name, f"{name} is {getattr(self, name)}: use more than 0")
        for site in self.sites:
            if not TABLE.fullmatch(site):
                yield Wrong("sites", f"{site!r} is no site's name: use letters, digits, - and _")
        try:
            url = make_url(self.database)
        except ArgumentError:
            yield Wrong("database", "it is no URL: write sqlite:///archive.db or postgresql://…")
            return
        if url.get_backend_name() not in {"sqlite", "postgresql"} or (
            url.get_backend_name() == "sqlite" and not self.database.startswith(_FILE)
        ):
            yield Wrong("database", "write sqlite:///FILE or postgresql://USER@HOST/NAME")
        yield from _plain_line(url)
        if url.password is not None:
            yield Wrong(
                "database", "it holds a password: put that into a file, archive.password_file"
            )

    @property
    def limits(self) -> BufferLimits:
        """What the broker holds."""
        return BufferLimits(self.buffer_days, self.buffer_gb, self.sites)

    @property
    def server(self) -> tuple[str, int] | None:
        """Host and port of the database's server; None for a file, or a socket of this machine."""
        host, port = (url := make_url(self.database)).host, url.port
        return (host, port or _POSTGRESQL_PORT) if host else None

    def file(self, base: Path) -> Path | None:
        """The file of an embedded database; None for a server's."""
        if not self.database.startswith(_FILE):
            return None
        return base / self.database.removeprefix(_FILE)

    def url(self, base: Path) -> URL:
        """The database's URL, with its password; a file's path, taken from `base`, as it is.

        Raises `OSError`.
        """
        if (file := self.file(base)) is not None:
            return URL.create("sqlite", database=str(file))
        url = make_url(self.database)
        if (read_password := self.password_reader(base)) is not None:
            url = url.set(password=read_password())
        return url

    def password_reader(self, base: Path) -> ReadPassword | None:
        """Reads what stands in `password_file` by then; None: there is no such file."""
        if self.password_file is None:
            return None
        path = base / self.password_file
        return lambda: path.read_text(encoding="utf-8").strip()


def _plain_line(url: URL) -> Iterator[Wrong]:
    """Servers of a database on other machines, where nothing asks for their certificate."""
    if url.get_backend_name() != "postgresql" or url.query.get("sslmode") in _CHECKED:
        return
    named = url.query.get("host", ())
    for host in (url.host or "", *((named,) if isinstance(named, str) else named)):
        if host and not host.startswith("/") and not is_loopback(host):
            yield Wrong(
                "database",
                f"{host} is another machine: add ?sslmode=verify-full (and &sslrootcert=FILE for an"
                " authority of your own), or anybody on the way may read and answer",
            )


@dataclass(frozen=True, slots=True)
class PitWebSection:
    """`[web]`: where the pit's pages are served, and with which certificate.

    `address` is where browsers find them, such as `https://pit.example`; empty: on this machine.
    `cert_file` (with what leads to its authority) goes with `key_file`. Raises `SettingsError`.
    """

    host: str = "127.0.0.1"
    port: int = 8040
    max_viewers: int = 500
    address: str = ""
    cert_file: Path | None = None
    key_file: Path | None = None

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not is_loopback(self.host) and self.cert_file is None:
            yield Wrong(
                "host",
                f"{self.host} is not this machine alone, and without TLS passwords could be read "
                "on the way: add cert_file and key_file, or use 127.0.0.1 behind a proxy that has "
                "them",
            )
        if not is_loopback(self.host) and not self.address:
            yield Wrong("address", "say where browsers find it, such as https://pit.example")
        if self.address and not _ADDRESS.fullmatch(self.address):
            yield Wrong("address", f"{self.address!r} is none: write it like https://pit.example")
        if (self.cert_file is None) is not (self.key_file is None):
            yield Wrong("cert_file", "it goes with key_file: name both, or neither")
        if not 0 <= self.port <= 65_535:
            yield Wrong("port", f"port is {self.port}: choose 1 to 65535")
        if not 1 <= self.max_viewers <= 10_000:
            yield Wrong("max_viewers", f"max_viewers is {self.max_viewers}: choose 1 to 10000")

    def context(self, base: Path) -> ssl.SSLContext | None:
        """With what answers are encrypted; None: not here.

        Raises `OSError` (`ssl.SSLError` is one) for files that cannot be read or are none.
        """
        if self.cert_file is None or self.key_file is None:
            return None
        made = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        made.set_ciphers(_CIPHERS)
        made.load_cert_chain(base / self.cert_file, base / self.key_file)
        return made


@dataclass(frozen=True, slots=True)
class SignInSection:
    """`[sign_in]`: how long a session lasts without a request, and at most. Raises `SettingsError`.

    Sessions of viewers last while their page is open: a screen on a wall has no hands. A machine's
    token lasts `token_days`. Whoever has
    one of the roles `second_factor` signs in with an app or a passkey; `key_file` is the key under
    which secrets of apps are kept.
    """

    idle_minutes: float = 30
    hours: float = 12
    token_days: float = 365
    second_factor: tuple[str, ...] = ("engineer",)
    key_file: Path = Path("sign_in.key")

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        if not 1 <= self.idle_minutes <= 60 * 24:
            yield Wrong("idle_minutes", f"idle_minutes is {self.idle_minutes}: choose 1 to 1440")
        if not 0.1 <= self.hours <= 24 * 30:
            yield Wrong("hours", f"hours is {self.hours}: choose 0.1 to 720")
        if not 1 <= self.token_days <= 1_100:
            yield Wrong("token_days", f"token_days is {self.token_days}: choose 1 to 1100")
        people = [each.value for each in PitRole if each in OF_PEOPLE]
        for role in self.second_factor:
            if role not in people:
                yield Wrong("second_factor", f"{role!r} is none: choose of {', '.join(people)}")

    @property
    def lifetime(self) -> Lifetime:
        """The same, for sessions."""
        return Lifetime(self.idle_minutes, self.hours, self.token_days)

    @property
    def asked(self) -> frozenset[PitRole]:
        """The roles that a second factor is asked of."""
        return frozenset(PitRole(each) for each in self.second_factor)


TableName = Annotated[str, Field(pattern=f"^{TABLE.pattern}$")]


@dataclass(frozen=True, slots=True)
class ActsSection:
    """`[acts]`: where the key lies by which tables know this pit's commands.

    `tables` are the public keys of tables, by name, as `key.pub` in a table's record says them:
    what such a table has not signed is no answer of it.
    """

    key_file: Path = Path("acts.key")
    tables: dict[TableName, PitKey] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PitConfig:
    """What the file says; `base` is its folder."""

    bus: BusSection
    archive: ArchiveSection
    web: PitWebSection
    wall: WallSettings
    base: Path
    sign_in: SignInSection = field(default_factory=SignInSection)
    acts: ActsSection = field(default_factory=ActsSection)
    alerts: AlertSettings = field(default_factory=AlertSettings)
    oidc: OidcSection | None = None
    people: PeopleSettings = field(default_factory=PeopleSettings)
    house: HouseTime = field(default_factory=HouseTime)


#: Every section, and its model.
PIT_SECTIONS: Final[dict[str, Any]] = {
    "bus": BusSection, "archive": ArchiveSection, "web": PitWebSection, "wall": WallSettings,
    "sign_in": SignInSection, "acts": ActsSection, "alerts": AlertSettings,
    "oidc": OidcSection, "people": PeopleSettings, "house": HouseTime,
}  # fmt: skip
#: Those that have no default: one must be there, the other is an option.
_NOT_BY_DEFAULT: Final = frozenset({"bus", "oidc"})


def load_pit(path: Path) -> PitConfig:
    """Read and check a pit's configuration. Raises `ConfigError`."""
    source, raw = read_toml(
        path, "there is no configuration {path}: controller/pit/README.md shows one"
    )
    problems = [unknown(name, PIT_SECTIONS, "section") for name in raw if name not in PIT_SECTIONS]
    if "bus" not in raw:
        problems.append(Problem("bus", "missing. Add [bus] with servers, user and password_file"))
    read = {
        name: read_section(name, model, field_names(model), raw.get(name, {}), problems)
        for name, model in PIT_SECTIONS.items()
        if name not in _NOT_BY_DEFAULT or name in raw
    }
    if problems:
        raise refusal(path, source, problems)
    base = path.resolve().parent
    return PitConfig(
        read["bus"].below(base),
        read["archive"],
        read["web"],
        read["wall"],
        base,
        read["sign_in"],
        read["acts"],
        read["alerts"],
        read.get("oidc"),
        read["people"],
        read["house"],
    )

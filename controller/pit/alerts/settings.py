"""The section `[alerts]` of a pit's configuration: what calls whom, and when it goes further."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from controller.config.bus_section import is_loopback
from controller.pit.accounts.roles import PitRole
from controller.pit.archive.findings.findings import FindingKind
from drivers.settings.checks import Wrong, refuse


class AlertKind(Enum):
    """What is wrong; the value is its name in configuration, database and messages."""

    HELD = "held"
    ALARM = "alarm"
    OFFLINE = "offline"
    RECORD = "record"
    PACK = "pack"
    WIN = "win"
    CLOCK = "clock"
    DISK = "disk"
    BUS = "bus"
    ARCHIVE = "archive"
    SIGN_IN = "sign_in"
    RECEIVER = "receiver"
    FILL = "fill"
    REFUSED = "refused"
    TOKEN = "token"  # noqa: S105  (a kind, not a secret)


_FLOOR: Final = (PitRole.FLOOR, PitRole.PIT_BOSS)
_WATCH: Final = (PitRole.PIT_BOSS, PitRole.AUDITOR)
_MACHINES: Final = (PitRole.ENGINEER, PitRole.PIT_BOSS)
#: Who must act, one after the other, where the configuration names nobody.
WHO: Final = {
    AlertKind.HELD: _FLOOR, AlertKind.ALARM: (PitRole.FLOOR, PitRole.ENGINEER),
    AlertKind.OFFLINE: _FLOOR, AlertKind.RECORD: _MACHINES, AlertKind.PACK: _WATCH,
    AlertKind.WIN: _WATCH, AlertKind.CLOCK: _MACHINES, AlertKind.DISK: _MACHINES,
    AlertKind.BUS: _MACHINES, AlertKind.ARCHIVE: _MACHINES, AlertKind.SIGN_IN: _MACHINES,
    AlertKind.RECEIVER: _MACHINES, AlertKind.FILL: (PitRole.CAGE, PitRole.PIT_BOSS),
    AlertKind.TOKEN: _MACHINES, AlertKind.REFUSED: _MACHINES,
}  # fmt: skip
#: A name in an address, a header and a row of the database.
_NAME: Final = re.compile(r"[a-z0-9_-]{1,30}")
#: What an address is written in.
_PRINTED: Final = re.compile(r"[!-~]+")
_DAY_S: Final = 86_400
#: Each has a thread of its own.
MOST_RECEIVERS: Final = 20
#: Each limit, and what it may be.
_RANGES: Final = {
    "held_s": (1, _DAY_S), "alarm_s": (1, _DAY_S), "offline_s": (1, _DAY_S), "clock_s": (1, _DAY_S),
    "win_hours": (1, 720), "disk_gb": (0.1, 100_000), "sign_in_tries": (5, 100_000),
    "token_days": (1, 365), "refusals": (2, 1_000),
    "bus_s": (1, _DAY_S), "archive_s": (1, _DAY_S), "escalate_s": (10, _DAY_S),
    "again_s": (60, _DAY_S),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Webhook:
    """A receiver of alerts by HTTP: `secret_file` holds what messages are signed with.

    Raises `SettingsError`.
    """

    name: str
    url: str
    secret_file: Path

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        yield from _wrong_name(self.name)
        parts = _asked_for(self.url)
        if parts is None:
            text = "no such address can be asked: write https://HOST/PATH in a-z, others as xn--, %"
            yield Wrong("url", text)
        elif parts.scheme not in {"http", "https"} or not parts.hostname:
            yield Wrong("url", "it is no address: write https://HOST/PATH")
        elif parts.username is not None:
            yield Wrong("url", "it holds a password: messages are signed by secret_file instead")
        elif parts.scheme == "http" and not is_loopback(parts.hostname):
            yield Wrong("url", f"{parts.hostname} is not this machine: use https://")


@dataclass(frozen=True, slots=True)
class AppriseService:
    """A service that Apprise reaches: `address_file` holds its address, since that has a password.

    Raises `SettingsError`.
    """

    name: str
    address_file: Path

    def __post_init__(self) -> None:
        refuse(_wrong_name(self.name))


def _asked_for(url: str) -> SplitResult | None:
    """The parts of an address; None: no request for it can be made."""
    try:
        parts = urlsplit(url)
        # As a request encodes it, which also says whether a name is none.
        (parts.hostname or "").encode("idna")
        can_be_asked = parts.port != 0 and _PRINTED.fullmatch(url) is not None
    except ValueError:
        return None
    return parts if can_be_asked else None


def _wrong_name(name: str) -> Iterator[Wrong]:
    if not _NAME.fullmatch(name):
        yield Wrong("name", f"{name!r} is none: use up to 30 of a-z, 0-9, - and _")


@dataclass(frozen=True, slots=True)
class AlertSettings:
    """`[alerts]`: limits in their units, 0 for a rule that is off; who acts, and how soon.

    A hold older than `held_s`, an alarm of a table that nobody has seen for `alarm_s` (a device
    that is down, a disk that fills, a camera that drifted, a day that is overdue), a table offline
    for `offline_s`, a clock off by `clock_s`, the line to the bus away for `bus_s`, nothing
    archived for `archive_s` although it is there, less than `disk_gb` free, `sign_in_tries` wrong
    tries of strangers within a day, a machine's token that ends within `token_days`, `refusals` on
    the audit within a day of one user who asked for what another role may do. Messages that a
    receiver never took are an alert of their own. `win_hours`: the sequential test has warned
    within them, or warns at the table. `pack`: the newest shoe does not add up, or the table warns
    of its pack. `fill`: one was asked for, and no slip says that it came. `findings` of the
    archive. So many tables as `storm` with one trouble are one alert. Unanswered for `escalate_s`
    it goes to the next of `who`, by kind. Whoever answered has it in hand for `again_s`, and while
    signed in: then it is nobody's again. Raises `SettingsError`.
    """

    held_s: float = 120
    alarm_s: float = 120
    offline_s: float = 30
    clock_s: float = 30
    bus_s: float = 10
    archive_s: float = 30
    disk_gb: float = 2
    sign_in_tries: int = 50
    token_days: float = 14
    refusals: int = 10
    win_hours: float = 24
    pack: bool = True
    fill: bool = True
    findings: tuple[FindingKind, ...] = tuple(
        each for each in FindingKind if each is not FindingKind.CLOCK
    )
    storm: int = 5
    escalate_s: float = 180
    again_s: float = 900
    who: dict[AlertKind, tuple[PitRole, ...]] = field(default_factory=dict)
    webhooks: tuple[Webhook, ...] = ()
    apprise: tuple[AppriseService, ...] = ()

    def __post_init__(self) -> None:
        refuse(self._problems())

    def _problems(self) -> Iterator[Wrong]:
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            needed = name in {"escalate_s", "again_s"}
            if (needed or value != 0) and not low <= value <= high:
                off = "" if needed else ", or 0 for no such alert"
                yield Wrong(name, f"{name} is {value}: choose {low} to {high}{off}")
        if not 2 <= self.storm <= 1_000:
            yield Wrong("storm", f"storm is {self.storm}: choose 2 to 1000 tables")
        for kind, roles in self.who.items():
            if not roles or len(set(roles)) != len(roles):
                yield Wrong("who", f"{kind.value}: name one role or more, each once")
            if PitRole.MACHINE in roles:
                yield Wrong("who", f"{kind.value}: a machine answers no alert; name people's roles")
        if len(set(self.receivers)) != len(self.receivers):
            yield Wrong("webhooks", "two receivers have one name: give each its own")
        if len(self.receivers) > MOST_RECEIVERS:
            text = f"{len(self.receivers)} are named: name {MOST_RECEIVERS} receivers at most"
            yield Wrong("webhooks", text)

    @property
    def receivers(self) -> tuple[str, ...]:
        """The names of all receivers."""
        hooks = tuple(each.name for each in self.webhooks)
        return hooks + tuple(each.name for each in self.apprise)

    def acts(self, kind: AlertKind, step: int) -> PitRole:
        """Who must act on an alert that went further `step` times."""
        roles = self.who.get(kind, WHO[kind])
        return roles[min(step, len(roles) - 1)]

    def last_step(self, kind: AlertKind) -> int:
        """How often an alert goes further at most."""
        return len(self.who.get(kind, WHO[kind])) - 1

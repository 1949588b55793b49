"""What may be wrong, as it was heard and read: all that the rules of alerts look at. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from controller.pit.accounts.sessions import TokenEnd
from controller.pit.archive.books.asked_rows import FillWaits
from controller.pit.archive.findings.finding_rows import FindingRow
from controller.pit.archive.findings.standstill import ArchiveStandstill
from controller.pit.wall.tile import Heard, Unread


@dataclass(frozen=True, slots=True)
class PackOff:
    """The newest shoe of a table does not add up."""

    table: str
    at_ms: int
    missing: int


@dataclass(frozen=True, slots=True)
class WinOff:
    """What a table wins has left its interval."""

    table: str
    at_ms: int
    times: int


@dataclass(frozen=True, slots=True)
class Untaken:
    """A receiver never took `count` messages, the first of which waits since then; `answer` came
    of the last try.
    """

    receiver: str
    count: int
    since_ms: int
    answer: str


@dataclass(frozen=True, slots=True)
class Sight:
    """All that rules look at. `up_since_ms`: the bus is there since then; None: it is not.

    `expected` are tables of the configuration, `unread` those that speak and cannot be read,
    `retired` those that are out of service: nothing of them calls anybody. `disk_free` is in bytes,
    None: not known.
    """

    now_ms: int
    heard: Mapping[str, Heard]
    up_since_ms: int | None
    down_since_ms: int = 0
    down_why: str = ""
    expected: frozenset[str] = frozenset()
    unread: Mapping[str, Unread] = field(default_factory=dict)
    retired: frozenset[str] = frozenset()
    findings: tuple[FindingRow, ...] = ()
    packs: tuple[PackOff, ...] = ()
    wins: tuple[WinOff, ...] = ()
    fills: tuple[FillWaits, ...] = ()
    wrong_tries: int = 0
    untaken: tuple[Untaken, ...] = ()
    tokens: tuple[TokenEnd, ...] = ()
    refused: Mapping[str, int] = field(default_factory=dict)
    disk_free: int | None = None
    standstill: ArchiveStandstill | None = None
    silent_s: float = field(default=6)

    def in_service(self) -> Self:
        """The same without the tables that are out of service."""
        if not (gone := self.retired):
            return self
        return replace(
            self,
            heard={name: each for name, each in self.heard.items() if name not in gone},
            expected=self.expected - gone,
            findings=tuple(each for each in self.findings if each.table not in gone),
            packs=tuple(each for each in self.packs if each.table not in gone),
            wins=tuple(each for each in self.wins if each.table not in gone),
            fills=tuple(each for each in self.fills if each.table not in gone),
        )

"""What the next record of a table is read with, and the rows that records add. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from controller.odds.live.leak_watch import LeakWatch
from controller.table.facts import Record

#: Another form of the books, or another way to make them: they are made again from the records.
FORM: Final = 9

QUARTER_MS: Final = 900_000


def quarter_of(at_ms: int) -> int:
    """When the quarter of an hour began in which something happened: hours are those of a house's
    clocks, which are off from UTC by quarters of an hour.
    """
    return at_ms // QUARTER_MS * QUARTER_MS


Values = dict[str, Any]
"""The columns of a row."""


@dataclass(slots=True)
class RackNow:
    """The rack of a table: its newest shift (empty: it was never opened) and its drop box."""

    shift: Values = field(default_factory=dict)
    is_open: bool = False
    box: str = ""
    box_since: int = 0


@dataclass(slots=True)
class FoldState:
    """What the next record is read with. `rounds` is the number of the last round that is over,
    `ended_ms` when it was; `source` the reader of the newest card; `stops` the open holds; `asked`
    what stands of what the pit asked for, `asker` who of it asked last, by record `asker_seq`.
    `currencies` are pairs: from which round on amounts are in which currency.
    """

    day: str = ""
    dealer: str = ""
    game: str = ""
    currencies: list[tuple[int, str]] = field(default_factory=list)
    seats: int = 0
    buy_ins: bool = False
    pack: str = ""
    source: str = ""
    rounds: int = 0
    ended_ms: int = 0
    rack: RackNow = field(default_factory=RackNow)
    stops: dict[int, Values] = field(default_factory=dict)
    asked: dict[int, Values] = field(default_factory=dict)
    asker: str = ""
    asker_seq: int = 0
    watch: LeakWatch = field(default_factory=LeakWatch)

    @property
    def shift(self) -> int:
        """The shift of the rack that goes on; 0: none does."""
        return int(self.rack.shift["number"]) if self.rack.is_open else 0

    def key(self, at_ms: int) -> TallyKey:
        """The row of tallies of what happens now."""
        quarter = quarter_of(at_ms)
        return TallyKey(self.day, quarter, self.shift, self.game, self.dealer, self.currency)

    @property
    def currency(self) -> str:
        """What amounts are in now; empty before the table has said so."""
        return self.currencies[-1][1] if self.currencies else ""

    def set_currency(self, currency: str) -> None:
        """From the next round on amounts are in that currency."""
        if currency != self.currency:
            self.currencies.append((self.rounds + 1, currency))

    def currency_of(self, round_: int) -> str:
        """What the amounts of a round are in."""
        return next((each for first, each in reversed(self.currencies) if first <= round_), "")


class TallyKey(NamedTuple):
    """What a row of tallies is about."""

    day: str
    quarter_ms: int
    shift: int
    game: str
    dealer: str
    currency: str


class ReadKey(NamedTuple):
    """What a row of reads is about."""

    day: str
    pack: str
    source: str


@dataclass(frozen=True, slots=True)
class EarlierRound:
    """What the archive has of a round that is over; `put_right` is how often it was corrected or
    made void, up to its newest record.
    """

    seq: int
    began_ms: int
    game: str
    dealer: str
    put_right: int


class Earlier(Protocol):
    """What was archived, or is kept, of a table before the records that are read now."""

    def slip(self, number: int) -> Values | None:
        """A slip."""

    def asked_by_slip(self, slip: int) -> Values | None:
        """The fill that was asked for, and came by that slip."""

    def round(self, number: int) -> EarlierRound | None:
        """A round."""

    def records(self, round_: int, before: int) -> Iterable[Record]:
        """The records of a round, and those before record `before` that put it right later."""


@dataclass(slots=True)
class Rows:
    """What records add to the books of one table; rows of the same key replace each other."""

    shifts: dict[int, Values] = field(default_factory=dict)
    slips: dict[int, Values] = field(default_factory=dict)
    stops: dict[int, Values] = field(default_factory=dict)
    asked: dict[int, Values] = field(default_factory=dict)
    shoes: list[Values] = field(default_factory=list)
    leaks: list[Values] = field(default_factory=list)
    tallies: dict[TallyKey, defaultdict[str, int]] = field(default_factory=dict)
    reads: dict[ReadKey, defaultdict[str, int]] = field(default_factory=dict)
    cards: set[tuple[str, int, int, int]] = field(default_factory=set)
    amounts: set[tuple[int, int, int, int]] = field(default_factory=set)

    def tally(self, key: TallyKey) -> defaultdict[str, int]:
        """The figures of a quarter of an hour, to be added to."""
        found = self.tallies.get(key)
        if found is None:
            found = self.tallies[key] = defaultdict(int)
        return found

    def read(self, key: ReadKey) -> defaultdict[str, int]:
        """The figures of a pack and a reader, to be added to."""
        found = self.reads.get(key)
        if found is None:
            found = self.reads[key] = defaultdict(int)
        return found

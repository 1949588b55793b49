"""Tables that play on whatever becomes of the bus: their records, and their real forwarders."""

from __future__ import annotations

import asyncio
import hashlib
import os
import pickle
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from controller.bus.forwarder import Forwarder
from controller.config.bus_section import BusSection
from controller.pit.archive.hand_results import STEPS, hand_results
from controller.record.codec import VERSION, encode
from controller.record.files.chain_store import Beginning, Row, chain
from controller.record.files.day_writer import ChainWriter
from controller.record.files.head_anchor import Position, genesis
from controller.table.facts import (
    BetsClosed,
    DummyBegan,
    Fact,
    Record,
    RoundCorrected,
    RoundVoided,
    SettledRoundVoided,
)
from tests.bench.pit.sitting import SittingPlace, TableNumbers, play, uses
from tests.bench.pit.told import orders
from tests.support.dealt.journals import DAY

BEGAN_MS: Final = 1_767_225_600_000  # 2026-01-01
#: What the kinds of tables record, in the folder of all.
PLAYED: Final = "played"


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """What a table records: bodies of its records, and how many rows the archive makes of them."""

    bodies: tuple[bytes, ...]
    rounds: tuple[int, ...]
    paid: tuple[int, ...]


def played(game: str, count: int) -> PlayedTable:
    """So many records of a game, sitting after sitting."""
    dealt, before = play(game, 1), TableNumbers()
    found: list[Record] = []
    for turn in range(count // len(dealt) + 1):
        place = SittingPlace(before, BEGAN_MS + turn * 14_400_000, [f"d{at}" for at in range(6)])
        found += place.records(dealt)
        before = before.after(uses(dealt))
    del found[count:]
    rounds = [each.seq for each in found if isinstance(each.fact, BetsClosed | DummyBegan)]
    paid = [each.seq for each in found for _ in range(_payments(each.fact))]
    return PlayedTable(tuple(map(encode, found)), tuple(rounds), tuple(paid))


def _payments(fact: Fact) -> int:
    if type(fact) in STEPS:
        return sum(each.net is not None for each in hand_results(fact))
    if isinstance(fact, RoundVoided | SettledRoundVoided | RoundCorrected):
        return len(fact.owed)
    return 0


class AwayTable:
    """A table that plays on whatever becomes of the bus."""

    def __init__(self, name: str, folder: Path, url: str, bodies: tuple[bytes, ...]) -> None:
        self.name = name
        self._bodies = bodies
        (folder / name).mkdir()
        self._identity = hashlib.sha256(name.encode()).digest()
        beginning = Beginning(self._identity, DAY, genesis(self._identity))
        self._day = ChainWriter(folder / name, beginning, beginning.after)
        password = folder / f"{name}.password"
        password.write_text("secret")
        self.line = Forwarder(
            name, folder / name, BusSection((url,), name, password),
            status=lambda: (self._day.head.seq, b"{}"), software="bench",
            clock_ms=lambda: time.time_ns() // 1_000_000,
        )  # fmt: skip

    def record(self, until: int) -> Position:
        """Record on to that number; the last record. Blocks."""
        seq, previous = self._day.head
        rows = []
        for body in self._bodies[seq:until]:
            seq += 1
            previous = chain(previous, seq, VERSION, body)
            rows.append(Row(seq, VERSION, body, previous))
        self._day.add(rows)
        self._day.mark()
        return self._day.head

    def close(self) -> None:
        """The record is closed."""
        self._day.close()


def play_tables(folder: Path, names: list[str], url: str, told: Connection) -> None:
    """Tables in a process of their own: as often as they are told a number they record on to it.

    Each answer is the process's id and every table's last record.
    """
    asyncio.run(_play_on(folder, names, url, told))


async def _play_on(folder: Path, names: list[str], url: str, told: Connection) -> None:
    kinds: list[PlayedTable] = pickle.loads((folder / PLAYED).read_bytes())
    tables = [AwayTable(each, folder, url, kind_of(each, kinds).bodies) for each in names]
    forwarding: list[asyncio.Future[None]] = []
    async for until in orders(told):
        heads = {each.name: each.record(until) for each in tables}
        for each in tables:
            each.line.wake()
        forwarding = forwarding or [asyncio.ensure_future(each.line.run()) for each in tables]
        told.send((os.getpid(), heads))
    for line in forwarding:
        line.cancel()
    await asyncio.gather(*forwarding, return_exceptions=True)
    for each in tables:
        each.close()


def kind_of(name: str, kinds: list[PlayedTable]) -> PlayedTable:
    """What a table plays."""
    return kinds[int(name[1:]) % len(kinds)]

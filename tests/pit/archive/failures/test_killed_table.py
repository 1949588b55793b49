"""A table that is killed while it commits and forwards: the archive has every record of it once,
and never one that the table's own disk has not.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final, Self

import pytest
from sqlalchemy import Engine

from controller.record.files.chain_store import chain
from controller.record.files.head_anchor import genesis
from controller.record.reading.record_tail import RecordTail
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.pit.archive.failures import killed_table
from tests.pit.archive.test_pit import archived, broker, engine, pit_at, running, until, verified
from tests.support.patience import PATIENCE_S

__all__ = ["broker", "engine"]
pytestmark = pytest.mark.anyio
SEED: Final = 16
#: How often it is killed, and how much it records in all.
FEW, MANY = (3, 200), (50, 800)
#: It lives so long at most once it is up.
LIFE_S: Final = 0.3


class KilledTable:
    """The table as a process."""

    def __init__(self, folder: Path, broker: NatsServer, count: int) -> None:
        self._record = folder / "record"
        password = folder / "T1.password"
        password.write_text(PASSWORDS["T1"])
        command = [sys.executable, "-m", killed_table.__name__]
        self._process = subprocess.Popen(
            [*command, str(self._record), str(password), broker.url, str(count)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._said() == "ready"
        self._pid = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
        self._process.communicate()

    def _said(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def start(self) -> None:
        """Returns when it forwards."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._pid = int(self._said())
        assert self._said() == "up"

    def kill(self) -> None:
        """Whatever it does, it is gone."""
        os.kill(self._pid, signal.SIGKILL)
        self._pid = 0
        while self._said() != "gone":
            """It may have said before that it was done."""

    def play_out(self) -> None:
        """Returns when all is recorded."""
        assert self._said() == "done"

    def rows(self) -> list[tuple[Any, ...]]:
        """What lies on its disk."""
        found = list[tuple[Any, ...]]()
        with closing(RecordTail(self._record)) as tail:
            at = genesis(self._identity(tail))
            while more := tail.after(at):
                found += map(tuple, more)
                at = type(at)(more[-1].seq, more[-1].hash)
        return found

    def identity(self) -> bytes:
        with closing(RecordTail(self._record)) as tail:
            return self._identity(tail)

    def _identity(self, tail: RecordTail) -> bytes:
        head = tail.head()
        assert head is not None
        return head[0]


async def in_time(what: Callable[[], None]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.to_thread(what)


async def test_a_table_that_is_killed_while_it_forwards_loses_and_doubles_nothing(
    tmp_path: Path, broker: NatsServer, engine: Engine, long_form: bool
) -> None:
    chance = Random(SEED)
    kills, count = MANY if long_form else FEW
    with KilledTable(tmp_path, broker, count) as table:
        async with running(pit_at(broker, engine, tmp_path)) as pit:
            for _ in range(kills):
                await in_time(table.start)
                await asyncio.sleep(chance.uniform(0, LIFE_S))
                await in_time(table.kill)
                has = await asyncio.to_thread(archived, engine)
                assert has == table.rows()[: len(has)], "nothing is forwarded before it is recorded"
            await in_time(table.start)
            await in_time(table.play_out)
            shown = await until(pit, verified(count))
        rows, identity = table.rows(), table.identity()
    # One that dies while it is asked leaves a gap for as long as it is away.
    assert [each for each in shown.findings if each.kind != "gap" or each.settled_ms is None] == []
    assert archived(engine) == rows
    assert [each[0] for each in rows] == list(range(1, count + 1))
    at = genesis(identity).hash
    for seq, version, body, hash_ in archived(engine):
        at = chain(at, seq, version, body)
        assert at == hash_

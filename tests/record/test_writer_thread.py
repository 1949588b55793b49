"""The writer thread: a fast disk is waited for, a slow one stops no loop, a defect is not lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from controller.record.files.chain_store import Beginning, Row
from controller.record.files.day_writer import ChainWriter
from controller.record.files.head_anchor import Position
from controller.record.files.openings import Opening
from controller.record.journal import Journal
from controller.record.writer_thread import PATIENCE_S, WriterThread
from tests.support.pit import Pit, opened

pytestmark = pytest.mark.anyio


class GatedWriter(ChainWriter):
    """A disk whose writes wait until the gate is opened."""

    opened = threading.Event()

    def add(self, rows: Sequence[Row], openings: Sequence[Opening] = ()) -> None:
        assert self.opened.wait(30)
        super().add(rows, openings)


class Defect(Exception):
    """What no disk raises."""


class Defective(ChainWriter):
    """A writer with a defect of ours."""

    def __init__(self, folder: Path, beginning: Beginning, head: Position) -> None:
        raise Defect("a defect")


def played() -> Pit:
    return opened(seats=1)


@pytest.fixture
def gate() -> Iterator[type[GatedWriter]]:
    GatedWriter.opened.clear()
    yield GatedWriter
    GatedWriter.opened.set()


async def test_the_loop_goes_on_while_a_slow_disk_writes(
    tmp_path: Path, gate: type[GatedWriter]
) -> None:
    journal = Journal(tmp_path / "record", writer=gate)
    try:
        appending = asyncio.create_task(journal.append(played().records))
        for _ in range(5):  # the loop turns although nothing has been written
            await asyncio.sleep(PATIENCE_S)
        assert not appending.done()
        gate.opened.set()
        await asyncio.wait_for(appending, 30)
        assert journal.head.seq == len(played().records)
    finally:
        gate.opened.set()
        journal.close()


async def test_what_a_fast_disk_wrote_is_there_when_append_returns(tmp_path: Path) -> None:
    pit = played()
    journal = Journal(tmp_path / "record")
    try:
        for record in pit.records:
            await journal.append([record])
            assert journal.head.seq == record.seq
    finally:
        journal.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_defect_in_the_thread_reaches_whoever_waits(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "record", writer=Defective)
    try:
        with pytest.raises(Defect):
            await asyncio.wait_for(journal.append(played().records), 30)
    finally:
        journal.close()


async def test_jobs_are_carried_out_in_order_and_to_their_end() -> None:
    done: list[str] = []

    def work(job: str) -> Iterator[None]:
        done.append(job)
        yield
        done.append(f"rest of {job}")

    thread = WriterThread(work)
    for job in "abc":
        thread.submit(job)
    thread.close()
    assert done == ["a", "rest of a", "b", "rest of b", "c", "rest of c"]

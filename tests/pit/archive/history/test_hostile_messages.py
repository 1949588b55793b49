"""What a table could send that is no record: each is a finding, and no other table waits for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.bus.messages import RecordBatch, RefillRequest, batch, encode
from controller.pit.archive.archivist import Archivist, Arrived
from controller.pit.archive.findings.findings import FindingKind
from controller.pit.archive.overview import overview
from controller.pit.archive.storage.database import open_database
from controller.pit.archive.store import Store
from controller.pit.wall.status import UnreadableStatus, read_news
from controller.record.codec import VERSION
from controller.record.files.chain_store import Row, chain
from controller.record.files.head_anchor import genesis
from tests.pit.archive.messages import message, rows
from tests.support.dealt.journals import IDENTITY

OTHER = b"\x22" * len(IDENTITY)
DEEP = b"[" * 100_000 + b"]" * 100_000
HASH = b"00" * 32


def claimed(seq: int) -> bytes:
    """A message whose records are said to follow this number."""
    return b'{"table":"T2","identity":"%b","after":{"seq":%d,"hash":"%b"},"records":[]}' % (
        OTHER.hex().encode(), seq, HASH,
    )  # fmt: skip


MESSAGES = {
    "nothing": b"",
    "no JSON": b"hello",
    "null": b"null",
    "no UTF-8": b'{"table":"T2\xff"}',
    "nested without end": b'{"table":"T2","more":%b}' % DEEP,
    "below the first record": claimed(-1),
    "far below": claimed(-(10**30)),
    "a number too large": claimed(10**30),
    "no hash": b'{"table":"T2","identity":"zz","after":{"seq":0,"hash":"zz"},"records":[]}',
}


def archived(folder: Path, body: bytes) -> tuple[int, set[tuple[str, str]]]:
    """Where table T1 stands, whose records came before and after; and the kinds of findings."""
    journal = rows(7, 20)
    engine = open_database(f"sqlite:///{folder / 'archive.db'}")
    store = Store(engine, lambda: 5_000)

    async def ask(_name: str, _request: RefillRequest) -> RecordBatch | None:
        return None

    async def run() -> None:
        archivist = Archivist(store, ask, lambda: 5_000)
        await archivist.load()
        writing = asyncio.ensure_future(archivist.run())
        came = [("T1", encode(message(journal, 1, 10))), ("T2", body),
                ("T1", encode(message(journal, 11, 20)))]  # fmt: skip
        for buffer, (name, each) in enumerate(came, 1):
            await archivist.hear_records(Arrived(name, each, buffer))
        # What is waited for is in the database.
        while not writing.done() and await archivist.buffer_read() < len(came):  # noqa: ASYNC110
            await asyncio.sleep(0)
        writing.cancel()
        await asyncio.wait((writing,))
        assert writing.cancelled(), writing.exception()

    asyncio.run(run())
    cursor = store.cursor("T1")
    assert cursor is not None
    found = {
        (each.table, each.kind) for each in overview(engine, 5_000, "", archives=True).findings
    }
    engine.dispose()
    return cursor.at.seq, found


@pytest.mark.parametrize("what", MESSAGES)
def test_a_message_that_is_none_is_a_finding(tmp_path: Path, what: str) -> None:
    assert archived(tmp_path, MESSAGES[what]) == (20, {("T2", FindingKind.NO_MESSAGE.value)})


def test_a_record_that_is_nested_without_end_is_archived_unread(tmp_path: Path) -> None:
    """Its chain holds, since whoever sends it made it."""
    body = b'["DeviceUp/1",1,1,"x",{"device":"scanner","more":%b}]' % DEEP
    first = genesis(OTHER)
    row = Row(1, VERSION, body, chain(first.hash, 1, VERSION, body))
    found = archived(tmp_path, encode(batch("T2", OTHER, first, [row])))
    assert found == (20, {("T2", FindingKind.UNREADABLE.value)})


@pytest.mark.parametrize("seq", [-1, -(10**30), 10**30])
def test_a_head_of_no_number_is_a_finding(tmp_path: Path, seq: int) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    store = Store(engine, lambda: 5_000)
    store.take([("T1", message(rows(7, 5), 1, 5))])
    news = (
        b'{"table":"T1","identity":"%b","head":{"seq":%d,"hash":"%b"},"at_ms":5000,"software":""}'
    )

    async def run() -> None:
        async def ask(_name: str, _request: RefillRequest) -> RecordBatch | None:
            return None

        archivist = Archivist(store, ask, lambda: 5_000)
        await archivist.heads.look({"T1": news % (IDENTITY.hex().encode(), seq, HASH)})

    asyncio.run(run())
    (found,) = overview(engine, 5_000, "", archives=True).findings
    assert found.kind == FindingKind.NO_MESSAGE.value
    engine.dispose()


@pytest.mark.parametrize("body", [b"", b'{"table":"\xff"}', b'{"more":%b}' % DEEP])
def test_a_status_that_is_none_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadableStatus):
        read_news(body)

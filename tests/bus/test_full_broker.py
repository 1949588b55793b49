"""A broker that has no room for records: the table plays on, and sends them once there is some."""

from __future__ import annotations

from pathlib import Path

import pytest
from nats.js.api import DiscardPolicy, StreamConfig

from controller.bus.messages import STREAM, RecordBatch, Topic, decode, row_of, subject
from controller.record.files.chain_store import Row
from tests.bus.nats_server import NatsServer
from tests.bus.test_forwarder import (
    ForwardedTable,
    RecordListener,
    forwarding,
    listening,
    lost,
    well,
)

pytestmark = pytest.mark.anyio

FULL_BYTES = 6_000


async def set_room(pit: RecordListener, max_bytes: int) -> None:
    """The buffer refuses what it has no room for, rather than let go of what nobody has taken."""
    await pit.client.jetstream().update_stream(
        StreamConfig(
            name=STREAM, subjects=[subject("*", Topic.RECORDS)], max_bytes=max_bytes,
            discard=DiscardPolicy.NEW,
        )
    )  # fmt: skip


async def buffered(pit: RecordListener) -> list[Row]:
    """The records in the buffer, in its order."""
    stream = pit.client.jetstream()
    held = (await stream.stream_info(STREAM)).state
    found: list[Row] = []
    for seq in range(max(1, held.first_seq), held.last_seq + 1):
        message = await stream.get_msg(STREAM, seq)
        found += map(row_of, decode(message.data or b"", RecordBatch).records)
    return found


async def test_a_full_broker_is_said_and_gets_all_of_it_once_it_has_room(
    tmp_path: Path,
) -> None:
    with NatsServer(tmp_path / "nats") as broker:
        await _filled(ForwardedTable(tmp_path, broker), broker)


async def _filled(table: ForwardedTable, broker: NatsServer) -> None:
    async with listening(broker) as pit, forwarding(table):
        await pit.announced()
        await set_room(pit, FULL_BYTES)
        table.commit(60)
        why = await lost(table)
        assert "the broker takes no records" in why
        assert "maximum bytes exceeded" in why
        assert await buffered(pit) == []
        table.commit(5)  # it plays on
        assert table.line.link.since_ms is not None
        await set_room(pit, -1)
        await well(table)
        table.commit(1)
        await pit.until(table.seq)
        # What was recorded meanwhile is there, link by link, and nothing was left out.
        assert await buffered(pit) == table.rows()[3:]

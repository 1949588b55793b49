"""What forwarding to the bus costs a table: last wire byte to lamp with it and without, in pairs.

Three tables, each a process of its own, take cards in turns: two without a bus, whose difference is
that of the machine, and one that forwards its record and status to a real nats-server. A median of
the differences of pairs says more than one of the medians: both had the machine's mood of the same
moment.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Final

import msgspec
from nats.aio.client import Client
from nats.js import JetStreamContext

from controller.assembly.pit_bus import forward
from controller.bus.forwarder import Forwarder
from controller.bus.messages import STREAM
from controller.bus.server_conf import PIT, inbox
from controller.config.bus_section import BusSection
from controller.pit.line.buffer import BufferLimits
from controller.record.journal import Journal
from controller.service.loop import Service
from controller.service.status_view import status
from tests.bench.live_path import PAUSE_S, WARM, BenchTable, stop_all
from tests.bench.pit.told import orders, told_process
from tests.bench.table import BenchLine, microseconds, print_table, quantile
from tests.bus.nats_server import PASSWORDS, NatsServer

PAIRS: Final = 300
PROMISE: Final = 0.05
_ALONE, _OTHER, _WITH = "alone", "another one", "with a bus"
_NAMES: Final = (_ALONE, _WITH, _OTHER)
_USER: Final = "T1"


def lines(pairs: int = PAIRS) -> list[BenchLine]:
    """The rows of this part."""
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as place, ExitStack() as stack:
        folder = Path(place)
        broker = stack.enter_context(NatsServer(folder / "nats"))
        asyncio.run(_make_buffer(broker.url))
        tables = {
            name: stack.enter_context(
                told_process(_plays, folder, name, broker.url if name == _WITH else "")
            )
            for name in _NAMES
        }
        took = {name: list[float]() for name in _NAMES}
        for turn in range(WARM + pairs):
            # Each is as often the first, the second and the last.
            for at in range(len(_NAMES)):
                name = _NAMES[(turn + at) % len(_NAMES)]
                tables[name].send(None)
                sample = tables[name].recv()
                if turn >= WARM:
                    took[name].append(sample)
        sent = asyncio.run(_messages(broker.url))
    assert sent >= pairs, "it forwards"
    return [
        *(
            BenchLine(f"wire byte to lamp, a table {name}", microseconds(quantile(some, 0.5)),
                      microseconds(quantile(some, 0.99)))
            for name, some in took.items()
        ),
        _more(f"  more with a bus ({sent:,} messages)", took[_WITH], took[_ALONE], PROMISE),
        _more("  more of another table alone: the machine's own", took[_OTHER], took[_ALONE]),
    ]  # fmt: skip


def _more(
    what: str, some: list[float], others: list[float], promise: float | None = None
) -> BenchLine:
    half = median(others)
    more = median(one - other for one, other in zip(some, others, strict=True)) / half
    figure = f"{100 * more:+.1f} % ({100 * (median(some) / half - 1):+.1f} %)"
    if promise is None:
        return BenchLine(what, figure)
    return BenchLine(what, figure, "", f"<= {100 * promise:.0f} % at p50", more <= promise)


@asynccontextmanager
async def broker_line(url: str) -> AsyncIterator[JetStreamContext]:
    """The pit's user at the broker."""
    client = Client()
    await client.connect(url, user=PIT, password=PASSWORDS[PIT], inbox_prefix=inbox(PIT))
    try:
        yield client.jetstream()
    finally:
        await client.close()


async def _make_buffer(url: str) -> None:
    async with broker_line(url) as stream:
        await stream.add_stream(BufferLimits().stream())


async def _messages(url: str) -> int:
    async with broker_line(url) as stream:
        return (await stream.stream_info(STREAM)).state.messages


def _plays(folder: Path, name: str, url: str, told: Connection) -> None:
    asyncio.run(_play(folder, name, url, told))


async def _play(folder: Path, name: str, url: str, told: Connection) -> None:
    """Take a card that moves the lamps whenever told to, and say how long that took, in s."""
    table = BenchTable(folder, name, Journal)
    async with AsyncExitStack() as stack:
        await table.open(stack)
        if url:
            line = _line(folder, name, url, table.service)
            mirroring = asyncio.ensure_future(forward(line, table.service))
            stack.push_async_callback(stop_all, [mirroring])
        async for _ in orders(told):
            took = None
            while took is None:
                await asyncio.sleep(PAUSE_S)
                took = await table.next_card()
            told.send(took)


def _line(folder: Path, name: str, url: str, service: Service) -> Forwarder:
    """As a table with `[bus]` has it."""
    password, encode = folder / "password", msgspec.json.Encoder().encode
    password.write_text(PASSWORDS[_USER])

    def shown() -> tuple[int, bytes]:
        now = status(service)
        return now.seq, encode(now)

    return Forwarder(
        _USER, folder / name, BusSection((url,), _USER, password), status=shown,
        clock_ms=service.clock.wall_ms, software="bench",
        newest=service.recorder.newest_rows,
    )  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pit.bus_cost")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    print_table(lines(parser.parse_args().pairs))

"""A studio's table: how soon a fact reaches many consumers of the feed, how fast one catches up,
and what becomes of bets that come in the last moment of a window.

Consumers and players are a process of their own, as they are at another machine.
"""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.devices.inputs import Condition, Health, Reading
from controller.rules.actions import Action
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.service.loop import Service
from controller.table import inputs as i
from controller.table.decide.remote_players.windows import closes_at_ns
from controller.table.inputs import WindowTimes
from controller.web.app import create_app
from controller.web.server.connections import Connections
from controller.web.server.server import WebServer
from controller.web.settings import WebSettings
from tests.bench.table import BenchLine, print_table, quantile
from tests.support.dealt.journals import dealing, fill
from tests.support.pit import SCANNER, setup

TOKEN = "bench-token-0123456789"
SEATS = 7
CONSUMERS, STALLED, FACTS = 500, 50, 40
BEHIND = 40_000
DECISIONS, LAST_MS = 200, 100
FACT = b"\nevent: fact\n"


@asynccontextmanager
async def _table(folder: Path, times: WindowTimes) -> AsyncIterator[tuple[Service, str, int]]:
    table = replace(setup(SEATS), windows=times)
    service = Service(i.Start(table, "bench", (SCANNER,)), folder)
    await service.recover()
    settings = WebSettings(token=TOKEN, record=folder, max_viewers=CONSUMERS + 100)
    server = WebServer(create_app(service, settings), Connections(settings.max_connections), 2)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        loop = asyncio.create_task(service.run())
        web = asyncio.create_task(server.serve([listening]))
        try:
            await server.up.wait()
            await service.offer(Health(SCANNER, Condition.UP))
            # As the assembly of a table does: what is loaded is not looked through for garbage.
            gc.collect()
            gc.freeze()
            yield service, *listening.getsockname()
        finally:
            server.should_exit = True
            service.let_viewers_go()
            await web
            loop.cancel()
            await asyncio.wait([loop])
            service.close()
            gc.unfreeze()


async def _shoe(service: Service) -> int:
    """Load, cut and burn; when the window that is open then closes."""
    for each in (i.LoadPack(), i.CutShoe()):
        await service.submit(each, None, None)
    await service.offer(Reading(SCANNER, Sealed(card("2c")), apart=True))
    async for _ in service.changes():
        if (closes_ns := closes_at_ns(service.state)) is not None:
            return closes_ns
    raise AssertionError("the service has closed")


async def _consumer(host: str, port: int, after: int) -> tuple[asyncio.StreamReader, Any]:
    reader, writer = await asyncio.open_connection(host, port)
    head = (
        f"GET /events/facts?after={after} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: Bearer {TOKEN}\r\n\r\n"
    )
    writer.write(head.encode())
    return reader, writer


async def _take(reader: asyncio.StreamReader, arrivals: list[tuple[int, int]], most: int) -> None:
    while len(arrivals) < most:
        line = await reader.readline()
        if line.startswith(b"id: "):
            arrivals.append((int(line[4:]), time.monotonic_ns()))


async def _consumers(host: str, port: int, began: int) -> list[tuple[int, int]]:
    """What so many consumers were told and when, of `FACTS` facts; some of them read nothing."""
    arrivals: list[list[tuple[int, int]]] = []
    async with AsyncExitStack() as stack:
        takers = []
        for number in range(CONSUMERS):
            reader, writer = await _consumer(host, port, began)
            stack.callback(writer.close)
            if number >= STALLED:
                arrivals.append([])
                takers.append(asyncio.create_task(_take(reader, arrivals[-1], FACTS)))
        await asyncio.sleep(3)
        print("ready", flush=True)
        await asyncio.wait(takers)
    return [each for one in arrivals for each in one]


async def _delays(folder: Path) -> list[float]:
    """ms from the answer of a commit to its receipt, of every consumer that reads."""
    async with _table(folder, WindowTimes(bets_ms=3_600_000)) as (service, host, port):
        await _shoe(service)
        assert service.state is not None
        client = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.studio", "consumers", host, str(port),
            str(service.state.seq), stdout=asyncio.subprocess.PIPE, limit=1 << 24,
        )  # fmt: skip
        assert client.stdout is not None
        await client.stdout.readline()
        committed: dict[int, int] = {}
        for number in range(FACTS):
            reply = await service.submit(i.PlaceWager(1 + number % SEATS, 1_000), None, None)
            committed[reply.seq] = time.monotonic_ns()
            await asyncio.sleep(0.25)
        said, _ = await client.communicate()
        return [(at - committed[seq]) / 1e6 for seq, at in json.loads(said)]


async def _catch_up(folder: Path) -> float:
    """Facts a second of a consumer that is a day behind."""
    async with _table(folder, WindowTimes()) as (service, host, port):
        assert service.state is not None
        behind = service.state.seq
        reader, writer = await _consumer(host, port, 0)
        began, found, rest = time.perf_counter(), 0, b""
        while found < behind:
            came = rest + await reader.read(1 << 20)
            found += came.count(FACT)
            rest = came[-len(FACT) + 1 :]
        took = time.perf_counter() - began
        writer.close()
        return found / took


def _request(body: dict[str, Any]) -> bytes:
    sent = json.dumps(body).encode()
    return (
        f"POST /api/v1/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
    ).encode() + sent


async def _last_moment(folder: Path, each: int) -> tuple[list[float], int, int]:
    """Bets over so many lines in the last moment of a window, evenly up to its end, from another
    process: ms to each answer, how many were counted, and how many of those were sent after it.

    `each` of them come in one request.
    """
    async with _table(folder, WindowTimes(bets_ms=6_000, no_answer=(Action.STAND,))) as (
        service, host, port,
    ):  # fmt: skip
        closes_ns = await _shoe(service)
        client = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.studio", "bets", host, str(port), str(closes_ns),
            str(each), stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        said, _ = await client.communicate()
        answers = json.loads(said)
        accepted = [late for _, late, taken in answers if taken]
        return [took for took, _, _ in answers], len(accepted), sum(late > 0 for late in accepted)


async def _answer(reader: asyncio.StreamReader) -> Any:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(int(e[15:]) for e in head.split(b"\r\n") if e.startswith(b"content-length"))
    return json.loads(await reader.readexactly(length))


async def _client(host: str, port: int, closes_ns: int, each: int) -> list[tuple[float, int, int]]:
    """Of each bet: ms to its answer, ns after the close when it was sent, whether it was taken."""
    lines = [await asyncio.open_connection(host, port) for _ in range(DECISIONS // each)]
    # A server that bets has asked before: for seats.
    reader, writer = lines[0]
    seat = {"key": "seat", "command": {"do": "take_seat", "seat": 1, "player": "p", "name": "P"}}
    writer.write(_request({"commands": [seat]}))
    await _answer(reader)

    async def ask(number: int) -> list[tuple[float, int, int]]:
        reader, writer = lines[number]
        before_ns = (len(lines) - number) * LAST_MS * 1_000_000 // len(lines)
        await asyncio.sleep((closes_ns - before_ns - time.monotonic_ns()) / 1e9)
        asked = [
            {"key": f"b{number}-{at}", "command": {
                "do": "place_wager", "seat": 1 + (number + at) % SEATS, "amount": 1_000,
            }}
            for at in range(each)
        ]  # fmt: skip
        sent_ns = time.monotonic_ns()
        writer.write(_request({"commands": asked}))
        said = (await _answer(reader))["answers"]
        took_ms = (time.monotonic_ns() - sent_ns) / 1e6
        writer.close()
        return [(took_ms, sent_ns - closes_ns, each["accepted"]) for each in said]

    found = await asyncio.gather(*(ask(number) for number in range(len(lines))))
    return [each for one in found for each in one]


def lines() -> list[BenchLine]:
    """What was measured."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        delays = asyncio.run(_delays(folder / "feed"))
        fill(folder / "day", dealing(1), BEHIND)
        caught = asyncio.run(_catch_up(folder / "day"))
        last = {each: asyncio.run(_last_moment(folder / f"{each}", each)) for each in (1, 10)}
    p99 = quantile(delays, 0.99)
    found = [
        BenchLine(
            f"feed, {CONSUMERS} consumers, {STALLED} stalled: commit to receipt",
            f"{quantile(delays, 0.5):.0f} ms", f"{p99:.0f} ms", "100 ms at p99", p99 <= 100,
        ),
        BenchLine(
            "feed, a day behind: catches up", f"{caught:,.0f} facts/s", "",
            "20,000 facts/s", caught >= 20_000,
        ),
    ]  # fmt: skip
    for each, (answers, taken, late) in last.items():
        what = f"{DECISIONS} bets in the last {LAST_MS} ms, {each} in a request"
        p99 = quantile(answers, 0.99)
        found += [
            BenchLine(
                f"{what}: to the answer", f"{quantile(answers, 0.5):.0f} ms", f"{p99:.0f} ms",
                "100 ms at p99", p99 <= 100,
            ),
            BenchLine(
                "  counted; of them sent after the close", f"{taken}; {late}", "",
                "0 after the close", late == 0,
            ),
        ]  # fmt: skip
    return found


if __name__ == "__main__":
    if len(sys.argv) > 1:
        host, numbers = sys.argv[2], [int(each) for each in sys.argv[3:]]
        done: Any = (
            asyncio.run(_client(host, *numbers))
            if sys.argv[1] == "bets"
            else asyncio.run(_consumers(host, *numbers))
        )
        print(json.dumps(done))
    else:
        print_table(lines())

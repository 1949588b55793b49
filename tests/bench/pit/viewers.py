"""Many who look at the wall, some of whom read nothing: from a table's status to every viewer.

python -m tests.bench.pit.viewers --viewers 500 --stalled 20

`tablectl pit` as a process of its own, a real nats-server; viewers are signed in, each with a
session of its own, over plain sockets in other processes. A status says when it was sent; what is
measured ends when a viewer has read it, so that the pictures' tenth of a second is part of it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import re
import socket
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from typing import Any, Final
from urllib.parse import urlsplit

from nats.aio.client import Client as NatsClient
from sqlalchemy import select

from controller.bus.messages import Topic, subject
from controller.bus.server_conf import PIT, inbox
from controller.commands.pit.user_links import add_user
from controller.pit.accounts.schema import USERS
from controller.pit.accounts.sessions import Client, Lifetime, begin
from controller.pit.archive.storage.database import open_database
from controller.pit.sign_in.cookies import SESSION
from tests.bench.table import BenchLine, print_table, quantile
from tests.bus.nats_server import PASSWORDS, NatsServer
from tests.pit.archive.pit_process import PitProcess, write_config
from tests.pit.wall.statuses import status

VIEWERS: Final = 500
STALLED: Final = 20
TABLES: Final = 40
SECONDS: Final = 15
PROMISE_S: Final = 0.300
#: Each viewer who reads nothing, and each that reads, costs so much at most.
PROMISE_MB: Final = 0.5
#: Every table changes so often.
_CHANGE_S: Final = 1.0
_A_PROCESS: Final = 250
#: What is not seen by then is lost.
_LAST_S: Final = 60
_MARK: Final = re.compile(rb'"table":"(T\d+)"[^{}]*?"waiting_for":"mark (\d+) (\d+\.\d+)"')
ViewersSaw = tuple[list[float], int, int]
"""How long each status took, how many viewers were let in, how many last ones never came."""


def lines(
    viewers: int = VIEWERS, stalled: int = STALLED, seconds: int = SECONDS
) -> list[BenchLine]:
    """The rows of this part."""
    names = [f"T{number}" for number in range(1, TABLES + 1)]
    with tempfile.TemporaryDirectory(prefix="tablectl-bench-") as place:
        folder = Path(place)
        passwords = {PIT: PASSWORDS[PIT], **dict.fromkeys(names, "secret")}
        with NatsServer(folder / "nats", passwords) as broker:
            web = f"port = 0\nmax_viewers = {viewers + stalled}"
            config = write_config(folder, broker, web=web)
            pit = PitProcess(config)
            secrets = signed_in(config, f"sqlite:///{folder}/archive.db", viewers + stalled)
            pit.start()
            try:
                waits, let_in, lost, more_mb, cpu = _looked(
                    pit, broker.url, names, secrets, stalled, seconds
                )
            finally:
                pit.end()
    what = f"pit: {viewers} viewers of {TABLES} tables, {stalled} more read nothing"
    p99 = quantile(waits, 0.99)
    return [
        BenchLine(
            f"{what}, status to seen", f"{1_000 * quantile(waits, 0.5):.0f} ms",
            f"{1_000 * p99:.0f} ms", f"p99 <= {1_000 * PROMISE_S:.0f} ms", p99 <= PROMISE_S,
        ),
        BenchLine(
            f"{what}, let in, last pictures lost", f"{let_in}, {lost}", "", f"{viewers}, 0",
            (let_in, lost) == (viewers, 0),
        ),
        BenchLine(
            f"{what}, memory", f"{more_mb:.0f} MB", "",
            f"<= {PROMISE_MB * (viewers + stalled):.0f} MB",
            more_mb <= PROMISE_MB * (viewers + stalled),
        ),
        BenchLine(f"{what}, CPU of the pit", f"{100 * cpu:.0f} %"),
    ]  # fmt: skip


def signed_in(config: Path, address: str, many: int) -> list[str]:
    """So many sessions of a new viewer, in the database at that address."""
    name = f"vera-{token_hex(4)}"  # an archive that stays has others
    add_user(config, name, "viewer")
    engine = open_database(address)
    with engine.begin() as connection:
        user = connection.scalar(select(USERS.c.id).where(USERS.c.login == name))
        assert user is not None
        now_ms = time.time_ns() // 1_000_000
        client = Client("127.0.0.1", "bench")
        found = [
            begin(connection, user, "password", client, now_ms, Lifetime()) for _ in range(many)
        ]
    engine.dispose()
    return found


def _looked(
    pit: PitProcess, url: str, names: list[str], secrets: list[str], stalled: int, seconds: int
) -> tuple[list[float], int, int, float, float]:
    """What viewers saw, the pit's memory in MB beyond that before, and its share of a core."""
    spawned = multiprocessing.get_context("spawn")
    ready, rest = secrets[:stalled], secrets[stalled:]
    groups = [rest[at : at + _A_PROCESS] for at in range(0, len(rest), _A_PROCESS)]
    port = urlsplit(pit.url).port
    assert port is not None
    before_mb = _resident_mb(pit.pid)
    with (
        spawned.Manager() as manager,
        ProcessPoolExecutor(len(groups), mp_context=spawned) as pool,
    ):
        last, there = manager.Value("i", 0), manager.list()
        asyncio.run(play(url, names, 1, 0))
        silent = [_silent(port, each) for each in ready]
        seen: list[Future[ViewersSaw]] = [
            pool.submit(_viewers, port, group, names, last, there) for group in groups
        ]
        # All of them are there before anything is measured.
        until = time.perf_counter() + _LAST_S
        while len(there) < len(groups) and time.perf_counter() < until:
            time.sleep(0.1)
        began, cpu_s = time.perf_counter(), _cpu_s(pit.pid)
        count = asyncio.run(play(url, names, seconds, 1_000))
        share = (_cpu_s(pit.pid) - cpu_s) / (time.perf_counter() - began)
        more_mb = _resident_mb(pit.pid) - before_mb
        last.value = count
        found = [each.result() for each in seen]
        for each in silent:
            each.close()
    waits = [wait for some, _, _ in found for wait in some]
    return waits, sum(it[1] for it in found), sum(it[2] for it in found), more_mb, share


def _silent(port: int, secret: str) -> socket.socket:
    """A viewer that asks, and reads nothing."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    line.connect(("127.0.0.1", port))
    line.sendall(wall_request(port, secret))
    return line


def wall_request(port: int, secret: str, query: str = "") -> bytes:
    return (
        f"GET /events/wall{query} HTTP/1.1\r\nHost: localhost:{port}\r\n"
        f"Cookie: {SESSION}={secret}\r\nAccept: text/event-stream\r\n\r\n"
    ).encode()


def _viewers(port: int, secrets: list[str], names: list[str], last: Any, there: Any) -> ViewersSaw:
    """Viewers in a process of their own, until each has the last status of every table."""
    return asyncio.run(_all_view(port, secrets, names, last, there))


async def _all_view(
    port: int, secrets: list[str], names: list[str], last: Any, there: Any
) -> ViewersSaw:
    waits: list[float] = []
    newest: list[dict[bytes, int]] = [{} for _ in secrets]
    let_in = 0

    async def view(secret: str, mine: dict[bytes, int]) -> None:
        nonlocal let_in
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
        with closing(writer):
            writer.write(wall_request(port, secret))
            answer = await reader.readline()
            let_in += b" 200 " in answer
            if let_in == len(secrets):
                there.append(let_in)
            while True:
                event = await reader.readuntil(b"\n\n")
                now = time.perf_counter()
                for table, number, sent in _MARK.findall(event):
                    mine[table] = int(number)
                    if int(number) >= 1_000:
                        waits.append(now - float(sent))

    looking = [asyncio.ensure_future(view(*each)) for each in zip(secrets, newest, strict=True)]
    wanted = {name.encode() for name in names}

    def missing() -> int:
        return sum(mine.get(name) != last.value for mine in newest for name in wanted)

    await asyncio.to_thread(_wait, missing, last)
    for each in looking:
        each.cancel()
    await asyncio.gather(*looking, return_exceptions=True)
    return waits, let_in, missing()


def _wait(missing: Callable[[], int], last: Any) -> None:
    """Until all has come, or nobody would wait any longer. Blocks."""
    while not last.value:
        time.sleep(0.5)
    until = time.perf_counter() + _LAST_S
    while missing() and time.perf_counter() < until:
        time.sleep(0.5)


async def play(url: str, names: list[str], seconds: int, first: int) -> int:
    """Every table says something else once a second, at moments of its own; the last number."""
    clients = []
    for name in names:
        client = NatsClient()
        await client.connect(url, user=name, password="secret", inbox_prefix=inbox(name))
        clients.append(client)
    loop = asyncio.get_running_loop()
    began, number = loop.time(), first
    for turn in range(round(seconds / _CHANGE_S)):
        number = first + turn
        for at, (name, client) in enumerate(zip(names, clients, strict=True)):
            await asyncio.sleep(began + _CHANGE_S * (turn + at / len(names)) - loop.time())
            sent = f"mark {number} {time.perf_counter():.6f}"
            body = {
                "table": name, "seq": number + 10, "at_ms": time.time_ns() // 1_000_000,
                "status": status(seq=number + 10, waiting_for=sent),
            }  # fmt: skip
            await client.publish(subject(name, Topic.STATUS), json.dumps(body).encode())
    for client in clients:
        await client.close()
    return number


def _resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _cpu_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pit.viewers")
    parser.add_argument("--viewers", type=int, default=VIEWERS)
    parser.add_argument("--stalled", type=int, default=STALLED)
    parser.add_argument("--seconds", type=int, default=SECONDS)
    asked = parser.parse_args()
    print_table(lines(asked.viewers, asked.stalled, asked.seconds))

"""A bet that reached the machine in time counts, however late a busy loop comes to it."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.devices.inputs import Condition, Health, Reading
from controller.rules.actions import Action
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.service.loop import Service
from controller.table import inputs as i
from controller.table.decide.remote_players.windows import closes_at_ns
from controller.table.inputs import WindowTimes
from controller.web.app import create_app
from controller.web.server.arrivals import SO_TIMESTAMPNS
from controller.web.server.connections import Connections
from controller.web.server.listening import bound_socket, start_listening
from controller.web.server.server import WebServer
from controller.web.settings import WebSettings
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio

TOKEN = "a-token-of-this-table"
SEATS = 3
#: So long a bet is there before the close, and so long after it the loop turns again.
BEFORE_S, AFTER_S = 2.2, 0.05
#: So long every further turn of the loop takes.
TURN_S = 0.3


def bet(path: str, seat: int) -> bytes:
    command = {"do": "place_wager", "seat": seat, "amount": 1_000}
    said: Any = command if path == "commands" else {"commands": [{"key": "b", "command": command}]}
    body = json.dumps(said).encode()
    return (
        f"POST /api/v1/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


async def busy(closes_ns: int) -> None:
    """Something that takes the loop until the close is over, and long in every turn after it."""
    rest_s = (closes_ns - time.monotonic_ns()) / 1e9 + AFTER_S
    time.sleep(max(0.0, rest_s))  # noqa: ASYNC251  (what is tested is a loop that is blocked)
    while True:
        await asyncio.sleep(0)
        time.sleep(TURN_S)  # noqa: ASYNC251


async def closes_ns(service: Service) -> int:
    """Load, cut and burn; when the window that is open then closes."""
    for each in (i.LoadPack(), i.CutShoe()):
        await service.submit(each, None, None)
    await service.offer(Reading(SCANNER, Sealed(card("2c")), apart=True))
    async for _ in service.changes():
        if (found := closes_at_ns(service.state)) is not None:
            return found
    raise AssertionError("the service has closed")


@pytest.mark.parametrize("path", ["commands", "batch"])
async def test_a_bet_in_time_counts_though_every_turn_of_the_loop_is_long(
    tmp_path: Path, path: str
) -> None:
    times = WindowTimes(bets_ms=5_000, no_answer=(Action.STAND,))
    table = replace(setup(SEATS), windows=times)
    service = Service(i.Start(table, "0.0-test", (SCANNER,)), tmp_path)
    await service.recover()
    settings = WebSettings(token=TOKEN, record=tmp_path)
    server = WebServer(create_app(service, settings), Connections(settings.max_connections), 2)
    with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as opened:
        loop = asyncio.create_task(service.run())
        web = asyncio.create_task(server.serve([listening]))
        try:
            await server.up.wait()
            await service.offer(Health(SCANNER, Condition.UP))
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            opened.callback(writer.close)
            # A first question, so that the connection is there with all that belongs to it.
            writer.write(b"GET /api/v1/table HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert b"200" in await answered(reader)
            closes = await closes_ns(service)
            # With a bet there the round begins at the close, and whatever is late is refused.
            await service.submit(i.PlaceWager(2, 1_000), None, None)
            # Nobody reads it before the close: it is written, and in the same turn the loop stands.
            await asyncio.sleep((closes - time.monotonic_ns()) / 1e9 - BEFORE_S)
            writer.write(bet(path, 1))
            assert time.monotonic_ns() < closes, "this machine was too busy to send it in time"
            blocks = asyncio.create_task(busy(closes))
            said = await answered(reader)
            blocks.cancel()
            writer.close()
        finally:
            server.should_exit = True
            service.let_viewers_go()
            await web
            loop.cancel()
            await asyncio.wait([loop])
            service.close()
    assert b'"accepted":true' in said, said


async def answered(reader: asyncio.StreamReader) -> bytes:
    """Status and body of the next answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    length = next(int(e[15:]) for e in lines if e.startswith(b"content-length"))
    return lines[0] + await reader.readexactly(length)


async def test_the_kernel_stamps_what_comes_to_a_line_from_its_first_byte_on() -> None:
    """Asked by the socket that listens: of a machine's first it begins to stamp some time later,
    and a bet that was in time would be one of when it was read.
    """
    with ExitStack() as lines:
        listening = lines.enter_context(bound_socket("127.0.0.1", 0))
        assert listening.getsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS)
        start_listening(listening)
        lines.enter_context(socket.create_connection(listening.getsockname()))
        accepted = lines.enter_context(listening.accept()[0])
        assert accepted.getsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS)

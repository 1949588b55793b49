"""Windows by a running service: what reached the table in time counts, however late it is read."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.devices.inputs import Button, Condition, Health, Press, Reading
from controller.rules.actions import Action
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.service.loop import Service
from controller.table import inputs as i
from controller.table.decide.remote_players.windows import closes_at_ns
from controller.table.inputs import WindowTimes
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.support.patience import PATIENCE_S
from tests.support.pit import SCANNER, setup
from tests.web.conftest import TOKEN
from tests.web.server import Served

pytestmark = pytest.mark.anyio

SEATS = 7
#: Long enough for a request to be sent within it, by a machine that is busy.
WINDOW = WindowTimes(bets_ms=400, no_answer=(Action.STAND,))


@asynccontextmanager
async def studio(path: Path, times: WindowTimes = WINDOW) -> AsyncIterator[tuple[Service, Served]]:
    """A table whose bets are closed by the clock, served; its shoe is loaded and cut."""
    table = replace(setup(SEATS), windows=times)
    service = Service(i.Start(table, "0.0-test", (SCANNER,)), path)
    await service.recover()
    server = Served(create_app(service, WebSettings(token=TOKEN, record=path)))
    tasks = [
        asyncio.create_task(service.run()),
        asyncio.create_task(server.serve([server.listening])),
    ]
    try:
        await server.up.wait()
        await service.offer(Health(SCANNER, Condition.UP))
        for each in (i.LoadPack(), i.CutShoe()):
            assert (await service.submit(each, None, None)).accepted
        yield service, server
    finally:
        server.should_exit = True
        service.let_viewers_go()
        await tasks[1]
        tasks[0].cancel()
        await asyncio.wait(tasks[:1])
        service.close()
        server.listening.close()


async def burn(service: Service) -> None:
    """The first card is burned: bets are open from here on."""
    await service.offer(Reading(SCANNER, Sealed(card("2c")), apart=True))
    await until(service, lambda state: closes_at_ns(state) is not None)


async def until(service: Service, holds: Callable[[State], bool]) -> State:
    """The first state that is shown for which it holds."""
    async with asyncio.timeout(PATIENCE_S):
        async for _ in service.changes():
            if service.state is not None and holds(service.state):
                return service.state
    raise AssertionError("the service has closed")


def in_a_round(state: State) -> bool:
    return state.phase is Phase.ROUND


def request(body: dict[str, Any], path: str = "/api/v1/commands") -> bytes:
    sent = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
    )
    return head.encode() + sent


async def line_to(server: Served) -> socket.socket:
    """A connection that the server has taken: it was answered once."""
    line = socket.create_connection(server.listening.getsockname())
    line.setblocking(False)
    line.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    await answer(line)
    return line


async def answer(line: socket.socket) -> dict[str, Any]:
    """What the server says next."""
    loop, came = asyncio.get_running_loop(), b""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            head, _, body = came.partition(b"\r\n\r\n")
            length = next(
                (int(each[16:]) for each in head.lower().split(b"\r\n")
                 if each.startswith(b"content-length: ")), None,
            )  # fmt: skip
            if length is not None and len(body) >= length:
                found: dict[str, Any] = json.loads(body)
                return found
            came += await loop.sock_recv(line, 65_536)


def bet(seat: int) -> dict[str, Any]:
    return {"do": "place_wager", "seat": seat, "amount": 1_000}


def busy_until(ns: int) -> None:
    """The loop does something else, and reads nothing."""
    while time.monotonic_ns() < ns:
        pass


async def test_bets_are_judged_by_when_the_machine_had_them_though_the_loop_was_busy(
    tmp_path: Path,
) -> None:
    async with studio(tmp_path / "record") as (service, server):
        with closing(await line_to(server)) as in_time, closing(await line_to(server)) as late:
            await burn(service)
            closes_ns = closes_at_ns(service.state)
            assert closes_ns is not None
            in_time.sendall(request(bet(1)))
            assert time.monotonic_ns() < closes_ns, "the machine stood still for the whole window"
            busy_until(closes_ns + 60_000_000)
            late.sendall(request(bet(2)))
            assert (await answer(in_time))["accepted"]
            refused = await answer(late)
            assert refused["code"] == "bet-came-late"
            how_late_ms = int(refused["refused"].split(" came ")[1].split(" ")[0])
            assert how_late_ms >= 60
            played = (await until(service, in_a_round)).rounds.latest
            assert played is not None
            assert played.wagers == ((1, 1_000),)


async def test_a_press_closes_bets_after_those_that_came_before_it(tmp_path: Path) -> None:
    times = replace(WINDOW, bets_ms=3_600_000)
    async with studio(tmp_path / "record", times) as (service, server):
        with closing(await line_to(server)) as line:
            await burn(service)
            line.sendall(request(bet(4)))
            before = service.clock.mono_ns()
            busy_until(before + 5_000_000)
            # The press is here before the loop has read the bet, which reached the machine earlier.
            await service.offer(Press("buttons", Button.NEXT))
            assert (await answer(line))["accepted"]
            played = (await until(service, in_a_round)).rounds.latest
            assert played is not None
            assert played.wagers == ((4, 1_000),)


async def test_a_batch_is_answered_one_by_one_and_written_as_one(tmp_path: Path) -> None:
    times = replace(WINDOW, bets_ms=3_600_000)
    async with studio(tmp_path / "record", times) as (service, server):
        with closing(await line_to(server)) as line:
            await burn(service)
            asked = [{"key": f"b{seat}", "command": bet(seat)} for seat in (1, 2, 9, 3)]
            before = service.figures().commit_s_sum, service.recorder.records
            line.sendall(request({"commands": asked}, "/api/v1/batch"))
            answers = (await answer(line))["answers"]
            assert [each["accepted"] for each in answers] == [True, True, False, True]
            assert answers[2]["code"] == "no-such-seat"
            assert [each["seq"] for each in answers] == list(
                range(answers[0]["seq"], answers[0]["seq"] + 4)
            )
            assert service.recorder.records == before[1] + 4
            # Sent again, each gets its first answer and nothing is placed twice.
            line.sendall(request({"commands": asked}, "/api/v1/batch"))
            assert (await answer(line))["answers"] == answers
            assert service.recorder.records == before[1] + 4


async def test_what_people_authorize_is_no_part_of_a_batch(tmp_path: Path) -> None:
    async with studio(tmp_path / "record") as (_, server):
        with closing(await line_to(server)) as line:
            asked = {**bet(1), "people": [{"name": "Ann", "pin": "1234"}]}
            line.sendall(request({"commands": [{"key": "a", "command": asked}]}, "/api/v1/batch"))
            said = (await answer(line))["detail"]
            assert said == "What people authorize is sent by itself, to /commands"


async def test_a_player_bets_at_the_own_seat_alone_and_the_key_is_of_that_player(
    tmp_path: Path,
) -> None:
    times = replace(WINDOW, bets_ms=3_600_000)
    async with studio(tmp_path / "record", times) as (service, server):
        with closing(await line_to(server)) as line:
            await burn(service)
            seated = [
                {"key": f"s{seat}", "command": {
                    "do": "take_seat", "seat": seat, "player": f"p{seat}", "name": f"Ann {seat}",
                }}
                for seat in (1, 2)
            ]  # fmt: skip
            bets = [
                {"key": "b1", "command": {**bet(1), "player": "p1"}},
                {"key": "b2", "command": {**bet(1), "player": "p2"}},
            ]
            line.sendall(request({"commands": [*seated, *bets]}, "/api/v1/batch"))
            answers = (await answer(line))["answers"]
            assert [each["accepted"] for each in answers] == [True, True, True, False]
            assert answers[3]["refused"] == "Seat 1 is not that player's"
            stolen = {"key": "b1", "command": {**bet(1), "player": "p2"}}
            line.sendall(request({"commands": [stolen]}, "/api/v1/batch"))
            (said,) = (await answer(line))["answers"]
            assert said["code"] == "key-is-of-another-command"

"""The way of a card as the devices see it: bytes on the line and edges on the pins, in order."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.rules.actions import Place
from sim_hw.devices.faults import Fault, FaultKind, Faults
from sim_hw.devices.pins.pin_wire import FRAME_BYTES, VERSION, Frame, FrameKind, frames
from sim_hw.devices.scanner import printed_code
from sim_hw.settings import parse_settings
from sim_hw.table.changes import Changes
from sim_hw.table.world import PINS_SOCKET, World
from sim_hw.table.world_view import world_view
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio

BEAM = 19
BROKEN, CLEAR = (FrameKind.DRIVE, BEAM, 0), (FrameKind.DRIVE, BEAM, 1)
GAP_MS = 20
LOOK_S = 0.005


class ServiceEnds:
    """The service's end of the line and of the pins, and what came there."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.line = os.open(world.reader.scanner.link, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        self._writer: asyncio.StreamWriter
        self._reader: asyncio.StreamReader

    async def connect(self) -> list[Frame]:
        path = self.world.settings.rundir / PINS_SOCKET
        self._reader, self._writer = await asyncio.open_unix_connection(path)
        self._writer.write(Frame(FrameKind.HELLO, 0, VERSION, time.monotonic_ns()).packed())
        return await self.edges(2)

    async def edges(self, count: int) -> list[Frame]:
        async with asyncio.timeout(PATIENCE_S):
            return list(frames(await self._reader.readexactly(count * FRAME_BYTES)))

    async def heard(self, length: int = 0) -> bytes:
        """What came: the kernel passes what is written to a terminal on when it comes to it, so
        at least `length` bytes are waited for.
        """
        came = b""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    came += os.read(self.line, 4096)
                except BlockingIOError:
                    if len(came) >= length:
                        return came
                    await asyncio.sleep(LOOK_S)

    async def close(self) -> None:
        os.close(self.line)
        self._writer.close()
        await self._writer.wait_closed()


@pytest.fixture
async def faults() -> Faults:
    return Faults([Fault(1, 1, FaultKind.UNPLUG, 0.5)])


@pytest.fixture
async def world(tmp_path: Path, faults: Faults) -> AsyncIterator[World]:
    settings = parse_settings(
        {
            "game": "21-24-27", "seats": 2, "seed": 7, "speed": 1000, "rounds": 0,
            "headless": True, "rundir": str(tmp_path), "port": 0, "baud": 115_200,
            "service_url": "http://127.0.0.1:9", "token": "t", "card_gap_ms": GAP_MS,
            "pins": {
                "spots": [[2, 3, 4], [14, 15, 17]], "beam": BEAM,
                "buttons": {"next": 26, "stand": 20, "call": 21},
            },
        }
    )  # fmt: skip
    made = World(settings, faults, Changes())
    await made.open()
    await made.load()
    await made.cut()
    yield made
    await made.close()


@pytest.fixture
async def devices(world: World) -> AsyncIterator[ServiceEnds]:
    made = ServiceEnds(world)
    held = await made.connect()
    assert [(each.kind, each.pin, each.level) for each in held] == [CLEAR, (FrameKind.READY, 0, 0)]
    yield made
    await made.close()


async def code_of_next(world: World, seat: int = 1) -> bytes:
    """Draw the next card to a seat; the line that its code is."""
    await world.draw(Place(seat))
    return printed_code(world.felt.dealt[-1].card, with_serial=False) + b"\r"


async def passed(devices: ServiceEnds) -> list[tuple[FrameKind, int, int]]:
    return [(each.kind, each.pin, each.level) for each in await devices.edges(2)]


async def test_a_card_is_read_then_breaks_the_beam_then_clears_it(
    world: World, devices: ServiceEnds
) -> None:
    code = await code_of_next(world)
    assert await devices.heard(len(code)) == code
    assert await passed(devices) == [BROKEN, CLEAR]


async def test_speed_makes_no_beam_break_shorter_and_no_cards_closer(
    world: World, devices: ServiceEnds
) -> None:
    await code_of_next(world)
    await code_of_next(world)
    broke, cleared, broke_again, _ = await devices.edges(4)
    assert cleared.at_ns - broke.at_ns >= 8_000_000
    assert broke_again.at_ns - cleared.at_ns >= GAP_MS * 1_000_000


@pytest.mark.parametrize(
    ("kind", "codes"),
    [
        (FaultKind.SPLIT, 1),
        (FaultKind.DOUBLE, 2),
        (FaultKind.PUSH_BACK, 2),
        (FaultKind.MISS_CODE, 0),
    ],
)
async def test_a_fault_is_in_the_bytes_and_the_card_passes_once(
    world: World, devices: ServiceEnds, kind: FaultKind, codes: int
) -> None:
    world.faults.ask(kind)
    code = await code_of_next(world)
    assert await devices.heard(len(code) * codes) == code * codes
    assert await passed(devices) == [BROKEN, CLEAR]
    assert world.shoe.gone == 1


async def test_rubbish_comes_instead_of_the_code(world: World, devices: ServiceEnds) -> None:
    world.faults.ask(FaultKind.GARBAGE)
    code = await code_of_next(world)
    heard = await devices.heard(1)
    assert heard.endswith(b"\r")
    assert code.strip() not in heard


async def test_a_plug_that_a_hand_pulled_is_not_put_back_by_what_pulled_it_before(
    world: World,
) -> None:
    world.reader.unplug(0.02)
    world.reader.unplug()
    await asyncio.sleep(0.1)
    assert not world.reader.plugged
    world.reader.plug()
    assert world.reader.plugged


async def test_an_unplugged_scanner_comes_back_after_its_time(
    world: World, devices: ServiceEnds
) -> None:
    world.begin_round()
    await code_of_next(world)  # the first card of round 1: the fault that was planned
    assert not world.reader.scanner.link.exists()
    assert await passed(devices) == [BROKEN, CLEAR]
    async with asyncio.timeout(PATIENCE_S):
        while not world.reader.scanner.plugged:
            await world.changes.wait(1)
    assert world.reader.scanner.link.exists()


async def test_a_burned_card_lies_face_down_even_on_its_way(
    world: World, devices: ServiceEnds
) -> None:
    world.speed = 20
    drawing = asyncio.ensure_future(world.draw(None))
    on_its_way = []
    while not drawing.done():
        on_its_way.append(world_view(world)["hand"]["card"])
        await world.changes.wait(0.1)
    await drawing
    assert set(on_its_way) == {None, "??"}
    assert world_view(world)["burned"] == 1


async def test_players_chips_come_and_go_with_the_round(world: World) -> None:
    world.place_bets({1: 1_000})
    (bet,) = {each.bet for each in world.felt.players.values() if each.seat == 1}
    world.begin_round()
    world.settle(Place(1), 1_000)
    world.settle(Place(2), -500)
    seats = world_view(world)["seats"]
    assert bet is not None
    assert [(each["bank"], each["bet"]) for each in seats] == [(101_000, None), (99_500, None)]


async def test_an_empty_shoe_gives_no_card_and_says_so(world: World, devices: ServiceEnds) -> None:
    while world.shoe.left:
        world.shoe.draw()
    assert not await world.draw(Place(1))
    assert "the shoe is empty" in world.log[-1]
    assert await devices.heard() == b""

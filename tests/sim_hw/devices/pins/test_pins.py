"""The pin factory in a process of its own, with real gpiozero devices, at the world's board."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sim_hw.devices.pins.pin_world import PanelButton, PinWorld, Wiring
from sim_hw.devices.spot_lamps import DARK, LampColour
from sim_hw.table.changes import Changes
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio

WIRING = Wiring(
    spots=((17, 27, 22), (23, 24, 10)),
    buttons={PanelButton.NEXT: 26, PanelButton.STAND: 20, PanelButton.CALL: 21},
    beam=19,
    buzzer=16,
)

#: What a service does with its pins, one line of standard input at a time; it says what it saw.
SERVICE = """
import sys, threading, time
from gpiozero import LED, Button, Device, DigitalInputDevice
from gpiozero.exc import GPIOZeroError
def say(*words): print(*words, flush=True)
def edge(word):
    on_main = threading.current_thread() is threading.main_thread()
    say(word, "main" if on_main else "backend")
held = {}
for line in sys.stdin:
    do, *words = line.split()
    try:
        if do == "led": held["led"] = LED(int(words[0]))
        elif do == "on": held["led"].on()
        elif do == "off": held["led"].off()
        elif do == "close": held.pop("led").close()
        elif do == "button":
            button = held["button"] = Button(int(words[0]))
            button.when_pressed = lambda: edge("press")
            button.when_released = lambda: edge("release")
            say("pressed" if button.is_pressed else "let go")
        elif do == "beam":
            beam = held["beam"] = DigitalInputDevice(int(words[0]), pull_up=True)
            beam.when_activated = lambda: edge("break")
            beam.when_deactivated = lambda: edge("clear")
            say("broken" if beam.is_active else "clear")
        elif do == "busy":
            Device.pin_factory._spread = lambda frame: time.sleep(float(words[0]))
        elif do == "ago": say(held["beam"].active_time)
        if do not in ("button", "beam", "ago"): say("done")
    except GPIOZeroError as error:
        say("error", type(error).__name__, error)
"""


class PinClient:
    """The process at the other end, and its lines."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def do(self, line: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        return await self.says()

    async def says(self) -> str:
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            return (await self._process.stdout.readline()).decode().strip()


@asynccontextmanager
async def service(socket: Path | None) -> AsyncIterator[PinClient]:
    environment = {**os.environ, "GPIOZERO_PIN_FACTORY": "tablectl_sim"}
    environment.pop("TABLECTL_SIM_PINS", None)
    if socket is not None:
        environment["TABLECTL_SIM_PINS"] = str(socket)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVICE, env=environment, stdin=PIPE, stdout=PIPE
    )
    try:
        yield PinClient(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        async with asyncio.timeout(PATIENCE_S):
            await process.wait()


class BoardWorld:
    """A board and the word of its changes."""

    def __init__(self) -> None:
        self.changes = Changes()
        self.board = PinWorld(WIRING, self.changes.notify)

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                await self.changes.wait(1)


@asynccontextmanager
async def world_at(path: Path) -> AsyncIterator[BoardWorld]:
    world = BoardWorld()
    await world.board.open(path)
    try:
        yield world
    finally:
        await world.board.close()


async def test_a_spot_shows_the_colour_of_its_pins(tmp_path: Path) -> None:
    async with world_at(tmp_path / "pins") as world, service(tmp_path / "pins") as pins:
        assert await pins.do("led 24") == "done"
        assert await pins.do("on") == "done"
        await world.until(lambda: world.board.spot(2) == LampColour(False, True, False))
        assert world.board.spot(1) == DARK
        assert await pins.do("off") == "done"
        await world.until(lambda: world.board.spot(2) == DARK)
        assert [(each.pin, each.level) for each in world.board.history] == [
            (24, 0), (24, 1), (24, 0),
        ]  # fmt: skip


async def test_an_eye_sees_a_blinking_spot_in_its_dark_half_too(tmp_path: Path) -> None:
    async with world_at(tmp_path / "pins") as world, service(tmp_path / "pins") as pins:
        await pins.do("led 17")
        await pins.do("on")
        await world.until(lambda: world.board.spot(1) != DARK)
        await asyncio.sleep(0.02)  # the lamp has to be lit long enough for an eye
        await pins.do("off")
        await world.until(lambda: world.board.spot(1) == DARK)
        assert world.board.perceived(1) == LampColour(True, False, False)


async def test_a_closed_light_and_a_dead_service_leave_the_spot_dark(tmp_path: Path) -> None:
    async with world_at(tmp_path / "pins") as world:
        async with service(tmp_path / "pins") as pins:
            await pins.do("led 22")
            await pins.do("on")
            await world.until(lambda: world.board.spot(1) != DARK)
            await pins.do("close")
            await world.until(lambda: world.board.spot(1) == DARK)
            await pins.do("led 22")
            await pins.do("on")
            await world.until(lambda: world.board.spot(1) != DARK)
        await world.until(lambda: not world.board.connected)
        assert world.board.spot(1) == DARK


async def test_a_press_is_an_edge_on_the_backends_thread(tmp_path: Path) -> None:
    async with world_at(tmp_path / "pins") as world, service(tmp_path / "pins") as pins:
        assert await pins.do("button 26") == "let go"
        await world.board.press(PanelButton.NEXT)
        assert [await pins.says() for _ in range(2)] == ["press backend", "release backend"]


async def test_the_beam_rests_clear_and_tells_a_card(tmp_path: Path) -> None:
    async with world_at(tmp_path / "pins") as world, service(tmp_path / "pins") as pins:
        assert await pins.do("beam 19") == "clear"
        world.board.beam(broken=True)
        assert await pins.says() == "break backend"
        world.board.beam(broken=False)
        assert await pins.says() == "clear backend"


async def test_what_is_held_at_start_is_there_before_the_pin_is_opened(tmp_path: Path) -> None:
    async with world_at(tmp_path / "pins") as world:
        world.board.beam(broken=True)
        async with service(tmp_path / "pins") as pins:
            assert await pins.do("beam 19") == "broken"


async def test_a_world_that_goes_away_makes_pins_fail_until_it_is_back(tmp_path: Path) -> None:
    async with service(tmp_path / "pins") as pins:
        async with world_at(tmp_path / "pins") as world:
            assert await pins.do("led 17") == "done"
            assert await pins.do("on") == "done"
            await world.until(lambda: world.board.spot(1) == LampColour(True, False, False))
        async with asyncio.timeout(PATIENCE_S):
            while not (said := await pins.do("off")).startswith("error WorldLost"):
                assert said == "done"
                await pins.do("on")
        assert "start it again" in said
        async with world_at(tmp_path / "pins") as world:
            async with asyncio.timeout(PATIENCE_S):
                while (said := await pins.do("on")) != "done":
                    assert said.startswith("error WorldLost")
            await world.until(lambda: world.board.spot(1) == LampColour(True, False, False))


@pytest.mark.parametrize(
    ("socket", "says"),
    [("nobody", "start it first with 'tablectl demo'"), (None, "TABLECTL_SIM_PINS is not set")],
)
async def test_no_world_is_an_error_that_says_what_to_do(
    tmp_path: Path, socket: str | None, says: str
) -> None:
    async with service(tmp_path / socket if socket else None) as pins:
        said = await pins.do("led 17")
        assert said.startswith("error BadPinFactory")
        assert says in said


async def test_two_programs_share_the_header_and_the_newest_has_a_pin_that_both_take(
    tmp_path: Path,
) -> None:
    green, blue = LampColour(False, True, False), LampColour(False, False, True)
    async with world_at(tmp_path / "pins") as world, service(tmp_path / "pins") as first:
        await first.do("led 24")
        await first.do("on")
        async with service(tmp_path / "pins") as second:
            await second.do("led 22")
            await second.do("on")
            await world.until(lambda: (world.board.spot(1), world.board.spot(2)) == (blue, green))
        await world.until(lambda: world.board.spot(1) == DARK)
        assert world.board.spot(2) == green, "what the other program holds stays"
        async with service(tmp_path / "pins") as third:
            await third.do("led 24")
            await world.until(lambda: world.board.spot(2) == DARK)


async def test_an_edge_that_is_handed_on_late_has_the_time_at_which_it_was(tmp_path: Path) -> None:
    """A service that took it as of now would take the next card's pictures for this one's."""
    async with world_at(tmp_path / "pins") as world, service(tmp_path / "pins") as pins:
        assert await pins.do("beam 19") == "clear"
        assert await pins.do("busy 0.4") == "done"
        world.board.beam(broken=True)
        assert await pins.says() == "break backend"
        assert float(await pins.do("ago")) >= 0.4

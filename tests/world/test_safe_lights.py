"""The lights when the service hangs, dies or is stopped: "table held" on every spot.

Service and guard are processes; the pins end at a board in this one, which is the witness.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.demo import BEAM, BUZZER, SPOTS, DemoOrder, write_files
from drivers.codes import check_character
from sim_hw.board import DARK, Board, Colour, Wiring
from sim_hw.changes import Changes
from tests.drivers.outside import Line
from tests.support.town import free_port

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

SEATS = 3
#: From the hang or the death to the light of a held table.
HELD_WITHIN_S = 3.0
HANG_S = 2.8
PATIENCE_S = 30.0
BREAK_S = 0.02
HELD, SHUFFLE = Colour(True, False, False), Colour(True, False, True)
BET = Colour(False, False, True)

#: The service, and two ways to hang it from outside: in Python, and in C with the lock held.
SERVICE = f"""
import ctypes, signal, sys, time
def busy(*unused):
    end = time.monotonic() + {HANG_S}
    while time.monotonic() < end: pass
def stuck(*unused):
    ctypes.PyDLL(None).usleep({int(HANG_S * 1e6)})
signal.signal(signal.SIGUSR1, busy)
signal.signal(signal.SIGUSR2, stuck)
from controller.__main__ import main
sys.exit(main())
"""


class Table:
    """A board, a guard and a service, the latter two to be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        order = DemoOrder("21-24-27", SEATS, 1, 1, 0, True, None, 0, folder)
        self.config = write_files(order, folder, self.port)
        self.changes = Changes()
        wiring = Wiring(SPOTS[:SEATS], {}, beam=BEAM, buzzer=BUZZER)
        self.board = Board(wiring, self.changes.tell)
        self.line = Line(folder / "scanner")
        token = (folder / "token").read_text().strip()
        self.web = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self.port}/api/v1",
            headers={"Authorization": f"Bearer {token}"},
        )
        self.running: list[asyncio.subprocess.Process] = []

    async def start(self, *command: str) -> asyncio.subprocess.Process:
        """Start a program, and wait until it is ready."""
        pins = self.folder / "pins.sock"
        environment = {
            **os.environ,
            "GPIOZERO_PIN_FACTORY": "tablectl_sim",
            "TABLECTL_SIM_PINS": str(pins),
            "TABLECTL_GUARD": str(self.folder / "guard.sock"),
        }
        log = self.folder / f"log-{len(self.running)}"
        with log.open("wb") as said:
            process = await asyncio.create_subprocess_exec(
                sys.executable, *command, env=environment, stdout=PIPE, stderr=said
            )
        self.running.append(process)
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            ready = await process.stdout.readline()
        assert ready.startswith(b"ready "), log.read_text()
        return process

    async def start_guard(self) -> asyncio.subprocess.Process:
        socket = self.folder / "guard.sock"
        return await self.start("-m", "drivers.guard", "--allow-simulated", str(socket))

    async def start_service(self) -> asyncio.subprocess.Process:
        return await self.start("-c", SERVICE, "run", "--allow-simulated", str(self.config))

    def seen(self) -> set[Colour]:
        """The colours that an eye takes from the spots."""
        return {self.board.seen(seat) for seat in range(1, SEATS + 1)}

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                await self.changes.wait(0.05)

    async def until_all(self, colour: Colour) -> None:
        await self.until(lambda: self.seen() == {colour})

    async def held_after(self, began_ns: int) -> None:
        """Every spot shows a held table, soon enough."""
        await self.until_all(HELD)
        assert (time.monotonic_ns() - began_ns) / 1e9 < HELD_WITHIN_S

    def sounded_since(self, at_ns: int) -> bool:
        return (BUZZER, 1) in {(e.pin, e.level) for e in self.board.history if e.at_ns > at_ns}

    def spots(self) -> list[Colour]:
        """What every spot shows at this instant."""
        return [self.board.spot(seat) for seat in range(1, SEATS + 1)]

    async def scene(self) -> dict[str, Any]:
        """The dealer display."""
        scene: dict[str, Any] = (await self.web.get("/scene")).json()
        return scene

    async def until_scene(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_S):
            while not true(scene := await self.scene()):  # noqa: ASYNC110  (no event comes here)
                await asyncio.sleep(0.02)
        return scene

    async def ask(self, do: str, **values: object) -> None:
        """A command of the dealer's page, which must be taken."""
        answer = await self.web.post("/commands", json={"do": do, **values})
        assert answer.json().get("accepted"), answer.text

    async def draw(self, card: str) -> None:
        """A card leaves the shoe: it is read, then it passes the beam."""
        self.line.say(f"{card}{check_character(card)}\r".encode())
        self.board.beam(broken=True)
        await asyncio.sleep(BREAK_S)
        self.board.beam(broken=False)

    async def open_bets(self) -> None:
        """Load, cut and burn."""
        await self.ask("load_pack")
        await self.ask("cut")
        await self.until_scene(lambda scene: scene["phase"] == "burn")
        await self.draw("KH")
        await self.until_scene(lambda scene: scene["phase"] == "betting")


def down(scene: dict[str, Any]) -> dict[str, str]:
    """What the dealer display says of each device that is down."""
    return {each["name"]: each["why"] for each in scene["devices"] if not each["up"]}


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    built = Table(tmp_path)
    async with _closing(built):
        built.line.plug()
        await built.board.open(tmp_path / "pins.sock")
        await built.start_guard()
        yield built


@asynccontextmanager
async def _closing(table: Table) -> AsyncIterator[None]:
    try:
        yield
    finally:
        for process in reversed(table.running):
            if process.returncode is None:
                process.kill()
            await process.wait()
        table.line.unplug()
        await table.board.close()
        await table.web.aclose()


async def test_a_hung_service_shows_held_and_goes_on_where_it_was(table: Table) -> None:
    """Stopped by a signal, busy in Python, and stuck in C with the interpreter's lock held."""
    service = await table.start_service()
    for hang in (signal.SIGSTOP, signal.SIGUSR1, signal.SIGUSR2):
        await table.until_all(SHUFFLE)
        began_ns = time.monotonic_ns()
        service.send_signal(hang)
        await table.held_after(began_ns)
        assert table.sounded_since(began_ns)
        service.send_signal(signal.SIGCONT)
    await table.until_all(SHUFFLE)
    assert service.returncode is None
    assert down(await table.scene()) == {}


async def test_a_killed_service_shows_held_until_the_next_one_speaks(table: Table) -> None:
    service = await table.start_service()
    await table.until_all(SHUFFLE)
    began_ns = time.monotonic_ns()
    service.kill()
    await table.held_after(began_ns)
    assert table.sounded_since(began_ns)
    before = len(table.board.history)
    await table.start_service()
    await table.until_all(SHUFFLE)
    # Red and blue make the next picture's colour: green is in neither.
    greens = {green for _, green, _ in SPOTS[:SEATS]}
    later = list(table.board.history)[before:]
    assert not [level for level in later if level.pin in greens and level.level]


async def test_a_service_that_is_stopped_leaves_a_held_table_and_no_alarm(table: Table) -> None:
    service = await table.start_service()
    await table.until_all(SHUFFLE)
    began_ns = time.monotonic_ns()
    service.terminate()
    async with asyncio.timeout(PATIENCE_S):
        assert await service.wait() == 0
    await table.until_all(HELD)
    assert not table.sounded_since(began_ns)


async def test_a_killed_guard_is_told_to_the_table_and_the_next_one_shows_its_lights(
    table: Table,
) -> None:
    await table.start_service()
    await table.until_all(SHUFFLE)
    table.running[0].kill()
    await table.until(
        lambda: (
            {table.board.spot(seat) for seat in range(1, SEATS + 1)} == {DARK}
            and not table.board.level(SPOTS[0][0])
        )
    )
    told = await table.until_scene(lambda scene: set(down(scene)) == {"leds", "buzzer"})
    assert all("guard" in why for why in down(told).values())
    await table.start_guard()
    await table.until(lambda: set(table.spots()) == {SHUFFLE})
    await table.until_scene(lambda scene: not down(scene))


async def test_after_a_kill_with_bets_placed_the_recount_is_held_and_then_the_bets_are_lit(
    table: Table,
) -> None:
    service = await table.start_service()
    await table.until_all(SHUFFLE)
    await table.open_bets()
    await table.ask("place_wager", seat=2, amount=5_000)
    bets = [DARK, BET, DARK]
    await table.until(lambda: table.spots() == bets)
    began_ns = time.monotonic_ns()
    service.kill()
    await table.held_after(began_ns)
    await table.start_service()
    (hold,) = (await table.until_scene(lambda scene: bool(scene["holds"])))["holds"]
    assert table.seen() == {HELD}
    way = hold["ways"][0]
    await table.ask(**way["command"])
    await table.until(lambda: table.spots() == bets)

"""A service as a process, a guard of its lights beside it; pins and scanner end in this process."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from controller.commands.demo.files import write_files
from controller.commands.demo.order import DemoOrder
from controller.commands.demo.processes import free_port
from controller.commands.demo.wiring import BEAM, BUZZER, SPOTS
from controller.devices.safe import SAFE_HEADLINE
from drivers.code_book import check_character
from sim_hw.devices.pins.pin_world import PinWorld, Wiring
from sim_hw.devices.spot_lamps import LampColour
from sim_hw.table.changes import Changes
from tests.drivers.outside import BREAK_S, ScannerLine
from tests.support.patience import PATIENCE_S, Stopwatch

SEATS = 3
#: From the hang or the death to the light of a held table.
HELD_WITHIN_S = 3.0
HELD, SHUFFLE = LampColour(True, False, False), LampColour(True, False, True)
BET = LampColour(False, False, True)


class RealTable:
    """A board, a guard and a service, the latter two to be killed and started again.

    The record lies in a folder of its own, `record`. What lies `below` the service is its own, too.
    """

    def __init__(
        self,
        folder: Path,
        program: tuple[str, ...] = ("-m", "controller"),
        guard: tuple[str, ...] = ("-m", "drivers.panel.guard"),
    ) -> None:
        self.folder = folder
        self.program = program
        self.guard = guard
        self.python = sys.executable
        self.pin_factory = "tablectl_sim"
        self.below: Mapping[str, str] = {}
        self.port = free_port()
        order = DemoOrder("21-24-27", SEATS, 1, 1, 0, True, None, 0, folder)
        self.config = write_files(order, folder, self.port)
        self.record = folder / "record"
        self.changes = Changes()
        wiring = Wiring(SPOTS[:SEATS], {}, beam=BEAM, buzzer=BUZZER)
        self.board = PinWorld(wiring, self.changes.notify)
        self.line = ScannerLine(folder / "scanner")
        token = (folder / "token").read_text().strip()
        self.web = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self.port}/api/v1",
            headers={"Authorization": f"Bearer {token}"},
            timeout=PATIENCE_S,
            trust_env=False,
            verify=False,
        )
        self.running: list[asyncio.subprocess.Process] = []

    def configure(self, old: str, new: str) -> None:
        """Change a part of the written configuration."""
        written = self.config.read_text()
        assert old in written
        self.config.write_text(written.replace(old, new))

    async def start(
        self, *command: str, below: Mapping[str, str] | None = None, terminal: int = DEVNULL
    ) -> asyncio.subprocess.Process:
        """Start a program, and wait until it is ready; `terminal` is where it is typed at."""
        pins = self.folder / "pins.sock"
        environment = {
            **os.environ,
            "GPIOZERO_PIN_FACTORY": self.pin_factory,
            "TABLECTL_SIM_PINS": str(pins),
            "TABLECTL_GUARD": str(self.folder / "guard.sock"),
            **(below or {}),
        }
        log = self.folder / f"log-{len(self.running)}"
        with log.open("wb") as said:
            process = await asyncio.create_subprocess_exec(
                self.python, *command, env=environment, stdin=terminal, stdout=PIPE, stderr=said
            )
        self.running.append(process)
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            ready = await process.stdout.readline()
        assert ready.startswith(b"ready "), log.read_text()
        return process

    async def start_guard(self) -> asyncio.subprocess.Process:
        socket = self.folder / "guard.sock"
        return await self.start(*self.guard, "--allow-simulated", str(socket))

    async def start_service(self, terminal: int = DEVNULL) -> asyncio.subprocess.Process:
        command = (*self.program, "run", "--allow-simulated", str(self.config))
        return await self.start(*command, below=self.below, terminal=terminal)

    def log(self) -> str:
        """What the program that was started last said on standard error."""
        return (self.folder / f"log-{len(self.running) - 1}").read_text()

    def perceived(self) -> set[LampColour]:
        """The colours that an eye takes from the spots."""
        return {self.board.perceived(seat) for seat in range(1, SEATS + 1)}

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                await self.changes.wait(0.05)

    async def until_all(self, colour: LampColour) -> None:
        await self.until(lambda: self.perceived() == {colour})

    async def held_after(self, began: Stopwatch) -> None:
        """Every spot shows a held table, soon enough."""
        await self.until_all(HELD)
        assert began.passed_s() < HELD_WITHIN_S

    async def sounds_after(self, began: Stopwatch) -> None:
        """The alarm is heard, an instant after the lights."""
        await self.until(lambda: self.sounded_since(began))

    def sounded_since(self, began: Stopwatch) -> bool:
        later = [each for each in self.board.history if each.at_ns > began.began_ns]
        return (BUZZER, 1) in {(each.pin, each.level) for each in later}

    def spots(self) -> list[LampColour]:
        """What every spot shows at this instant."""
        return [self.board.spot(seat) for seat in range(1, SEATS + 1)]

    async def scene(self) -> dict[str, Any]:
        """The dealer display."""
        scene: dict[str, Any] = (await self.web.get("/scene")).json()
        return scene

    async def technical(self) -> dict[str, str]:
        """What the status page says of each device that is down, for a technician."""
        devices = (await self.web.get("/table")).json()["devices"]
        return {each["name"]: each["why"] for each in devices if not each["up"]}

    async def until_scene(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_S):
            while not true(scene := await self.scene()):  # noqa: ASYNC110  (no event comes here)
                await asyncio.sleep(0.02)
        return scene

    async def post(self, do: str, key: str = "", **values: object) -> httpx.Response:
        """A command of the dealer's page, and what was answered."""
        headers = {"Idempotency-Key": key} if key else {}
        return await self.web.post("/commands", json={"do": do, **values}, headers=headers)

    async def ask(self, do: str, **values: object) -> None:
        """A command of the dealer's page, which must be taken."""
        answer = await self.web.post("/commands", json={"do": do, **values})
        assert answer.json().get("accepted"), answer.text

    async def count_felt(self) -> None:
        """People answer the recount: they count as many cards on the felt as are shown."""
        scene = await self.scene()
        hands = [*scene["hands"], scene["dealer"]] if scene["phase"] == "round" else []
        cards = sum(len(hand["cards"]) for hand in hands if hand)
        keys = scene["holds"][0]["resolutions"]
        count = next(key for key in keys if key["command"].get("resolution") == "count")
        await self.ask(**count["command"], cards=cards)

    async def health(self) -> int:
        """The status with which the service answers for its health."""
        at = f"http://127.0.0.1:{self.port}/healthz"
        return (await self.web.get(at)).status_code

    async def stop(self, service: asyncio.subprocess.Process) -> int:
        """Tell a service to stop; its exit status."""
        service.terminate()
        async with asyncio.timeout(PATIENCE_S):
            return await service.wait()

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


def safe(scene: dict[str, Any]) -> bool:
    """Whether the dealer display shows that the record is not available."""
    return bool(scene["headline"] == SAFE_HEADLINE)


@asynccontextmanager
async def standing(table: RealTable) -> AsyncIterator[RealTable]:
    """The table with its scanner, its pins and a guard; at the end nothing of it is left."""
    try:
        table.line.plug()
        await table.board.open(table.folder / "pins.sock")
        await table.start_guard()
        yield table
    finally:
        for process in reversed(table.running):
            if process.returncode is None:
                process.kill()
            await process.wait()
        table.line.unplug()
        await table.board.close()
        await table.web.aclose()

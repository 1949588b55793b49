"""A table on the bench: simulated pins and a scanner's line, and somebody who calibrates it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Container
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sim_hw.devices.pins.pin_wire import SOCKET_VARIABLE
from sim_hw.devices.pins.pin_world import PanelButton, PinWorld, Wiring
from sim_hw.devices.spot_lamps import LampColour
from tests.drivers.outside import ScannerLine, until

SPOTS = ((6, 7, 8), (9, 10, 11), (12, 13, 14))
BUTTONS = {PanelButton.NEXT: 2, PanelButton.STAND: 3, PanelButton.CALL: 4}
BEAM = 5
TIMEOUT_S = 200

CONFIG = """\
# A table on the bench.
[table]
name = "B1"
game = "21-24-27"
seats = 3
[record]
folder = "record"
[web]
port = 0
token_file = "token"
[scanner]
port = "scanner"  # by its link
[beam]
pin = 5
stuck_ms = 2500
[leds]
spots = [[6, 7, 8], [9, 10, 11], [12, 13, 14]]
[buttons]
next = 2
stand = 3
call = 4
"""


@dataclass
class CalibrationOutput:
    """What a calibration said, line by line, and how it ended."""

    lines: list[str] = field(default_factory=list)
    errors: str = ""
    status: int = -1

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class CalibrationBench:
    """The real things of a table, as they are wired, and its configuration."""

    def __init__(self, folder: Path, wiring: Wiring) -> None:
        self.folder = folder
        self.config = folder / "table.toml"
        self.config.write_text(CONFIG)
        self.board = PinWorld(wiring, lambda: None)
        self.scanner = ScannerLine(folder / "scanner")

    async def calibrate(
        self,
        kind: str,
        answer: Callable[[str], Awaitable[str | None]],
        *more: str,
        program: str = "controller",
    ) -> CalibrationOutput:
        """Run `tablectl calibrate`; `answer` acts on each line and types what it returns.

        `program` is the module that is `tablectl`.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", program, "calibrate", kind, str(self.config),
            "--allow-simulated", *more,
            env={
                **os.environ, "GPIOZERO_PIN_FACTORY": "tablectl_sim",
                SOCKET_VARIABLE: str(self.folder / "pins"),
            },
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        said = CalibrationOutput()
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            async with asyncio.timeout(TIMEOUT_S):
                async for raw in process.stdout:
                    line = raw.decode().rstrip("\n")
                    said.lines.append(line)
                    typed = await answer(line)
                    if typed is not None:
                        process.stdin.write(f"{typed}\n".encode())
                said.errors = (await process.stderr.read()).decode()
                said.status = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return said

    async def lit(self, seats: int, ignoring: Container[str] = ()) -> list[str]:
        """The lamps that are lit, as "2g", once there is one, and none of those `seen` before:
        that one has gone dark may be heard late.
        """
        found: list[str] = []

        def look() -> bool:
            found[:] = [
                f"{seat}{'rgb'[at]}"
                for seat in range(1, seats + 1)
                for at, on in enumerate(self.board.spot(seat))
                if on
            ]
            return len(found) == 1 and found[0] not in ignoring

        await until(look)
        return found

    async def shows(self, seat: int, colour: LampColour) -> None:
        await until(lambda: self.board.spot(seat) == colour)


@asynccontextmanager
async def bench(
    folder: Path, spots: tuple[tuple[int, int, int], ...] = SPOTS, *, beam_active_low: bool = True
) -> AsyncIterator[CalibrationBench]:
    """A table whose scanner is plugged in and whose pins answer."""
    wiring = Wiring(spots, BUTTONS, BEAM, beam_active_low=beam_active_low, debounce_ms=60)
    made = CalibrationBench(folder, wiring)
    await made.board.open(folder / "pins")
    made.scanner.plug()
    try:
        yield made
    finally:
        made.scanner.unplug()
        await made.board.close()

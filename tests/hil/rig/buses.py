"""The table's buses as a process: `python -m tests.hil.rig.buses RIG LIGHTS CHANNELS`.

What lights a simulated table that has no lamps on pins, with the rig's end of it, in the rig's
folder: the far end of a strip's data line (`strip-bus`) with the rig's board, or the chips of an
I2C bus (behind the socket `chips`) with the rig's wires at their pins. Prints `ready`. It is a
process of its own, so that no lamp waits for the simulated people; power ends it, a kill.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from gpiozero import Device

from tests.drivers.panel.strip_bus import StripBus
from tests.hil.dealt.table_lights import MCP23017, PCA9685, STRIP
from tests.hil.rig.taps import STRIP_BOARD, StripTap, Tap
from tests.hil.rig.wired_chips import I2C_LEDS, ON_PORTS, WiredChips
from tests.support.processes.wired_program import chips_at

BUS, CHIPS = "strip-bus", "chips"
#: So often is tried whether a line that was full takes more.
FULL_S = 0.005


def _ready() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()


async def strip(folder: Path, channels: int) -> None:
    """The far end of a strip's bus, and the board that listens there, until cancelled."""
    (folder / BUS).unlink(missing_ok=True)
    bus, tap = StripBus(folder / BUS), Tap(folder / "strip-tap", STRIP_BOARD, takes_s=0.0)
    board, came = StripTap(bus, tap, channels), asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(bus.fileno(), came.set)
    _ready()
    try:
        while True:
            try:
                # Nobody may read the line yet: what waits for it is tried again.
                async with asyncio.timeout(FULL_S if tap.queue.waits else None):
                    await came.wait()
            except TimeoutError:
                tap.hands_on()
                continue
            came.clear()
            board.look()
    finally:
        loop.remove_reader(bus.fileno())
        bus.close()
        tap.close()


async def chips(folder: Path, lights: str) -> None:
    """The chips of the bus, until cancelled."""
    Device.ensure_pin_factory()
    factory: Any = Device.pin_factory
    (folder / CHIPS).unlink(missing_ok=True)
    wired = WiredChips(factory, ON_PORTS if lights == MCP23017 else I2C_LEDS, folder / "oled-tap")
    try:
        with chips_at(folder / CHIPS, wired):
            _ready()
            await asyncio.Event().wait()
    finally:
        wired.close()


def main(arguments: list[str]) -> int:
    """Run until killed; the exit status where that makes no sense."""
    folder, lights, channels = Path(arguments[0]), arguments[1], int(arguments[2])
    if lights == STRIP:
        asyncio.run(strip(folder, channels))
    elif lights in (PCA9685, MCP23017):
        asyncio.run(chips(folder, lights))
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

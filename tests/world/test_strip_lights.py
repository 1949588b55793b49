"""Ten seats of Seven Twenty-Seven, lit by one strip: a whole table with the guard of its lights."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from controller.devices.lights import LOOKS
from controller.devices.scene import Light
from tests.drivers.outside import until
from tests.drivers.panel.strip_bus import StripBus, decoded
from tests.support.processes.real_table import RealTable, standing
from tests.world.test_outside_driver import without

pytestmark = pytest.mark.anyio

SEATS, PIXELS, BRIGHTNESS = 10, 4, 64
STRIP = """
[strip]
device = "{bus}"
spots = 10
pixels = 4
brightness = 64
"""
GUARD = "drivers.panel.guard"
#: A program of the table on a bus that is a pipe: all but the kernel's set-up of the bus.
ON_A_PIPE = """
import sys
from drivers.io import spi
spi.set_up = lambda descriptor, hertz: None
from {module} import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.long
async def test_one_strip_lights_ten_seats_and_is_held_when_the_service_dies(
    tmp_path: Path,
) -> None:
    bus = tmp_path / "spidev0.0"
    far = StripBus(bus)

    def show(light: Light) -> bool:
        """Whether every pixel of all ten seats shows this light now, or the dark of its pattern."""
        red, green, blue = LOOKS[light].colour
        lit = (BRIGHTNESS * green, BRIGHTNESS * red, BRIGHTNESS * blue)
        newest = far.look()
        return bool(newest) and decoded(newest, 3) == [lit] * (SEATS * PIXELS)

    programs = (ON_A_PIPE.format(module=each) for each in ("controller.__main__", GUARD))
    table = RealTable(tmp_path, *(("-c", each) for each in programs))
    text = without(table.config.read_text(), "leds", "options")
    text = text.replace('"21-24-27"', '"seven-twenty-seven"').replace("seats = 3", "seats = 10")
    table.config.write_text(text + STRIP.format(bus=bus))
    try:
        async with standing(table):
            service = await table.start_service()
            await until(lambda: show(Light.SHUFFLE))
            service.send_signal(signal.SIGKILL)
            await until(lambda: show(Light.HELD))
    finally:
        far.close()

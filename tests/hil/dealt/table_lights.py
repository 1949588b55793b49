"""What lights the spots of a table, as a bench names it, and where a rig looks at them."""

from __future__ import annotations

from typing import Final

from controller.config.device_sections import DeviceSections
from tests.hil.ways import BENCH_LIGHTS

PINS, PCA9685, MCP23017, STRIP, SACN, DMX = BENCH_LIGHTS
#: The rig's lines on which lamps are heard of: a board's at the strip, a universe, a DMX interface.
LINE_OF: Final = {STRIP: "strip", SACN: "fixtures", DMX: "dmx"}
#: Those behind whose chips or pins are the rig's own wires.
WIRED: Final = (PINS, PCA9685, MCP23017)
#: The devices of lights, as the display names them.
DEVICES: Final = frozenset({"leds", "i2c_leds", "strip", "sacn", "dmx"})
#: Lamps that are at no pin of the header have numbers from here on.
_NO_PIN: Final = 100


def lights_of(devices: DeviceSections) -> str:
    """What lights a table that is configured so, by its name in `bench.lights`; "" for nothing.

    Of several the one whose wires are the rig's first.
    """
    if devices.leds is not None:
        return PINS
    if devices.i2c_leds is not None:
        return devices.i2c_leds.chip
    lit = {STRIP: devices.strip, SACN: devices.sacn, DMX: devices.dmx}
    return next((name for name, section in lit.items() if section is not None), "")


def spots_of(devices: DeviceSections) -> tuple[tuple[int, int, int], ...]:
    """Red, green and blue of each spot: its pins, or the numbers of lamps that are at none."""
    if devices.leds is not None:
        return devices.leds.spots
    lit = devices.i2c_leds or devices.strip or devices.sacn or devices.dmx
    assert lit is not None, "the rig looks at spots that are lit: [leds], [strip] or another"
    firsts = range(_NO_PIN, _NO_PIN + 3 * lit.spots, 3)
    return tuple((first, first + 1, first + 2) for first in firsts)


def active_low(devices: DeviceSections) -> bool:
    """Whether a lamp is lit where its wire is low."""
    wired = devices.leds or devices.i2c_leds
    return wired is not None and wired.active_low

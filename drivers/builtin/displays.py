"""Small displays with words: for customers on a pole, for the dealer on an OLED."""

from __future__ import annotations

from typing import Final

from drivers.builtin.needs import (
    LINE_MODULES,
    LINES,
    i2c_chips,
    i2c_needs,
    i2c_pins,
    need_pillow,
    port_node,
)
from drivers.driver import Driver, DriverContext, DriverRole, Made, SystemNeeds
from drivers.panel.displays.pole_display import PoleDisplay
from drivers.settings.displays import OledSettings, PoleDisplaySettings


def _pole_display(settings: PoleDisplaySettings, _: DriverContext) -> Made:
    return Made(PoleDisplay(settings))


def _pole_needs(settings: PoleDisplaySettings) -> SystemNeeds:
    return SystemNeeds(
        device_classes=LINES, device_nodes=(settings.port,), groups=("dialout",),
        modules=LINE_MODULES,
    )  # fmt: skip


def _oled(settings: OledSettings, _: DriverContext) -> Made:
    need_pillow()
    from drivers.panel.displays.oled import OledDisplay

    return Made(OledDisplay(settings))


POLE_DISPLAY: Final = Driver(
    "pole_display",
    DriverRole.DISPLAY,
    PoleDisplaySettings,
    _pole_display,
    _pole_needs,
    nodes=port_node,
)
OLED: Final = Driver(
    "oled", DriverRole.DISPLAY, OledSettings, _oled, i2c_needs, i2c_pins, nodes=i2c_chips
)

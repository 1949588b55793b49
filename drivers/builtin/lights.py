"""The lamps of the spots, wherever they hang, and the buzzer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drivers.builtin.needs import (
    LINE_MODULES,
    LINES,
    device_node,
    i2c_chips,
    i2c_needs,
    i2c_pins,
    on_pins,
    port_node,
    spi_data_line,
    spi_needs,
    spi_pins,
)
from drivers.driver import Driver, DriverContext, DriverRole, Made, SystemNeeds, UsedNode, UsedPin
from drivers.panel.buzzer import Buzzer
from drivers.panel.lights.dmx import DmxLamps
from drivers.panel.lights.i2c_lamps import I2cLamps
from drivers.panel.lights.leds import PinLamps, SpotLights
from drivers.panel.lights.sacn import SacnLamps
from drivers.panel.lights.strip import StripLamps
from drivers.settings.dmx import DmxSettings
from drivers.settings.i2c import I2cLedSettings
from drivers.settings.panel import BuzzerSettings, LedSettings, StripSettings
from drivers.settings.sacn import SacnSettings

STRIP_NAME: Final = "strip"
I2C_LEDS_NAME: Final = "i2c_leds"
SACN_NAME: Final = "sacn"
DMX_NAME: Final = "dmx"


def _leds(settings: LedSettings, around: DriverContext) -> Made:
    return Made(SpotLights(PinLamps(settings, around.factory)))


def _led_pins(settings: LedSettings) -> Iterator[UsedPin]:
    for seat, spot in enumerate(settings.spots, start=1):
        for pin in spot:
            yield UsedPin("spots", f"seat {seat}: ", pin)


def _strip(settings: StripSettings, _: DriverContext) -> Made:
    return Made(SpotLights(StripLamps(settings), STRIP_NAME))


def _strip_nodes(settings: StripSettings) -> Iterator[UsedNode]:
    yield from device_node(settings)
    yield spi_data_line("device", settings.device)


def _i2c_leds(settings: I2cLedSettings, _: DriverContext) -> Made:
    return Made(SpotLights(I2cLamps(settings), I2C_LEDS_NAME))


def _sacn(settings: SacnSettings, _: DriverContext) -> Made:
    return Made(SpotLights(SacnLamps(settings), SACN_NAME))


def _sacn_needs(settings: SacnSettings) -> SystemNeeds:
    return SystemNeeds(address_families=("AF_INET",), addresses=(settings.address,))


def _dmx(settings: DmxSettings, _: DriverContext) -> Made:
    return Made(SpotLights(DmxLamps(settings), DMX_NAME))


def _dmx_needs(settings: DmxSettings) -> SystemNeeds:
    return SystemNeeds(
        device_classes=LINES, device_nodes=(settings.port,), groups=("dialout",),
        modules=LINE_MODULES,
    )  # fmt: skip


def _buzzer(settings: BuzzerSettings, around: DriverContext) -> Made:
    return Made(Buzzer(settings, around.factory))


LEDS: Final = Driver(
    "leds", DriverRole.OUTPUT, LedSettings, _leds, on_pins, _led_pins, lambda leds: len(leds.spots)
)
STRIP: Final = Driver(
    STRIP_NAME, DriverRole.OUTPUT, StripSettings, _strip, lambda strip: spi_needs(strip.device),
    lambda strip: spi_pins("device", strip.device), lambda strip: strip.spots, _strip_nodes,
    apart=True,
)  # fmt: skip
I2C_LEDS: Final = Driver(
    I2C_LEDS_NAME, DriverRole.OUTPUT, I2cLedSettings, _i2c_leds, i2c_needs, i2c_pins,
    lambda leds: leds.spots, i2c_chips, apart=True,
)  # fmt: skip
SACN: Final = Driver(
    SACN_NAME, DriverRole.OUTPUT, SacnSettings, _sacn, _sacn_needs, spots=lambda sacn: sacn.spots
)
DMX: Final = Driver(
    DMX_NAME, DriverRole.OUTPUT, DmxSettings, _dmx, _dmx_needs, spots=lambda dmx: dmx.spots,
    nodes=port_node, apart=True,
)  # fmt: skip
BUZZER: Final = Driver(
    "buzzer",
    DriverRole.OUTPUT,
    BuzzerSettings,
    _buzzer,
    on_pins,
    lambda buzzer: [UsedPin("pin", "", buzzer.pin)],
)

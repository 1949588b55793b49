"""Our drivers of what senses chips on the bet spots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drivers.builtin.needs import (
    LINE_MODULES,
    LINES,
    i2c_bus_pins,
    i2c_buses,
    spi_data_line,
    spi_needs,
    spi_pins,
)
from drivers.driver import Driver, DriverContext, DriverRole, Made, SystemNeeds, UsedNode, UsedPin
from drivers.settings.spots import BetSpotSettings
from drivers.spots.bet_spots import BetSpots
from drivers.spots.bus_link import ADDRESS
from drivers.spots.tag_contents import KeyFileError, read_key


def _bet_spots(settings: BetSpotSettings, around: DriverContext) -> Made:
    if len(settings.ports) > around.seats:
        raise ValueError(f"there are {len(settings.ports)} ports and {around.seats} seats")
    try:
        key = None if settings.key_file is None else read_key(around.base / settings.key_file)
    except KeyFileError as error:
        raise ValueError(str(error)) from error
    return Made(BetSpots(settings, key, around.base))


def _needs(settings: BetSpotSettings) -> SystemNeeds:
    if settings.interface == "spi":
        return spi_needs(*settings.wired)
    if settings.interface == "i2c":
        return i2c_buses(*settings.wired)
    return SystemNeeds(
        device_classes=LINES, device_nodes=settings.wired, groups=("dialout",),
        modules=LINE_MODULES,
    )  # fmt: skip


def _pins(settings: BetSpotSettings) -> Iterator[UsedPin]:
    for node in settings.wired:
        if settings.interface == "spi":
            yield from spi_pins("ports", node)
        elif settings.interface == "i2c":
            yield from i2c_bus_pins("ports", node)


def _nodes(settings: BetSpotSettings) -> Iterator[UsedNode]:
    for port in settings.wired:
        if settings.interface == "i2c":
            yield UsedNode("ports", f"{port} at {ADDRESS:#x}")
        else:
            yield UsedNode("ports", port)
        if settings.interface == "spi":
            yield spi_data_line("ports", port)


BET_SPOTS: Final = Driver(
    "bet_spots", DriverRole.SENSOR, BetSpotSettings, _bet_spots, _needs, _pins, nodes=_nodes
)

"""What several of our drivers need of the unit, and which header pins a bus takes."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Final

from drivers.driver import SystemNeeds, UsedNode, UsedPin
from drivers.settings.displays import OledSettings
from drivers.settings.i2c import I2cButtonSettings, I2cLedSettings

#: The kinds of serial lines, which an adapter of tomorrow may be any of.
LINES: Final = ("char-ttyUSB", "char-ttyACM", "char-ttyAMA")
#: The modules of their adapters.
LINE_MODULES: Final = ("usbserial", "cdc_acm")
#: The bus that is on the header of every Raspberry Pi, and its pins.
I2C_BUS: Final = "/dev/i2c-1"
I2C_PINS: Final = (2, 3)


#: The header pins of each SPI bus that every Raspberry Pi has on its header, by the node's stem.
SPI_PINS: Final = {"/dev/spidev0.": (7, 8, 9, 10, 11), "/dev/spidev1.": (16, 17, 18, 19, 20, 21)}


def on_pins(_: Any) -> SystemNeeds:
    """What a device on header pins needs."""
    return SystemNeeds(device_classes=("char-gpiochip",), groups=("gpio",))


def spi_pins(key: str, node: str) -> Iterator[UsedPin]:
    """The pins of the header's bus that a node is on, where it is one."""
    for pin in SPI_PINS.get(node[:-1], ()):
        yield UsedPin(key, "its bus: ", pin, of_a_bus=True)


def spi_needs(*nodes: str) -> SystemNeeds:
    """What a device on these selects of an SPI bus needs."""
    # The class, too: a node that is not there yet when the unit starts is not allowed by its name.
    return SystemNeeds(
        device_classes=("char-spi",), device_nodes=nodes, groups=("spi",), modules=("spidev",)
    )


def spi_data_line(key: str, node: str) -> UsedNode:
    """The data line of the bus that a node is on.

    A strip has no select: it takes whatever goes over it for its own.
    """
    return UsedNode(key, f"{node.rpartition('.')[0]} (data line)")


def i2c_pins(settings: I2cLedSettings | I2cButtonSettings | OledSettings) -> Iterator[UsedPin]:
    """The pins of the header's bus, where the device is on that one."""
    yield from i2c_bus_pins("bus", settings.bus)


def i2c_bus_pins(key: str, node: str) -> Iterator[UsedPin]:
    """The pins of the header's bus, where that is the node."""
    if node == I2C_BUS:
        for pin in I2C_PINS:
            yield UsedPin(key, "its bus: ", pin, of_a_bus=True)


def i2c_needs(settings: I2cLedSettings | I2cButtonSettings | OledSettings) -> SystemNeeds:
    """What a device on an I2C bus needs."""
    return i2c_buses(settings.bus)


def i2c_buses(*nodes: str) -> SystemNeeds:
    """What a device on these I2C buses needs."""
    return SystemNeeds(
        device_classes=("char-i2c",), device_nodes=nodes, groups=("i2c",), modules=("i2c-dev",)
    )


def i2c_chips(settings: I2cLedSettings | I2cButtonSettings | OledSettings) -> Iterator[UsedNode]:
    """The chips that a device has on its bus."""
    if isinstance(settings, I2cLedSettings):
        for address in settings.addresses:
            yield UsedNode("addresses", f"{settings.bus} at {address:#x}")
    else:
        yield UsedNode("address", f"{settings.bus} at {settings.address:#x}")


def device_node(settings: Any) -> Iterator[UsedNode]:
    """The node in `device`."""
    yield UsedNode("device", str(settings.device))


def port_node(settings: Any) -> Iterator[UsedNode]:
    """The node in `port`."""
    yield UsedNode("port", str(settings.port))


def need_pillow() -> None:
    """What shows pictures draws them with Pillow. Raises `ValueError` without it."""
    if find_spec("PIL") is None:
        raise ValueError(
            "Pillow cannot be found: install the extra `pictures` (pip install"
            " 'tablectl[pictures]')"
        )

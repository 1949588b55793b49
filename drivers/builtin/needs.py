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


def on_pins(_: Any) -> SystemNeeds:
    """What a device on header pins needs."""
    return SystemNeeds(device_classes=("char-gpiochip",), groups=("gpio",))


def i2c_pins(settings: I2cLedSettings | I2cButtonSettings | OledSettings) -> Iterator[UsedPin]:
    """The pins of the header's bus, where the device is on that one."""
    if settings.bus == I2C_BUS:
        for pin in I2C_PINS:
            yield UsedPin("bus", "its bus: ", pin, of_a_bus=True)


def i2c_needs(settings: I2cLedSettings | I2cButtonSettings | OledSettings) -> SystemNeeds:
    """What a device on an I2C bus needs."""
    return SystemNeeds(
        device_classes=("char-i2c",), device_nodes=(settings.bus,), groups=("i2c",),
        modules=("i2c-dev",),
    )  # fmt: skip


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

"""What the dealer presses: buttons on pins or a bus, keypad, pedal, keys with pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drivers.builtin.needs import (
    device_node,
    i2c_chips,
    i2c_needs,
    i2c_pins,
    need_pillow,
    on_pins,
)
from drivers.driver import Driver, DriverContext, DriverRole, Made, SystemNeeds, UsedPin
from drivers.io.pins import Factory
from drivers.panel.button_banks import ButtonBank, I2cBank, KeyBank, PinBank
from drivers.panel.buttons import Buttons
from drivers.settings.displays import StreamDeckSettings
from drivers.settings.i2c import I2cButtonSettings
from drivers.settings.keypad import KeypadSettings
from drivers.settings.panel import BUTTON_NAMES, ButtonSettings

BUTTONS_NAME: Final = "buttons"
I2C_BUTTONS_NAME: Final = "i2c_buttons"


def pin_buttons(settings: ButtonSettings, factory: Factory) -> Buttons:
    """The dealer's buttons on header pins."""
    return _debounced(PinBank(settings, factory, BUTTONS_NAME), settings, BUTTONS_NAME)


def _buttons(settings: ButtonSettings, around: DriverContext) -> Made:
    return Made(pin_buttons(settings, around.factory))


def _debounced(
    bank: ButtonBank, settings: ButtonSettings | I2cButtonSettings | KeypadSettings, name: str
) -> Buttons:
    return Buttons(bank, name, debounce_ms=settings.debounce_ms, stuck_s=settings.stuck_s)


def _i2c_buttons(settings: I2cButtonSettings, _: DriverContext) -> Made:
    return Made(_debounced(I2cBank(settings, I2C_BUTTONS_NAME), settings, I2C_BUTTONS_NAME))


def _keypad_driver(section: str) -> Driver:
    """The driver of a USB keypad or a pedal: both are keys that Linux sees."""

    def make(settings: KeypadSettings, _: DriverContext) -> Made:
        return Made(_debounced(KeyBank(settings, section), settings, section))

    def needs(settings: KeypadSettings) -> SystemNeeds:
        return SystemNeeds(
            device_classes=("char-input",), device_nodes=(settings.device,), groups=("input",),
            modules=("evdev", "usbhid"),
        )  # fmt: skip

    return Driver(section, DriverRole.INPUT, KeypadSettings, make, needs, nodes=device_node)


def _button_pins(settings: ButtonSettings) -> Iterator[UsedPin]:
    for name in BUTTON_NAMES:
        if (pin := getattr(settings, name)) is not None:
            yield UsedPin(name, "", pin)


def _stream_deck(settings: StreamDeckSettings, _: DriverContext) -> Made:
    need_pillow()
    # Pillow is loaded where something shows pictures, and only there.
    from drivers.panel.stream_deck import StreamDeck

    return Made(StreamDeck(settings))


def _deck_needs(settings: StreamDeckSettings) -> SystemNeeds:
    return SystemNeeds(
        device_classes=("char-hidraw",), device_nodes=(settings.device,), groups=("dialout",),
        modules=("usbhid",),
    )  # fmt: skip


BUTTONS: Final = Driver(
    "buttons", DriverRole.INPUT, ButtonSettings, _buttons, on_pins, _button_pins
)
I2C_BUTTONS: Final = Driver(
    I2C_BUTTONS_NAME,
    DriverRole.INPUT,
    I2cButtonSettings,
    _i2c_buttons,
    i2c_needs,
    i2c_pins,
    nodes=i2c_chips,
)
KEYPAD: Final = _keypad_driver("keypad")
PEDAL: Final = _keypad_driver("pedal")
STREAM_DECK: Final = Driver(
    "stream_deck",
    DriverRole.INPUT,
    StreamDeckSettings,
    _stream_deck,
    _deck_needs,
    nodes=device_node,
)

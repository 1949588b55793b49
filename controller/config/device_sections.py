"""The sections of devices in a configuration, each typed by its driver's own settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final

from controller.rules.frozen import frozen
from drivers.settings.camera import CameraSettings
from drivers.settings.displays import OledSettings, PoleDisplaySettings, StreamDeckSettings
from drivers.settings.dmx import DmxSettings
from drivers.settings.i2c import I2cButtonSettings, I2cLedSettings
from drivers.settings.keypad import KeypadSettings
from drivers.settings.panel import ButtonSettings, BuzzerSettings, LedSettings, StripSettings
from drivers.settings.sacn import SacnSettings
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings, ShoeSettings
from drivers.settings.spots import BetSpotSettings

DeviceSettings = (
    ScannerSettings | CameraSettings | ShoeSettings | BeamSettings | LedSettings | ButtonSettings
    | BuzzerSettings | StripSettings | I2cLedSettings | SacnSettings | DmxSettings
    | I2cButtonSettings | KeypadSettings | PoleDisplaySettings | StreamDeckSettings | OledSettings
    | BetSpotSettings
)  # fmt: skip


@frozen
class DeviceSections:
    """The sections of devices, each checked by its driver's own settings; None: there is none.

    `others` are those of drivers that are no part of tablectl, by name.
    """

    scanner: ScannerSettings | None = None
    camera: CameraSettings | None = None
    shoe: ShoeSettings | None = None
    beam: BeamSettings | None = None
    leds: LedSettings | None = None
    strip: StripSettings | None = None
    i2c_leds: I2cLedSettings | None = None
    sacn: SacnSettings | None = None
    dmx: DmxSettings | None = None
    bet_spots: BetSpotSettings | None = None
    buttons: ButtonSettings | None = None
    i2c_buttons: I2cButtonSettings | None = None
    keypad: KeypadSettings | None = None
    pedal: KeypadSettings | None = None
    stream_deck: StreamDeckSettings | None = None
    pole_display: PoleDisplaySettings | None = None
    oled: OledSettings | None = None
    buzzer: BuzzerSettings | None = None
    others: Mapping[str, Any] = field(default_factory=dict)

    def section(self, name: str) -> Any:
        """The settings of the section of that name, None where it is not there."""
        return getattr(self, name) if name in DEVICES else self.others.get(name)

    @property
    def configured(self) -> frozenset[str]:
        """The names of the sections that are there."""
        ours = (name for name in DEVICES if self.section(name) is not None)
        return frozenset((*ours, *self.others))


#: What the section of each device is made of.
DEVICES: Final[dict[str, type]] = {
    "scanner": ScannerSettings,
    "camera": CameraSettings,
    "shoe": ShoeSettings,
    "beam": BeamSettings,
    "leds": LedSettings,
    "strip": StripSettings,
    "i2c_leds": I2cLedSettings,
    "sacn": SacnSettings,
    "dmx": DmxSettings,
    "bet_spots": BetSpotSettings,
    "buttons": ButtonSettings,
    "i2c_buttons": I2cButtonSettings,
    "keypad": KeypadSettings,
    "pedal": KeypadSettings,
    "stream_deck": StreamDeckSettings,
    "pole_display": PoleDisplaySettings,
    "oled": OledSettings,
    "buzzer": BuzzerSettings,
}

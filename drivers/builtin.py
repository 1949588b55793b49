"""The drivers that come with the table, as the door has them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from drivers.code_book import code_book
from drivers.driver import Driver, DriverContext, DriverRole, Made, SystemNeeds, UsedPin
from drivers.io.pins import Factory
from drivers.panel.button_banks import ButtonBank, I2cBank, KeyBank, PinBank
from drivers.panel.buttons import Buttons
from drivers.panel.buzzer import Buzzer
from drivers.panel.i2c_lamps import I2cLamps
from drivers.panel.leds import PinLamps, SpotLights
from drivers.panel.pole_display import PoleDisplay
from drivers.panel.sacn import SacnLamps
from drivers.panel.strip import StripLamps
from drivers.settings.camera import CameraSettings
from drivers.settings.displays import OledSettings, PoleDisplaySettings, StreamDeckSettings
from drivers.settings.i2c import I2cButtonSettings, I2cLedSettings
from drivers.settings.keypad import KeypadSettings
from drivers.settings.panel import (
    BUTTON_NAMES,
    ButtonSettings,
    BuzzerSettings,
    LedSettings,
    StripSettings,
)
from drivers.settings.sacn import SacnSettings
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings, ShoeSettings
from drivers.settings.spots import BetSpotSettings
from drivers.shoe.serial_shoe import SerialShoe
from drivers.spots.bet_spots import BetSpots
from drivers.spots.tag_contents import KeyFileError, read_key

#: The section of each reader is its device's name, too.
SCANNER_NAME: Final = "scanner"
CAMERA_NAME: Final = "camera"
#: Whether the camera sees the cards as it did when it was calibrated.
VIEW: Final = "camera view"
STRIP_NAME: Final = "strip"
I2C_LEDS_NAME: Final = "i2c_leds"
BUTTONS_NAME: Final = "buttons"
I2C_BUTTONS_NAME: Final = "i2c_buttons"
SACN_NAME: Final = "sacn"
#: The kinds of serial lines, which an adapter of tomorrow may be any of.
LINES: Final = ("char-ttyUSB", "char-ttyACM", "char-ttyAMA")
#: The bus that is on the header of every Raspberry Pi, and its pins.
I2C_BUS: Final = "/dev/i2c-1"
I2C_PINS: Final = (2, 3)
#: The header pins of each SPI bus that every Raspberry Pi has on its header, by the node's stem.
SPI_PINS: Final = {"/dev/spidev0.": (7, 8, 9, 10, 11), "/dev/spidev1.": (16, 17, 18, 19, 20, 21)}
PIN_NEEDS: Final = SystemNeeds(device_classes=("char-gpiochip",), groups=("gpio",))


def resolved(scanner: ScannerSettings, base: Path) -> ScannerSettings:
    """The settings with paths as seen from the configuration's folder."""
    codes = scanner.codes
    if codes.endswith(".toml"):
        codes = str(base / codes)
    return dataclasses.replace(scanner, port=base / scanner.port, codes=codes)


def resolved_camera(camera: CameraSettings, base: Path) -> CameraSettings:
    """The settings with paths as seen from the configuration's folder."""
    is_file = not camera.is_device and not camera.is_stream
    return dataclasses.replace(
        camera,
        source=str(base / camera.source) if is_file else camera.source,
        deck=None if camera.deck is None else base / camera.deck,
    )


def _scanner(settings: ScannerSettings, around: DriverContext) -> Made:
    scanner = resolved(settings, around.base)
    book = code_book(scanner.codes, around.pack)
    return Made(SerialShoe(scanner, book, around.beam, around.factory, SCANNER_NAME))


def _scanner_needs(settings: ScannerSettings) -> SystemNeeds:
    if settings.protocol == "keyboard":
        return SystemNeeds(
            device_classes=("char-input",), groups=("dialout", "input"), modules=("evdev", "usbhid")
        )
    if settings.protocol == "hid-pos":
        return SystemNeeds(
            device_classes=("char-hidraw",), groups=("dialout",), modules=("usbhid",)
        )
    # Behind a stable name may be any of these, and tomorrow's scanner is another one.
    return SystemNeeds(
        device_classes=LINES, groups=("dialout",),
        modules=("usbserial", "cdc_acm"),
    )  # fmt: skip


def _camera(settings: CameraSettings, around: DriverContext) -> Made:
    # OpenCV and the networks are loaded where there is a camera, and only there.
    from drivers.shoe.camera_shoe import CameraShoe
    from drivers.shoe.frame_reader import FrameReader
    from drivers.vision.calibrated.deck_folder import DeckError
    from drivers.vision.nets import NetworkError

    camera = resolved_camera(settings, around.base)
    try:
        frames = FrameReader(camera)
        shoe = CameraShoe(
            camera, frames, around.beam, around.factory, CAMERA_NAME, own_beam=around.owns_beam,
            passing=around.passing, opened=frames.check_surroundings,
        )  # fmt: skip
    except (DeckError, NetworkError) as error:
        raise ValueError(str(error)) from error
    return Made(shoe, {VIEW: frames.problem})


def _camera_needs(settings: CameraSettings) -> SystemNeeds:
    if settings.is_csi:
        # libcamera: the sensor's media graph, buffers, and udev's messages (not tried on a board).
        return SystemNeeds(
            device_classes=("char-video4linux", "char-media", "char-dma_heap"), groups=("video",),
            address_families=("AF_NETLINK",), modules=("videodev",),
        )  # fmt: skip
    if settings.is_device:
        return SystemNeeds(
            device_classes=("char-video4linux",), groups=("video",), modules=("videodev",)
        )
    return SystemNeeds()


def _camera_pins(settings: CameraSettings) -> Iterator[UsedPin]:
    if settings.strobe is not None:
        yield UsedPin("strobe", "", settings.strobe)


def _of_a_reader(_: Any, __: DriverContext) -> Made:
    raise AssertionError("a part is made with the reader that it belongs to")


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

    return Driver(section, DriverRole.INPUT, KeypadSettings, make, needs)


def _button_pins(settings: ButtonSettings) -> Iterator[UsedPin]:
    for name in BUTTON_NAMES:
        if (pin := getattr(settings, name)) is not None:
            yield UsedPin(name, "", pin)


def _leds(settings: LedSettings, around: DriverContext) -> Made:
    return Made(SpotLights(PinLamps(settings, around.factory)))


def _led_pins(settings: LedSettings) -> Iterator[UsedPin]:
    for seat, spot in enumerate(settings.spots, start=1):
        for pin in spot:
            yield UsedPin("spots", f"seat {seat}: ", pin)


def _strip(settings: StripSettings, _: DriverContext) -> Made:
    return Made(SpotLights(StripLamps(settings), STRIP_NAME))


def _strip_pins(settings: StripSettings) -> Iterator[UsedPin]:
    for pin in SPI_PINS.get(settings.device[:-1], ()):
        yield UsedPin("device", "its bus: ", pin, of_a_bus=True)


def _strip_needs(settings: StripSettings) -> SystemNeeds:
    # The class, too: a node that is not there yet when the unit starts is not allowed by its name.
    return SystemNeeds(
        device_classes=("char-spi",), device_nodes=(settings.device,), groups=("spi",),
        modules=("spidev",),
    )  # fmt: skip


def _i2c_leds(settings: I2cLedSettings, _: DriverContext) -> Made:
    return Made(SpotLights(I2cLamps(settings), I2C_LEDS_NAME))


def _i2c_pins(settings: I2cLedSettings | I2cButtonSettings | OledSettings) -> Iterator[UsedPin]:
    if settings.bus == I2C_BUS:
        for pin in I2C_PINS:
            yield UsedPin("bus", "its bus: ", pin, of_a_bus=True)


def _i2c_needs(settings: I2cLedSettings | I2cButtonSettings | OledSettings) -> SystemNeeds:
    return SystemNeeds(
        device_classes=("char-i2c",), device_nodes=(settings.bus,), groups=("i2c",),
        modules=("i2c-dev",),
    )  # fmt: skip


def _sacn(settings: SacnSettings, _: DriverContext) -> Made:
    return Made(SpotLights(SacnLamps(settings), SACN_NAME))


def _sacn_needs(settings: SacnSettings) -> SystemNeeds:
    return SystemNeeds(address_families=("AF_INET",), addresses=(settings.address,))


def _pole_display(settings: PoleDisplaySettings, _: DriverContext) -> Made:
    return Made(PoleDisplay(settings))


def _pole_needs(settings: PoleDisplaySettings) -> SystemNeeds:
    return SystemNeeds(
        device_classes=LINES, device_nodes=(settings.port,), groups=("dialout",),
        modules=("usbserial", "cdc_acm"),
    )  # fmt: skip


def _stream_deck(settings: StreamDeckSettings, _: DriverContext) -> Made:
    _need_pillow()
    # Pillow is loaded where something shows pictures, and only there.
    from drivers.panel.stream_deck import StreamDeck

    return Made(StreamDeck(settings))


def _need_pillow() -> None:
    if find_spec("PIL") is None:
        raise ValueError(
            "Pillow cannot be found: install the extra `pictures` (pip install"
            " 'tablectl[pictures]')"
        )


def _oled(settings: OledSettings, _: DriverContext) -> Made:
    _need_pillow()
    from drivers.panel.oled import OledDisplay

    return Made(OledDisplay(settings))


def _deck_needs(settings: StreamDeckSettings) -> SystemNeeds:
    return SystemNeeds(
        device_classes=("char-hidraw",), device_nodes=(settings.device,), groups=("dialout",),
        modules=("usbhid",),
    )  # fmt: skip


def _bet_spots(settings: BetSpotSettings, around: DriverContext) -> Made:
    if len(settings.ports) > around.seats:
        raise ValueError(f"there are {len(settings.ports)} ports and {around.seats} seats")
    try:
        key = None if settings.key_file is None else read_key(around.base / settings.key_file)
    except KeyFileError as error:
        raise ValueError(str(error)) from error
    return Made(BetSpots(settings, key, around.base))


def _bet_spot_needs(settings: BetSpotSettings) -> SystemNeeds:
    return SystemNeeds(
        device_classes=LINES, device_nodes=settings.wired, groups=("dialout",),
        modules=("usbserial", "cdc_acm"),
    )  # fmt: skip


def _buzzer(settings: BuzzerSettings, around: DriverContext) -> Made:
    return Made(Buzzer(settings, around.factory))


def _on_pins(_: Any) -> SystemNeeds:
    return PIN_NEEDS


SCANNER: Final = Driver(SCANNER_NAME, DriverRole.READER, ScannerSettings, _scanner, _scanner_needs)
CAMERA: Final = Driver(
    CAMERA_NAME, DriverRole.READER, CameraSettings, _camera, _camera_needs, _camera_pins
)
SHOE: Final = Driver("shoe", DriverRole.PART, ShoeSettings, _of_a_reader)
BEAM: Final = Driver(
    "beam",
    DriverRole.PART,
    BeamSettings,
    _of_a_reader,
    _on_pins,
    lambda beam: [UsedPin("pin", "", beam.pin)],
)
LEDS: Final = Driver(
    "leds", DriverRole.OUTPUT, LedSettings, _leds, _on_pins, _led_pins, lambda leds: len(leds.spots)
)
STRIP: Final = Driver(
    STRIP_NAME, DriverRole.OUTPUT, StripSettings, _strip, _strip_needs, _strip_pins,
    lambda strip: strip.spots,
)  # fmt: skip
I2C_LEDS: Final = Driver(
    I2C_LEDS_NAME, DriverRole.OUTPUT, I2cLedSettings, _i2c_leds, _i2c_needs, _i2c_pins,
    lambda leds: leds.spots,
)  # fmt: skip
SACN: Final = Driver(
    SACN_NAME, DriverRole.OUTPUT, SacnSettings, _sacn, _sacn_needs, spots=lambda sacn: sacn.spots
)
BET_SPOTS: Final = Driver(
    "bet_spots", DriverRole.SENSOR, BetSpotSettings, _bet_spots, _bet_spot_needs
)
BUTTONS: Final = Driver(
    "buttons", DriverRole.INPUT, ButtonSettings, _buttons, _on_pins, _button_pins
)
I2C_BUTTONS: Final = Driver(
    I2C_BUTTONS_NAME, DriverRole.INPUT, I2cButtonSettings, _i2c_buttons, _i2c_needs, _i2c_pins
)
KEYPAD: Final = _keypad_driver("keypad")
PEDAL: Final = _keypad_driver("pedal")
POLE_DISPLAY: Final = Driver(
    "pole_display", DriverRole.DISPLAY, PoleDisplaySettings, _pole_display, _pole_needs
)
STREAM_DECK: Final = Driver(
    "stream_deck", DriverRole.INPUT, StreamDeckSettings, _stream_deck, _deck_needs
)
OLED: Final = Driver("oled", DriverRole.DISPLAY, OledSettings, _oled, _i2c_needs, _i2c_pins)
BUZZER: Final = Driver(
    "buzzer",
    DriverRole.OUTPUT,
    BuzzerSettings,
    _buzzer,
    _on_pins,
    lambda buzzer: [UsedPin("pin", "", buzzer.pin)],
)

"""A simulated pair of hands: far ends of ptys, mock pins, a stream, and the wire of each driver."""

from __future__ import annotations

import asyncio
import textwrap
from itertools import cycle
from typing import NamedTuple

from gpiozero.pins.mock import MockFactory

from controller.config.device_sections import DeviceSections
from controller.devices.contracts import OutputDevice
from controller.devices.inputs import Button
from controller.devices.lights import LOOKS
from controller.devices.scene import Scene
from controller.rules.cards import Card, card
from drivers.panel.buzzer import SOUNDS
from drivers.panel.displays.oled import picture as oled_picture
from drivers.panel.stream_deck import DEBOUNCE_MS
from drivers.settings.displays import OledSettings, PoleDisplaySettings
from drivers.settings.dmx import DmxSettings
from drivers.settings.i2c import I2cLedSettings
from drivers.settings.keypad import KEYS
from drivers.settings.panel import BuzzerSettings, LedSettings, StripSettings
from drivers.settings.sacn import SacnSettings
from drivers.settings.shoe import BeamSettings
from sim_hw.devices.wire.dmx_usb import DmxUsbPro
from sim_hw.devices.wire.hid_pos import reports
from sim_hw.devices.wire.i2c import I2cBus, Mcp23017, Pca9685
from sim_hw.devices.wire.keyboard import pressed, typed
from sim_hw.devices.wire.oled import OledGlass
from sim_hw.devices.wire.pn532 import Tag
from sim_hw.devices.wire.pole_display import PoleDisplayFace
from sim_hw.devices.wire.sh1106 import Sh1106Glass
from sim_hw.devices.wire.ssi import CODE_128, DECODE_DATA, ssi_packet
from sim_hw.devices.wire.stream_deck import Deck
from tests.contracts.hands import Plug
from tests.contracts.simulated_table import before_lens
from tests.drivers.outside import BREAK_S, ScannerLine, history, level, pin, until
from tests.drivers.panel.sacn_fixtures import Fixtures
from tests.drivers.panel.strip_bus import StripBus, decoded
from tests.support.patience import PATIENCE_S
from tests.support.stream import Stream

#: Cards and what is printed on them.
PRINTED = ((card("Th"), b"TH000123I"), (card("As"), b"AS004217T"))
#: So many frames show a card that passes the camera: two of them have to be looked at, also on a
#: machine with other things to do.
FRAMES = 16
#: What ends a code on a line.
#: Buttons whose node is the line of the keys.
ON_A_NODE = ("keypad", "pedal", "stream_deck")
ENDS = {"cr": b"\r", "crlf": b"\r\n", "etx": b"\x03"}


class FarEnds(NamedTuple):
    """What is at the other end of each wire: where there is none, of tables without that device."""

    line: ScannerLine
    pins: MockFactory
    stream: Stream | None
    bus: StripBus | None
    chips: I2cBus
    keys: ScannerLine
    fixtures: Fixtures | None
    dmx: DmxUsbPro
    pole: PoleDisplayFace
    spot: Plug
    tags: list[Tag]


class SimulatedHands:
    """Hands on a pty, a camera's stream and mock pins, wired as the configuration says."""

    patience_s = PATIENCE_S

    def __init__(self, devices: DeviceSections, far: FarEnds) -> None:
        self._far = far
        self._bus = far.bus
        self._line = far.line
        self._stream = far.stream
        self._pins = far.pins
        self._devices = devices
        self._cards = cycle(PRINTED)
        self._buttons = cycle(Button)

    async def act(self, device: str, *, unseen: bool = False) -> Card | None:
        if device in ("keypad", "pedal"):
            self._far.keys.say(pressed(KEYS[self._devices.section(device).next]))
            return None
        if device == "stream_deck":
            for down in ((0,), ()):
                self._far.keys.say(Deck().report(*down))
                await asyncio.sleep(3 * DEBOUNCE_MS / 1_000)
            return None
        if device == "i2c_buttons":
            await self._press_on_chip(unseen=unseen)
            return None
        if device == "buttons":
            await self._press()
            return None
        kind, code = next(self._cards)
        scanner = self._devices.scanner
        # A scanner that reads by the beam has no code before the card is in it.
        by_beam = scanner is not None and scanner.trigger == "beam"
        if device != "camera" and not by_beam:
            self._line.say(on_the_wire(code, self._devices))
        beam: BeamSettings | None = self._devices.beam
        if beam:
            pin(self._pins, beam.pin).drive_low()
            if by_beam:
                self._line.say(on_the_wire(code, self._devices))
            await self._pass_by(kind, unseen=unseen)
            pin(self._pins, beam.pin).drive_high()
            if self._stream is not None:
                self._stream.show(before_lens(None))
        return kind

    async def _pass_by(self, kind: Card, *, unseen: bool) -> None:
        """The card is in the beam, and before the camera where there is one."""
        if self._stream is not None:
            self._stream.show(before_lens(kind))
        if self._stream is None or unseen:  # a camera that is closed takes no frame
            await asyncio.sleep(BREAK_S)
        else:
            await asyncio.to_thread(self._stream.wait, FRAMES)

    async def _press(self) -> None:
        settings = self._devices.buttons
        assert settings is not None
        for button in self._buttons:
            number = getattr(settings, button.value)
            if number is not None:
                for move in (pin(self._pins, number).drive_low, pin(self._pins, number).drive_high):
                    move()
                    await asyncio.sleep(3 * settings.debounce_ms / 1_000)
                return

    async def _press_on_chip(self, *, unseen: bool) -> None:
        settings = self._devices.i2c_buttons
        assert settings is not None
        assert settings.next is not None
        chip = self._far.chips.chips[settings.address]
        assert isinstance(chip, Mcp23017)
        for low in ({settings.next}, set()):
            chip.pulled_low = low
            if not unseen:
                await self._asked_anew()
            await asyncio.sleep(3 * settings.debounce_ms / 1_000)

    async def _asked_anew(self) -> None:
        """The chip was asked, however late; a question that is under way may be older."""
        asked = self._far.chips.transfers
        await until(lambda: self._far.chips.transfers >= asked + 2)

    @property
    def _chip_of_buttons(self) -> int:
        settings = self._devices.i2c_buttons
        assert settings is not None
        return settings.address

    async def lay(self, chips: bool) -> None:
        self._far.tags[:] = [Tag(bytes(range(7)))] if chips else []

    async def pull_plug(self, device: str) -> None:
        if device == "bet_spots":
            self._far.spot.unplug()
        elif device == "camera" and self._stream is not None:
            await asyncio.to_thread(self._stream.unplug)
        elif device in ON_A_NODE:
            self._far.keys.unplug()
        elif device == "i2c_buttons":
            self._away = self._far.chips.chips.pop(self._chip_of_buttons)
        else:
            self._line.unplug()

    async def push_plug(self, device: str) -> None:
        if device == "bet_spots":
            self._far.spot.plug()
        elif device == "camera" and self._stream is not None:
            self._stream.plug()
        elif device in ON_A_NODE:
            self._far.keys.plug()
        elif device == "i2c_buttons":
            self._far.chips.chips[self._chip_of_buttons] = self._away
        else:
            self._line.plug()

    async def check(self, device: OutputDevice, scene: Scene) -> None:
        settings = self._devices.section(device.name)
        if isinstance(settings, LedSettings):
            levels = [tuple(level(self._pins, p) for p in spot) for spot in settings.spots]
            assert levels == [tuple(LOOKS[light].colour) for light in scene.lights]
        elif isinstance(settings, StripSettings):
            # A white channel is never lit: colours alone are the lights' language.
            looks = [(*LOOKS[light].colour, False) for light in scene.lights]
            assert self._strip() == [
                tuple(settings.brightness * look["rgbw".index(each)] for each in settings.order)
                for look in looks
            ]
        elif isinstance(settings, I2cLedSettings):
            assert self._dimmed() == [tuple(LOOKS[light].colour) for light in scene.lights]
        elif isinstance(settings, SacnSettings):
            assert self._far.fixtures is not None
            colours = [LOOKS[light].colour for light in scene.lights]
            assert self._far.fixtures.slots == bytes(255 * on for each in colours for on in each)
        elif isinstance(settings, DmxSettings):
            colours = [LOOKS[light].colour for light in scene.lights]
            wanted = bytes(255 * on for each in colours for on in each).ljust(24, b"\0")
            await until(lambda: self._far.dmx.lit == wanted)
        elif isinstance(settings, PoleDisplaySettings):
            says = tuple(textwrap.wrap(scene.players.notice, settings.columns))
            await until(lambda: self._on_the_pole()[: len(says)] == says[:2])
        elif isinstance(settings, OledSettings):
            sent = oled_picture(scene.dealer.headline, settings.height)
            await until(lambda: self._on_the_oled() == sent)
        elif isinstance(settings, BuzzerSettings):
            number, edges = settings.pin, 1 + 2 * ((len(SOUNDS[scene.sound]) + 1) // 2)
            await until(lambda: len(history(self._pins, number)) >= edges)
            assert history(self._pins, number) == [n % 2 == 1 for n in range(edges)]
            pin(self._pins, number).clear_states()

    def _strip(self) -> list[tuple[int, ...]]:
        """What the strip's spots show, of one pixel each, by the order of its channels."""
        assert self._bus is not None
        assert self._devices.strip is not None
        return decoded(self._bus.look(), len(self._devices.strip.order))

    def _on_the_pole(self) -> tuple[str, ...]:
        """What the rows of the display say."""
        self._far.pole.hears(self._far.keys.heard())
        return tuple(row.rstrip() for row in self._far.pole.rows)

    def _on_the_oled(self) -> bytes:
        """What shines on the small display, in its own bytes: eight pixels one under the other."""
        glass = self._far.chips.chips[0x3C]
        assert isinstance(glass, OledGlass | Sh1106Glass)
        lit = glass.lit
        return bytes(
            sum(lit[row + bit][column] << bit for bit in range(8))
            for row in range(0, glass.height, 8)
            for column in range(len(lit[0]))
        )

    def _dimmed(self) -> list[tuple[bool, ...]]:
        """Which lamps of the chip have power, a spot at a time."""
        assert self._devices.i2c_leds is not None
        chip = self._far.chips.chips[self._devices.i2c_leds.addresses[0]]
        if isinstance(chip, Mcp23017):
            return [tuple(bool(chip.driven(3 * spot + at)) for at in range(3)) for spot in range(5)]
        assert isinstance(chip, Pca9685)
        return [tuple(chip.duty(3 * spot + at) > 0 for at in range(3)) for spot in range(5)]

    async def check_dark(self, device: str) -> None:
        settings = self._devices.section(device)
        if isinstance(settings, I2cLedSettings):
            assert not any(map(any, self._dimmed()))
            return
        if isinstance(settings, OledSettings):
            assert not any(self._on_the_oled())
            return
        if isinstance(settings, PoleDisplaySettings):
            assert not any(self._on_the_pole())
            return
        if isinstance(settings, SacnSettings):
            assert self._far.fixtures is not None
            assert not self._far.fixtures.packets or not any(self._far.fixtures.slots)
            return
        if isinstance(settings, DmxSettings):
            await until(lambda: not any(self._far.dmx.lit or b""))
            return
        if isinstance(settings, StripSettings):
            # Before it is opened for the first time nothing was ever sent.
            assert self._bus is not None
            assert not self._bus.look() or not any(map(any, self._strip()))
            return
        if isinstance(settings, LedSettings):
            wired: tuple[tuple[int, ...], ...] = settings.spots
        else:
            assert isinstance(settings, BuzzerSettings)
            wired = ((settings.pin,),)
        assert not any(level(self._pins, number) for each in wired for number in each)


def on_the_wire(code: bytes, devices: DeviceSections) -> bytes:
    """What a scanner of that kind puts on the wire for a code."""
    assert devices.scanner is not None
    if devices.scanner.protocol == "ssi":
        return ssi_packet(DECODE_DATA, bytes((CODE_128,)) + code)
    if devices.scanner.protocol == "keyboard":
        return typed(code.decode() + "\r")
    if devices.scanner.protocol == "hid-pos":
        return reports(code)
    around = devices.scanner.prefix.encode() + code + devices.scanner.suffix.encode()
    return around + ENDS[devices.scanner.terminator]

"""A rig's hands for the device contracts: on its lines, its pins, its panel and its relays."""

from __future__ import annotations

import asyncio
import os
import textwrap
from itertools import cycle
from pathlib import Path

import pytest

from controller.config.device_sections import DeviceSections
from controller.devices.contracts import OutputDevice
from controller.devices.inputs import Button
from controller.devices.lights import LOOKS
from controller.devices.scene import Scene
from controller.rules.cards import Card
from drivers.panel.buzzer import SOUNDS
from drivers.panel.displays.oled import picture as oled_picture
from drivers.panel.lights.strip import brightness_of
from drivers.panel.stream_deck import DEBOUNCE_MS
from drivers.settings.displays import OledSettings, PoleDisplaySettings
from drivers.settings.dmx import DmxSettings
from drivers.settings.panel import StripSettings
from drivers.settings.sacn import SacnSettings
from sim_hw.devices.wire.pn532 import Tag
from tests.contracts.simulated_hands import PRINTED
from tests.contracts.simulated_table import before_lens
from tests.drivers.outside import LOOK_AGAIN_S, until
from tests.hil.dealt.rig_camera import EXIT, fitted, mark_corner
from tests.hil.rig.rig_client import RigClient, plug
from tests.hil.rig.rig_line import RigLine
from tests.hil.stands.simulated import COLOURS, OUTPUTS, SEATS, lamp
from tests.support.patience import PATIENCE_S

#: How long a card covers the beam, and how long a button is held: the debounce, three times.
BREAK_MS = 20
#: A card is before the camera for so long: two frames are read by then on a busy machine, too.
PASSING_S = 1.5
#: What no device reports is over by then: no event comes here, and nobody at the table is faster.
UNSEEN_S = 0.4
#: How long a key of the deck is held, and let go: three times what the driver takes for a bounce.
DECK_HOLD_S = 3 * DEBOUNCE_MS / 1_000
#: What the rig hears of on a line of its own, and not at a pin.
ON_A_LINE = ("pole_display", "oled", "strip", "sacn", "dmx")


class RigHands:
    """A rig's lines, wired as the configuration says; the panel lies before the camera."""

    patience_s = PATIENCE_S

    def __init__(self, rig: RigClient, devices: DeviceSections, line: RigLine) -> None:
        self._rig = rig
        self._line = line
        self._devices = devices
        self._cards = cycle(PRINTED)
        self._buttons = cycle(Button)
        self._heard = 0

    async def ready(self, device: str) -> None:
        """A camera sees the empty exit from the beginning."""
        if device in ("camera", "shoe"):
            for kind in (None, *(kind for kind, _ in PRINTED)):
                await self._keep(kind)
            await self.show(None)

    async def act(self, device: str, *, unseen: bool = False) -> Card | None:
        """Let one card leave the shoe, or press and release one button."""
        if device in ("buttons", "i2c_buttons"):
            await self._press(device, unseen=unseen)
            return None
        if device == "stream_deck":
            await self._line.press_deck(self._devices.section(device).next - 1, DECK_HOLD_S)
            return None
        if device in ("keypad", "pedal"):
            await self._line.press(self._devices.section(device).next)
            if unseen:
                await asyncio.sleep(UNSEEN_S)
            return None
        kind, code = next(self._cards)
        scanner = self._devices.scanner
        by_beam = scanner is not None and scanner.trigger == "beam"
        if device != "camera" and not by_beam:
            await self._line.scan(code)
        if self._devices.beam is not None:
            await self._rig.do("edge", "beam", "on")
            if by_beam and not unseen:
                await until(lambda: self._line.reads)
                await self._line.scan(code)
            if device in ("camera", "shoe"):
                await self.show(kind)
                await asyncio.sleep(PASSING_S)  # hands take so long
            await self._rig.do("edge", "beam", "off", BREAK_MS)
            if device in ("camera", "shoe"):
                await self.show(None)
        if unseen:
            await asyncio.sleep(UNSEEN_S)
        return kind

    async def _keep(self, kind: Card | None) -> None:
        """Send the rig the picture of a card, or of an empty exit."""
        width, height = map(int, self._rig.lines["panel"].value.split("x"))
        rgb = fitted(before_lens(kind)[:, :, ::-1], width, height)
        mark_corner(rgb, lit=kind is not None)
        raw = rgb.tobytes()
        await self._rig.do("picture", _name(kind), len(raw), raw=raw)

    async def show(self, kind: Card | None) -> None:
        """The panel shows a card, or an empty exit; the photodiode has seen it."""
        await self._rig.do("show", _name(kind))
        await self._rig.until(lambda: self._rig.levels["photodiode"] == int(kind is not None))

    async def _press(self, device: str, *, unseen: bool) -> None:
        settings = self._devices.section(device)
        for button in self._buttons:
            if button.value in OUTPUTS and getattr(settings, button.value) is not None:
                hold_ms = 3 * settings.debounce_ms
                await self._rig.do("edge", button.value, "on", hold_ms)
                await self._rig.do("edge", button.value, "off", hold_ms)
                await self._rig.do("edge", button.value, "off", hold_ms)
                break
        if unseen:
            await asyncio.sleep(UNSEEN_S)

    async def lay(self, chips: bool) -> None:
        """Put tagged chips on the sensed bet spot, or take all away."""
        await self._line.lay([Tag(bytes(range(7)))] if chips else [])

    async def pull_plug(self, device: str) -> None:
        """Cut it by relay, and wait until its name is gone."""
        await self._switch(device, plugged=False)

    async def push_plug(self, device: str) -> None:
        """Connect it by relay, and wait until its name is there."""
        self._line.power_up()
        await self._switch(device, plugged=True)

    @property
    def _port(self) -> Path:
        """The name of the rig's line at the table."""
        spots, pole, scanner = (
            self._devices.bet_spots, self._devices.pole_display, self._devices.scanner
        )  # fmt: skip
        keys = self._devices.stream_deck or self._devices.keypad or self._devices.pedal
        if keys is not None:
            return Path(keys.device)
        if spots is not None:
            return Path(spots.wired[0])
        if pole is not None:
            return Path(pole.port)
        assert scanner is not None
        return scanner.port

    async def _switch(self, device: str, *, plugged: bool) -> None:
        spots = self._devices.bet_spots
        if device == "i2c_buttons" or (spots is not None and spots.interface != "serial"):
            pytest.skip("the rig has no relay in the wires of a bus")
        name = device if plug(device) in self._rig.lines else "scanner"
        if name != device and self._line.own:
            pytest.skip(f"the rig has no relay in the line of [{device}]")
        await self._rig.do("plug", name, "in" if plugged else "out")
        if device == "camera":
            return
        port = self._port
        async with asyncio.timeout(self.patience_s):
            while os.path.lexists(port) is not plugged:  # noqa: ASYNC110, ASYNC240
                await asyncio.sleep(LOOK_AGAIN_S)

    async def check(self, device: OutputDevice, scene: Scene) -> None:
        """Look whether lamps or buzzer show the scene."""
        if device.name == "buzzer":
            times = (len(SOUNDS[scene.sound]) + 1) // 2
            await self._rig.until(lambda: self._beeps() >= times and not self._buzzing())
            assert self._beeps() == times
            self._heard = len(self._rig.edges)
            return
        if isinstance(settings := self._devices.section(device.name), PoleDisplaySettings):
            says = textwrap.wrap(scene.players.notice, settings.columns)[:2]
            await until(lambda: list(self._line.rows[: len(says)]) == says)
            return
        if isinstance(settings, OledSettings):
            picture = oled_picture(scene.dealer.headline, settings.height)
            await until(lambda: shining(self._line.lit) == picture)
            return
        looks = [LOOKS[light].colour for light in scene.lights]
        if isinstance(settings, StripSettings):
            bright = brightness_of(settings, looks)
            # A white channel is never lit: colours alone are the lights' language.
            spots = (
                bytes(bright * (*colour, False)["rgbw".index(each)] for each in settings.order)
                for colour in looks
            )
            pixels = b"".join(each * settings.pixels for each in spots)
            await until(lambda: self._line.frame == pixels)
            return
        if isinstance(settings, SacnSettings | DmxSettings):
            slots = bytes(settings.brightness * on for colour in looks for on in colour)
            # A DMX line has more of them than there are fixtures.
            await until(lambda: self._line.slots.rstrip(b"\0") == slots.rstrip(b"\0"))
            return
        colours = [tuple(map(int, colour)) for colour in looks]
        await self._rig.until(lambda: self._lamps() == colours)

    async def check_dark(self, device: str) -> None:
        """Look whether lamps or buzzer are dark and silent."""
        if device == "buzzer":
            await self._rig.until(lambda: not self._buzzing())
        elif device in ON_A_LINE:
            await until(lambda: not self._shows(device))
        else:
            await self._rig.until(lambda: not any(map(any, self._lamps())))

    def _shows(self, device: str) -> bool:
        """Whether anything shines of what the rig hears on a line."""
        line = self._line
        if device == "oled":
            return any(map(any, line.lit))
        return any(
            {"strip": line.frame, "sacn": line.slots, "dmx": line.slots}.get(device) or line.rows
        )

    def _lamps(self) -> list[tuple[int, ...]]:
        levels = self._rig.levels
        return [
            tuple(levels[lamp(seat, colour)] for colour in COLOURS) for seat in range(1, SEATS + 1)
        ]

    def _buzzing(self) -> bool:
        return bool(self._rig.levels["buzzer"])

    def _beeps(self) -> int:
        later = list(self._rig.edges)[self._heard :]
        return sum(1 for each in later if each.line == "buzzer" and each.level)


def shining(lit: list[list[bool]]) -> bytes:
    """What shines on the small display, in its own bytes: eight pixels one under the other."""
    return bytes(
        sum(lit[row + bit][column] << bit for bit in range(8))
        for row in range(0, len(lit), 8)
        for column in range(len(lit[0]))
    )


def _name(kind: Card | None) -> str:
    return EXIT if kind is None else f"card_{kind.code}"

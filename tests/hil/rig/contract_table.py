"""The device contracts at a bench: a rig as the third pair of hands."""

from __future__ import annotations

import asyncio
import os
import textwrap
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from itertools import cycle
from pathlib import Path

import gpiozero
import numpy as np
import pytest

from controller.assembly.card_reader import source
from controller.assembly.wiring import load
from controller.config.configuration import Config
from controller.config.device_sections import DeviceSections
from controller.devices.contracts import OutputDevice
from controller.devices.inputs import Button
from controller.devices.lights import LOOKS
from controller.devices.scene import Scene
from controller.rules.cards import Card
from drivers.io import spi
from drivers.panel.buzzer import SOUNDS
from drivers.panel.displays.oled import picture as oled_picture
from drivers.panel.lights import sacn
from drivers.panel.stream_deck import DEBOUNCE_MS
from drivers.settings.displays import OledSettings, PoleDisplaySettings
from drivers.settings.panel import StripSettings
from drivers.settings.sacn import SacnSettings
from drivers.spots.bus_link import ADDRESS
from sim_hw.devices.wire.hid_pos import DESCRIPTOR
from sim_hw.devices.wire.pn532 import Tag
from sim_hw.devices.wire.pn532_bus import I2cPn532, SpiPn532
from sim_hw.devices.wire.rc522 import Rc522
from tests.contracts.simulated_hands import PRINTED
from tests.contracts.simulated_table import before_lens
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import LOOK_AGAIN_S, until
from tests.drivers.panel.strip_bus import StripBus
from tests.hil.bench_file import BenchFile
from tests.hil.rig.contract_sections import ANSWERS, ON_THE_LINE, SCANNER, TABLE
from tests.hil.rig.rig_client import RigClient
from tests.hil.rig.rig_line import RC522, SPOT_BUSES, RigLine
from tests.hil.rig.spot_board import SpotBoard, ToldTags
from tests.hil.rig.taps import STRIP_BOARD, StripTap, Tap
from tests.hil.rig.wired_chips import WiredChips
from tests.hil.simulated import COLOURS, OUTPUTS, SEATS, SimulatedRig, lamp
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
ON_A_LINE = ("pole_display", "oled", "strip", "sacn")
#: The corner of a picture that the photodiode covers, in pixels.
CORNER = 8
EXIT = "exit"


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
        rgb = np.ascontiguousarray(before_lens(kind)[:, :, ::-1]).copy()
        rgb[:CORNER, :CORNER] = 0 if kind is None else 255
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
        plug = "camera" if device == "camera" else "scanner"
        await self._rig.do("plug", plug, "in" if plugged else "out")
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
            bright = settings.brightness
            # A white channel is never lit: colours alone are the lights' language.
            pixels = bytes(
                bright * (*colour, False)["rgbw".index(each)]
                for colour in looks
                for each in settings.order
            )
            await until(lambda: self._line.frame == pixels)
            return
        if isinstance(settings, SacnSettings):
            slots = bytes(settings.brightness * on for colour in looks for on in colour)
            await until(lambda: self._line.slots == slots)
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
        return any({"strip": line.frame, "sacn": line.slots}.get(device) or line.rows)

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


@asynccontextmanager
async def rig_table(
    bench: BenchFile, rig: RigClient, simulated: SimulatedRig | None, device_name: str,
    folder: Path, monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[tuple[Config, RigHands]]:  # fmt: skip
    """The table's configuration for this device, and the rig's hands on it."""
    if simulated is None:
        yield _real(bench, rig, device_name)
        return
    if device_name not in (*ON_THE_LINE, "leds", "buttons", "buzzer"):
        pytest.skip(f"the rig has no line to [{device_name}]")
    for name, value in simulated.environment.items():
        monkeypatch.setenv(name, value)
    path = folder / "table.toml"
    more = ON_THE_LINE.get(device_name, SCANNER)
    path.write_text(TABLE + more.format(folder=simulated.folder, url=simulated.camera))
    (simulated.folder / "i2c").touch()
    factory = simulated.pin_factory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    chips = WiredChips(factory, device_name, simulated.folder / "oled-tap")
    monkeypatch.setattr(sacn, "PORT", simulated.fixtures)
    boards = ExitStack()
    selects: dict[str, SpiPn532 | Rc522] = {}
    if device_name in SPOT_BUSES:
        board = SpotBoard(simulated.folder / "scanner")
        boards.callback(board.close)
        selects[str(simulated.folder / "i2c")] = SpiPn532(board)
        chips.chips[ADDRESS] = I2cPn532(board)
    elif device_name == RC522:
        told = ToldTags(simulated.folder / "scanner")
        boards.callback(told.close)
        selects[str(simulated.folder / "i2c")] = Rc522(told.lying)
    with_kernel(monkeypatch, Kernel(descriptor=DESCRIPTOR, bus=chips, selects=selects))
    try:
        config = load(path)
        line = RigLine(rig, device_name)
        hands = RigHands(rig, config.devices, line)
        await hands.ready(device_name)
        async with AsyncExitStack() as stack:
            if (strip := config.devices.strip) is not None:
                heard = _strip_heard(simulated.folder, len(strip.order), monkeypatch)
                await stack.enter_async_context(heard)
            if device_name == "stream_deck":
                # What was sent to the deck before and has not come through is lost, mid-picture.
                await hands.pull_plug(device_name)
                await hands.push_plug(device_name)
            if device_name in ANSWERS:
                await stack.enter_async_context(line.listening())
            yield config, hands
    finally:
        boards.close()
        chips.close()
        factory.close()


@asynccontextmanager
async def _strip_heard(
    folder: Path, channels: int, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[None]:
    """The far end of the strip's bus, a pipe that has nothing to set up, with the rig's board."""
    monkeypatch.setattr(spi, "set_up", lambda descriptor, hertz: None)
    bus, tap = StripBus(folder / "strip-bus"), Tap(folder / "strip-tap", STRIP_BOARD)
    board = StripTap(bus, tap, channels)

    async def listens() -> None:
        while True:
            board.look()
            await asyncio.sleep(LOOK_AGAIN_S)

    task = asyncio.create_task(listens())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
        tap.close()
        bus.close()
        bus.path.unlink()


def _real(bench: BenchFile, rig: RigClient, device_name: str) -> tuple[Config, RigHands]:
    if bench.table.at:
        pytest.skip("the contracts open the devices themselves: run them at the table (at = [])")
    config = load(bench.beside(next(iter(bench.table.configs.values()))))
    has = {source(config.devices, config.drivers), *config.devices.configured}
    if device_name not in has:
        pytest.skip(f"this table has no [{device_name}]")
    return config, RigHands(rig, config.devices, RigLine(rig, device_name))

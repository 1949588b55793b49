"""A town with every kind of device: what is at the far end of each wire, and its plug."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from controller.devices.lights import Colour
from drivers.settings.keypad import KEYS
from sim_hw.devices.wire.dmx_usb import DmxUsbPro
from sim_hw.devices.wire.i2c import Chip, I2cBus, Mcp23017, Pca9685
from sim_hw.devices.wire.keyboard import pressed
from sim_hw.devices.wire.oled import OledGlass
from sim_hw.devices.wire.pole_display import PoleDisplayFace
from sim_hw.devices.wire.sacn import SacnPacket, read
from sim_hw.devices.wire.stream_deck import Deck
from tests.drivers.answering import answering
from tests.drivers.outside import ScannerLine
from tests.drivers.panel.strip_bus import StripBus, decoded
from tests.support.patience import PATIENCE_S
from tests.support.processes.town import LineProcess, Town
from tests.support.processes.wired_program import CHIPS, SACN, UNIVERSE, chips_at

SEATS = 3
BRIGHTNESS = 64
KEYPAD_NEXT, PEDAL_NEXT, DECK_NEXT, CHIP_NEXT = "KPENTER", "B", 1, 8
#: The I2C chips by the section of the configuration that has them.
ADDRESSES = {"i2c_buttons": 0x20, "oled": 0x3C, "i2c_leds": 0x40}
#: What can be pulled out of this town while it plays, its scanner apart.
PLUGS = ("keypad", "pedal", "stream_deck", "pole_display", *ADDRESSES, "sacn", "dmx")
SECTIONS = """\
[strip]
device = "{folder}/spi"
spots = {seats}
pixels = 2
brightness = {brightness}
[i2c_leds]
bus = "{folder}/i2c"
addresses = [0x40]
spots = {seats}
[sacn]
universe = {universe}
host = "127.0.0.1"
spots = {seats}
[dmx]
port = "{folder}/dmx"
spots = {seats}
[i2c_buttons]
bus = "{folder}/i2c"
next = {chip_next}
[oled]
bus = "{folder}/i2c"
[keypad]
device = "{folder}/keypad"
next = "{keypad_next}"
[pedal]
device = "{folder}/pedal"
next = "{pedal_next}"
[stream_deck]
device = "{folder}/stream_deck"
next = {deck_next}
[pole_display]
port = "{folder}/pole_display"
[bet_spots]
ports = {ports}
poll_ms = 20
"""


class Wires:
    """The far ends; `look` takes what has come, and is to be called again and again."""

    def __init__(self, folder: Path) -> None:
        self._closing = ExitStack()
        self.lines = {
            name: ScannerLine(folder / name)
            for name in ("keypad", "pedal", "stream_deck", "pole_display", "dmx")
        }  # fmt: skip
        for each in self.lines.values():
            each.plug()
            self._closing.callback(each.unplug)
        self.pole, self.deck, self.dmx = PoleDisplayFace(), Deck(), DmxUsbPro()
        self._closing.enter_context(answering(self.lines["dmx"], self.dmx, every_s=0.01))
        self._strip = StripBus(folder / "spi")
        self._closing.callback(self._strip.close)
        self.i2c = I2cBus({ADDRESSES[name]: _chip(name) for name in ADDRESSES})
        (folder / "i2c").touch()
        self._turn = self._closing.enter_context(chips_at(folder / "chips", self.i2c))
        self._fixtures = _receiver(0)
        self._closing.callback(self._close_fixtures)
        self.sacn_port: int = self._fixtures.getsockname()[1]
        self._packet: SacnPacket | None = None

    def _close_fixtures(self) -> None:
        self._fixtures.close()

    def look(self) -> None:
        """Take what the displays, the deck and the fixtures were sent."""
        self.pole.hears(self.lines["pole_display"].heard())
        while heard := self.lines["stream_deck"].heard():
            self.deck.hears(heard)
        while self._fixtures.fileno() >= 0:
            try:
                self._packet = read(self._fixtures.recv(1_000))
            except BlockingIOError:
                break

    def pull(self, name: str) -> None:
        """Pull its plug."""
        if name in self.lines:
            self.lines[name].unplug()
        elif name == "sacn":
            self._fixtures.close()
        else:
            with self._turn:
                del self.i2c.chips[ADDRESSES[name]]

    def push(self, name: str) -> None:
        """Put it back: what was there has lost its power."""
        if name in self.lines:
            self.pole = PoleDisplayFace() if name == "pole_display" else self.pole
            self.deck = Deck() if name == "stream_deck" else self.deck
            if name == "dmx":
                self.dmx.power_up()
            self.lines[name].plug()
        elif name == "sacn":
            self._fixtures = _receiver(self.sacn_port)
        else:
            with self._turn:
                self.i2c.chips[ADDRESSES[name]] = _chip(name)

    def stretch_clock(self, for_s: float) -> None:
        """No transfer of the I2C bus goes on for so long."""
        with self._turn:
            time.sleep(for_s)

    def press(self, name: str, pause: Callable[[], None]) -> None:
        """Press the key that means "next", and let it go; there is a `pause` after each."""
        if name == "i2c_buttons":
            chip = self.i2c.chips[ADDRESSES[name]]
            assert isinstance(chip, Mcp23017)
            for low in ({CHIP_NEXT}, set()):
                chip.pulled_low = low
                _read_anew(chip)
                pause()
        elif name == "stream_deck":
            self.lines[name].say(self.deck.report(DECK_NEXT - 1))
            pause()
            self.lines[name].say(self.deck.report())
        else:
            key = KEYPAD_NEXT if name == "keypad" else PEDAL_NEXT
            self.lines[name].say(pressed(KEYS[key]))
        pause()

    def strip(self) -> list[Colour]:
        """The colours of the strip's spots, all pixels of each alike."""
        pixels = decoded(self._strip.look(), 3)
        assert pixels[0::2] == pixels[1::2]
        assert {value for each in pixels for value in each} <= {0, BRIGHTNESS}
        return [Colour(bool(red), bool(green), bool(blue)) for green, red, blue in pixels[::2]]

    def lamps(self) -> list[Colour]:
        """The colours of the lamps on the chip."""
        chip = self.i2c.chips[ADDRESSES["i2c_leds"]]
        assert isinstance(chip, Pca9685)
        with self._turn:
            lit = [chip.duty(output) > 0 for output in range(3 * SEATS)]
        return [Colour(*lit[3 * spot : 3 * spot + 3]) for spot in range(SEATS)]

    def fixtures(self) -> list[Colour]:
        """The colours of the fixtures on the network."""
        self.look()
        assert self._packet is not None
        return _colours(self._packet.slots)

    def on_the_dmx_line(self) -> list[Colour]:
        """The colours of the fixtures at the interface, all dark while it sends nothing."""
        return _colours(self.dmx.lit or bytes(3 * SEATS))

    def oled_shines(self) -> bool:
        """Whether anything shines on the small display."""
        glass = self.i2c.chips[ADDRESSES["oled"]]
        assert isinstance(glass, OledGlass)
        with self._turn:
            return any(map(any, glass.lit))

    def close(self) -> None:
        """Take everything away."""
        self._closing.close()


def _colours(slots: bytes) -> list[Colour]:
    """What the fixtures of the spots show, of three slots each."""
    lit = [slot > 0 for slot in slots]
    return [Colour(*lit[3 * spot : 3 * spot + 3]) for spot in range(SEATS)]


def _chip(section: str) -> Chip:
    kinds: dict[str, Callable[[], Chip]] = {
        "i2c_buttons": Mcp23017, "oled": OledGlass, "i2c_leds": Pca9685,
    }  # fmt: skip
    return kinds[section]()


def _read_anew(chip: Mcp23017) -> None:
    """Returns when the chip was asked again, however late; a read under way may be older."""
    before, deadline = chip.reads, time.monotonic() + PATIENCE_S
    while chip.reads < before + 2:
        assert time.monotonic() < deadline, "nobody asks the chip"
        time.sleep(0.01)


def _receiver(port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind(("127.0.0.1", port))
    made.setblocking(False)
    return made


class WiredTown(Town):
    """A town that plays until it is stopped, its lights held by a guard.

    `faults` go wrong with its cards, as `sim_hw.devices.faults` has them.
    """

    def __init__(
        self, folder: Path, protocol: str, faults: list[dict[str, object]], *, seed: int,
        speed: float,
    ) -> None:  # fmt: skip
        self._protocol = protocol
        self._faults = faults
        self.wires = Wires(folder)
        try:
            super().__init__(folder, rounds=0, seed=seed, seats=SEATS, speed=speed)
        except BaseException:
            self.wires.close()
            raise

    def prepare(self) -> None:
        ports = json.dumps([str(self.folder / f"spot-{seat}") for seat in range(1, SEATS + 1)])
        written = self.config.read_text()
        # What types is grabbed, and HID has no line: neither has a rate.
        line = self._protocol in ("keyboard", "hid-pos")
        rows = [row for row in written.splitlines() if not (line and row.startswith("baud"))]
        text = "\n".join(rows).replace("[scanner]", f'[scanner]\nprotocol = "{self._protocol}"')
        sections = SECTIONS.format(
            folder=self.folder, seats=SEATS, brightness=BRIGHTNESS, universe=UNIVERSE,
            chip_next=CHIP_NEXT, keypad_next=KEYPAD_NEXT, pedal_next=PEDAL_NEXT,
            deck_next=DECK_NEXT, ports=ports,
        )  # fmt: skip
        self.config.write_text(text.replace("[options]", f"{sections}\n[options]"))
        path = self.folder / "world.json"
        order = json.loads(path.read_text())
        faults = self.folder / "faults.json"
        faults.write_text(json.dumps({"fault": self._faults}))
        more = {"bet_spots": True, "protocol": self._protocol, "faults": str(faults)}
        path.write_text(json.dumps({**order, **more}))
        self.program = ("-m", "tests.support.processes.wired_program", "controller.__main__")
        far = {CHIPS: str(self.folder / "chips"), SACN: str(self.wires.sacn_port)}
        self.environment |= {**far, "TABLECTL_GUARD": str(self.folder / "guard.sock")}

    def start_service(self) -> LineProcess:
        """Start the guard of the lights, then the service, and wait until both are ready."""
        self.guard = LineProcess(
            [
                sys.executable, "-m", "tests.support.processes.wired_program",
                "drivers.panel.guard", "--allow-simulated", self.environment["TABLECTL_GUARD"],
            ],
            GPIOZERO_PIN_FACTORY="tablectl_sim", TABLECTL_SIM_PINS=str(self.folder / "pins.sock"),
            **self.environment,
        )  # fmt: skip
        try:
            self.guard.until(lambda line: line.startswith("ready"))
            return super().start_service()
        except BaseException:
            self.guard.close()
            raise

    def down(self) -> set[str]:
        """The devices that the dealer display names as down."""
        self.wires.look()
        return {each["name"] for each in self.scene()["devices"] if not each["up"]}

    def close(self) -> None:
        """Stop everything."""
        super().close()
        self.guard.close()
        self.wires.close()

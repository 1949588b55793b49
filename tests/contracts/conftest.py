"""The devices under contract, built from a configuration exactly as the service builds them.

Without `--hil` the table is a simulated one. With `--hil table.toml` it is the real one, a person
follows the prompts, and only these suites run. A device that the table does not have is skipped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from controller.assembly.card_reader import source
from controller.assembly.devices import build_devices
from controller.assembly.wiring import load
from controller.config.configuration import Config
from controller.devices.contracts import InputDevice, OutputDevice
from controller.service.loop import Service
from controller.table.inputs import Start
from drivers.io import spi
from drivers.io.pins import VARIABLE
from drivers.panel.lights import dmx
from drivers.spots.bus_link import ADDRESS
from drivers.supervision.apart import Apart
from drivers.supervision.supervise import Supervisor
from sim_hw.devices.wire.dmx_usb import DmxUsbPro
from sim_hw.devices.wire.gm65 import Gm65
from sim_hw.devices.wire.hid_pos import DESCRIPTOR
from sim_hw.devices.wire.i2c import I2cBus, Mcp23017, Pca9685
from sim_hw.devices.wire.newland import Newland
from sim_hw.devices.wire.oled import OledGlass
from sim_hw.devices.wire.pn532 import Pn532, Tag
from sim_hw.devices.wire.pn532_bus import I2cPn532, Pn532Answers, SpiPn532
from sim_hw.devices.wire.pole_display import PoleDisplayFace
from sim_hw.devices.wire.rc522 import Rc522
from sim_hw.devices.wire.sh1106 import Sh1106Glass
from sim_hw.devices.wire.ssi import SsiScanner
from tests.contracts.hands import Plug, TableHands
from tests.contracts.person_hands import TerminalPerson, terminal
from tests.contracts.simulated_hands import FarEnds, SimulatedHands
from tests.contracts.simulated_table import simulated_table
from tests.drivers.answering import Speaks, answering
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import ScannerLine
from tests.drivers.panel.sacn_fixtures import listening
from tests.drivers.panel.strip_bus import StripBus
from tests.hil.bench_file import is_bench
from tests.support.forms import quick_first
from tests.support.patience import PATIENCE_S
from tests.support.stream import streaming

#: "shoe" is scanner and camera together.
CARDS = (
    "scanner",
    "scanner with beam",
    "scanner with STX and ETX",
    "scanner with prefix and suffix",
    "scanner that types",
    "scanner by HID POS",
    "scanner by SSI",
    "scanner by SSI and beam",
    "scanner GM65",
    "scanner by Newland",
    "scanner by Datalogic",
    "camera",
    "shoe",
)
#: What reads cards has one of these names; a table has one of them.
READERS = {"scanner", "camera", "shoe"}
INPUTS = (*CARDS, "buttons", "i2c_buttons", "keypad", "pedal", "stream_deck")
LIGHTS = ("leds", "strip", "strip of SK6812", "i2c_leds", "i2c_leds on MCP23017", "sacn", "dmx")
OUTPUTS = (*LIGHTS, "pole_display", "oled", "oled on SH1106", "buzzer")
#: Scanner and camera keep their contracts each: of both together the quick form asks that of cards.
QUICK = {*INPUTS, *OUTPUTS} - {"shoe"}
SENSORS = ("bet_spots", "bet_spots by SPI", "bet_spots by I2C", "bet_spots on RC522")
PEOPLE_TIMEOUT_S = 1_800


def section(device_name: str) -> str:
    """The section of a device under contract: what stands behind it says of which kind it is."""
    return device_name.split(maxsplit=1)[0]


@dataclass(frozen=True, slots=True)
class TableWithHands:
    """A table's configuration and the hands on it."""

    config: Config
    hands: TableHands

    def inputs(self) -> dict[str, InputDevice]:
        """Its input devices, newly made, by name."""
        return {each.name: each for each in self._supervised()._inputs}

    def outputs(self) -> dict[str, OutputDevice]:
        """Its output devices, newly made, by name."""
        found = (each.device for each in self._supervised()._outputs)
        # That one which hangs holds up no other is no contract of a device's own.
        return {each.name: each._device if isinstance(each, Apart) else each for each in found}

    def _supervised(self) -> Supervisor:
        service = Service(Start(self.config.setup, "contracts", ()), self.config.record.folder)
        return build_devices(self.config, service, allow_simulated=True).supervisor


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each contract for every device of its kind, unless it names its device itself."""
    named = (str(mark.args[0]) for mark in metafunc.definition.iter_markers("parametrize"))
    if "device_name" in metafunc.fixturenames and "device_name" not in named:
        is_input = metafunc.module.__name__.endswith("input_devices")
        simulated = metafunc.config.getoption("hil") is None
        names = INPUTS if is_input else OUTPUTS
        quick = QUICK if simulated else names
        metafunc.parametrize("device_name", quick_first(names, quick))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    path: Path | None = config.getoption("hil")
    if path is None or is_bench(path):
        return
    here = Path(__file__).parent
    ours = [
        item
        for item in items
        if item.path.parent == here and "device_name" in getattr(item, "fixturenames", ())
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in ours])
    for item in ours:
        item.add_marker(pytest.mark.timeout(PEOPLE_TIMEOUT_S))
    items[:] = ours


@pytest.fixture
def table(
    request: pytest.FixtureRequest,
    device_name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[TableWithHands]:
    real: Path | None = request.config.getoption("hil")
    if real is not None and is_bench(real):
        yield TableWithHands(*request.getfixturevalue("at_the_bench"))
        return
    if real is not None:
        config = load(real)
        if device_name not in {
            source(config.devices, config.drivers),
            *config.devices.configured - READERS,
        }:
            # "scanner with beam" is not looked for: a real one has its beam or has none, and speaks
            # what it speaks; lights are on the chips that they are on.
            pytest.skip(f"there is no [{device_name}] in {real}")
        with terminal() as at:
            yield TableWithHands(config, TerminalPerson(at))
        return
    glass = Sh1106Glass() if device_name == "oled on SH1106" else OledGlass()
    chips = I2cBus({0x20: Mcp23017(), 0x21: Mcp23017(), 0x3C: glass, 0x40: Pca9685()})
    tags: list[Tag] = []
    select: SpiPn532 | Rc522 = SpiPn532(Pn532Answers(Pn532(lambda: list(tags))))
    if device_name == "bet_spots on RC522":
        select = Rc522(lambda: list(tags))
    kernel = Kernel(descriptor=DESCRIPTOR, bus=chips, selects={str(tmp_path / "spot"): select})
    with_kernel(monkeypatch, kernel)
    pins = MockFactory(revision="c04170")
    monkeypatch.setenv(VARIABLE, "mock")
    monkeypatch.setattr(gpiozero.Device, "pin_factory", pins)
    line = ScannerLine(tmp_path / "scanner")
    line.plug()
    with ExitStack() as stack:
        stack.callback(pins.reset)
        stack.callback(line.unplug)
        stream = stack.enter_context(streaming()) if device_name in ("camera", "shoe") else None
        config = load(simulated_table(tmp_path, device_name, stream))
        bus = _bus(config, monkeypatch, stack) if config.devices.strip else None
        keys = ScannerLine(tmp_path / "keys")
        keys.plug()
        stack.callback(keys.unplug)
        if config.devices.stream_deck:
            stack.enter_context(taking(keys))
        interface = DmxUsbPro()
        if config.devices.dmx:
            monkeypatch.setattr(dmx, "ANSWERS_S", PATIENCE_S)
            stack.enter_context(answering(keys, interface))
        if device_name in SPEAKS_BACK:
            stack.enter_context(answering(line, SPEAKS_BACK[device_name]()))
        spot = _spot(config, tmp_path / "spot", tags, SpotOnBus(select, chips, tags))
        stack.callback(spot.unplug)
        fixtures = stack.enter_context(listening(monkeypatch)) if config.devices.sacn else None
        far = FarEnds(
            line, pins, stream, bus, chips, keys, fixtures, interface, PoleDisplayFace(), spot, tags
        )
        yield TableWithHands(config, SimulatedHands(config.devices, far))


#: Scanners that are set up at opening, and what answers then.
SPEAKS_BACK: dict[str, Callable[[], Speaks]] = {
    "scanner by SSI": SsiScanner, "scanner by SSI and beam": SsiScanner, "scanner GM65": Gm65,
    "scanner by Newland": Newland,
}  # fmt: skip


class SpotLine:
    """A PN532 under a bet spot, on a line that is answered by a thread."""

    def __init__(self, link: Path, tags: list[Tag]) -> None:
        self._line = ScannerLine(link)
        self._chip = Pn532(lambda: list(tags))
        self._answering: ExitStack | None = None

    def plug(self) -> None:
        self._line.plug()
        self._chip.power_up()
        self._answering = ExitStack()
        self._answering.enter_context(answering(self._line, self._chip))

    def unplug(self) -> None:
        if self._answering is not None:
            self._answering.close()
            self._line.unplug()
            self._answering = None


class SpotOnBus:
    """A reader under a bet spot, at the select of an SPI bus and at its address of an I2C bus."""

    def __init__(self, select: SpiPn532 | Rc522, chips: I2cBus, tags: list[Tag]) -> None:
        self._select = select
        self._chips = chips
        self._tags = tags

    def plug(self) -> None:
        self._select.away = False
        self._chips.chips[ADDRESS] = I2cPn532(Pn532Answers(Pn532(lambda: list(self._tags))))

    def unplug(self) -> None:
        self._select.away = True
        self._chips.chips.pop(ADDRESS, None)


def _spot(config: Config, link: Path, tags: list[Tag], on_bus: SpotOnBus) -> Plug:
    """The reader that the table has, plugged in where it has one."""
    spots = config.devices.bet_spots
    if spots is None or spots.interface == "serial":
        line = SpotLine(link, tags)
        if spots is not None:
            line.plug()
        return line
    link.touch()
    on_bus.plug()
    return on_bus


@contextmanager
def taking(keys: ScannerLine) -> Iterator[None]:
    """A deck takes the pictures that it is sent, also while the loop waits for it."""
    over = threading.Event()

    def take() -> None:
        while not over.wait(0.001):
            keys.answer(lambda _picture: b"")

    thread = threading.Thread(target=take, name="deck", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _bus(config: Config, monkeypatch: pytest.MonkeyPatch, stack: ExitStack) -> StripBus:
    """The far end of the strip's bus: a pipe, which has nothing to set up."""
    assert config.devices.strip is not None
    monkeypatch.setattr(spi, "set_up", lambda descriptor, hertz: None)
    bus = StripBus(Path(config.devices.strip.device))
    stack.callback(bus.close)
    return bus

"""The way of a real bench into the device contracts, with a simulated rig in the rig's place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import gpiozero
import pytest

from controller.assembly.wiring import load
from controller.devices.inputs import Reading
from sim_hw.rig.panel import Panel
from sim_hw.rig.settings import PanelSettings
from tests.contracts.conftest import TableWithHands
from tests.contracts.simulated_hands import PRINTED
from tests.contracts.simulated_table import before_lens
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import EventCollector, picture, showing
from tests.hil.bench_file import BenchFile, load_bench
from tests.hil.dealt.rig_camera import fitted
from tests.hil.rig.contract_sections import (
    NO_SCANNER,
    OLED,
    POLE_DISPLAY,
    SCANNER,
    SPOTS_ON_A_BUS,
    TABLE,
)
from tests.hil.rig.real_contracts import played, real_table
from tests.hil.rig.rig_client import RigClient, connected
from tests.hil.rig.rig_line import SPOT_BY_I2C
from tests.hil.rig.wired_chips import WiredChips
from tests.hil.stands.simulated import SimulatedRig, simulated_rig
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def simulated_one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedRig]:
    with simulated_rig(tmp_path_factory.mktemp("rig")) as made:
        yield made


@pytest.fixture
async def rig(
    simulated_one: SimulatedRig, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[RigClient]:
    """The bench's end; the table's pins and chips are at the loom."""
    for name, value in simulated_one.environment.items():
        monkeypatch.setenv(name, value)
    factory = simulated_one.pin_factory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    chips = WiredChips(factory, "oled", simulated_one.folder / "oled-tap")
    with_kernel(monkeypatch, Kernel(bus=chips))
    async with connected("127.0.0.1", simulated_one.port) as client:
        yield client
    chips.close()
    factory.close()


def bench(folder: Path, rig: SimulatedRig, sections: str, *, at: str = "[]") -> BenchFile:
    """A bench with a table that has these devices."""
    (rig.folder / "i2c").touch()
    (folder / "table.toml").write_text(TABLE + sections.format(folder=rig.folder))
    path = folder / "bench.toml"
    path.write_text(
        f"""\
[bench]
name = "b"
games = ["21-24-27"]
[rig]
host = "127.0.0.1"
port = {rig.port}
[table]
url = "http://127.0.0.1:1"
at = {at}
[table.configs]
21-24-27 = "table.toml"
[table.about]
build = ["true"]
devices = ["true"]
firmware = ["true"]
temperature = ["true"]
dmesg = ["true"]
"""
    )
    return load_bench(path)


SAYS = {
    "by acknowledged packets": SCANNER + 'protocol = "ssi"\n',
    "between its own marks": SCANNER + 'prefix = "#"\nsuffix = "!"\nterminator = "lf"\n',
}


@pytest.mark.parametrize("speech", sorted(SAYS))
async def test_a_scanner_says_codes_as_the_tables_own_file_has_it(
    rig: RigClient, simulated_one: SimulatedRig, tmp_path: Path, speech: str
) -> None:
    async with real_table(bench(tmp_path, simulated_one, SAYS[speech]), rig, "scanner") as made:
        device = TableWithHands(*made).inputs()["scanner"]
        await device.open()
        events = EventCollector(device)
        _, hands = made
        for card, _ in PRINTED:
            await hands.act("scanner")
            async with asyncio.timeout(PATIENCE_S):
                told = await events.next()
            assert isinstance(told, Reading)
            assert told.card is not None
            assert told.card.open() == card
        await device.close()


async def test_a_small_display_is_heard_by_its_board(
    rig: RigClient, simulated_one: SimulatedRig, tmp_path: Path
) -> None:
    sections = SCANNER + OLED + "height = 32\n"
    async with real_table(bench(tmp_path, simulated_one, sections), rig, "oled") as made:
        device = TableWithHands(*made).outputs()["oled"]
        _, hands = made
        async with showing(device):
            scene = picture()
            device.show(scene)
            await hands.check(device, scene)
        await hands.check_dark("oled")


SKIPPED = {
    "pole_display": (NO_SCANNER + POLE_DISPLAY, "the rig has no line 'pole_display'"),
    "bet_spots": (
        SCANNER + SPOTS_ON_A_BUS.format(interface="spi"), "in the simulation only",
    ),
    "oled": (SCANNER + OLED + "address = 0x3d\n", "answers at 0x3c"),
    "keypad": (SCANNER, r"this table has no \[keypad\]"),
    "scanner": (SCANNER + 'codes = "own.toml"\n', "codes of tablectl-1"),
}  # fmt: skip


@pytest.mark.parametrize("device_name", sorted(SKIPPED))
async def test_what_the_rig_cannot_be_is_skipped_in_words(
    rig: RigClient, simulated_one: SimulatedRig, tmp_path: Path, device_name: str
) -> None:
    sections, why = SKIPPED[device_name]
    with pytest.raises(pytest.skip.Exception, match=why):
        async with real_table(bench(tmp_path, simulated_one, sections), rig, device_name):
            pass


async def test_a_reader_on_i2c_is_played_where_the_rig_has_a_line_to_its_board(
    rig: RigClient, simulated_one: SimulatedRig, tmp_path: Path
) -> None:
    made = bench(tmp_path, simulated_one, NO_SCANNER + SPOTS_ON_A_BUS.format(interface="i2c"))
    config = load(made.beside("table.toml"))
    assert played(config.devices, "bet_spots") == SPOT_BY_I2C
    with pytest.raises(pytest.skip.Exception, match="the rig has no line 'bet_spots'"):
        async with real_table(made, rig, "bet_spots"):
            pass


async def test_devices_of_another_machine_are_not_opened(
    rig: RigClient, simulated_one: SimulatedRig, tmp_path: Path
) -> None:
    there = bench(tmp_path, simulated_one, SCANNER, at='["ssh", "table"]')
    with pytest.raises(pytest.skip.Exception, match="run them at the table"):
        async with real_table(there, rig, "scanner"):
            pass


@pytest.mark.parametrize(("width", "height"), [(800, 480), (640, 480), (320, 240)])
def test_a_picture_fits_the_panel(tmp_path: Path, width: int, height: int) -> None:
    panel = Panel(PanelSettings(tmp_path / "fb", width, height))
    kind, _ = PRINTED[0]
    seen = before_lens(kind)
    shown = fitted(seen, width, height)
    assert len(shown.tobytes()) == panel.picture_bytes
    for row, column in ((0, 0), (height - 1, width - 1), (height // 2, width // 3)):
        there = seen[row * seen.shape[0] // height, column * seen.shape[1] // width]
        assert (shown[row, column] == there).all()

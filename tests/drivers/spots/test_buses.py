"""PN532 readers on SPI and I2C, by the transfers at their nodes: what lies there, and writing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.devices.contracts import (
    DeviceAbsent,
    DeviceBusy,
    DeviceDenied,
    DeviceError,
    DeviceLost,
)
from controller.devices.inputs import SpotChips
from drivers.settings.spots import BetSpotSettings, Interface
from drivers.spots import bus_link, pn532
from drivers.spots.bet_spots import BetSpots
from drivers.spots.reader import NotWritten, Reader, reader_at
from drivers.spots.tag_contents import amount_of
from sim_hw.devices.wire.i2c import I2cBus
from sim_hw.devices.wire.pn532 import Pn532, Tag
from sim_hw.devices.wire.pn532_bus import I2cPn532, Pn532Answers, SpiPn532, turned
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import watching
from tests.drivers.spots.test_bet_spots import KEY, ONE, OTHER, both, written
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


class BusFelt:
    """Two spots whose readers are on a bus each (of SPI: at a select each); `lies` are their tags.

    `slow`: for how many questions each chip is not ready with its answer.
    """

    def __init__(
        self, folder: Path, interface: Interface, monkeypatch: pytest.MonkeyPatch, slow: int = 2
    ) -> None:
        self.lies: list[list[Tag]] = [[], []]
        self.chips = [Pn532(lambda at=at: self.lies[at]) for at in range(2)]  # type: ignore[misc]
        nodes = [str(folder / f"node{at}") for at in range(2)]
        for each in nodes:
            Path(each).touch()
        self.selects = [SpiPn532(Pn532Answers(chip, slow)) for chip in self.chips]
        self.bus = I2cBus({bus_link.ADDRESS: I2cPn532(Pn532Answers(self.chips[0], slow))})
        selects = dict(zip(nodes, self.selects, strict=True)) if interface == "spi" else {}
        with_kernel(monkeypatch, Kernel(selects=selects, bus=self.bus))
        ports = tuple(nodes if interface == "spi" else nodes[:1])
        self.settings = BetSpotSettings(ports, interface, poll_ms=0, settle_ms=0)

    def reader(self) -> Reader:
        return reader_at(self.settings, self.settings.ports[0], Path("/"))

    def device(self) -> BetSpots:
        return BetSpots(self.settings, KEY, Path("/"))

    def pull(self) -> None:
        """The wires of the first chip are pulled."""
        self.selects[0].away = True
        self.bus.chips.clear()


@pytest.fixture(params=["spi", "i2c"])
def interface(request: pytest.FixtureRequest) -> Interface:
    found: Interface = request.param
    return found


@pytest.fixture
def felt(interface: Interface, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BusFelt:
    return BusFelt(tmp_path, interface, monkeypatch)


@asynccontextmanager
async def opened(felt: BusFelt) -> AsyncIterator[Reader]:
    reader = felt.reader()
    try:
        await reader.open()
        yield reader
    finally:
        reader.close()


async def test_tags_of_a_chip_that_was_asleep_are_read_and_its_field_is_off_then(
    felt: BusFelt,
) -> None:
    felt.lies[0] = [written(ONE, 2_500)]
    async with opened(felt) as reader:
        found = await reader.tags()
        assert [each.uid for each in found] == [ONE]
        assert felt.chips[0].field_on
        assert await reader.amount(found[0], KEY) == 2_500
        await reader.quiet()
        assert not felt.chips[0].field_on


async def test_two_tags_with_long_numbers_are_listed_whole(felt: BusFelt) -> None:
    felt.lies[0] = [Tag(bytes(range(10))), Tag(bytes(range(10, 20)))]
    async with opened(felt) as reader:
        assert [each.uid for each in await reader.tags()] == [each.uid for each in felt.lies[0]]


async def test_readers_at_the_selects_of_one_bus_are_one_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    felt = BusFelt(tmp_path, "spi", monkeypatch)
    felt.lies[1] = [written(OTHER, 500)]
    async with watching(felt.device()) as events:
        worth = SpotChips(present=True, tags=(OTHER.hex(),), amount=500)
        assert await both(events) == {1: SpotChips(present=False), 2: worth}


async def test_a_blank_tag_is_written_and_read_back_and_no_other(felt: BusFelt) -> None:
    felt.lies[0] = [blank := Tag(ONE)]
    async with opened(felt) as reader:
        await reader.write(2_500, KEY)
        assert blank.written == [4, 5, 6, 7]
        assert amount_of(ONE, bytes(blank.pages[16:32]), KEY) == 2_500
        felt.lies[0] = [theirs := written(OTHER, 500, b"another house's key")]
        with pytest.raises(NotWritten, match="not this house's"):
            await reader.write(2_500, KEY)
        assert not theirs.written


async def test_a_chip_that_is_pulled_is_lost_and_absent_until_it_is_back(
    felt: BusFelt, interface: Interface, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus_link, "ANSWERS_S", 0.1)
    reader = felt.reader()
    await reader.open()
    chips = dict(felt.bus.chips)
    felt.pull()
    with pytest.raises(DeviceLost):
        await reader.tags()
    reader.close()
    with pytest.raises(DeviceAbsent, match=r"answer" if interface == "spi" else r"\[bet_spots\]"):
        await reader.open()
    reader.close()
    felt.selects[0].away = False
    felt.bus.chips |= chips
    monkeypatch.undo()
    with_kernel(
        monkeypatch, Kernel(selects={felt.settings.ports[0]: felt.selects[0]}, bus=felt.bus)
    )
    felt.chips[0].power_up()  # it had no power, either
    await reader.open()
    assert await reader.tags() == ()
    reader.close()


async def test_a_chip_without_an_answer_is_not_waited_for_for_ever(
    felt: BusFelt, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(felt) as reader:
        monkeypatch.setattr(bus_link, "ANSWERS_S", 0.05)
        monkeypatch.setattr(felt.chips[0], "hears", lambda _: b"")
        with pytest.raises(DeviceLost, match="does not answer"):
            await reader.tags()


async def test_what_is_no_frame_of_its_command_is_refused(
    felt: BusFelt, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(felt) as reader:
        other, hears = pn532.frame(pn532.FIRMWARE), felt.chips[0].hears
        monkeypatch.setattr(felt.chips[0], "hears", lambda _: hears(other))
        with pytest.raises(DeviceError, match="something else"):
            await reader.tags()


async def test_whoever_closes_it_does_not_wait_for_the_answer_and_the_node_is_free_then(
    felt: BusFelt, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = felt.reader()
    await reader.open()
    heard = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hears(_: bytes) -> bytes:
        loop.call_soon_threadsafe(heard.set)
        return b""

    right = felt.chips[0].hears
    monkeypatch.setattr(felt.chips[0], "hears", hears)
    asking = asyncio.create_task(reader.tags())
    async with asyncio.timeout(PATIENCE_S):
        await heard.wait()
    reader.close()
    with pytest.raises(DeviceError):
        await asking
    monkeypatch.setattr(felt.chips[0], "hears", right)
    async with opened(felt) as again:
        assert await again.tags() == ()


async def test_a_second_program_is_refused_and_the_first_goes_on(felt: BusFelt) -> None:
    async with opened(felt) as reader:
        with pytest.raises(DeviceBusy):
            await felt.reader().open()
        assert await reader.tags() == ()


async def test_a_node_that_is_not_there_or_is_none_is_said(
    interface: Interface, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(monkeypatch, Kernel())
    for name, kind in (("none", DeviceAbsent), ("file", DeviceError)):
        (tmp_path / "file").touch()
        settings = BetSpotSettings((str(tmp_path / name),), interface)
        reader = reader_at(settings, settings.ports[0], Path("/"))
        with pytest.raises(kind, match=r"\[bet_spots\]"):
            await reader.open()
        reader.close()


@pytest.mark.parametrize("number", [1, 13])
async def test_a_node_that_may_not_be_opened_is_said(
    number: int, felt: BusFelt, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(number, "no")

    with monkeypatch.context() as patched:
        patched.setattr("os.open", refuse)  # no longer: pytest clears its folders by it
        with pytest.raises(DeviceDenied):
            await felt.reader().open()


def test_bytes_go_over_the_wire_with_their_lowest_bit_first() -> None:
    """As the manual's waveforms have it: 01 before what is written is 80 on a bus of bytes."""
    assert turned(b"\x01\x02\x03") == b"\x80\x40\xc0"
    assert turned(turned(bytes(range(256)))) == bytes(range(256))

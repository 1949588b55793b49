"""An RC522 under a spot, register by register at its node: tags found, told apart, written."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.devices.contracts import DeviceAbsent, DeviceBusy, DeviceError, DeviceLost
from controller.devices.inputs import SpotChips
from drivers.settings.spots import BetSpotSettings
from drivers.spots import iso14443a, rc522_chip
from drivers.spots.bet_spots import BetSpots
from drivers.spots.reader import NotWritten, Reader, reader_at
from drivers.spots.tag_contents import amount_of
from sim_hw.devices.wire.pn532 import Tag
from sim_hw.devices.wire.rc522 import Rc522, air_crc
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.outside import watching
from tests.drivers.spots.test_bet_spots import KEY, ONE, OTHER, both, written

pytestmark = pytest.mark.anyio


class AirFelt:
    """Two spots whose readers are at a select each; `lies` are their tags."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, version: int = 0x92) -> None:
        self.lies: list[list[Tag]] = [[], []]
        self.chips = [Rc522(lambda at=at: self.lies[at], version) for at in range(2)]  # type: ignore[misc]
        nodes = [str(folder / f"node{at}") for at in range(2)]
        for each in nodes:
            Path(each).touch()
        with_kernel(monkeypatch, Kernel(selects=dict(zip(nodes, self.chips, strict=True))))
        self.settings = BetSpotSettings(
            tuple(nodes), "spi", "rc522", poll_ms=0, settle_ms=0
        )  # fmt: skip

    def reader(self) -> Reader:
        return reader_at(self.settings, self.settings.ports[0], Path("/"))


@pytest.fixture
def felt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AirFelt:
    return AirFelt(tmp_path, monkeypatch)


@asynccontextmanager
async def opened(felt: AirFelt) -> AsyncIterator[Reader]:
    reader = felt.reader()
    try:
        await reader.open()
        yield reader
    finally:
        reader.close()


@pytest.mark.parametrize("size", [4, 7, 10])
async def test_a_tag_is_found_by_its_whole_number_again_and_again(felt: AirFelt, size: int) -> None:
    felt.lies[0] = [Tag(bytes(range(0x11, 0x11 + size)))]
    async with opened(felt) as reader:
        for _ in range(3):
            assert [each.uid for each in await reader.tags()] == [felt.lies[0][0].uid]
            assert felt.chips[0].field_on
            await reader.quiet()
            assert not felt.chips[0].field_on
        felt.lies[0] = []
        assert await reader.tags() == ()


@pytest.mark.parametrize("bit", [*range(0, 56, 5), 23, 24, 31, 55])
async def test_two_tags_are_told_apart_wherever_their_numbers_differ(
    felt: AirFelt, bit: int
) -> None:
    other = bytearray(ONE)
    other[bit // 8] ^= 1 << bit % 8
    felt.lies[0] = [Tag(ONE), Tag(bytes(other))]
    async with opened(felt) as reader:
        assert {each.uid for each in await reader.tags()} == {ONE, bytes(other)}


async def test_of_three_tags_two_are_named(felt: AirFelt) -> None:
    felt.lies[0] = [Tag(ONE), Tag(OTHER), Tag(b"\x04third!")]
    async with opened(felt) as reader:
        found = {each.uid for each in await reader.tags()}
        assert len(found) == 2
        assert found < {ONE, OTHER, b"\x04third!"}


async def test_all_readers_are_one_device_and_amounts_are_read(felt: AirFelt) -> None:
    felt.lies[0] = [written(ONE, 500), written(OTHER, 500)]
    felt.lies[1] = [written(OTHER, 2_500)]
    async with watching(BetSpots(felt.settings, KEY, Path("/"))) as events:
        found = await both(events)
    assert found[1] == SpotChips(present=True, tags=tuple(sorted((ONE.hex(), OTHER.hex()))))
    assert found[2] == SpotChips(present=True, tags=(OTHER.hex(),), amount=2_500)


async def test_a_blank_tag_is_written_and_read_back_and_no_other(felt: AirFelt) -> None:
    felt.lies[0] = [blank := Tag(ONE)]
    async with opened(felt) as reader:
        await reader.write(2_500, KEY)
        assert blank.written == [4, 5, 6, 7]
        assert amount_of(ONE, bytes(blank.pages[16:32]), KEY) == 2_500
        for theirs in (written(OTHER, 500, b"another house's key"), Tag(OTHER, kind=0x08)):
            felt.lies[0] = [theirs]
            with pytest.raises(NotWritten):
                await reader.write(2_500, KEY)
            assert not theirs.written
        felt.lies[0] = [deaf := Tag(ONE, deaf_after=2)]
        with pytest.raises(NotWritten, match="worth nothing now"):
            await reader.write(2_500, KEY)
        assert amount_of(ONE, bytes(deaf.pages[16:32]), KEY) is None


async def test_a_chip_that_is_pulled_is_lost_and_absent_until_it_is_back(felt: AirFelt) -> None:
    reader = felt.reader()
    await reader.open()
    felt.chips[0].away = True
    with pytest.raises(DeviceLost, match=r"does not answer.*\[bet_spots\]"):
        await reader.tags()
    reader.close()
    with pytest.raises(DeviceAbsent, match="does not answer"):
        await reader.open()
    reader.close()
    felt.chips[0].away = False
    felt.chips[0].power_up()  # it had no power, either
    await reader.open()
    assert await reader.tags() == ()
    reader.close()


async def test_a_chip_that_has_stopped_is_not_waited_for_for_ever(
    felt: AirFelt, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(felt) as reader:
        monkeypatch.setattr(rc522_chip, "ANSWERS_S", 0.05)
        monkeypatch.setattr(felt.chips[0], "_transceive", lambda _: None)
        with pytest.raises(DeviceLost, match="does not answer"):
            await reader.tags()


@pytest.mark.parametrize("version", [0x91, 0x92, 0x88])
async def test_the_versions_that_are_sold_are_taken(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(AirFelt(tmp_path, monkeypatch, version)) as reader:
        assert await reader.tags() == ()


async def test_another_chip_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = AirFelt(tmp_path, monkeypatch, 0x55).reader()
    with pytest.raises(DeviceError, match="is another chip"):
        await reader.open()
    reader.close()


async def test_a_second_program_is_refused_and_the_first_goes_on(felt: AirFelt) -> None:
    async with opened(felt) as reader:
        with pytest.raises(DeviceBusy):
            await felt.reader().open()
        assert await reader.tags() == ()


@pytest.mark.parametrize("interface", ["serial", "i2c"])
def test_it_is_on_spi(interface: str) -> None:
    with pytest.raises(ValueError, match='write interface = "spi"'):
        BetSpotSettings(("/dev/a",), interface, "rc522")  # type: ignore[arg-type]


def test_the_check_over_the_air_is_that_of_the_standard() -> None:
    """ISO/IEC 14443-3, annex B: 00 00 has A0 1E, 12 34 has 26 CF."""
    for data, check in ((b"\0\0", b"\xa0\x1e"), (b"\x12\x34", b"\x26\xcf")):
        assert iso14443a.crc(data) == air_crc(data) == check
    assert iso14443a.checked(b"\x12\x34\x26\xcf") == b"\x12\x34"
    assert iso14443a.checked(b"\x12\x34\x26\xce") is None


@pytest.mark.parametrize("damage", range(5))
def test_a_number_with_a_wrong_check_byte_is_none(damage: int) -> None:
    said = bytearray(b"\x88\x04\xa1\xb2" + bytes((0x88 ^ 0x04 ^ 0xA1 ^ 0xB2,)))
    assert iso14443a.part_of(bytes(said)) == b"\x88\x04\xa1\xb2"
    said[damage] ^= 0x10
    assert iso14443a.part_of(bytes(said)) is None

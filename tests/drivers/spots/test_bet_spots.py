"""PN532 readers under the spots, by bytes on ptys: what lies there, reading and writing tags."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from controller.devices.contracts import DeviceAbsent, DeviceBusy, DeviceError
from controller.devices.inputs import SpotChips, SpotSensed
from drivers.settings.spots import BetSpotSettings
from drivers.spots import pn532
from drivers.spots.bet_spots import BetSpots
from drivers.spots.reader import NotWritten, Reader, reader_at
from drivers.spots.reader_chip import Broken
from drivers.spots.tag_contents import KeyFileError, amount_of, contents, read_key
from sim_hw.devices.spot_reader import SpotReader
from sim_hw.devices.wire.pn532 import Tag
from tests.drivers.outside import EventCollector, watching
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio

KEY = bytes(range(32))
ONE, OTHER = bytes.fromhex("04a1b2c3d4e5f6"), bytes.fromhex("04ffeeddccbbaa")


class TaggedFelt:
    """Two spots with readers; `lies` are the tags of each."""

    def __init__(self, folder: Path) -> None:
        self.lies: list[list[Tag]] = [[], []]
        self.readers = [SpotReader(folder / f"spot{at}", self._lying(at)) for at in range(2)]
        ports = tuple(str(each.link) for each in self.readers)
        self.settings = BetSpotSettings(ports, poll_ms=0, settle_ms=0)

    def _lying(self, at: int) -> Callable[[], list[Tag]]:
        return lambda: self.lies[at]

    def device(self, key: bytes | None = KEY) -> BetSpots:
        return BetSpots(self.settings, key, Path("/"))

    def reader(self) -> Reader:
        return reader_at(self.settings, self.settings.ports[0], Path("/"))


@pytest.fixture
async def felt(tmp_path: Path) -> AsyncIterator[TaggedFelt]:
    felt = TaggedFelt(tmp_path)
    for each in felt.readers:
        each.plug()
    yield felt
    for each in felt.readers:
        each.unplug()


def written(uid: bytes, amount: int, key: bytes = KEY) -> Tag:
    tag = Tag(uid)
    tag.pages[16:32] = contents(uid, amount, key)
    return tag


async def both(events: EventCollector) -> dict[int, SpotChips]:
    found = [await events.spot(), await events.spot()]
    assert {each.source for each in found} == {"bet_spots"}
    return {each.seat: each.chips for each in found}


async def test_every_spot_is_given_as_it_is_and_then_what_changes(felt: TaggedFelt) -> None:
    felt.lies[1] = [written(ONE, 2_500)]
    async with watching(felt.device()) as events:
        worth = SpotChips(present=True, tags=(ONE.hex(),), amount=2_500)
        assert await both(events) == {1: SpotChips(present=False), 2: worth}
        felt.lies[0] = [Tag(OTHER)]
        blank = SpotChips(present=True, tags=(OTHER.hex(),))
        assert await events.spot() == SpotSensed("bet_spots", 1, blank)
        felt.lies[0] = []
        assert await events.spot() == SpotSensed("bet_spots", 1, SpotChips(present=False))


async def test_two_tags_on_a_spot_are_worth_nothing_certain(felt: TaggedFelt) -> None:
    felt.lies[0] = [written(ONE, 500), written(OTHER, 500), written(b"\x04third!", 500)]
    async with watching(felt.device()) as events:
        found = (await both(events))[1]
    assert found.amount is None
    assert found.tags == (ONE.hex(), OTHER.hex())


@pytest.mark.parametrize("wrong", ["copied", "changed", "other key", "half"])
async def test_an_amount_that_is_not_this_house_s_for_this_tag_is_none(
    felt: TaggedFelt, wrong: str
) -> None:
    tag = written(ONE, 500, b"another house's key" if wrong == "other key" else KEY)
    if wrong == "copied":
        tag.uid = OTHER
    elif wrong == "changed":
        tag.pages[23] ^= 1
    elif wrong == "half":
        tag.pages[28:32] = bytes(4)
    felt.lies[0] = [tag]
    async with watching(felt.device()) as events:
        assert (await both(events))[1].amount is None


async def test_without_the_house_s_key_tags_are_there_or_not(felt: TaggedFelt) -> None:
    felt.lies[0] = [written(ONE, 500)]
    async with watching(felt.device(None)) as events:
        assert (await both(events))[1] == SpotChips(present=True, tags=(ONE.hex(),))


async def test_what_is_not_the_same_for_long_enough_is_not_believed(tmp_path: Path) -> None:
    felt = TaggedFelt(tmp_path)
    for each in felt.readers:
        each.plug()
    looks = 0
    tag, enough = Tag(ONE), asyncio.Event()

    def flickering() -> list[Tag]:
        nonlocal looks
        looks += 1
        if looks == 20:
            enough.set()
        return [tag] if looks % 2 else []

    felt.readers[0].chip._lying = flickering
    slow = BetSpotSettings(felt.settings.ports, poll_ms=0, settle_ms=2_000)
    device = BetSpots(slow, None, Path("/"))
    await device.open()
    events = EventCollector(device)
    waiting = asyncio.create_task(events.spot())
    await asyncio.wait_for(enough.wait(), PATIENCE_S)
    assert not waiting.done()
    waiting.cancel()
    await asyncio.wait([waiting])
    await device.close()
    for each in felt.readers:
        each.unplug()


async def test_one_field_is_on_at_a_time(felt: TaggedFelt) -> None:
    fields = []
    for at, each in enumerate(felt.readers):
        other = felt.readers[1 - at].chip

        def lying(at: int = at, other: object = other) -> list[Tag]:
            fields.append(other.field_on)  # type: ignore[attr-defined]
            return felt.lies[at]

        each.chip._lying = lying
    async with watching(felt.device()) as events:
        await both(events)
    assert fields
    assert not any(fields)


async def test_a_reader_that_is_pulled_is_lost_and_comes_back(felt: TaggedFelt) -> None:
    device = felt.device()
    await device.open()
    events = EventCollector(device)
    await both(events)
    felt.readers[1].unplug()
    with pytest.raises(DeviceError):
        await events.spot()
    await device.close()
    with pytest.raises(DeviceAbsent):
        await device.open()
    await device.close()
    felt.readers[1].plug()
    async with watching(device) as again:
        assert len(await both(again)) == 2


async def test_it_opens_after_noise_and_without_what_was_said_before(felt: TaggedFelt) -> None:
    reader = felt.reader()
    await reader.open()
    reader.close()
    felt.readers[0].chip._heard = b"\x00\x00\xff\x10"  # half a frame was cut off
    async with watching(felt.device()) as events:
        assert len(await both(events)) == 2


async def test_a_second_program_is_refused(felt: TaggedFelt) -> None:
    async with watching(felt.device()) as events:
        another = felt.device()
        with pytest.raises(DeviceBusy):
            await another.open()
        await another.close()
        assert len(await both(events)) == 2


@pytest.mark.parametrize(("ic", "code"), [(0x33, "spot-reader-other-chip")])
async def test_another_chip_is_refused(tmp_path: Path, ic: int, code: str) -> None:
    far = SpotReader(tmp_path / "spot", list, ic)
    far.plug()
    settings = BetSpotSettings((str(far.link),))
    reader = reader_at(settings, settings.ports[0], Path("/"))
    with pytest.raises(DeviceError) as refused:
        await reader.open()
    reader.close()
    far.unplug()
    assert refused.value.message.code == code


# Writing


async def test_a_blank_tag_is_written_and_read_back(felt: TaggedFelt) -> None:
    tag = Tag(ONE)
    felt.lies[0] = [tag]
    reader = felt.reader()
    await reader.open()
    assert (await reader.write(2_500, KEY)).uid == ONE
    assert tag.written == [4, 5, 6, 7]
    assert await reader.amount((await reader.tags())[0], KEY) == 2_500
    reader.close()


async def refused(felt: TaggedFelt, *, replace: bool = False) -> str:
    reader = felt.reader()
    await reader.open()
    with pytest.raises(NotWritten) as error:
        await reader.write(2_500, KEY, replace=replace)
    reader.close()
    return str(error.value)


async def test_no_tag_or_two_are_not_written(felt: TaggedFelt) -> None:
    assert "0 tags" in await refused(felt)
    felt.lies[0] = [Tag(ONE), Tag(OTHER)]
    assert "2 tags" in await refused(felt)
    assert not any(each.written for each in felt.lies[0])


async def test_what_is_not_ours_is_never_written(felt: TaggedFelt) -> None:
    for tag in (written(ONE, 500, b"another house's key"), Tag(ONE, kind=0x08)):
        felt.lies[0] = [tag]
        await refused(felt, replace=True)
        assert not tag.written


async def test_an_amount_is_written_over_only_where_that_is_said(felt: TaggedFelt) -> None:
    tag = written(ONE, 500)
    felt.lies[0] = [tag]
    assert "worth 500" in await refused(felt)
    assert not tag.written
    reader = felt.reader()
    await reader.open()
    await reader.write(2_500, KEY, replace=True)
    reader.close()
    assert amount_of(ONE, bytes(tag.pages[16:32]), KEY) == 2_500


async def test_a_tag_that_is_taken_away_half_written_is_worth_nothing(felt: TaggedFelt) -> None:
    tag = Tag(ONE, deaf_after=2)
    felt.lies[0] = [tag]
    assert "worth nothing now" in await refused(felt)
    assert amount_of(ONE, bytes(tag.pages[16:32]), KEY) is None


# The key, and the frames


def test_a_key_that_is_missing_short_or_everybody_s_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with pytest.raises(KeyFileError, match="make one"):
        read_key(path)
    path.write_bytes(b"short")
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match="16"):
        read_key(path)
    path.write_bytes(KEY)
    path.chmod(0o644)
    with pytest.raises(KeyFileError, match="everybody"):
        read_key(path)
    path.chmod(0o640)
    assert read_key(path) == KEY


def test_frames_are_those_of_the_manual() -> None:
    """As printed: GetFirmwareVersion, and its answer by a PN532."""
    assert pn532.frame(pn532.FIRMWARE).hex() == "0000ff02fed4022a00"
    said = bytes.fromhex("0000ff00ff00" + "0000ff06fad50332010607e800")
    for cut in range(len(said)):
        answers = pn532.FrameBuffer()
        found = [*answers.feed(said[:cut]), *answers.feed(said[cut:])]
        assert found == [bytes.fromhex("0332010607")]
        assert pn532.is_pn532(pn532.parameters(pn532.FIRMWARE, found[0]))


def test_a_damaged_frame_is_no_answer_and_the_next_one_is() -> None:
    good = bytes.fromhex("0000ff06fad50332010607e800")
    for at in range(3, len(good) - 1):
        damaged = bytearray(good)
        damaged[at] ^= 0x04
        answers = pn532.FrameBuffer()
        try:
            answers.feed(bytes(damaged))
        except Broken:
            continue
        found = answers.feed(bytes(300) + good)
        assert found[-1] == bytes.fromhex("0332010607")


@pytest.mark.parametrize("noise", ["00ff000000", "00ff00000000ff00", "0000ff000000"])
def test_zeros_behind_what_looks_like_a_start_are_no_frame(noise: str) -> None:
    said = bytes.fromhex(noise + "0000ff06fad50332010607e800")
    answers = pn532.FrameBuffer()
    found = [each for at in range(len(said)) for each in answers.feed(said[at : at + 1])]
    assert found == pn532.FrameBuffer().feed(said) == [bytes.fromhex("0332010607")]


def test_a_list_of_tags_that_is_cut_off_is_none() -> None:
    whole = bytes((1, 1, 0, 0x44, 0, 7)) + ONE
    assert pn532.targets(whole)[0].uid == ONE
    for cut in range(len(whole)):
        with pytest.raises(Broken):
            pn532.targets(whole[:cut])


@pytest.mark.parametrize(
    "wrong",
    [
        {"ports": ()}, {"ports": ("",)}, {"ports": ("relative",)}, {"ports": ("/a", "/a")},
        {"ports": ("/a",), "settle_ms": 3_000}, {"ports": ("/a",) * 13},
    ],
)  # fmt: skip
def test_settings_that_cannot_be(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        BetSpotSettings(**wrong)  # type: ignore[arg-type]

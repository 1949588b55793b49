"""A reader's wires at their worst, at every transfer of a look: lines stuck at 0 or 1, bits that
turn, a chip that loses its power, a tag that is taken away. No tag is there that is not, what is
wrong is a `DeviceError`, and an opening later all is well.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from controller.devices.contracts import DeviceError
from drivers.settings.spots import BetSpotSettings
from drivers.spots import bus_link, rc522_chip
from drivers.spots.reader import NotWritten, Reader, reader_at
from drivers.spots.tag_contents import amount_of
from sim_hw.devices.wire.pn532 import Pn532, Tag
from sim_hw.devices.wire.pn532_bus import Pn532Answers, SpiPn532
from sim_hw.devices.wire.rc522 import Rc522
from tests.drivers.nodes import Kernel, NodeSelect, with_kernel
from tests.drivers.spots.test_bet_spots import KEY, ONE, OTHER, written

pytestmark = pytest.mark.anyio

Look = tuple[list[bytes], int | None]
"""The numbers of the tags that were found, and what the one is worth."""
Damage = Callable[[bytes, Random], bytes]
"""What comes over the wire of what a chip says."""


def one_bit_turned(said: bytes, chance: Random) -> bytes:
    """As noise does it."""
    at = chance.randrange(8 * len(said))
    return (int.from_bytes(said, "big") ^ 1 << at).to_bytes(len(said), "big")


DAMAGES: dict[str, Damage] = {
    "stuck at 0": lambda said, _: bytes(len(said)),
    "stuck at 1": lambda said, _: b"\xff" * len(said),
    "a bit turned": one_bit_turned,
}
ALL = 1 << 30
#: No divisor of what repeats itself in a look.
QUICK_STEP = 11
AMOUNT = 2_500


class BadWire:
    """The select of a chip. From transfer `after` on, for `lasts` transfers, `damage` is done to
    what it says, and before the first of them `happens`.
    """

    def __init__(self, chip: NodeSelect) -> None:
        self._chip = chip
        self.mend()

    def mend(self) -> None:
        self.count = 0
        self.after, self.lasts = ALL, 0
        self.damage: Damage = lambda said, _: said
        self.happens: Callable[[], None] = lambda: None

    def transfer(self, data: bytes) -> bytes:
        number, self.count = self.count, self.count + 1
        if number == self.after:
            self.happens()
        said = self._chip.transfer(data)
        if self.after <= number < self.after + self.lasts:
            return self.damage(said, Random(number))
        return said


class WiredSpot:
    """One spot, its chip at the end of a bad wire."""

    def __init__(self, kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lies: list[Tag] = []
        self.step = 1
        (folder / "node").touch()
        node = str(folder / "node")
        self.chip: Pn532 | Rc522
        if kind == "rc522":
            self.chip = Rc522(lambda: self.lies)
            self.wire = BadWire(self.chip)
        else:
            self.chip = Pn532(lambda: self.lies)
            self.wire = BadWire(SpiPn532(Pn532Answers(self.chip)))
        with_kernel(monkeypatch, Kernel(selects={node: self.wire}))
        chip = "rc522" if kind == "rc522" else "pn532"
        self.settings = BetSpotSettings((node,), "spi", chip, poll_ms=0, settle_ms=0)  # type: ignore[arg-type]

    async def opened(self) -> Reader:
        """The reader, open, on a wire that is well until it is told otherwise."""
        self.wire.mend()
        reader = reader_at(self.settings, self.settings.ports[0], Path("/"))
        await reader.open()
        self.wire.mend()
        return reader

    async def transfers(self, does: Callable[[Reader], Awaitable[object]]) -> range:
        """The transfers that something takes when all is well; in the quick form, some of them."""
        reader = await self.opened()
        await does(reader)
        reader.close()
        return range(0, self.wire.count, self.step)


@pytest.fixture(params=["pn532", "rc522"])
def spot(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long_form: bool
) -> WiredSpot:
    """A chip that takes no time, so that every transfer may have its turn."""
    for module in (bus_link, rc522_chip):
        monkeypatch.setattr(module, "WAKES_S", 0.0)
        monkeypatch.setattr(module, "LOOK_AGAIN_S", 0.0)
    monkeypatch.setattr(rc522_chip, "FIELD_S", 0.0)
    made = WiredSpot(request.param, tmp_path, monkeypatch)
    made.step = 1 if long_form else QUICK_STEP
    return made


@contextmanager
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Who does not answer is not waited for."""
    with monkeypatch.context() as short:
        for module in (bus_link, rc522_chip):
            short.setattr(module, "ANSWERS_S", 0.002)
        yield


async def look(reader: Reader) -> Look:
    """Which tags lie there, and what the one is worth."""
    found = await reader.tags()
    amount = await reader.amount(found[0], KEY) if len(found) == 1 else None
    await reader.quiet()
    return [each.uid for each in found], amount


@pytest.mark.parametrize("lasts", [1, ALL])
@pytest.mark.parametrize("damage", sorted(DAMAGES))
async def test_a_line_that_lies_names_no_tag_and_is_well_once_it_is_mended(
    spot: WiredSpot, monkeypatch: pytest.MonkeyPatch, damage: str, lasts: int
) -> None:
    spot.lies = [written(ONE, AMOUNT)]
    for after in await spot.transfers(look):
        reader = await spot.opened()
        spot.wire.after, spot.wire.lasts, spot.wire.damage = after, lasts, DAMAGES[damage]
        with impatient(monkeypatch), suppress(DeviceError):
            uids, amount = await look(reader)
            assert (uids, amount) in (([ONE], AMOUNT), ([ONE], None), ([], None)), after
            if lasts == ALL and damage != "a bit turned":
                with pytest.raises(DeviceError):
                    await look(reader)
        reader.close()
        reader = await spot.opened()
        assert await look(reader) == ([ONE], AMOUNT)
        reader.close()


async def test_a_chip_that_loses_its_power_at_any_moment_does_not_see_an_empty_spot_for_ever(
    spot: WiredSpot, monkeypatch: pytest.MonkeyPatch
) -> None:
    spot.lies = [written(ONE, AMOUNT)]
    for after in await spot.transfers(look):
        reader = await spot.opened()
        spot.wire.after, spot.wire.happens = after, spot.chip.power_up
        with impatient(monkeypatch):
            lost = False
            for _ in range(2):
                try:
                    uids, _ = await look(reader)
                except DeviceError:
                    lost = True
                    break
                assert uids in ([ONE], [])
            assert lost, f"it was set up no more after transfer {after}, and nobody noticed"
        reader.close()
        reader = await spot.opened()
        assert await look(reader) == ([ONE], AMOUNT)
        reader.close()


@pytest.mark.parametrize("then", ["nothing", "another", "a copy"])
async def test_a_tag_that_is_taken_away_at_any_moment_is_no_defect_and_no_other_tag(
    spot: WiredSpot, then: str
) -> None:
    first = written(ONE, AMOUNT)
    after_it = {
        "nothing": [],
        "another": [written(OTHER, 500)],
        "a copy": [Tag(OTHER, first.pages)],
    }
    worth: Look = {"nothing": ([], None), "another": ([OTHER], 500), "a copy": ([OTHER], None)}[
        then
    ]
    spot.lies = [first]
    for after in await spot.transfers(look):
        spot.lies = [first]
        reader = await spot.opened()

        def exchanged() -> None:
            spot.lies = after_it[then]

        spot.wire.after, spot.wire.happens = after, exchanged
        uids, amount = await look(reader)
        known: list[Look] = [([ONE], AMOUNT), ([ONE], None), ([], None), ([OTHER], None), worth]
        # In the moment of the exchange both may have been there: then they are worth nothing.
        assert (uids, amount) in [*known, ([ONE, OTHER], None)], after
        assert await look(reader) == worth
        reader.close()


TROUBLES = [*sorted(DAMAGES), "power lost", "tag gone"]


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_a_tag_that_is_written_over_bad_wires_is_worth_what_was_said_or_nothing(
    spot: WiredSpot, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    def away() -> None:
        spot.lies = []

    async def write(reader: Reader) -> object:
        return await reader.write(AMOUNT, KEY)

    spot.lies = [Tag(ONE)]
    for after in await spot.transfers(write):
        spot.lies = [blank := Tag(ONE)]
        reader = await spot.opened()
        spot.wire.after, spot.wire.lasts = after, 1
        spot.wire.damage = DAMAGES.get(trouble, spot.wire.damage)
        spot.wire.happens = {"power lost": spot.chip.power_up, "tag gone": away}.get(
            trouble, spot.wire.happens
        )
        said = "written"
        try:
            with impatient(monkeypatch):
                await write(reader)
        except DeviceError:
            said = "lost"
        except NotWritten as error:
            said = str(error)
        reader.close()
        now = amount_of(ONE, bytes(blank.pages[16:32]), KEY)
        assert set(blank.written) <= {4, 5, 6, 7}
        assert now == AMOUNT if said == "written" else now in (AMOUNT, None)
        if said not in ("written", "lost") and "worth nothing" not in said:
            assert not blank.written, f"{said} after transfer {after}"

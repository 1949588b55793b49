"""The scanner of a dealt day on the rig's line, in each language: what the table's driver makes of
what it says, and which faults it has.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.config.device_sections import DeviceSections
from controller.devices.inputs import Doubt
from drivers.settings.camera import CameraSettings
from drivers.settings.scanner import Protocol, ScannerSettings
from drivers.shoe.scanners.protocols import framing_of, set_up_of
from drivers.shoe.scanners.raw_code import Framing, RawCode
from sim_hw.devices.faults import CameraFault, FaultKind
from sim_hw.devices.scanner import printed_code
from sim_hw.devices.shoe import PhysicalCard
from sim_hw.devices.wire.usb_keyboard import KeyboardHost
from tests.contracts.simulated_hands import PRINTED
from tests.hil.dealt.rig_scanner import RigScanner
from tests.hil.dealt.table_scanner import (
    BY_CAMERA,
    CAMERA,
    NEVER,
    PLAYED,
    can_happen,
    faults_of,
    kind_of,
    reader_of,
)
from tests.hil.rig.rig_client import RigClient, RigRefused
from tests.hil.ways import BENCH_SCANNERS

pytestmark = pytest.mark.anyio
#: What is whole by then: a pause ends what was begun.
MUCH_LATER_NS = 10**12
TEN = PhysicalCard(PRINTED[0][0], 123)
CODE = printed_code(TEN, with_serial=False)


class HeardRig(RigClient):
    """A rig whose lines are heard here: each with what was said, piece by piece."""

    def __init__(self) -> None:
        self.said: list[tuple[str, bytes]] = []
        self.powered, self.cuts = True, 0
        self.refuses: Callable[[], None] | None = None

    async def do(self, verb: str, *words: object, raw: bytes = b"") -> tuple[str, ...]:
        assert verb == "say"
        if self.refuses is not None:
            self.refuses()
            raise RigRefused("scanner: 3 bytes were not said: nobody reads it")
        self.said.append((str(words[0]), bytes.fromhex(str(words[1]))))
        return (str(len(self.said)),)


class NoHands:
    """Nobody's hands: plugs are moved, and codes were said."""

    def __init__(self) -> None:
        self.rig = HeardRig()
        self.times: list[int] = []
        self.plugs: list[tuple[object, ...]] = []

    def post(self, verb: str, *words: object) -> asyncio.Future[Any]:
        self.plugs.append((verb, *words))
        return asyncio.get_running_loop().create_future()

    def said(self, at_ns: int) -> None:
        self.times.append(at_ns)


class AtTheTable:
    """A scanner that was set up by the table's driver, and that driver's framing."""

    def __init__(self, speaks: str) -> None:
        protocol, _, by_beam = speaks.partition(" by ")
        self.settings = settings(protocol, "beam" if by_beam else "own")
        self.hands = NoHands()
        self.scanner = RigScanner(self.hands, speaks, baud=115_200, seed=1)
        self._keys = KeyboardHost() if speaks == "keyboard" else None
        self._heard = 0
        self.framing: Framing = framing_of(self.settings)
        self.far: Any = self.scanner.far
        self.power_up()

    def power_up(self) -> None:
        """The driver opens the scanner, and settles with it what is to be settled."""
        self.framing = framing_of(self.settings)
        self.far = self.scanner.far
        if (set_up := set_up_of(self.settings, self.framing)) is not None:
            while not set_up.done:
                asked, set_up.to_send = set_up.to_send, b""
                assert asked
                assert not set_up.refused
                set_up.feed(self.far.hears(asked), 0)

    def begin_session(self) -> None:
        """A card is in the beam: one that waits for that is told to read."""
        if self.settings.trigger == "beam":
            self.far.hears(bytes((4, 0xE4, 4, 0, 0, 0)))

    def taken(self) -> list[RawCode]:
        """The codes that the driver has taken since the last time, and after a long silence."""
        codes: list[RawCode] = []
        for _, piece in self.hands.rig.said[self._heard :]:
            codes += self.framing.feed(self._keys(piece) if self._keys else piece, 0)
            # What it asks for again comes again.
            asked, self.framing.to_send = self.framing.to_send, b""
            if again := self.far.hears(asked):
                codes += self.framing.feed(again, 0)
        self._heard = len(self.hands.rig.said)
        return [*codes, *self.framing.tick(MUCH_LATER_NS)]


def settings(protocol: Any, trigger: Any) -> ScannerSettings:
    return ScannerSettings(Path("scanner"), protocol=protocol, trigger=trigger)


@pytest.fixture(params=[each for each in BENCH_SCANNERS if each not in BY_CAMERA])
def speaks(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


async def test_a_card_is_one_code_whole_or_in_two_pieces(speaks: str) -> None:
    table = AtTheTable(speaks)
    assert kind_of(table.settings) == speaks
    table.begin_session()
    await table.scanner.scan(TEN)
    assert table.taken() == [CODE]
    assert table.hands.times == [1]
    table.begin_session()
    await table.scanner.scan(TEN, split=True)
    if can_happen(FaultKind.SPLIT, speaks):
        assert len(table.hands.rig.said) == 3
    assert table.taken() == [CODE]


async def test_what_is_no_code_is_none_for_the_driver(speaks: str) -> None:
    table = AtTheTable(speaks)
    for fault, says in (
        (FaultKind.GARBAGE, table.scanner.rubbish()),
        (FaultKind.UNPLUG_IN_CODE, table.scanner.half(TEN)),
        (FaultKind.MERGED, table.scanner.merged(TEN)),
    ):
        if not can_happen(fault, speaks):
            says.close()
            continue
        table.begin_session()
        await says
        assert CODE not in table.taken(), fault
        table.framing = framing_of(table.settings)


@pytest.mark.parametrize("speaks", ["plain", "ssi", "datalogic"], indirect=True)
async def test_noise_before_a_code_costs_that_code_at_most(speaks: str) -> None:
    table = AtTheTable(speaks)
    await table.scanner.noise()
    await table.scanner.scan(TEN)
    taken = table.taken()
    assert len(taken) == 1
    assert taken[0] in (CODE, Doubt.GARBLED, Doubt.TOO_LONG)


async def test_a_scanner_that_got_power_again_has_to_be_set_up_again(speaks: str) -> None:
    table = AtTheTable(speaks)
    table.scanner.unplug()
    assert not table.scanner.plugged
    table.scanner.plug()
    assert table.hands.plugs == [("plug", "scanner", "out"), ("plug", "scanner", "in")]
    table.begin_session()
    await table.scanner.scan(TEN)
    sets_up = set_up_of(table.settings, table.framing) is not None
    assert (table.taken() == [CODE]) is (not sets_up or speaks == "newland")
    table.power_up()
    table.begin_session()
    await table.scanner.scan(TEN)
    assert table.taken() == [CODE]


async def test_one_that_reads_by_the_beam_says_nothing_before(tmp_path: Path) -> None:
    table = AtTheTable("ssi by beam")
    await table.scanner.scan(TEN)
    assert table.hands.rig.said == []
    waiting = asyncio.create_task(table.scanner.reading_enabled())
    await asyncio.sleep(0)
    assert not waiting.done()
    table.begin_session()
    await waiting
    await table.scanner.scan(TEN)
    assert table.taken() == [CODE]


def nothing() -> None:
    """Nothing happens meanwhile."""


async def test_a_card_of_a_table_without_power_or_plug_is_lost_and_any_other_is_not() -> None:
    table = AtTheTable("plain")
    rig, scanner = table.hands.rig, table.scanner

    def cut() -> None:
        rig.powered, rig.cuts = False, rig.cuts + 1

    rig.refuses = nothing
    with pytest.raises(RigRefused):
        await scanner.scan(TEN)
    rig.refuses = cut  # in mid-code
    await scanner.scan(TEN)
    rig.refuses = nothing
    await scanner.scan(TEN)
    rig.powered = True
    with pytest.raises(RigRefused):
        await scanner.scan(TEN)
    scanner.unplug()
    await scanner.scan(TEN)
    rig.refuses = None
    scanner.plug()
    await scanner.scan(TEN)
    assert table.taken() == [CODE]


def test_every_scanner_is_played_and_no_other_has_faults_of_its_own() -> None:
    assert PLAYED.keys() == set(BENCH_SCANNERS) - {CAMERA}
    assert NEVER.keys() < set(BENCH_SCANNERS)
    protocols: tuple[Protocol, ...] = ("plain", "gm65")
    assert [kind_of(settings(each, "own")) for each in protocols] == ["plain", "gm65"]
    assert all(can_happen(each, "plain") for each in FaultKind)
    assert not can_happen(FaultKind.WRONG_RATE, "hid-pos")
    assert not any(can_happen(each, "plain") for each in CameraFault)
    assert not can_happen(CameraFault.FROZEN, CAMERA)


def test_what_reads_the_cards_is_told_by_the_sections_of_the_table() -> None:
    scanner, camera = settings("plain", "own"), CameraSettings("http://panel")
    assert reader_of(DeviceSections()) == ""
    assert reader_of(DeviceSections(scanner=scanner)) == "plain"
    assert reader_of(DeviceSections(camera=camera)) == CAMERA
    assert reader_of(DeviceSections(scanner=scanner, camera=camera)) == "plain with camera"


def test_a_rainy_day_is_of_what_the_reader_can_have_and_no_round_is_without_trouble() -> None:
    of_all = {*FaultKind, *CameraFault} - {CameraFault.FROZEN, CameraFault.SMALL}
    assert {each.kind for each in faults_of("plain with camera")} == of_all
    assert {each.kind for each in faults_of("plain")} == set(FaultKind)
    by_camera = faults_of(CAMERA)
    assert {each.kind for each in by_camera} == {
        FaultKind.UNPLUG, FaultKind.BEAM_STUCK, FaultKind.BOUNCE, FaultKind.LEAN,
        FaultKind.POWER_CUT, CameraFault.HAND, CameraFault.BLUR, CameraFault.BACK, CameraFault.TWO,
        CameraFault.OTHER_INDEX, CameraFault.BLINK, CameraFault.DARK,
    }  # fmt: skip
    assert [each.round for each in by_camera] == list(range(1, len(by_camera) + 1))

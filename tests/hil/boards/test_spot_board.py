"""The board that stands for a PN532: our own driver reads tags through its program, and the bench's
end of its line, with the RP2040's I2C block made up.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.devices.contracts import DeviceError
from drivers.settings.spots import BetSpotSettings
from drivers.spots import pn532
from drivers.spots.bus_link import ADDRESS
from drivers.spots.reader import Reader, reader_at
from drivers.spots.tag_contents import amount_of
from sim_hw.devices.wire.pn532 import ACK, Pn532, Tag
from sim_hw.rig.boards.packet_queue import PacketQueue
from sim_hw.rig.boards.packets import ANSWER, HEARD, LOST, Packets, packet
from sim_hw.rig.boards.spot_frames import SpotFrames
from tests.drivers.nodes import Kernel, with_kernel
from tests.drivers.spots.test_bet_spots import KEY, ONE, OTHER, written
from tests.hil.boards.fake_pico import FakePico
from tests.hil.boards.i2c_block import RAW, RD_REQ, I2cBlock
from tests.hil.boards.test_boards import Usb
from tests.hil.rig.spot_board import SpotBoardLine
from tests.hil.rig.taps import NotHeard

QUESTION = pn532.frame(pn532.FIRMWARE)


class SpotBus:
    """The table's bus with the board on it, and the bench at the other end of the board's line.

    What is said on the line comes after `late` turns of the board's program. `mixed`: the program
    has its turn, or has none, between two transfers.
    """

    def __init__(self, pico: FakePico, lies: list[Tag], late: int, mixed: Random) -> None:
        self.block = I2cBlock(pico)
        self.block.look = self.turn
        self._mixed = mixed
        self._late = late
        self._said = b""
        self._on_the_way: list[tuple[int, bytes]] = []
        self._turns = 0
        self.queue = PacketQueue(self._write)
        self.place = pico.load("spot_board").SpotPlace(self.queue)
        self.chip = Pn532(lambda: lies)
        self.bench = SpotBoardLine(self.chip)
        self._packets = Packets()

    def transfer(self, address: int, data: bytes, count: int) -> bytes:
        """One of the table's."""
        said = self.block.transfer(address, data, count)
        for _ in range(self._mixed.choice((0, 0, 1, 3))):
            self.turn()
        return said

    def turn(self) -> None:
        """The program's turn, and what is on the line meanwhile."""
        self._turns += 1
        self.place.look()
        self.queue.send()
        said, self._said = self._said, b""
        if answer := self.bench.hears(said):
            self._on_the_way.append((self._turns + self._late, answer))
        while self._on_the_way and self._on_the_way[0][0] <= self._turns:
            for kind, content in self._packets.of(self._on_the_way.pop(0)[1]):
                self.place.frames.came(kind, content)

    def _write(self, data: bytes) -> int:
        self._said += data
        return len(data)


@pytest.fixture
def lies() -> list[Tag]:
    """The tags on the spot."""
    return []


@pytest.fixture(params=[(0, 1), (3, 2), (12, 3)])
def bus(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, lies: list[Tag]
) -> SpotBus:
    late, seed = request.param
    made = SpotBus(FakePico(monkeypatch), lies, late, Random(seed))
    with_kernel(monkeypatch, Kernel(bus=made))
    return made


@pytest.fixture
def reader(bus: SpotBus, tmp_path: Path) -> Reader:
    """The table's reader on that bus."""
    (tmp_path / "i2c").touch()
    port = str(tmp_path / "i2c")
    return reader_at(BetSpotSettings((port,), "i2c", poll_ms=0, settle_ms=0), port, Path("/"))


@pytest.mark.anyio
async def test_the_tables_driver_reads_and_writes_tags_through_the_board(
    bus: SpotBus, reader: Reader, lies: list[Tag]
) -> None:
    lies[:] = [written(ONE, 2_500)]
    await reader.open()
    try:
        (found,) = await reader.tags()
        assert found.uid == ONE
        assert await reader.amount(found, KEY) == 2_500
        await reader.quiet()
        assert not bus.chip.field_on
        # The longest answer: two numbers of ten bytes.
        lies[:] = [Tag(bytes(range(10))), Tag(bytes(range(10, 20)))]
        assert [each.uid for each in await reader.tags()] == [each.uid for each in lies]
        lies[:] = [blank := Tag(OTHER)]
        await reader.write(500, KEY)
        assert amount_of(OTHER, bytes(blank.pages[16:32]), KEY) == 500
        lies.clear()
        assert await reader.tags() == ()
    finally:
        reader.close()


@pytest.mark.anyio
async def test_a_bench_that_does_not_answer_is_a_reader_that_does_not(
    bus: SpotBus, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.spots.bus_link.ANSWERS_S", 0.02)
    monkeypatch.setattr(bus.chip, "hears", lambda _: b"")
    with pytest.raises(DeviceError):
        await reader.open()
    reader.close()


def test_a_status_that_is_read_alone_takes_nothing_of_the_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bus = SpotBus(FakePico(monkeypatch), [], 0, Random(1))
    bus.block.transfer(ADDRESS, QUESTION, 0)
    assert bus.block.transfer(ADDRESS, b"", 1) == b"\0", "not ready before the bench has answered"
    for _ in range(10):
        bus.turn()
    assert [bus.block.transfer(ADDRESS, b"", 1) for _ in range(3)] == [b"\1"] * 3
    assert bus.block.transfer(ADDRESS, b"", 8) == b"\1" + ACK + b"\0"
    answer = bus.block.transfer(ADDRESS, b"", 41)
    assert answer[:1] == b"\1"
    assert pn532.FrameBuffer().feed(answer[1:]) == [b"\x03\x32\x01\x06\x07"]
    assert bus.block.transfer(ADDRESS, b"", 5) == bytes(5)


def test_what_one_read_left_is_not_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = SpotBus(FakePico(monkeypatch), [], 0, Random(1))
    bus.block.transfer(ADDRESS, QUESTION, 0)
    # And nothing between: that it is asked has ended the write.
    asked = [bus.block.transfer(ADDRESS, b"", 1) for _ in range(20)]
    assert asked[-1] == b"\1"
    assert bus.block.transfer(ADDRESS, b"", 3) == b"\1" + ACK[:2]
    assert bus.block.transfer(ADDRESS, b"", 4) == b"\1\0\0\xff"
    assert bus.block.transfer(ADDRESS, b"", 4) == bytes(4)


def test_a_question_that_comes_while_the_bus_is_looked_at_goes_before_its_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bus = SpotBus(FakePico(monkeypatch), [], 0, Random(1))

    def asked() -> None:
        bus.block.asked = lambda: None
        bus.block.written(QUESTION)
        bus.block[RAW] = RD_REQ

    bus.block.asked = asked
    bus.place.look()
    assert bus.queue.waits == len(packet(HEARD, b"\1" + QUESTION))


def test_another_address_is_nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = SpotBus(FakePico(monkeypatch), [], 0, Random(1))
    with pytest.raises(OSError, match="Remote I/O error"):
        bus.block.transfer(0x3C, b"\0", 0)


class BoardFrames:
    """The frames of a board whose line takes everything."""

    def __init__(self) -> None:
        self._said = b""
        self._queue = PacketQueue(self._write)
        self.board = SpotFrames(self._queue)

    def _write(self, data: bytes) -> int:
        self._said += data
        return len(data)

    def packets(self) -> list[tuple[bytes, bytes]]:
        """What was said since the last time."""
        while self._queue.waits:
            self._queue.send()
        said, self._said = self._said, b""
        return Packets().of(said)


def test_an_answer_to_the_question_before_is_dropped() -> None:
    frames = BoardFrames()
    frames.board.heard(b"one")
    frames.board.heard(b"two")
    assert frames.packets() == [(HEARD, b"\1one"), (HEARD, b"\2two")]
    for late in (b"\1late", b"", b"\2"):
        frames.board.came(ANSWER, late)
    frames.board.came(HEARD, b"\2no answer")
    assert frames.board.begin() == 1
    assert frames.board.more() == b""
    assert (frames.board.begin(), frames.board.more()) == (0, b"")
    frames.board.came(ANSWER, b"\2yes")
    assert (frames.board.begin(), frames.board.more()) == (1, b"yes")
    frames.board.came(ANSWER, b"\2more")
    frames.board.lost("a write")
    assert frames.board.begin() == 0
    assert frames.packets() == [(LOST, b"a write")]


def test_an_answer_that_comes_within_a_read_is_for_the_next_one() -> None:
    frames = BoardFrames()
    frames.board.heard(b"one")
    assert frames.board.begin() == 0
    frames.board.came(ANSWER, b"\1yes")
    assert frames.board.more() == b"", "its status was: not ready"
    assert (frames.board.begin(), frames.board.more()) == (1, b"yes")


def test_numbers_of_questions_begin_again_and_none_is_zero() -> None:
    frames = BoardFrames()
    for nth in range(600):
        frames.board.heard(b"")
        ((_, content),) = frames.packets()
        assert content == bytes((nth % 255 + 1,))


def test_the_bench_hears_questions_alone_and_answers_frame_by_frame() -> None:
    line = SpotBoardLine(Pn532(list))
    said = packet(b"b", b"pn532 simulated") + packet(HEARD, b"\7" + QUESTION)
    cut = len(said) // 2
    answers = line.hears(said[:cut]) + line.hears(said[cut:])
    found = Packets().of(answers)
    assert [kind for kind, _ in found] == [ANSWER, ANSWER]
    assert found[0][1] == b"\7" + ACK
    assert pn532.FrameBuffer().feed(found[1][1][1:]) == [b"\x03\x32\x01\x06\x07"]
    for bad in (packet(LOST, b"a write"), packet(b"b", b"strip e661")):
        with pytest.raises(NotHeard):
            SpotBoardLine(Pn532(list)).hears(bad)


def test_what_comes_on_the_boards_line_is_taken_byte_by_byte(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pico = FakePico(monkeypatch)
    usb = Usb(monkeypatch)
    monkeypatch.setattr("time.sleep", lambda _: None)
    board: Any = pico.load("board").Board("pn532")
    assert board.came() == []
    usb.comes = packet(ANSWER, b"\3\x03\x04" + bytes(60))
    came = list[tuple[bytes, bytes]]()
    turns = 0
    while usb.comes:
        came += board.came()
        turns += 1
    assert came == [(ANSWER, b"\3\x03\x04" + bytes(60))]
    assert turns > 1, "who reads at the bus does not wait for all of it"

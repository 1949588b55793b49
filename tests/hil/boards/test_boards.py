"""The boards' programs on a made-up chip: what DMA brings, what the registers say, the USB line."""

import ast
import select
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sim_hw.rig.boards
from drivers.panel.displays.oled import picture
from drivers.panel.displays.oled_chips import showing, switch_off
from drivers.settings.displays import OledSettings
from sim_hw.devices.wire.oled import OledGlass
from sim_hw.rig.boards.bus_writes import FIRST, WRITE_MAX, BusWrites
from sim_hw.rig.boards.packet_queue import PacketQueue
from sim_hw.rig.boards.packets import HEARD, HELLO, LOST, Packets
from sim_hw.rig.boards.strip_frames import GAP
from tests.hil.boards.fake_pico import FakePico, Gpio

FOLDER = Path(sim_hw.rig.boards.__file__).parent
#: RP2040 data sheet, 4.3.17 and 3.7: I2C0 and PIO0.
CON, SAR, DATA_CMD, INTR_MASK, RAW = 0x40044000, 0x40044008, 0x40044010, 0x40044030, 0x40044034
CLR_RX_OVER, CLR_RD_REQ, ENABLE, STATUS = 0x40044048, 0x40044050, 0x4004406C, 0x40044070
RXFLR, DMA_CR, FDEBUG, RXF0 = 0x40044078, 0x40044088, 0x50200008, 0x50200020


@pytest.fixture
def pico(monkeypatch: pytest.MonkeyPatch) -> FakePico:
    """A chip on which nothing runs yet."""
    return FakePico(monkeypatch)


class Said:
    """A queue whose line takes everything."""

    def __init__(self) -> None:
        self.bytes = b""
        self.queue = PacketQueue(self._write)

    def _write(self, data: bytes) -> int:
        self.bytes += data
        return len(data)

    def packets(self) -> list[tuple[bytes, bytes]]:
        """What was said since the last time."""
        while self.queue.waits:
            self.queue.send()
        said, self.bytes = self.bytes, b""
        return Packets().of(said)


def words(*writes: bytes) -> list[int]:
    """What the I2C block has of these writes."""
    return [byte | (FIRST if not at else 0) for each in writes for at, byte in enumerate(each)]


def test_a_ring_gives_all_words_in_order_around_its_end(pico: FakePico) -> None:
    ring = pico.load("ring").Ring(0x1234, 7)
    (dma,) = pico.dma
    assert (dma.source, dma.signal) == (0x1234, 7)
    sent, came = 0, list[int]()
    for count in (1, 0, 5_000, 5_000, 8_000, 3):
        dma.moves(each & 0xFFFF for each in range(sent, sent + count))
        sent += count
        while len(new := ring.new()):
            came += new
        assert ring.behind() == 0
    assert came == list(range(sent))


def test_words_that_were_overwritten_are_known_to_be(pico: FakePico) -> None:
    ring = pico.load("ring").Ring(0x1234, 7)
    pico.dma[0].moves(range(8_150))
    assert ring.new() is None
    assert len(ring.new()) == 0
    pico.dma[0].moves([5, 6])
    assert list(ring.new()) == [5, 6]


def test_dma_that_has_come_to_its_end_is_started_again(pico: FakePico) -> None:
    ring = pico.load("ring").Ring(0x1234, 7)
    (dma,) = pico.dma
    dma.moves(range(3))
    ring.new()
    skipped, dma.count = dma.count - 2, 2  # as if so many had come and been read
    ring._read += skipped
    pico.memory[ring._first + ring._read % 8_192] = 8
    pico.memory[ring._first + (ring._read + 1) % 8_192] = 9
    dma.count = 0
    assert list(ring.new()) == [8, 9]
    assert dma.count == 2**28 - 1
    dma.moves([10])
    assert list(ring.new()) == [10]


def test_the_strip_board_hands_frames_on(pico: FakePico) -> None:
    module, said = pico.load("strip_board"), Said()
    ear = module.StripEar(said.queue)
    (dma,), (pio,) = pico.dma, pico.machines
    assert (dma.source, dma.signal) == (RXF0, 4)
    assert (pio["number"], pio["freq"], pico.put) == (0, 62_500_000, [8_750])
    assert pio["in_base"] == pio["jmp_pin"] == Gpio(module.DATA, Gpio.IN)
    dma.moves([GAP, 1, 2, 3])
    ear.look()
    assert said.packets() == []
    dma.moves([GAP, 4])
    ear.look()
    assert said.packets() == [(HEARD, b"\1\2\3")]
    dma.moves([8, 8, GAP])
    pico.registers[FDEBUG] = 1
    ear.look()
    assert said.packets() == [(LOST, b"frames, or bytes of one: the FIFO was full")]
    assert pico.registers.pop(FDEBUG) == 1, "a one clears it"
    dma.moves([5, GAP, 6, 7, GAP])
    ear.look()
    assert said.packets() == [(HEARD, b"\6\7")]
    dma.moves([0] * 8_190)
    ear.look()
    (lost,) = said.packets()
    assert lost == (LOST, b"frames: they came faster than they are handed on")


def display(pico: FakePico) -> tuple[Any, Said]:
    """The ear of the display's board, and what it says."""
    said = Said()
    return pico.load("display_board").DisplayEar(said.queue), said


def test_the_i2c_block_is_a_target_that_holds_no_clock(pico: FakePico) -> None:
    display(pico)
    registers = pico.registers
    assert pico.i2c == [(0, 4, 5, 400_000)]
    con = registers[CON]
    assert not con & (1 << 0 | 1 << 6 | 1 << 9), "no master, not deaf, holds no clock"
    assert con >> 1 & 3 == 2, "fast mode"
    assert (registers[SAR], registers[INTR_MASK]) == (0x3C, 0)
    assert registers[DMA_CR] & registers[ENABLE] & 1
    assert (pico.dma[0].source, pico.dma[0].signal) == (DATA_CMD, 33)


def test_a_display_made_of_what_is_handed_on_shows_the_drivers_picture(pico: FakePico) -> None:
    ear, said = display(pico)
    settings = OledSettings()
    sent = picture("Deal to seat 4", settings.height)
    writes = [switch_off(settings), *showing(settings, sent, whole=True)]
    heard, wanted = OledGlass(settings.height), OledGlass(settings.height)
    for each in writes:
        wanted.write(each)
    rest = words(*writes)
    while rest:
        pico.dma[0].moves(rest[:100])
        rest = rest[100:]
        pico.registers[STATUS] = 1 << 6
        ear.look()
        ear.look()
    assert [content for _, content in said.packets()] == writes[:-1], "the last one is under way"
    pico.registers[STATUS] = 0
    ear.look()
    assert said.packets() == [(HEARD, writes[-1])]
    for each in writes:
        heard.write(each)
    assert heard.lit == wanted.lit
    assert any(map(any, heard.lit))


def test_a_write_that_begins_while_the_bus_is_looked_at_is_not_cut(pico: FakePico) -> None:
    ear, said = display(pico)
    pico.dma[0].moves(words(b"\0\xae"))
    ear.look()
    registers = pico.registers

    class Comes(dict[int, int]):
        def __getitem__(self, address: int) -> int:
            if address == STATUS:
                pico.dma[0].moves(words(b"\x40\x55"))
            return registers[address]

    sys.modules["machine"].mem32 = Comes()  # type: ignore[attr-defined]
    ear.look()
    assert said.packets() == []
    sys.modules["machine"].mem32 = registers  # type: ignore[attr-defined]
    ear.look()
    assert said.packets() == [(HEARD, b"\0\xae")]


def test_a_write_with_a_byte_in_the_fifo_is_not_over(pico: FakePico) -> None:
    ear, said = display(pico)
    pico.dma[0].moves(words(b"\0\xae"))
    ear.look()
    pico.registers[RXFLR] = 1
    ear.look()
    assert said.packets() == []
    pico.registers[RXFLR] = 0
    ear.look()
    assert said.packets() == [(HEARD, b"\0\xae")]


def test_bytes_of_a_write_that_were_lost_are_said(pico: FakePico) -> None:
    ear, said = display(pico)
    pico.dma[0].moves(words(b"\x40\1\2"))
    ear.look()
    # One of its bytes is missing, and the next write has begun.
    pico.dma[0].moves([4, *words(b"\0\xa6")])
    pico.registers[RAW] = 1 << 1
    ear.look()
    assert CLR_RX_OVER in pico.registers.read
    pico.registers[RAW] = 0
    pico.dma[0].moves([1, *words(b"\0\xaf")])
    ear.look()
    ear.look()
    assert said.packets() == [
        (LOST, b"writes, or bytes of one: the FIFO was full"), (HEARD, b"\0\xaf"),
    ]  # fmt: skip
    pico.dma[0].moves(range(8_190))
    ear.look()
    assert said.packets() == [(LOST, b"writes: they came faster than they are handed on")]


def test_who_reads_gets_an_answer(pico: FakePico) -> None:
    ear, said = display(pico)
    pico.registers[DATA_CMD] = 99
    pico.registers[RAW] = 1 << 5
    ear.look()
    assert pico.registers[DATA_CMD] == 0
    assert CLR_RD_REQ in pico.registers.read
    assert said.packets() == []


def test_a_write_has_an_end() -> None:
    said = Said()
    writes = BusWrites(said.queue)
    writes.take(words(bytes(WRITE_MAX), bytes(WRITE_MAX + 3)))
    writes.stop()
    assert said.packets() == [
        (HEARD, bytes(WRITE_MAX)), (LOST, b"a write of more than 4096 bytes"),
    ]  # fmt: skip


class UsbIn:
    """Whether something comes on a line."""

    def __init__(self, usb: "Usb") -> None:
        self._usb = usb

    def register(self, what: object, mask: int) -> None:
        """It is asked for what comes."""
        assert (what, mask) == (self._usb, select.POLLIN)

    def poll(self, timeout_ms: int) -> list[object]:
        """Nobody waits for it."""
        assert timeout_ms == 0
        return [self._usb] * bool(self._usb.comes)


class Usb:
    """The line as MicroPython has it, by `select` and `sys.stdout`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.has_room, self.said = False, b""
        self.buffer = self
        polls = iter((self, UsbIn(self)))
        self.comes = b""
        monkeypatch.setattr(select, "poll", lambda: next(polls))
        monkeypatch.setattr(sys, "stdout", self)
        monkeypatch.setattr(sys, "stdin", self)

    def register(self, what: object, mask: int) -> None:
        """It is asked for room for what is written."""
        assert (what, mask) == (self, select.POLLOUT)

    def poll(self, timeout_ms: int) -> list[object]:
        """Whether there is room; nobody waits for it."""
        assert timeout_ms == 0
        return [self] * self.has_room

    def read(self, count: int) -> bytes:
        """It is asked for what there is, and no more: it would wait."""
        assert count <= len(self.comes)
        came, self.comes = self.comes[:count], self.comes[count:]
        return came

    def write(self, data: bytes) -> int:
        """It has room."""
        assert self.has_room
        self.said += data
        return len(data)

    def flush(self) -> None:
        """As any output."""


@pytest.mark.parametrize("board", ["strip", "display", "spot"])
def test_a_board_says_who_it_is_when_its_line_takes_it(
    pico: FakePico, monkeypatch: pytest.MonkeyPatch, board: str
) -> None:
    program = pico.load(f"{board}_board")
    slept = list[float]()
    monkeypatch.setattr("time.sleep", slept.append)
    usb = Usb(monkeypatch)
    turns = 0

    def turn(board: Any) -> None:
        nonlocal turns
        turns += 1
        usb.has_room = turns > 3
        real(board)
        if turns == 9:
            raise KeyboardInterrupt

    monkeypatch.setattr("time.time", lambda: 100.0 + turns)
    real = program.Board.turn
    monkeypatch.setattr(program.Board, "turn", turn)
    with pytest.raises(KeyboardInterrupt):
        program.main()
    assert (slept, pico.clock_hz) == ([5], 125_000_000)
    assert pico.interrupts == -1, "no byte that comes is a Ctrl-C"
    name = {"spot": "pn532"}.get(board, board)
    hello = HELLO, f"{name} e6614c311b7e6f35".encode()
    # The first waited for room, one that came meanwhile did not; then each second turn has one.
    assert Packets().of(usb.said) == [hello] * 4


def test_a_board_whose_clock_is_set_back_goes_on_saying_who_it_is(
    pico: FakePico, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = pico.load("strip_board")
    monkeypatch.setattr("time.sleep", lambda _: None)
    usb = Usb(monkeypatch)
    usb.has_room = True
    times = [1_000.0, 1_001.0, 3.0, 4.0, 5.0]
    left = iter(times)

    def now() -> float:
        try:
            return next(left)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("time.time", now)
    with pytest.raises(KeyboardInterrupt):
        program.main()
    assert len(Packets().of(usb.said)) == 3, "at first, when it was set back, and 2 s later"


@given(
    st.lists(st.binary(min_size=1, max_size=60), max_size=12),
    st.lists(st.tuples(st.integers(0, 40), st.booleans()), min_size=1, max_size=60),
)
def test_writes_stay_whole_however_they_are_looked_at(
    writes: list[bytes], moves: list[tuple[int, bool]]
) -> None:
    """The bus is at rest between two writes for a look or for none, and DMA brings any pieces."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        pico = FakePico(monkeypatch)
        ear, said = display(pico)
        rest, came = words(*writes), 0
        ends = {sum(map(len, writes[:count])) for count in range(len(writes) + 1)}
        for count, looked in [*moves, (len(rest), True), (0, True)]:
            piece = rest[came : came + count]
            pico.dma[0].moves(piece)
            came += len(piece)
            pico.registers[STATUS] = 0 if came in ends else 1 << 6
            if looked:
                ear.look()
        ear.look()
        assert said.packets() == [(HEARD, each) for each in writes]


def test_another_chip_is_left_alone(pico: FakePico) -> None:
    pico.is_a("Raspberry Pi Pico2 with RP2350")
    program = pico.load("display_board")
    with pytest.raises(RuntimeError, match="not of: Raspberry Pi Pico2 with RP2350"):
        program.main()
    assert (pico.registers, pico.dma, pico.clock_hz) == ({}, [], 0)


#: What a firmware of MicroPython for the RP2040 has in it, of what CPython has or not.
IN_THE_FIRMWARE = {
    "array", "binascii", "machine", "micropython", "os", "rp2", "select", "sys", "time", "uctypes",
}  # fmt: skip


def test_a_board_has_every_module_that_its_program_imports() -> None:
    """No `typing`, no `__future__`: what only a type checker needs stands behind TYPE_CHECKING."""
    names = set[str]()
    files = list(FOLDER.glob("*.py"))
    assert len(files) > 8
    for path in files:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Import):
                names.update(each.name for each in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(str(node.module))
    assert names == IN_THE_FIRMWARE

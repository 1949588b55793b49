"""What a board's program finds on an RP2040: registers, DMA, a state machine, USB; and its modules.

Source: MicroPython, docs/library/rp2.DMA.rst, rp2.StateMachine.rst, machine.I2C.rst. Its memory is
the program's own array, which lies at an address that is no multiple of the ring's size.
"""

from __future__ import annotations

import importlib
import sys
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar, Final

import pytest

from tests.hil.boards.pio import fake_rp2

ADDRESS: Final = 0x2000_1234
FOLDER: Final = "sim_hw.rig.boards"
#: What has `rp2` or `machine` in it, and is loaded anew for each board.
_OF_A_BOARD: Final = (
    "ring", "strip_program", "usb_line", "board", "i2c_target", "strip_board", "display_board",
    "spot_board",
)  # fmt: skip


class Dma:
    """One channel, that moves what its source is said to have."""

    def __init__(self, pico: FakePico) -> None:
        self._pico = pico
        self.count = 0
        pico.dma.append(self)

    def pack_ctrl(self, **fields: Any) -> dict[str, Any]:
        """The fields as they are."""
        return fields

    def config(
        self, *, read: int, write: int, count: int, ctrl: dict[str, Any], trigger: bool
    ) -> None:
        """Begin; the ring has to lie at a multiple of its size."""
        assert trigger
        assert (ctrl["size"], ctrl["inc_read"], ctrl["ring_sel"]) == (1, False, True)
        self.size = 1 << ctrl["ring_size"]
        assert write % self.size == 0, "RP2040 data sheet, 2.5.1.1"
        self.source, self.signal, self.count = read, ctrl["treq_sel"], count
        self._base = self._to = write

    def moves(self, words: Iterable[int]) -> None:
        """Words come out of the source."""
        memory = self._pico.memory
        for word in words:
            assert self.count, "it has stopped"
            memory[(self._to - ADDRESS) // 2] = word
            self._to = self._base + (self._to + 2 - self._base) % self.size
            self.count -= 1


class Registers(dict[int, int]):
    """Registers by address; what is not set reads as 0. Reads are remembered."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[int] = []

    def __getitem__(self, address: int) -> int:
        self.read.append(address)
        return self.get(address, 0)


@dataclass(frozen=True)
class Gpio:
    """One GPIO, by `machine.Pin`."""

    number: int
    mode: int = -1
    IN: ClassVar[int] = 0


class FakePico:
    """The chip. `said` is what its line took; it takes `room` bytes more."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.dma: list[Dma] = []
        self.memory = array("H")
        self.registers = Registers()
        self.i2c: list[tuple[int, int, int, int]] = []
        self.machines: list[dict[str, Any]] = []
        self.put: list[int] = []
        self.clock_hz = 0
        self.interrupts = 3  # Ctrl-C
        rp2 = fake_rp2()
        rp2.DMA = lambda: Dma(self)  # type: ignore[attr-defined]
        rp2.StateMachine = self._state_machine  # type: ignore[attr-defined]
        machine = ModuleType("machine")
        machine.__dict__.update(
            mem32=self.registers, Pin=Gpio, I2C=self._i2c, freq=self._freq,
            unique_id=lambda: bytes.fromhex("e6614c311b7e6f35"),
        )  # fmt: skip
        uctypes = ModuleType("uctypes")
        uctypes.addressof = self._addressof  # type: ignore[attr-defined]
        micropython = ModuleType("micropython")
        micropython.kbd_intr = self._kbd_intr  # type: ignore[attr-defined]
        for each in (rp2, machine, uctypes, micropython):
            monkeypatch.setitem(sys.modules, each.__name__, each)
        for name in _OF_A_BOARD:
            monkeypatch.delitem(sys.modules, f"{FOLDER}.{name}", raising=False)
        self._monkeypatch = monkeypatch
        self.is_a("Raspberry Pi Pico with RP2040")

    def is_a(self, machine: str) -> None:
        """What MicroPython says of the board."""
        self._monkeypatch.setattr("os.uname", lambda: SimpleNamespace(machine=machine))

    def load(self, name: str) -> Any:
        """A module of the board's program, on this chip; it is gone after the test."""
        module = importlib.import_module(f"{FOLDER}.{name}")
        for each in _OF_A_BOARD:
            if loaded := sys.modules.pop(f"{FOLDER}.{each}", None):
                self._monkeypatch.setitem(sys.modules, f"{FOLDER}.{each}", loaded)
        return module

    def _addressof(self, memory: array[int]) -> int:
        self.memory = memory
        return ADDRESS

    def _i2c(self, block: int, *, sda: Gpio, scl: Gpio, freq: int) -> None:
        self.i2c.append((block, sda.number, scl.number, freq))

    def _kbd_intr(self, key: int) -> None:
        self.interrupts = key

    def _freq(self, hertz: int) -> None:
        self.clock_hz = hertz

    def _state_machine(self, number: int, program: Any, **settings: Any) -> Any:
        self.machines.append({"number": number, "program": program, **settings})
        return SimpleNamespace(put=self.put.append, active=lambda on: None)

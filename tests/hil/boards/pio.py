"""One state machine of an RP2040's PIO: its assembler, as `rp2.asm_pio` is used, and its turns.

Source: RP2040 data sheet, 3.4 (instructions) and 3.5 (one a turn, delays, wrapping, pins by way of
two flip-flops of the system clock). What no program here uses is not there: it fails. Unconfirmed
on a chip; the words that it assembles were once compared with those of MicroPython's own assembler.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, Final

INSTRUCTIONS_MAX: Final = 32
DELAY_MAX: Final = 31
#: A pin is seen after two turns of the system clock.
SYSTEM_NS: Final = 8
_SEEN_AFTER_NS: Final = 2 * SYSTEM_NS
_WORD: Final = 0xFFFF_FFFF


@dataclass
class Instruction:
    """One instruction; `[n]` behind it waits so many turns."""

    name: str
    values: tuple[Any, ...]
    delay: int = 0

    def __getitem__(self, delay: int) -> Instruction:
        assert 0 < delay <= DELAY_MAX
        self.delay = delay
        return self


class PioProgram:
    """What a function says when it is called with the assembler's names."""

    def __init__(self, function: FunctionType) -> None:
        self.instructions: list[Instruction] = []
        self.labels: dict[str, int] = {}
        self.wrap_target, self.wrap = 0, 0
        names: dict[str, Any] = {
            each: self._instruction(each)
            for each in ("pull", "push", "set", "jmp", "wait", "nop", "in_", "mov")
        }
        words = ("x", "y", "pin", "pins", "osr", "isr", "noblock", "y_dec", "x_dec")
        names |= {each: each for each in words}
        names |= {
            "invert": lambda each: f"not {each}", "label": self._label,
            "wrap_target": self._wrap_target, "wrap": self._wrap,
        }  # fmt: skip
        FunctionType(function.__code__, names)()
        assert len(self.instructions) <= INSTRUCTIONS_MAX

    def _instruction(self, name: str) -> Callable[..., Instruction]:
        def say(*values: Any) -> Instruction:
            self.instructions.append(Instruction(name, values))
            return self.instructions[-1]

        return say

    def _label(self, name: str) -> None:
        assert name not in self.labels
        self.labels[name] = len(self.instructions)

    def _wrap_target(self) -> None:
        self.wrap_target = len(self.instructions)

    def _wrap(self) -> None:
        self.wrap = len(self.instructions) - 1


class TappedLine:
    """A line by the times at which it changes; low at first."""

    def __init__(self, changes_ns: Sequence[float]) -> None:
        self._changes = changes_ns

    def seen(self, at_ns: float) -> int:
        """The level that a state machine sees at that time."""
        return bisect_right(self._changes, at_ns - _SEEN_AFTER_NS) & 1

    def next_change(self, at_ns: float) -> float | None:
        """When it sees another one; None for never."""
        at = bisect_right(self._changes, at_ns - _SEEN_AFTER_NS)
        return self._changes[at] + _SEEN_AFTER_NS if at < len(self._changes) else None


class StateMachine:
    """Runs a program at a line that is input pin 0 and the pin of jumps."""

    def __init__(
        self, program: PioProgram, put: int, line: TappedLine, turn_ns: int, from_ns: float
    ) -> None:
        self._program, self._line, self._turn_ns = program, line, turn_ns
        self._now_ns, self._at = from_ns, 0
        self._to_pull = [put]
        self._registers = {"x": 0, "y": 0, "osr": 0, "isr": 0}
        #: What it pushed: 32 bits each.
        self.words: list[int] = []

    def run(self, until_ns: float) -> list[int]:
        """The words that it pushed by then."""
        while self._now_ns < until_ns:
            each = self._program.instructions[self._at]
            after = self._program.wrap_target if self._at == self._program.wrap else self._at + 1
            if not self._waits(each, until_ns):
                goes = getattr(self, f"_{each.name}")(*each.values)
                self._at = after if goes is None else goes
                self._now_ns += self._turn_ns * (1 + each.delay)
        return self.words

    def _waits(self, each: Instruction, until_ns: float) -> bool:
        """Whether a `wait` is not over; then it is the turn at which the line has changed."""
        if each.name != "wait" or self._line.seen(self._now_ns) == each.values[0]:
            return False
        change = self._line.next_change(self._now_ns)
        left_ns = (until_ns if change is None else change) - self._now_ns
        self._now_ns += max(1, -(-left_ns // self._turn_ns)) * self._turn_ns
        return True

    def _wait(self, level: int, source: str, index: int) -> None:
        assert (source, index) == ("pin", 0)
        assert level in (0, 1)

    def _nop(self) -> None:
        """Nothing."""

    def _pull(self) -> None:
        self._registers["osr"] = self._to_pull.pop()

    def _set(self, name: str, value: int) -> None:
        assert name in ("x", "y")
        assert 0 <= value < 32
        self._registers[name] = value

    def _mov(self, to: str, source: str) -> None:
        inverted, name = source.startswith("not "), source.removeprefix("not ")
        self._registers[to] = self._registers[name] ^ (_WORD if inverted else 0)

    def _in_(self, source: str, count: int) -> None:
        assert (source, count) == ("pins", 1)
        self._registers["isr"] = self._registers["isr"] << 1 & _WORD | self._line.seen(self._now_ns)

    def _push(self, noblock: str) -> None:
        assert noblock == "noblock"
        self.words.append(self._registers["isr"])
        self._registers["isr"] = 0

    def _jmp(self, condition: str, label: str | None = None) -> int | None:
        if label is None:
            return self._program.labels[condition]
        if condition == "pin":
            goes = bool(self._line.seen(self._now_ns))
        else:
            name = condition.removesuffix("_dec")
            goes = self._registers[name] != 0
            self._registers[name] = self._registers[name] - 1 & _WORD
        return self._program.labels[label] if goes else None


def low_halves(words: list[int]) -> array[int]:
    """What DMA moves of words when it is told to move 16 bits."""
    return array("H", (each & 0xFFFF for each in words))


def fake_rp2() -> ModuleType:
    """`rp2` with an `asm_pio`, as far as a program is made by it."""
    module = ModuleType("rp2")
    module.PIO = SimpleNamespace(SHIFT_LEFT=0, SHIFT_RIGHT=1)  # type: ignore[attr-defined]

    def asm_pio(*, in_shiftdir: int) -> Callable[[FunctionType], PioProgram]:
        assert in_shiftdir == 0
        return PioProgram

    module.asm_pio = asm_pio  # type: ignore[attr-defined]
    return module

"""An MFRC522 at the select of an SPI bus, and the tags of ISO 14443 A in its field, bit by bit.

Sources: NXP, MFRC522 data sheet rev. 3.9, 8.1.2 (SPI) and 9.3 (registers); ISO/IEC 14443-3 as NXP's
NTAG213/215/216 data sheet has it (states, anticollision by levels, READ, WRITE). Tags hear it only
with a modulation of 100 %. Time is over as soon as nobody answers, where its timer is set up.
Unconfirmed on a chip: how the place of a collision is counted when bits of the number were sent
(here from the number's first bit, as Arduino's library takes it), what stands in the FIFO behind a
collision, and what the copies that are sold as one do otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from sim_hw.devices.wire.pn532 import Tag

_COMMAND, _IRQ, _ERROR, _FIFO, _LEVEL, _CONTROL, _FRAMING = 0x01, 0x04, 0x06, 0x09, 0x0A, 0x0C, 0x0D
_COLLISION, _FIELD, _ASK, _TIMER, _VERSION = 0x0E, 0x14, 0x15, 0x2A, 0x37
_TRANSCEIVE, _RESET = 0x0C, 0x0F
_CAME, _TIME_IS_UP, _COLLIDED = 0x30, 0x01, 0x08
_LEVELS: Final = (0x93, 0x95, 0x97)
_CASCADE: Final = 0x88


def air_crc(data: bytes) -> bytes:
    """The CRC of type A (ISO/IEC 14443-3, annex B), computed a byte at a time."""
    value = 0x6363
    for byte in data:
        mixed = byte ^ value & 0xFF
        mixed = (mixed ^ mixed << 4) & 0xFF
        value = value >> 8 ^ mixed << 8 ^ mixed << 3 ^ mixed >> 4
    return bytes((value & 0xFF, value >> 8))


class _Being(Enum):
    """What a tag is waiting for."""

    IDLE = "REQA or WUPA"
    READY = "to be selected"
    ACTIVE = "commands"
    HALTED = "WUPA"


@dataclass
class _TagState:
    being: _Being = _Being.IDLE
    level: int = 0


@dataclass(frozen=True)
class AirAnswer:
    """Bits over the air, the first in bit 0, and where two tags said different ones (from 1)."""

    bits: int
    count: int
    collision: int = 0


def _whole(data: bytes) -> AirAnswer:
    return AirAnswer(int.from_bytes(data, "little"), 8 * len(data))


class TagField:
    """The tags in a field that is on; they forget everything when it goes off."""

    def __init__(self, lying: Callable[[], list[Tag]]) -> None:
        self._lying = lying
        self._states: dict[int, _TagState] = {}

    def off(self) -> None:
        """No tag has power."""
        self._states.clear()

    def hears(self, data: bytes, last_bits: int) -> AirAnswer | None:
        """What comes back; None: nothing."""
        tags = self._lying()
        self._states = {id(tag): self._states.get(id(tag), _TagState()) for tag in tags}
        if last_bits == 7 and data in (b"\x26", b"\x52"):
            return self._call(tags, wakes=data == b"\x52")
        if data[:1] and data[0] in _LEVELS:
            return self._anticollision(tags, data, last_bits)
        if air_crc(data[:-2]) != data[-2:]:
            return None
        active = [each for each in tags if self._of(each).being is _Being.ACTIVE]
        if not active:
            return None
        if data[:2] == b"\x50\x00":
            self._of(active[0]).being = _Being.HALTED
            return None
        return self._command(active[0], data[:-2])

    def _of(self, tag: Tag) -> _TagState:
        return self._states[id(tag)]

    def _call(self, tags: list[Tag], *, wakes: bool) -> AirAnswer | None:
        called = [_Being.IDLE, *([_Being.HALTED] if wakes else [])]
        answers = False
        for tag in tags:
            state = self._of(tag)
            if state.being in called:
                state.being, state.level, answers = _Being.READY, 0, True
            elif state.being is not _Being.HALTED:
                state.being = _Being.IDLE
        return _whole(b"\x44\x00") if answers else None

    def _part(self, tag: Tag, level: int) -> bytes:
        """The four bytes of its number at a level, and their check byte."""
        last = (len(tag.uid) - 4) // 3
        if level < last:
            part = bytes((_CASCADE,)) + tag.uid[3 * level : 3 * level + 3]
        else:
            part = tag.uid[3 * last :]
        return part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],))

    def _anticollision(self, tags: list[Tag], data: bytes, last_bits: int) -> AirAnswer | None:
        level = _LEVELS.index(data[0])
        ready = [
            each for each in tags
            if self._of(each).being is _Being.READY and self._of(each).level == level
        ]  # fmt: skip
        if data[1] == 0x70:
            return self._select(ready, data, level)
        assert last_bits == data[1] & 7, "as many bits are sent as are announced"
        known = 8 * ((data[1] >> 4) - 2) + last_bits
        sent = int.from_bytes(data[2:], "little") & (1 << known) - 1
        said = [int.from_bytes(self._part(each, level), "little") for each in ready]
        said = [each for each in said if each & (1 << known) - 1 == sent]
        if not said:
            return None
        differ = 0
        for each in said:
            differ |= each ^ said[0]
        if not differ:
            return AirAnswer(said[0] >> known, 40 - known)
        place = (differ & -differ).bit_length()
        return AirAnswer(said[0] >> known & (1 << place - 1 - known) - 1, place - known, place)

    def _select(self, ready: list[Tag], data: bytes, level: int) -> AirAnswer | None:
        if air_crc(data[:-2]) != data[-2:]:
            return None
        answer: AirAnswer | None = None
        for tag in ready:
            state = self._of(tag)
            if self._part(tag, level) != data[2:7]:
                state.being = _Being.IDLE
            elif level < (len(tag.uid) - 4) // 3:
                state.level += 1
                answer = _whole(b"\x04" + air_crc(b"\x04"))
            else:
                state.being = _Being.ACTIVE
                answer = _whole(bytes((tag.kind,)) + air_crc(bytes((tag.kind,))))
        return answer

    def _command(self, tag: Tag, said: bytes) -> AirAnswer:
        answer = tag.hears(said)
        if answer is None:
            self._of(tag).being = _Being.IDLE
            return AirAnswer(0x0, 4)
        return _whole(answer + air_crc(answer)) if answer else AirAnswer(0xA, 4)


class Rc522:
    """The chip; `away` while its wires are pulled, `version` what it says that it is."""

    def __init__(self, lying: Callable[[], list[Tag]], version: int = 0x92) -> None:
        self._field = TagField(lying)
        self._version = version
        self.away = False
        self.power_up()

    def power_up(self) -> None:
        """Power comes back: all registers are as the data sheet has them."""
        self._registers = bytearray(64)
        self._registers[_VERSION] = self._version
        self._registers[_FIELD], self._registers[_COLLISION] = 0x80, 0xA0
        self._fifo = b""
        self._field.off()

    @property
    def field_on(self) -> bool:
        """Whether its antenna has power."""
        return bool(self._registers[_FIELD] & 3)

    def transfer(self, data: bytes) -> bytes:
        """What it says while that is said to it: a register behind each address."""
        if self.away:
            return b"\xff" * len(data)
        if not data[0] & 0x80:
            for value in data[1:]:
                self._write(data[0] >> 1 & 0x3F, value)
            return bytes(len(data))
        return b"\0" + bytes(self._read(each >> 1 & 0x3F) for each in data[:-1])

    def _read(self, register: int) -> int:
        if register == _FIFO:
            value, self._fifo = self._fifo[0] if self._fifo else 0, self._fifo[1:]
            return value
        return len(self._fifo) if register == _LEVEL else self._registers[register]

    def _write(self, register: int, value: int) -> None:
        if register == _FIFO:
            self._fifo += bytes((value,))
        elif register == _LEVEL:
            self._fifo = b"" if value & 0x80 else self._fifo
        elif register == _IRQ:
            # The highest bit says whether the others are set or cleared.
            marks = value & 0x7F
            now = self._registers[_IRQ]
            self._registers[_IRQ] = now | marks if value & 0x80 else now & ~marks
        elif register == _COMMAND and value & 0x0F == _RESET:
            self.power_up()
        else:
            self._registers[register] = value
        if register == _FIELD and not self.field_on:
            self._field.off()
        if register == _FRAMING and value & 0x80 and self._registers[_COMMAND] == _TRANSCEIVE:
            self._transceive(value)

    def _transceive(self, framing: int) -> None:
        sent, self._fifo = self._fifo, b""
        heard = self.field_on and self._registers[_ASK] & 0x40
        answer = self._field.hears(sent, framing & 7) if heard else None
        self._registers[_ERROR] = 0
        self._registers[_CONTROL] = 0
        if answer is None:
            self._registers[_IRQ] |= _TIME_IS_UP if self._registers[_TIMER] & 0x80 else 0
            return
        shift = framing >> 4 & 7
        count = answer.count + shift
        self._fifo = (answer.bits << shift).to_bytes((count + 7) // 8, "little")
        self._registers[_CONTROL] = count % 8
        self._registers[_IRQ] |= _CAME
        if answer.collision:
            self._registers[_ERROR] = _COLLIDED
            # 32 is written as 0; a check byte that differs has no place.
            self._registers[_COLLISION] = answer.collision % 32 if answer.collision <= 32 else 0x20

"""What a PN532 speaks, on whatever wires: frames, commands, targets. Pure.

Source: NXP, PN532 User Manual UM0701-02: 6.2.1 (frames), 7.2.2 (GetFirmwareVersion), 7.2.10
(SAMConfiguration), 7.3.1 (RFConfiguration), 7.3.5 (InListPassiveTarget), 7.3.8 (InDataExchange).
Tags: NXP, NTAG213/215/216 data sheet, 10.2 (READ) and 10.4 (WRITE).
"""

from __future__ import annotations

from typing import Final

from drivers.spots.reader_chip import Broken, FieldTag

BAUD: Final = 115_200
#: Wakes it from any state: what comes before the first frame (long enough for its clock to run).
WAKE: Final = b"\x55\x55" + bytes(14)
_START: Final = b"\x00\xff"
_TO_CHIP: Final = 0xD4
_FROM_CHIP: Final = 0xD5
_ACK: Final = b"\x00\xff"
_ERROR: Final = 0x7F
#: The longest normal frame, and what may stand before it.
_BUFFER_MAX: Final = 600

#: It answers with `Firmware` of this kind.
IC: Final = 0x32

FIRMWARE: Final = b"\x02"
#: Normal mode, without the security module; no interrupt line.
NORMAL_MODE: Final = b"\x14\x01\x00\x00"
#: A tag is looked for twice, and no longer: the spot may well be empty.
FEW_RETRIES: Final = b"\x32\x05\x00\x00\x01"
#: Off, so that the antenna beside it hears nothing of this one, and every tag begins anew.
FIELD_OFF: Final = b"\x32\x01\x00"
#: The chip can have two targets at a time: what lies below them is not seen.
TARGETS_MAX: Final = 2
LIST_TARGETS: Final = bytes((0x4A, TARGETS_MAX, 0x00))

#: In the SEL_RES of a target that speaks ISO 14443-4: its answer has more fields.
_ISO_DEP: Final = 0x20


def frame(command: bytes) -> bytes:
    """A command and its parameters as a normal frame."""
    data = bytes((_TO_CHIP,)) + command
    length = len(data)
    return b"\x00" + _START + bytes((length, -length & 0xFF)) + data + bytes((-sum(data) & 0xFF, 0))


class FrameBuffer:
    """Frames out of the bytes of the line, in order; noise between them is dropped."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The answers that are whole now: code and parameters. Raises `Broken` for an error frame.

        Acknowledgements are left out: the answer says the same.
        """
        self._buffer = (self._buffer + data)[-_BUFFER_MAX:]
        found: list[bytes] = []
        while (start := self._buffer.find(_START)) >= 0:
            rest = self._buffer[start + len(_START) :]
            if len(rest) < 2:
                break
            length, check = rest[0], rest[1]
            # Nothing is no frame: zeros behind what looks like the start of one are noise.
            if rest[:2] == _ACK or not length or (length + check) & 0xFF:
                self._buffer = rest[2 if rest[:2] == _ACK else 0 :]
                continue
            if len(rest) < length + 3:
                break
            body, total = rest[2 : 2 + length], rest[2 + length]
            if (sum(body) + total) & 0xFF:
                self._buffer = rest
                continue
            self._buffer = rest[length + 3 :]
            if body[0] == _ERROR:
                raise Broken("it does not know that command")
            if body[0] == _FROM_CHIP:
                found.append(body[1:])
        return found


def parameters(command: bytes, answer: bytes) -> bytes:
    """The parameters of the answer to a command. Raises `Broken` for another one's."""
    if not answer or answer[0] != command[0] + 1:
        raise Broken("it answers something else")
    return answer[1:]


def is_pn532(said: bytes) -> bool:
    """Whether the parameters of `FIRMWARE`'s answer are a PN532's."""
    return len(said) == 4 and said[0] == IC


def targets(said: bytes) -> tuple[FieldTag, ...]:
    """The tags in the parameters of `LIST_TARGETS`'s answer. Raises `Broken`."""
    found: list[FieldTag] = []
    at = 1
    try:
        for _ in range(said[0]):
            number, kind, length = said[at], said[at + 3], said[at + 4]
            uid = said[at + 5 : at + 5 + length]
            if len(uid) != length:
                raise Broken("a tag's number is cut off")
            at += 5 + length
            if kind & _ISO_DEP:
                at += said[at]
            found.append(FieldTag(number, kind, uid))
    except IndexError:
        raise Broken("its list of tags is cut off") from None
    return tuple(found)


def read_pages(target: FieldTag, page: int) -> bytes:
    """The command that reads four pages of a tag, from `page` on."""
    return bytes((0x40, target.number, 0x30, page))


def write_page(target: FieldTag, page: int, data: bytes) -> bytes:
    """The command that writes one page of a tag: four bytes."""
    assert len(data) == 4
    return bytes((0x40, target.number, 0xA2, page)) + data


def exchanged(said: bytes) -> bytes | None:
    """What a tag answered, by the parameters of a data exchange; None where it did not."""
    return said[1:] if said and not said[0] & 0x3F else None

"""What is said to tags of ISO 14443 A over the air, where the chip leaves that to its host. Pure.

Sources: ISO/IEC 14443-3 (REQA and WUPA of 7 bits, anticollision and selection by levels, HLTA, the
CRC of type A) as NXP's NTAG213/215/216 data sheet has them, 9 and 10 (READ, WRITE, and its
acknowledgement of four bits, A hex).
"""

from __future__ import annotations

from typing import Final

REQA: Final = b"\x26"
WUPA: Final = b"\x52"
#: So many bits of them are sent.
SHORT_BITS: Final = 7
#: Anticollision by level: a number of 4, 7 or 10 bytes is given in parts of four.
LEVELS: Final = (0x93, 0x95, 0x97)
WHOLE: Final = 0x70
PART_BYTES: Final = 4
#: In the answer to a selection: the number goes on.
_GOES_ON: Final = 0x04
HALT: Final = b"\x50\x00"
ACK: Final = 0x0A
ACK_BITS: Final = 4
PAGES_BYTES: Final = 16


def crc(data: bytes) -> bytes:
    """The CRC of type A, its low byte first."""
    value = 0x6363
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x8408 if value & 1 else 0)
    return value.to_bytes(2, "little")


def with_crc(data: bytes) -> bytes:
    """A command with its CRC."""
    return data + crc(data)


def checked(said: bytes) -> bytes | None:
    """What was said before its CRC; None where that is wrong."""
    return said[:-2] if len(said) > 2 and crc(said[:-2]) == said[-2:] else None


def selection(level: int, part: bytes) -> bytes:
    """The command that selects the tag with that part of a number."""
    return with_crc(bytes((level, WHOLE)) + part + bytes((_sum(part),)))


def part_of(said: bytes) -> bytes | None:
    """The part of a number that was said with its check byte; None where that is wrong."""
    if len(said) != PART_BYTES + 1 or _sum(said):
        return None
    return said[:PART_BYTES]


def _sum(data: bytes) -> int:
    whole = 0
    for byte in data:
        whole ^= byte
    return whole


def goes_on(kind: int) -> bool:
    """Whether the number of a tag that answers this goes on at the next level."""
    return bool(kind & _GOES_ON)


def read_pages(page: int) -> bytes:
    """The command that reads four pages, from `page` on."""
    return with_crc(bytes((0x30, page)))


def write_page(page: int, data: bytes) -> bytes:
    """The command that writes one page: four bytes."""
    assert len(data) == PART_BYTES
    return with_crc(bytes((0xA2, page)) + data)

"""A receiver of streaming ACN: what a data packet says.

Source: ANSI E1.31-2018, table 4-1. Unconfirmed on a fixture: what it does when nothing comes for
2.5 s (dark, or as it was: its own setting).
"""

from __future__ import annotations

from typing import Final, NamedTuple

PORT: Final = 5568


class SacnPacket(NamedTuple):
    """A data packet: who sent it, how important it is, and the slots from 1 on."""

    source: bytes
    priority: int
    number: int
    ended: bool
    universe: int
    slots: bytes


def read(packet: bytes) -> SacnPacket:
    """What a packet says. Raises `AssertionError` where it is not as the standard has it."""

    def at(first: int, last: int) -> int:
        return int.from_bytes(packet[first : last + 1], "big")

    assert packet[0:16] == b"\x00\x10\x00\x00ASC-E1.17\0\0\0", "preamble"
    for first in (16, 38, 115):
        assert at(first, first + 1) == 0x7000 | len(packet) - first, f"length at {first}"
    assert at(18, 21) == 4, "root vector"
    assert at(40, 43) == 2, "framing vector"
    assert packet[107] == 0, "source name ends"
    assert at(109, 110) == 0, "not synchronised"
    assert packet[117:123] == b"\x02\xa1\x00\x00\x00\x01", "DMP layer"
    count = at(123, 124)
    assert 1 <= count <= 513
    assert len(packet) == 125 + count
    assert packet[125] == 0, "start code of dimmers"
    return SacnPacket(
        packet[22:38], packet[108], packet[111], bool(packet[112] & 0x40), at(113, 114),
        packet[126:],
    )  # fmt: skip

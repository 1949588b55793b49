"""Packets on a board's serial line: a packet comes whole and undamaged, or it is known to be lost.

A packet is a zero, its bytes without zeros (consistent overhead byte stuffing: S. Cheshire and
M. Baker, 1999) and a zero; its bytes are its kind, its content, and their CRC-32, high byte first.
A zero is nothing else, so that a reader who comes in the middle finds the next packet by itself:
MicroPython's USB line keeps the newest 256 bytes while nobody reads, and drops some where a reader
stops for half a second.

Written for MicroPython and CPython.
"""

from binascii import crc32

#: What a board heard: a frame, or a write.
HEARD = b"h"
#: In words: something came and is not handed on, or not whole.
LOST = b"l"
#: In words: which board this is. Said at the start and every few seconds.
HELLO = b"b"
#: To a board: what it is to say, after the number of the question.
ANSWER = b"a"
#: What is between two zeros and no packet.
DAMAGED = b"?"
#: More bytes than this without a zero are no packet.
PACKET_MAX = 16_384
_END = b"\0"
_CRC_BYTES = 4
#: Stuffing: so many bytes that are no zeros follow a block's own length at most.
_BLOCK = 254


def packet(kind: bytes, content: bytes) -> bytes:
    """What is written on the line; `content` is at most three quarters of `PACKET_MAX`."""
    body = kind + content
    return _END + _stuffed(body + crc32(body).to_bytes(_CRC_BYTES, "big")) + _END


def _stuffed(data: bytes) -> bytes:
    blocks = []
    for part in data.split(_END):
        full = len(part) // _BLOCK * _BLOCK
        for at in range(0, full, _BLOCK):
            blocks.append(b"\xff" + part[at : at + _BLOCK])
        blocks.append(bytes((len(part) - full + 1,)) + part[full:])
    return b"".join(blocks)


def _plain(stuffed: bytes) -> bytes:
    """The bytes that were stuffed; none where a block is longer than what there is."""
    blocks = []
    at = 0
    while at < len(stuffed):
        end = at + stuffed[at]
        if end > len(stuffed):
            return b""
        blocks.append(stuffed[at + 1 : end])
        if stuffed[at] <= _BLOCK and end < len(stuffed):
            blocks.append(_END)
        at = end
    return b"".join(blocks)


class Packets:
    """Finds the packets in what comes from a line."""

    def __init__(self) -> None:
        self._rest = b""
        #: What stands before the first zero began before somebody listened.
        self._found = False

    def of(self, data: bytes) -> list[tuple[bytes, bytes]]:
        """The packets that end in these bytes, in whatever pieces those come: kind and content."""
        pieces = (self._rest + data).split(_END)
        self._rest = pieces.pop()
        packets = []
        for piece in pieces:
            if self._found and piece:
                packets.append(_opened(piece))
            self._found = True
        if len(self._rest) > PACKET_MAX:
            if self._found:
                packets.append((DAMAGED, self._rest))
            self._rest, self._found = b"", False
        return packets


def _opened(piece: bytes) -> tuple[bytes, bytes]:
    body = _plain(piece)
    kind, content, crc = body[:1], body[1:-_CRC_BYTES], body[-_CRC_BYTES:]
    if len(body) <= _CRC_BYTES or crc32(kind + content).to_bytes(_CRC_BYTES, "big") != crc:
        return DAMAGED, piece
    return kind, content

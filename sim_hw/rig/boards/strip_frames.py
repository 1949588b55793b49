"""Frames of a strip, from the words of `strip_program`: bytes, and gaps at which a frame ends.

Written for MicroPython and CPython.
"""

from .packet_queue import PacketQueue

# Of use to a type checker alone: MicroPython has no such module, and evaluates no annotation.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

#: A gap: the low three bits are how many bits came after the last whole byte.
GAP = 0xFFF8
#: More bytes than the longest strip of the table's takes.
FRAME_MAX = 4_096


class StripFrames:
    """Hands whole frames on to a queue, as they came on the wire, and says what is none.

    What comes before the first gap is the end of a frame that began unheard.
    """

    def __init__(self, queue: PacketQueue) -> None:
        self._queue = queue
        self._frame = bytearray()
        self._whole = False

    def take(self, words: "Iterable[int]") -> None:
        """Words in order."""
        for word in words:
            if word >= GAP:
                self._end(word - GAP)
            elif len(self._frame) <= FRAME_MAX:
                self._frame.append(word)

    def overrun(self, why: str) -> None:
        """Words were lost: nothing is a whole frame before the next gap."""
        self._queue.lost(why)
        self._whole = False

    def _end(self, bits: int) -> None:
        frame, self._frame = bytes(self._frame), bytearray()
        whole, self._whole = self._whole, True
        # One bit alone is a line that rests high between its frames.
        if not whole or (not frame and bits <= 1):
            return
        if bits:
            self._queue.lost(f"a frame of {len(frame)} bytes and {bits} bits")
        elif len(frame) > FRAME_MAX:
            self._queue.lost(f"a frame of more than {FRAME_MAX} bytes")
        else:
            self._queue.heard(frame)

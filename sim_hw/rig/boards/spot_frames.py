"""What a board has to say in the place of a PN532: frames from the bench, each to its question.

An answer has to be there in the transfer that asks for it, and the bench is far: so the board says
that it is not ready until the answer has come, as the chip does. Source: NXP, PN532 User Manual
UM0701-02, 6.2.4 (a status byte before what is read, 01 when there is something). A question and its
answers have a number: one that comes after the next question was written is dropped.

Written for MicroPython and CPython.
"""

from .packet_queue import PacketQueue
from .packets import ANSWER

_READY = 1
_NOT_READY = 0


class SpotFrames:
    """Questions to a queue, numbered; answers from its other end, until they are read."""

    def __init__(self, queue: PacketQueue) -> None:
        self._queue = queue
        self._number = 0
        self._frames: list[bytes] = []
        self._offered = False

    def heard(self, content: bytes) -> None:
        """A frame was written: what is left of the answers to the one before is over."""
        self._number = self._number % 255 + 1
        self._frames = []
        self._offered = False
        self._queue.heard(bytes((self._number,)) + content)

    def lost(self, why: str) -> None:
        """Something that was written was lost."""
        self._frames = []
        self._queue.lost(why)

    def came(self, kind: bytes, content: bytes) -> None:
        """A packet of the bench's: a frame that answers a question, the oldest first."""
        if kind == ANSWER and content[:1] == bytes((self._number,)):
            self._frames.append(content[1:])

    def begin(self) -> int:
        """The status."""
        self._offered = bool(self._frames)
        return _READY if self._offered else _NOT_READY

    def more(self) -> bytes:
        """The frame that is there; it is over then. Nothing where the status said so."""
        return self._frames.pop(0) if self._offered and self._frames else b""

"""How late a frame may be: where a machine is behind, frames wait in buffers that nobody sees.

Frames are taken at an even pace, so the one that came soonest, as its number says, was least late.
What a frame is later than that, it may have waited. Pure; time is a parameter, in ns.
"""

from __future__ import annotations

from collections import deque
from typing import Final

#: So many frames are looked back on: two seconds at 30 frames a second.
FRAMES_KEPT: Final = 64


class FrameDelay:
    """The lateness of frames that are taken `fps` times a second."""

    def __init__(self, fps: int) -> None:
        self._period_ns = 1_000_000_000 // fps
        self._number = 0
        self._offsets: deque[int] = deque(maxlen=FRAMES_KEPT)

    def of(self, at_ns: int) -> int:
        """How late, at most, the next frame is, which came at `at_ns`."""
        self._number += 1
        offset = at_ns - self._number * self._period_ns
        self._offsets.append(offset)
        return offset - min(self._offsets)

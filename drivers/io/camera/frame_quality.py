"""Whether a frame is of use: black, overexposed, frozen, repeated and late ones are found here.

Pure, time is a parameter. Nothing here names a card, and no frame is stored.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.rules.messages import Message, message

Frame = NDArray[np.uint8]
"""A picture as OpenCV gives it: height x width x 3, blue green red, 8 bits."""

#: Darker on average (of 255) is a covered lens or no light: a dark ground with a card is above 20.
BLACK_MEAN: Final = 10.0
#: Pixels from here on hold no detail ...
FULL: Final = 250
#: ... and where they are more than this share, exposure is wrong. A card fills at most a third.
FULL_SHARE: Final = 0.6
#: For judging light this many pixels across are enough.
SMALL: Final = (64, 48)

#: This many fingerprints of frames are remembered: more than a driver has buffers.
REPEATS_MAX: Final = 32
#: This many frames are looked back on: two seconds at 30 frames a second.
DELAYS_MAX: Final = 64

_MS: Final = 1_000_000


def small_grey(frame: Frame) -> Frame:
    """The picture in 64x48 grey: enough for light and movement, too little for an index."""
    small = cv2.resize(frame, SMALL, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def light_problem(grey: Frame) -> Message | None:
    """What is wrong with the light of a small grey image, if anything is."""
    if float(grey.mean()) < BLACK_MEAN:
        return message("camera-black")
    if float((grey >= FULL).mean()) > FULL_SHARE:
        return message("camera-overexposed")
    return None


def fingerprint(frame: Frame) -> int:
    """A number by which the very same frame is known again, in this process."""
    return hash(frame.tobytes())


class FreezeDetector:
    """Notices an image that stands still. A sensor's noise makes every true frame another one."""

    def __init__(self, frozen_ms: int) -> None:
        self._frozen_ns = frozen_ms * _MS
        self._print: int | None = None
        self._since_ns = 0

    def frozen(self, print_: int, at_ns: int) -> bool:
        """Whether the frame of this print, which came at `at_ns`, is the one of `frozen_ms` ago."""
        if print_ != self._print:
            self._print, self._since_ns = print_, at_ns
            return False
        return at_ns - self._since_ns >= self._frozen_ns


class RepeatDetector:
    """Notices a frame that came before. A driver that hangs sends its last few frames again."""

    def __init__(self) -> None:
        self._prints: deque[int] = deque(maxlen=REPEATS_MAX)

    def again(self, print_: int) -> bool:
        """Whether a frame of this print came lately; it is remembered."""
        known = print_ in self._prints
        if not known:
            self._prints.append(print_)
        return known


class FrameDelay:
    """How late frames are that are taken `fps` times a second.

    Where a machine is behind, frames wait in buffers that nobody sees. Frames are taken at an even
    pace, so the one that came soonest, as its number says, was least late; by what another one is
    later than that, it may have waited.
    """

    def __init__(self, fps: int) -> None:
        self._period_ns = 1_000_000_000 // fps
        self._number = 0
        self._offsets: deque[int] = deque(maxlen=DELAYS_MAX)

    def of(self, at_ns: int) -> int:
        """How late, at most, the next frame is, which came at `at_ns`, in ns."""
        self._number += 1
        offset = at_ns - self._number * self._period_ns
        self._offsets.append(offset)
        return offset - min(self._offsets)

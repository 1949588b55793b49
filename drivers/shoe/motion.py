"""When a card passes, by the picture alone: it departs from its rest, and comes back to it.

For shoes without a beam whose next card at rest is out of the picture: what lies in it at rest is
the ground. Light that changes as a whole is no motion. Pure; time is in ns.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from drivers.io.camera.frame_quality import Frame, small_grey
from drivers.vision.order import median

#: This far from rest (of 255) a small pixel is another thing ...
CHANGED: Final = 26.0
#: ... and where this share of the picture is, something has come.
SHARE: Final = 0.03
#: Back at rest for this many frames in a row, it has gone.
REST_FRAMES: Final = 2
#: How fast the rest follows slow light, of each frame at rest.
FOLLOW: Final = 0.05


class MotionDetector:
    """Reports that something came into the picture (True) or left it (False), with the time."""

    def __init__(self) -> None:
        self._rest: NDArray[np.float32] | None = None
        self._away = False
        self._calm = 0
        self._calm_ns = 0

    def feed(self, frame: Frame, at_ns: int) -> tuple[bool, int] | None:
        """What the frame, which came at `at_ns`, changes; None: nothing."""
        grey = small_grey(frame).astype(np.float32)
        if self._rest is None:
            self._rest = grey
            return None
        off = grey - self._rest
        off -= float(median(off.ravel()))
        still = float((np.abs(off) > CHANGED).mean()) < SHARE
        if not still:
            self._calm = 0
            if not self._away:
                self._away = True
                return True, at_ns
            return None
        self._rest += FOLLOW * (grey - self._rest)
        if not self._away:
            return None
        self._calm += 1
        if self._calm == 1:
            self._calm_ns = at_ns
        if self._calm < REST_FRAMES:
            return None
        self._away, self._calm = False, 0
        return False, self._calm_ns

    def reset(self) -> None:
        """Take what is in the picture next as its rest: something stays there, or it moved."""
        self._rest, self._away, self._calm = None, False, 0

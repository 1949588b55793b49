"""Finds the clapper's code in a video: when all spots of the table began to flash it.

The picture is looked at in blocks: the spots are somewhere in it, and anything may move beside
them. A block that holds a spot follows the code; how well is its correlation with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from controller.devices.lights import CLAP_MS, Pattern

Floats = npt.NDArray[np.float64]

#: A block that is at least this much like the code shows it.
LIKE: Final = 0.8
#: Blocks whose brightness (0 to 255) varies by less show nothing.
_LEAST_SWING: Final = 4.0
#: The spots are dark for this long before and after, unless bets lie there.
_AROUND_MS: Final = 200.0
#: Another moment this far from the best one is another code.
_APART_MS: Final = 1_000.0
#: A video with fewer pictures in the code's time cannot show it.
_LEAST_FRAMES: Final = 40


class NoCode(ValueError):
    """The video does not show the code, or not once; the text says what to do."""


class FoundCode(NamedTuple):
    """The code began at `began_ms` of the video's own time, give or take `within_ms`, one frame.

    `likeness` is 1 where the picture follows it exactly.
    """

    began_ms: float
    within_ms: float
    likeness: float


def find_code(times_ms: Floats, blocks: Floats) -> FoundCode:
    """When the code begins in pictures of these times; `blocks` has a row of brightnesses for each.

    Raises `NoCode`.
    """
    if not len(times_ms) or times_ms[-1] - times_ms[0] < CLAP_MS:
        long_s = (times_ms[-1] - times_ms[0]) / 1_000 if len(times_ms) else 0.0
        raise NoCode(
            f"the video is {long_s:.1f} s long and the code takes {CLAP_MS / 1_000:.0f} s: record "
            "from before the flash until after it"
        )
    frame_ms = float(np.median(np.diff(times_ms)))
    if frame_ms <= 0:
        raise NoCode(
            "most pictures of the video have the time of the one before: record with a time for"
            " each, or name a stream of which each picture comes when it was taken"
        )
    if CLAP_MS / frame_ms < _LEAST_FRAMES:
        raise NoCode(
            f"the video has {1_000 / frame_ms:.0f} pictures a second: record at 10 or more"
        )
    moments = np.arange(times_ms[0] - frame_ms, times_ms[-1] - CLAP_MS + frame_ms, frame_ms)
    likeness = np.array([_likeness(times_ms, blocks, each, frame_ms) for each in moments])
    best = float(likeness.max())
    if best < LIKE:
        raise NoCode(
            f"the code is not seen (most like it: {best:.2f}, needed: {LIKE}): let the spots be in "
            "the picture, and flash it while the video is recorded"
        )
    at = float(moments[int(likeness.argmax())])
    if (likeness[np.abs(moments - at) > _APART_MS] >= LIKE).any():
        raise NoCode("the code is seen more than once: cut the video so that it has one")
    fine = np.arange(at - frame_ms, at + frame_ms, 1.0)
    found = np.array([_likeness(times_ms, blocks, each, frame_ms) for each in fine])
    top = float(found.max())
    # Between two pictures nobody knows: the middle of the moments that are as good.
    return FoundCode(float(fine[found >= top - 1e-9].mean()), frame_ms, top)


def _likeness(times_ms: Floats, blocks: Floats, began_ms: float, frame_ms: float) -> float:
    """How much the block that is most like it is like a code that began at that moment."""
    during = (times_ms >= began_ms - _AROUND_MS) & (times_ms <= began_ms + CLAP_MS + _AROUND_MS)
    if during.sum() < _LEAST_FRAMES:
        return 0.0
    code = _lit(times_ms[during] - began_ms, frame_ms)
    code = code - code.mean()
    shown = blocks[during]
    swings = np.ptp(shown, axis=0) >= _LEAST_SWING
    if not swings.any():
        return 0.0
    shown = shown[:, swings] - shown[:, swings].mean(axis=0)
    like = code @ shown / (np.linalg.norm(code) * np.linalg.norm(shown, axis=0))
    return float(like.max())


def _lit(at_ms: Floats, frame_ms: float) -> Floats:
    """Which part of a picture's time the code is lit, for pictures at these moments of it."""
    lit = np.zeros_like(at_ms)
    for begins, ends in _flashes():
        over = np.minimum(at_ms + frame_ms / 2, ends) - np.maximum(at_ms - frame_ms / 2, begins)
        lit += np.clip(over / frame_ms, 0.0, 1.0)
    return lit


def _flashes() -> Iterator[tuple[int, int]]:
    at = 0
    for number, span in enumerate(Pattern.CLAP.value):
        if number % 2 == 0:
            yield at, at + span
        at += span

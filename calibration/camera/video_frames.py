"""The pictures of a recording or a stream as blocks of brightness, each with its time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np

from calibration.camera.clapper_code import Floats

#: Into this many blocks a picture is divided.
BLOCKS: Final = (32, 18)
_OPEN_MS: Final = 10_000
_READ_MS: Final = 5_000
_MS_PER_S: Final = 1_000
#: So much of a recording is looked at; the code takes seconds.
LONGEST_S: Final = 600.0


class NoVideo(ValueError):
    """The video cannot be read; the text says what to do."""


class Frames(NamedTuple):
    """The times of pictures, and a row of brightnesses for each.

    Times are those of the recording in ms from its beginning; of a stream, wall time in ms of when
    a picture was there.
    """

    times_ms: Floats
    blocks: Floats


def of_recording(path: Path) -> Frames:
    """The pictures of a file. Raises `NoVideo`."""
    return _gathered(str(path), lambda opened: opened.get(cv2.CAP_PROP_POS_MSEC), LONGEST_S, None)


def goes_on(frames: Frames) -> bool:
    """Whether a recording is longer than what was looked at of it."""
    return float(frames.times_ms[-1] - frames.times_ms[0]) > LONGEST_S * _MS_PER_S


def of_stream(address: str, seconds: float, begun: Callable[[], None]) -> Frames:
    """The pictures of a stream for that long; `begun` is called once the first is there.

    Raises `NoVideo`.
    """
    return _gathered(address, lambda _: time.time() * _MS_PER_S, seconds, begun)


def _gathered(
    source: str,
    time_of: Callable[[cv2.VideoCapture], float],
    seconds: float,
    begun: Callable[[], None] | None,
) -> Frames:
    times: list[float] = []
    rows: list[Floats] = []
    for at_ms, row in _read(source, time_of):
        if not times and begun is not None:
            begun()
        times.append(at_ms)
        rows.append(row)
        if at_ms - times[0] > seconds * _MS_PER_S:
            break
    if not times:
        raise NoVideo(f"{source} shows no picture: name a recording, or the address of a stream")
    return Frames(np.array(times), np.array(rows))


def _read(
    source: str, time_of: Callable[[cv2.VideoCapture], float]
) -> Iterator[tuple[float, Floats]]:
    timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_MS]
    opened = cv2.VideoCapture(source, cv2.CAP_FFMPEG, timeouts)
    try:
        while True:
            there, picture = opened.read()
            if not there:
                return
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
            small = cv2.resize(grey, BLOCKS, interpolation=cv2.INTER_AREA)
            yield time_of(opened), small.reshape(-1).astype(np.float64)
    finally:
        opened.release()

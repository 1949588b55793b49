"""What light and lens do to a picture: blur, motion, glare, white balance, noise, JPEG.

Levels have the ranges of the sample frames, a little wider; photographs differ from drawings by a
tone curve, a saturation and the halo of sharpening, so these vary too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


class Distortion(Enum):
    """How much light and lens distort."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Exposure:
    """One exposure. `blur` is a sigma in pixels, `motion` a length in pixels at `motion_angle`
    degrees, `glare` a peak in grey levels, `noise` a sigma in grey levels, `jpeg` a quality, 0 for
    none.
    """

    persp: float
    gain: float
    balance: tuple[float, float, float]
    gamma: float
    saturation: float
    shading: float
    blur: float
    motion: int
    motion_angle: float
    glare: float
    glare_at: tuple[float, float]
    glare_size: tuple[float, float]
    sharpen: float
    noise: float
    jpeg: int


_PERSP: Final = {Distortion.EASY: 0.005, Distortion.MEDIUM: 0.012, Distortion.HARD: 0.021}
_GAIN: Final = {
    Distortion.EASY: (0.83, 1.08),
    Distortion.MEDIUM: (0.62, 1.14),
    Distortion.HARD: (0.42, 1.2),
}
_BALANCE: Final = {Distortion.EASY: 0.09, Distortion.MEDIUM: 0.17, Distortion.HARD: 0.28}
_BLUR: Final = {
    Distortion.EASY: (0.0, 0.45),
    Distortion.MEDIUM: (0.35, 1.1),
    Distortion.HARD: (0.75, 1.6),
}
_NOISE: Final = {
    Distortion.EASY: (1.5, 4.5),
    Distortion.MEDIUM: (2.5, 6.5),
    Distortion.HARD: (3.5, 9.5),
}
_MOTION: Final = {
    Distortion.EASY: (0.0, 0, 0),
    Distortion.MEDIUM: (0.5, 3, 5),
    Distortion.HARD: (0.78, 3, 9),
}
_GLARE: Final = {
    Distortion.EASY: (0.05, 40),
    Distortion.MEDIUM: (0.22, 120),
    Distortion.HARD: (0.4, 200),
}


def choose(rng: np.random.Generator, level: Distortion) -> Exposure:
    """An exposure of a level."""
    share, shortest, longest = _MOTION[level]
    motion = int(rng.integers(shortest, longest + 1)) if rng.random() < share else 0
    share, strongest = _GLARE[level]
    b = _BALANCE[level]
    photograph = rng.random() < 0.4
    return Exposure(
        persp=_PERSP[level] * float(rng.uniform(0.4, 1.0)),
        gain=float(rng.uniform(*_GAIN[level])),
        balance=(float(rng.uniform(1 - b, 1 + b)), 1.0, float(rng.uniform(1 - b, 1 + b))),
        gamma=float(rng.uniform(0.75, 1.35)) if photograph else 1.0,
        saturation=float(rng.uniform(0.6, 1.3)) if photograph else 1.0,
        shading=float(rng.uniform(0.0, 0.28)),
        blur=float(rng.uniform(*_BLUR[level])),
        motion=motion,
        motion_angle=float(rng.choice([90.0, 90.0, rng.uniform(0, 180)])),
        glare=float(rng.uniform(40, strongest + 1)) if rng.random() < share else 0.0,
        glare_at=(float(rng.uniform(0, 1)), float(rng.uniform(0, 1))),
        glare_size=(float(rng.uniform(0.03, 0.16)), float(rng.uniform(0.02, 0.1))),
        sharpen=float(rng.uniform(0.3, 1.2)) if photograph and rng.random() < 0.5 else 0.0,
        noise=float(rng.uniform(*_NOISE[level])),
        jpeg=int(rng.integers(55, 97)) if rng.random() < 0.8 else 0,
    )


def expose(picture: Picture, lens: Exposure, rng: np.random.Generator) -> Picture:
    """The picture as this exposure records it."""
    high, wide = picture.shape[:2]
    # Bytes as long as they can be, then one pass in floating point: training draws many frames.
    exposed = picture
    if lens.motion > 1:
        exposed = np.asarray(
            cv2.filter2D(exposed, -1, _streak(lens.motion, lens.motion_angle)), np.uint8
        )
    if lens.blur > 0.2:
        exposed = np.asarray(cv2.GaussianBlur(exposed, (0, 0), lens.blur), np.uint8)
    gain = np.array(lens.balance, np.float32) * np.float32(lens.gain)
    slope = _gradient(high, wide, float(rng.uniform(0, 360)), lens.shading)
    light: NDArray[np.float32] = np.asarray(
        cv2.multiply(exposed, slope * gain, dtype=cv2.CV_32F), np.float32
    )
    if lens.glare:
        light += _glare(high, wide, lens, rng)[..., None] * gain
    if lens.saturation != 1.0:
        grey = light.mean(axis=2, keepdims=True, dtype=np.float32)
        light = grey + (light - grey) * np.float32(lens.saturation)
    if lens.sharpen:
        soft = np.asarray(cv2.GaussianBlur(light, (0, 0), 1.2), np.float32)
        light += (light - soft) * np.float32(lens.sharpen)
    noise = grain(high, wide, rng)
    shown = np.asarray(cv2.addWeighted(light, 1, noise, lens.noise, 0, dtype=cv2.CV_8U), np.uint8)
    if lens.gamma != 1.0:
        shown = np.asarray(cv2.LUT(shown, _curve(round(lens.gamma, 2))), np.uint8)
    if not lens.jpeg:
        return shown
    _, packed = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, lens.jpeg])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _gradient(high: int, wide: int, angle: float, depth: float) -> NDArray[np.float32]:
    x = np.linspace(-1, 1, wide, dtype=np.float32)[None, :, None] * np.float32(
        np.cos(np.radians(angle))
    )
    y = np.linspace(-1, 1, high, dtype=np.float32)[:, None, None] * np.float32(
        np.sin(np.radians(angle))
    )
    return np.float32(1) - np.float32(depth / 2) * (x + y + np.float32(1))


def _glare(high: int, wide: int, lens: Exposure, rng: np.random.Generator) -> NDArray[np.float32]:
    small = (high // 4, wide // 4)
    y, x = np.mgrid[0 : small[0], 0 : small[1]].astype(np.float32)
    turn = float(rng.uniform(0, np.pi))
    dx, dy = x / small[1] - lens.glare_at[0], y / small[0] - lens.glare_at[1]
    u = (dx * np.cos(turn) + dy * np.sin(turn)) / lens.glare_size[0]
    v = (dy * np.cos(turn) - dx * np.sin(turn)) / lens.glare_size[1]
    spot = np.asarray(lens.glare * np.exp(-(u * u + v * v) / 2), np.float32)
    return np.asarray(cv2.resize(spot, (wide, high), interpolation=cv2.INTER_LINEAR), np.float32)


def _streak(length: int, angle: float) -> NDArray[np.float32]:
    size = length + 1 + length % 2
    kernel = np.zeros((size, size), np.float32)
    middle, half = (size - 1) / 2, (length - 1) / 2
    for t in np.linspace(-half, half, length * 4):
        x = middle + t * np.cos(np.radians(angle))
        y = middle + t * np.sin(np.radians(angle))
        kernel[round(float(y)), round(float(x))] += 1
    return np.asarray(kernel / kernel.sum(), np.float32)


@lru_cache(maxsize=64)
def _curve(gamma: float) -> Picture:
    return np.asarray(np.round(255 * (np.arange(256) / 255) ** gamma), np.uint8)


@lru_cache(maxsize=1)
def _grain_tile() -> NDArray[np.float32]:
    return np.random.default_rng(5).standard_normal((1024, 1280, 3), np.float32)


def grain(high: int, wide: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Noise of sigma one: a random window of one large tile, which is much faster."""
    tile = _grain_tile()
    y = int(rng.integers(tile.shape[0] - high))
    x = int(rng.integers(tile.shape[1] - wide))
    return tile[y : y + high, x : x + wide]


def smear(rng: np.random.Generator, lens: Exposure) -> Exposure:
    """The same exposure with blur or motion far beyond reading."""
    if rng.random() < 0.5:
        return replace(lens, blur=float(rng.uniform(4.5, 8.0)))
    return replace(lens, motion=int(rng.integers(18, 36)), blur=max(lens.blur, 1.0))

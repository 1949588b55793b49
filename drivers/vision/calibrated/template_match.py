"""How alike two pictures of a whole card are, and which of two cards a third is nearer to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.vision.finding.card_edges import Image, darkest_channel, image_of
from drivers.vision.finding.rectified_card import HEIGHT, WHITE, WIDTH, RectifiedCard

_WIDE: Final = WIDTH // 4
_HIGH: Final = HEIGHT // 4
#: Of the small picture, in pixels: about a small index's suit.
_WINDOW: Final = (9, 9)
#: Share of the print by which two captures of the same card may differ.
_SAME: Final = 0.05
#: Differences of level beyond this are not of place: a finger, a shadow, another card.
_OUTLIER: Final = 60.0
#: Noise of a pixel of the small picture, in levels.
_NOISE: Final = 8.0
#: What is glare, in levels: where the camera saturates, but within these limits.
_GLARE: Final = (232.0, 245.0)
#: In pixels of the small picture: what is larger than this is light, not print.
_LIGHT: Final = (21, 21)

FloatImage = NDArray[np.float32]
_TO_UNIT: Final = np.array(
    [[1, 0, -_WIDE / 2 + 0.5], [0, 1, -_HIGH / 2 + 0.5], [0, 0, _HIGH]], np.float64
) / _HIGH  # fmt: skip
_FROM_UNIT: Final = np.linalg.inv(_TO_UNIT)
_X: Final = ((np.mgrid[:_HIGH, :_WIDE][1] - _WIDE / 2 + 0.5) / _HIGH).astype(np.float32)
_Y: Final = ((np.mgrid[:_HIGH, :_WIDE][0] - _HIGH / 2 + 0.5) / _HIGH).astype(np.float32)
_STEPS: Final = 3
#: Less than this, in pixels of the small picture, is no difference of print.
_DIFFERENCE_MIN: Final = 12.0
#: Where indices stand: a third of the width and of the height in two corners.
_CORNERS: Final = np.zeros((_HIGH, _WIDE), np.float32)
_CORNERS[: round(_HIGH * 0.35), : round(_WIDE * 0.3)] = 1
_CORNERS[-round(_HIGH * 0.35) :, -round(_WIDE * 0.3) :] = 1


@dataclass(frozen=True, slots=True)
class PrintTemplate:
    """What of a card is print, in levels; where it is visible (1) or washed out by glare (0).

    `power` is the variance of the window around every point, with the noise's.
    """

    levels: FloatImage
    visible: FloatImage
    power: FloatImage

    @classmethod
    def of(cls, levels: FloatImage, visible: FloatImage) -> PrintTemplate:
        """These levels, with the power of every window."""
        mean = _mean(levels)
        power = np.maximum(_mean(levels * levels) - mean * mean, 0.0) + _NOISE**2
        return cls(levels, visible, np.asarray(power, np.float32))

    def turned(self) -> PrintTemplate:
        """The same card the other way round."""
        half = (slice(None, None, -1), slice(None, None, -1))
        return PrintTemplate(
            *(np.ascontiguousarray(each[half]) for each in (self.levels, self.visible, self.power))
        )


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A card in small, in a byte a pixel: its darkest channel, and where glare begins."""

    dim: Image
    glare: float

    def levels(self) -> tuple[FloatImage, FloatImage]:
        """The levels of its print, without the slow change of light, and where they are visible."""
        level = np.minimum(self.dim, WHITE).astype(np.float32)
        levels = np.asarray(level - cv2.blur(level, _LIGHT), np.float32)
        return levels, (self.dim < self.glare).astype(np.float32)

    def row(self) -> FloatImage:
        """Its levels where they are visible, as `unit_row` gives them."""
        levels, visible = self.levels()
        return unit_row(levels * visible)

    def template(self) -> PrintTemplate:
        """All that a careful comparison needs."""
        return PrintTemplate.of(*self.levels())


def thumbnail_of(card: RectifiedCard) -> Thumbnail:
    """The card in small."""
    small = cv2.resize(card.image, (_WIDE, _HIGH), interpolation=cv2.INTER_AREA)
    glare = min(max(253 * WHITE / max(card.white), _GLARE[0]), _GLARE[1])
    return Thumbnail(darkest_channel(image_of(small)), glare)


def margin(laid: PrintTemplate, best: PrintTemplate, rival: PrintTemplate) -> float:
    """Where the card stands between two of the deck: 1 at the first, 0 half-way, -1 at the rival.

    Measured where the two cards differ by much of what is printed there, as two pips or two digits
    do, and not where one capture is a little sharper than the other.
    """
    return _between(laid, best, rival, _apart(best, rival) * laid.visible)


def margins_apart(
    laid: PrintTemplate, best: PrintTemplate, rival: PrintTemplate
) -> tuple[float | None, float | None]:
    """The same by the index corners alone, and by the rest; None where the two do not differ."""
    weight = _apart(best, rival) * laid.visible
    corners, rest = (
        _between(laid, best, rival, part) if float(part.sum()) >= _DIFFERENCE_MIN else None
        for part in (weight * _CORNERS, weight * (1 - _CORNERS))
    )
    return corners, rest


def _apart(best: PrintTemplate, rival: PrintTemplate) -> FloatImage:
    """Where two cards differ by much of what is printed there, from 0 to 1."""
    differ = best.levels - rival.levels
    share = _mean(differ * differ) / (best.power + rival.power)
    weight = np.clip((share - _SAME) / _SAME, 0, 1) * best.visible * rival.visible
    return np.asarray(weight, np.float32)


def _between(
    laid: PrintTemplate, best: PrintTemplate, rival: PrintTemplate, weight: FloatImage
) -> float:
    differ = best.levels - rival.levels
    away = differ * weight
    blur = np.asarray(cv2.Laplacian(best.levels, cv2.CV_32F), np.float32) * weight
    away -= (blur * away).sum() / max(float((blur * blur).sum()), 1.0) * blur
    off = laid.levels - (best.levels + rival.levels) / 2
    return float(2 * (off * away).sum() / max(float((differ * away).sum()), 1.0))


def _mean(plane: FloatImage) -> FloatImage:
    return np.asarray(cv2.blur(plane, _WINDOW), np.float32)


def registered(template: PrintTemplate, to: PrintTemplate) -> PrintTemplate:
    """`template` laid over `to`: what the fit of its edges left is taken out (Lucas and Kanade)."""
    weight = (template.visible * to.visible).ravel()
    across, down = _slopes(to.levels)
    along = across * _X + down * _Y
    ways = (across * _X, across * _Y, across, down * _X, down * _Y, down, along * _X, along * _Y)
    rows = np.stack([way.ravel() for way in ways])
    rows *= weight
    pull = rows @ rows.T
    pull[np.diag_indices_from(pull)] *= 1.01
    back = np.linalg.inv(pull) @ rows
    warp = np.eye(3)
    levels, clear = template.levels, template.visible
    for _ in range(_STEPS):
        off = to.levels - levels
        step = back @ (off / (1 + (off / _OUTLIER) ** 2)).ravel()
        xx, xy, x, yx, yy, y, px, py = (float(value) for value in step)
        warp = warp @ np.array([[1 + xx, xy, x], [yx, 1 + yy, y], [-px, -py, 1]])
        matrix = _FROM_UNIT @ warp @ _TO_UNIT
        levels, clear = _warped(template.levels, matrix), _warped(template.visible, matrix)
    return PrintTemplate.of(levels, np.asarray(clear > 0.99, np.float32))


def _warped(plane: FloatImage, matrix: NDArray[np.float64]) -> FloatImage:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    made = cv2.warpPerspective(
        plane, matrix, (_WIDE, _HIGH), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(made, np.float32)


def _slopes(levels: FloatImage) -> tuple[FloatImage, FloatImage]:
    """Change of level in units of the card's height, across and down."""
    across = cv2.Sobel(levels, cv2.CV_32F, 1, 0, ksize=3, scale=_HIGH / 8)
    down = cv2.Sobel(levels, cv2.CV_32F, 0, 1, ksize=3, scale=_HIGH / 8)
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def unit_row(levels: FloatImage) -> FloatImage:
    """The picture as one row of length 1: two such rows multiplied are a correlation."""
    flat = levels.ravel()
    return np.asarray(flat / max(float(np.linalg.norm(flat)), 1.0), np.float32)

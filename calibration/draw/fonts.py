"""Faces for indices: the fonts of Debian's packages, and one that is drawn stroke by stroke.

A face turns a text into a mask. Fonts are distinguished by design, not by file: TeX Gyre Heros and
Nimbus Sans are one design, so both stand on the same side of the training split.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from calibration.draw import strokes

Mask = NDArray[np.uint8]

ROOTS: Final = (Path("/usr/share/fonts"), Path("/usr/share/texmf/fonts"))
PACKAGES: Final = (
    "fonts-dejavu", "fonts-liberation", "fonts-freefont-ttf", "fonts-texgyre",
    "fonts-urw-base35", "fonts-noto-core", "fonts-open-sans", "fonts-roboto",
)  # fmt: skip
_PIXELS: Final = 150  # the size at which a font is drawn before it is scaled


class DesignSplit(Enum):
    """Which part of the fonts and the art: to learn from, held back to measure, or all."""

    TRAIN = "train"
    HELD = "held"
    ALL = "all"


class MissingPackage(RuntimeError):
    """A font or an art package is not installed; the message names what to install."""


# One design a line; what is held back is a third, and of every kind: serif, sans, narrow, slab.
_TRAIN: Final = (
    ("DejaVuSans-Bold.ttf", "DejaVuSans.ttf"),
    ("DejaVuSansCondensed-Bold.ttf", "DejaVuSansCondensed.ttf"),
    ("DejaVuSansMono-Bold.ttf",),
    ("LiberationSans-Bold.ttf", "LiberationSans-Regular.ttf", "FreeSansBold.ttf", "FreeSans.ttf",
     "texgyreheros-bold.otf", "texgyreheros-regular.otf", "NimbusSans-Bold.otf"),
    ("LiberationSansNarrow-Bold.ttf", "LiberationSansNarrow-Regular.ttf",
     "texgyreheroscn-bold.otf", "NimbusSansNarrow-Bold.otf", "NimbusSansNarrow-Regular.otf"),
    ("LiberationSerif-Bold.ttf", "LiberationSerif-Regular.ttf", "FreeSerifBold.ttf",
     "texgyretermes-bold.otf", "NimbusRoman-Bold.otf", "NimbusRoman-Regular.otf"),
    ("LiberationSerif-BoldItalic.ttf", "NimbusRoman-BoldItalic.otf"),
    ("LiberationMono-Bold.ttf", "NimbusMonoPS-Bold.otf", "FreeMonoBold.ttf",
     "texgyrecursor-bold.otf"),
    ("texgyrebonum-bold.otf", "texgyrebonum-regular.otf", "URWBookman-Demi.otf",
     "URWBookman-Light.otf"),
    ("texgyreadventor-bold.otf", "texgyreadventor-regular.otf", "URWGothic-Demi.otf"),
    ("NotoSans-Bold.ttf", "NotoSans-Regular.ttf"),
    ("NotoSansDisplay-Bold.ttf", "NotoSansDisplay-Regular.ttf"),
    ("NotoSerifDisplay-Bold.ttf", "NotoSerifDisplay-Regular.ttf"),
    ("Roboto-Black.ttf", "Roboto-Bold.ttf", "Roboto-Medium.ttf", "Roboto-Regular.ttf"),
    ("OpenSans-CondBold.ttf",),
)  # fmt: skip
_HELD: Final = (
    ("DejaVuSerif-Bold.ttf", "DejaVuSerif.ttf"),
    ("DejaVuSerifCondensed-Bold.ttf",),
    ("texgyreschola-bold.otf", "texgyreschola-regular.otf", "C059-Bold.otf", "C059-Roman.otf"),
    ("texgyrepagella-bold.otf", "texgyrepagella-regular.otf", "P052-Bold.otf"),
    ("NotoSerif-Bold.ttf", "NotoSerif-Regular.ttf"),
    ("OpenSans-Bold.ttf", "OpenSans-Semibold.ttf", "OpenSans-Regular.ttf",
     "OpenSans-ExtraBold.ttf"),
    ("RobotoCondensed-Bold.ttf", "RobotoCondensed-Regular.ttf", "RobotoCondensed-Medium.ttf"),
)  # fmt: skip


def designs(split: DesignSplit) -> tuple[tuple[str, ...], ...]:
    """The designs of one side of the split; each is the file names of its cuts."""
    return {DesignSplit.TRAIN: _TRAIN, DesignSplit.HELD: _HELD, DesignSplit.ALL: _TRAIN + _HELD}[
        split
    ]


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    return {
        path.name: path for root in ROOTS if root.is_dir() for path in sorted(root.rglob("*.?tf"))
    }


def file_of(name: str) -> Path:
    """Where a font lies.

    Raises:
        MissingPackage: It is not installed.
    """
    if (found := _files().get(name)) is None:
        raise MissingPackage(f"the font {name} is missing: install {', '.join(PACKAGES)}")
    return found


@dataclass(frozen=True, slots=True)
class Face:
    """How the indices of a deck are lettered.

    `font` is a file name, or None for the face drawn by strokes from `seed`. `stretch` is the
    width as a share of the font's own, `tracking` the space between letters as a share of their
    height, `embolden` pixels of extra weight at the drawing size, `slant` how far the top leans to
    the right as a share of the height, `bend` the seed of slight dents and swellings, 0 for none.
    """

    font: str | None
    stretch: float = 1.0
    tracking: float = 0.04
    embolden: int = 0
    seed: int = 0
    slant: float = 0.0
    bend: int = 0

    @property
    def name(self) -> str:
        """The font's file name, or what the strokes were drawn from."""
        return self.font or f"strokes:{self.seed}"

    def mask(self, text: str, height: int) -> Mask:
        """The text as ink coverage (0 to 255), cut tight, `height` pixels high."""
        letters = [_letter(self, each) for each in text]
        gap = np.zeros((letters[0].shape[0], max(1, round(self.tracking * _PIXELS))), np.uint8)
        parts: list[Mask] = []
        for each in letters:
            parts += [each, gap]
        line = _tight(bent(_slanted(np.hstack(parts[:-1]), self.slant), self.bend))
        width = max(2, round(line.shape[1] * height / line.shape[0] * self.stretch))
        return np.asarray(
            cv2.resize(line, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8
        )


def _slanted(line: Mask, slant: float) -> Mask:
    """The letters leaning to the right by a share of their height."""
    if not slant:
        return line
    room = round(abs(slant) * line.shape[0]) + 1
    wide = np.pad(line, ((0, 0), (room, room)))
    lean = np.array([[1, -slant, slant * line.shape[0] / 2], [0, 1, 0]], np.float32)
    return np.asarray(cv2.warpAffine(wide, lean, wide.shape[::-1]), np.uint8)


def bent(ink: Mask, seed: int, amount: float = 0.022) -> Mask:
    """The same shape, each part moved a little: dies and printers differ more than fonts do.

    `amount` is the spread of the movement as a share of the height; seed 0 changes nothing.
    """
    if not seed:
        return ink
    rng = np.random.default_rng([seed, 6])
    room = max(4, ink.shape[0] // 10)
    wide = np.pad(ink, room)
    high, across = wide.shape
    x, y = np.meshgrid(np.arange(across, dtype=np.float32), np.arange(high, dtype=np.float32))
    spread, size = amount * ink.shape[0], (4, max(3, round(4 * across / high)))
    by_x, by_y = (
        cv2.resize(
            (rng.standard_normal(size) * spread).astype(np.float32),
            (across, high),
            interpolation=cv2.INTER_CUBIC,
        )
        for _ in range(2)
    )
    return np.asarray(cv2.remap(wide, x + by_x, y + by_y, cv2.INTER_LINEAR), np.uint8)


@lru_cache(maxsize=4096)
def _letter(face: Face, letter: str) -> Mask:
    """One letter on a line of fixed height, cut tight at its sides only."""
    if face.font is None and strokes.knows(letter):
        line = strokes.letter(letter, face.seed, _PIXELS)
    else:
        font = _font(face.font or "DejaVuSans-Bold.ttf")
        picture = Image.new("L", (_PIXELS * 2, _PIXELS * 2))
        ImageDraw.Draw(picture).text(
            (_PIXELS // 3, 8), letter, fill=255, font=font, stroke_width=face.embolden
        )
        line = np.asarray(picture, dtype=np.uint8)
    columns = np.flatnonzero(line.max(axis=0) > 40)
    if not len(columns):
        raise MissingPackage(f"the font {face.name} has no {letter!r}")
    return line[:, columns[0] : columns[-1] + 1]


@lru_cache(maxsize=256)
def _font(name: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(file_of(name)), _PIXELS)


def _tight(mask: Mask) -> Mask:
    rows = np.flatnonzero(mask.max(axis=1) > 40)
    columns = np.flatnonzero(mask.max(axis=0) > 40)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def choose(rng: np.random.Generator, split: DesignSplit) -> Face:
    """A face from a seed: three in ten are drawn by strokes, the others are fonts."""
    stretch = float(rng.uniform(0.72, 1.12))
    tracking = float(rng.uniform(-0.04, 0.12))
    if rng.random() < 0.3:
        # Strokes are made of numbers; the two sides never share a seed.
        seed = int(rng.integers(1, 1 << 20)) * 2 + (split is DesignSplit.HELD)
        return Face(None, stretch, tracking, 0, seed)
    slant = float(rng.uniform(-0.04, 0.2)) if rng.random() < 0.12 else 0.0
    bend = int(rng.integers(1, 1 << 30)) if rng.random() < 0.5 else 0
    several = designs(split)
    cuts = several[int(rng.integers(len(several)))]
    font = cuts[int(rng.integers(len(cuts)))]
    if "Narrow" in font or "Cond" in font or "heroscn" in font:
        stretch = max(stretch, 0.9)
    weight = int(rng.choice([0, 0, 0, 1, 2, 4]))
    return Face(font, stretch, tracking, weight, 0, slant, bend)

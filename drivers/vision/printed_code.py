"""A printed code on the face of a card: zbar, and zxing-cpp as a second decoder where installed.

A decoder that is let loose finds codes that are none (zbar reads Code 128 out of noise), so only
the deck's kinds of code are looked for, only where the deck has them, and a text counts only when
the code book knows it and no other text was found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, Final

import cv2
import numpy as np

from controller.devices.inputs import Doubt
from drivers.code_book import Code, CodeBook
from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.finding.rectified_card import RectifiedCard

#: AIM letter: zbar's name (None: it cannot), zxing-cpp's name.
KINDS: Final[dict[str, tuple[str | None, str]]] = {
    "C": ("CODE128", "Code128"),
    "A": ("CODE39", "Code39"),
    "I": ("I25", "ITF"),
    "Q": ("QRCODE", "QRCode"),
    "d": (None, "DataMatrix"),
}
#: A decoder wants three pixels a module: a code is looked at so much enlarged.
_ENLARGED: Final = 2
_MARGIN: Final = 8

_Decoder = Callable[[Image], set[str]]


class PrintedCodeError(Exception):
    """Printed codes cannot be read here; the text says what to install or change."""


@dataclass(frozen=True, slots=True)
class CodeArea:
    """Where on the card the code is, as shares of its width and height from the upper left."""

    left: float
    top: float
    right: float
    bottom: float

    def __post_init__(self) -> None:
        if not (0 <= self.left < self.right <= 1 and 0 <= self.top < self.bottom <= 1):
            raise ValueError("a region is left, top, right, bottom from 0 to 1, in this order")


class PrintedCodeReader:
    """Reads the printed code of a card. `symbologies` are AIM letters, as for the scanner."""

    def __init__(self, book: CodeBook, symbologies: tuple[str, ...], region: CodeArea) -> None:
        """Choose the decoders; raises `PrintedCodeError`."""
        if unknown := set(symbologies) - KINDS.keys():
            raise PrintedCodeError(
                f"symbologies: no camera reads {min(unknown)!r}: choose of {', '.join(KINDS)}"
            )
        self._book = book
        self._region = region
        self._decoders = [each for each in (_zbar(symbologies), _zxing(symbologies)) if each]
        if not self._decoders:
            raise PrintedCodeError(
                "symbologies: of these zbar reads none: install zxing-cpp"
                " (pip install 'tablectl[codes]')"
            )

    def read(self, frame: Image, card: RectifiedCard) -> Code | Doubt:
        """The code of the card that was found in `frame`, or why there is none."""
        cut = self._cut(frame, card)
        texts = set().union(*(decode(cut) for decode in self._decoders))
        if not texts:
            return Doubt.NO_CODE
        if len(texts) > 1:
            return Doubt.CONFLICT
        code = self._book.look_up(texts.pop())
        return Doubt.UNKNOWN_CODE if isinstance(code, Code) and code.kind is None else code

    def _cut(self, frame: Image, card: RectifiedCard) -> Image:
        """The region of the card, upright as in the frame, enlarged, with a quiet margin."""
        region = self._region
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        box = unit * np.array([region.right - region.left, region.bottom - region.top], np.float32)
        box += np.array([region.left, region.top], np.float32)
        to = cv2.getPerspectiveTransform(unit, card.quad)
        area = cv2.perspectiveTransform(box[None], to)[0]
        height, width = frame.shape[:2]
        low = np.maximum(np.floor(area.min(axis=0)).astype(int) - _MARGIN, 0)
        high = np.minimum(np.ceil(area.max(axis=0)).astype(int) + _MARGIN, [width, height])
        grey = cv2.cvtColor(frame[low[1] : high[1], low[0] : high[0]], cv2.COLOR_BGR2GRAY)
        return image_of(
            cv2.resize(grey, None, fx=_ENLARGED, fy=_ENLARGED, interpolation=cv2.INTER_CUBIC)
        )


def _zbar(symbologies: tuple[str, ...]) -> _Decoder | None:
    names = [name for name, _ in (KINDS[letter] for letter in symbologies) if name]
    if not names:
        return None
    try:
        pyzbar = import_module("pyzbar.pyzbar")
    except ImportError as error:
        raise PrintedCodeError("zbar is missing: install Debian's libzbar0") from error
    wanted = [pyzbar.ZBarSymbol[name] for name in names]
    return partial(_texts_of_zbar, pyzbar.decode, wanted)


def _texts_of_zbar(decode: Callable[..., Any], wanted: list[Any], cut: Image) -> set[str]:
    return {_text(found.data) for found in decode(cut, symbols=wanted)}


def _zxing(symbologies: tuple[str, ...]) -> _Decoder | None:
    try:
        zxingcpp = import_module("zxingcpp")
    except ImportError:
        return None
    wanted = zxingcpp.barcode_formats_from_str("|".join(KINDS[each][1] for each in symbologies))
    return partial(_texts_of_zxing, zxingcpp.read_barcodes, wanted, frozenset(symbologies))


def _texts_of_zxing(
    decode: Callable[..., Any], wanted: Any, letters: frozenset[str], cut: Image
) -> set[str]:
    found = decode(cut, formats=wanted)
    return {each.text for each in found if each.symbology_identifier[1:2] in letters}


def _text(data: bytes) -> str:
    """What the code holds; bytes that are no ASCII are in no code book."""
    return data.decode("ascii", "replace")

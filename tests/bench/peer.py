"""A peer's detector on the same frames: EdjeElectronics' OpenCV-Playing-Card-Detector.

Nothing of it is here: its `Cards.py` and `Card_Imgs` are loaded from a checkout, as they are. It
was written for OpenCV 3, whose `findContours` gives one value more; it is given one that does.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import cv2
import numpy as np

from calibration.measure_frames import LabelledFrame
from calibration.outcomes import ReadingReport
from controller.rules.cards import Card, card
from drivers.vision.finding.card_edges import Image

VARIABLE: Final = "PEER"
#: What it came to when it was measured for the project: about 2,000 frames of other decks.
KNOWN: Final = "7.8 % right, 1.1 % misread as shipped (retrained for each deck 33.5 %, 7.3 %), 1 ms"
HOW_TO: Final = (
    "git clone https://github.com/EdjeElectronics/OpenCV-Playing-Card-Detector DIR,"
    " then make bench PEER=DIR"
)
_RANKS: Final = {
    "Ace": "A", "Two": "2", "Three": "3", "Four": "4", "Five": "5", "Six": "6", "Seven": "7",
    "Eight": "8", "Nine": "9", "Ten": "T", "Jack": "J", "Queen": "Q", "King": "K",
}  # fmt: skip
_SUITS: Final = {"Spades": "s", "Diamonds": "d", "Clubs": "c", "Hearts": "h"}


class PeerError(Exception):
    """The peer cannot be used; the text says why."""


class _OpenCV3(ModuleType):
    """OpenCV as it is, but for the call whose result has changed since the peer was written."""

    def __getattr__(self, name: str) -> Any:
        return getattr(cv2, name)

    @staticmethod
    def findContours(image: Image, *how: Any) -> tuple[Image, Any, Any]:  # noqa: N802
        """As OpenCV 3 had it: the picture, the contours, their tree."""
        contours, tree = cv2.findContours(image.copy(), *how)
        return image, contours, tree


class Peer:
    """The detector of a checkout, as its `CardDetector.py` uses it on one frame."""

    def __init__(self, folder: Path) -> None:
        """Load it. Raises `PeerError`."""
        self._cards = _module(folder / "Cards.py")
        images = f"{folder / 'Card_Imgs'}/"
        self._ranks = self._cards.load_ranks(images)
        self._suits = self._cards.load_suits(images)
        missing = [each.name for each in (*self._ranks, *self._suits) if each.img is None]
        if missing:
            raise PeerError(f"{images}: no picture of {', '.join(missing)}")

    def read(self, frame: Image) -> Card | None:
        """The card that it names in `frame`; None where it names none, or several."""
        named: set[Card] = set()
        # Its arithmetic is of a time when a byte plus a number was a number.
        with np.errstate(over="ignore"):
            contours, is_card = self._cards.find_cards(self._cards.preprocess_image(frame))
            for contour, yes in zip(contours, is_card, strict=True):
                if yes:
                    found = self._cards.preprocess_card(contour, frame)
                    rank, suit, *_ = self._cards.match_card(found, self._ranks, self._suits)
                    if rank in _RANKS and suit in _SUITS:
                        named.add(card(_RANKS[rank] + _SUITS[suit]))
        return named.pop() if len(named) == 1 else None


def _module(path: Path) -> Any:
    """The peer's module, which sees our OpenCV."""
    if not path.is_file():
        raise PeerError(f"{path} is not there: {HOW_TO}")
    spec = importlib.util.spec_from_file_location("peer_cards", path)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.cv2 = _OpenCV3("cv2")
    return module


def measure(peer: Peer, shown: Iterable[LabelledFrame]) -> tuple[ReadingReport, int]:
    """What it tells of these frames, and in how many it broke off, which count as not told."""
    report, broken = ReadingReport(), 0
    for each in shown:
        began_s = time.perf_counter()
        try:
            reading = peer.read(each.picture)
        except (cv2.error, IndexError, ValueError):
            reading, broken = None, broken + 1
        report.add(each.case, reading, "", (time.perf_counter() - began_s) * 1000)
    return report, broken

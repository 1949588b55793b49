"""What the reader saw in one picture: a card, or why not; and the evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2

from controller.rules.cards import Card
from drivers.vision.abstention import Why
from drivers.vision.alphabet import IndexStyle
from drivers.vision.card_edges import Image
from drivers.vision.rectified_card import RectifiedCard

#: Longest side of the evidence in pixels, and its JPEG quality: 4 to 8 kB.
EVIDENCE_SIDE: Final = 280
EVIDENCE_QUALITY: Final = 80


@dataclass(frozen=True, slots=True, repr=False)
class Sight:
    """One picture, read. Exactly one of `card` and `why` is None; its repr tells no card.

    `confidence` is from 0 to 1, None without a card; `text` and `style` are what the index said,
    empty and None where it was not the index that told (or both styles print it alike); `sheet`
    is the card itself, None where none was found.
    """

    card: Card | None
    confidence: float | None
    why: Why | None
    text: str = ""
    style: IndexStyle | None = None
    sheet: RectifiedCard | None = field(default=None, compare=False)
    frame: Image | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if (self.card is None) is not (self.why is not None and self.confidence is None):
            raise ValueError("a sight has either a card with its confidence, or a why")

    def __repr__(self) -> str:
        return "<sight>"

    def evidence(self) -> bytes:
        """The card, or without one the whole frame, as a JPEG of a few kB; may be empty."""
        picture = self.sheet.image if self.sheet else self.frame
        if picture is None:
            return b""
        scale = EVIDENCE_SIDE / max(picture.shape[:2])
        size = (max(round(picture.shape[1] * scale), 1), max(round(picture.shape[0] * scale), 1))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        done, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, EVIDENCE_QUALITY])
        return bytes(jpeg) if done else b""

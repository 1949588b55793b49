"""What one frame shows: a card, or why none; and the JPEG that is kept as evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2

from controller.devices.inputs import Doubt
from controller.rules.cards import Card
from drivers.vision.alphabet import PrintedStyle, style_of
from drivers.vision.finding.card_edges import Image
from drivers.vision.finding.rectified_card import RectifiedCard

#: Longest side of the evidence in pixels, and its JPEG quality: 4 to 8 kB, and every pip is seen.
EVIDENCE_SIDE: Final = 280
EVIDENCE_QUALITY: Final = 80
FRAME_QUALITY: Final = 90


@dataclass(frozen=True, slots=True, repr=False)
class FrameReading:
    """A card, or the doubt that says why none. It may tell a hidden card: there is no repr.

    `confidence` is from 0 to 1; `index_text` what the index said, empty where it was not the index
    that told the card; `rectified` the card itself, None where none was found. `evidence` is a
    JPEG of a few kB, made where a reading is reported; `frame` the whole picture as JPEG, empty
    where it is not to be kept. Raises `ValueError` unless exactly one of
    `card` and `doubt` is there.
    """

    card: Card | None
    doubt: Doubt | None = None
    confidence: float = 0.0
    index_text: str = ""
    rectified: RectifiedCard | None = field(default=None, compare=False)
    evidence: bytes = b""
    frame: bytes = field(default=b"", compare=False)

    def __post_init__(self) -> None:
        if (self.card is None) is (self.doubt is None):
            raise ValueError("a frame has either a card or a doubt")

    def __repr__(self) -> str:
        return "<frame reading>"

    @property
    def style(self) -> PrintedStyle | None:
        """Finnish or Anglo, where the index is printed by one of them alone; else None."""
        return style_of(self.index_text)


def evidence_jpeg(image: Image) -> bytes:
    """An image as a JPEG of a few kB; empty if it cannot be encoded."""
    scale = EVIDENCE_SIDE / max(image.shape[:2])
    size = (max(round(image.shape[1] * scale), 1), max(round(image.shape[0] * scale), 1))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    done, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, EVIDENCE_QUALITY])
    return bytes(jpeg) if done else b""


def frame_jpeg(frame: Image) -> bytes:
    """A whole frame as a JPEG in its own size; empty if it cannot be encoded."""
    done, jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, FRAME_QUALITY])
    return bytes(jpeg) if done else b""

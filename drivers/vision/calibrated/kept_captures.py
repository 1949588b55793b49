"""What a deck keeps of each of its captures, written beside them: a start looks at none again.

A hundred captures take 1.7 s to find cards in; to see that they are the same ones takes 0.1.
Calibration writes the file, and its certificate covers it as it does the pictures. It begins with
one digest of all that it stands for: the pictures and their names, the code that looks at them,
the libraries and the machine that it runs on, and what follows. Where any of it has changed the
file is nothing, and the pictures are looked at again.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.rules.cards import Card
from drivers.vision.calibrated.drift import CardAppearance, appearance_of
from drivers.vision.calibrated.template_match import Thumbnail, thumbnail_of
from drivers.vision.finding.card_edges import Points
from drivers.vision.finding.rectified_card import RectifiedCard

FILE: Final = "captures.bin"
_DIGEST_BYTES: Final = hashlib.sha256().digest_size
_THUMBNAIL: Final = (100, 70)
_ROW: Final = np.dtype(
    [("glare", "<f8"), ("white", "<f8", 3), ("focus", "<f8"), ("height_px", "<f8"),
     ("quad", "<f4", (4, 2)), ("dim", "u1", _THUMBNAIL)]
)  # fmt: skip
_VISION: Final = Path(__file__).parent.parent
#: Whatever makes of a picture what is kept of it lies in these; a test holds their imports to it.
CODE: Final = ("finding/*.py", "calibrated/*.py", "order.py")


@dataclass(frozen=True, slots=True)
class DeckCapture:
    """What a deck keeps of a capture: the card in small, how it looked, and its corners in pixels
    of the frame.
    """

    card: Card
    thumbnail: Thumbnail
    appearance: CardAppearance
    quad: Points

    @classmethod
    def of(cls, kind: Card, card: RectifiedCard) -> DeckCapture:
        """What is kept of this picture of `kind`."""
        return cls(kind, thumbnail_of(card), appearance_of(card), card.quad)


def write_kept(folder: Path, files: Sequence[Path], captures: Iterable[DeckCapture]) -> None:
    """Write what is kept of these files, in their order. Raises `OSError`."""
    rows = np.array([_row(each) for each in captures], _ROW)
    assert len(rows) == len(files), "one capture a file"
    (folder / FILE).write_bytes(_digest(files, rows.tobytes()) + rows.tobytes())


def read_kept(folder: Path, files: Sequence[Path], kinds: Sequence[Card]) -> list[DeckCapture]:
    """What was kept of these files, which are of these cards; empty where it is not of just them.

    Raises `OSError` where a picture cannot be read.
    """
    path = folder / FILE
    if not path.exists() or path.stat().st_size != _DIGEST_BYTES + len(files) * _ROW.itemsize:
        return []
    content = path.read_bytes()
    digest, rows = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    if digest != _digest(files, rows):
        return []
    return [
        DeckCapture(
            kind,
            Thumbnail(row["dim"], float(row["glare"])),
            CardAppearance(
                (float(row["white"][0]), float(row["white"][1]), float(row["white"][2])),
                float(row["focus"]), float(row["height_px"]),
            ),
            row["quad"],
        )
        for kind, row in zip(kinds, np.frombuffer(rows, _ROW), strict=True)
    ]  # fmt: skip


def _row(kept: DeckCapture) -> tuple[object, ...]:
    looked = kept.appearance
    return (
        kept.thumbnail.glare, looked.white, looked.focus, looked.height_px, kept.quad,
        kept.thumbnail.dim,
    )  # fmt: skip


def _digest(files: Sequence[Path], rows: bytes) -> bytes:
    """Of all that the rows stand for, and of the rows. Raises `OSError`."""
    found = hashlib.sha256(f"{cv2.__version__} {np.__version__} {platform.machine()}\n".encode())
    parts = sorted(path for each in CODE for path in _VISION.glob(each))
    for path in (*parts, *files):
        # By the length of each name and a digest of each content: no two sets of files read alike.
        name = path.name.encode()
        found.update(len(name).to_bytes(2) + name)
        with path.open("rb") as file:
            found.update(hashlib.file_digest(file, "sha256").digest())
    found.update(rows)
    return found.digest()

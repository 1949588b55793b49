"""The table's own deck: captures of every card, and the match of a whole card with them.

A reader of its own kind: it knows no alphabet, it compares pictures. What calibration writes is a
folder with `deck.json` and one or more captures of each card, `<card>-<n>.png` (`Th-1.png`,
`Jo-2.png`): a frame of the camera, or, higher than wide, the card alone.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.rules.cards import Card, CardError, card
from drivers.vision.alphabet import Style
from drivers.vision.edges import Image
from drivers.vision.sheet import HEIGHT, WHITE, WIDTH, Sheet, find, of_card
from drivers.vision.why import Unread

CAPTURES_MAX: Final = 1000
FILE_BYTES_MAX: Final = 8_000_000
_NAME: Final = re.compile(r"([A-Za-z0-9]+)-([0-9]+)\.png")
_WIDE: Final = WIDTH // 5
_HIGH: Final = HEIGHT // 5
#: In pixels of the small picture: what is larger than this is light, not print.
_LIGHT: Final = (25, 25)

_Features = NDArray[np.float32]


class DeckError(Exception):
    """A calibrated deck cannot be used; the text says what to change."""


@dataclass(frozen=True, slots=True)
class Match:
    """How a card compares with the deck.

    `likeness` is the correlation with the best capture (1: the same picture). `margin` places the
    card between that capture and the best one of any other card: 1 is at the first, 0 half-way.
    """

    card: Card
    likeness: float
    margin: float
    second: Card | None


class Deck:
    """The captures of one deck, ready to be compared. `style` is None where it was not told."""

    def __init__(self, captures: list[tuple[Card, Sheet]], style: Style | None) -> None:
        self.style = style
        self.cards = tuple(each for each, _ in captures)
        self._kinds = {kind: at for at, kind in enumerate(dict.fromkeys(self.cards))}
        self._of = np.array([self._kinds[kind] for kind in self.cards])
        self._pictures = np.stack([_features(sheet.image) for _, sheet in captures])
        self._alike = self._pictures @ self._pictures.T

    def match(self, sheet: Sheet) -> Match:
        """The card of the deck that is most like this one."""
        likeness = self._pictures @ _features(sheet.image)
        best = int(likeness.argmax())
        others = np.flatnonzero(self._of != self._of[best])
        if not len(others):
            return Match(self.cards[best], float(likeness[best]), 0.0, None)
        apart = np.maximum(1 - self._alike[best, others], 1e-3)
        margins = (likeness[best] - likeness[others]) / apart
        at = int(margins.argmin())
        second = self.cards[int(others[at])]
        return Match(self.cards[best], float(likeness[best]), float(margins[at]), second)


def load_deck(folder: Path) -> Deck:
    """The deck that calibration wrote into `folder`; raises `DeckError`."""
    style = _style(_described(folder / "deck.json"))
    files = sorted(path for path in folder.iterdir() if path.suffix == ".png")
    if not files:
        raise DeckError(f"{folder} holds no captures: calibrate the camera with this deck")
    if len(files) > CAPTURES_MAX:
        raise DeckError(f"{folder} holds more than {CAPTURES_MAX} captures: take the surplus away")
    return Deck([_capture(path) for path in files], style)


def _described(path: Path) -> dict[str, Any]:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DeckError(
            f"{path} cannot be read ({error.strerror}): give a folder that calibration wrote"
        ) from error
    except ValueError as error:
        raise DeckError(f"{path} is no JSON: calibrate the camera with this deck again") from error
    if not isinstance(said, dict):
        raise DeckError(f"{path} is no JSON object: calibrate the camera with this deck again")
    return said


def _style(said: dict[str, Any]) -> Style | None:
    style = said.get("style")
    if style in (None, "any"):
        return None
    try:
        return Style(style)
    except ValueError:
        raise DeckError(f'deck.json: style is "finnish", "anglo" or "any", not {style!r}') from None


def _capture(path: Path) -> tuple[Card, Sheet]:
    named = _NAME.fullmatch(path.name)
    try:
        kind = card(named[1]) if named else None
    except CardError:
        kind = None
    if kind is None:
        raise DeckError(f"{path}: a capture is named <card>-<n>.png, as in Th-1.png or Jo-1.png")
    if path.stat().st_size > FILE_BYTES_MAX:
        raise DeckError(f"{path} is larger than {FILE_BYTES_MAX} bytes: capture it again")
    picture = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise DeckError(f"{path} is no picture: capture this card again")
    seen = _seen(np.asarray(picture, np.uint8))
    if isinstance(seen, Unread):
        raise DeckError(f"{path}: {seen.why.value}: capture this card again")
    return kind, seen


def _seen(picture: Image) -> Sheet | Unread:
    return of_card(picture) if picture.shape[0] > picture.shape[1] else find(picture)


def _features(image: Image) -> _Features:
    """What of a card is print: its darkness and its redness without the slow change of light."""
    small = cv2.resize(image, (_WIDE, _HIGH), interpolation=cv2.INTER_AREA)
    blue, green, red = cv2.split(np.minimum(small, WHITE).astype(np.float32))
    planes = [cv2.min(cv2.min(blue, green), red), red]
    print_ = np.stack([plane - cv2.blur(plane, _LIGHT) for plane in planes])
    flat = print_.astype(np.float32).ravel()
    length = float(np.linalg.norm(flat))
    return flat / max(length, 1.0)

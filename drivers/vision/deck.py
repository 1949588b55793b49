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
from typing import Any, Final, NamedTuple

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
_WIDE: Final = WIDTH // 4
_HIGH: Final = HEIGHT // 4
#: So many of the likeliest cards are compared with care.
_RIVALS: Final = 4
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

_Plane = NDArray[np.float32]
_TO_UNIT: Final = np.array(
    [[1, 0, -_WIDE / 2 + 0.5], [0, 1, -_HIGH / 2 + 0.5], [0, 0, _HIGH]], np.float64
) / _HIGH  # fmt: skip
_FROM_UNIT: Final = np.linalg.inv(_TO_UNIT)
_X: Final = ((np.mgrid[:_HIGH, :_WIDE][1] - _WIDE / 2 + 0.5) / _HIGH).astype(np.float32)
_Y: Final = ((np.mgrid[:_HIGH, :_WIDE][0] - _HIGH / 2 + 0.5) / _HIGH).astype(np.float32)
_STEPS: Final = 3


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


@dataclass(frozen=True, slots=True)
class _Print:
    """What of a card is print, in levels; where it is seen (1) or washed out by glare (0).

    `mean` and `power` (variance, with the noise's) are those of the window around every point.
    """

    levels: _Plane
    seen: _Plane
    mean: _Plane
    power: _Plane

    @classmethod
    def of(cls, levels: _Plane, seen: _Plane) -> _Print:
        mean = _mean(levels)
        power = np.maximum(_mean(levels * levels) - mean * mean, 0.0) + _NOISE**2
        return cls(levels, seen, mean, np.asarray(power, np.float32))


class Deck:
    """The captures of one deck, ready to be compared. `style` is None where it was not told."""

    def __init__(self, captures: list[tuple[Card, Sheet]], style: Style | None) -> None:
        self.style = style
        self.cards = tuple(kind for kind, _ in captures)
        self._prints = [_print_of(sheet) for _, sheet in captures]
        self._rows = np.stack([_unit(each.levels * each.seen) for each in self._prints])

    def glance(self, sheet: Sheet) -> Match:
        """The card whose capture is most like this one as it lies; nothing is asked of others."""
        likeness = self._likeness(_print_of(sheet))
        best = int(likeness.argmax())
        return Match(self.cards[best], float(likeness[best]), 0.0, None)

    def match(self, sheet: Sheet) -> Match:
        """The card of the deck that is most like this one.

        The card is laid exactly over the likeliest one, and the likeliest few are compared again
        with care, where they differ.
        """
        seen = _print_of(sheet)
        first, *rivals = self._likeliest(self._likeness(seen))
        best = self._compared(seen, first, rivals)
        if best.margin < 0:
            beaten, first = first, best.rival
            rivals = [beaten if rival == first else rival for rival in rivals]
            best = self._compared(seen, first, rivals)
        second = self.cards[best.rival] if rivals else None
        return Match(self.cards[first], best.likeness, best.margin, second)

    def _likeness(self, seen: _Print) -> _Plane:
        return self._rows @ _unit(seen.levels * seen.seen)

    def _likeliest(self, likeness: _Plane) -> list[int]:
        """The best capture of each of the likeliest cards, likeliest first."""
        found: dict[Card, int] = {}
        for at in np.argsort(-likeness):
            found.setdefault(self.cards[at], int(at))
            if len(found) == _RIVALS:
                break
        return list(found.values())

    def _compared(self, seen: _Print, first: int, rivals: list[int]) -> _Compared:
        best = self._prints[first]
        laid = _registered(seen, best)
        likeness = float(_unit(laid.levels * laid.seen) @ self._rows[first])
        margins = [_margin(laid, best, self._prints[rival]) for rival in rivals]
        if not margins:
            return _Compared(likeness, 0.0, first)
        least = int(np.argmin(margins))
        return _Compared(likeness, margins[least], rivals[least])


class _Compared(NamedTuple):
    """How a card compares with one of the deck, and which other comes nearest."""

    likeness: float
    margin: float
    rival: int


def _margin(seen: _Print, best: _Print, rival: _Print) -> float:
    """Where the card stands between two of the deck: 1 at the first, 0 half-way, -1 at the rival.

    Measured where the two cards differ by much of what is printed there, as two pips or two digits
    do, and not where one capture is a little sharper than the other.
    """
    differ = best.levels - rival.levels
    share = _mean(differ * differ) / (best.power + rival.power)
    weight = np.clip((share - _SAME) / _SAME, 0, 1) * seen.seen * best.seen * rival.seen
    away = differ * weight
    blur = np.asarray(cv2.Laplacian(best.levels, cv2.CV_32F), np.float32) * weight
    away -= (blur * away).sum() / max(float((blur * blur).sum()), 1.0) * blur
    off = seen.levels - (best.levels + rival.levels) / 2
    return float(2 * (off * away).sum() / max(float((differ * away).sum()), 1.0))


def _mean(plane: _Plane) -> _Plane:
    return np.asarray(cv2.blur(plane, _WINDOW), np.float32)


def _registered(seen: _Print, to: _Print) -> _Print:
    """`seen` laid over `to`: what the fit of its edges left is taken out (Lucas and Kanade)."""
    weight = (seen.seen * to.seen).ravel()
    across, down = _slopes(to.levels)
    along = across * _X + down * _Y
    ways = (across * _X, across * _Y, across, down * _X, down * _Y, down, along * _X, along * _Y)
    rows = np.stack([way.ravel() for way in ways])
    rows *= weight
    pull = rows @ rows.T
    pull[np.diag_indices_from(pull)] *= 1.01
    back = np.linalg.inv(pull) @ rows
    warp = np.eye(3)
    levels, clear = seen.levels, seen.seen
    for _ in range(_STEPS):
        off = to.levels - levels
        step = back @ (off / (1 + (off / _OUTLIER) ** 2)).ravel()
        xx, xy, x, yx, yy, y, px, py = (float(value) for value in step)
        warp = warp @ np.array([[1 + xx, xy, x], [yx, 1 + yy, y], [-px, -py, 1]])
        matrix = _FROM_UNIT @ warp @ _TO_UNIT
        levels, clear = _warped(seen.levels, matrix), _warped(seen.seen, matrix)
    return _Print.of(levels, np.asarray(clear > 0.99, np.float32))


def _warped(plane: _Plane, matrix: NDArray[np.float64]) -> _Plane:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    made = cv2.warpPerspective(
        plane, matrix, (_WIDE, _HIGH), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(made, np.float32)


def _slopes(levels: _Plane) -> tuple[_Plane, _Plane]:
    """Change of level in units of the card's height, across and down."""
    across = cv2.Sobel(levels, cv2.CV_32F, 1, 0, ksize=3, scale=_HIGH / 8)
    down = cv2.Sobel(levels, cv2.CV_32F, 0, 1, ksize=3, scale=_HIGH / 8)
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _unit(levels: _Plane) -> _Plane:
    flat = levels.ravel()
    return np.asarray(flat / max(float(np.linalg.norm(flat)), 1.0), np.float32)


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


def _print_of(sheet: Sheet) -> _Print:
    """The card's darkness without the slow change of light."""
    small = cv2.resize(sheet.image, (_WIDE, _HIGH), interpolation=cv2.INTER_AREA)
    blue, green, red = cv2.split(small)
    least = cv2.min(cv2.min(blue, green), red)
    glare = min(max(253 * WHITE / max(sheet.white), _GLARE[0]), _GLARE[1])
    level = np.minimum(least, WHITE).astype(np.float32)
    return _Print.of(level - cv2.blur(level, _LIGHT), (least < glare).astype(np.float32))

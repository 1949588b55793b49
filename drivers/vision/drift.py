"""Whether the camera still sees the deck as it did when it was calibrated: light, focus, place.

Every card that was told is compared with its own capture. A single card may be in a shadow or
smeared; what the last ones have in common is the camera's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

from controller.rules.cards import Card
from drivers.vision.rectified_card import RectifiedCard

#: So many cards say something, from the first ones after a start on; the last so many count.
LEAST: Final = 3
KEPT: Final = 9
#: The paper against the capture's, in the channel that changed most: less or more light than this
#: is no lamp that flickers.
WHITE_SHARE: Final = (0.65, 1.3)
#: Of the capture's focus, which was taken at rest: the sharpest of the last cards has more.
FOCUS_SHARE: Final = 0.25
#: Of the capture's height: the camera came nearer, went away or was tilted.
HEIGHT_BY: Final = 0.08


@dataclass(frozen=True, slots=True)
class CardAppearance:
    """How a card was seen: its paper (BGR, of 255), its sharpness, its height in pixels."""

    white: tuple[float, float, float]
    focus: float
    height_px: float


def appearance_of(sheet: RectifiedCard) -> CardAppearance:
    """How this card was seen."""
    left, right = sheet.quad[3] - sheet.quad[0], sheet.quad[2] - sheet.quad[1]
    height = (float(left @ left) ** 0.5 + float(right @ right) ** 0.5) / 2
    return CardAppearance(sheet.white, sheet.focus, height)


@dataclass(frozen=True, slots=True)
class _Change:
    """One card against its capture: shares of its paper's brightness, its focus, its height."""

    white: float
    focus: float
    height: float


class CameraDrift:
    """Compares cards with the captures of a calibrated deck. `problem` is empty while they fit."""

    def __init__(self, captured: Mapping[Card, CardAppearance]) -> None:
        self._captured = captured
        self._changes: deque[_Change] = deque(maxlen=KEPT)
        self.problem = ""

    @property
    def knows(self) -> bool:
        """Whether enough cards were told for `problem` to say something."""
        return len(self._changes) >= LEAST

    def feed(self, card: Card, sheet: RectifiedCard) -> None:
        """A card was told from this sheet."""
        was = self._captured.get(card)
        if was is None:
            return
        now = appearance_of(sheet)
        self._changes.append(
            _Change(
                max((b / a for a, b in zip(was.white, now.white, strict=True)), key=_far),
                now.focus / max(was.focus, 1.0),
                now.height_px / max(was.height_px, 1.0),
            )
        )
        if self.knows:
            self.problem = self._problem()

    def _problem(self) -> str:
        again = "then calibrate the camera again if this goes on"
        white = median(each.white for each in self._changes)
        if not WHITE_SHARE[0] <= white <= WHITE_SHARE[1]:
            how = "brighter" if white > 1 else "darker"
            return f"the cards are {how} than at calibration: look after the shoe's light; {again}"
        if max(each.focus for each in self._changes) < FOCUS_SHARE:
            return f"the cards are less sharp than at calibration: clean the lens; {again}"
        height = median(each.height for each in self._changes)
        if abs(height - 1) > HEIGHT_BY:
            how = "larger" if height > 1 else "smaller"
            return f"the cards are {how} than at calibration: the camera has moved; {again}"
        return ""


def _far(share: float) -> float:
    """How far a share is from no change, the same for half and for twice."""
    return max(share, 1 / share)

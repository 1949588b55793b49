"""Whether the camera still sees the deck as it did when it was calibrated: light, focus, place.

Every card that was read is compared with its own capture. A single card may be in a shadow or
smeared; what the last ones have in common is the camera's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

from controller.rules.cards import Card
from controller.rules.messages import Message, message
from drivers.vision.finding.rectified_card import RectifiedCard

#: So many cards say something, from the first ones after a start on; the last so many count.
LEAST: Final = 3
CHANGES_KEPT: Final = 9
#: The paper against the capture's, in the channel that changed most: less or more light than this
#: is no lamp that flickers.
WHITE_SHARE: Final = (0.65, 1.3)
#: Of the capture's focus, which was taken at rest: the sharpest of the last cards has more.
FOCUS_SHARE: Final = 0.25
#: Of the capture's height: the camera came nearer, went away or was tilted.
HEIGHT_BY: Final = 0.08


@dataclass(frozen=True, slots=True)
class CardAppearance:
    """How a card looks: its paper (BGR, of 255), its sharpness, its height in pixels."""

    white: tuple[float, float, float]
    focus: float
    height_px: float


def appearance_of(card: RectifiedCard) -> CardAppearance:
    """How this card looks."""
    left, right = card.quad[3] - card.quad[0], card.quad[2] - card.quad[1]
    height = (float(left @ left) ** 0.5 + float(right @ right) ** 0.5) / 2
    return CardAppearance(card.white, card.focus, height)


@dataclass(frozen=True, slots=True)
class _Change:
    """One card against its capture: shares of its paper's brightness, its focus, its height."""

    white: float
    focus: float
    height: float


class CameraDrift:
    """Compares cards with the captures of a calibrated deck. `problem` is None while they fit."""

    def __init__(self, captured: Mapping[Card, CardAppearance]) -> None:
        self._captured = captured
        self._changes: deque[_Change] = deque(maxlen=CHANGES_KEPT)
        self.problem: Message | None = None

    @property
    def knows(self) -> bool:
        """Whether enough cards were read for `problem` to say something."""
        return len(self._changes) >= LEAST

    def feed(self, card: Card, rectified: RectifiedCard) -> None:
        """A card was read from this image."""
        was = self._captured.get(card)
        if was is None:
            return
        now = appearance_of(rectified)
        self._changes.append(
            _Change(
                max((b / a for a, b in zip(was.white, now.white, strict=True)), key=_far),
                now.focus / max(was.focus, 1.0),
                now.height_px / max(was.height_px, 1.0),
            )
        )
        if self.knows:
            self.problem = self._problem()

    def _problem(self) -> Message | None:
        white = median(each.white for each in self._changes)
        if white > WHITE_SHARE[1]:
            return message("camera-cards-brighter")
        if white < WHITE_SHARE[0]:
            return message("camera-cards-darker")
        if max(each.focus for each in self._changes) < FOCUS_SHARE:
            return message("camera-cards-less-sharp")
        height = median(each.height for each in self._changes)
        if abs(height - 1) > HEIGHT_BY:
            larger = message("camera-cards-larger")
            return larger if height > 1 else message("camera-cards-smaller")
        return None


def _far(share: float) -> float:
    """How far a share is from no change, the same for half and for twice."""
    return max(share, 1 / share)

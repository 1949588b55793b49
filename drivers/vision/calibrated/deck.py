"""The table's own deck: captures of every card, and the match of a whole card with them.

A vote of its own kind: it knows no alphabet, it compares images.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from controller.rules.cards import Card, IndexStyle
from drivers.vision.calibrated.camera_geometry import CameraView
from drivers.vision.calibrated.drift import appearance_of
from drivers.vision.calibrated.surroundings import Surroundings
from drivers.vision.calibrated.template_match import (
    FloatImage,
    PrintTemplate,
    margin,
    registered,
    thumbnail_of,
    unit_row,
)
from drivers.vision.printed_code import PrintedCodeReader
from drivers.vision.rectified_card import RectifiedCard

#: So many of the likeliest cards are compared with care.
_RIVALS: Final = 4


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


class CalibratedDeck:
    """The captures of one deck, ready to be compared.

    `style` is None where the deck's is unknown, `printed_codes` None where the cards have none,
    `view` None where it is not known how the camera sees the cards, `surroundings` None where
    nothing is known of what lies around them.
    """

    def __init__(
        self,
        captures: Iterable[tuple[Card, RectifiedCard]],
        style: IndexStyle | None,
        printed_codes: PrintedCodeReader | None = None,
        view: CameraView | None = None,
        surroundings: Surroundings | None = None,
    ) -> None:
        self.style = style
        self.view = view
        self.surroundings = surroundings
        self.printed_codes = printed_codes
        # One card at a time: all of them at once take 40 MB that a Pi does not get back.
        reduced = [(kind, thumbnail_of(card), appearance_of(card)) for kind, card in captures]
        self.cards = tuple(kind for kind, _, _ in reduced)
        #: How each card looked when it was captured.
        self.appearances = {kind: looked for kind, _, looked in reversed(reduced)}
        # As bytes, a quarter of what is compared: a hundred captures are most of a deck's memory.
        self._captures = [thumbnail for _, thumbnail, _ in reduced]
        self._rows = np.stack([each.row() for each in self._captures])

    def glance(self, card: RectifiedCard) -> Match:
        """The card whose capture is most like this one as it lies, without a margin."""
        likeness = self._rows @ thumbnail_of(card).row()
        best = int(likeness.argmax())
        return Match(self.cards[best], float(likeness[best]), 0.0, None)

    def match(self, card: RectifiedCard) -> Match:
        """The card of the deck that is most like this one.

        The card is laid exactly over the likeliest one, and the likeliest few are compared again
        with care, where they differ.
        """
        thumbnail = thumbnail_of(card)
        template = thumbnail.template()
        first, *rivals = self._likeliest(self._rows @ thumbnail.row())
        templates = {at: self._captures[at].template() for at in (first, *rivals)}
        best = self._compared(template, templates, first, rivals)
        if best.margin < 0:
            beaten, first = first, best.rival
            rivals = [beaten if rival == first else rival for rival in rivals]
            best = self._compared(template, templates, first, rivals)
        second = self.cards[best.rival] if rivals else None
        return Match(self.cards[first], best.likeness, best.margin, second)

    def _likeliest(self, likeness: FloatImage) -> list[int]:
        """The best capture of each of the likeliest cards, likeliest first."""
        found: dict[Card, int] = {}
        for at in np.argsort(-likeness):
            found.setdefault(self.cards[at], int(at))
            if len(found) == _RIVALS:
                break
        return list(found.values())

    def _compared(
        self,
        template: PrintTemplate,
        templates: dict[int, PrintTemplate],
        first: int,
        rivals: list[int],
    ) -> _Compared:
        best = templates[first]
        laid = registered(template, best)
        likeness = float(unit_row(laid.levels * laid.visible) @ self._rows[first])
        margins = [margin(laid, best, templates[rival]) for rival in rivals]
        if not margins:
            return _Compared(likeness, 0.0, first)
        least = int(np.argmin(margins))
        return _Compared(likeness, margins[least], rivals[least])


class _Compared(NamedTuple):
    """How a card compares with one of the deck, and which other comes nearest."""

    likeness: float
    margin: float
    rival: int

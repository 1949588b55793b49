"""The table's own deck: captures of every card, and the match of a whole card with them.

A vote of its own kind: it knows no alphabet, it compares images.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from controller.rules.cards import DECK_52, Card, Suit
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.camera_geometry import CameraView, CardSides
from drivers.vision.calibrated.kept_captures import DeckCapture
from drivers.vision.calibrated.shoe_light import ShoeLight
from drivers.vision.calibrated.surroundings import Surroundings
from drivers.vision.calibrated.template_match import (
    FloatImage,
    PrintTemplate,
    margin,
    margins_apart,
    registered,
    thumbnail_of,
    unit_row,
)
from drivers.vision.finding.rectified_card import RectifiedCard
from drivers.vision.printed_code import PrintedCodeReader

#: So many of the likeliest cards are compared with care, and the one of the same rank and colour.
_RIVALS: Final = 3
#: So many captures are kept ready for that, the newest: each is 84 kB, and made in 0.1 ms.
_TEMPLATES: Final = 24


@dataclass(frozen=True, slots=True)
class Match:
    """How a card compares with the deck, either way round.

    `likeness` is the correlation with the best capture (1: the same picture). `margin` places the
    card between that capture and the nearest one of any other card: 1 is at the first, 0 half-way;
    `second` is that other card. `witnesses` are the margins against the other card of the same
    rank and colour (without colour: any other of the rank), by the index corners
    and by the rest of the card (None: no difference there).
    """

    card: Card
    likeness: float
    margin: float
    second: Card | None
    witnesses: tuple[float | None, float | None] = (None, None)


_RED: Final = (Suit.DIAMONDS, Suit.HEARTS)


class _Laid(NamedTuple):
    """A capture by its number, and whether it is turned by half before it is compared."""

    at: int
    turned: bool


class CalibratedDeck:
    """The captures of one deck, ready to be compared.

    `style` is None where the deck's is unknown, `printed_codes` None where the cards have none,
    `view` None where it is not known how the camera sees the cards, `surroundings` None where
    nothing is known of what lies around them, `light` where that is too little to tell by.
    """

    def __init__(
        self,
        captures: Iterable[DeckCapture],
        style: PrintedStyle | None,
        printed_codes: PrintedCodeReader | None = None,
        view: CameraView | None = None,
        surroundings: Surroundings | None = None,
        light: ShoeLight | None = None,
    ) -> None:
        self.style = style
        self.view = view
        self.surroundings = surroundings
        self.light = light
        self.printed_codes = printed_codes
        kept = list(captures)
        #: What this deck's cards measure, None where that was not measured.
        self.sides = CardSides.of([view.sides_mm(each.quad) for each in kept]) if view else None
        self.cards = tuple(each.card for each in kept)
        #: How each card looked when it was captured.
        self.appearances = {each.card: each.appearance for each in reversed(kept)}
        # As bytes, a quarter of what is compared: a hundred captures are most of a deck's memory.
        self._captures = [each.thumbnail for each in kept]
        self._rows = np.stack([each.row() for each in self._captures])
        self._of_card: dict[Card, list[int]] = {}
        for at, kind in enumerate(self.cards):
            self._of_card.setdefault(kind, []).append(at)
        self._templates: dict[int, PrintTemplate] = {}

    def glance(self, card: RectifiedCard) -> Match:
        """The card whose capture is most like this one as it lies, without a margin."""
        likeness = self._likeness(thumbnail_of(card).row()).max(axis=0)
        best = int(likeness.argmax())
        return Match(self.cards[best], float(likeness[best]), 0.0, None)

    def match(self, card: RectifiedCard) -> Match:
        """The card of the deck that is most like this one, whichever way round it lies.

        The card is laid exactly over the likeliest one, and the likeliest few are compared again
        with care, where they differ; so is the card of the same rank and colour, whose sign alone
        may be another; where there is no colour, every card of the rank.
        """
        thumbnail = thumbnail_of(card)
        template = thumbnail.template()
        likeness = self._likeness(thumbnail.row())
        first, *rivals = self._likeliest(likeness)
        kin = _siblings(self.cards[first.at], in_colour=card.in_colour)
        best = self._compared(template, first, self._with_all(kin, rivals, likeness), kin)
        if best.margin < 0 and best.rival is not None:
            others = [first, *(each for each in rivals if each != best.rival)]
            first = best.rival
            kin = _siblings(self.cards[first.at], in_colour=card.in_colour)
            best = self._compared(template, first, self._with_all(kin, others, likeness), kin)
        second = self.cards[best.rival.at] if best.rival else None
        kind = self.cards[first.at]
        return Match(kind, best.likeness, best.margin, second, best.witnesses)

    def _likeness(self, row: FloatImage) -> FloatImage:
        """The correlation with every capture: as the card lies, and turned by half."""
        # A row read backwards is the same card the other way round.
        return np.stack([self._rows @ row, self._rows @ row[::-1]])

    def _likeliest(self, likeness: FloatImage) -> list[_Laid]:
        """The best capture of each of the likeliest cards, likeliest first."""
        found: dict[Card, _Laid] = {}
        for place in np.argsort(-likeness, axis=None):
            turned, at = divmod(int(place), likeness.shape[1])
            found.setdefault(self.cards[at], _Laid(at, bool(turned)))
            if len(found) == _RIVALS:
                break
        return list(found.values())

    def _with_all(
        self, kin: frozenset[Card], rivals: list[_Laid], likeness: FloatImage
    ) -> list[_Laid]:
        """The rivals, and all of these cards that the deck has, both ways round."""
        rest = [each for each in rivals if self.cards[each.at] not in kin]
        for kind in filter(kin.__contains__, self._of_card):
            for turned in (False, True):
                at = max(self._of_card[kind], key=lambda each: likeness[int(turned), each])
                rest.append(_Laid(at, turned))
        return rest

    def _template(self, at: int, *, turned: bool = False) -> PrintTemplate:
        made = self._templates.get(at)
        if made is None:
            if len(self._templates) == _TEMPLATES:
                del self._templates[next(iter(self._templates))]
            made = self._templates[at] = self._captures[at].template()
        return made.turned() if turned else made

    def _compared(
        self, template: PrintTemplate, first: _Laid, rivals: list[_Laid], kin: frozenset[Card]
    ) -> _Compared:
        best = self._template(first.at)
        laid = registered(template.turned() if first.turned else template, best)
        likeness = float(unit_row(laid.levels * laid.visible) @ self._rows[first.at])
        least, nearest = 0.0, None
        witnesses: tuple[float | None, float | None] = (None, None)
        for rival in rivals:
            other = self._template(rival.at, turned=rival.turned is not first.turned)
            all_of_it = margin(laid, best, other)
            if nearest is None or all_of_it < least:
                least, nearest = all_of_it, rival
            if self.cards[rival.at] in kin:
                margins = margins_apart(laid, best, other)
                witnesses = _weaker(witnesses, margins)
        return _Compared(likeness, least, nearest, witnesses)


def _siblings(card: Card, *, in_colour: bool) -> frozenset[Card]:
    """The other cards of this rank that only their sign tells apart from it.

    Those of its colour; where the picture has none, all of them.
    """
    if card.suit is None:
        return frozenset()
    return frozenset(
        each
        for each in DECK_52
        if each.rank is card.rank
        and each is not card
        and (not in_colour or (each.suit in _RED) is (card.suit in _RED))
    )


def _weaker(
    one: tuple[float | None, float | None], other: tuple[float | None, float | None]
) -> tuple[float | None, float | None]:
    """Of two comparisons with the same card, the other way round, what each says least."""
    upper, lower = (
        b if a is None else a if b is None else min(a, b) for a, b in zip(one, other, strict=True)
    )
    return upper, lower


class _Compared(NamedTuple):
    """How a card compares with one of the deck, and which other comes nearest."""

    likeness: float
    margin: float
    rival: _Laid | None
    witnesses: tuple[float | None, float | None]

"""The card recognizer: one frame in, one `FrameReading` out."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from controller.devices.inputs import Doubt
from controller.rules.cards import Card, Rank
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.deck import CalibratedDeck
from drivers.vision.combine import at_a_glance, contradicted, with_code, with_deck
from drivers.vision.decision import (
    another_ink,
    decide_card,
    leans_to,
    pips_shown,
    printed_so,
    seen_by_both,
)
from drivers.vision.finding.card_edges import Floats, Image
from drivers.vision.finding.card_surround import CardSurround, strips_beside
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from drivers.vision.finding.second_card import (
    OTHER_EDGE,
    band_looks_out,
    edges_go_on,
    has_edges_of_another,
    is_paler_beside,
    is_picture_beside,
    paper_looks_out,
)
from drivers.vision.frame_reading import FrameReading
from drivers.vision.index_corner import (
    LARGE_INDEX_WIDTH,
    Ink,
    index_corners,
    index_ink,
    is_plain,
    large_index_corners,
    pips_ink,
    stands_alone,
)
from drivers.vision.index_sign import index_is_small
from drivers.vision.nets import RANKS, CardNetworks, ClassScores, Networks
from drivers.vision.observations import Limits, Observations
from drivers.vision.opposition import ObservedCard, opposed
from drivers.vision.pips_alone import suit_of_pips

#: Variance of the Laplacian of a rectified card below which nothing on it can be read.
FOCUS_MIN: Final = 10.0


#: What was read in the corners and contradicts itself is not read again in larger ones.
_CONFLICTS: Final = (Doubt.VOTES_DIFFER, Doubt.INK_COLOUR)


class CardRecognizer:
    """Reads single frames. Pure but for the networks' buffers: not for two threads at once.

    Without `deck` any deck is read by its indices; `style` None allows Finnish and Anglo ones.
    `focus_min` is the least variance of the Laplacian, as calibration measured it.
    """

    def __init__(
        self,
        nets: Networks | None = None,
        deck: CalibratedDeck | None = None,
        style: PrintedStyle | None = None,
        focus_min: float = FOCUS_MIN,
        limits: Limits | None = None,
    ) -> None:
        """Load the networks; raises `NetworkError`."""
        self._nets = nets or CardNetworks()
        self._deck = deck
        self._style = style or (deck.style if deck else None)
        self._focus_min = focus_min
        self._limits = limits or Limits()
        self._printed_codes = deck.printed_codes if deck else None

    def read(self, frame: Image) -> FrameReading:
        """The card in `frame` (BGR, 8 bits), or why none is named."""
        card = find_card(frame)
        if isinstance(card, Doubt):
            return FrameReading(None, card)
        if card.focus < self._focus_min:
            return FrameReading(None, Doubt.BLURRED, rectified=card)
        around = CardSurround(frame, card)
        if has_edges_of_another(card.image) or self._paper_looks_out(around):
            return FrameReading(None, Doubt.SEVERAL, rectified=card)
        corners = index_corners(card)
        observed = self._observed(card, corners, self._nets.face(card))
        reading = decide_card(observed, self._limits, self._style)
        large = None
        if reading.card is None and (by_large := self._by_large_index(card, reading, observed)):
            reading, observed, large = by_large
        if reading.card:
            found = ObservedCard(card, reading.index_text, observed, corners, large)
            if doubt := opposed(reading.card, found, self._nets, self._limits):
                reading = FrameReading(None, doubt)
        if self._deck:
            # Also where the index's card was refused: the deck goes by the whole print, and takes
            # back by itself what a network or the face clearly contradicts.
            reading = self._with_deck(self._deck, reading, observed, card)
        if reading.card and card.in_colour and _has_pips(reading.card):
            ink = pips_ink(card)
            if ink and _of_other_pips(ink, reading.card, observed, self._limits):
                reading = FrameReading(None, Doubt.INK_COLOUR)
        if self._printed_codes:
            reading = with_code(reading, self._printed_codes.read(frame, card))
        if reading.card and self._another_looks_out(around):
            reading = FrameReading(None, Doubt.SEVERAL)
        return replace(reading, rectified=card)

    def _paper_looks_out(self, around: CardSurround) -> bool:
        """Whether a second card's paper lies beside an edge, and not glare alone."""
        return paper_looks_out(around) and float(self._beneath(around).max()) > self._limits.alone

    def _another_looks_out(self, around: CardSurround) -> bool:
        """Whether a second card is seen beside an edge, or its own edges go on."""
        leads = self._beneath(around)
        if _looks_out(leads, self._limits) or edges_go_on(around):
            return True
        if float(leads.max()) > self._limits.band and band_looks_out(around):
            return True
        for least, looks_so in (
            (self._limits.pale, is_paler_beside),
            (self._limits.picture, is_picture_beside),
        ):
            weak = leads > least
            if weak.any() and (weak & looks_so(around)).any():
                return True
        return False

    def _beneath(self, around: CardSurround) -> Floats:
        return self._nets.beneath(strips_beside(around))

    def _observed(
        self, card: RectifiedCard, crops: tuple[Image, Image], face: ClassScores, wide: int = 0
    ) -> Observations:
        """The scores of all networks and the measurements of the index corners."""
        a, b = self._nets.index(crops)
        # Measured only where a network sees a 1: the one index whose neighbour matters.
        one = any(RANKS[int(scores.ranks.argmax())] == "1" for scores in (*a, *b))
        upper, lower = (
            one and (stands_alone(each, wide) if wide else stands_alone(each)) for each in crops
        )
        inks = [index_ink(each) or (None, None) for each in crops]
        reds, blues = (inks[0][0], inks[1][0]), (inks[0][1], inks[1][1])
        plain = (is_plain(crops[0]), is_plain(crops[1]))
        face = self._with_pips_alone(card, [*a, *b], face)
        seen = Observations(a, b, face, reds, (upper, lower), plain, card.in_colour, blues)
        if not pips_shown(face) or not _ink_is_unclear(seen, self._limits):
            return seen
        ink = pips_ink(card)
        return replace(seen, pips_redness=ink[0] if ink else None)

    def _with_pips_alone(
        self, card: RectifiedCard, index: list[ClassScores], face: ClassScores
    ) -> ClassScores:
        """The vote of the face; of its suit that of the pips, each alone, where the face network
        has another one than the index, or leaves it open, and they are sure.
        """
        votes = np.sum([each.suits[:-1] for each in index], axis=0)
        if not pips_shown(face) or face.suits[int(votes.argmax())] >= self._limits.pip_alone:
            return face
        alone = suit_of_pips(card, self._nets)
        if alone is None or float(alone.max()) < self._limits.pip_alone:
            return face
        return ClassScores(face.ranks, np.append(alone, 0.0))

    def _by_large_index(
        self, card: RectifiedCard, reading: FrameReading, observed: Observations
    ) -> tuple[FrameReading, Observations, tuple[Image, Image]] | None:
        """What the larger corners show, where a jumbo index has room; None where it adds nothing.

        An index that lies whole in a small corner was seen there, twice as large: where nothing was
        named by it, it is foreign or forged, and its neighbours must not decide for it.
        """
        if reading.doubt in _CONFLICTS:
            return None
        corners = large_index_corners(card)
        large = self._observed(card, corners, observed.face, LARGE_INDEX_WIDTH)
        # The ink of the index is in the small corner too, and no pip is.
        large = replace(large, redness=observed.redness, blueness=observed.blueness)
        second = decide_card(large, self._limits, self._style)
        if (
            second.card is None
            or contradicted(observed, second.card)
            or not seen_by_both(large, second.index_text, self._limits)
        ):
            return None
        text = second.index_text
        if leans_to(observed, text) < self._limits.leaning and index_is_small(
            card, one_glyph=len(text) == 1
        ):
            return None
        return second, large, corners

    def _with_deck(
        self,
        deck: CalibratedDeck,
        reading: FrameReading,
        observed: Observations,
        card: RectifiedCard,
    ) -> FrameReading:
        # The match is the costly part; where the first glance shows the index' card it is enough.
        glance = deck.glance(card)
        if reading.card is not None and glance.card is reading.card:
            return at_a_glance(reading, glance, self._limits)
        return with_deck(reading, observed, deck.match(card), self._limits)


def _looks_out(leads: Floats, limits: Limits) -> bool:
    """Whether the network sees a second card beside some edge, and not blur alone: a card that
    moves is blurred at opposite edges alike, one beneath it looks out at one of them.
    """
    blur = (leads <= limits.blur) & (leads - leads[OTHER_EDGE] <= limits.both_sides)
    return bool(((leads > limits.beneath) & ~blur).any())


def _ink_is_unclear(observed: Observations, limits: Limits) -> bool:
    """Whether what ink there is in the corners is all between two colours."""
    seen = [each for each in observed.redness if each is not None]
    return bool(observed.in_colour and seen) and not any(printed_so(each, limits) for each in seen)


def _of_other_pips(ink: Ink, card: Card, observed: Observations, limits: Limits) -> bool:
    """Whether pips of this ink are clearly not of the card's suit, or not printed as its index
    was: a blue index stands over green or black pips, or the other way round.
    """
    printed = printed_so(ink[0], limits)
    if printed is not None and card.suit is not None and card.suit.value not in printed:
        return True
    inks = [*zip(observed.redness, observed.blueness, strict=True)]
    return another_ink(inks, ink[1], limits)


def _has_pips(card: Card) -> bool:
    """A court's robes are of every colour, and an Ace may be ornate: neither has pips here."""
    return Rank.TWO <= card.rank <= Rank.TEN

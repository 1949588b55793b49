"""The card recognizer: one frame in, one `FrameReading` out."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

import numpy as np

from controller.devices.inputs import Doubt
from controller.rules.cards import Card, Rank, Suit
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.deck import CalibratedDeck
from drivers.vision.card_edges import Image
from drivers.vision.card_surround import CardSurround, strips_beside
from drivers.vision.combine import at_a_glance, contradicted, with_code, with_deck
from drivers.vision.decision import (
    Limits,
    Observations,
    another_ink,
    decide_card,
    printed_so,
    seen_by_both,
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
    without_neighbours,
)
from drivers.vision.nets import RANKS, SUITS, CardNetworks, ClassScores
from drivers.vision.rectified_card import RectifiedCard, find_card
from drivers.vision.second_card import (
    band_looks_out,
    edges_go_on,
    has_edges_of_another,
    paper_looks_out,
)

#: Variance of the Laplacian of a rectified card below which nothing on it can be read.
FOCUS_MIN: Final = 10.0


#: Of the four votes on the index's sign alone, the probability by which the other suit leads.
SIGN_LEAD: Final = 0.1
#: The suits for which the sign of each is mistaken, in a picture in colour and in one without.
_MISTAKEN_FOR: Final[dict[Suit, tuple[Suit, ...]]] = {
    Suit.CLUBS: (Suit.SPADES,), Suit.SPADES: (Suit.CLUBS,), Suit.HEARTS: (), Suit.DIAMONDS: (),
}  # fmt: skip
_WITHOUT_COLOUR: Final = {
    each: tuple(other for other in Suit if other is not each) for each in Suit
}
_BLACK: Final = (Suit.CLUBS, Suit.SPADES)
#: What was read in the corners and contradicts itself is not read again in larger ones.
_CONFLICTS: Final = (Doubt.VOTES_DIFFER, Doubt.INK_COLOUR)


class Networks(Protocol):
    """What the recognizer asks of the networks."""

    def index(self, crops: tuple[Image, Image]) -> tuple[list[ClassScores], list[ClassScores]]:
        """The scores of both index networks for the upper and the lower corner."""
        ...

    def face(self, card: RectifiedCard) -> ClassScores:
        """The scores of the face network."""
        ...

    def beneath(self, strips: Image) -> float:
        """By how many nats a second card is likelier than none beside the likeliest edge."""
        ...

    def spades(self, card: RectifiedCard) -> float | None:
        """Of the outline of the pips: about 1 for spades, -1 for clubs; None where it is unseen."""
        ...


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
        if reading.card is None:
            reading, observed = self._by_large_index(card, reading, observed)
        if reading.card is not None and (
            self._sign_differs(card, corners, reading.card)
            or self._shape_differs(card, reading.card)
        ):
            reading = FrameReading(None, Doubt.VOTES_DIFFER)
        if self._deck:
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
        return paper_looks_out(around) and self._beneath(around) > self._limits.alone

    def _another_looks_out(self, around: CardSurround) -> bool:
        """Whether a second card is seen beside an edge, or its own edges go on."""
        lead = self._beneath(around)
        if lead > self._limits.beneath or edges_go_on(around):
            return True
        return lead > self._limits.band and band_looks_out(around)

    def _beneath(self, around: CardSurround) -> float:
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
        return Observations(a, b, face, reds, (upper, lower), plain, card.in_colour, blues)

    def _sign_differs(
        self, card: RectifiedCard, corners: tuple[Image, Image], card_read: Card
    ) -> bool:
        """Whether the index's own sign, without the pips beside it, is rather another suit.

        A network takes a pip beside a small sign for the sign. In colour hearts and diamonds are
        not mistaken so, and black is not red; court art is no pip.
        """
        if card_read.suit is None or card_read.rank >= Rank.JACK:
            return False
        mistaken = _MISTAKEN_FOR if card.in_colour else _WITHOUT_COLOUR
        others = [SUITS.index(each.value) for each in mistaken[card_read.suit]]
        if not others:
            return False
        alone = without_neighbours(corners[0]), without_neighbours(corners[1])
        if all(one is other for one, other in zip(alone, corners, strict=True)):
            return False
        a, b = self._nets.index(alone)
        own = SUITS.index(card_read.suit.value)
        votes = np.sum([vote.suits for vote in (*a, *b)], axis=0)
        return float(np.max(votes[others]) - votes[own]) > SIGN_LEAD

    def _shape_differs(self, card: RectifiedCard, card_read: Card) -> bool:
        """Whether the outline of the pips is not that of the black suit that was read."""
        if card_read.suit not in _BLACK or not Rank.TWO <= card_read.rank <= Rank.TEN:
            return False
        spades = self._nets.spades(card)
        if spades is None:
            return False
        if card_read.suit is Suit.SPADES:
            return spades < self._limits.spades_outline
        return spades > self._limits.clubs_outline

    def _by_large_index(
        self, card: RectifiedCard, reading: FrameReading, observed: Observations
    ) -> tuple[FrameReading, Observations]:
        """What the larger corners show, where a jumbo index has room; or what was there before."""
        if reading.doubt in _CONFLICTS:
            return reading, observed
        large = self._observed(card, large_index_corners(card), observed.face, LARGE_INDEX_WIDTH)
        # The ink of the index is in the small corner too, and no pip is.
        large = replace(large, redness=observed.redness, blueness=observed.blueness)
        second = decide_card(large, self._limits, self._style)
        if (
            second.card is None
            or contradicted(observed, second.card)
            or not seen_by_both(large, second.index_text, self._limits)
        ):
            return reading, observed
        return second, large

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

"""The reader: one frame in, one `Sight` out."""

from __future__ import annotations

from typing import Protocol

from drivers.vision.abstention import Unread, Why
from drivers.vision.alphabet import IndexStyle
from drivers.vision.card_edges import Image
from drivers.vision.combine import at_a_glance, with_code, with_deck
from drivers.vision.corner import index_corners
from drivers.vision.decision import Limits, Observations, Verdict, decide_card
from drivers.vision.deck import CalibratedDeck
from drivers.vision.ink import redness, stands_alone
from drivers.vision.nets import RANKS, CardNetworks, ClassScores
from drivers.vision.rectified_card import RectifiedCard, find_card
from drivers.vision.sight import Sight

#: Variance of the Laplacian of a rectified card below which nothing on it can be read.
FOCUS_MIN = 10.0


class Networks(Protocol):
    """What the reader asks of the networks."""

    def index(self, crops: tuple[Image, Image]) -> tuple[list[ClassScores], list[ClassScores]]:
        """What the two index readers say of the upper and the lower corner."""
        ...

    def face(self, sheet: RectifiedCard) -> ClassScores:
        """What the reader of the face says."""
        ...


class CardRecognizer:
    """Reads single frames. Pure but for the networks' buffers: not for two threads at once.

    Without `deck` any deck is read by its indices; `style` None allows both alphabets.
    `focus_min` is the least variance of the Laplacian, as calibration measured it.
    """

    def __init__(
        self,
        nets: Networks | None = None,
        deck: CalibratedDeck | None = None,
        style: IndexStyle | None = None,
        focus_min: float = FOCUS_MIN,
        limits: Limits | None = None,
    ) -> None:
        """Load the networks; raises `NetsError`."""
        self._nets = nets or CardNetworks()
        self._deck = deck
        self._style = style or (deck.style if deck else None)
        self._focus_min = focus_min
        self._limits = limits or Limits()
        self._printed = deck.printed if deck else None

    def read(self, frame: Image) -> Sight:
        """The card in `frame` (BGR, 8 bits), or why none is told."""
        seen = find_card(frame)
        if isinstance(seen, Unread):
            return Sight(None, None, seen.why, frame=frame)
        if seen.focus < self._focus_min:
            return Sight(None, None, Why.BLURRED, sheet=seen, frame=frame)
        told = self._told(seen)
        if self._printed:
            told = with_code(told, self._printed.read(frame, seen))
        if isinstance(told, Unread):
            return Sight(None, None, told.why, sheet=seen, frame=frame)
        return Sight(
            told.card, told.confidence, None, told.text, told.style, sheet=seen, frame=frame
        )

    def _told(self, sheet: RectifiedCard) -> Verdict | Unread:
        heard = self.hear(sheet)
        told = decide_card(heard, self._limits, self._style)
        return self._with_deck(self._deck, told, heard, sheet) if self._deck else told

    def hear(self, sheet: RectifiedCard) -> Observations:
        """What every reader says of one card."""
        crops = index_corners(sheet)
        a, b = self._nets.index(crops)
        one = any(RANKS[int(vote.ranks.argmax())] == "1" for vote in (*a, *b))
        return Observations(
            a,
            b,
            self._nets.face(sheet),
            (redness(crops[0]), redness(crops[1])),
            (one and stands_alone(crops[0]), one and stands_alone(crops[1])),
        )

    def _with_deck(
        self,
        deck: CalibratedDeck,
        told: Verdict | Unread,
        heard: Observations,
        sheet: RectifiedCard,
    ) -> Verdict | Unread:
        """A glance is enough where it shows the card that the index told."""
        glance = deck.glance(sheet)
        if isinstance(told, Verdict) and glance.card is told.card:
            return at_a_glance(told, glance, self._limits)
        return with_deck(told, heard, deck.match(sheet), self._limits)

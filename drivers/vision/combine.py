"""The calibrated deck and the printed code as further votes on a card."""

from __future__ import annotations

from typing import Final

import numpy as np

from controller.devices.inputs import Doubt
from controller.rules.cards import JOKER, Card, Rank
from drivers.code_book import Code
from drivers.vision.alphabet import rank_of
from drivers.vision.calibrated.deck import Match
from drivers.vision.decision import (
    NO_INDEX,
    suits_by_ink,
    without_blank_corner,
)
from drivers.vision.frame_reading import FrameReading
from drivers.vision.nets import COUNTS, RANKS, SUITS, ClassScores
from drivers.vision.observations import Limits, Observations

#: Where votes contradict each other a code settles nothing.
_CONFLICTS: Final = (
    Doubt.CORNERS_DIFFER, Doubt.VOTES_DIFFER, Doubt.INK_COLOUR, Doubt.OTHER_DECK,
)  # fmt: skip
#: A suit that an index network sees.
_SEEN: Final = 0.5
# Of the votes against a card of the deck. Older than the networks of today: measured is the reading
# as a whole, by these limits (READINGS.md), and none by itself.
#: The face shows pips of another suit; or pips at all, where the card is a Joker.
_FACE_SEES: Final = 0.5
#: The same of a suit, against a match by a wide margin.
_FACE_SEES_WELL: Final = 0.75
_WIDE_MARGIN: Final = 0.8
#: The face shows another number of pips.
_FACE_COUNTS: Final = 0.8
#: Both index networks read another rank or suit.
_CLEAR: Final = 0.9
_JOKER: Final = RANKS.index("JOKER")


def with_deck(
    reading: FrameReading, observed: Observations, match: Match, limits: Limits
) -> FrameReading:
    """The reading with the calibrated deck as a further vote.

    The deck tells no card whose index is a letter of another style than its own: of such a card
    everything but the letter may look like one of the deck's.
    """
    if match.likeness < limits.likeness:
        return reading if reading.card is None else FrameReading(None, Doubt.OTHER_DECK)
    if reading.card is not None:
        alike = match.card is reading.card and match.margin >= limits.narrow
        return reading if alike else FrameReading(None, Doubt.VOTES_DIFFER)
    if match.margin < limits.margin or reading.doubt is Doubt.OTHER_STYLE:
        return reading
    if match.card is not JOKER and match.margin < limits.blind and _no_index(observed, limits):
        return reading
    if _court(match.card) and not (
        _rank_is_seen(observed, match.card)
        and (_index_says(observed, match.card) or _two_witnesses(match, limits))
    ):
        return reading
    observed, _ = without_blank_corner(observed, limits)
    allowed = suits_by_ink(observed, limits)
    if match.card.suit is not None and allowed and match.card.suit.value not in allowed:
        return FrameReading(None, Doubt.INK_COLOUR)
    if contradicted(observed, match.card) or _face_opposes(observed.face, match):
        return FrameReading(None, Doubt.VOTES_DIFFER)
    return FrameReading(match.card, confidence=min(match.margin, 1.0))


def _court(card: Card) -> bool:
    return card.suit is not None and card.rank >= Rank.JACK


def _rank_is_seen(observed: Observations, card: Card) -> bool:
    """True where in some corner a network sees the card's rank rather than no index of ours.

    A court from abroad may be drawn as the deck's own are, and differ by its letter alone.
    """
    own = [at for at, text in enumerate(RANKS[:NO_INDEX]) if _rank_text(text) is card.rank]
    return any(
        float(each.ranks[own].max()) > float(each.ranks[NO_INDEX])
        for each in (*observed.a, *observed.b)
    )


def _rank_text(text: str) -> Rank:
    return Rank.JOKER if text == "JOKER" else rank_of(text)


def _index_says(observed: Observations, card: Card) -> bool:
    """True where both index networks see the card's suit in the same corner.

    The index did not suffice to name the card; the suit is what the deck tells least of a court.
    """
    assert card.suit is not None
    at = SUITS.index(card.suit.value)
    return any(
        min(a.suits[at], b.suits[at]) > _SEEN for a, b in zip(observed.a, observed.b, strict=True)
    )


def _two_witnesses(match: Match, limits: Limits) -> bool:
    """True where the index' sign and the figure each tell the card from the other of its colour.

    Many courts differ from that one by the small sign alone, of which the deck is sure under blur
    either way. One of 12,000 drawn passages was misread so (models/READINGS.md).
    """
    return all(each is not None and each > limits.blind for each in match.witnesses)


def at_a_glance(reading: FrameReading, glance: Match, limits: Limits) -> FrameReading:
    """The card that index and first glance at the deck agree on, if it is of this deck."""
    alike = glance.likeness >= limits.likeness
    return reading if alike else FrameReading(None, Doubt.OTHER_DECK)


def _no_index(observed: Observations, limits: Limits) -> bool:
    """True where both index networks are sure, of both corners, that there is no index of ours."""
    scores = (*observed.a, *observed.b)
    return min(float(each.ranks[NO_INDEX]) for each in scores) > limits.veto


def with_code(reading: FrameReading, code: Code | Doubt) -> FrameReading:
    """The reading with the printed code as a further vote; a code that was not read has none."""
    if isinstance(code, Doubt):
        conflict = code is Doubt.CONFLICT
        return FrameReading(None, Doubt.CODE_DIFFERS) if conflict else reading
    if reading.card is not None:
        same = reading.card is code.kind
        return reading if same else FrameReading(None, Doubt.CODE_DIFFERS)
    if reading.doubt in _CONFLICTS or code.kind is None:
        return reading
    return FrameReading(code.kind, confidence=1.0)


def contradicted(observed: Observations, card: Card) -> bool:
    """True where both index networks clearly see another card in the same corner."""
    return any(_clearly_other(pair, card) for pair in zip(observed.a, observed.b, strict=True))


def _face_opposes(face: ClassScores, match: Match) -> bool:
    """True where the face shows another number of pips, or those of another suit.

    A match with a wide margin is opposed only by a face that is the surer.
    """
    card = match.card
    if card.suit is None:
        return bool(face.ranks[:10].max() > _FACE_SEES)
    court = card.rank >= Rank.JACK
    shown = COUNTS.index("court" if court else str(int(card.rank)))
    if float(np.delete(face.ranks[:-1], shown).max()) > _FACE_COUNTS:
        return True
    others = np.delete(face.suits[:-1], SUITS.index(card.suit.value))
    least = _FACE_SEES_WELL if match.margin >= _WIDE_MARGIN else _FACE_SEES
    return not court and float(others.max()) > least


def _clearly_other(pair: tuple[ClassScores, ClassScores], card: Card) -> bool:
    ranks = np.minimum(pair[0].ranks, pair[1].ranks)
    suits = np.minimum(pair[0].suits, pair[1].suits)
    rank, suit = int(ranks.argmax()), int(suits.argmax())
    if ranks[rank] > _CLEAR and rank != NO_INDEX:
        read = Rank.JOKER if rank == _JOKER else rank_of(RANKS[rank])
        if read is not card.rank:
            return True
    shown = card.suit.value if card.suit else SUITS[suit]
    return bool(suits[suit] > _CLEAR and SUITS[suit] not in ("", shown))

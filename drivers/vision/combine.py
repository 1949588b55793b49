"""The calibrated deck and the printed code as further readers of a card."""

from __future__ import annotations

from typing import Final

import numpy as np

from controller.devices.inputs import Doubt
from controller.rules.cards import JOKER, Card, Rank, Suit
from drivers.code_book import Code
from drivers.vision.abstention import Unread, Why
from drivers.vision.alphabet import rank_of
from drivers.vision.decision import (
    NO_INDEX,
    Limits,
    Observations,
    Verdict,
    ink_is_red,
    without_blank_corner,
)
from drivers.vision.deck import Match
from drivers.vision.nets import COUNTS, RANKS, SUITS, ClassScores

#: Where readers contradict each other a code settles nothing.
_CONFLICTS: Final = (Why.CORNERS, Why.READERS, Why.COLOUR, Why.OTHER_DECK)
_RED_SUITS: Final = (Suit.DIAMONDS, Suit.HEARTS)
_JOKER: Final = RANKS.index("JOKER")


def with_deck(
    told: Verdict | Unread, heard: Observations, match: Match, limits: Limits
) -> Verdict | Unread:
    """The card with the calibrated deck as a further reader."""
    if match.likeness < limits.likeness:
        return Unread(Why.OTHER_DECK) if isinstance(told, Verdict) else told
    if isinstance(told, Verdict):
        alike = match.card is told.card and match.margin >= limits.narrow
        return told if alike else Unread(Why.READERS)
    if match.margin < limits.margin:
        return told
    if match.card is not JOKER and match.margin < limits.blind and _sees_none(heard, limits):
        return told
    if _by_its_sign_alone(match):
        return told
    heard, _ = without_blank_corner(heard, limits)
    red = ink_is_red(heard, limits)
    if match.card is not JOKER and red is not None and red is not (match.card.suit in _RED_SUITS):
        return Unread(Why.COLOUR)
    if _contradicted(heard, match.card) or _face_opposes(heard.face, match):
        return Unread(Why.READERS)
    return Verdict(match.card, min(match.margin, 1.0), "")


def _by_its_sign_alone(match: Match) -> bool:
    """True where only the small sign parts the card from the next one, as with many courts.

    The index readers could not read that sign; under blur the deck is sure of either.
    """
    card, other = match.card, match.second
    if card.rank < Rank.JACK or card.suit is None or other is None or other.suit is None:
        return False
    alike = (card.suit in _RED_SUITS) is (other.suit in _RED_SUITS)
    return alike and other.rank is card.rank


def at_a_glance(told: Verdict, glance: Match, limits: Limits) -> Verdict | Unread:
    """The card that index and first glance at the deck agree on, if it is of this deck."""
    return told if glance.likeness >= limits.likeness else Unread(Why.OTHER_DECK)


def _sees_none(heard: Observations, limits: Limits) -> bool:
    """True where every index reader is sure, of both corners, that there is no index of ours."""
    return min(float(vote.ranks[NO_INDEX]) for vote in (*heard.a, *heard.b)) > limits.veto


def with_code(told: Verdict | Unread, code: Code | Doubt) -> Verdict | Unread:
    """The card with its printed code as a further reader; a code that was not read says nothing."""
    if isinstance(code, Doubt):
        return Unread(Why.CODE) if code is Doubt.CONFLICT else told
    if isinstance(told, Verdict):
        return told if told.card is code.kind else Unread(Why.CODE)
    if told.why in _CONFLICTS or code.kind is None:
        return told
    return Verdict(code.kind, 1.0, "")


def _contradicted(heard: Observations, told: Card) -> bool:
    """True where both index readers clearly see another card in the same corner."""
    return any(_clearly_other(pair, told) for pair in zip(heard.a, heard.b, strict=True))


def _face_opposes(face: ClassScores, match: Match) -> bool:
    """True where the face shows another number of pips, or those of another suit.

    A match with a wide margin is opposed only by a face that is the surer.
    """
    told = match.card
    if told.suit is None:
        return bool(face.ranks[:10].max() > 0.5)
    court = told.rank >= Rank.JACK
    shown = COUNTS.index("court" if court else str(int(told.rank)))
    if float(np.delete(face.ranks[:-1], shown).max()) > 0.8:
        return True
    others = np.delete(face.suits[:-1], SUITS.index(told.suit.value))
    return not court and float(others.max()) > (0.75 if match.margin >= 0.8 else 0.5)


def _clearly_other(pair: tuple[ClassScores, ClassScores], told: Card) -> bool:
    ranks = np.minimum(pair[0].ranks, pair[1].ranks)
    suits = np.minimum(pair[0].suits, pair[1].suits)
    rank, suit = int(ranks.argmax()), int(suits.argmax())
    if ranks[rank] > 0.9 and rank != NO_INDEX:
        says = Rank.JOKER if rank == _JOKER else rank_of(RANKS[rank])
        if says is not told.rank:
            return True
    shown = told.suit.value if told.suit else SUITS[suit]
    return bool(suits[suit] > 0.9 and SUITS[suit] not in ("", shown))

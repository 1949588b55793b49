"""From the scores of the networks to one card, or to a doubt: pure arithmetic.

Both index networks vote on both corners, the face network on the rest of the card, and the colour
of the ink on the suit. The card that is likeliest by all of them is named when it leads by far,
when both index networks saw it in one corner, and when no vote is sure of another. A misread
costs more than any number of doubts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from controller.devices.inputs import Doubt
from controller.rules.cards import JOKER, Rank
from drivers.vision.alphabet import PrintedStyle, card_of, is_printed, rank_of
from drivers.vision.finding.card_edges import Floats
from drivers.vision.frame_reading import FrameReading
from drivers.vision.nets import COUNTS, RANKS, SUITS, ClassScores
from drivers.vision.observations import Limits, Observations


def _shown_by(text: str) -> set[str]:
    """What the face of a card with this index shows."""
    if text == "JOKER":
        return {"court", ""}
    if text in ("A", "E", "T"):
        # Most decks have one Ace so ornate that its pip cannot be made out. Not so for a 1: what
        # is left of an 11 or a 10 must not become an Ace.
        return {"1", ""}
    if not text:
        return set(COUNTS)
    rank = rank_of(text)
    return {"court"} if rank >= Rank.JACK else {str(int(rank))}


_NONE: Final = -1
#: The class of an index that is none of ours.
NO_INDEX: Final = len(RANKS) - 1
_JOKER: Final = RANKS.index("JOKER")
_ALLOWED: Final = {
    style: np.array([is_printed(text, style) for text in RANKS]) for style in (None, *PrintedStyle)
}
#: The least probability that a score counts for: it bounds what one error can do.
_FLOOR: Final = 0.002
_FACE_FLOOR: Final = 0.01
_SUIT_FLOOR: Final = 0.02
#: Half as many votes cannot lead by as much.
_ONE_CORNER: Final = 0.65
_FACE_SUIT_FLOOR: Final = 0.03
#: A network that gives the table's own style less, over both corners, sees another one.
_STYLE_MIN: Final = 0.6
#: What each index text lets the face show, as columns of the face's classes.
_SHOWN: Final = np.array([[shows in _shown_by(text) for shows in COUNTS] for text in RANKS])
_COURT: Final = _SHOWN[:, COUNTS.index("court")]
RED_SUITS: Final = frozenset("dh")
_BLACK_SUITS: Final = frozenset("cs")
#: A four-colour deck has blue diamonds and green clubs, or green spades.
_COLD_SUITS: Final = frozenset("dcs")
_EVERY_SUIT: Final = frozenset("cdhs")
#: One ink leaves two suits at least to choose from.
_CHOICE: Final = 2


def decide_card(
    observed: Observations, limits: Limits, style: PrintedStyle | None = None
) -> FrameReading:
    """The card that every vote allows, or why none is named.

    `style` is the one style that the table uses, None where Finnish and Anglo may come.
    """
    observed, both_corners = without_blank_corner(observed, limits)
    ranks = np.array([each.ranks for each in (*observed.a, *observed.b)]) * _ALLOWED[style]
    left = ranks.sum(axis=1, keepdims=True)
    half = len(left) // 2
    own = float(min(left[:half].sum(), left[half:].sum())) / half
    if own < _STYLE_MIN or float(left.min()) < 1 - limits.veto:
        return FrameReading(None, Doubt.OTHER_STYLE)
    ranks = ranks / left
    text, lead, sure = _likeliest(_log(ranks).sum(axis=0) + _by_face(observed.face))
    if text == NO_INDEX:
        back = float(ranks[:, _NONE].min()) > limits.index_text
        return FrameReading(None, Doubt.BACK if back else Doubt.FOREIGN_INDEX)
    if doubt := _unseen(ranks, text, limits):
        return FrameReading(None, doubt)
    if lead < (limits.court if _COURT[text] else limits.text):
        return FrameReading(None, Doubt.UNSURE)
    if float(observed.face.ranks[_SHOWN[text]].sum()) < limits.face:
        return FrameReading(None, Doubt.VOTES_DIFFER)
    if text == _JOKER:
        return FrameReading(JOKER, confidence=sure, index_text=RANKS[text])
    if not both_corners and (_COURT[text] or any(observed.plain) or not pips_shown(observed.face)):
        # A corner may be hidden; one that is plain paper is not of a card that has an index.
        return FrameReading(None, Doubt.UNSURE)
    if RANKS[text] == "1" and not any(observed.alone):
        # An 11 of which one digit is hidden is a Jack: it must not become an Ace.
        return FrameReading(None, Doubt.UNSURE)
    suit = _suit(observed, limits, pips=not _COURT[text])
    if isinstance(suit, Doubt):
        return FrameReading(None, suit)
    card = card_of(RANKS[text], suit[0])
    return FrameReading(card, confidence=sure * suit[1], index_text=RANKS[text])


def without_blank_corner(observed: Observations, limits: Limits) -> tuple[Observations, bool]:
    """The corners in which at least one index network sees an index; and whether those are both.

    Glare and fingers hide one corner; where both show none, both stay. `plain` stays as it is.
    """
    legible = [
        at
        for at, pair in enumerate(zip(observed.a, observed.b, strict=True))
        if min(float(scores.ranks[_NONE]) for scores in pair) <= limits.index_text
    ]
    if len(legible) != 1:
        return observed, True
    at = legible[0]
    one = replace(
        observed,
        a=[observed.a[at]],
        b=[observed.b[at]],
        redness=(observed.redness[at], None),
        alone=(observed.alone[at], False),
    )
    return one, False


def _suit(observed: Observations, limits: Limits, *, pips: bool) -> tuple[str, float] | Doubt:
    """The suit and how sure it is: the ink's colour leaves two, index and face choose between them.

    Pips vote; a court's face does not, its robes are of every colour.
    """
    allowed = suits_by_ink(observed, limits)
    # Red in one corner and blue in the other: diamonds are printed in both, no card is.
    if allowed is None or len(allowed) < _CHOICE:
        return Doubt.INK_COLOUR
    index = np.array([scores.suits for scores in (*observed.a, *observed.b)])
    columns = [at for at, name in enumerate(SUITS) if name in allowed]
    others = [at for at, name in enumerate(SUITS) if name and name not in allowed]
    if others and float(index[:, others].max()) > limits.veto:
        return Doubt.INK_COLOUR
    scores = np.log(index[:, columns] + _SUIT_FLOOR).sum(axis=0)
    if pips:
        scores += np.log(observed.face.suits[columns] + _FACE_SUIT_FLOOR)
    suit, lead, sure = _likeliest(scores)
    chosen = columns[suit]
    if float(np.delete(index[:, columns], suit, axis=1).max()) > limits.veto:
        return Doubt.CORNERS_DIFFER
    agree = limits.agree if observed.in_colour else limits.shape
    if pips and _pips_differ(observed.face, chosen, limits.pips, agree):
        return Doubt.VOTES_DIFFER
    red = allowed == RED_SUITS
    of_pips, of_court = (
        (limits.hearts, limits.red_court) if red else (limits.pips_clubs, limits.clubs)
    )
    enough = of_pips if pips else of_court
    if len(observed.a) == 1:
        enough *= _ONE_CORNER
    return (SUITS[chosen], sure) if lead >= enough else Doubt.UNSURE


def pips_shown(face: ClassScores) -> bool:
    """Whether the face shows a number of pips, rather than a court or nothing."""
    return int(face.ranks.argmax()) < COUNTS.index("court")


def _pips_differ(face: ClassScores, suit: int, pips: float, agree: float) -> bool:
    """Whether the pips are of another suit than the index; an ornate Ace's are not asked."""
    if float(np.delete(face.suits[:_NONE], suit).max()) > pips:
        return True
    four = face.suits[:_NONE]
    return pips_shown(face) and float(four[suit]) < agree * float(four.sum())


def _log(votes: Floats) -> Floats:
    logs: Floats = np.log(np.maximum(votes, _FLOOR))
    return logs


def _by_face(face: ClassScores) -> Floats:
    """What the face adds to each index text; it has no vote on whether there is an index."""
    shares: Floats = np.log(np.maximum(_SHOWN @ face.ranks, _FACE_FLOOR))
    shares[_NONE] = np.log(0.5)
    return shares


def _likeliest(scores: Floats) -> tuple[int, float, float]:
    """The best class, its lead over the second in nats, and its share of all.

    Two corners of one card say nearly the same: for the share they count as one.
    """
    best = int(scores.argmax())
    share = float(1 / np.exp((scores - scores[best]) / 2).sum())
    return best, float(scores[best] - np.partition(scores, -2)[-2]), share


def _unseen(votes: Floats, text: int, limits: Limits) -> Doubt | None:
    """Why the likeliest text is not taken: a network is sure of another, or too few see it.

    The votes are both corners of the one index network, then both of the other.
    """
    others = votes[:, :_NONE].copy()
    others[:, text] = 0
    if float(others.max()) > limits.veto:
        return Doubt.CORNERS_DIFFER
    half = len(votes) // 2
    of_a, of_b = votes[:half, text], votes[half:, text]
    both = np.minimum(of_a, of_b)
    if float(both.max()) < limits.weak and float(others.max()) > limits.contested:
        # Forged ranks and numbers that are none (18) were named so: the pips decided for the text.
        return Doubt.UNSURE
    share = both if _COURT[text] else np.maximum(of_a, of_b)
    return None if float(share.max()) >= limits.index_text else Doubt.UNSURE


def leans_to(observed: Observations, text: str) -> float:
    """The mean of all votes on this text, from 0 to 1."""
    at = RANKS.index(text)
    return float(np.mean([scores.ranks[at] for scores in (*observed.a, *observed.b)]))


def least_vote(observed: Observations, text: str) -> float:
    """The least of all votes on this text, from 0 to 1."""
    at = RANKS.index(text)
    return float(min(scores.ranks[at] for scores in (*observed.a, *observed.b)))


def black_lead(observed: Observations, suit: str) -> float:
    """By how many nats the index's sign is likelier this black suit than the other one."""
    own, other = (SUITS.index(each) for each in (suit, "c" if suit == "s" else "s"))
    votes = np.array([scores.suits for scores in (*observed.a, *observed.b)]) + _SUIT_FLOOR
    return float(np.log(votes[:, own] / votes[:, other]).sum())


def beside_is_another(face: ClassScores, suit: str, limits: Limits) -> bool:
    """Whether pips that stand beside a jumbo index are of another suit than its sign."""
    four = face.suits[:_NONE]
    own = float(four[SUITS.index(suit)])
    return pips_shown(face) and own < limits.beside * float(four.sum())


def seen_by_both(observed: Observations, text: str, limits: Limits) -> bool:
    """Whether both index networks are sure of this text in the same corner."""
    at = RANKS.index(text)
    pairs = zip(observed.a, observed.b, strict=True)
    return any(min(a.ranks[at], b.ranks[at]) >= limits.large for a, b in pairs)


def suits_by_ink(observed: Observations, limits: Limits) -> frozenset[str] | None:
    """The suits that are printed in this colour; None where there is no ink, or of no clear colour.

    Glare, a finger or art may leave one corner in between: it says nothing. Where both are, the
    pips say it, which have more ink. To a monochrome sensor any suit may be: shape alone tells,
    with the lead that clubs and spades need.
    """
    if not observed.in_colour:
        return _EVERY_SUIT
    inks = {printed_so(each, limits) for each in observed.redness if each is not None}
    clear = [each for each in inks if each]
    if clear:
        return frozenset.intersection(*clear) or None
    pips = observed.pips_redness
    return None if pips is None else printed_so(pips, limits)


def printed_so(redness: float, limits: Limits) -> frozenset[str] | None:
    """The suits that are printed in ink of this redness; None for one between two colours."""
    if redness >= limits.red:
        return RED_SUITS
    if redness <= limits.cold:
        return _COLD_SUITS
    return _BLACK_SUITS if redness <= limits.black else None


def another_ink(
    indices: Sequence[tuple[float | None, float | None]], pips: float | None, limits: Limits
) -> bool:
    """Whether every index that is seen was printed in another ink than the pips.

    `indices` are redness and blueness of each corner, `pips` the blueness between them. One sheet
    is printed in one ink a suit. Of red ink blur leaves too little to compare: it differs by 0.7 on
    cards that are what they say.
    """
    both_measured = [(red, blue) for red, blue in indices if red is not None and blue is not None]
    if pips is None or not both_measured or any(red >= limits.red for red, _ in both_measured):
        return False
    return all(abs(blue - pips) > limits.ink for _, blue in both_measured)

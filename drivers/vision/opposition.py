"""Independent checks that can veto the card which the votes name.

All networks learned the same designs and make the same mistakes; what is asked here sees less of
the card, or is no network. It only ever refuses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.devices.inputs import Doubt
from controller.rules.cards import Card, Rank, Suit
from drivers.vision.decision import beside_is_another, black_lead, least_vote
from drivers.vision.finding.card_edges import Floats, Image
from drivers.vision.finding.rectified_card import RectifiedCard
from drivers.vision.index_corner import without_neighbours
from drivers.vision.index_parts import IndexParts, index_parts
from drivers.vision.index_sign import says_another_text
from drivers.vision.nets import SUITS, TEXTS, ClassScores, Networks
from drivers.vision.observations import Limits, Observations
from drivers.vision.pips_alone import suit_of_pips

#: Of the four votes on the index's sign alone, the probability by which the other suit leads.
SIGN_LEAD: Final = 0.1
#: From this share on a part of an index shows this class; and the least share that counts.
_CUT_OUT: Final = 0.5
_FLOOR: Final = 1e-6
#: The suits for which the sign of each is mistaken, in a picture in colour and in one without.
_MISTAKEN_FOR: Final[dict[Suit, tuple[Suit, ...]]] = {
    Suit.CLUBS: (Suit.SPADES,), Suit.SPADES: (Suit.CLUBS,), Suit.HEARTS: (), Suit.DIAMONDS: (),
}  # fmt: skip
_WITHOUT_COLOUR: Final = {
    each: tuple(other for other in Suit if other is not each) for each in Suit
}
_BLACK: Final = (Suit.CLUBS, Suit.SPADES)


@dataclass(frozen=True, slots=True)
class ObservedCard:
    """One card with its evidence: the text of its index, the votes on the corners that were read,
    the small corners, and the large ones if it was those that were read.
    """

    card: RectifiedCard
    text: str
    observed: Observations
    corners: tuple[Image, Image]
    large: tuple[Image, Image] | None


def opposed(card: Card, evidence: ObservedCard, nets: Networks, limits: Limits) -> Doubt | None:
    """Why this card must not be named: evidence contradicts it, or its suit is unconfirmed."""
    suit = card.suit
    if suit is None:
        return None
    if says_another_text(evidence.card, evidence.text, large=evidence.large is not None):
        return Doubt.FOREIGN_INDEX
    parts = _parts(evidence)
    if _text_differs(evidence, parts, nets, limits):
        return Doubt.FOREIGN_INDEX
    if card.rank >= Rank.JACK:
        return Doubt.UNSURE if _court_needs_its_sign(suit, evidence, nets, limits) else None
    if _sign_differs(suit, parts, evidence, nets, limits) or _shape_differs(
        card, suit, evidence, nets, limits
    ):
        return Doubt.VOTES_DIFFER
    return Doubt.VOTES_DIFFER if _pips_differ(card, suit, evidence, nets, limits) else None


def _parts(evidence: ObservedCard) -> list[IndexParts]:
    """The parts of the index in the corners that were read; where it reaches out of the small ones,
    and all votes were on what of it lies in them, those in the larger ones.
    """
    if evidence.large is None and (parts := index_parts(evidence.card, large=False)):
        return parts
    return index_parts(evidence.card, large=True)


def _pips_differ(
    card: Card, suit: Suit, evidence: ObservedCard, nets: Networks, limits: Limits
) -> bool:
    """Whether the pips beside a jumbo index are of another suit than its sign.

    The face network saw a part of such an index, and its sign among the pips: each pip is seen
    alone, or the network is asked again with more painted over. So it is where it was undecided.
    An Ace may be so ornate that its pip cannot be made out.
    """
    if card.rank is Rank.ACE:
        return False
    others = np.delete(evidence.observed.face.suits[:-1], SUITS.index(suit.value))
    if evidence.large is None and float(others.max()) <= limits.of_one_mind:
        return False
    alone = suit_of_pips(evidence.card, nets)
    if alone is not None and float(alone.max()) >= limits.pip_alone:
        return int(alone.argmax()) != SUITS.index(suit.value)
    return beside_is_another(nets.face(evidence.card, large_index=True), suit.value, limits)


def _court_needs_its_sign(
    suit: Suit, evidence: ObservedCard, nets: Networks, limits: Limits
) -> bool:
    """Whether neither the votes on a black court's sign nor its outline are sure of the suit.

    Its face is no witness: of a Queen of clubs all networks may see the sign of spades.
    """
    if suit not in _BLACK or black_lead(evidence.observed, suit.value) >= limits.black_court:
        return False
    spades = nets.sign_spades(evidence.card, large_index=evidence.large is not None)
    if spades is None:
        return True
    if suit is Suit.SPADES:
        return spades <= limits.sign_spades
    return spades >= limits.sign_clubs


def _text_differs(
    evidence: ObservedCard, parts: list[IndexParts], nets: Networks, limits: Limits
) -> bool:
    """Whether the text of the index, seen alone, is hardly the one that was read; less hardly where
    some vote on the whole corner leaves anything open.

    The networks that see a whole corner find the letter or number that they know in JK, I1 or 112.
    A letter of another country is not asked: whoever chose its style has no other witness.
    """
    if evidence.text not in TEXTS[:-2] or not parts:
        return False
    shares = nets.text_alone([each.text for each in parts])
    # What looks like several texts and like none of them clearly is smeared: no witness. Nor are
    # two corners that show two texts of ours: both indices of a card say the same.
    shown = {TEXTS[int(at)] for at in shares.argmax(axis=1)}
    if len(shown) > 1 and "" not in shown:
        return False
    shares = shares[shares.max(axis=1) >= _CUT_OUT]
    open_ = least_vote(evidence.observed, evidence.text) < limits.text_sure
    least = limits.text_open if open_ else limits.text_alone
    return bool(_hardly(shares, TEXTS.index(evidence.text), TEXTS.index("sign"), least))


def _sign_differs(
    suit: Suit, parts: list[IndexParts], evidence: ObservedCard, nets: Networks, limits: Limits
) -> bool:
    """Whether the index's own sign, without the pips beside it, is hardly of the suit.

    A network takes a pip beside a small sign for the sign. In colour hearts and diamonds are not
    mistaken so, and black is not red; court art is no pip.
    """
    mistaken = _MISTAKEN_FOR if evidence.card.in_colour else _WITHOUT_COLOUR
    others = [SUITS.index(each.value) for each in mistaken[suit]]
    if not others:
        return False
    if evidence.card.in_colour and black_lead(evidence.observed, suit.value) >= limits.sure_sign:
        return False
    own = SUITS.index(suit.value)
    if parts:
        shares = nets.sign_alone([each.sign for each in parts])
        if (hardly := _hardly(shares, own, len(SUITS) - 1, limits.sign_alone)) is not None:
            return hardly
    return _votes_on_sign_differ(own, others, evidence, nets, limits)


def _hardly(shares: Floats, own: int, none: int, least: float) -> bool | None:
    """Whether this class has less than `least` of all corners together, the geometric mean of
    both; None where each of them shows something else than what was to be cut out.
    """
    cut_out = shares[shares[:, none] < _CUT_OUT]
    if not len(cut_out):
        return None
    return float(np.exp(np.log(np.maximum(cut_out[:, own], _FLOOR)).mean())) < least


def _votes_on_sign_differ(
    own: int, others: list[int], evidence: ObservedCard, nets: Networks, limits: Limits
) -> bool:
    """Whether the index networks, asked again without what stands beside the sign, rather see
    another suit, or may see one that a vote on the whole corner saw as well.
    """
    alone = _without_neighbours(evidence.corners, nets)
    if alone and _added(alone, others) - _added(alone, [own]) > SIGN_LEAD:
        return True
    votes = [*evidence.observed.a, *evidence.observed.b]
    if evidence.large:
        alone = _without_neighbours(evidence.large, nets)
    alone = alone or votes
    most = max(float(np.max(vote.suits[others])) for vote in votes)
    return _added(alone, others) / len(alone) + most > limits.sign


def _without_neighbours(corners: tuple[Image, Image], nets: Networks) -> list[ClassScores]:
    """The votes on the index alone; none where nothing stands beside it."""
    alone = without_neighbours(corners[0]), without_neighbours(corners[1])
    if all(one is other for one, other in zip(alone, corners, strict=True)):
        return []
    a, b = nets.index(alone)
    return [*a, *b]


def _added(votes: list[ClassScores], suits: list[int]) -> float:
    """The votes on the likeliest of these suits, added up."""
    return float(np.max(np.sum([vote.suits for vote in votes], axis=0)[suits]))


def _shape_differs(
    card: Card, suit: Suit, evidence: ObservedCard, nets: Networks, limits: Limits
) -> bool:
    """Whether the outline of the pips is not that of the black suit that was read; or that of the
    index's sign, where the votes on the index alone would not suffice for the suit.
    """
    if suit not in _BLACK:
        return False
    outlines = [nets.spades(evidence.card)] if card.rank is not Rank.ACE else []
    if black_lead(evidence.observed, suit.value) < limits.clubs:
        outlines.append(nets.sign_spades(evidence.card, large_index=evidence.large is not None))
    known = [each for each in outlines if each is not None]
    if suit is Suit.SPADES:
        return any(each < limits.spades_outline for each in known)
    return any(each > limits.clubs_outline for each in known)

"""What speaks against a card that all votes name: each witness alone forbids it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import pytest

from controller.devices.inputs import Doubt
from controller.rules.cards import card
from drivers.vision.finding.card_edges import Image
from drivers.vision.finding.rectified_card import RectifiedCard, rectified_crop
from drivers.vision.nets import RANKS, SUITS, ClassScores
from drivers.vision.observations import Limits, Observations
from drivers.vision.opposition import ObservedCard, opposed
from tests.drivers.vision.images import blank, printed
from tests.drivers.vision.network_scores import ScriptedNetworks, face, heard
from tests.drivers.vision.test_index_sign import indexed
from tests.drivers.vision.test_pip_shape import SIX, card_with, spade

LIMITS: Final = Limits()


def torn(said: Observations, suits: dict[str, float]) -> Observations:
    """The same with these probabilities of suits in every vote."""
    row = np.array([suits.get(each, 0.0) for each in SUITS])
    votes = [ClassScores(each.ranks, row) for each in said.a]
    return replace(said, a=votes, b=votes)


def seen_in(observed: Observations, *, large: bool = False) -> ObservedCard:
    sheet = rectified_crop(printed("K"))
    assert isinstance(sheet, RectifiedCard)
    paper = np.full((112, 64, 3), 224, np.uint8)
    corners: tuple[Image, Image] = (paper, paper)
    text = RANKS[int(observed.a[0].ranks.argmax())]
    return ObservedCard(sheet, text, observed, corners, corners if large else None)


KING: Final = heard("K", "s", "court")


@pytest.mark.parametrize(
    ("code", "suits", "sign", "doubt"),
    [
        ("Ks", {"s": 0.999}, None, None),
        ("Ks", {"s": 0.95, "c": 0.03}, None, Doubt.UNSURE),
        ("Ks", {"s": 0.95, "c": 0.03}, 0.6, Doubt.UNSURE),
        ("Ks", {"s": 0.95, "c": 0.03}, 0.9, None),
        ("Kc", {"c": 0.95, "s": 0.03}, -0.2, Doubt.UNSURE),
        ("Kc", {"c": 0.95, "s": 0.03}, -0.9, None),
        ("Kh", {"h": 0.95, "d": 0.03}, None, None),
    ],
)
def test_a_black_court_s_suit_needs_clear_votes_or_its_sign_s_outline(
    code: str, suits: dict[str, float], sign: float | None, doubt: Doubt | None
) -> None:
    observed = torn(KING, suits)
    nets = ScriptedNetworks(observed, sign=sign)
    assert opposed(card(code), seen_in(observed), nets, LIMITS) is doubt


@pytest.mark.parametrize(
    ("most", "doubt"), [(0.05, None), (0.19, None), (0.21, Doubt.VOTES_DIFFER)]
)
def test_a_sign_that_is_partly_another_black_suit_is_none(most: float, doubt: Doubt | None) -> None:
    observed = torn(heard("9", "s", "9"), {"s": 1 - most, "c": most})
    nets = ScriptedNetworks(replace(observed, face=face("9", "s")))
    nowhere = rectified_crop(blank())  # no sign stands free: the votes alone are asked
    assert isinstance(nowhere, RectifiedCard)
    evidence = replace(seen_in(nets.said), card=nowhere)
    assert opposed(card("9s"), evidence, nets, LIMITS) is doubt


def with_index(text: str) -> RectifiedCard:
    """A card of which text and sign are found by their ink."""
    return indexed(text, 0.9, spade())


@pytest.mark.parametrize(
    ("shares", "doubt"),
    [
        ({"K": 0.9, "": 0.1}, None),
        ({"K": 0.01, "": 0.99}, Doubt.FOREIGN_INDEX),
        ({"K": 0.01, "Q": 0.99}, Doubt.FOREIGN_INDEX),
        ({"K": 0.01, "sign": 0.99}, None),  # the sign stands above the text
        ({"K": 0.04, "Q": 0.48, "A": 0.48}, None),  # smeared
        ({"K": 0.45, "": 0.55}, Doubt.FOREIGN_INDEX),  # the votes leave a hundredth open
    ],
)
def test_a_text_that_alone_is_another_one_is_no_card(
    shares: dict[str, float], doubt: Doubt | None
) -> None:
    evidence = replace(seen_in(KING), card=with_index("K"))
    assert (
        opposed(card("Ks"), evidence, ScriptedNetworks(KING, text_alone_is=shares), LIMITS) is doubt
    )


@pytest.mark.parametrize(
    ("lower", "doubt"),
    [
        ({"Q": 0.9}, Doubt.FOREIGN_INDEX),
        ({"A": 0.6, "Q": 0.4}, None),
        ({"": 0.6, "Q": 0.4}, Doubt.FOREIGN_INDEX),
    ],
)
def test_two_corners_that_alone_say_two_texts_of_ours_are_no_witness(
    lower: dict[str, float], doubt: Doubt | None
) -> None:
    """Both indices of a card say the same: where they do not, they were cut out badly."""
    evidence = replace(seen_in(KING), card=with_index("K"))
    nets = ScriptedNetworks(KING, texts_alone_are=({"Q": 0.9, "K": 0.01}, lower))
    assert opposed(card("Ks"), evidence, nets, LIMITS) is doubt


def test_the_text_of_an_index_that_reaches_out_of_the_small_corners_is_seen_in_the_larger() -> None:
    """A 1 behind a K was cut off where it was read."""
    evidence = replace(seen_in(KING), card=indexed("K1", 1.9, spade()))
    nets = ScriptedNetworks(KING, text_alone_is={"": 0.99})
    assert opposed(card("Ks"), evidence, nets, LIMITS) is Doubt.FOREIGN_INDEX
    alone = replace(evidence, card=card_with(spade(), SIX))
    assert opposed(card("Ks"), alone, nets, LIMITS) is None


def test_a_letter_of_another_country_has_no_text_of_ours() -> None:
    evidence = replace(seen_in(KING), card=with_index("R"), text="R")
    nets = ScriptedNetworks(KING, text_alone_is={"": 1.0})
    assert opposed(card("Ks"), evidence, nets, LIMITS) is None


@pytest.mark.parametrize(
    ("code", "shares", "doubt"),
    [
        ("9s", {"s": 0.9, "c": 0.1}, None),
        ("9s", {"s": 0.3, "c": 0.7}, Doubt.VOTES_DIFFER),
        ("9c", {"s": 0.7, "c": 0.3}, Doubt.VOTES_DIFFER),
        ("9h", {"d": 0.7, "h": 0.3}, None),  # what is red is told by its colour and the pips
    ],
)
def test_a_black_sign_that_alone_is_another_one_is_no_card(
    code: str, shares: dict[str, float], doubt: Doubt | None
) -> None:
    votes = torn(heard("9", code[1], "9"), {code[1]: 0.9})  # lead by 15.3 nats at the most
    observed = replace(votes, face=face("9", code[1]))
    evidence = replace(seen_in(observed), card=with_index("9"), text="9")
    nets = ScriptedNetworks(observed, sign_alone_is=shares)
    assert opposed(card(code), evidence, nets, replace(LIMITS, sure_sign=15.5)) is doubt
    assert opposed(card(code), evidence, nets, LIMITS) is None


@pytest.mark.parametrize(("sign", "doubt"), [(None, None), (0.4, None), (0.1, Doubt.VOTES_DIFFER)])
def test_a_weak_black_sign_is_not_told_against_its_outline(
    sign: float | None, doubt: Doubt | None
) -> None:
    observed = replace(torn(heard("2", "s", "2"), {"s": 0.9, "c": 0.08}), face=face("2", "s"))
    nets = ScriptedNetworks(observed, sign=sign)
    assert opposed(card("2s"), seen_in(observed), nets, LIMITS) is doubt


SIX_OF_SPADES: Final = card_with(spade(), SIX)


@pytest.mark.parametrize(
    ("alone", "doubt"),
    [({"s": 0.95}, None), ({"c": 0.95}, Doubt.VOTES_DIFFER), ({"s": 0.8, "c": 0.2}, None)],
)
def test_pips_beside_a_jumbo_index_are_seen_one_by_one(
    alone: dict[str, float], doubt: Doubt | None
) -> None:
    """The face network, which is asked where they are not sure, has them for spades."""
    observed = replace(heard("6", "s", "6"), face=face("6", "s"))
    evidence = replace(seen_in(observed, large=True), card=SIX_OF_SPADES)
    nets = ScriptedNetworks(observed, beside_large=face("6", "s"), sign_alone_is=alone)
    assert opposed(card("6s"), evidence, nets, LIMITS) is doubt
    other = replace(nets, beside_large=face("6", "c"))
    sure = max(alone.values()) > 0.9
    assert opposed(card("6s"), evidence, other, LIMITS) is (doubt if sure else Doubt.VOTES_DIFFER)


@pytest.mark.parametrize("code", ["5h", "5s"])
def test_pips_beside_a_jumbo_index_are_of_its_own_suit(code: str) -> None:
    suit, other = code[1], {"h": "d", "s": "c"}[code[1]]
    observed = replace(heard("5", suit, "5", redness=0.7), face=face("5", suit))
    against, alike = (
        ScriptedNetworks(observed, beside_large=face("5", each), sign=None)
        for each in (other, suit)
    )
    assert opposed(card(code), seen_in(observed, large=True), against, LIMITS) is Doubt.VOTES_DIFFER
    assert opposed(card(code), seen_in(observed, large=True), alike, LIMITS) is None
    # Of a small index the face is asked again only where it was not of one mind.
    assert opposed(card(code), seen_in(observed), against, LIMITS) is None
    split = replace(observed, face=face("5", suit, 0.7))
    assert opposed(card(code), seen_in(split), against, LIMITS) is Doubt.VOTES_DIFFER


def test_an_ace_s_pip_may_be_too_ornate_to_be_asked() -> None:
    observed = replace(heard("A", "h", "1", redness=0.7), face=face("1", "h"))
    nets = ScriptedNetworks(observed, beside_large=face("1", "d"))
    assert opposed(card("Ah"), seen_in(observed, large=True), nets, LIMITS) is None


def test_two_letters_are_no_card_of_one() -> None:
    """An index KK, of which all networks see a K."""
    king = seen_in(KING)
    twice = rectified_crop(printed("KK"))
    assert isinstance(twice, RectifiedCard)
    nets = ScriptedNetworks(KING)
    assert opposed(card("Ks"), king, nets, LIMITS) is None
    assert opposed(card("Ks"), replace(king, card=twice), nets, LIMITS) is Doubt.FOREIGN_INDEX

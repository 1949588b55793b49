"""Pips of a number card, each seen alone, say its suit where the face network sees another one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.devices.inputs import Doubt
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.finding.rectified_card import RectifiedCard, rectified_crop
from drivers.vision.nets import SUITS, CardNetworks
from drivers.vision.observations import Observations
from drivers.vision.pips_alone import suit_of_pips
from tests.drivers.vision.images import DARK, felt, laid, printed
from tests.drivers.vision.network_scores import ScriptedNetworks, face, heard
from tests.drivers.vision.test_pip_shape import FOUR, SIX, card_with, club, spade


@pytest.fixture(scope="module")
def nets() -> CardNetworks:
    return CardNetworks()


@pytest.mark.parametrize("places", [SIX, FOUR])
@pytest.mark.parametrize(("pip", "suit"), [(club(), "c"), (spade(), "s")], ids=["clubs", "spades"])
def test_pips_say_their_suit(
    pip: Image, suit: str, places: list[tuple[int, int]], nets: CardNetworks
) -> None:
    shares = suit_of_pips(card_with(pip, places), nets)
    assert shares is not None
    assert float(shares.sum()) == pytest.approx(1)
    assert shares[SUITS.index(suit)] > 0.9


def test_one_pip_says_nothing(nets: CardNetworks) -> None:
    assert suit_of_pips(card_with(spade(), [(90, 90)]), nets) is None


def test_the_sign_of_a_jumbo_index_is_no_pip(nets: CardNetworks) -> None:
    """A 6 with two large signs of clubs in its corners, and spades for pips."""
    sheet = card_with(spade(), FOUR).image.copy()
    sheet[30:330, 60:220] = 224  # the pips make room
    small = image_of(cv2.resize(spade(), (40, 40), interpolation=cv2.INTER_AREA))
    for _ in range(2):
        cv2.putText(sheet, "6", (8, 76), cv2.FONT_HERSHEY_SIMPLEX, 2.4, (20, 20, 20), 9)
        for left, pip, top in ((12, club(), 96), (140, small, 100)):
            high, wide = pip.shape
            sheet[top : top + high, left : left + wide] = pip[..., None]
        sheet = image_of(cv2.rotate(sheet, cv2.ROTATE_180))
    card = rectified_crop(sheet)
    assert isinstance(card, RectifiedCard)
    shares = suit_of_pips(card, nets)
    assert shares is not None
    assert shares[SUITS.index("s")] > 0.9


def six(shown: str) -> Observations:
    """All votes on the index are for spades, the face network's for this suit."""
    return replace(heard("6", "s", "6"), face=face("6", shown))


def laid_six() -> Image:
    """A frame with the six of spades in it; its index is what networks are told to see."""
    card = printed("6")
    inside = card_with(spade(), SIX).image[60:340, 60:220]
    card[60:340, 60:220] = np.minimum(card[60:340, 60:220], inside)
    return laid(card, felt(DARK))


@pytest.mark.parametrize(
    ("shown", "alone", "code"),
    [
        ("s", {"c": 1.0}, "6s"),  # face and index agree: nobody asks
        ("c", {"s": 0.95}, "6s"),
        ("c", {"s": 0.8, "c": 0.2}, None),  # not sure enough
        ("c", {"c": 0.95}, None),
        ("c", None, "6s"),  # what the scripted network has for spades
    ],
)
def test_pips_alone_decide_where_the_face_is_of_another_mind_than_the_index(
    shown: str, alone: dict[str, float] | None, code: str | None
) -> None:
    said = ScriptedNetworks(six(shown), sign_alone_is=alone)
    reading = CardRecognizer(said).read(laid_six())
    assert (reading.card.code if reading.card else None) == code
    assert (reading.doubt is None) == (code is not None)
    if code is None:
        assert reading.doubt is Doubt.VOTES_DIFFER


@pytest.mark.parametrize(
    ("pips", "doubt"), [((24, 24, 100), None), ((24, 24, 74), Doubt.INK_COLOUR)]
)
def test_the_ink_of_pips_is_measured_where_the_index_s_is_between_two_colours(
    pips: tuple[int, int, int], doubt: Doubt | None
) -> None:
    sheet = printed("6", (24, 24, 74))
    for x, y in SIX:
        cv2.circle(sheet, (x, y), 22, pips, -1)
    said = replace(heard("6", "h", "6"), face=face("6", "h"))
    reading = CardRecognizer(ScriptedNetworks(said)).read(laid(sheet, felt(DARK)))
    assert reading.doubt is doubt

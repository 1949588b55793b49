"""Calibrated courts of a jumbo deck, turned: a Queen of spades was once read as the one of clubs.

Her picture the other way round was like no capture of hers, and a little like the other's.
"""

from __future__ import annotations

import itertools

import cv2
import pytest

from calibration.draw import frames
from calibration.draw.deck_design import DrawnDeck
from calibration.draw.fonts import MissingPackage
from calibration.draw.frames import DrawnKind, Picture
from calibration.draw.lens import Distortion
from controller.rules.cards import DECK_52, Card, Rank
from drivers.vision.calibrated.deck import CalibratedDeck
from drivers.vision.calibrated.kept_captures import DeckCapture
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import image_of
from drivers.vision.finding.rectified_card import RectifiedCard, find_card

COURTS = [each for each in DECK_52 if each.rank >= Rank.JACK]


def jumbo() -> DrawnDeck:
    return next(
        deck
        for number in range(200)
        if 0.16 < (deck := frames.deck(number)).look.rank < 0.24 and deck.art is None
    )


def lying(seed: int, of: Card) -> Picture:
    try:
        return frames.frame(
            seed, kind=DrawnKind.CARD, level=Distortion.EASY, of=of, from_deck=jumbo()
        )[0]
    except MissingPackage as missing:
        pytest.skip(f"what the frames are drawn with is not installed: {missing}")


@pytest.mark.long
def test_turned_courts_of_a_jumbo_deck_are_their_own_suit_or_none() -> None:
    found = [(each, find_card(lying(94_000 + nth, each))) for nth, each in enumerate(COURTS)]
    captures = [(each, card) for each, card in found if isinstance(card, RectifiedCard)]
    assert len(captures) >= 11
    reader = CardRecognizer(deck=CalibratedDeck(itertools.starmap(DeckCapture.of, captures), None))
    right = 0
    for nth, (of, _) in enumerate(captures):
        picture = lying(94_500 + nth, of)
        for way in (picture, image_of(cv2.rotate(picture, cv2.ROTATE_180))):
            named = reader.read(way).card
            assert named in (None, of)
            right += named is of
    assert right >= len(captures)

"""Cards before a monochrome sensor: red and black are told by shape and by the deck, or not at all.

Without colour a heart is nearly a spade upside down, and no ink forbids it.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import pytest

from calibration.draw import frames
from calibration.draw.fonts import MissingPackage
from calibration.draw.lens import Distortion
from controller.devices.inputs import Doubt
from controller.rules.cards import DECK_52, Card
from drivers.vision.calibrated.deck import CalibratedDeck
from drivers.vision.calibrated.kept_captures import DeckCapture
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.decision import decide_card
from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from drivers.vision.frame_reading import FrameReading
from drivers.vision.observations import Limits
from tests.drivers.vision.network_scores import face, heard

SEVENS_AND_QUEENS = [each for each in DECK_52 if int(each.rank) in (7, 12)]


def without_colour(picture: Image) -> Image:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return image_of(cv2.merge([grey, grey, grey]))


def lying(seed: int, of: Card) -> Image:
    try:
        return frames.frame(
            seed,
            kind=frames.DrawnKind.CARD,
            level=Distortion.EASY,
            of=of,
            from_deck=frames.deck(3),
        )[0]
    except MissingPackage as missing:
        pytest.skip(f"what the frames are drawn with is not installed: {missing}")


def decided(reading: FrameReading) -> str | Doubt | None:
    return reading.card.code if reading.card else reading.doubt


@pytest.mark.parametrize("suit", ["c", "d", "h", "s"])
def test_any_suit_is_told_by_its_shape_where_there_is_no_colour(suit: str) -> None:
    said = replace(heard("7", suit, "7", redness=0.0), face=face("7", suit), in_colour=False)
    assert decided(decide_card(said, Limits())) == f"7{suit}"


def test_without_colour_a_red_suit_needs_the_lead_of_a_black_one() -> None:
    said = replace(heard("7", "h", "7", redness=0.6, sure=0.57), face=face("7", "h", 0.95))
    assert decided(decide_card(said, Limits())) == "7h"
    assert decided(decide_card(replace(said, in_colour=False), Limits())) is Doubt.UNSURE


def test_without_colour_pips_of_no_clear_shape_confirm_no_index() -> None:
    said = replace(heard("7", "s", "7"), face=face("7", "s", 0.5), in_colour=False)
    assert decided(decide_card(said, Limits())) is Doubt.VOTES_DIFFER
    assert decided(decide_card(replace(said, in_colour=True), Limits())) == "7s"


def test_a_picture_of_which_all_channels_are_the_same_has_no_colour() -> None:
    picture = lying(97_000, SEVENS_AND_QUEENS[0])
    in_colour, grey = find_card(picture), find_card(without_colour(picture))
    assert isinstance(in_colour, RectifiedCard)
    assert isinstance(grey, RectifiedCard)
    assert in_colour.in_colour
    assert not grey.in_colour


def test_a_deck_before_a_monochrome_sensor_is_told_rightly_or_not_at_all() -> None:
    found = [
        (each, find_card(without_colour(lying(97_100 + nth, each))))
        for nth, each in enumerate(SEVENS_AND_QUEENS)
    ]
    captures = [(each, card) for each, card in found if isinstance(card, RectifiedCard)]
    assert len(captures) >= len(SEVENS_AND_QUEENS) - 1
    reader = CardRecognizer(deck=CalibratedDeck(itertools.starmap(DeckCapture.of, captures), None))
    right = 0
    for nth, (of, _) in enumerate(captures):
        picture = without_colour(lying(97_500 + nth, of))
        for way in (picture, image_of(cv2.rotate(picture, cv2.ROTATE_180))):
            read = reader.read(way).card
            assert read in (None, of)
            right += read is of
    assert right > len(captures)

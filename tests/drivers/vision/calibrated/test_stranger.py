"""A card of a pack from abroad in a calibrated shoe: all but its letter is like one of the deck's.

Once an R that both networks saw was told as the Queen whose picture came nearest, by the deck.
"""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from controller.devices.inputs import Doubt
from controller.rules.cards import DECK_52, Rank
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.deck import CalibratedDeck
from drivers.vision.calibrated.kept_captures import DeckCapture
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Image, image_of
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from sim_hw.devices.deck_art import DECKS, face, stranger
from sim_hw.devices.glyphs import Picture
from sim_hw.devices.lens import Lens, slide, small
from tests.support.forms import quick_first

COURTS = [each for each in DECK_52 if each.rank >= Rank.JACK]


def frame_of(shown: Picture, seed: int) -> Image:
    """One picture of the simulated shoe, as a camera's stream has it."""
    picture = Lens(seed).picture(5.0, small(shown), slide(seed, 1), 0.0, None)
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return image_of(cv2.imdecode(jpeg, cv2.IMREAD_COLOR))


@pytest.mark.parametrize(
    "style",
    [
        pytest.param(PrintedStyle.FINNISH, id="its style"),
        pytest.param(None, marks=pytest.mark.long, id="any style"),
    ],
)
@pytest.mark.parametrize("name", quick_first(["kotka", "hamina", "oulu"], ["kotka"]))
def test_a_card_from_abroad_is_none_of_the_decks(
    name: str, style: PrintedStyle | None, long_form: bool
) -> None:
    deck = DECKS[name]
    found = [(each, find_card(frame_of(face(deck, each), 1))) for each in COURTS]
    captures = [(each, card) for each, card in found if isinstance(card, RectifiedCard)]
    assert len(captures) == len(COURTS)
    reader = CardRecognizer(
        deck=CalibratedDeck(itertools.starmap(DeckCapture.of, captures), style), style=style
    )
    own = reader.read(frame_of(face(deck, COURTS[5]), 2))
    assert own.card is COURTS[5]
    for seed in range(3, 6 if long_form else 4):
        picture = frame_of(stranger(deck), seed)
        for way in (picture, np.ascontiguousarray(picture[::-1, ::-1])):
            reading = reader.read(way)
            assert reading.card is None
            assert reading.doubt in (Doubt.OTHER_STYLE, Doubt.FOREIGN_INDEX, Doubt.VOTES_DIFFER)

"""What is no card is read as none, by the trained networks; plain cards are read.

The frames are drawn from seeds by `calibration.draw`, with the fonts of this machine.
"""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from calibration.draw import frames
from calibration.draw.fonts import MissingPackage
from calibration.draw.frames import DrawnKind, Picture, Truth
from calibration.draw.lens import Distortion
from controller.devices.inputs import Doubt
from controller.rules.cards import card
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Points
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from sim_hw.devices.deck_art import DECKS, face
from tests.drivers.vision.images import felt, laid

#: Of double feeds a few are not noticed, of made-up indices one in eleven (models/READINGS.md):
#: they have tests of their own.
_ELSEWHERE = (DrawnKind.CARD, DrawnKind.DOUBLE_FEED, DrawnKind.MADE_UP)
NEGATIVES = [each for each in DrawnKind if each not in _ELSEWHERE]


@pytest.fixture(scope="module")
def reader() -> CardRecognizer:
    return CardRecognizer()


def drawn(seed: int, kind: DrawnKind, level: Distortion = Distortion.EASY) -> tuple[Picture, Truth]:
    try:
        return frames.frame(seed, kind=kind, level=level, decks_known=12)
    except MissingPackage as missing:
        pytest.skip(f"what the frames are drawn with is not installed: {missing}")


@pytest.mark.parametrize("kind", NEGATIVES, ids=lambda kind: kind.value)
def test_no_card_is_told_where_there_is_none_to_be_told(
    reader: CardRecognizer, kind: DrawnKind, long_form: bool
) -> None:
    # In the quick form one of each, and each level of distortion for a third of them.
    nth = NEGATIVES.index(kind) % 3
    for seed in range(24) if long_form else [nth]:
        picture, truth = drawn(90_000 + seed, kind, list(Distortion)[seed % 3])
        reading = reader.read(picture)
        assert reading.card in (None, truth.under), (seed, reading.index_text)
        assert (reading.doubt is None) is (reading.card is not None)


@pytest.mark.long
def test_of_two_cards_drawn_from_the_shoe_at_once_few_are_told(
    reader: CardRecognizer, long_form: bool
) -> None:
    count = 48 if long_form else 8
    named = [
        reader.read(drawn(90_100 + seed, DrawnKind.DOUBLE_FEED)[0]).card is not None
        for seed in range(count)
    ]
    assert sum(named) <= -(-count // 8)


@pytest.mark.long
def test_a_jumbo_index_is_read(reader: CardRecognizer) -> None:
    """Twice as high as a regular one: it reaches out of the corner that is looked at first."""
    right = 0
    deck = next(each for n in range(200) if 0.19 < (each := frames.deck(n)).look.rank < 0.24)
    for nth, code in enumerate(("2s", "7h", "Tc", "Jd", "Ah")):
        of = card(code)
        try:
            picture, _ = frames.frame(
                93_000 + nth, kind=DrawnKind.CARD, level=Distortion.EASY, of=of, from_deck=deck
            )
        except MissingPackage as missing:
            pytest.skip(f"what the frames are drawn with is not installed: {missing}")
        for way in (picture, cv2.rotate(picture, cv2.ROTATE_180)):
            decided = reader.read(np.asarray(way, np.uint8)).card
            assert decided in (None, of)
            right += decided is of
    assert right >= 6


def test_plain_cards_are_read_and_none_is_misread(reader: CardRecognizer, long_form: bool) -> None:
    right, count = 0, 240 if long_form else 6
    for seed in range(count):
        picture, truth = drawn(91_000 + seed, DrawnKind.CARD)
        reading = reader.read(picture)
        assert reading.card in (None, truth.card), (seed, reading.index_text)
        right += reading.card is truth.card
    assert right >= count * 3 // 4


def test_a_cut_off_index_is_no_ace(reader: CardRecognizer, long_form: bool) -> None:
    """Of an 11, 12, 13 or 10 only the first digit is left to be seen, in both corners."""
    tried = 0
    for seed in range(80) if long_form else (9, 10):  # a 13 and a 10
        picture, truth = drawn(92_000 + seed, DrawnKind.CARD)
        sheet = find_card(picture)
        if truth.text not in ("10", "11", "12", "13") or not isinstance(sheet, RectifiedCard):
            continue
        tried += 1
        for share in (0.08, 0.1, 0.12):
            card = sheet.image.copy()
            cut = round(share * card.shape[1])
            card[:140, cut:84] = card[-140:, -84:-cut] = sheet.image[200, 140]
            laid = np.full((480, 640, 3), (40, 60, 30), np.uint8)
            laid[40:440, 180:460] = card
            reading = reader.read(laid)
            assert reading.card in (None, truth.card), (seed, share, reading.index_text)
    assert tried > 1


def aslant(x: float, y: float, degrees: float) -> Points:
    """A card 237 pixels high with its middle there, turned to the left."""
    turn, high = -np.radians(degrees), 237.0
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = np.array([[-5, -7], [5, -7], [5, 7], [-5, 7]]) * high / 14
    return np.asarray(corners @ turned.T + [x, y], np.float32)


def test_of_two_cards_one_over_the_other_none_is_told_that_is_not_there(
    reader: CardRecognizer, long_form: bool
) -> None:
    """The rank of the upper card and suit of the lower one, in one corner, were a third."""
    for seed in range(60 if long_form else 5):
        chance = Random(seed)
        lower = aslant(
            309 + chance.uniform(-6, 6), 243 + chance.uniform(-5, 5), -5 + chance.uniform(-1.5, 1.5)
        )
        deck = DECKS[chance.choice(("bristol", "kotka"))]
        frame = laid(face(deck, card("2d")), felt(), lower)
        reading = reader.read(laid(face(deck, card("7c")), frame, aslant(332, 237, -2.2)))
        assert reading.card in (None, card("7c")), (seed, reading.card)


def test_a_card_beyond_reading_is_said_to_be_blurred(reader: CardRecognizer) -> None:
    picture, _ = drawn(91_000, DrawnKind.CARD)
    reading = reader.read(np.asarray(cv2.GaussianBlur(picture, (0, 0), 9), np.uint8))
    assert reading.card is None
    assert reading.doubt in (Doubt.BLURRED, Doubt.COVERED, Doubt.BACK, Doubt.UNSURE)


def test_the_same_picture_is_read_the_same_by_another_reader(reader: CardRecognizer) -> None:
    picture, _ = drawn(91_000, DrawnKind.CARD)
    first, again = reader.read(picture), CardRecognizer().read(picture)
    assert not isinstance(find_card(picture), Doubt)
    assert (first.card, first.confidence, first.doubt) == (
        again.card,
        again.confidence,
        again.doubt,
    )

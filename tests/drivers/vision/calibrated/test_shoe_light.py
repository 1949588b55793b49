"""A card is lit as the shoe around it is: what shines by itself is not told, whatever it shows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import pytest

from calibration.draw.fonts import MissingPackage
from controller.devices.inputs import Doubt
from controller.rules.cards import card
from drivers.settings.camera import CameraSettings
from drivers.shoe.camera_passage import PassageTally
from drivers.shoe.camera_session import read_in_light
from drivers.shoe.frame_reader import FrameReader
from drivers.vision.calibrated.deck_folder import load_deck
from drivers.vision.calibrated.shoe_light import is_of_paper
from drivers.vision.finding.card_edges import Image
from drivers.vision.frame_reading import FrameReading
from sim_hw.devices.deck_art import DECKS, face
from tests.drivers.vision.images import QUAD, felt, laid
from tests.drivers.vision.screens import Around, Screen, passage
from tests.endurance.passages.table import ReadingTable

#: As in the tests of the camera's geometry: a card of 88 mm is 240 pixels high.
MM = 88 / 240
VIEW = {
    "width": 640, "height": 480, "region": [200, 70, 460, 410],
    "plane": [MM, 0, 0, 0, MM, 0, 0, 0, 1],
}  # fmt: skip
TEN = card("Ts")


def shown(shines: tuple[float, float, float] = (1, 1, 1), lamp: float = 1.0) -> Image:
    """A Ten of spades under a lamp; what shines by itself is brighter by so much (BGR)."""
    paper = np.clip(face(DECKS["kotka"], TEN) * np.array(shines) * 0.58, 0, 255).astype(np.uint8)
    return np.asarray(laid(paper, felt(), QUAD) * lamp, np.uint8)


@pytest.fixture(scope="module")
def eyes(tmp_path_factory: pytest.TempPathFactory) -> FrameReader:
    folder = tmp_path_factory.mktemp("deck")
    (folder / "deck.json").write_text(json.dumps({"style": "finnish", "view": VIEW}))
    assert cv2.imwrite(str(folder / "Ts-1.png"), shown())
    return FrameReader(CameraSettings("/dev/video0", deck=folder))


@pytest.mark.parametrize("lamp", [0.5, 0.8, 1.3])
def test_a_card_is_read_as_the_lamp_dims_and_brightens(eyes: FrameReader, lamp: float) -> None:
    assert eyes(shown(lamp=lamp)).card is TEN


@pytest.mark.parametrize(
    "shines",
    [(1.65, 1.65, 1.65), (0.45, 0.45, 0.45), (1.2, 1.0, 0.95), (0.8, 1.0, 1.05)],
    ids=["brighter", "darker", "bluer", "redder"],
)
def test_what_is_lit_otherwise_than_the_ground_is_no_card(
    eyes: FrameReader, shines: tuple[float, float, float]
) -> None:
    reading = eyes(shown(shines))
    assert (reading.card, reading.doubt) == (None, Doubt.OTHER_LIGHT)
    assert reading.evidence


def test_where_the_ground_is_covered_nothing_is_said(eyes: FrameReader) -> None:
    covered = shown((1.4, 1.4, 1.4))
    covered[:400, :200] = covered[60:, 460:] = (110, 140, 190)
    assert eyes(covered).card is TEN


@pytest.mark.parametrize(
    ("excess", "white", "paper"),
    [
        ((1.0, 1.0, 1.0), (200, 200, 200), True),
        ((1.1, 1.0, 0.95), (200, 200, 200), True),
        ((0.6, 0.6, 0.6), (120, 120, 120), True),  # a hand's shadow
        ((1.5, 1.5, 1.5), (220, 220, 220), True),  # glare
        ((1.7, 1.7, 1.7), (240, 240, 240), False),
        ((1.7, 1.7, 1.7), (255, 255, 255), False),
        ((np.nan, 1.1, np.nan), (200, 200, 100), True),  # a dark ground says little
        ((np.nan, 1.7, np.nan), (200, 200, 100), False),
        ((np.nan, np.nan, np.nan), (200, 200, 200), True),
        ((0.5, 0.5, 0.5), (100, 100, 100), False),
        ((0.5, 0.5, 0.5), (255, 120, 120), True),  # the sensor shows no more of a bright lamp
        ((0.9, 1.0, 1.15), (255, 200, 230), True),  # more blue than it shows, perhaps
        ((1.15, 1.0, 0.9), (255, 200, 180), False),  # no less blue than it shows
        ((1.05, 1.05, 1.05), (255, 255, 255), True),
        ((1.3, 1.3, 1.3), (255, 255, 255), True),
    ],
)
def test_what_paper_may_look_like(
    excess: tuple[float, float, float], white: tuple[float, float, float], paper: bool
) -> None:
    assert is_of_paper(np.array(excess), white) is paper


def test_without_ground_around_the_cards_light_is_not_compared(tmp_path: Path) -> None:
    view = {**VIEW, "region": [0, 0, 640, 460]}
    (tmp_path / "deck.json").write_text(json.dumps({"style": "finnish", "view": view}))
    assert cv2.imwrite(str(tmp_path / "Ts-1.png"), shown())
    assert load_deck(tmp_path).light is None


def test_a_passage_with_two_such_frames_is_no_card() -> None:
    vote = PassageTally()
    for reading in [FrameReading(TEN, confidence=1.0)] * 3 + [
        FrameReading(None, Doubt.OTHER_LIGHT)
    ] * 2:
        vote.add(reading)
    assert vote.result(2).doubt is Doubt.OTHER_LIGHT


#: What is refused by its light, and by its size: a screen that is darker than paper under this lamp
#: or of another colour, and one on which the card is smaller or larger.
REFUSED = [
    *(Screen(bright, 1, 6500, 6500, each) for bright, each in product((0.25, 0.35, 0.45), Around)),
    *(
        Screen(bright, 1.0, 6500, lamp, around)
        for bright, lamp, around in product((0.5, 0.7, 1), (2700, 3000, 4000), Around)
    ),
    *(Screen(1.0, scale, 4000, 4000, around) for scale, around in product((0.9, 1.08), Around)),
]  # fmt: skip


@pytest.fixture(scope="module")
def tables() -> Iterator[list[ReadingTable]]:
    """Two shoes, calibrated: one of decks as shops sell them, one whose courts look alike."""
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        try:
            yield [ReadingTable(502, 0, Path(one)), ReadingTable(502, 2, Path(other))]
        except MissingPackage as missing:
            pytest.skip(str(missing))


@pytest.mark.long
def test_a_telephone_in_the_mouth_of_the_shoe_is_never_told(tables: list[ReadingTable]) -> None:
    reported: list[str] = []
    for table, (nth, screen) in product(tables, enumerate(REFUSED)):
        kind, frames = passage(table.shoe, nth, screen, 3)
        readings = [table.eyes(frame) for frame in frames]
        reported += [f"{table.shoe.number} {kind.code} {screen}" for each in readings if each.card]
    assert reported == []


@pytest.mark.long
def test_no_card_that_passes_is_refused_for_its_light(tables: list[ReadingTable]) -> None:
    doubts: Counter[Doubt | None] = Counter()
    for table, nth in product(tables, range(40)):
        _, frames = table.shoe.passage(nth, 3)
        doubts.update(read_in_light(frame, table.eyes).doubt for frame in frames)
    assert doubts[Doubt.OTHER_LIGHT] == 0
    assert doubts[None] > 160


@pytest.mark.long
def test_a_print_on_paper_and_a_screen_of_the_lamp_s_own_light_are_told(
    tables: list[ReadingTable],
) -> None:
    """What is not claimed, so that a claim that grows is noticed here."""
    for screen in (Screen(0.0), Screen(0.85, 1.0, 4000, 4000, Around.NOTHING)):
        kind, frames = passage(tables[0].shoe, 7, screen, 3)
        assert kind in {tables[0].eyes(frame).card for frame in frames}

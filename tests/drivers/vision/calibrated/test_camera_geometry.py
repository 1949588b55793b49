"""The calibrated region and plane: where a card is looked for, and how large it must be there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.devices.inputs import Doubt
from controller.rules.cards import card
from drivers.settings.camera import CameraSettings
from drivers.shoe.frame_reader import FrameReader
from drivers.vision.calibrated.camera_geometry import CameraView, PixelRegion, region_of
from drivers.vision.calibrated.deck_folder import DeckError, load_deck
from drivers.vision.card_recognizer import CardRecognizer
from drivers.vision.finding.card_edges import Image, Points
from drivers.vision.frame_reading import FrameReading
from sim_hw.devices.deck_art import DECKS, face
from tests.drivers.vision.images import DARK, QUAD, felt, laid, printed
from tests.drivers.vision.network_scores import ScriptedNetworks, heard
from tests.drivers.vision.problems import problem_of

#: A card of 88 mm is 240 pixels high, seen from above.
MM = 88 / 240
ABOVE = (MM, 0, 0, 0, MM, 0, 0, 0, 1)
REGION = PixelRegion(200, 70, 460, 410)
TEN = card("Ts")


def view(region: PixelRegion = REGION, plane: tuple[float, ...] = ABOVE) -> CameraView:
    return CameraView(640, 480, region, plane)


def quad(x: float = 240, y: float = 120, width: float = 63 / MM, height: float = 88 / MM) -> Points:
    right, bottom = x + width, y + height
    return np.array([[x, y], [right, y], [right, bottom], [x, bottom]], np.float32)


def reading_of(frame: Image, through: CameraView) -> FrameReading:
    """A frame read as at the table, by networks that always see the ten of spades."""
    votes = ScriptedNetworks(heard("10", "s", "10"))
    return through.placed(CardRecognizer(votes).read(through.cut(frame)))


def ten(where: Points = QUAD, frame: Image | None = None) -> Image:
    return laid(printed("10"), felt(DARK) if frame is None else frame, where)


def test_a_card_in_the_region_is_read_and_its_corners_are_the_frame_s() -> None:
    frame = ten()
    reading = reading_of(frame, view())
    assert reading.card is TEN
    assert reading.rectified is not None
    whole = CardRecognizer(ScriptedNetworks(heard("10", "s", "10"))).read(frame)
    assert whole.rectified is not None
    assert np.abs(reading.rectified.quad - whole.rectified.quad).max() < 0.5


@pytest.mark.parametrize("by", [(-210, 0), (190, 0), (0, -110)], ids=["left", "right", "above"])
def test_a_card_outside_the_region_is_not_read(by: tuple[int, int]) -> None:
    frame = ten((QUAD + np.array(by)).astype(np.float32))
    assert reading_of(frame, view(PixelRegion(0, 0, 640, 480))).card is TEN
    reading = reading_of(frame, view())
    assert reading.card is None
    assert reading.doubt in (Doubt.NO_CARD, Doubt.CUT_OFF)


def test_what_lies_beside_the_region_does_not_disturb() -> None:
    """A second card there makes a whole picture unreadable."""
    beside = ten((QUAD + np.array([205, 0])).astype(np.float32))
    frame = ten((QUAD - np.array([20, 0])).astype(np.float32), beside)
    assert reading_of(frame, view(PixelRegion(0, 0, 640, 480))).doubt is Doubt.SEVERAL
    assert reading_of(frame, view(PixelRegion(200, 70, 425, 410))).card is TEN


@pytest.mark.parametrize(
    ("by", "region"),
    [
        ((-232, 0), PixelRegion(0, 70, 200, 410)),
        ((208, 0), PixelRegion(430, 70, 640, 410)),
        ((0, -110), PixelRegion(200, 0, 460, 280)),
        ((0, 104), PixelRegion(200, 190, 460, 480)),
    ],
    ids=["left", "right", "top", "bottom"],
)
def test_a_region_may_lie_at_the_picture_s_rim(by: tuple[int, int], region: PixelRegion) -> None:
    where = (QUAD + np.array(by)).astype(np.float32)
    reading = reading_of(ten(where), view(region))
    assert reading.card is TEN
    assert reading.rectified is not None
    assert np.abs(reading.rectified.quad - where).max() < 3


@pytest.mark.parametrize(
    ("width", "height", "fits"),
    [
        (57, 87, True),
        (57, 89, True),
        (63.5, 88.9, True),
        (64, 87, True),
        (63, 70, False),  # what is left of a card that was torn
        (63, 44, False),  # half a card, across
        (31, 88, False),  # and along
        (126, 88, False),  # two side by side
        (50, 70, False),  # the picture of a card, on a phone
        (70, 98, False),  # a card held nearer to the camera
        (67, 83, False),  # each side is nearly one, both together are none
    ],
)
def test_only_what_is_of_a_card_s_size_is_a_card(width: float, height: float, fits: bool) -> None:
    assert view().fits(quad(width=width / MM, height=height / MM)) is fits


def test_a_picture_of_a_card_is_an_abstention_with_its_evidence() -> None:
    middle = QUAD.mean(axis=0)
    shown = (middle + (QUAD - middle) * 0.8).astype(np.float32)
    assert reading_of(
        ten(shown), CameraView(640, 480, REGION, (MM / 0.8, 0, 0, 0, MM / 0.8, 0, 0, 0, 1))
    ).card
    reading = reading_of(ten(shown), view())
    assert (reading.card, reading.doubt) == (None, Doubt.WRONG_SIZE)
    assert reading.rectified is not None


def test_size_is_told_on_a_plane_that_is_seen_from_the_side() -> None:
    card_mm = np.array([[10, 20], [73, 20], [73, 108], [10, 108]], np.float32)
    slanted = np.array([[250, 100], [400, 105], [425, 330], [230, 325]], np.float32)
    to_mm = cv2.getPerspectiveTransform(slanted, card_mm)
    plane = tuple(float(each) for each in to_mm.ravel())
    assert view(plane=plane).sides_mm(slanted) == pytest.approx((63, 88), abs=0.01)
    assert view(plane=plane).fits(slanted)


def test_a_frame_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="320x240"):
        view().cut(np.zeros((240, 320, 3), np.uint8))


def test_the_region_holds_every_card_with_a_margin_and_ends_at_the_rim() -> None:
    found = region_of([quad(200, 100), quad(260, 150)], 640, 480)
    assert found.left < 200 - 20
    assert found.top < 100 - 20
    assert found.right > 260 + 63 / MM + 20
    assert found.bottom > 150 + 240 + 20
    assert region_of([quad(1, 2)], 640, 480).left == 0
    assert region_of([quad(460, 235)], 640, 480) == PixelRegion(431, 206, 640, 480)


SAID = view().as_json()


def test_a_view_is_written_and_read() -> None:
    assert CameraView.of(json.loads(json.dumps(SAID))) == view()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (None, "view: it has"),
        ({**SAID, "more": 1}, "nothing else"),
        ({**SAID, "region": [0, 0, 100]}, "four numbers"),
        ({**SAID, "region": [0, 0, "9", 100]}, "four numbers"),
        ({**SAID, "region": [0, 0, 99.5, 100]}, "whole numbers"),
        ({**SAID, "width": True}, "whole numbers"),
        ({**SAID, "region": [0, 0, 641, 100]}, "no part of the picture"),
        ({**SAID, "region": [90, 0, 90, 100]}, "no part of the picture"),
        ({**SAID, "region": [0, 0, 40, 100]}, "64 to 4096 pixels a side"),
        ({**SAID, "plane": [1, 2, 3]}, "plane is nine"),
        ({**SAID, "plane": [float("nan")] * 9}, "nine numbers"),
        ({**SAID, "plane": [1, 2, 3, 2, 4, 6, 0, 0, 1]}, "flat on edge"),
    ],
)
def test_a_view_that_is_none_is_refused_by_name(said: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        CameraView.of(said)


def captured(folder: Path, said: dict[str, Any] | None = None) -> CameraSettings:
    (folder / "deck.json").write_text(json.dumps({"style": "finnish", "view": said or SAID}))
    for code in ("Ts", "3c", "5s"):
        assert cv2.imwrite(str(folder / f"{code}-1.png"), real(code))
    return CameraSettings("/dev/video0", deck=folder)


def real(code: str, where: Points = QUAD, frame: Image | None = None) -> Image:
    paper = face(DECKS["kotka"], card(code))
    return laid(paper, felt(DARK) if frame is None else frame, where)


def test_a_deck_with_a_view_that_is_none_is_refused(tmp_path: Path) -> None:
    captured(tmp_path, {"width": 640})
    with pytest.raises(DeckError, match=r"deck\.json: view: .*calibrate the camera again"):
        load_deck(tmp_path)


def test_eyes_refuse_a_deck_that_was_captured_at_another_size(tmp_path: Path) -> None:
    captured(tmp_path)
    with pytest.raises(DeckError, match=r"640x480, not at 1280x720.*calibrate"):
        FrameReader(CameraSettings("/dev/video0", 1280, 720, deck=tmp_path))


def test_eyes_read_what_passes_in_the_region_and_nothing_beside_it(tmp_path: Path) -> None:
    eyes = FrameReader(captured(tmp_path))
    assert eyes(real("Ts")).card is TEN
    away = (QUAD - np.array([210, 0])).astype(np.float32)
    assert eyes(real("Ts", away)).doubt is Doubt.NO_CARD
    middle = QUAD.mean(axis=0)
    small = (middle + (QUAD - middle) * 0.85).astype(np.float32)
    assert eyes(real("Ts", small)).doubt is Doubt.WRONG_SIZE


def test_a_camera_that_moved_is_told_although_no_card_fits_any_more(tmp_path: Path) -> None:
    eyes = FrameReader(captured(tmp_path))
    middle = QUAD.mean(axis=0)
    nearer = (middle + (QUAD - middle) * 1.12).astype(np.float32)
    looks = [eyes(real(code, nearer)) for code in ("Ts", "3c", "5s")]
    assert [look.card for look in looks] == [None] * 3
    assert "larger than at calibration" in problem_of(eyes)

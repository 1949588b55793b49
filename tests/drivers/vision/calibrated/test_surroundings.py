"""What lies around the cards tells, before a card is dealt, that light or camera have changed."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.devices.english import ENGLISH
from controller.rules.cards import card
from drivers.io.camera.frame_quality import Frame
from drivers.settings.camera import CameraSettings
from drivers.shoe.frame_reader import FrameReader
from drivers.vision.calibrated.camera_geometry import CameraView, PixelRegion
from drivers.vision.calibrated.deck_folder import GROUND, DeckError, load_deck
from drivers.vision.calibrated.surroundings import Surroundings, surroundings_of
from sim_hw.devices.deck_art import DECKS, face
from sim_hw.devices.lens import CARD_PX, Lens, slide, small
from tests.drivers.vision.problems import problem_of

REGION = PixelRegion(120, 60, 520, 480)
MM = 88 / CARD_PX
VIEW = CameraView(640, 480, REGION, (MM, 0, 0, 0, MM, 0, 0, 0, 1))
LENS = Lens(8)
CODES = ("Th", "3c", "5s", "Kd", "As")


def shoe(code: str | None = None, at_s: float = 0.0) -> Frame:
    """The simulated shoe with a card at rest, at a time that has its own light."""
    printed = None if code is None else small(face(DECKS["kotka"], card(code)))
    return LENS.picture(at_s, printed, slide(8, len(code or "")), 0.0, None)


def calibrated() -> Surroundings:
    made = Surroundings.of(
        [surroundings_of(shoe(code, at_s), VIEW) for at_s, code in enumerate(CODES)]
    )
    assert made is not None
    return made


def problem(frame: Frame) -> str:
    found = calibrated().problem(surroundings_of(frame, VIEW))
    return ENGLISH.say(found) if found else ""


@pytest.mark.parametrize("at_s", [0, 11, 33, 60])
def test_a_shoe_as_at_calibration_is_no_problem_with_and_without_a_card(at_s: int) -> None:
    assert problem(shoe(None, at_s)) == ""
    assert problem(shoe("2h", at_s)) == ""


def test_nothing_of_the_region_of_the_cards_is_looked_at() -> None:
    """Whatever card lies there, what is made of the picture is the same to the last bit."""
    frame = shoe()
    surroundings = surroundings_of(frame, VIEW)
    for code in CODES:
        other = frame.copy()
        other[60:480, 120:520] = shoe(code)[60:480, 120:520]
        assert np.array_equal(surroundings_of(other, VIEW), surroundings)
    assert not surroundings[15:, 30:130].any()


@pytest.mark.parametrize(
    ("share", "word"), [(0.4, "darker"), (0.55, "darker"), (1.6, "brighter"), (3.0, "brighter")]
)
def test_light_that_changed_is_told_before_a_card_comes(share: float, word: str) -> None:
    found = problem(np.clip(shoe() * share, 0, 255).astype(np.uint8))
    assert word in found
    assert "look after its light" in found


def moved(by: tuple[float, float], turned: float = 0.0) -> Frame:
    turn = cv2.getRotationMatrix2D((320, 240), turned, 1.0)
    turn[:, 2] += np.array(by)
    made = cv2.warpAffine(shoe(), turn, (640, 480), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(made, np.uint8)


@pytest.mark.parametrize(
    "frame",
    [moved((25, 0)), moved((0, 25)), moved((0, 0), 8), cv2.GaussianBlur(shoe(), (0, 0), 25)],
    ids=["aside", "down", "turned", "out of focus"],
)
def test_a_camera_that_moved_or_lost_its_focus_is_told(frame: Frame) -> None:
    found = problem(frame)
    assert "does not look as at calibration" in found
    assert "calibrate the camera again" in found


def test_a_jolt_that_cards_would_not_notice_is_none() -> None:
    assert problem(moved((1, 1))) == ""


def test_what_is_as_even_as_cloth_or_never_the_same_is_nothing_to_go_by() -> None:
    noise = np.random.default_rng(4)
    cloth = [noise.normal(60, 4, (480, 640, 3)).clip(0, 255).astype(np.uint8) for _ in range(4)]
    assert Surroundings.of([surroundings_of(each, VIEW) for each in cloth]) is None
    whole = CameraView(640, 480, PixelRegion(0, 0, 640, 460), VIEW.plane)
    assert Surroundings.of([surroundings_of(shoe(code), whole) for code in CODES]) is None


def written(folder: Path) -> CameraSettings:
    (folder / "deck.json").write_text(json.dumps({"style": "finnish", "view": VIEW.as_json()}))
    for code in CODES:
        assert cv2.imwrite(str(folder / f"{code}-1.png"), shoe(code))
    (folder / GROUND).write_bytes(cv2.imencode(".pgm", calibrated().ground)[1].tobytes())
    return CameraSettings("/dev/video0", deck=folder)


def test_eyes_tell_what_changed_at_the_start_until_cards_say_it_better(tmp_path: Path) -> None:
    eyes = FrameReader(written(tmp_path))
    assert eyes.problem() is None
    eyes.check_surroundings((shoe() // 3).astype(np.uint8))
    assert "darker" in problem_of(eyes)
    for code in CODES[:3]:
        assert eyes(shoe(code)).card is card(code)
    assert eyes.problem() is None
    eyes.check_surroundings(moved((25, 0)))
    assert "does not look as at calibration" in problem_of(eyes)
    eyes.check_surroundings(shoe())
    assert eyes.problem() is None


def test_cards_that_are_darker_are_still_told_where_the_shoe_is_as_it_was(tmp_path: Path) -> None:
    eyes = FrameReader(written(tmp_path))
    eyes.check_surroundings(shoe())
    for code in CODES[:4]:
        frame = shoe(code)
        frame[60:480, 120:520] = frame[60:480, 120:520] * 0.55
        eyes(frame)
    assert "the cards are darker" in problem_of(eyes)


def test_without_a_ground_the_start_says_nothing(tmp_path: Path) -> None:
    settings = written(tmp_path)
    (tmp_path / GROUND).unlink()
    eyes = FrameReader(settings)
    eyes.check_surroundings((shoe() // 3).astype(np.uint8))
    assert eyes.problem() is None


@pytest.mark.parametrize("content", [b"", b"P5 2 2 255 abcd", b"P5 160 120 255 " + bytes(19_200)])
def test_a_ground_that_is_none_refuses_the_deck(tmp_path: Path, content: bytes) -> None:
    written(tmp_path)
    (tmp_path / GROUND).write_bytes(content)
    with pytest.raises(DeckError, match="not what calibration wrote"):
        load_deck(tmp_path)

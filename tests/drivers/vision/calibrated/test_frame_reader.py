"""What a frame of a passage tells at a calibrated camera: blur is no reading, dim light is one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.camera.flow import FOCUS_SHARE
from controller.devices.inputs import Doubt
from controller.rules.cards import card
from drivers.io.camera.frame_quality import Frame
from drivers.settings.camera import CameraSettings
from drivers.shoe.frame_reader import FrameReader
from drivers.vision.finding.rectified_card import RectifiedCard, find_card
from sim_hw.devices.deck_art import DECKS, face
from sim_hw.devices.lens import Lens, slide, small

KIND = card("9s")


@pytest.fixture(scope="module")
def frame_of_card() -> Frame:
    printed = small(face(DECKS["kotka"], KIND))
    return Lens(3).picture(0.0, printed, slide(3, 1), 0.0, None)


@pytest.fixture(scope="module")
def eyes(frame_of_card: Frame) -> FrameReader:
    """With the least sharpness that calibration would have written."""
    sheet = find_card(frame_of_card)
    assert isinstance(sheet, RectifiedCard)
    return FrameReader(CameraSettings("/dev/video0", focus_min=int(FOCUS_SHARE * sheet.focus)))


def blurred(frame: Frame) -> Frame:
    return np.asarray(cv2.GaussianBlur(frame, (0, 0), 3.0), np.uint8)


def test_a_card_less_sharp_than_calibration_allows_is_not_read(
    frame_of_card: Frame, eyes: FrameReader
) -> None:
    assert eyes(blurred(frame_of_card)).doubt is Doubt.BLURRED
    assert (
        FrameReader(CameraSettings("/dev/video0"))(blurred(frame_of_card)).doubt
        is not Doubt.BLURRED
    )


def test_dim_light_is_no_blur(frame_of_card: Frame, eyes: FrameReader) -> None:
    dim = np.asarray(frame_of_card // 2, np.uint8)
    assert [eyes(frame).card for frame in (frame_of_card, dim)] == [KIND, KIND]


def test_the_whole_frame_is_kept_where_it_is_asked_for(frame_of_card: Frame) -> None:
    assert FrameReader(CameraSettings("/dev/video0"))(frame_of_card).frame == b""
    whole = FrameReader(CameraSettings("/dev/video0", keep_frames_h=1))(frame_of_card).frame
    picture = cv2.imdecode(np.frombuffer(whole, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == frame_of_card.shape
    assert float(np.abs(picture.astype(int) - frame_of_card).mean()) < 6

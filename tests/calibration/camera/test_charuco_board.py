"""The board for the camera: printed in its true size, and seen as what it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera.charuco_board import (
    CARD_MM,
    Image,
    as_pdf,
    detect,
    fit_plane,
    measurements,
    picture,
)
from calibration.camera.plane import _board_in
from calibration.camera.stills import REST_PX, _apart

SIZE = (640, 480)


def seen_from(corners: list[tuple[float, float]], noise: int = 2) -> Image:
    """A frame in which the card's corners lie at these pixels, clockwise from the upper left."""
    card = picture()
    height, width = card.shape
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(source, np.array(corners, np.float32))
    # Drawn larger and made small, as a lens does it.
    big = np.diag([4.0, 4.0, 1.0]) @ warp
    drawn = cv2.warpPerspective(card, big, (SIZE[0] * 4, SIZE[1] * 4), borderValue=(60,))
    small = cv2.resize(drawn, SIZE, interpolation=cv2.INTER_AREA).astype(np.int16)
    small += np.random.default_rng(1).integers(-noise, noise + 1, small.shape, dtype=np.int16)
    return np.repeat(np.clip(small, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)


def posed(
    tilt_x: float = 0.0, tilt_y: float = 0.0, away_mm: float = 260.0
) -> list[tuple[float, float]]:
    """Where a camera of 900 px focal length sees a card's corners; tilts in radians."""
    width, height = CARD_MM
    card = np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]]) - [
        width / 2, height / 2, 0,
    ]  # fmt: skip
    lens = np.array([[900.0, 0, 320], [0, 900.0, 240], [0, 0, 1]])
    where = np.array([2.0, -1.0, away_mm])
    projected, _ = cv2.projectPoints(
        card, np.array([tilt_x, tilt_y, 0.02]), where, lens, np.zeros(5)
    )
    return [(float(x), float(y)) for x, y in projected.reshape(-1, 2)]


FLAT = posed()
TILTED = [posed(0.3, 0.0), posed(-0.3, 0.1), posed(0.1, 0.35), posed(0.0, -0.3)]


def test_the_plane_of_the_cards_is_found() -> None:
    views = [detect(seen_from(each)) for each in [*TILTED, FLAT]]
    assert all(len(view.ids) == 24 for view in views)
    found = fit_plane(views, SIZE)
    assert found is not None
    assert [str(each) for each in measurements(found, SIZE[1]) if not each.good] == []
    assert found.card_height_px == pytest.approx(900 * 88 / 260, abs=3)
    corners = np.array(FLAT).reshape(-1, 1, 2)
    mm = cv2.perspectiveTransform(corners, found.homography).reshape(-1, 2)
    assert np.ptp(mm[:, 0]) == pytest.approx(CARD_MM[0], abs=0.7)
    assert np.ptp(mm[:, 1]) == pytest.approx(CARD_MM[1], abs=0.7)


def test_too_few_views_or_a_board_half_covered_are_not_measured() -> None:
    views = [detect(seen_from(each)) for each in [*TILTED, FLAT]]
    assert fit_plane(views[-4:], SIZE) is None
    covered = seen_from(FLAT)
    covered[200:] = 60
    assert fit_plane([*views[:-1], detect(covered)], SIZE) is None
    assert not any(each.good for each in measurements(None, SIZE[1]))
    assert detect(np.zeros((480, 640, 3), np.uint8)).ids == ()


def test_a_camera_too_far_away_is_refused() -> None:
    far = [posed(0.3, 0, 600), posed(-0.3, 0.1, 600), posed(0, 0.3, 600), posed(0.1, -0.3, 600)]
    found = fit_plane([detect(seen_from(each)) for each in [*far, posed(away_mm=600)]], SIZE)
    bad = [each for each in measurements(found, SIZE[1]) if not each.good]
    assert any("35 to 70 %" in each.remedy for each in bad)


def test_the_printed_board_is_the_board_and_has_its_size(tmp_path: Path) -> None:
    (tmp_path / "board.pdf").write_bytes(as_pdf())
    subprocess.run(
        ["pdftoppm", "-r", "254", "-png", "-singlefile", "board.pdf", "board"],
        check=True, cwd=tmp_path,
    )  # fmt: skip
    page = cv2.imread(str(tmp_path / "board.png"))
    assert page is not None
    view = detect(np.asarray(page, np.uint8))
    assert len(view.ids) == 24
    # 254 dots an inch are ten a millimetre; the board's inner corners are 30 mm and 50 mm apart.
    assert np.ptp(view.pixels[:, 0]) == pytest.approx(300, abs=2)
    assert np.ptp(view.pixels[:, 1]) == pytest.approx(500, abs=2)


def test_a_corner_that_comes_and_goes_does_not_make_it_another_board() -> None:
    frame = seen_from(posed())
    covered = frame.copy()
    covered[:180] = 60
    whole, part = _board_in(frame), _board_in(covered)
    assert not isinstance(whole, str)
    assert not isinstance(part, str)
    assert len(part[0].ids) < len(whole[0].ids)
    assert _apart(whole[1], part[1]) < REST_PX

"""The plane of the cards: the ChArUco board held before the camera, and laid as a card lies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from calibration.camera import charuco_board as charuco
from calibration.camera.stills import StillCamera
from calibration.guide import Guide, need
from calibration.measure import Measurement
from controller.devices.inputs import Doubt
from drivers.io.camera.frame_quality import Frame
from drivers.settings.camera import CameraSettings
from drivers.vision.finding.card_edges import Points
from drivers.vision.finding.rectified_card import find_card

_HELD: Final = "hold it before the camera, tilted, another way each time"
_FLAT: Final = "lay it flat where the cards lie, as a card lies"


async def measure_plane(
    guide: Guide, stills: StillCamera, settings: CameraSettings, progress: Callable[[int], None]
) -> tuple[charuco.CardPlane, list[Measurement]]:
    """The board in several positions, the last as a card lies; `progress` gets those that are done.

    Raises `NotGoodEnough`, `Abandoned`, `DeviceError`.
    """
    views = []
    size = settings.picture_size
    for nth in range(1, charuco.VIEWS_AT_LEAST + 1):
        progress(nth - 1)
        how = _HELD if nth < charuco.VIEWS_AT_LEAST else _FLAT
        text = f"Board, {nth} of {charuco.VIEWS_AT_LEAST}: {how}"
        still = await guide.watch(text, stills.rest(_board_in, guide.hint))
        views.append(still.found[-1])
        guide.tell(f"Board, {nth} of {charuco.VIEWS_AT_LEAST}: {len(views[-1].ids)} corners")
    found = charuco.fit_plane(views, size)
    measured = charuco.measurements(found, size[1])
    need(guide, *measured)
    assert found is not None, "what was not measured is not good"
    return found, measured


def something_in(frame: Frame) -> bool:
    """Whether a board or a card is in the picture."""
    return bool(charuco.detect(frame).ids) or not isinstance(find_card(frame), Doubt)


def _board_in(frame: Frame) -> tuple[charuco.BoardDetection, Points] | str:
    view = charuco.detect(frame)
    if len(view.ids) < charuco.CORNERS_AT_LEAST:
        if not view.ids:
            return "No corner of the board is seen: all of it in the picture, nearer, in focus"
        return (
            f"Only {len(view.ids)} corners of the board are seen, {charuco.CORNERS_AT_LEAST} are"
            " needed: all of it in the picture, nearer, tilted less, without glare"
        )
    # A corner that is seen in one frame and not in the next must not make it another board.
    corners = np.full(((charuco.SQUARES[0] - 1) * (charuco.SQUARES[1] - 1), 2), np.nan, np.float32)
    corners[list(view.ids)] = view.pixels
    return view, corners

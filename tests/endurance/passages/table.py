"""A shoe as the table has it: its camera calibrated with its deck, its passages read and voted."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from calibration.camera.captures import Captured, light, sizes, write_deck
from calibration.camera.charuco_board import CardPlane
from calibration.camera.flow import view_of, with_deck
from calibration.camera.stills import REST_FRAMES, StillCard
from calibration.outcomes import GroundTruth
from controller.devices.inputs import Doubt
from controller.rules.cards import Card
from drivers.settings.camera import CameraSettings
from drivers.shoe.camera_passage import PassageTally
from drivers.shoe.camera_session import read_in_light
from drivers.shoe.frame_reader import FrameReader
from drivers.vision.calibrated.camera_geometry import CameraView
from drivers.vision.finding.rectified_card import find_card
from tests.endurance.passages.scene import PACK, DrawnShoe

#: Calibration sends away a camera that is too dark, too blurred, too coloured. So many in a row
#: would be a fault here.
CAMERAS_MAX: Final = 40
#: Where on their way cards are seen while they are captured.
_SEEN_AT: Final = (0.2, 0.35, 0.5)
_CARD_MM: Final = 88.0


@dataclass(frozen=True, slots=True)
class PassageResult:
    """A passage: what lay there, the card that was told or the doubt, and the time of reading."""

    case: GroundTruth
    card: Card | None
    why: str
    took_ms: float


class ReadingTable:
    """What reads at one shoe. Without `folder` no deck is calibrated: any deck, any style."""

    def __init__(self, seed: int, number: int, folder: Path | None) -> None:
        """Calibrate, where a folder for the captures is given. Raises `MissingPackage`."""
        self.shoe = DrawnShoe(seed, number)
        self._settings = CameraSettings("rendered")
        captured, view = self._accepted()
        if folder is not None:
            style = write_deck(folder, captured, view)
            self._settings = with_deck(self._settings, folder, style, captured)
        self.eyes = FrameReader(self._settings)

    def _accepted(self) -> tuple[list[Captured], CameraView]:
        """The captures of the first camera for this shoe that calibration lets pass."""
        for attempt in range(CAMERAS_MAX):
            self.shoe = DrawnShoe(self.shoe.seed, self.shoe.number, attempt)
            captured = _captured(self.shoe)
            if captured is None:
                continue
            view = _view(self.shoe, captured, self._settings)
            if all(each.good for each in (*light(captured), sizes(captured, view))):
                return captured, view
        raise RuntimeError(f"calibration refuses {CAMERAS_MAX} cameras for shoe {self.shoe.number}")

    def read(self, nth: int, count: int) -> PassageResult:
        """Let the nth card of the shoe pass, and say what the table would be told."""
        case, frames = self.shoe.passage(nth, count)
        vote, took_s = PassageTally(), 0.0
        for frame in frames:
            began_s = time.perf_counter()
            vote.add(read_in_light(frame, self.eyes))
            took_s += time.perf_counter() - began_s
        result = vote.result(self._settings.frames_min)
        return PassageResult(
            case, result.card, result.doubt.name if result.doubt else "", took_s * 1000
        )


def _captured(shoe: DrawnShoe) -> list[Captured] | None:
    """Every card at rest; None as soon as one is not found, as calibration would wait for ever."""
    captured = []
    for kind in PACK:
        frames = tuple(shoe.at_rest(kind, REST_FRAMES))
        found = tuple(sheet for sheet in map(find_card, frames) if not isinstance(sheet, Doubt))
        if len(found) < len(frames):
            return None
        captured.append(Captured(kind, StillCard(found, frames, np.asarray(found[-1].quad))))
    return captured


def _view(shoe: DrawnShoe, captured: list[Captured], settings: CameraSettings) -> CameraView:
    """What the board and the cards on their way would have told; the lens looks straight down."""
    mm = _CARD_MM / shoe.high
    plane = CardPlane(np.diag([mm, mm, 1.0]), 0.0, 0.0, 0, shoe.high)
    on_their_way = (
        find_card(frame)
        for kind in PACK[::8]
        for at in _SEEN_AT
        for frame in shoe.at_rest(kind, 1, at)
    )
    passed = [sighting.quad for sighting in on_their_way if not isinstance(sighting, Doubt)]
    return view_of(plane, [each.still.corners for each in captured], passed, settings)

"""A camera's calibration that is not finished, on disk after every card.

A break, a crash or a power cut costs the card that was being laid, no more. The folder holds
`draft.json` (the plane of the cards, and which card is in which file) and two frames of each card.
It is of one camera as configured and of one pack: with other settings it is of no use.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from pydantic import TypeAdapter, ValidationError

from calibration.camera.captures import CAPTURES, Captured
from calibration.camera.charuco_board import CardPlane
from calibration.camera.stills import StillCard
from calibration.certificate import digest
from calibration.durable import write_durable
from calibration.measure import Measurement
from controller.devices.inputs import Doubt
from controller.rules.cards import Card, card
from drivers.io.camera.frame_quality import Frame
from drivers.settings.camera import CameraSettings
from drivers.vision.finding.card_edges import Points, image_of
from drivers.vision.finding.rectified_card import RectifiedCard, find_card

FORMAT: Final = 1
_FILE: Final = "draft.json"


@dataclasses.dataclass(frozen=True, slots=True)
class _Placed:
    """One card in the file: its code, the number in the names of its frames, who named it."""

    card: str
    number: int
    by_hand: bool


@dataclasses.dataclass(frozen=True, slots=True)
class _Plane:
    """`CardPlane` as numbers."""

    homography: tuple[float, ...]
    rms_px: float
    plane_error_mm: float
    corners: int
    card_height_px: float


@dataclasses.dataclass(frozen=True, slots=True)
class _WrittenDraft:
    """All that `draft.json` holds. `about` is the digest of settings and pack, `passed` corners
    of cards on their way, in pixels.
    """

    format: int
    about: str
    began_ms: int
    plane: _Plane
    measured: tuple[Measurement, ...]
    placed: tuple[_Placed, ...]
    passed: tuple[tuple[float, ...], ...]


_ADAPTER: Final = TypeAdapter(_WrittenDraft)


@dataclasses.dataclass(slots=True)
class _LaidCard:
    """A captured card and the number under which its frames are kept."""

    captured: Captured
    number: int


class DeckDraft:
    """The plane and the captures so far. Methods that write raise `OSError`."""

    def __init__(
        self, folder: Path, about: str, plane: CardPlane, measured: Sequence[Measurement],
        began_ms: int,
    ) -> None:  # fmt: skip
        self._folder = folder
        self._about = about
        self._number = 0
        self._laid: list[_LaidCard] = []
        self._passed: list[Points] = []
        self._low, self._high = np.full(2, np.inf), np.full(2, -np.inf)
        self.plane = plane
        self.measured = tuple(measured)
        self.began_ms = began_ms

    @classmethod
    def begin(
        cls, folder: Path, about: str, plane: CardPlane, measured: Sequence[Measurement]
    ) -> DeckDraft:
        """A new draft, in the place of any other."""
        discard(folder)
        folder.mkdir(parents=True)
        made = cls(folder, about, plane, measured, time.time_ns() // 1_000_000)
        made._write()
        return made

    @classmethod
    def load(cls, folder: Path, about: str) -> DeckDraft | None:
        """The draft of this camera and pack that lies there; None without one, or a good one.

        A card whose frames were damaged is left out: it is asked for again.
        """
        try:
            written = _ADAPTER.validate_json((folder / _FILE).read_bytes())
        except (OSError, ValidationError):
            return None
        if written.format != FORMAT or written.about != about or len(written.plane.homography) != 9:
            return None
        plane = written.plane
        homography = np.array(plane.homography, np.float64).reshape(3, 3)
        found = CardPlane(
            homography, plane.rms_px, plane.plane_error_mm, plane.corners, plane.card_height_px
        )
        draft = cls(folder, about, found, written.measured, written.began_ms)
        try:
            draft._restore(written)
        except ValueError:  # a card or corners that are none: it is not as it was written
            return None
        return draft

    @property
    def captured(self) -> list[Captured]:
        """The cards, in the order in which they were laid."""
        return [each.captured for each in self._laid]

    @property
    def passed(self) -> list[Points]:
        """Corners of cards on their way: those that reach furthest to each side."""
        return self._passed

    def saw(self, corners: Points) -> None:
        """A card of the right size was seen there; written with the next card."""
        low, high = corners.min(axis=0), corners.max(axis=0)
        if (low < self._low).any() or (high > self._high).any():
            self._passed.append(corners)
            self._low, self._high = np.minimum(low, self._low), np.maximum(high, self._high)

    def add(self, captured: Captured) -> None:
        """Keep one more card; it is on the disk when this returns."""
        self._number += 1
        # Frames before the file that names them, and after it in `take_back`: a power cut leaves
        # frames that nobody names, never a card without its frames.
        for nth, frame in enumerate(captured.still.frames[:CAPTURES], start=1):
            done, png = cv2.imencode(".png", frame)
            if not done:
                raise OSError(f"{captured.card.name} could not be written as a picture")
            write_durable(_frame_path(self._folder, self._number, nth), bytes(png))
        self._laid.append(_LaidCard(captured, self._number))
        self._write()

    def take_back(self, captured: Captured) -> None:
        """Forget one card, as if it had not been laid."""
        (at,) = (at for at, each in enumerate(self._laid) if each.captured is captured)
        gone = self._laid.pop(at)
        self._write()
        for nth in range(1, CAPTURES + 1):
            _frame_path(self._folder, gone.number, nth).unlink(missing_ok=True)

    def _write(self) -> None:
        plane = self.plane
        numbers = tuple(float(number) for number in plane.homography.ravel())
        written = _WrittenDraft(
            FORMAT, self._about, self.began_ms,
            _Plane(
                numbers, plane.rms_px, plane.plane_error_mm, plane.corners, plane.card_height_px
            ),
            self.measured,
            tuple(
                _Placed(each.captured.card.code, each.number, each.captured.by_hand)
                for each in self._laid
            ),
            tuple(tuple(float(number) for number in each.ravel()) for each in self._passed),
        )  # fmt: skip
        text = json.dumps(dataclasses.asdict(written), indent=1) + "\n"
        write_durable(self._folder / _FILE, text.encode())

    def _restore(self, written: _WrittenDraft) -> None:
        for corners in written.passed:
            self.saw(np.array(corners, np.float32).reshape(4, 2))
        for each in written.placed:
            self._number = max(self._number, each.number)
            if still := _still(self._folder, each.number):
                self._laid.append(
                    _LaidCard(Captured(card(each.card), still, each.by_hand), each.number)
                )


def about(settings: CameraSettings, kinds: Iterable[Card]) -> str:
    """The digest of what a draft is of: the camera as configured, and the pack's cards."""
    found = dataclasses.replace(settings, deck=None, style="any", focus_min=0, latency_ms=0)
    return digest({"camera": dataclasses.asdict(found), "cards": [each.code for each in kinds]})


def discard(folder: Path) -> None:
    """Remove a draft, if there is one."""
    shutil.rmtree(folder, ignore_errors=True)


def _still(folder: Path, number: int) -> StillCard[RectifiedCard] | None:
    frames, found = [], []
    for nth in range(1, CAPTURES + 1):
        picture: Any = cv2.imread(str(_frame_path(folder, number, nth)), cv2.IMREAD_COLOR)
        if picture is None:
            return None
        frame: Frame = image_of(picture)
        rectified = find_card(frame)
        if isinstance(rectified, Doubt):
            return None
        frames.append(frame)
        found.append(rectified)
    return StillCard(tuple(found), tuple(frames), found[-1].quad)


def _frame_path(folder: Path, number: int, nth: int) -> Path:
    return folder / f"{number:04d}-{nth}.png"

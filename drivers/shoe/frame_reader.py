"""What the shoe's camera makes of one frame: the calibrated region read, its drift watched."""

from __future__ import annotations

from dataclasses import replace

from controller.devices.inputs import Doubt
from controller.rules.messages import Message
from drivers.io.camera.frame_quality import Frame
from drivers.settings.camera import CameraSettings
from drivers.vision.alphabet import PrintedStyle
from drivers.vision.calibrated.deck_folder import DeckError, load_deck
from drivers.vision.calibrated.drift import CameraDrift
from drivers.vision.calibrated.surroundings import surroundings_of
from drivers.vision.card_recognizer import FOCUS_MIN, CardRecognizer
from drivers.vision.frame_reading import FrameReading, evidence_jpeg, frame_jpeg


class FrameReader:
    """Reads frames as configured; `problem` says how the camera has drifted since calibration.

    Frames are read on one thread at a time; `problem` may be asked on any.
    """

    def __init__(self, settings: CameraSettings) -> None:
        """Load the networks, and the deck if there is one. Raises `DeckError`, `NetworkError`."""
        deck = load_deck(settings.deck) if settings.deck else None
        style = None if settings.style == "any" else PrintedStyle(settings.style)
        self._view = deck.view if deck else None
        self._sides = deck.sides if deck else None
        self._light = deck.light if deck else None
        self._keeps_frames = settings.keep_frames_h > 0
        size = settings.picture_size
        if self._view is not None and (self._view.width, self._view.height) != size:
            raise DeckError(
                f"{settings.deck} was captured at {self._view.width}x{self._view.height}, not at"
                f" {size[0]}x{size[1]}: put width and height back, or calibrate the camera again"
            )
        focus_min = max(FOCUS_MIN, settings.focus_min)
        self._recognizer = CardRecognizer(deck=deck, style=style, focus_min=focus_min)
        self._captured = deck.appearances if deck else {}
        self._drift = CameraDrift(self._captured)
        self._surroundings = deck.surroundings if deck else None
        self._surroundings_problem: Message | None = None

    def __call__(self, frame: Frame) -> FrameReading:
        """What one frame shows, with its evidence."""
        reading = self._recognizer.read(self._view.cut(frame) if self._view else frame)
        if reading.card is not None and reading.rectified is not None:
            # Before its size is judged: a size that changed is how a moved camera is noticed.
            self._drift.feed(reading.card, reading.rectified)
        if self._view:
            reading = self._lit(frame, self._view.placed(reading, self._sides))
        image = reading.rectified.image if reading.rectified else frame
        whole = frame_jpeg(frame) if self._keeps_frames else b""
        return replace(reading, rectified=None, evidence=evidence_jpeg(image), frame=whole)

    def _lit(self, frame: Frame, reading: FrameReading) -> FrameReading:
        """The reading, unless what was read is lit otherwise than the shoe around it."""
        was = self._captured.get(reading.card) if reading.card else None
        card = reading.rectified
        if self._light is None or was is None or card is None:
            return reading
        if self._light.is_of_paper(frame, card.white, was):
            return reading
        return FrameReading(None, Doubt.OTHER_LIGHT, rectified=card)

    def check_surroundings(self, frame: Frame) -> None:
        """The camera was opened: does the shoe, but for its cards, look as at calibration?

        `frame` is of the settings' size.
        """
        if self._view is not None and self._surroundings is not None:
            surroundings = surroundings_of(frame, self._view)
            self._surroundings_problem = self._surroundings.problem(surroundings)
            self._drift = CameraDrift(self._captured)  # the cards before were of another opening

    def problem(self) -> Message | None:
        """What has drifted since calibration, and what to do; None if nothing has.

        Cards that were read say it better than the shoe around them, as soon as there are enough.
        """
        return self._drift.problem if self._drift.knows else self._surroundings_problem

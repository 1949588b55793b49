"""What the shoe's camera makes of one frame: the reader of pictures, in the words of a passage."""

from __future__ import annotations

from typing import Final

from controller.devices.inputs import Doubt
from drivers.io.frame_quality import Frame
from drivers.settings import CameraSettings
from drivers.shoe.camera_passage import Look
from drivers.vision.abstention import Why
from drivers.vision.alphabet import IndexStyle
from drivers.vision.deck import DeckError, load_deck
from drivers.vision.drift import CameraDrift
from drivers.vision.reader import FOCUS_MIN
from drivers.vision.reader import CardRecognizer as Eye
from drivers.vision.surroundings import surroundings_of

#: Why a frame gave no card, as the dealer is told of a passage; a cause that is missing here is
#: "could not tell". A card half in the picture is the beginning or the end of any passage.
_DOUBTS: Final = {
    Why.SEVERAL: Doubt.SEVERAL,
    Why.BLURRED: Doubt.POOR_PICTURE,
    Why.BACK: Doubt.BACK,
    Why.FOREIGN: Doubt.FOREIGN,
    Why.OTHER_STYLE: Doubt.FOREIGN,
    Why.OTHER_DECK: Doubt.FOREIGN,
    Why.NO_CARD: Doubt.NOT_SEEN,
    Why.CUT_OFF: Doubt.NOT_SEEN,
}


class FrameReader:
    """What looks at frames, and `problem`: what is wrong with how they look, empty if nothing is.

    `problem` may be asked on any thread.
    """

    def __init__(self, settings: CameraSettings) -> None:
        """Load the networks, and the deck if there is one. Raises `DeckError`, `NetsError`."""
        deck = load_deck(settings.deck) if settings.deck else None
        style = None if settings.style == "any" else IndexStyle(settings.style)
        self._view = deck.view if deck else None
        size = (settings.width, settings.height)
        if self._view is not None and (self._view.width, self._view.height) != size:
            raise DeckError(
                f"{settings.deck} was captured at {self._view.width}x{self._view.height}, not at"
                f" {size[0]}x{size[1]}: put width and height back, or calibrate the camera again"
            )
        self._eye = Eye(deck=deck, style=style, focus_min=max(FOCUS_MIN, settings.focus_min))
        self._captured = deck.seen if deck else {}
        self._drift = CameraDrift(self._captured)
        self._around = deck.around if deck else None
        self._shoe = ""

    def __call__(self, frame: Frame) -> Look:
        """What one frame tells."""
        sight = self._eye.read(self._view.cut(frame) if self._view else frame)
        if sight.card is not None and sight.sheet is not None:
            # Of another size than a card's, too: that is how a camera that moved is noticed.
            self._drift.feed(sight.card, sight.sheet)
        if self._view:
            sight = self._view.placed(sight, frame)
        if sight.card is None:
            doubt = _DOUBTS.get(sight.why, Doubt.NOT_TOLD) if sight.why else Doubt.NOT_TOLD
            return Look(None, doubt, evidence=sight.evidence())
        return Look(sight.card, None, sight.confidence or 0.0, sight.evidence())

    def look_around(self, frame: Frame) -> None:
        """The camera was opened: see whether the shoe looks as at calibration, but for its cards.

        `frame` is of the settings' size.
        """
        if self._view is not None and self._around is not None:
            self._shoe = self._around.problem(surroundings_of(frame, self._view))
            self._drift = CameraDrift(
                self._captured
            )  # what cards said before is of another opening

    def problem(self) -> str:
        """What has drifted since calibration, and what to do; empty if nothing has.

        Once cards have been told, they say it better than the shoe around them.
        """
        return self._drift.problem if self._drift.knows else self._shoe

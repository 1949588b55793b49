"""What the shoe's camera makes of one frame: the reader of pictures, in the words of a passage."""

from __future__ import annotations

from typing import Final

from controller.devices.inputs import Doubt
from drivers.camera_watch import Reader
from drivers.picture import Frame
from drivers.settings import CameraSettings
from drivers.sightings import Look
from drivers.vision.alphabet import Style
from drivers.vision.deck import load_deck
from drivers.vision.reader import Reader as Eye
from drivers.vision.why import Why

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


def reader_of(settings: CameraSettings) -> Reader:
    """The reader for this camera: its style, its deck, the networks.

    Raises `DeckError` and `NetsError` with what to do.
    """
    deck = load_deck(settings.deck) if settings.deck else None
    eye = Eye(deck=deck, style=None if settings.style == "any" else Style(settings.style))

    def look(frame: Frame) -> Look:
        sight = eye.read(frame)
        if sight.card is None:
            doubt = _DOUBTS.get(sight.why, Doubt.NOT_TOLD) if sight.why else Doubt.NOT_TOLD
            return Look(None, doubt, evidence=sight.evidence())
        return Look(sight.card, None, sight.confidence or 0.0, sight.evidence())

    return look

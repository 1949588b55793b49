"""Why a picture gave no card: one value for each cause, with the words for a display."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Why(Enum):
    """The cause of an abstention; the value is its text, which names no card."""

    NO_PICTURE = "the picture is no 8-bit picture of 64 to 4096 pixels a side"
    NO_CARD = "no card in the picture"
    SEVERAL = "more than one card in the picture"
    CUT_OFF = "the card is not wholly in the picture"
    COVERED = "an edge of the card is covered or not straight"
    NOT_SIZE = "what lies there is not of a card's size where the cards lie"
    NOT_PAPER = "what lies there is no white card"
    BLURRED = "the picture is not sharp enough"
    BACK = "no index: a back, a cut card or a blank one"
    FOREIGN = "no index of the alphabet is to be seen"
    OTHER_STYLE = "the index is of the style that this table does not use"
    UNSURE = "the index cannot be read with certainty"
    CORNERS = "the two corners do not agree"
    READERS = "two readers do not agree"
    COLOUR = "the colour of the ink does not fit the suit"
    CODE = "the printed code and the index do not agree"
    OTHER_DECK = "the card is not of the calibrated deck"


@dataclass(frozen=True, slots=True)
class Unread:
    """No card, and why."""

    why: Why

"""English: the words of what devices say, for displays, the command line and logs."""

from __future__ import annotations

from typing import Final

from controller.rules.english import write
from controller.rules.messages import Catalogue, Language

READINGS: Final[Catalogue] = {
    "reading-no-code": "a card left the shoe but no code was read",
    "reading-code-garbled": "the code was garbled",
    "reading-code-unknown": "the code is not in the code book",
    "reading-code-wrong-symbology": "the code is of a kind that this deck does not use",
    "reading-code-too-long": "the scanner sent more than a code can hold",
    "reading-codes-conflict": "two different codes were read while one card passed",
    "reading-cards-too-close": "two cards left too close together to tell which code is whose",
    "reading-beam-stuck": "the exit of the shoe stayed covered too long",
    "reading-cut-card": "it is the cut card, which is no card of the pack",
    "reading-one-reader-only": "only one of scanner and camera could tell the card",
    "reading-readers-differ": "scanner and camera read different cards",
    "reading-card-hardly-seen": "the camera saw too little of the card",
    "reading-card-not-recognised": "the camera could not tell the card",
    "reading-image-poor": "the picture of the card was too dark, too bright or blurred",
    "reading-several-cards": "the camera saw more than one card at a time, or fingers over it",
    "reading-no-index": "the camera saw a back, or a card without an index that it knows",
    "reading-index-foreign": "the index is none of this deck's",
    "reading-frames-differ": "the camera read two different cards while one passed",
    "reading-view-blocked": "something stayed in the camera's picture too long",
    "frame-no-image": "the picture is no 8-bit picture of 64 to 4096 pixels a side",
    "frame-no-card": "no card in the picture",
    "frame-card-cut-off": "the card is not wholly in the picture",
    "frame-edge-covered": "an edge of the card is covered or not straight",
    "frame-not-of-card-size": "what lies there is not of a card's size where the cards lie",
    "frame-not-paper": "what lies there is no white card",
    "frame-blurred": "the picture is not sharp enough",
    "frame-other-index-style": "the index is of the style that this table does not use",
    "frame-other-deck": "the card is not of the calibrated deck",
    "frame-index-unsure": "the index cannot be read with certainty",
    "frame-corners-differ": "the two corners do not agree",
    "frame-votes-differ": "index, face and deck do not agree on one card",
    "frame-ink-colour": "the colour of the ink does not fit the suit",
    "frame-code-differs": "the printed code and the index do not agree",
}

CAMERA: Final[Catalogue] = {
    "camera-cards-brighter": "the cards are brighter than at calibration: look after the shoe's"
    " light; then calibrate the camera again if this goes on",
    "camera-cards-darker": "the cards are darker than at calibration: look after the shoe's light;"
    " then calibrate the camera again if this goes on",
    "camera-cards-less-sharp": "the cards are less sharp than at calibration: clean the lens; then"
    " calibrate the camera again if this goes on",
    "camera-cards-larger": "the cards are larger than at calibration: the camera has moved; then"
    " calibrate the camera again if this goes on",
    "camera-cards-smaller": "the cards are smaller than at calibration: the camera has moved; then"
    " calibrate the camera again if this goes on",
    "camera-shoe-brighter": "the shoe is brighter than at calibration: look after its light",
    "camera-shoe-darker": "the shoe is darker than at calibration: look after its light",
    "camera-shoe-changed": "the shoe does not look as at calibration: take away what lies before"
    " the camera, clean the lens, put the camera back; then calibrate the camera again if this"
    " goes on",
}

ENGLISH: Final = Language(write, READINGS, CAMERA)

"""The trained networks, run by OpenCV: two that read an index corner, one that reads the face,
and one that sees a second card beside an edge.

The contract between training and table. `models/nets.json` names for each network its file, its
SHA-256 and the temperatures by which its logits are divided; `models/MODEL.md` is the model card.

    name     input, (value - 128) / 128                                  output: logits
    index_a  2 x 3 x 112 x 64: BGR, upper left corner, lower right one   2 x (ranks + suits)
    index_b  2 x 1 x 112 x 64: the least of blue, green, red             2 x (ranks + suits)
    face     1 x 3 x 104 x 72: BGR, the card, both indices painted over  1 x (counts + suits)
    beneath  4 x 3 x 24 x 64: BGR, the strips of `finding/card_surround`     4 x (nothing, card)
    index_text  n x 1 x 32 x 48: the least of BGR, texts of `index_parts`    n x texts
    index_sign  n x 1 x 28 x 28: the same of their signs                     n x suits

Every list of classes ends with the one that rejects. Letters that look alike in
the Latin and the Russian alphabet are one class.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np

from drivers.vision.finding.card_edges import Floats, Image, darkest_channel, image_of
from drivers.vision.finding.rectified_card import HEIGHT, WHITE, WIDTH, RectifiedCard
from drivers.vision.index_sign import sign_outline
from drivers.vision.pip_shape import PipShape

MODELS: Final = Path(__file__).parent / "models"

#: What an index may say, whatever the style, and nothing of it.
RANKS: Final = (
    "1", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "J", "Q", "K",
    "JOKER", "B", "D", "V", "R", "E", "T", "Kn", "Д", "",
)  # fmt: skip
SUITS: Final = ("c", "d", "h", "s", "")
#: What the text of an index says, cut out alone: one of ours, no text but the sign, which stands
#: above it, or anything else.
TEXTS: Final = (
    "1", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "J", "Q", "K", "sign",
    "",
)  # fmt: skip
#: Pips on the face; a court card; anything else.
COUNTS: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "court", "")

FACE_WIDTH: Final = 72
FACE_HEIGHT: Final = 104
#: Of the rectified card, at two corners: what the face network must not see.
MASK_WIDTH: Final = 56
MASK_HEIGHT: Final = 132
#: And where the index is a large one.
LARGE_MASK_WIDTH: Final = 90
LARGE_MASK_HEIGHT: Final = 200


#: Nats up to which a strip that the network sees nothing beside is not looked at again: no mean of
#: two looks has then come near to a second card.
_NOTHING_BENEATH: Final = -2.5

#: OpenCV 5 has two engines; its older one takes half the time for networks as small as these.
_ENGINE: Final[dict[str, Any]] = (
    {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
)


class NetworkError(Exception):
    """The networks cannot be used; the text says what to do."""


@dataclass(frozen=True, slots=True)
class ClassScores:
    """One network's output for one image: a probability for every class, in the lists' order."""

    ranks: Floats
    suits: Floats


class _Network:
    """One network and its temperatures."""

    def __init__(self, name: str, entry: dict[str, object], folder: Path) -> None:
        try:
            self._ranks, self._suits = float(str(entry["t_rank"])), float(str(entry["t_suit"]))
            file = _checked(entry, folder)
            # By its name: from a buffer OpenCV 5.0 takes its newer engine whatever is asked.
            self._net = cv2.dnn.readNetFromONNX(str(file), **_ENGINE)
        except (KeyError, OSError, ValueError, cv2.error) as error:
            raise NetworkError(
                f"the network {name} cannot be loaded ({type(error).__name__}):"
                " install tablectl again"
            ) from error

    def scores(self, images: list[Image], classes: int) -> list[ClassScores]:
        """The scores of each image; `classes` is the number of classes before the suits."""
        return [
            ClassScores(
                _softmax(row[:classes] / self._ranks),
                _softmax(row[classes:] / self._suits),
            )
            for row in self.logits(images)
        ]

    def logits(self, images: list[Image]) -> Floats:
        """What the network says of each image, one row each."""
        blob = cv2.dnn.blobFromImages(images, 1 / 128, mean=(128.0, 128.0, 128.0))
        self._net.setInput(blob)
        said: Floats = np.asarray(self._net.forward(), np.float64).reshape(len(images), -1)
        return said


def _checked(entry: dict[str, object], folder: Path) -> Path:
    """The file of an entry of nets.json, if it is the trained one. Raises `NetworkError`."""
    file = folder / str(entry["file"])
    if hashlib.sha256(file.read_bytes()).hexdigest() != entry["sha256"]:
        raise NetworkError(f"{entry['file']} is not the trained one: install tablectl again")
    return file


class Networks(Protocol):
    """What the recognizer asks of the networks."""

    def index(self, crops: tuple[Image, Image]) -> tuple[list[ClassScores], list[ClassScores]]:
        """The scores of both index networks for the upper and the lower corner."""
        ...

    def face(self, card: RectifiedCard, *, large_index: bool = False) -> ClassScores:
        """The scores of the face network, which sees no index."""
        ...

    def beneath(self, strips: Image) -> Floats:
        """By how many nats a second card is likelier than none beside each edge."""
        ...

    def text_alone(self, texts: list[Image]) -> Floats:
        """Of each text of an index, cut out alone, a probability for each of `TEXTS`."""
        ...

    def sign_alone(self, signs: list[Image]) -> Floats:
        """Of each sign of an index, cut out alone, a probability for each of `SUITS`."""
        ...

    def spades(self, card: RectifiedCard) -> float | None:
        """Of the outline of the pips: about 1 for spades, -1 for clubs; None where it is unseen."""
        ...

    def sign_spades(self, card: RectifiedCard, *, large_index: bool) -> float | None:
        """The same of the outline of the index's sign."""
        ...


class CardNetworks:
    """The networks and the rule of the pips. Not for two threads at once."""

    def __init__(self, folder: Path = MODELS) -> None:
        """Load and check them; raises `NetworkError`."""
        try:
            index = json.loads((folder / "nets.json").read_text(encoding="utf-8"))
            a, b, face, beneath, text, sign = (
                _Network(name, index[name], folder)
                for name in ("index_a", "index_b", "face", "beneath", "index_text", "index_sign")
            )
            self._pip_shape = PipShape(_checked(index["pip_shape"], folder))
        except (KeyError, OSError, TypeError, ValueError) as error:
            raise NetworkError(
                f"{folder / 'nets.json'} is missing or damaged: install tablectl again"
            ) from error
        self._a, self._b, self._face, self._beneath = a, b, face, beneath
        self._text, self._sign = text, sign

    def index(self, crops: tuple[Image, Image]) -> tuple[list[ClassScores], list[ClassScores]]:
        """The scores of both index networks for the upper and the lower corner."""
        greys = [darkest_channel(crop) for crop in crops]
        return self._a.scores(list(crops), len(RANKS)), self._b.scores(greys, len(RANKS))

    def face(self, card: RectifiedCard, *, large_index: bool = False) -> ClassScores:
        """The scores of the face network, which sees no index (`large_index`: nor a large one)."""
        return self._face.scores([face_of(card, large_index=large_index)], len(COUNTS))[0]

    def beneath(self, strips: Image) -> Floats:
        """By how many nats a second card is likelier than none beside each edge.

        Where it sees anything each strip is looked at from its other end, too: what the network
        says of it differs by up to four nats, and the mean knows better.
        """
        leads = self._leads(strips)
        if float(leads.max()) <= _NOTHING_BENEATH:
            return leads
        return (leads + self._leads(np.ascontiguousarray(strips[:, :, ::-1]))) / 2

    def _leads(self, strips: Image) -> Floats:
        nothing, card = self._beneath.logits(list(strips)).T
        leads: Floats = card - nothing
        return leads

    def text_alone(self, texts: list[Image]) -> Floats:
        """Of each text of an index, cut out alone, a probability for each of `TEXTS`."""
        return _softmax_of_rows(self._text.logits(texts))

    def sign_alone(self, signs: list[Image]) -> Floats:
        """Of each sign of an index, cut out alone, a probability for each of `SUITS`."""
        return _softmax_of_rows(self._sign.logits(signs))

    def spades(self, card: RectifiedCard) -> float | None:
        """Of the outline of the pips: about 1 for spades, -1 for clubs; None where it is unseen."""
        return self._pip_shape.spades(card)

    def sign_spades(self, card: RectifiedCard, *, large_index: bool) -> float | None:
        """The same of the outline of the sign in the index; None where none stands free."""
        outline = sign_outline(card, large=large_index)
        return None if outline is None else self._pip_shape.of_outline(outline)


def face_of(card: RectifiedCard, *, large_index: bool = False) -> Image:
    """The card as the face network sees it, both indices painted over."""
    wide, high = (LARGE_MASK_WIDTH, LARGE_MASK_HEIGHT) if large_index else (MASK_WIDTH, MASK_HEIGHT)
    # In two steps, of which the first halves: in one step it takes more than twice as long.
    half = image_of(cv2.resize(card.image, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA))
    half[: high // 2, : wide // 2] = WHITE
    half[(HEIGHT - high) // 2 :, (WIDTH - wide) // 2 :] = WHITE
    return image_of(cv2.resize(half, (FACE_WIDTH, FACE_HEIGHT), interpolation=cv2.INTER_AREA))


def _softmax(logits: Floats) -> Floats:
    powers: Floats = np.exp(logits - logits.max())
    return powers / float(powers.sum())


def _softmax_of_rows(logits: Floats) -> Floats:
    return np.array([_softmax(row) for row in logits], np.float64).reshape(logits.shape)

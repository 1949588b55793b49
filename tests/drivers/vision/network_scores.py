"""What the networks might say, for tests of what is made of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from drivers.vision.finding.card_edges import Floats, Image
from drivers.vision.finding.rectified_card import RectifiedCard
from drivers.vision.nets import COUNTS, RANKS, SUITS, TEXTS, ClassScores
from drivers.vision.observations import Observations


def spread(classes: tuple[str, ...], chosen: str, sure: float, other: str | None = None) -> Floats:
    """Probabilities: `sure` for one class, the rest for `other`, or evenly for all others."""
    made = np.full(len(classes), (1 - sure) / (len(classes) - 1))
    if other is not None:
        made[:] = 0
        made[classes.index(other)] = 1 - sure
    made[classes.index(chosen)] = sure
    return made


def index(text: str, suit: str, sure: float = 0.99, other: str | None = None) -> ClassScores:
    """One index reader's vote on one corner; `text` "" is "no index"."""
    return ClassScores(spread(RANKS, text, sure, other), spread(SUITS, suit, sure))


def face(shows: str, suit: str = "", sure: float = 0.99) -> ClassScores:
    """The face reader's vote."""
    return ClassScores(spread(COUNTS, shows, sure), spread(SUITS, suit, sure))


def heard(
    text: str,
    suit: str,
    shows: str,
    *,
    redness: float = 0.0,
    alone: bool = True,
    sure: float = 0.99,
) -> Observations:
    """All readers of one mind, the face without an opinion on the suit."""
    votes = [index(text, suit, sure), index(text, suit, sure)]
    return Observations(votes, votes, face(shows), (redness, redness), (alone, alone))


def alike(classes: tuple[str, ...], shares: dict[str, float], count: int) -> Floats:
    """The same probabilities of these classes `count` times, 0 of all others."""
    return np.tile([shares.get(each, 0.0) for each in classes], (count, 1))


@dataclass
class ScriptedNetworks:
    """Networks that say what they were told to, whatever the picture."""

    said: Observations
    asked: int = field(default=0)
    outline: float | None = None
    sign: float | None = None
    beside_large: ClassScores | None = None
    text_alone_is: dict[str, float] | None = None
    sign_alone_is: dict[str, float] | None = None
    #: Of each corner's text, where they are not the same.
    texts_alone_are: tuple[dict[str, float], dict[str, float]] | None = None
    beneath_leads: tuple[float, float, float, float] = (-9.0, -9.0, -9.0, -9.0)

    def index(self, _crops: tuple[Image, Image]) -> tuple[list[ClassScores], list[ClassScores]]:
        self.asked += 1
        return self.said.a, self.said.b

    def face(self, _sheet: RectifiedCard, *, large_index: bool = False) -> ClassScores:
        return self.beside_large if large_index and self.beside_large else self.said.face

    def beneath(self, _strips: Image) -> Floats:
        return np.array(self.beneath_leads)

    def text_alone(self, texts: list[Image]) -> Floats:
        if self.texts_alone_are:
            return np.concatenate([alike(TEXTS, each, 1) for each in self.texts_alone_are])
        own = RANKS[int(self.said.a[0].ranks.argmax())]
        return alike(TEXTS, self.text_alone_is or {own: 1.0}, len(texts))

    def sign_alone(self, signs: list[Image]) -> Floats:
        own = SUITS[int(self.said.a[0].suits.argmax())]
        return alike(SUITS, self.sign_alone_is or {own: 1.0}, len(signs))

    def spades(self, _sheet: RectifiedCard) -> float | None:
        return self.outline

    def sign_spades(self, _sheet: RectifiedCard, *, large_index: bool) -> float | None:
        del large_index
        return self.sign

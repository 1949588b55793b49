"""Texts and signs of drawn indices, cut out by the code that cuts them at the table.

Half of the cards have an index of ours, as their deck prints it. The others say what no card says:
numbers and letters of ours put together anew, those that were made up to be mistaken, letters of
other countries. What is in `UNSEEN` is never drawn: it is there to measure with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.draw import alphabets, decks, frames, views
from calibration.draw.deck_design import DrawnDeck
from calibration.draw.fonts import DesignSplit
from calibration.draw.layout import SuitAt
from controller.rules.cards import DECK_52
from drivers.vision.index_parts import index_parts
from drivers.vision.nets import SUITS, TEXTS

Picture = NDArray[np.uint8]
Labels = NDArray[np.int8]

UNSEEN: Final = (
    "J2", "2J", "Q8", "8Q", "K7", "7K", "114", "132", "102", "011", "J3", "K3", "12Q", "KJ", "JQ",
    "QJ", "KQ", "1A2", "41", "31", "21", "71", "18", "16", "81", "A3", "3A", "J0", "Q0", "1O", "I0",
    "IJ",
)  # fmt: skip
_OTHER: Final = len(TEXTS) - 1
_SIGN_FIRST: Final = len(TEXTS) - 2
_OURS: Final = sorted(TEXTS[:_SIGN_FIRST])
_DIGITS_AND_COURTS: Final = "0123456789JQKAI"
_OF_COURTS_AND_TENS: Final = "1023JQKA"
#: With the Russian letters that no Latin one looks like.
_LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ\u0414\u0424\u0428\u041b\u041f\u0416"
_DECKS: Final = {DesignSplit.TRAIN: 2000, DesignSplit.HELD: 300}
#: Indices so high, as a share of the card's height, are cut from the larger corners too.
_LARGE: Final = 0.1
_VIEWS: Final = 2


@dataclass(frozen=True, slots=True)
class PartSamples:
    """Texts (n, 32, 48, 1) and signs (n, 28, 28, 1), the darkest channel, and their classes."""

    texts: Picture
    says: Labels
    signs: Picture
    suits: Labels


def drawn(seeds: range, split: DesignSplit) -> PartSamples:
    """The parts of the indices of these cards. Raises `MissingPackage`."""
    found = [each for seed in seeds for each in _of(seed, split)]
    texts, says, signs, suits = zip(*found, strict=True)
    return PartSamples(
        np.array(texts)[..., None], np.array(says, np.int8),
        np.array(signs)[..., None], np.array(suits, np.int8),
    )  # fmt: skip


def _of(seed: int, split: DesignSplit) -> Iterator[tuple[Picture, int, Picture, int]]:
    rng = np.random.default_rng([seed, 7100])
    deck = frames.deck(int(rng.integers(_DECKS[split])), split)
    if rng.random() < 0.97:
        deck = replace(deck, art=None, layout=deck.look)
    picture, text, suit = _printed(deck, rng)
    says = TEXTS.index(text) if text in _OURS else _OTHER
    sign = SUITS.index(suit.lower())
    if deck.look.at is SuitAt.ABOVE and deck.layout is not None:
        says, sign = _SIGN_FIRST, len(SUITS) - 1
    for view in views.views_of(picture, _VIEWS, rng):
        for large in (False, True) if deck.look.rank > _LARGE else (False,):
            for parts in index_parts(view.card, large=large):
                yield parts.text, says, parts.sign, sign


def _printed(deck: DrawnDeck, rng: np.random.Generator) -> tuple[Picture, str, str]:
    """A card, the text of its index and its sign."""
    rank, suit = decks.split_of(DECK_52[int(rng.integers(52))])
    kind = float(rng.random())
    signed = "CDHS"[int(rng.integers(4))] if rng.random() < 0.3 else suit
    own = replace(deck, art=None, layout=deck.look)
    if kind < 0.5:
        text = deck.text(rank)
        if signed == suit and rng.random() < 0.2:
            return decks.draw(deck, rank, suit).picture, text, suit
    elif kind < 0.6:
        text = _OURS[int(rng.integers(len(_OURS)))]
    else:
        text = _made_up(rng)
    return decks.draw(own, rank, suit, text, signed).picture, text, signed


def _made_up(rng: np.random.Generator) -> str:
    """What no card of ours says."""
    while True:
        kind = float(rng.random())
        if kind < 0.35:
            return str(rng.choice(alphabets.MADE_UP))
        if kind > 0.88:
            text = str(rng.choice(alphabets.OTHER_RANKS))
        else:
            length = int(rng.choice([1, 2, 3], p=[0.2, 0.55, 0.25]))
            letters = (
                _DIGITS_AND_COURTS if kind < 0.6
                else _OF_COURTS_AND_TENS if kind < 0.75 else _LETTERS
            )  # fmt: skip
            text = "".join(letters[int(rng.integers(len(letters)))] for _ in range(length))
        if text not in _OURS and text not in UNSEEN:
            return text

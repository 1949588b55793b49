"""What stands in the indices of decks: our two alphabets, other countries', and what is no rank."""

from __future__ import annotations

from enum import Enum
from typing import Final

from drivers.vision.nets import RANKS

FINNISH: Final = {"A": "1", "J": "11", "Q": "12", "K": "13"}
OTHER_RANKS: Final = (
    "B", "D", "V", "R", "H", "L", "T", "P", "C", "F", "S", "E", "G", "M", "N", "U", "X", "0", "O",
    "14", "15", "18", "20", "21", "16", "19", "VI", "IV", "XII", "IX", "KA", "AS", "KN", "Kn",
    # Russian: Dama, Valet and Tuz; the other letters of that alphabet that Latin has not.
    *(("\u0414",) * 5), "\u0412", "\u0422", "\u0424", "\u0428", "\u041b", "\u041f", "\u0416",
    # Nordic and German: Dame, Bube, Ess, Knekt, Dronning, Konge, Kuningas.
    *("DBEN" * 2), "Es", "Kg", "Kk", "Dr",
)  # fmt: skip
#: Made up to be mistaken: letters and digits of ours that repeat, or that no card has together.
MADE_UP: Final = (
    "JJ", "QQ", "KK", "AA", "113", "103", "1K", "K1", "22", "33", "44", "55", "66", "77", "88",
    "99", "17", "I1", "1I", "1J", "J1", "Q1", "1Q", "A1", "1A", "112", "123", "131", "100", "110",
    "101", "JK", "QK", "5K", "9J", "A2",
)  # fmt: skip
#: The Russian court, but for the King, whose letter is ours: Valet and Dama.
RUSSIAN: Final = {"J": "\u0412", "Q": "\u0414", "K": "\u0424"}
#: What other countries print, by the rank as the Anglo index prints it: Knekt, Dam, Kung, Ess;
#: Bube, Dame; Valet, Dame, Roi; Valet, Dama, Korol, Tuz.
LETTERS: Final = {
    "nordic": {"J": "Kn", "Q": "D", "A": "E"},
    "german": {"J": "B", "Q": "D"},
    "french": {"J": "V", "Q": "D", "K": "R"},
    "russian": {"J": "\u0412", "Q": "\u0414", "K": "\u041a", "A": "\u0422"},
}
#: The class of an index that shows these letters: glyphs that are alike in both alphabets are one.
_LIKE_LATIN: Final = {"\u0412": "B", "\u041a": "K", "\u0422": "T", "KN": "Kn"}


class DrawnStyle(Enum):
    """The alphabet of the indices."""

    ANGLO = "standard"
    FINNISH = "finnish"
    NORDIC = "nordic"
    GERMAN = "german"
    FRENCH = "french"
    RUSSIAN = "russian"


def shown_as(text: str) -> str:
    """The class of an index that says `text`; "" where no reader knows it."""
    text = _LIKE_LATIN.get(text, text)
    return text if text in RANKS else ""

"""Money: integer minor units (cents), odds as exact fractions, and how amounts are written."""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Odds(NamedTuple):
    """Odds "to one": `Odds(3, 2)` pays 3 for every 2 wagered, on top of the wager."""

    pays: int
    per: int = 1

    def on(self, wager: int) -> int:
        """What the odds pay on `wager`, exact, in minor units.

        Raises `ValueError` where the amount would not be whole; such a wager is refused when it
        is placed (see `payable`).
        """
        amount, rest = divmod(wager * self.pays, self.per)
        if rest:
            raise ValueError(f"{self} on {wager} is not a whole number of minor units")
        return amount

    @classmethod
    def parse(cls, text: str) -> Odds:
        """Odds as options write them: `3:2`. Raises `ValueError`."""
        match = re.fullmatch(r"([1-9][0-9]{0,5}):([1-9][0-9]{0,5})", text)
        if match is None:
            raise ValueError(f"{text[:20]!r} is not odds: write them as 3:2")
        return cls(int(match[1]), int(match[2]))

    @property
    def code(self) -> str:
        """The odds as options write them: `3:2`."""
        return f"{self.pays}:{self.per}"

    def __str__(self) -> str:
        return f"{self.pays} to {self.per}"


#: Currencies whose minor unit is no hundredth (ISO 4217, list one): amounts here have two decimals.
NO_HUNDREDTHS: Final = frozenset({
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
    "VUV", "XAF", "XOF", "XPF", "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND", "CLF", "UYW",
    "MGA", "MRU",
})  # fmt: skip

#: An amount that people write has so many digits at most before its point.
_MOST_DIGITS: Final = 9

EVEN = Odds(1, 1)
HALF = Odds(1, 2)


def payable(wager: int, odds: tuple[Odds, ...], smallest_chip: int) -> Odds | None:
    """The first of `odds` that could not be paid on `wager` in the smallest chip; None if all can.

    `wager` and `smallest_chip` in minor units.
    """
    for each in odds:
        amount, rest = divmod(wager * each.pays, each.per)
        if rest or amount % smallest_chip:
            return each
    return None


def amount_of(text: str) -> int:
    """An amount as people write it, in minor units: `10`, `10.50`, `10,50`.

    Raises `ValueError`, also for nothing at all: who wants it says so of his own.
    """
    found = re.fullmatch(r"([0-9]+)(?:[.,]([0-9]{2}))?", text.strip())
    if found is not None and len(found[1]) > _MOST_DIGITS:
        raise ValueError(f"{text[:20]!r} is too large: the most is 999,999,999.99")
    if found is None:
        raise ValueError(f"{text[:20]!r} is no amount: write it as 10 or 10.00")
    return int(found[1]) * 100 + int(found[2] or 0)


def amount_text(amount: int) -> str:
    """An amount of minor units for a display: `25.00`, `1,250.50`, `-10.00`."""
    sign = "-" if amount < 0 else ""
    whole, cents = divmod(abs(amount), 100)
    return f"{sign}{whole:,}.{cents:02d}"

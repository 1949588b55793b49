"""`tablectl` for a pack of few kinds of card: a deck is calibrated in seconds, not minutes.

python -m tests.calibration.few calibrate camera table.toml
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from controller.__main__ import main
from controller.rules.cards import JOKER, Card, Pack, card

#: Every suit, both colours, what the two styles print differently, and what is easily mistaken.
FEW: Final = tuple(map(card, ["Ah", "Ks", "Qd", "Jc", "Th", "9c", "6s", "3d", "2c"]))


def kinds(pack: Pack) -> Iterator[Card]:
    """The few kinds, and the Joker where the pack has one."""
    yield from FEW
    if pack.jokers:
        yield JOKER


if __name__ == "__main__":
    Pack.kinds = kinds  # type: ignore[assignment]
    sys.exit(main())

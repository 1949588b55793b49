"""Confirmation of cards entered by hand: one counts once it was entered twice in a row."""

from __future__ import annotations

from typing import Final

from controller.rules.cards import Card
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.decide.draft import Draft

#: Where a card is named that is not about a hold: the one that is turned.
TURNED: Final = 0


def confirmed(draft: Draft, hold: int, entered: Card) -> bool:
    """Whether `entered` confirms the entry before it at `hold`; else it is recorded as the first.

    Whatever else happens between the two makes the first one nothing.
    """
    named = draft.state.commands.named
    if named is not None and named.hold == hold and named.card.open() is entered:
        return True
    draft.add(f.CardNamed(hold, Sealed(entered).stamped(draft.stamp.nonce)))
    return False

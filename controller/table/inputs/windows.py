"""The clocks of a table whose players are elsewhere: how long they have to bet and to decide."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from controller.rules.actions import Action
from controller.rules.frozen import frozen


class WindowKind(Enum):
    """What players have a while for; the value is the word on record and in the API.

    `DECISION` is a choice for a hand, and the chips that a double or a split puts down besides.
    """

    BETS = "bets"
    DECISION = "decision"
    INSURANCE = "insurance"


@frozen
class WindowTimes:
    """How long players have, in ms; 0: as long as they like.

    The last call comes `last_call_ms` before bets close (0: there is none). `opened_by_dealer`:
    bets are open when the dealer says so, else as soon as there may be any. `card_closes`: the
    first card of a round that leaves the shoe closes them. `no_answer` is what is chosen for a
    player whose time has run out, the first of it that is open; where none is, the table goes on
    waiting.
    """

    bets_ms: int = 0
    last_call_ms: int = 0
    decision_ms: int = 0
    insurance_ms: int = 0
    opened_by_dealer: bool = False
    card_closes: bool = False
    no_answer: tuple[Action, ...] = ()

    def length_ms(self, kind: WindowKind) -> int:
        """How long players have for `kind`; 0: as long as they like."""
        if kind is WindowKind.BETS:
            return self.bets_ms
        return self.insurance_ms if kind is WindowKind.INSURANCE else self.decision_ms


@frozen
class OpenBets:
    """The dealer opens bets, at a table where they do not open by themselves."""

    do: Literal["open_bets"] = "open_bets"

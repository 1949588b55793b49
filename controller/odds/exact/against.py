"""A game's tables against one state that the dealer shows, as the compiled loops want them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from controller.odds.exact.passes import CARD, FIXED, OPEN, SPLITS, PlayArrays
from controller.odds.tables.game_tables import End, Ending, SplitHand, Tables, TakeCard
from controller.rules.actions import Action

#: The most actions that a hand may be asked to choose among, in any game.
SLOTS: Final = 6


def expected(ending: Ending, wager: int) -> float:
    """What a hand that ends so gains on average, in first wagers."""
    return float(sum(each.chance * each.net(wager) for each in ending))


class Against:
    """What the tables say of every hand state against one shown state, as arrays.

    `fixed`: what each fixed ending is worth. `finals`: the place of each other one.
    `kind[slot]` is what the action in that slot does: 0 nothing, 1 a fixed ending of value
    `value[slot]`, 2 the ending `final[slot]` against the dealer's complete hand, 3 a card in state
    `to[slot]`, 4 a split into hands of state `to[slot]`.
    """

    def __init__(
        self, tables: Tables, shown: int, finals: Mapping[int, int], fixed: Mapping[int, float]
    ) -> None:
        states = len(tables.cards)
        self.shown = shown
        self.kind = np.zeros((SLOTS, states), dtype=np.int8)
        self.value = np.zeros((SLOTS, states))
        self.final = np.zeros((SLOTS, states), dtype=np.int64)
        self.to = np.zeros((SLOTS, states), dtype=np.int64)
        self.nodes = tables.nodes[shown]
        for state, node in self.nodes.items():
            for slot, then in enumerate(node.then.values()):
                self._enter(slot, state, then, fixed, finals)
        self.rules = PlayArrays(self.kind, self.value, self.final, self.to)

    def _enter(
        self,
        slot: int,
        state: int,
        then: TakeCard | End | SplitHand,
        fixed: Mapping[int, float],
        finals: Mapping[int, int],
    ) -> None:
        if isinstance(then, End):
            if then.final in fixed:
                self.kind[slot, state] = FIXED
                self.value[slot, state] = fixed[then.final]
                self.final[slot, state] = then.final
            else:
                self.kind[slot, state] = OPEN
                self.final[slot, state] = finals[then.final]
        else:
            self.kind[slot, state] = CARD if isinstance(then, TakeCard) else SPLITS
            self.to[slot, state] = then.state

    def slots(self, state: int) -> list[Action | None]:
        """The action of each slot of `state`."""
        return list(self.nodes[state].then)

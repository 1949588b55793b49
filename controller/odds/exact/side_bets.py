"""What a side bet on the dealer's hidden card is worth, beside the round that it is made in."""

from __future__ import annotations

import numpy as np

from controller.odds.exact.against import expected
from controller.odds.exact.shoe import Floats, Ints
from controller.odds.exact.solve import Chances, Passing, Slots
from controller.rules.actions import Action


def side_bet(
    tally: Chances, passing: Passing, slots: Slots, reach: Floats, taken: Action | None
) -> None:
    """Add the side bet `taken` in one situation, or with None the best by the own first cards.

    The round is played by `slots`, with this `reach`.
    """
    engine, at = passing.engine, passing.at
    side = engine.tables.sides.get(at.shown)
    if side is None:
        return
    firsts = passing.firsts()
    firsts = firsts[reach[firsts] != 0]
    hidden = engine.hidden(at, engine.hands.cards[firsts])
    nets = _nets(passing, hidden, taken)
    if not nets.any():
        return
    chance = reach[firsts, None] * hidden
    tally.side += float((chance * nets).sum())
    tally.side_square += float((chance * nets * nets).sum())
    for letter in np.flatnonzero(nets.any(axis=0) & chance.any(axis=0)).tolist():
        rest = _rest_of_the_round(passing, slots, firsts, letter)
        tally.side_square += 2 * float(chance[:, letter] * nets[:, letter] @ rest)


def _nets(passing: Passing, hidden: Floats, taken: Action | None) -> Floats:
    """What the side bet gains, by first hand and hidden letter; 0 where none is taken."""
    side = passing.engine.tables.sides[passing.at.shown]
    rows = {
        action: np.array([float(each) for each in nets] or [0.0] * hidden.shape[1])
        for action, nets in side.nets.items()
    }
    if taken is not None:
        return np.tile(rows[taken], (len(hidden), 1))
    several = np.array(list(rows.values()))
    made: Floats = several[(hidden @ several.T).argmax(axis=1)]
    return made


def _rest_of_the_round(passing: Passing, slots: Slots, firsts: Ints, letter: int) -> Floats:
    """What each first hand gains, its side bet left out, with this letter hidden."""
    engine, at = passing.engine, passing.at
    tables, state = engine.tables, engine.hands.state[firsts]
    if letter in tables.naturals.get(at.shown, ()):
        ends = tables.natural_ends[at.shown]
        return np.array([expected(ends[each], tables.wager) for each in state.tolist()])
    known = Passing(engine, engine.with_hidden(at, letter), passing.again)
    reach, _, _ = known.forward(slots)
    known.weigh_ends(slots, reach)
    actions, taken = known.back(slots)
    values: Floats = actions[taken[firsts], firsts]
    return values

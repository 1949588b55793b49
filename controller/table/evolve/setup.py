"""What a setup changes: the game, the pack of the shoe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from controller.rules.game import Game
from controller.rules.games.registry import game
from controller.rules.options import OptionError
from controller.table import facts as f
from controller.table.evolve.shoe import Changes
from controller.table.growing import changed
from controller.table.inputs import Setup
from controller.table.shoe.shoe import Shoe
from controller.table.state.parts import Betting, Terms
from controller.table.state.phases import Impossible, Phase
from controller.table.state.state import State


def new_table(fact: f.TableOpened) -> State:
    """A table without a past, as a setup describes it."""
    shoe = Shoe(fact.pack, fact.cut_after)
    return State(Terms(fact.setup, game_of(fact.setup)), shoe)


def game_of(setup: Setup) -> Game:
    """The game of a setup as this build has it.

    Where this build does not know an option that stands on record, the game has its own: the setup
    of the next start, which this build has read, then differs, and takes its place. Raises
    `UnknownGame`: without the game nothing of its table can be told.
    """
    plays = game(setup.game)
    try:
        return plays.with_options(dict(setup.options))
    except OptionError:
        return plays


def _table_opened(state: State, fact: f.TableOpened, at_ms: int) -> Changes:
    """A new setup: the same shoe if the pack is the same, a new one otherwise."""
    if state.phase is Phase.ROUND and fact.pack != state.shoe.pack:
        raise Impossible("a table's pack cannot change in mid-round")
    anew = new_table(fact)
    changes: Changes = {"terms": changed(anew.terms, {"setup_seq": state.seq + 1})}
    if fact.pack == state.shoe.pack:
        changes["shoe"] = replace(state.shoe, penetration_cards=fact.cut_after)
        if state.phase is Phase.BETTING and changes["shoe"].due:
            changes["phase"] = Phase.SHUFFLE
    else:
        changes["shoe"] = replace(anew.shoe, number=state.shoe.number)
        changes["phase"] = Phase.SHUFFLE
        changes["ledger"] = state.ledger.out_of_play()
    # Whose deal it is stays; the last bets are of other limits.
    same = (fact.setup.game, fact.setup.seats) == (state.setup.game, state.setup.seats)
    button = state.betting.button if same else 0
    return {**changes, "betting": Betting(button=button, spots=state.betting.spots)}


#: Which function tells what a fact of the setup changes.
SETUP_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    f.TableOpened: _table_opened,
}

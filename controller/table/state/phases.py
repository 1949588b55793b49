"""The table's phases and what leads from one to the next: one table, from which the diagram in
the README is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, NamedTuple

from controller.table.facts import (
    BetsClosed,
    CardBurned,
    DealerChanged,
    DummyBegan,
    Fact,
    PackLoaded,
    RoundEnded,
    RoundVoided,
    ShoeCut,
    ShoeRejected,
    WagerPlaced,
    WagerRemoved,
)
from controller.table.shoe.shoe import Shoe


class Phase(Enum):
    """What the table is doing; the value is the word on the status page."""

    SHUFFLE = "shuffle"
    CUT = "cut"
    BURN = "burn"
    BETTING = "betting"
    ROUND = "round"


def to_burn(shoe: Shoe) -> bool:
    """Whether cards are to be burned before bets: those that there are."""
    return shoe.to_burn > 0 and shoe.left > 0


def cut_reached(shoe: Shoe) -> bool:
    """Whether the shoe's last round has been played."""
    return shoe.due


def always(shoe: Shoe) -> bool:
    """Without a condition."""
    return True


class Arc(NamedTuple):
    """In `phase`, `fact` leads to `to` if `when` holds for the shoe after the fact."""

    phase: Phase
    fact: type[Fact]
    to: Phase
    when: Callable[[Shoe], bool] = always


#: The first arc that fits is taken. Facts that are not listed for a phase leave it as it is,
#: unless they are listed for another one: then they cannot happen here.
ARCS: Final = (
    Arc(Phase.SHUFFLE, PackLoaded, Phase.CUT),
    Arc(Phase.CUT, ShoeCut, Phase.BURN, to_burn),
    Arc(Phase.CUT, ShoeCut, Phase.BETTING),
    Arc(Phase.BURN, CardBurned, Phase.BURN, to_burn),
    Arc(Phase.BURN, CardBurned, Phase.SHUFFLE, cut_reached),
    Arc(Phase.BURN, CardBurned, Phase.BETTING),
    Arc(Phase.BETTING, DealerChanged, Phase.BURN, to_burn),
    Arc(Phase.BETTING, DealerChanged, Phase.BETTING),
    Arc(Phase.BETTING, CardBurned, Phase.SHUFFLE, cut_reached),
    Arc(Phase.BETTING, CardBurned, Phase.BETTING),
    Arc(Phase.BETTING, WagerPlaced, Phase.BETTING),
    *(Arc(phase, WagerRemoved, phase) for phase in Phase if phase is not Phase.ROUND),
    Arc(Phase.BETTING, BetsClosed, Phase.ROUND),
    Arc(Phase.BETTING, DummyBegan, Phase.ROUND),
    Arc(Phase.ROUND, CardBurned, Phase.ROUND),
    Arc(Phase.CUT, CardBurned, Phase.CUT),
    Arc(Phase.SHUFFLE, CardBurned, Phase.SHUFFLE),
    Arc(Phase.ROUND, RoundEnded, Phase.SHUFFLE, cut_reached),
    Arc(Phase.ROUND, RoundEnded, Phase.BETTING),
    Arc(Phase.ROUND, RoundVoided, Phase.SHUFFLE, cut_reached),
    Arc(Phase.ROUND, RoundVoided, Phase.BETTING),
    *(Arc(phase, ShoeRejected, Phase.SHUFFLE) for phase in Phase if phase is not Phase.ROUND),
)

_MOVES: Final[dict[type[Fact], dict[Phase, list[Arc]]]] = {}
for _arc in ARCS:
    _MOVES.setdefault(_arc.fact, {}).setdefault(_arc.phase, []).append(_arc)


class Impossible(AssertionError):
    """A fact that cannot happen in this phase: a defect of ours, or a record that is not ours."""


def next_phase(phase: Phase, fact: type[Fact], shoe: Shoe) -> Phase:
    """The phase after `fact`, with the shoe as it is after it.

    Raises `Impossible` for a fact that belongs to other phases only.
    """
    moves = _MOVES.get(fact)
    if moves is None:
        return phase
    for arc in moves.get(phase, ()):
        if arc.when(shoe):
            return arc.to
    raise Impossible(f"{fact.__name__} cannot happen in phase {phase.value}")


def diagram() -> str:
    """The table of arcs as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.SHUFFLE.value}"]
    for arc in ARCS:
        if arc.to is arc.phase and arc.when is always:
            continue
        condition = "" if arc.when is always else f" [{arc.when.__name__.replace('_', ' ')}]"
        name = arc.fact.__name__
        lines.append(f"    {arc.phase.value} --> {arc.to.value}: {name}{condition}")
    return "\n".join(lines)

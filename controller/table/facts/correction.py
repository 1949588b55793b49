"""Facts that put a recorded round right: it was played otherwise, or is void after its end."""

from __future__ import annotations

from typing import NamedTuple

from controller.rules.actions import Action
from controller.rules.cards import Card
from controller.rules.engine.round import Wagers
from controller.rules.frozen import frozen
from controller.rules.sealed import Sealed
from controller.table.irregularities.edits import EditKind
from controller.table.recorded.hands import FeltChange
from controller.table.recorded.steps import RecordedStep
from controller.table.roles import Person


@frozen
class Edit:
    """One change to a round as it was recorded.

    `at` is the step, from 0, by the list as earlier edits of the same correction left it; for
    WAGER and DEAD the seat. `card`, or `action` with the `amount` of a bet or raise, is what it
    was in truth; for WAGER `amount` alone (None: not tracked).
    """

    at: int
    do: EditKind
    card: Card | None = None
    action: Action | None = None
    amount: int | None = None


class ShoeChange(NamedTuple):
    """What a correction says of the shoe in use.

    `gone` more cards left it than was recorded, `counts` more of each kind were seen face up, and
    the cards under `returned` never left it.
    """

    gone: int = 0
    counts: tuple[tuple[Card, int], ...] = ()
    returned: tuple[Sealed, ...] = ()


@frozen
class RoundCorrected:
    """A round was played otherwise than it was recorded: `edits` say how, the rest what it is now.

    `net` is the players' gain by now, `owed` lists what seats are still to be paid (below zero: to
    give back), where hands had been settled already. `wagers`, `opening` and `steps` are the whole
    round as it was in truth. `taken_out` are cards of it that are the next to be dealt. `day`
    labels the gaming day in which it was played: the figures of a closed day stand, the difference
    is of the day of this record.
    """

    number: int
    edits: tuple[Edit, ...]
    reason: str
    net: int
    owed: tuple[tuple[int, int], ...]
    by: tuple[Person, ...]
    wagers: Wagers
    opening: FeltChange
    steps: tuple[RecordedStep, ...]
    shoe: ShoeChange
    taken_out: tuple[Card, ...] = ()
    day: str = ""


@frozen
class SettledRoundVoided:
    """A round that was over is void: what was paid and taken goes back, as `owed` says.

    `day` labels the gaming day in which it was played: the figures of a closed day stand, what is
    paid and taken now is of the day of this record. `by` and `reason` are as in `RoundVoided`.
    """

    number: int
    owed: tuple[tuple[int, int], ...]
    day: str = ""
    by: tuple[Person, ...] = ()
    reason: str = ""

"""Commands about what went wrong: incidents, holds, kept cards, corrections, alarms."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import MaxLen, MinLen

from controller.rules.actions import Action
from controller.rules.frozen import frozen
from controller.table.inputs.bounds import (
    AlarmNumber,
    Amount,
    AnySeat,
    CardCode,
    CardCount,
    HoldNumber,
    ReasonText,
    RoundNumber,
    SeatNumber,
    StepNumber,
)
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution


@frozen
class CallFloor:
    """The dealer stops the table and calls the floor."""

    do: Literal["call_floor"] = "call_floor"


@frozen
class Happened:
    """People noticed an irregularity: the table stops for it, with its lawful resolutions.

    `round` is the one that it is about; null: the one in play, or the last one.
    """

    what: Reason
    round: RoundNumber | None = None
    do: Literal["happened"] = "happened"


@frozen
class DealKept:
    """The card that was kept is dealt, before any other; `card` is its code if it was not read."""

    card: CardCode | None = None
    do: Literal["deal_kept"] = "deal_kept"


@frozen
class CardsAtSeat:
    """How many cards were counted at a seat, all its hands together (seat 0: the dealer's)."""

    seat: AnySeat
    cards: CardCount


@frozen
class Resolve:
    """A lawful resolution of an open hold; `card` is a card code where it enters a card.

    A card takes the same command twice, each with a key of its own: the first names it and changes
    nothing else, the second, with nothing in between, enters it. Who may is asked at the second.

    `reason` is why, in a few words, where the floor has to vouch for it; `seat` whose hand it
    is, where it is about one. `cards` is how many cards were counted on the felt, `seats` the same
    seat by seat.
    """

    hold: HoldNumber
    resolution: Resolution
    card: CardCode | None = None
    reason: Annotated[str, MaxLen(200)] = ""
    seat: SeatNumber | None = None
    cards: CardCount | None = None
    seats: Annotated[tuple[CardsAtSeat, ...], MaxLen(65)] = ()
    do: Literal["resolve"] = "resolve"


@frozen
class Undo:
    """What was chosen last to settle a hold was a mistake: it is as it was before.

    `hold` is the number of the hold for which it was chosen.
    """

    hold: HoldNumber
    reason: Annotated[str, MaxLen(200)] = ""
    do: Literal["undo"] = "undo"


@frozen
class Acknowledge:
    """Acknowledge every alarm up to that number: silent for now, settled only with its cause.

    `pit`: asked where the early warning's alarms are shown too, which the table never sees.
    """

    upto: AlarmNumber
    pit: bool = False
    do: Literal["acknowledge"] = "acknowledge"


@frozen
class EditAsked:
    """One change to a round as it was recorded; see `facts.Edit`. `card` is a card code."""

    at: StepNumber
    do: EditKind
    card: CardCode | None = None
    action: Action | None = None
    amount: Amount | None = None


@frozen
class Correct:
    """A round was played otherwise than it was recorded: replace, remove or insert steps."""

    round: RoundNumber
    edits: Annotated[tuple[EditAsked, ...], MinLen(1), MaxLen(20)]
    reason: ReasonText
    do: Literal["correct"] = "correct"

"""Facts of a round: wagers, cards, decisions, settlement, a void round.

Money in minor units. `felt` is what became of the hands by a fact, beside the card that it names.
"""

from __future__ import annotations

from typing import Final

from controller.rules.actions import Action, Outcome
from controller.rules.cards import Card
from controller.rules.engine.round import Wagers
from controller.rules.frozen import frozen
from controller.rules.messages import Message
from controller.rules.sealed import Sealed
from controller.table.recorded.hands import NO_CHANGE, FeltChange
from controller.table.recorded.round import RecordedOptions
from controller.table.roles import Person

#: The `source` of a card that people entered; of any other, the device that read it.
ENTERED_BY_HAND: Final = "dealer"


@frozen
class WagerPlaced:
    """`amount` is None where it is not tracked."""

    seat: int
    amount: int | None


@frozen
class WagerRemoved:
    """The wager of a spot was taken back before "no more bets"."""

    seat: int


@frozen
class BetsClosed:
    """After "no more bets", round `number` begins with these wagers, in order of play.

    It is played under this revision of the game and these house options, by the setup of record
    `setup`.
    """

    number: int
    wagers: Wagers
    setup: int
    game: str
    revision: int
    options: RecordedOptions
    felt: FeltChange = NO_CHANGE


@frozen
class DummyBegan:
    """Round `number` begins without bets: cards drawn in error are played out at `seat`.

    By which rules it is played is as in `BetsClosed`.
    """

    number: int
    seat: int
    setup: int
    game: str
    revision: int
    options: RecordedOptions
    felt: FeltChange = NO_CHANGE


@frozen
class CardDealt:
    """A card went face up to a hand (seat 0 is the dealer).

    `evidence` names the picture by which a camera read it, or could not. `why` is the reason of
    the rule by which it was drawn, `forced` whether that left no choice.
    """

    card: Card
    seat: int
    hand: int
    source: str
    serial: str = ""
    evidence: str = ""
    why: Message | None = None
    forced: bool = False
    felt: FeltChange = NO_CHANGE


@frozen
class CardDealtDown:
    """A card went face down to a hand. It stays sealed; one that was not read is unknown."""

    card: Sealed
    seat: int
    hand: int
    source: str
    evidence: str = ""
    why: Message | None = None
    forced: bool = False
    felt: FeltChange = NO_CHANGE


@frozen
class CardTurned:
    """A card that lay face down was turned.

    `nonce` (hexadecimal) and `serial` open the commitment under which it was dealt; empty where it
    had not been read.
    """

    card: Card
    seat: int
    hand: int
    nonce: str = ""
    serial: str = ""
    felt: FeltChange = NO_CHANGE


@frozen
class DealerPeeked:
    """The hidden card was looked at: a natural or not, and nothing else of it."""

    natural: bool
    felt: FeltChange = NO_CHANGE


@frozen
class Decided:
    """A free choice was made; `by_draw` when the card that was drawn said it.

    `amount` is that of a bet or a raise, above the call. `why` is what the rules let choose by.
    """

    seat: int
    hand: int
    action: Action
    by_draw: bool = False
    amount: int | None = None
    why: Message | None = None
    felt: FeltChange = NO_CHANGE


@frozen
class WagerAdded:
    """A further wager lies beside a hand, for `action`; `amount` None where not tracked."""

    seat: int
    hand: int
    action: Action
    amount: int | None
    felt: FeltChange = NO_CHANGE


@frozen
class WagerDeclined:
    """The further wager for `action` was not put down: the player chooses anew."""

    seat: int
    hand: int
    action: Action
    amount: int | None
    felt: FeltChange = NO_CHANGE


@frozen
class HandSettled:
    """The chips of a hand have moved: its wager ended so, and `why`.

    `wager` and `net`, the player's gain, are None where not tracked.
    """

    seat: int
    hand: int
    outcome: Outcome
    wager: int | None
    net: int | None
    why: Message
    felt: FeltChange = NO_CHANGE


@frozen
class RoundEnded:
    """The round is over; `net` is the players' gain in all, untracked wagers left out."""

    number: int
    net: int


@frozen
class RoundVoided:
    """The round in play is void: every wager goes back.

    `owed` lists what seats are still to be paid (below zero: to give back) of hands that had been
    settled already. `by` and `reason` are those of who voided it, as in `HoldReleased`.
    """

    number: int
    owed: tuple[tuple[int, int], ...] = ()
    by: tuple[Person, ...] = ()
    reason: str = ""


RoundFact = (
    CardDealt | CardDealtDown | CardTurned | DealerPeeked | Decided | WagerAdded | WagerDeclined
    | HandSettled
)  # fmt: skip
"""What happens step by step in a round in play."""

"""What the table is asked: commands of people and game servers, readings, presses, health, start.

Commands are nouns of one thing somebody wants; `do` is their name in the API. The table answers
each with records, of which a refusal is one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from annotated_types import Ge, Le, MaxLen, MinLen

from controller.devices.inputs import Button, Health, Press, Reading
from controller.rules.actions import Action
from controller.table.alarms import AlarmTimes
from controller.table.gaming_day import Today
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person, PersonId

# Beyond these no table could mean it: the web refuses such a body before the table is asked.
# What a table does not allow, the table itself refuses, in the words of its rule.
SeatNumber = Annotated[int, Ge(1), Le(64)]
AnySeat = Annotated[int, Ge(0), Le(64)]
HandNumber = Annotated[int, Ge(0), Le(128)]
Amount = Annotated[int, Ge(1), Le(10**12)]
HoldNumber = Annotated[int, Ge(1), Le(2**31 - 1)]
AlarmNumber = Annotated[int, Ge(1), Le(2**31 - 1)]
#: An id of the directory of people, eight hexadecimal digits; empty: somebody unknown there.
PersonIdText = Annotated[str, MaxLen(8)]
StepNumber = Annotated[int, Ge(0), Le(10_000)]
RoundNumber = Annotated[int, Ge(1), Le(2**31 - 1)]
ReasonText = Annotated[str, MinLen(1), MaxLen(200)]
CardCode = Annotated[str, MaxLen(12)]
CardCount = Annotated[int, Ge(0), Le(1_000)]
PackName = Annotated[str, MaxLen(32)]
#: How a shoe that is over is added up: not at all, by the number of cards left, or card by card.
Method = Literal["off", "count", "scan"]


@dataclass(frozen=True, slots=True)
class Stamp:
    """When and by whom an input came: the only clock and identity that the table knows.

    `at_ms` is wall time since the epoch, `mono_ns` the monotonic clock of the running service,
    `cause` names the input: `k:KEY#PRINT` for one with a sender's key, where PRINT is a keyed
    digest of the command, so that a key used for something else is noticed and no card is told.
    `nonce` is fresh randomness for a seal, `view_seq` the record that the sender's picture stood
    on, None if unknown. `by` are the people who proved who they are. `today` is what the calendar
    says, where the input is about the gaming day.
    """

    at_ms: int
    mono_ns: int
    cause: str
    nonce: bytes
    view_seq: int | None = None
    by: tuple[Person, ...] = ()
    today: Today | None = None

    @property
    def key(self) -> str:
        """The sender's key, as the table remembers it; empty if there was none."""
        return key_of(self.cause)


def key_of(cause: str) -> str:
    """The sender's key in the cause of a record; empty if there was none."""
    return cause.partition("#")[0] if cause.startswith("k:") else ""


def print_of(cause: str) -> str:
    """The digest of the command in the cause of a record with a sender's key."""
    return cause.partition("#")[2]


@dataclass(frozen=True, slots=True)
class PlaceWager:
    """A wager on a spot, in minor units; null: a bet whose amount is not tracked."""

    seat: SeatNumber
    amount: Amount | None
    do: Literal["place_wager"] = "place_wager"


@dataclass(frozen=True, slots=True)
class RemoveWager:
    """The wager of a spot is taken back, before "no more bets"."""

    seat: SeatNumber
    do: Literal["remove_wager"] = "remove_wager"


@dataclass(frozen=True, slots=True)
class RepeatWagers:
    """Every spot that had a wager in the last round, and has none now, gets it again."""

    do: Literal["repeat_wagers"] = "repeat_wagers"


@dataclass(frozen=True, slots=True)
class CloseBets:
    """The dealer said "no more bets": the round begins."""

    do: Literal["close_bets"] = "close_bets"


@dataclass(frozen=True, slots=True)
class Decide:
    """A player's decision on a hand (hand 0: a side bet, such as insurance).

    `amount` of a bet or a raise, in minor units above the call; null for other actions.
    """

    seat: SeatNumber
    action: Action
    hand: HandNumber = 1
    amount: Amount | None = None
    do: Literal["decide"] = "decide"


@dataclass(frozen=True, slots=True)
class ConfirmWager:
    """The further wager that the table asks for lies beside the hand."""

    seat: SeatNumber
    hand: HandNumber = 1
    do: Literal["confirm_wager"] = "confirm_wager"


@dataclass(frozen=True, slots=True)
class DeclineWager:
    """The further wager is not put down: the player chooses anew."""

    seat: SeatNumber
    hand: HandNumber = 1
    do: Literal["decline_wager"] = "decline_wager"


@dataclass(frozen=True, slots=True)
class TurnCard:
    """The card that lies face down was turned (seat 0: the dealer's).

    `card` is a card code where the card was not read when it was dealt; null where it was. A card
    that is entered takes the same command twice, each with a key of its own: the first names it,
    the second, with nothing in between, turns it.
    """

    seat: AnySeat = 0
    hand: HandNumber = 1
    card: CardCode | None = None
    do: Literal["turn"] = "turn"


@dataclass(frozen=True, slots=True)
class ReportPeek:
    """The dealer has looked at the hidden card, which was not read: a natural or not."""

    natural: bool
    do: Literal["peek"] = "peek"


@dataclass(frozen=True, slots=True)
class ConfirmSettled:
    """The dealer has paid, taken or left the wager of a hand as the display said."""

    seat: SeatNumber
    hand: HandNumber = 1
    do: Literal["settle"] = "settle"


@dataclass(frozen=True, slots=True)
class LoadPack:
    """A complete, shuffled pack is in the shoe.

    `counted`: how many cards a machine or people counted in it; null where nobody did. `pack` is
    the label of the pack, where the house has several: each is watched by itself. After
    `scan_pack` it says that all of it went through; with `counted`, that people counted instead.
    """

    counted: CardCount | None = None
    pack: PackName = ""
    do: Literal["load_pack"] = "load_pack"


@dataclass(frozen=True, slots=True)
class ScanPack:
    """The pack will be run through the reader, all of it, before it is loaded and cut.

    `load_pack` ends it: a pack in which a kind is missing or too often is not taken.
    """

    do: Literal["scan_pack"] = "scan_pack"


@dataclass(frozen=True, slots=True)
class CutShoe:
    """The pack has been cut and the cut card is in its place.

    `at`: after how many cards it was put in; null: where the house has it. The ledger tells it;
    when to shuffle is the house's number of cards alone.
    """

    at: CardCount | None = None
    do: Literal["cut"] = "cut"


@dataclass(frozen=True, slots=True)
class ScanRest:
    """What is left in the shoe will be run through the reader, from its first card."""

    do: Literal["scan_rest"] = "scan_rest"


@dataclass(frozen=True, slots=True)
class CloseShoe:
    """The shoe is over: `left` cards were counted in it; null: all were run through the reader."""

    left: CardCount | None = None
    do: Literal["close_shoe"] = "close_shoe"


@dataclass(frozen=True, slots=True)
class ChangeDealer:
    """Another dealer takes over, between rounds; `person` is the id in the directory, or empty."""

    person: PersonIdText
    do: Literal["change_dealer"] = "change_dealer"


@dataclass(frozen=True, slots=True)
class CallFloor:
    """The dealer stops the table and calls the floor."""

    do: Literal["call_floor"] = "call_floor"


@dataclass(frozen=True, slots=True)
class Happened:
    """People noticed an irregularity: the table stops for it, with its lawful resolutions.

    `round` is the one that it is about; null: the one in play, or the last one.
    """

    what: Reason
    round: RoundNumber | None = None
    do: Literal["happened"] = "happened"


@dataclass(frozen=True, slots=True)
class DealKept:
    """The card that was kept is dealt, before any other; `card` is its code if it was not read."""

    card: CardCode | None = None
    do: Literal["deal_kept"] = "deal_kept"


@dataclass(frozen=True, slots=True)
class CardsAtSeat:
    """So many cards were counted at a seat, all its hands together (seat 0: the dealer's)."""

    seat: AnySeat
    cards: CardCount


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Undo:
    """What was chosen last to settle a hold was a mistake: it is as it was before.

    `hold` is the number of the hold for which it was chosen.
    """

    hold: HoldNumber
    reason: Annotated[str, MaxLen(200)] = ""
    do: Literal["undo"] = "undo"


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Acknowledge every alarm up to that number: silent for now, settled only with its cause.

    `pit`: asked where the early warning's alarms are shown too, which the table never sees.
    """

    upto: AlarmNumber
    pit: bool = False
    do: Literal["acknowledge"] = "acknowledge"


@dataclass(frozen=True, slots=True)
class EditAsked:
    """One change to a round as it was recorded; see `facts.Edit`. `card` is a card code."""

    at: StepNumber
    do: EditKind
    card: CardCode | None = None
    action: Action | None = None
    amount: Amount | None = None


@dataclass(frozen=True, slots=True)
class Correct:
    """A round was played otherwise than it was recorded: replace, remove or insert steps."""

    round: RoundNumber
    edits: Annotated[tuple[EditAsked, ...], MinLen(1), MaxLen(20)]
    reason: ReasonText
    do: Literal["correct"] = "correct"


@dataclass(frozen=True, slots=True)
class CloseDay:
    """The floor closes the gaming day, between rounds."""

    do: Literal["close_day"] = "close_day"


@dataclass(frozen=True, slots=True)
class PressButton:
    """The same as pressing the physical button of that name."""

    button: Button
    do: Literal["press"] = "press"


Command = (
    PlaceWager | RemoveWager | RepeatWagers | CloseBets | Decide | ConfirmWager | DeclineWager
    | TurnCard | ReportPeek | ConfirmSettled | LoadPack | ScanPack | CutShoe | ScanRest | CloseShoe
    | ChangeDealer | CallFloor | Happened | DealKept | Resolve | Undo | Correct | Acknowledge
    | CloseDay | PressButton
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setup:
    """What the configuration says a table is.

    `options` holds every house option by name; `currency` (ISO 4217) is what amounts are in.
    `roles`: people are known by name and PIN, and what matters takes the floor. `reconcile`: how a
    shoe is to be added up before the next pack. `procedures` names the profile by which
    irregularities are met, `own_procedures` are the house's own rows beside it (`procedures.Own`).
    `blind_counts`: people count cards before they are told how many there should be.
    """

    table: str
    game: str
    seats: int
    options: tuple[tuple[str, int | str | bool], ...]
    draw_means_hit: bool
    currency: str = "EUR"
    roles: bool = False
    reconcile: Method = "off"
    procedures: str = "house"
    own_procedures: tuple[tuple[str, str, str], ...] = ()
    blind_counts: bool = True


@dataclass(frozen=True, slots=True)
class Start:
    """The service has started on this journal.

    `card_sources` name the devices that read cards; `simulated` marks a table whose devices are
    not real, on every page and in the record. `alarms`: when an alarm calls whom; no rule of the
    game, so it may change at any start.
    """

    setup: Setup
    software: str
    card_sources: tuple[str, ...]
    simulated: bool = False
    alarms: AlarmTimes = field(default_factory=AlarmTimes)


@dataclass(frozen=True, slots=True)
class Reload:
    """The configuration was read anew while the service runs: it is taken between rounds."""

    setup: Setup
    alarms: AlarmTimes


@dataclass(frozen=True, slots=True)
class TimerFired:
    """The timer that the table asked for has fired; the stamp has the time."""


@dataclass(frozen=True, slots=True)
class DayCheck:
    """The planned end of the day has come, or two hours more; the stamp has the calendar."""


#: In place of a person: a name that nobody has.
UNKNOWN_PERSON: Final = PersonId("")


@dataclass(frozen=True, slots=True)
class PinReport:
    """So many wrong PINs were entered for a person since the last report.

    `locked_s` is how long the person's PIN is not accepted; 0: it is. Many tries are one report.
    """

    person: PersonId
    wrong: int
    locked_s: int = 0


TableInput = Command | Reading | Press | Health | Start | Reload | TimerFired | DayCheck | PinReport

"""What happened, in the past tense: the only things that change the table.

A fact is written down (`controller.record.journal`) before anything acts on it. Facts are never
edited; a new meaning is a new fact. They carry all consequences, so that they are applied later
without the rules that were played: `felt` is what became of the hands of a round by a fact, beside
the card that it names. Money in minor units.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from controller.rules.cards import Card, Pack
from controller.rules.felt import Action, Outcome
from controller.rules.messages import Message
from controller.rules.round import Wagers
from controller.rules.sealed import Sealed
from controller.table.alarms import AlarmTimes, Level
from controller.table.gaming_day.day import CarryOver, ClockDoubt, Schedule
from controller.table.inputs import Setup
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.recorded import NO_CHANGE, FeltChange, RecordedOptions, RecordedStep
from controller.table.revision import TABLE_REVISION
from controller.table.roles import Person, PersonId
from controller.table.shoe.ledger import Verdict


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The table runs by this setup from here on.

    `pack` is what its shoe holds when it is full; once `cut_after` cards are gone, the round in
    play is the shoe's last.
    """

    setup: Setup
    pack: Pack
    cut_after: int


@dataclass(frozen=True, slots=True)
class ServiceStarted:
    """The service came up on this journal; alarms call by the times of `alarms` from here on.

    The table's own decisions and procedures are those of revision `decisions`.
    """

    software: str
    card_sources: tuple[str, ...]
    simulated: bool = False
    alarms: AlarmTimes = field(default_factory=AlarmTimes)
    decisions: int = TABLE_REVISION


@dataclass(frozen=True, slots=True)
class DayOpened:
    """A gaming day begins: the first record of its file, but for a table's first day.

    `label` is its ISO date, `ends_ms` its planned end. `carried` is what it takes over from the day
    before; None for the first one.
    """

    label: str
    ends_ms: int
    schedule: Schedule
    carried: CarryOver | None = None


@dataclass(frozen=True, slots=True)
class DayClosed:
    """A gaming day is over: the last record of its file, after which nothing is added to it.

    `digest` is that of what the next day takes over, `hidden` commits to the part of it that goes
    with the openings of sealed cards; `next_label` and `next_ends_ms` are those of
    the next day. `by` names who closed it; empty where it was closed by the clock.
    """

    label: str
    digest: str
    hidden: str
    next_label: str
    next_ends_ms: int
    schedule: Schedule
    by: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class DayRescheduled:
    """Gaming days end by another schedule from here on; the open one at `ends_ms`."""

    label: str
    ends_ms: int
    schedule: Schedule


@dataclass(frozen=True, slots=True)
class ClockDoubted:
    """The wall clock is not believed, so that it does not close the day: the floor is asked."""

    label: str
    doubt: ClockDoubt


@dataclass(frozen=True, slots=True)
class DayOverdue:
    """The day is still open two hours after its planned end."""

    label: str


@dataclass(frozen=True, slots=True)
class DeviceUp:
    """A device works."""

    device: str


@dataclass(frozen=True, slots=True)
class DeviceDown:
    """A device failed or is not there; `why` says what to do."""

    device: str
    why: Message


@dataclass(frozen=True, slots=True)
class PackLoaded:
    """A complete pack of `cards` cards is in the shoe; the shoe gets a `number` of its own.

    Once it is cut, `burns` cards are to be burned.
    `counted`: the pack was counted, not only declared to be whole. `pack` is its label. `scanned`:
    all of it had gone through the reader (`PackOpened`), and each kind was there as often as due.
    """

    number: int
    cards: int
    burns: int
    counted: bool = False
    pack: str = ""
    scanned: bool = False


@dataclass(frozen=True, slots=True)
class PackOpened:
    """A whole pack is run through the reader before it is loaded, from its first card."""


@dataclass(frozen=True, slots=True)
class PackCardCounted:
    """A card of a pack that is not loaded yet went through the reader. It stays sealed."""

    card: Sealed
    source: str
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class ShoeCut:
    """The pack was cut and the cut card put in after `at` cards (0: the game has none).

    `declared`: people said where; else it is where the house has it.
    """

    at: int
    declared: bool


@dataclass(frozen=True, slots=True)
class CutCardSeen:
    """The cut card's own code was read: it has come out of the shoe. No card has left."""

    source: str


@dataclass(frozen=True, slots=True)
class ShoeRejected:
    """The pack in the shoe is not to be trusted; it is out of play."""


@dataclass(frozen=True, slots=True)
class DiscardsReturned:
    """The shoe ran out in mid-round: the discards were shuffled and are in the shoe (F27-A16)."""


@dataclass(frozen=True, slots=True)
class RestOpened:
    """What is left in the shoe is run through the reader, from its first card."""


@dataclass(frozen=True, slots=True)
class RestCounted:
    """A card of the rest went through the reader. It belongs to no round and stays sealed."""

    card: Sealed
    source: str
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class ShoeReconciled:
    """Shoe `number` is over and was added up; see `ledger.Finding`.

    `left` cards were counted in it, or `scanned` one by one. `clean`: as the house wants it.
    """

    number: int
    left: int
    scanned: bool
    verdict: Verdict
    missing: int
    unread: int
    many: tuple[tuple[Card, int], ...]
    few: tuple[tuple[Card, int], ...]
    clean: bool


@dataclass(frozen=True, slots=True)
class PackDoubted:
    """The early warning: over `shoes` shoes of `pack`, `kind` came too seldom or too often."""

    pack: str
    kind: Card
    missing: bool
    shoes: int


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A card went out unseen: burned by rule, or set aside after an error. It stays sealed."""

    card: Sealed
    set_aside: bool = False
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class CardKept:
    """A card that left the shoe in error lies face down, to be the next one that is dealt."""

    card: Sealed
    source: str = ""
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class KeptCardUsed:
    """The first card that was kept is taken: what follows says where it went.

    `card`, `nonce` (hexadecimal) and `serial` open the commitment under which it was kept, where
    it then lies face up.
    """

    card: Card | None = None
    nonce: str = ""
    serial: str = ""


@dataclass(frozen=True, slots=True)
class DealerChanged:
    """Another dealer took over; `burns` cards are to be burned. `person` is empty if unknown."""

    person: PersonId
    burns: int


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """`amount` is None where it is not tracked."""

    seat: int
    amount: int | None


@dataclass(frozen=True, slots=True)
class WagerRemoved:
    """The wager of a spot was taken back before "no more bets"."""

    seat: int


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class DealerPeeked:
    """The hidden card was looked at: a natural or not, and nothing else of it."""

    natural: bool
    felt: FeltChange = NO_CHANGE


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class WagerAdded:
    """A further wager lies beside a hand, for `action`; `amount` None where not tracked."""

    seat: int
    hand: int
    action: Action
    amount: int | None
    felt: FeltChange = NO_CHANGE


@dataclass(frozen=True, slots=True)
class WagerDeclined:
    """The further wager for `action` was not put down: the player chooses anew."""

    seat: int
    hand: int
    action: Action
    amount: int | None
    felt: FeltChange = NO_CHANGE


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round is over; `net` is the players' gain in all, untracked wagers left out."""

    number: int
    net: int


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round in play is void: every wager goes back.

    `owed` lists what seats are still to be paid (below zero: to give back) of hands that had been
    settled already.
    """

    number: int
    owed: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SettledRoundVoided:
    """A round that was over is void: what was paid and taken goes back, as `owed` says.

    `day` labels the gaming day in which it was played: the figures of a closed day stand, what is
    paid and taken now is of the day of this record.
    """

    number: int
    owed: tuple[tuple[int, int], ...]
    day: str = ""


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class HoldRaised:
    """The table stops. `card` is what was read, if anything; `message` says what is known of it.

    `round`: people called it about that round. `evidence` names the picture of the card; `open`: it
    lies face up, so the picture may be shown.
    """

    number: int
    reason: Reason
    message: Message
    card: Sealed | None = None
    source: str = ""
    round: int = 0
    evidence: str = ""
    open: bool = False


@dataclass(frozen=True, slots=True)
class CardNamed:
    """People said which card lies there; it is placed once they say the same again.

    `hold` is the one from which it is entered; 0: the card that is turned. It stays sealed: until
    it is placed it is nothing.
    """

    hold: int
    card: Sealed


@dataclass(frozen=True, slots=True)
class HoldReleased:
    """A hold was settled by one of its lawful resolutions.

    `by` names who gave their PIN, `reason` is what they said; empty at a table without roles.
    """

    number: int
    resolution: Resolution
    by: tuple[Person, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AlarmEscalated:
    """Nobody settled what an alarm is about in time: it calls further, or calls again."""

    alarm: int
    level: Level


@dataclass(frozen=True, slots=True)
class AlarmSeen:
    """Alarms are known and quiet for now; nothing is settled by it.

    By the floor they wait until they call again; otherwise their time runs on.
    """

    alarms: tuple[int, ...]
    floor: bool
    by: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class AlarmAnswered:
    """A hold that stays open is being worked on: the time of its alarm starts again."""

    alarm: int


@dataclass(frozen=True, slots=True)
class Refused:
    """An input that the rules or the table's state do not allow: its name, and why."""

    what: str
    why: Message


Fact = (
    TableOpened | ServiceStarted | DayOpened | DayClosed | DayRescheduled | ClockDoubted
    | DayOverdue | DeviceUp | DeviceDown | PackLoaded | PackOpened
    | PackCardCounted | ShoeCut | CutCardSeen | ShoeRejected
    | DiscardsReturned | RestOpened | RestCounted | ShoeReconciled | PackDoubted | CardBurned
    | DealerChanged | WagerPlaced | WagerRemoved | BetsClosed | CardDealt | CardDealtDown
    | CardTurned | DealerPeeked | Decided | WagerAdded | WagerDeclined | HandSettled | RoundEnded
    | RoundVoided | SettledRoundVoided | DummyBegan | CardKept | KeptCardUsed | RoundCorrected
    | HoldRaised | CardNamed | HoldReleased | AlarmEscalated | AlarmSeen | AlarmAnswered | Refused
)  # fmt: skip


RoundFact = (
    CardDealt | CardDealtDown | CardTurned | DealerPeeked | Decided | WagerAdded | WagerDeclined
    | HandSettled
)  # fmt: skip
"""What happens step by step in a round in play."""


class Record(NamedTuple):
    """One line of the journal: a fact with its place, its times and its cause.

    `seq` counts from 1 without gaps. `at_ms` is wall time, `mono_ns` the monotonic clock of the
    service run that wrote it, `cause` the id of the input that led to it.
    """

    seq: int
    at_ms: int
    mono_ns: int
    cause: str
    fact: Fact

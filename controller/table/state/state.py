"""The state of a table: everything that its records say, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from controller.devices.inputs import SpotChips
from controller.rules.cards import Card
from controller.rules.engine.round import Round
from controller.rules.game import Game
from controller.rules.messages import Message, Words, message
from controller.rules.options import HouseOptions
from controller.rules.script.steps import Step
from controller.rules.sealed import Sealed
from controller.table.alarms import Alarm, AlarmTimes
from controller.table.gaming_day import GamingDay
from controller.table.inputs import Setup
from controller.table.irregularities.holds import Hold, Named, Reason, Resolution
from controller.table.irregularities.procedures import Procedures, procedures
from controller.table.recorded.card_pictures import Pictures
from controller.table.recorded.hands import RecordedHand
from controller.table.recorded.round import RecordedRound
from controller.table.revision import TABLE_REVISION
from controller.table.roles import PersonId
from controller.table.shoe.ledger import Ledger
from controller.table.shoe.recount import Recount
from controller.table.shoe.shoe import Shoe
from controller.table.state.answers import Answers
from controller.table.state.phases import Phase

#: How many rounds can be recalled from the state, an unfinished or void one included.
ROUNDS_KEPT: Final = 10
#: How many facts about wrong PINs are remembered for the status page.
WRONG_PINS_KEPT: Final = 20


@dataclass(frozen=True, slots=True)
class WrongPinsNoted:
    """Wrong PINs of a person (empty: of a name that nobody has), and the lock-out they led to.

    `locked_s` is 0 where they led to none; `at_ms` is when it went on record.
    """

    person: PersonId
    wrong: int
    locked_s: int
    at_ms: int


# The parts of a state, and the state, have no slots: `changed` copies all fields in one move.


@dataclass(frozen=True)
class TableClock:
    """The times of the last record, and since when the table waits for what it waits for now.

    `at_ms` is wall time, `mono_ns` the monotonic time of the service's run, `table_ns` the table's
    own time (`evolve.alarm_lifecycle`). `since_seq` is the last record that changed what there is
    to do (refusals and devices' health do not), `since_ms` its wall time: a command that was
    chosen on an older view is refused.
    """

    at_ms: int = 0
    mono_ns: int = 0
    table_ns: int = 0
    since_seq: int = 0
    since_ms: int = 0


@dataclass(frozen=True)
class ServiceRun:
    """What the running service said of itself when it started.

    `decisions` is the revision of the table's own decisions that writes the records. `simulated`:
    a device of the simulated world is configured. `alarm_times` are in force since then.
    `print_key` commits to the key of commands' digests.
    """

    software: str = ""
    decisions: int = TABLE_REVISION
    card_sources: tuple[str, ...] = ()
    simulated: bool = False
    alarm_times: AlarmTimes = field(default_factory=AlarmTimes)
    print_key: str = ""


@dataclass(frozen=True)
class Betting:
    """The wagers placed for the next round, those of the last round, by seat, and the button.

    An amount is None where the house enters none. `button` is the seat that dealt the last round
    where the deal passes.
    """

    wagers: dict[int, int | None] = field(default_factory=dict)
    last_wagers: dict[int, int | None] = field(default_factory=dict)
    button: int = 0


class Coming(Enum):
    """What was confirmed of a spot, and its sensor has not seen yet: hands are faster than it."""

    NOTHING = "nothing"
    MORE = "more"
    OTHER = "other"


@dataclass(frozen=True)
class SensedSpot:
    """What lies on a bet spot by its sensor `source`.

    `agreed` is what lay there when bets were closed, or what was accepted since; None while chips
    may come and go. While the table is held since bets and chips differ, it is what lay there
    when the hold began. `coming` is the one change that is due.
    """

    source: str
    chips: SpotChips
    agreed: SpotChips | None = None
    coming: Coming = Coming.NOTHING

    def with_chips(self, source: str, chips: SpotChips) -> SensedSpot:
        """The spot as it was sensed anew; a change that was due is agreed to."""
        if self.agreed is not None and not chips.same_as(self.agreed):
            more = self.coming is Coming.MORE and chips.holds(self.agreed)
            if more or self.coming is Coming.OTHER:
                return SensedSpot(source, chips, chips)
        return SensedSpot(source, chips, self.agreed, self.coming)


@dataclass(frozen=True)
class Rounds:
    """The round in play or, between rounds, the last one (`latest`), and those before it.

    `latest` is None if that was voided. `past` are the last `ROUNDS_KEPT` that have ended,
    `pictures` those of all their cards. `decided_at` is how many cards had left the shoe when a
    player decided last; -1 if that decision cannot be taken back.
    """

    latest: RecordedRound | None = None
    past: tuple[RecordedRound, ...] = ()
    pictures: Pictures = ()
    decided_at: int = -1


@dataclass(frozen=True)
class Counts:
    """How many there have been at this table; each is also the number of the last one."""

    rounds: int = 0
    holds: int = 0
    alarms: int = 0


@dataclass(frozen=True)
class Commands:
    """What the next command is judged by, besides the table itself.

    `refusal` is the last one until something is accepted. `named` is a card that was entered once,
    until it is confirmed or anything else happens. `answered` are the answers to senders' keys.
    """

    refusal: Message | None = None
    named: Named | None = None
    answered: Answers = field(default_factory=Answers)


@dataclass(frozen=True)
class Resolved:
    """What was chosen last to settle a hold, and what was there before: it may be undone.

    `cause` is that of the input that chose it, `steps` how many steps the round in play had,
    `holds` how many holds there had been.
    """

    hold: Hold
    resolution: Resolution
    cause: str
    phase: Phase
    shoe: Shoe
    kept_cards: tuple[Card | Sealed, ...]
    recount: Recount
    steps: int
    holds: int


@dataclass(frozen=True)
class State:
    """A table as its records made it.

    `seq` is the last record, `setup_seq` the one that holds `setup`. `script` is the game's script
    at the point where the round in play stands, None where nobody needs it or this build does not
    carry the rules; it follows from the rest, and no record is applied by it. `turn_ns` is since
    when the hand in turn has been asked or dealt to without a break, by the service's monotonic
    clock; like `script` it is known while the round is played. `devices` maps a device to why it is
    down, None while it is up; `spots` the seats whose bet spots have sensors.
    `kept_cards` are cards that left the shoe in error and are the next to be
    dealt, sealed unless they were seen. `recount` is what is known of cards that left unseen,
    `resolved` what was chosen last to settle a hold, until anything else happens. `day` is the
    gaming day, None at a table without a calendar.
    """

    setup: Setup
    game: Game
    shoe: Shoe
    seq: int = 0
    setup_seq: int = 0
    clock: TableClock = field(default_factory=TableClock)
    day: GamingDay | None = None
    run: ServiceRun = field(default_factory=ServiceRun)
    devices: dict[str, Message | None] = field(default_factory=dict)
    spots: dict[int, SensedSpot] = field(default_factory=dict)
    phase: Phase = Phase.SHUFFLE
    dealer: PersonId | None = None
    betting: Betting = field(default_factory=Betting)
    rounds: Rounds = field(default_factory=Rounds)
    script: Round | None = field(default=None, compare=False)
    turn_ns: int = field(default=0, compare=False)
    kept_cards: tuple[Card | Sealed, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)
    recount: Recount = field(default_factory=Recount)
    holds: tuple[Hold, ...] = ()
    resolved: Resolved | None = None
    alarms: tuple[Alarm, ...] = ()
    counts: Counts = field(default_factory=Counts)
    commands: Commands = field(default_factory=Commands)
    wrong_pins: tuple[WrongPinsNoted, ...] = ()

    @property
    def options(self) -> HouseOptions:
        """The house options under which the table runs."""
        return self.game.options

    @property
    def words(self) -> Words:
        """The game's own words, with the index style of this table's cards."""
        return self.game.words._replace(index_style=self.setup.index)

    @property
    def procedures(self) -> Procedures:
        """By what irregularities are met at this table."""
        return procedures(self.setup.procedures, self.setup.own_procedures)

    @property
    def step(self) -> Step | None:
        """The one next thing of the round in play; None without one, or without its script."""
        return self.script.step if self.phase is Phase.ROUND and self.script else None

    @property
    def in_play(self) -> RecordedRound | None:
        """The round in play."""
        return self.rounds.latest if self.phase is Phase.ROUND else None

    def recalled(self, number: int) -> RecordedRound | None:
        """The round of that number, in play or past, if it is known still and not void."""
        if self.in_play is not None and self.in_play.number == number:
            return self.in_play
        return next(
            (each for each in self.rounds.past if each.number == number and not each.void), None
        )

    @property
    def empty(self) -> bool:
        """Whether no card is left to be dealt, in the shoe or kept."""
        return self.shoe.left <= 0 and not self.kept_cards

    @property
    def closes(self) -> bool:
        """Whether the shoe is over and can be added up."""
        return self.phase is Phase.SHUFFLE and self.shoe.number > 0 and not self.ledger.closed

    @property
    def must_close(self) -> bool:
        """Whether the shoe has to be added up before the next pack."""
        return self.closes and self.setup.reconcile != "off"

    @property
    def cards_shown(self) -> int:
        """How many cards are shown at the spots and the dealer's place.

        While cards are run through the reader: how many have gone through it.
        """
        if self.ledger.scanning:
            return len(self.ledger.rest)
        return sum(len(each.cards) for each in self.in_play.felt.all) if self.in_play else 0

    @property
    def missing(self) -> int:
        """How many cards have left the shoe, by beam or count, and are not on record yet."""
        return self.recount.missing(self.cards_shown)

    @property
    def hands(self) -> tuple[RecordedHand, ...]:
        """The players' hands on the felt, of the round in play or the last one."""
        return self.rounds.latest.felt.hands if self.rounds.latest else ()

    @property
    def blind(self) -> Message | None:
        """Why no card could be read now; None while every card source is up."""
        for name in self.run.card_sources:
            why = self.devices.get(name, message("device-not-connected-yet", device=name))
            if why is not None:
                return why
        return None

    def hold(self, number: int) -> Hold | None:
        """The open hold of that number."""
        return next((each for each in self.holds if each.number == number), None)

    @property
    def shoe_in_use(self) -> bool:
        """Whether cards leave a shoe; else a pack is being handled, outside of any count."""
        return self.phase is not Phase.SHUFFLE or not self.ledger.closed or self.ledger.scanning

    def held_for(self, reason: Reason) -> bool:
        """Whether a hold for `reason` is open."""
        return any(each.reason is reason for each in self.holds)

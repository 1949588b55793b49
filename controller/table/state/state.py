"""The state of a table: everything that its records say, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.rules.cards import Card
from controller.rules.engine.round import Round
from controller.rules.game import Game
from controller.rules.messages import Message, Words, message
from controller.rules.options import HouseOptions
from controller.rules.script.steps import Step
from controller.rules.sealed import Sealed
from controller.table.alarms import Alarm
from controller.table.gaming_day import GamingDay
from controller.table.inputs import Setup
from controller.table.irregularities.holds import Hold, Reason
from controller.table.irregularities.procedures import Procedures, procedures
from controller.table.recorded.hands import RecordedHand
from controller.table.recorded.round import RecordedRound
from controller.table.roles import PersonId
from controller.table.shoe.ledger import Ledger
from controller.table.shoe.recount import Recount
from controller.table.shoe.shoe import Shoe
from controller.table.state.money import Money
from controller.table.state.parts import (
    Betting,
    ClosedWindow,
    Commands,
    Counts,
    PitWord,
    Resolved,
    Rounds,
    SeatedPlayer,
    SensedSpot,
    ServiceRun,
    TableClock,
    Window,
    WrongPinsNoted,
)
from controller.table.state.phases import Phase


@dataclass(frozen=True)
class State:
    """A table as its records made it.

    `seq` is the last record, `setup_seq` the one that holds `setup`. `script` is the game's script
    at the point where the round in play stands, None where nobody needs it or this build does not
    carry the rules; it follows from the rest, and no record is applied by it. `turn_ns` is since
    when the hand in turn has been asked or dealt to without a break, by the service's monotonic
    clock; like `script` it is known while the round is played. `held_until_ns` is when the last
    hold was settled, by that clock; 0 where none was in this run. `devices` maps a device to why it
    is down, None while it is up; `spots` the seats whose bet spots have sensors.
    `window` is what players at a distance have a while for, `closed_windows` what was such of this
    round, `players` who plays where for a server. `kept_cards` are cards that left the shoe in
    error and are the next to be dealt, sealed unless they were seen. `recount` is what is known of
    cards that left unseen, `resolved` what was chosen last to settle a hold, until anything else
    happens. `day` is the gaming day, None at a table without a calendar.
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
    window: Window | None = None
    closed_windows: tuple[ClosedWindow, ...] = ()
    clapper_due_ns: int | None = None
    players: dict[int, SeatedPlayer] = field(default_factory=dict)
    rounds: Rounds = field(default_factory=Rounds)
    script: Round | None = field(default=None, compare=False)
    turn_ns: int = field(default=0, compare=False)
    held_until_ns: int = field(default=0, compare=False)
    kept_cards: tuple[Card | Sealed, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)
    recount: Recount = field(default_factory=Recount)
    holds: tuple[Hold, ...] = ()
    resolved: Resolved | None = None
    alarms: tuple[Alarm, ...] = ()
    counts: Counts = field(default_factory=Counts)
    commands: Commands = field(default_factory=Commands)
    wrong_pins: tuple[WrongPinsNoted, ...] = ()
    pit: PitWord = field(default_factory=PitWord)
    money: Money = field(default_factory=Money)

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

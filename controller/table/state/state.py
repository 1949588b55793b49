"""The state of a table: everything that its records say, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.rules.game import Game
from controller.rules.messages import Words
from controller.rules.options import HouseOptions
from controller.rules.script.steps import Step
from controller.table.alarms import Alarm
from controller.table.gaming_day import GamingDay
from controller.table.inputs import Setup
from controller.table.irregularities.holds import Hold, Reason
from controller.table.irregularities.procedures import Procedures, procedures
from controller.table.recorded.hands import RecordedHand
from controller.table.recorded.round import RecordedRound
from controller.table.shoe.ledger import Ledger
from controller.table.shoe.shoe import Shoe
from controller.table.state.money import Money
from controller.table.state.parts import (
    Aftermath,
    Betting,
    Commands,
    Counts,
    PitWord,
    Rounds,
    ServiceRun,
    TableClock,
    TablePeople,
    Terms,
)
from controller.table.state.phases import Phase
from controller.table.state.remote_players import RemotePlayers


@dataclass(frozen=True)
class State:
    """A table as its records made it; what changes together stands in one part.

    `day` is the gaming day, None at a table without a calendar. `holds` are the open ones, in the
    order in which they are settled. Setup, game and number of the last record are asked of the
    state itself, as nearly everybody does.
    """

    terms: Terms
    shoe: Shoe
    clock: TableClock = field(default_factory=TableClock)
    day: GamingDay | None = None
    run: ServiceRun = field(default_factory=ServiceRun)
    phase: Phase = Phase.SHUFFLE
    people: TablePeople = field(default_factory=TablePeople)
    betting: Betting = field(default_factory=Betting)
    remote: RemotePlayers = field(default_factory=RemotePlayers)
    rounds: Rounds = field(default_factory=Rounds)
    ledger: Ledger = field(default_factory=Ledger)
    holds: tuple[Hold, ...] = ()
    aftermath: Aftermath = field(default_factory=Aftermath)
    alarms: tuple[Alarm, ...] = ()
    counts: Counts = field(default_factory=Counts)
    commands: Commands = field(default_factory=Commands)
    pit: PitWord = field(default_factory=PitWord)
    money: Money = field(default_factory=Money)

    @property
    def setup(self) -> Setup:
        """The setup under which the table runs."""
        return self.terms.setup

    @property
    def game(self) -> Game:
        """The game of the setup, as this build has it."""
        return self.terms.game

    @property
    def seq(self) -> int:
        """The number of the last record."""
        return self.clock.seq

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
        script = self.rounds.script
        return script.step if script is not None and self.phase is Phase.ROUND else None

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
        return self.shoe.left <= 0 and not self.aftermath.kept_cards

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
        return self.aftermath.recount.missing(self.cards_shown)

    @property
    def hands(self) -> tuple[RecordedHand, ...]:
        """The players' hands on the felt, of the round in play or the last one."""
        return self.rounds.latest.felt.hands if self.rounds.latest else ()

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

"""The state of a table: everything that its records say, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from controller.rules.cards import Card
from controller.rules.game import Game
from controller.rules.messages import Message, message
from controller.rules.options import HouseOptions
from controller.rules.round import Round
from controller.rules.sealed import Sealed
from controller.rules.steps import Step
from controller.table.alarms import Alarm, AlarmTimes
from controller.table.card_pictures import Pictures
from controller.table.gaming_day.day import GamingDay
from controller.table.inputs import Setup
from controller.table.irregularities.holds import Hold, Named, Reason
from controller.table.irregularities.procedures import Procedures, procedures
from controller.table.phases import Phase
from controller.table.recorded import RecordedHand, RecordedRound
from controller.table.revision import TABLE_REVISION
from controller.table.roles import PersonId
from controller.table.shoe.ledger import Ledger
from controller.table.shoe.shoe import Shoe

#: How many rounds can be recalled from the state, an unfinished or void one included.
ROUNDS_KEPT: Final = 10
#: How many answers to senders' keys are remembered, so that a key sent twice acts once.
ANSWERS_KEPT: Final = 256


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of an input that had a sender's key: its cause, last record and refusal."""

    cause: str
    seq: int
    refused: Message | None = None


@dataclass(frozen=True)  # without slots: `changed` copies the whole at once
class State:
    """A table as its records made it.

    `setup_seq` is the record that holds `setup`. `round` is the round in play or, between rounds,
    the last one, None if that is void. `script` is the game's script at the point where the round
    in play stands, None where nobody needs it or this build does not carry the rules; it follows
    from the rest, and no record is applied by it. `button` is the seat that dealt the last round
    where the deal passes. `devices` maps a device to why it is down, None while it is up. `refusal`
    is the last one until something is accepted. `since_ms` is when the table began to wait for what
    it waits for now, `moved` the last record that changed what there is to do (refusals and
    devices' health do not). `kept` are cards that left the shoe in error and are the next to be
    dealt, sealed unless they were seen. `decided_at` is how many cards had left when a player
    decided last. `turn_ns` is since when the hand in turn has been asked or dealt to without a
    break, by the service's monotonic clock; like `script` it is known while the round is played.
    `decisions` is the revision of the table's own decisions that wrote the last records. `clock_ns`
    is the table's own time at the last record (`troubles`), `mono_ns` that of the service's run.
    `named` is a card that was entered once, until it is confirmed or anything else happens. `day`
    is the gaming day, None at a table without a calendar.
    """

    setup: Setup
    game: Game
    shoe: Shoe
    seq: int = 0
    setup_seq: int = 0
    at_ms: int = 0
    since_ms: int = 0
    moved: int = 0
    software: str = ""
    decisions: int = TABLE_REVISION
    card_sources: tuple[str, ...] = ()
    simulated: bool = False
    phase: Phase = Phase.SHUFFLE
    wagers: dict[int, int | None] = field(default_factory=dict)
    last_wagers: dict[int, int | None] = field(default_factory=dict)
    round: RecordedRound | None = None
    script: Round | None = field(default=None, compare=False)
    rounds_played: int = 0
    past: tuple[RecordedRound, ...] = ()
    holds: tuple[Hold, ...] = ()
    holds_raised: int = 0
    devices: dict[str, Message | None] = field(default_factory=dict)
    refusal: Message | None = None
    answered: dict[str, Answered] = field(default_factory=dict)
    dealer: PersonId | None = None
    button: int = 0
    kept: tuple[Card | Sealed, ...] = ()
    decided_at: int = -1
    turn_ns: int = field(default=0, compare=False)
    ledger: Ledger = field(default_factory=Ledger)
    pictures: Pictures = ()
    alarms: tuple[Alarm, ...] = ()
    alarms_raised: int = 0
    alarm_times: AlarmTimes = field(default_factory=AlarmTimes)
    clock_ns: int = 0
    mono_ns: int = 0
    named: Named | None = None
    day: GamingDay | None = None

    @property
    def options(self) -> HouseOptions:
        """The house options under which the table runs."""
        return self.game.options

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
        return self.round if self.phase is Phase.ROUND else None

    def recalled(self, number: int) -> RecordedRound | None:
        """The round of that number, in play or past, if it is known still and not void."""
        if self.in_play is not None and self.in_play.number == number:
            return self.in_play
        return next((each for each in self.past if each.number == number and not each.void), None)

    @property
    def empty(self) -> bool:
        """Whether no card is left to be dealt, in the shoe or kept."""
        return self.shoe.left <= 0 and not self.kept

    @property
    def closes(self) -> bool:
        """Whether the shoe is over and can be added up."""
        return self.phase is Phase.SHUFFLE and self.shoe.number > 0 and not self.ledger.closed

    @property
    def must_close(self) -> bool:
        """Whether the shoe has to be added up before the next pack."""
        return self.closes and self.setup.reconcile != "off"

    @property
    def hands(self) -> tuple[RecordedHand, ...]:
        """The players' hands on the felt, of the round in play or the last one."""
        return self.round.felt.hands if self.round else ()

    @property
    def blind(self) -> Message | None:
        """Why no card could be read now; None while every card source is up."""
        for name in self.card_sources:
            why = self.devices.get(name, message("device-not-connected-yet", device=name))
            if why is not None:
                return why
        return None

    def hold(self, number: int) -> Hold | None:
        """The open hold of that number."""
        return next((each for each in self.holds if each.number == number), None)

    def held_for(self, reason: Reason) -> bool:
        """Whether a hold for `reason` is open."""
        return any(each.reason is reason for each in self.holds)

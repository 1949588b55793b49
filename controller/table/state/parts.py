"""The parts of a table's state, each with what changes together."""

# These, like the state itself, have no slots: `changed` copies all fields in one move.

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from controller.devices.inputs import SpotChips
from controller.rules.cards import Card
from controller.rules.engine.round import Round
from controller.rules.frozen import frozen
from controller.rules.game import Game
from controller.rules.messages import Message, message
from controller.rules.sealed import Sealed
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Setup
from controller.table.irregularities.holds import Hold, Named, Resolution
from controller.table.recorded.card_pictures import Pictures
from controller.table.recorded.round import RecordedRound
from controller.table.revision import TABLE_REVISION
from controller.table.roles import PersonId
from controller.table.shoe.recount import Recount
from controller.table.shoe.shoe import Shoe
from controller.table.state.answers import Answers
from controller.table.state.phases import Phase

#: How many rounds can be recalled from the state, an unfinished or void one included.
ROUNDS_KEPT: Final = 10
#: How many facts about wrong PINs are remembered for the status page.
WRONG_PINS_KEPT: Final = 20


@frozen
class WrongPinsNoted:
    """Wrong PINs of a person (empty: of a name that nobody has), and the lock-out they led to.

    `locked_s` is 0 where they led to none; `at_ms` is when it went on record.
    """

    person: PersonId
    wrong: int
    locked_s: int
    at_ms: int


@dataclass(frozen=True)
class Terms:
    """Under what the table plays: its setup, the record that holds it, and the game made of it."""

    setup: Setup
    game: Game
    setup_seq: int = 0


@dataclass(frozen=True)
class TablePeople:
    """Who deals, None where nobody said so, and wrong PINs of this gaming day, the newest last."""

    dealer: PersonId | None = None
    wrong_pins: tuple[WrongPinsNoted, ...] = ()


@dataclass(frozen=True)
class TableClock:
    """The number and the times of the last record, and since when the table waits for what it
    waits for now.

    `at_ms` is wall time, `mono_ns` the monotonic time of the service's run, `table_ns` the table's
    own time (`evolve.alarm_lifecycle`). `since_seq` is the last record that changed what there is
    to do (refusals and devices' health do not), `since_ms` its wall time: a command that was
    chosen on an older view is refused.
    """

    seq: int = 0
    at_ms: int = 0
    mono_ns: int = 0
    table_ns: int = 0
    since_seq: int = 0
    since_ms: int = 0


@dataclass(frozen=True)
class ServiceRun:
    """What the running service said of itself when it started, and of its devices since.

    `decisions` is the revision of the table's own decisions that writes the records. `simulated`:
    a device of the simulated world is configured. `alarm_times` are in force since then.
    `print_key` commits to the key of commands' digests. `devices` maps a device to why it is down,
    None while it is up; one that has not reported since the start is not there.
    """

    software: str = ""
    decisions: int = TABLE_REVISION
    card_sources: tuple[str, ...] = ()
    simulated: bool = False
    alarm_times: AlarmTimes = field(default_factory=AlarmTimes)
    print_key: str = ""
    devices: dict[str, Message | None] = field(default_factory=dict)

    @property
    def blind(self) -> Message | None:
        """Why no card could be read now; None while every card source is up."""
        for name in self.card_sources:
            why = self.devices.get(name, message("device-not-connected-yet", device=name))
            if why is not None:
                return why
        return None


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
class Betting:
    """The wagers placed for the next round, those of the last round, by seat, and the button.

    An amount is None where the house enters none. `button` is the seat that dealt the last round
    where the deal passes. `spots` is what lies on the bet spots that have sensors, by seat.
    """

    wagers: dict[int, int | None] = field(default_factory=dict)
    last_wagers: dict[int, int | None] = field(default_factory=dict)
    button: int = 0
    spots: dict[int, SensedSpot] = field(default_factory=dict)


@dataclass(frozen=True)
class PitNote:
    """What the pit sent to the dealer's display; `seq` is its number, the record that holds it.

    A fill that was asked for has an `amount` and no text.
    """

    seq: int
    at_ms: int
    text: str = ""
    amount: int | None = None


@dataclass(frozen=True)
class DirectoryMark:
    """Which directory of people the pit has sent to the table last: its serial, and its digest."""

    serial: int
    digest: str
    good_until_ms: int


@dataclass(frozen=True)
class PitWord:
    """What the pit has said of the table: whether it is closed, and messages that nobody has read,
    the oldest first.

    Its commands are of `asked_ms` or later, by the table's clock; `asked_seq` is the record of the
    newest one, 0 once its key is forgotten. `directory` is its directory of people that is in
    force, None where the table knows its people by itself.
    """

    closed: bool = False
    notes: tuple[PitNote, ...] = ()
    asked_ms: int = 0
    asked_seq: int = 0
    directory: DirectoryMark | None = None


@dataclass(frozen=True)
class Rounds:
    """The round in play or, between rounds, the last one (`latest`), and those before it.

    `latest` is None if that was voided. `past` are the last `ROUNDS_KEPT` that have ended,
    `pictures` those of all their cards. `decided_at` is how many cards had left the shoe when a
    player decided last; -1 if that decision cannot be taken back.

    While a round is in play, `script` is the game's script at the point where it stands, None where
    nobody needs it or this build does not carry the rules; it follows from the rest, and no record
    is applied by it. `turn_ns` is since when the hand in turn has been asked or dealt to without a
    break, by the service's monotonic clock.
    """

    latest: RecordedRound | None = None
    past: tuple[RecordedRound, ...] = ()
    pictures: Pictures = ()
    decided_at: int = -1
    script: Round | None = field(default=None, compare=False)
    turn_ns: int = field(default=0, compare=False)


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
class Aftermath:
    """What irregularities leave behind.

    `kept_cards` are cards that left the shoe in error and are the next to be dealt, sealed unless
    they were seen. `recount` is what is known of cards that left unseen. `resolved` is what was
    chosen last to settle a hold, until anything else happens. `held_until_ns` is when the last hold
    was settled, by the service's monotonic clock; 0 where none was in this run.
    """

    kept_cards: tuple[Card | Sealed, ...] = ()
    recount: Recount = field(default_factory=Recount)
    resolved: Resolved | None = None
    held_until_ns: int = field(default=0, compare=False)

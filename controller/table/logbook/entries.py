"""The entry of a record, and which round it belongs to."""

from __future__ import annotations

from typing import Any, Final

from controller.table import facts as f
from controller.table.facts.round import ENTERED_BY_HAND
from controller.table.growing import changed
from controller.table.irregularities.holds import STAYS_OPEN
from controller.table.logbook.clapper import CLAPPER
from controller.table.logbook.days import DAYS
from controller.table.logbook.holds_and_alarms import HOLDS_AND_ALARMS
from controller.table.logbook.money import MONEY
from controller.table.logbook.pit import PIT
from controller.table.logbook.play import PLAY, Say
from controller.table.logbook.seats import SEATS
from controller.table.logbook.shoe import SHOE
from controller.table.logbook.windows import WINDOWS
from controller.table.recorded.log_entry import LogEntry, with_entry
from controller.table.recorded.round import RecordedRound
from controller.table.state.parts import Rounds
from controller.table.state.state import State

SAYS: Final[dict[type[f.Fact], Say]] = {
    **PLAY, **SHOE, **HOLDS_AND_ALARMS, **DAYS, **PIT, **MONEY, **WINDOWS, **SEATS, **CLAPPER,
}  # fmt: skip
"""What each kind of fact says; one for each."""

#: What stands beside the steps of a round in its log; cards are in it where people entered them.
_IN_ROUNDS: Final = frozenset(
    {
        f.HoldRaised, f.HoldReleased, f.CardLeftUnread, f.FeltCounted, f.ResolutionChosen,
        f.ResolutionUndone, f.CardNamed, f.AlarmEscalated, f.AlarmAcknowledged,
        f.AlarmAnswered,
        f.Refused, f.DeviceDown, f.DeviceUp, f.ServiceStarted, f.RoundVoided, f.SettledRoundVoided,
        f.RoundCorrected, f.ShoeRejected, f.DiscardsReturned, f.CardKept, f.KeptCardUsed,
        f.CardBurned, f.CutCardSeen, f.ChipsChanged, f.CardDealt, f.CardDealtDown, f.CardTurned,
        f.PitAsked, f.NoteSent, f.FillAnnounced, f.NoteRead,
        f.SlipSigned, f.ChipsBought, f.SlipVoided, f.DropBoxChanged, f.SoftCounted,
        f.WindowExpired, f.PlayerAway, f.PlayerBack,
    }
)  # fmt: skip


def entry(state: State, record: f.Record) -> LogEntry:
    """What `record` says; `state` is the table before it, after it for the first of a day."""
    made = SAYS[type(record.fact)](state, record, record.fact)
    return made if made.round else made._replace(round=_round_of(state, made))


def _round_of(state: State, made: LogEntry) -> int:
    """The round of an entry: that of its hold, else the one in play; 0 between rounds."""
    if state.in_play is not None:
        return state.in_play.number
    if made.hold:
        for past in reversed(state.rounds.past):
            if any(each.hold == made.hold for each in past.log):
                return past.number
    return 0


def log_in_round(state: State, record: f.Record, changes: dict[str, Any]) -> None:
    """Add to `changes` that a record stands in the log of its round, if it has to."""
    kind = type(record.fact)
    if kind not in _IN_ROUNDS or (kind in _CARDS and not _by_hand(state, record.fact)):
        return
    if isinstance(record.fact, f.ResolutionChosen):
        hold = state.hold(record.fact.number)
        if hold is not None and hold.reason not in STAYS_OPEN:
            return  # its release says the same
    made = entry(state, record)
    if not made.round:
        return
    rounds: Rounds = changes.get("rounds", state.rounds)
    there: dict[str, Any] = {}
    if rounds.latest is not None and rounds.latest.number == made.round:
        there["latest"] = _logged(rounds.latest, made)
    if any(each.number == made.round for each in rounds.past):
        there["past"] = tuple(
            _logged(each, made) if each.number == made.round else each for each in rounds.past
        )
    if there:
        changes["rounds"] = changed(rounds, there)


def _logged(played: RecordedRound, made: LogEntry) -> RecordedRound:
    return changed(played, {"log": with_entry(played.log, made)})


_CARDS: Final = (f.CardDealt, f.CardDealtDown, f.CardTurned)


def _by_hand(state: State, fact: f.Fact) -> bool:
    """Whether a card is one that people entered."""
    if isinstance(fact, f.CardDealt | f.CardDealtDown):
        return fact.source == ENTERED_BY_HAND
    return state.commands.named is not None

"""`evolve`: from a state and a record to the next state. The only way a table changes.

Facts are not judged here, by no rule: they happened (`judge` asks whether they follow). Only what
has no place in the record, a number left out or a card on a hand that is not there, is a defect of
ours or a record that is not ours, and raises `Impossible`.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from controller.rules.engine.round import Round
from controller.table import facts as f
from controller.table.evolve.alarm_lifecycle import NS_PER_MS, alarms_after, clock_after
from controller.table.evolve.bet_spots import SPOT_EVOLVERS, spots_after
from controller.table.evolve.day import DAY_EVOLVERS, taken_over
from controller.table.evolve.money import MONEY_EVOLVERS, PAYS, money_after
from controller.table.evolve.pit import PIT_EVOLVERS
from controller.table.evolve.recount import RECOUNT_EVOLVERS, released, resolution_chosen
from controller.table.evolve.round import ROUND_EVOLVERS
from controller.table.evolve.run import RUN_EVOLVERS
from controller.table.evolve.seats import SEAT_EVOLVERS, seats_after_round
from controller.table.evolve.setup import SETUP_EVOLVERS, new_table
from controller.table.evolve.shoe import SHOE_EVOLVERS, Changes, change_in, cut_card_after
from controller.table.evolve.windows import window_after
from controller.table.growing import changed
from controller.table.inputs import key_of, print_of
from controller.table.irregularities.holds import STAYS_OPEN, Hold, Named, Reason, Resolution
from controller.table.logbook.entries import log_in_round
from controller.table.shoe.ledger import ForeignCard
from controller.table.state.answers import Answered, Answers
from controller.table.state.phases import Impossible, Phase, next_phase
from controller.table.state.state import State


def evolve(
    state: State | None,
    record: f.Record,
    script: Round | None = None,
    *,
    turn_goes_on: bool = False,
) -> State:
    """The state after `record`.

    `script` is the round in play after it, where the caller has run it; `turn_goes_on`: by it the
    hand in turn is in turn still. Raises `Impossible` for a record that cannot stand here, and
    `UnknownGame` for a setup of a game that this build does not have.
    """
    fact = record.fact
    state = _before(state, record)
    kind = type(fact)
    if kind is f.ResolutionChosen:
        changes = resolution_chosen(state, fact, record.cause)  # type: ignore[arg-type]
    else:
        changes = _EVOLVERS[kind](state, fact, record.at_ms)
    if "rounds" in changes and changes["rounds"].latest is not state.rounds.latest:
        in_play = changes.get("phase", state.phase) is Phase.ROUND
        live: Changes = {"script": script if in_play else None}
        if not turn_goes_on:
            live["turn_ns"] = record.mono_ns
        changes["rounds"] = changed(changes["rounds"], live)
    elif "holds" in changes:
        change_in(changes, state, "rounds", {"turn_ns": record.mono_ns})
    # Each looks at what those before it changed: alarms and windows at the new clock, and the log
    # of the round, the last one, at all of it.
    if state.holds and "holds" in changes and not changes["holds"]:
        change_in(changes, state, "aftermath", {"held_until_ns": record.mono_ns})
    if state.betting.spots:
        spots_after(state, record, changes)
    if state.remote.players and kind in (f.RoundEnded, f.RoundVoided):
        seats_after_round(state, changes)
    if kind in PAYS:
        money_after(state, fact, changes)
    if "shoe" in changes:
        cut_card_after(state, changes, record.at_ms)
    clock = {
        "seq": record.seq, "at_ms": record.at_ms, "mono_ns": record.mono_ns,
        "table_ns": clock_after(state, record),
    }  # fmt: skip
    noticed = kind not in _UNNOTICED
    if noticed and kind not in _OPEN_STILL:
        clock["since_seq"], clock["since_ms"] = record.seq, record.at_ms
        resolved = state.aftermath.resolved
        if kind is not f.ResolutionChosen and resolved and record.cause != resolved.cause:
            change_in(changes, state, "aftermath", {"resolved": None})
    changes["clock"] = changed(state.clock, clock)
    alarms_after(state, record, changes)
    if isinstance(fact, f.ClapperBegan):
        due_ns = changes["clock"].table_ns + fact.length_ms * NS_PER_MS
        change_in(changes, state, "remote", {"clapper_due_ns": due_ns})
    if state.setup.windows is not None:
        window_after(state, record, changes)
    commands = _commands_after(state, record, noticed=noticed)
    if commands:
        change_in(changes, state, "commands", commands)
    log_in_round(state, record, changes)
    return changed(state, changes)


def _before(state: State | None, record: f.Record) -> State:
    """The state that `record` changes: a new table's, a new day's, or the one before it."""
    fact = record.fact
    if state is None:
        if isinstance(fact, f.TableOpened):
            state = new_table(fact)
        elif not isinstance(fact, f.DayOpened) or fact.carried is None:
            raise Impossible("the first record of a table is TableOpened")
    if state is not None and record.seq != state.seq + 1:
        raise Impossible(f"record {record.seq} does not follow record {state.seq}")
    if isinstance(fact, f.DayOpened) and fact.carried is not None:
        # A day begins as it was written down, whether it is read alone or after the one before.
        state = taken_over(fact.carried, record)
    assert state is not None
    return state


def _commands_after(state: State, record: f.Record, *, noticed: bool) -> Changes:
    """What a record changes of the commands: the refusal shown, a card half named, the answers."""
    kind = type(record.fact)
    commands: Changes = {}
    if state.commands.refusal is not None and (noticed or kind in (f.DeviceUp, f.DeviceDown)):
        # It ends with its cause, which may have been that very device.
        commands["refusal"] = None
    if noticed and state.commands.named is not None and kind is not f.CardNamed:
        # What was said before anything else happened is not confirmed by what is said after.
        commands["named"] = None
    if key := key_of(record.cause):
        # Of an input's records each takes the place of the one before: the last is the answer.
        commands["answered"] = _remembered(state, record, key)
        if kind is f.Refused:
            # Whoever sent it has the answer: other displays do not show it.
            commands["refusal"] = state.commands.refusal
    return commands


def _remembered(state: State, record: f.Record, key: str) -> Answers:
    refused = record.fact.why if isinstance(record.fact, f.Refused) else None
    answer = Answered(print_of(record.cause), record.seq, refused)
    return state.commands.answered.with_one(key, answer)


def _wager_placed(state: State, fact: f.WagerPlaced, at_ms: int) -> Changes:
    wagers = {**state.betting.wagers, fact.seat: fact.amount}
    return {
        "betting": changed(state.betting, {"wagers": wagers}),
        "phase": next_phase(state.phase, f.WagerPlaced, state.shoe),
    }


def _wager_removed(state: State, fact: f.WagerRemoved, at_ms: int) -> Changes:
    left = {seat: each for seat, each in state.betting.wagers.items() if seat != fact.seat}
    return {
        "betting": changed(state.betting, {"wagers": left}),
        "phase": next_phase(state.phase, f.WagerRemoved, state.shoe),
    }


def _hold_raised(state: State, fact: f.HoldRaised, at_ms: int) -> Changes:
    hold = Hold(fact.number, fact.reason, fact.message, at_ms, fact.card, fact.source, fact.round,
        fact.evidence, fact.open, fact.order or fact.number,
    )  # fmt: skip
    counts = changed(state.counts, {"holds": fact.number})
    in_order = sorted((*state.holds, hold), key=attrgetter("order"))
    changes: Changes = {"holds": tuple(in_order), "counts": counts}
    if fact.reason is Reason.FOREIGN:
        in_play = state.in_play
        number = in_play.number if in_play else 0
        foreign = ForeignCard(state.shoe.number, number, at_ms, fact.message)
        changes["ledger"] = state.ledger.with_foreign(foreign)
        if in_play:
            cards = (*in_play.foreign_cards, foreign)
            latest = changed(in_play, {"foreign_cards": cards})
            changes["rounds"] = changed(state.rounds, {"latest": latest})
    return changes


def _card_named(state: State, fact: f.CardNamed, at_ms: int) -> Changes:
    if fact.hold and state.hold(fact.hold) is None:
        raise Impossible(f"no card can be entered at hold {fact.hold}")
    return {"commands": changed(state.commands, {"named": Named(fact.hold, fact.card)})}


def _hold_released(state: State, fact: f.HoldReleased, at_ms: int) -> Changes:
    changes: Changes = {"holds": tuple(each for each in state.holds if each.number != fact.number)}
    hold = state.hold(fact.number)
    if hold is None:
        raise Impossible(f"hold {fact.number} is not open")
    if hold.reason in STAYS_OPEN:
        changes |= released(state, hold, fact.resolution)
    if hold.reason is Reason.SHOE_OFF:
        again = fact.resolution is Resolution.COUNT_AGAIN
        changes["ledger"] = state.ledger.again() if again else state.ledger.out_of_play()
    elif hold.reason is Reason.PACK_SIZE:
        changes["ledger"] = state.ledger.not_taken()
    elif hold.card is not None and fact.resolution is Resolution.REPLACED:
        changes["ledger"] = state.ledger.put_in(hold.card.open_serial())
    return changes


def _alarm(state: State, fact: f.Fact, at_ms: int) -> Changes:
    return {}  # `alarm_lifecycle` alone says what it changes


def _window(state: State, fact: f.Fact, at_ms: int) -> Changes:
    return {}  # `windows` alone says what it changes


def _clapper_began(state: State, fact: f.ClapperBegan, at_ms: int) -> Changes:
    return {}  # when it is over follows from the table's own time


def _clapper_ended(state: State, fact: f.ClapperEnded, at_ms: int) -> Changes:
    return {"remote": changed(state.remote, {"clapper_due_ns": None})}


def _refused(state: State, fact: f.Refused, at_ms: int) -> Changes:
    return {"commands": changed(state.commands, {"refusal": fact.why})}


#: Facts of which `window_after` alone says what they change.
_OF_WINDOWS: Final = (
    f.WindowOpened, f.LastCalled, f.WindowStopped, f.WindowResumed, f.WindowExpired
)  # fmt: skip

#: Facts that do not change what the table waits for, and those that leave its question open.
_UNNOTICED: Final[frozenset[type]] = frozenset(
    {
        f.Refused,
        f.DeviceUp,
        f.DeviceDown,
        f.WrongPins,
        f.ServiceStarted,
        f.AlarmTimesSet,
        f.AlarmEscalated,
        f.DayOpened,
        f.DayClosed,
        f.DayRescheduled,
        f.ClockDoubted,
        f.DayOverdue,
        f.DayRemoved,
        f.ChipsChanged,
        f.PitAsked,
        f.DirectoryInstalled,
        f.NoteSent,
        f.FillAnnounced,
        f.NoteRead,
        f.ClapperBegan,
        f.ClapperEnded,
        *_OF_WINDOWS,
        *SEAT_EVOLVERS,
        *MONEY_EVOLVERS,
    }
)
_OPEN_STILL: Final = frozenset(
    {
        f.WagerPlaced,
        f.WagerRemoved,
        f.CardNamed,
        f.CutCardSeen,
        f.AlarmAcknowledged,
        f.AlarmAnswered,
    }
)

_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    **SHOE_EVOLVERS,
    **DAY_EVOLVERS,
    **ROUND_EVOLVERS,
    **SETUP_EVOLVERS,
    **RECOUNT_EVOLVERS,
    **SPOT_EVOLVERS,
    **PIT_EVOLVERS,
    **MONEY_EVOLVERS,
    **SEAT_EVOLVERS,
    **RUN_EVOLVERS,
    f.WagerPlaced: _wager_placed,
    f.WagerRemoved: _wager_removed,
    f.HoldRaised: _hold_raised,
    f.CardNamed: _card_named,
    f.HoldReleased: _hold_released,
    **dict.fromkeys(_OF_WINDOWS, _window),
    f.ClapperBegan: _clapper_began,
    f.ClapperEnded: _clapper_ended,
    f.AlarmEscalated: _alarm,
    f.AlarmAcknowledged: _alarm,
    f.AlarmAnswered: _alarm,
    f.Refused: _refused,
}

"""`evolve`: from a state and a record to the next state. The only way a table changes.

Facts are not judged here; they happened. What cannot have happened is a defect of ours or a
record that is not ours, and raises: `Impossible`, or `Misfit` from the round engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from controller.rules.felt import DEALER_SEAT, Action, Bid
from controller.rules.games.registry import game
from controller.rules.round import Round
from controller.rules.sealed import Sealed
from controller.rules.steps import DECLINED, DONE, AddWager, Answer, Peeked, Reveal, Settle
from controller.table import facts as f
from controller.table.card_pictures import Pictured, kept, turned
from controller.table.evolve.alarm_lifecycle import alarms_after, clock_after
from controller.table.evolve.correction import corrected, given_back
from controller.table.evolve.day import DAY_EVOLVERS, taken_over
from controller.table.evolve.shoe import SHOE_EVOLVERS, Changes, cut_card_after
from controller.table.growing import changed
from controller.table.inputs import key_of
from controller.table.irregularities.holds import Hold, Named, Reason, Resolution
from controller.table.irregularities.procedures import ProcedureError, procedures
from controller.table.phases import Impossible, Phase, next_phase
from controller.table.settlement import in_order_of_play, settlement
from controller.table.shoe.ledger import ForeignCard, PlayedRound, Staked
from controller.table.shoe.shoe import Shoe
from controller.table.state import ANSWERS_KEPT, ROUNDS_KEPT, Answered, PastRound, State


def evolve(state: State | None, record: f.Record) -> State:
    """The state after `record`.

    Raises `Impossible` or `Misfit` for a record that does not follow from the ones before it.
    """
    fact = record.fact
    if state is None:
        if isinstance(fact, f.TableOpened):
            state = _opened(fact)
        elif not isinstance(fact, f.DayOpened) or fact.carried is None:
            raise Impossible("the first record of a table is TableOpened")
    if state is not None and record.seq != state.seq + 1:
        raise Impossible(f"record {record.seq} does not follow record {state.seq}")
    if isinstance(fact, f.DayOpened) and fact.carried is not None:
        # A day begins as it was written down, whether it is read alone or after the one before.
        state = taken_over(fact.carried, record)
    assert state is not None
    kind = type(fact)
    changes = _EVOLVERS[kind](state, fact, record.at_ms)
    if "shoe" in changes:
        cut_card_after(state, changes, record.at_ms)
    changes["seq"] = record.seq
    changes["at_ms"] = record.at_ms
    changes["clock_ns"] = clock_after(state, record)
    changes["mono_ns"] = record.mono_ns
    alarms_after(state, record, changes)
    if kind not in _UNNOTICED:
        if kind not in _OPEN_STILL:
            changes["moved"] = record.seq
            changes["since_ms"] = record.at_ms
        if state.refusal is not None:
            changes["refusal"] = None
        if state.named is not None:
            # What was said before anything else happened is not confirmed by what is said after.
            changes.setdefault("named", None)
    if key := key_of(record.cause):
        changes["answered"] = _remembered(state, record, key)
    return changed(state, changes)


def _remembered(state: State, record: f.Record, key: str) -> dict[str, Answered]:
    answered = dict(state.answered)
    refused = record.fact.why if isinstance(record.fact, f.Refused) else None
    answered.pop(key, None)
    answered[key] = Answered(record.cause, record.seq, refused)
    if len(answered) > ANSWERS_KEPT:
        del answered[next(iter(answered))]
    return answered


def _opened(fact: f.TableOpened) -> State:
    plays = game(fact.setup.game).with_options(dict(fact.setup.options))
    try:
        procedures(fact.setup.procedures, fact.setup.own_procedures)
    except ProcedureError as error:
        raise Impossible(str(error)) from error
    shoe = Shoe(plays.pack, plays.options.cut_after)
    return State(setup=fact.setup, game=plays, shoe=shoe)


def _table_opened(state: State, fact: f.TableOpened, at_ms: int) -> Changes:
    """A new setup: the same shoe if the pack is the same, a new one otherwise."""
    if state.phase is Phase.ROUND:
        raise Impossible("a table's setup cannot change in mid-round")
    opened = _opened(fact)
    changes: Changes = {
        "setup": fact.setup, "setup_seq": state.seq + 1, "game": opened.game,
    }  # fmt: skip
    if opened.game.pack == state.game.pack:
        cut = opened.options.cut_after
        changes["shoe"] = replace(state.shoe, penetration_cards=cut)
        if state.phase is Phase.BETTING and changes["shoe"].due:
            changes["phase"] = Phase.SHUFFLE
    else:
        changes["shoe"] = replace(opened.shoe, number=state.shoe.number)
        changes["phase"] = Phase.SHUFFLE
        changes["ledger"] = state.ledger.out_of_play()
    return {**changes, "wagers": {}, "last_wagers": {}, "button": 0}


def _service_started(state: State, fact: f.ServiceStarted, at_ms: int) -> Changes:
    return {
        "software": fact.software,
        "card_sources": fact.card_sources,
        "simulated": fact.simulated,
        "alarm_times": fact.alarms,
        "devices": {},
        "named": None,
    }


def _device_up(state: State, fact: f.DeviceUp, at_ms: int) -> Changes:
    return {"devices": {**state.devices, fact.device: None}}


def _device_down(state: State, fact: f.DeviceDown, at_ms: int) -> Changes:
    return {"devices": {**state.devices, fact.device: fact.why}}


def _wager_placed(state: State, fact: f.WagerPlaced, at_ms: int) -> Changes:
    phase = next_phase(state.phase, f.WagerPlaced, state.shoe)
    return {"wagers": {**state.wagers, fact.seat: fact.amount}, "phase": phase}


def _wager_removed(state: State, fact: f.WagerRemoved, at_ms: int) -> Changes:
    left = {seat: each for seat, each in state.wagers.items() if seat != fact.seat}
    return {"wagers": left, "phase": next_phase(state.phase, f.WagerRemoved, state.shoe)}


def _bets_closed(state: State, fact: f.BetsClosed, at_ms: int) -> Changes:
    if (fact.wagers, fact.setup) != (in_order_of_play(state), state.setup_seq):
        raise Impossible("a round begins with other wagers or options than there are")
    return {
        "phase": next_phase(state.phase, f.BetsClosed, state.shoe),
        "round": Round(fact.number, state.game, fact.wagers),
        "times_ms": (),
        "started_ms": at_ms,
        "last_wagers": dict(fact.wagers),
        "wagers": {},
    }


def _answered(state: State, answer: Answer, seat: int, hand: int, at_ms: int) -> Changes:
    """The round goes on by one answer, which the script must have asked of this very hand."""
    played = state.round
    if played is None or state.phase is not Phase.ROUND:
        raise Impossible("no round is in play")
    step = played.step
    if step is None or step.hand.place != (seat, hand):
        raise Impossible(f"hand {hand} of seat {seat} is not the one in turn")
    return {"round": played.feed(answer), "times_ms": (*state.times_ms, at_ms)}


def _card_dealt(state: State, fact: f.CardDealt, at_ms: int) -> Changes:
    changes = _answered(state, fact.card, fact.seat, fact.hand, at_ms)
    changes["shoe"] = state.shoe.without(Sealed(fact.card, fact.serial))
    seen = Pictured(_number(state), fact.seat, fact.hand, fact.evidence)
    return {**changes, "pictures": (*state.pictures, seen)}


def _number(state: State) -> int:
    """The number of the round in play."""
    return state.round.number if state.round else 0


def _card_dealt_down(state: State, fact: f.CardDealtDown, at_ms: int) -> Changes:
    changes = _answered(state, fact.card, fact.seat, fact.hand, at_ms)
    changes["shoe"] = state.shoe.without(fact.card, hidden=True)
    place = (_number(state), fact.seat, fact.hand)
    unseen = Pictured(*place, fact.evidence, shown=False, seal=fact.card.digest)
    return {**changes, "pictures": (*state.pictures, unseen)}


def _card_turned(state: State, fact: f.CardTurned, at_ms: int) -> Changes:
    step = state.step
    if not isinstance(step, Reveal):
        raise Impossible("no card that lies face down is to be turned")
    sealed = step.card  # it is turned by the answer below
    shoe = state.shoe.turned(fact.card, sealed)
    changes = _answered(state, fact.card, fact.seat, fact.hand, at_ms)
    number = _number(state)
    pictures = turned(state.pictures, number, fact.seat, fact.hand, sealed)
    return {**changes, "shoe": shoe, "pictures": pictures}


def _dealer_peeked(state: State, fact: f.DealerPeeked, at_ms: int) -> Changes:
    return _answered(state, Peeked(fact.natural), DEALER_SEAT, 1, at_ms)


def _decided(state: State, fact: f.Decided, at_ms: int) -> Changes:
    move = fact.action if fact.amount is None else Bid(fact.action, fact.amount)
    changes = _answered(state, move, fact.seat, fact.hand, at_ms)
    return {**changes, "decided_at": state.shoe.gone}


def _wager_added(state: State, fact: f.WagerAdded, at_ms: int) -> Changes:
    _same_wager(state, fact.action)
    step = state.step
    if isinstance(step, AddWager) and step.amount != fact.amount:
        raise Impossible(f"seat {fact.seat} added another wager than the rules say")
    return _answered(state, DONE, fact.seat, fact.hand, at_ms)


def _wager_declined(state: State, fact: f.WagerDeclined, at_ms: int) -> Changes:
    _same_wager(state, fact.action)
    return _answered(state, DECLINED, fact.seat, fact.hand, at_ms)


def _same_wager(state: State, action: Action) -> None:
    step = state.step
    if not isinstance(step, AddWager) or step.action is not action:
        raise Impossible(f"no further wager for {action.value} is asked for")


def _hand_settled(state: State, fact: f.HandSettled, at_ms: int) -> Changes:
    step = state.step
    if isinstance(step, Settle) and (fact.outcome, fact.net) != settlement(step):
        raise Impossible(f"seat {fact.seat} was settled otherwise than the rules say")
    return _answered(state, DONE, fact.seat, fact.hand, at_ms)


def _round_ended(state: State, fact: f.RoundEnded, at_ms: int) -> Changes:
    if state.step is not None:
        raise Impossible("the round is not over")
    return _over(state, f.RoundEnded, at_ms, fact.net, void=False)


def _dummy_began(state: State, fact: f.DummyBegan, at_ms: int) -> Changes:
    """A round without bets: those that are placed lie there for the next one."""
    if fact.setup != state.setup_seq or state.game.vying:
        raise Impossible("a round begins with other options than there are")
    return {
        "phase": next_phase(state.phase, f.DummyBegan, state.shoe),
        "round": Round(fact.number, state.game, ((fact.seat, 0),)),
        "times_ms": (),
        "started_ms": at_ms,
    }


def _settled_round_voided(state: State, fact: f.SettledRoundVoided, at_ms: int) -> Changes:
    past = next((each for each in state.past if each.round.number == fact.number), None)
    if past is None or past.void or given_back(past.round) != fact.owed:
        raise Impossible(f"round {fact.number} was voided otherwise than the rules say")
    return {
        "past": tuple(
            replace(each, void=True, net=0) if each is past else each for each in state.past
        ),
        "ledger": state.ledger.voided(fact.number),
    }


def _round_voided(state: State, fact: f.RoundVoided, at_ms: int) -> Changes:
    if state.round is not None and given_back(state.round) != fact.owed:
        raise Impossible(f"round {fact.number} was voided otherwise than the rules say")
    return {**_over(state, f.RoundVoided, at_ms, 0, void=True), "round": None}


def _round_corrected(state: State, fact: f.RoundCorrected, at_ms: int) -> Changes:
    again = corrected(state, fact.number, fact.edits, at_ms)
    if (again.net, tuple(sorted(again.owed.items()))) != (fact.net, fact.owed):
        raise Impossible(f"round {fact.number} was corrected otherwise than the rules say")
    wagers = _staked(again.round)
    changes: Changes = {
        "shoe": again.shoe,
        "kept": (*state.kept, *again.kept),
        "decided_at": -1,
        "ledger": state.ledger.corrected(fact.number, wagers, fact.net),
    }
    if state.round is not None and state.round.number == fact.number:
        changes["round"] = again.round
    if state.phase is Phase.ROUND and "round" in changes:
        changes["times_ms"] = again.times_ms
    changes["past"] = tuple(
        replace(past, round=again.round, times_ms=again.times_ms, net=again.net)
        if past.round.number == fact.number
        else past
        for past in state.past
    )
    return changes


def _over(state: State, fact: type[f.Fact], at_ms: int, net: int, *, void: bool) -> Changes:
    if state.round is None:
        raise Impossible("no round is in play")
    past = PastRound(
        state.round, state.times_ms, state.started_ms, at_ms, state.shoe.number, net, void,
        state.ledger.foreign_in_round(state.round.number),
    )  # fmt: skip
    played = PlayedRound(
        past.round.number, past.shoe, past.started_ms, at_ms, _staked(past.round), net, void
    )
    return {
        "phase": next_phase(state.phase, fact, state.shoe),
        "ledger": state.ledger.with_round(played),
        "past": (*state.past[1 - ROUNDS_KEPT :], past),
        "pictures": kept(
            state.pictures,
            (each.round.number for each in (*state.past[1 - ROUNDS_KEPT :], past)),
        ),
        "rounds_played": state.rounds_played + 1,
        # The deal passes left; a void round is dealt again by the same player.
        "button": state.button if void or past.round.dummy else state.round.wagers[-1][0],
    }


def _staked(played: Round) -> tuple[Staked, ...]:
    return tuple(Staked(*hand.place, hand.wager) for hand in played.felt.hands)


def _hold_raised(state: State, fact: f.HoldRaised, at_ms: int) -> Changes:
    hold = Hold(fact.number, fact.reason, fact.message, at_ms, fact.card, fact.source, fact.round,
        fact.evidence, fact.open,
    )  # fmt: skip
    changes: Changes = {"holds": (*state.holds, hold), "holds_raised": fact.number}
    if fact.reason is Reason.FOREIGN:
        in_play = state.round.number if state.phase is Phase.ROUND and state.round else 0
        foreign = ForeignCard(state.shoe.number, in_play, at_ms, fact.message)
        changes["ledger"] = state.ledger.with_foreign(foreign)
    return changes


def _card_named(state: State, fact: f.CardNamed, at_ms: int) -> Changes:
    turning = not fact.hold and isinstance(state.step, Reveal)
    if not turning and state.hold(fact.hold) is None:
        raise Impossible(f"no card can be entered at hold {fact.hold}")
    return {"named": Named(fact.hold, fact.card)}


def _hold_released(state: State, fact: f.HoldReleased, at_ms: int) -> Changes:
    changes: Changes = {"holds": tuple(each for each in state.holds if each.number != fact.number)}
    hold = state.hold(fact.number)
    if hold is not None and hold.reason is Reason.SHOE_OFF:
        again = fact.resolution is Resolution.COUNT_AGAIN
        changes["ledger"] = state.ledger.again() if again else state.ledger.out_of_play()
    elif hold is not None and hold.reason is Reason.PACK_SIZE:
        changes["ledger"] = state.ledger.not_taken()
    elif hold is not None and hold.card is not None and fact.resolution is Resolution.REPLACED:
        changes["ledger"] = state.ledger.put_in(hold.card.open_serial())
    return changes


def _alarm(state: State, fact: f.Fact, at_ms: int) -> Changes:
    return {}  # what it changes is `troubles`' alone


def _refused(state: State, fact: f.Refused, at_ms: int) -> Changes:
    return {"refusal": fact.why}


#: Facts that do not change what the table waits for, and those that leave its question open.
_UNNOTICED: Final = frozenset(
    {
        f.Refused,
        f.DeviceUp,
        f.DeviceDown,
        f.ServiceStarted,
        f.AlarmEscalated,
        f.DayOpened,
        f.DayClosed,
        f.DayRescheduled,
        f.ClockDoubted,
        f.DayOverdue,
    }
)
_OPEN_STILL: Final = frozenset(
    {
        f.WagerPlaced,
        f.WagerRemoved,
        f.CardNamed,
        f.CutCardSeen,
        f.AlarmSeen,
        f.AlarmAnswered,
    }
)

_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    **SHOE_EVOLVERS,
    **DAY_EVOLVERS,
    f.TableOpened: _table_opened,
    f.ServiceStarted: _service_started,
    f.DeviceUp: _device_up,
    f.DeviceDown: _device_down,
    f.WagerPlaced: _wager_placed,
    f.WagerRemoved: _wager_removed,
    f.BetsClosed: _bets_closed,
    f.CardDealt: _card_dealt,
    f.CardDealtDown: _card_dealt_down,
    f.CardTurned: _card_turned,
    f.DealerPeeked: _dealer_peeked,
    f.WagerAdded: _wager_added,
    f.WagerDeclined: _wager_declined,
    f.Decided: _decided,
    f.HandSettled: _hand_settled,
    f.RoundEnded: _round_ended,
    f.RoundVoided: _round_voided,
    f.SettledRoundVoided: _settled_round_voided,
    f.DummyBegan: _dummy_began,
    f.RoundCorrected: _round_corrected,
    f.HoldRaised: _hold_raised,
    f.CardNamed: _card_named,
    f.HoldReleased: _hold_released,
    f.AlarmEscalated: _alarm,
    f.AlarmSeen: _alarm,
    f.AlarmAnswered: _alarm,
    f.Refused: _refused,
}

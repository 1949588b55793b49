"""Corrections and voided rounds, judged: what the record then says, and what chips are owed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.rules.cards import CardError, card
from controller.rules.engine.correction import DoesNotFit
from controller.rules.messages import Amount, Message, Seat, message
from controller.table import facts as f
from controller.table.decide.consequences.corrected import NotCorrectable, corrected, recalled
from controller.table.decide.draft import Draft
from controller.table.inputs import Correct, EditAsked
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.queries.available import count_agrees, open_resolutions
from controller.table.recorded.round import RecordedRound


def correct(draft: Draft, command: Correct) -> Message | None:
    """Correct a round: all of it still fits the rules, or the first step that does not is named.

    What was called about that round and may be corrected is settled by it.
    """
    if problem := draft.lacks(draft.state.procedures.correction):
        return problem
    reason = command.reason.strip()
    if not reason or not reason.isprintable():
        return message("say-why-record-is-wrong")
    called = [
        each
        for each in draft.state.holds
        if each.round == command.round and Resolution.CORRECT in open_resolutions(draft.state, each)
    ]
    try:
        edits = tuple(_edit(each) for each in command.edits)
    except CardError:
        return message("no-such-card-in-correction")
    if problem := apply(draft, command.round, edits, reason):
        return problem
    for each in called:
        draft.add(f.HoldReleased(each.number, Resolution.CORRECT, draft.stamp.by, reason))
    if count_agrees(draft.state):
        for each in draft.state.holds:
            if each.reason is Reason.RECOUNT:
                draft.add(f.HoldReleased(each.number, Resolution.COUNT, draft.stamp.by, reason))
    return None


def _edit(asked: EditAsked) -> f.Edit:
    kind = None if asked.card is None else card(asked.card)
    return f.Edit(asked.at, asked.do, kind, asked.action, asked.amount)


def apply(draft: Draft, number: int, edits: Sequence[f.Edit], reason: str) -> Message | None:
    """Record how a round really was; a difference in chips stops the table."""
    state = draft.state
    try:
        made, script = corrected(state, number, edits, draft.stamp.at_ms, reason, draft.stamp.by)
        before = recalled(state, number)
    except DoesNotFit as misfit:
        return message("step-no-longer-fits", step=misfit.at + 1, why=misfit.why)
    except NotCorrectable as error:
        return error.why
    if before.ended_ms and script.step is not None:
        return message("round-would-not-be-over", round=number)
    draft.add(made, script if before is state.in_play else None)
    owed = made.owed
    dead = {edit.at for edit in edits if edit.do is EditKind.DEAD}
    back = [each for seat, each in _lying(before) if seat in dead]
    due = (*_payments(owed), *_ended_otherwise(before, draft.state.recalled(number)), *back)
    if due:
        draft.hold(
            Reason.DIFFERENCE, message("round-corrected", round=number, payments=due), about=number
        )
    release_with_round(draft, Resolution.CORRECT)
    return None


def void(draft: Draft, number: int) -> Message | None:
    """Void a round, in play or settled: every bet goes back, every payment is undone."""
    state = draft.state
    try:
        past = recalled(state, number)
    except NotCorrectable as error:
        return error.why
    owed = past.given_back()
    if past is state.in_play:
        draft.add(f.RoundVoided(number, owed, draft.stamp.by, draft.reason))
        also = [each for _, each in _lying(past)]
    else:
        draft.add(f.SettledRoundVoided(number, owed, past.day, draft.stamp.by, draft.reason))
        also = _untracked(past)
    due = (*_payments(owed), *also)
    if due:
        draft.hold(
            Reason.DIFFERENCE, message("round-is-void", round=number, payments=due), about=number
        )
    release_with_round(draft, Resolution.VOID)
    return None


#: Holds about how the round in play goes on: nothing settles them once it is over.
_OF_ROUND_IN_PLAY: Final = (Reason.OUT_OF_CARDS, Reason.REVISION)


def release_with_round(draft: Draft, resolution: Resolution) -> None:
    """Release what only the round in play was held for, where that is over by `resolution`."""
    if draft.state.in_play is None:
        for each in draft.state.holds:
            if each.reason in _OF_ROUND_IN_PLAY:
                draft.release(each, resolution)


def _lying(played: RecordedRound) -> list[tuple[int, Message]]:
    """The bets that still lie on the felt, with their seats, as they are given back."""
    found = []
    for hand in played.felt.hands:
        if not hand.settled and hand.wager != 0:
            seat = hand.place.seat
            back = message("give-back-bet", who=Seat(seat))
            if hand.wager is not None:
                back = message("give-back", who=Seat(seat), amount=Amount(hand.wager))
            found.append((seat, back))
    return found


def _ended_otherwise(before: RecordedRound, after: RecordedRound | None) -> list[Message]:
    """The settled bets, of amounts that only people know, that end otherwise by a correction."""
    found = []
    for hand in after.felt.hands if after else ():
        was = before.felt.at(*hand.place)
        if was is None or not (hand.settled and was.settled):
            continue
        if None in (hand.wager, was.wager) and was.result != hand.result:
            found.append(message("settle-anew-untracked", who=Seat(hand.place.seat)))
    return found


def _untracked(played: RecordedRound) -> list[Message]:
    """The settled bets whose amounts only people know."""
    seats = dict.fromkeys(each.place.seat for each in played.felt.hands if each.wager is None)
    return [message("undo-untracked", who=Seat(seat)) for seat in seats]


def _payments(owed: Sequence[tuple[int, int]]) -> list[Message]:
    """Who is to be paid what, and who gives back, after a correction or a void."""
    return [
        message("pay", who=Seat(seat), amount=Amount(amount))
        if amount > 0
        else message("collect", who=Seat(seat), amount=Amount(-amount))
        for seat, amount in owed
    ]

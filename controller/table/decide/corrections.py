"""Corrections and voided rounds, judged: what the record then says, and what chips are owed."""

from __future__ import annotations

from collections.abc import Sequence

from controller.rules.cards import CardError, card
from controller.rules.correction import DoesNotFit
from controller.rules.money import amount_text
from controller.rules.round import Round
from controller.table import facts as f
from controller.table.decide.draft import Draft
from controller.table.evolve.correction import NotCorrectable, corrected, given_back, recalled
from controller.table.inputs import Correct, EditAsked
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.phases import Phase
from controller.table.queries import open_resolutions


def correct(draft: Draft, given: Correct) -> str | None:
    """A round is corrected: all of it still holds, or the first fact that does not is named.

    What was called about that round and may be corrected is settled by it.
    """
    if problem := draft.lacks(draft.state.procedures.correction):
        return problem
    reason = given.reason.strip()
    if not reason or not reason.isprintable():
        return "Say in a few words why the record is wrong"
    called = [
        each
        for each in draft.state.holds
        if each.round == given.round and Resolution.CORRECT in open_resolutions(draft.state, each)
    ]
    try:
        edits = tuple(_edit(each) for each in given.edits)
    except CardError as error:
        return str(error)
    if problem := apply(draft, given.round, edits, reason):
        return problem
    for each in called:
        draft.add(f.HoldReleased(each.number, Resolution.CORRECT, draft.names(), reason))
    return None


def _edit(asked: EditAsked) -> f.Edit:
    kind = None if asked.card is None else card(asked.card)
    return f.Edit(asked.at, asked.do, kind, asked.action, asked.amount)


def apply(draft: Draft, number: int, edits: Sequence[f.Edit], reason: str) -> str | None:
    """Write down that a round was otherwise; a difference in chips stops the table."""
    state = draft.state
    try:
        again = corrected(state, number, edits, draft.stamp.at_ms)
        before = recalled(state, number).round
    except DoesNotFit as misfit:
        return f"Then step {misfit.at + 1} no longer fits: {misfit}"
    except NotCorrectable as error:
        return str(error)
    owed = tuple(sorted(again.owed.items()))
    draft.add(f.RoundCorrected(number, tuple(edits), reason, again.net, owed, draft.names()))
    word = state.game.words.seat
    dead = {edit.at for edit in edits if edit.do is EditKind.DEAD}
    back = [bet for bet in _lying(before, word) if bet[0] in dead]
    if owed or back:
        told = [text for _, text in back]
        draft.hold(Reason.DIFFERENCE, difference_text(number, owed, word, told))
    return None


def void(draft: Draft, number: int) -> str | None:
    """A round is void, in play or settled: every bet goes back, every payment is undone."""
    state = draft.state
    try:
        past = recalled(state, number)
    except NotCorrectable as error:
        return str(error)
    owed = given_back(past.round)
    word = state.game.words.seat
    in_play = state.phase is Phase.ROUND and state.round is not None
    if in_play and state.round is not None and state.round.number == number:
        draft.add(f.RoundVoided(number, owed))
        told = [text for _, text in _lying(past.round, word)]
    else:
        draft.add(f.SettledRoundVoided(number, owed))
        told = _untracked(past.round, word)
    if owed:
        draft.hold(Reason.DIFFERENCE, difference_text(number, owed, word, told, void=True))
    return None


def _lying(played: Round, seat_word: str) -> list[tuple[int, str]]:
    """The bets that still lie on the felt, with their seats, as they are given back."""
    found = []
    for hand in played.felt.hands:
        if not hand.settled:
            amount = "its bet" if hand.wager is None else amount_text(hand.wager)
            found.append((hand.place.seat, f"give {seat_word} {hand.place.seat} back {amount}"))
    return found


def _untracked(played: Round, seat_word: str) -> list[str]:
    """The settled bets whose amounts only people know."""
    seats = dict.fromkeys(each.place.seat for each in played.felt.hands if each.wager is None)
    return [f"undo {seat_word} {seat}, not tracked" for seat in seats]


def difference_text(
    number: int,
    owed: Sequence[tuple[int, int]],
    seat_word: str,
    also: Sequence[str] = (),
    *,
    void: bool = False,
) -> str:
    """Who is to be paid what, and who gives back, after a correction or a void."""
    told = [
        f"{'pay' if amount > 0 else 'collect'} {seat_word} {seat} {amount_text(abs(amount))}"
        for seat, amount in owed
    ]
    is_void = " is void" if void else ""
    return f"Round {number}{is_void}: {', '.join((*told, *also))}."

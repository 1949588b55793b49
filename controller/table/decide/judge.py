"""Whether a record follows from those before it by the rules that were in force: for auditors.

`evolve` applies what is on record; this asks. Pure: the state before a record and the record give
what does not follow, if anything. Rules that this build does not carry are not judged, and said;
nor is what the table decided in another revision: a newer procedure accuses no older record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from controller.rules.engine.correction import DoesNotFit
from controller.rules.engine.round import Round
from controller.rules.messages import Message, message
from controller.rules.script.steps import Misfit
from controller.table import facts as f
from controller.table.decide.bets import in_order_of_play
from controller.table.decide.consequences.corrected import NotCorrectable, corrected
from controller.table.decide.consequences.round_in_play import (
    begun,
    carried,
    consequence,
    recorded_options,
    whole_round,
)
from controller.table.inputs.money import less
from controller.table.recorded.round import net_of
from controller.table.recorded.steps import RecordedStep
from controller.table.revision import TABLE_REVISION
from controller.table.roles import Needs, lacking
from controller.table.state.state import State


class NotCarried(NamedTuple):
    """A revision of rules (`finnish-27/1`) that only another build can judge: `build`."""

    rules: str
    build: str


class Judged(NamedTuple):
    """What does not follow, None if all does; and the script after the record.

    `not_carried`: by what rules it would have to be judged.
    """

    wrong: Message | None = None
    script: Round | None = None
    not_carried: NotCarried | None = None


def judge(state: State | None, record: f.Record) -> Judged:
    """Whether `record` follows after `state`, whose script this gave with the record before."""
    if state is None:
        return Judged()
    fact = record.fact
    if isinstance(fact, f.RoundFact):
        return _round_fact(state, fact, record.at_ms)
    if (of_rounds := _OF_ROUNDS.get(type(fact))) is not None:
        return of_rounds(state, fact, record.at_ms)
    if (of_table := _OF_THE_TABLE.get(type(fact))) is not None:
        if other := other_decisions(state):
            return Judged(None, state.rounds.script, other)
        return Judged(of_table(state, fact), state.rounds.script)
    return Judged(None, state.rounds.script)


def other_decisions(state: State) -> NotCarried | None:
    """The table's decisions of `state`, where they are another revision's than this build's."""
    if state.run.decisions == TABLE_REVISION:
        return None
    return NotCarried(f"table/{state.run.decisions}", state.run.software)


# -- rounds: by the rules of their game, and what the table decided about them --


def _begun(state: State, fact: f.BetsClosed | f.DummyBegan, at_ms: int) -> Judged:
    game = carried(fact.game, fact.revision, fact.options)
    if game is None:
        rules = f"{fact.game}/{fact.revision}"
        return Judged(not_carried=NotCarried(rules, state.run.software))
    dummy = fact.seat if isinstance(fact, f.DummyBegan) else 0
    if other := other_decisions(state):
        # By the game: with these wagers it begins so. Which ones they are the table decided.
        wagers = fact.wagers if isinstance(fact, f.BetsClosed) else ((dummy, 0),)
        expected, script = begun(game, fact.number, wagers, fact.setup, dummy)
        wrong = None if expected == fact else message("verify-round-begins-otherwise")
        return Judged(wrong, script, other)
    wagers = ((dummy, 0),) if dummy else in_order_of_play(state)
    expected, script = begun(game, state.counts.rounds + 1, wagers, state.terms.setup_seq, dummy)
    in_force = (state.game.name, recorded_options(state.game))
    if expected != fact or (fact.game, fact.options) != in_force or (dummy and game.vying):
        return Judged(message("verify-round-begins-otherwise"), script)
    return Judged(None, script)


def _round_fact(state: State, fact: f.RoundFact, at_ms: int) -> Judged:
    if state.rounds.script is None or state.in_play is None:
        return Judged()  # said when the round began
    try:
        expected, script = consequence(state.rounds.script, state.in_play, fact, at_ms)
    except Misfit as misfit:
        return Judged(misfit.why)
    if expected != fact:
        kind = type(fact).__name__
        return Judged(message("verify-rules-say-otherwise", kind=kind), script)
    return Judged(None, script)


def _round_ended(state: State, fact: f.RoundEnded, at_ms: int) -> Judged:
    if state.rounds.script is not None and state.step is not None:
        return Judged(message("verify-round-not-over"))
    if other := other_decisions(state):
        return Judged(not_carried=other)
    if state.in_play is not None and fact.net != net_of(state.in_play.felt):
        return Judged(message("verify-another-net", round=fact.number))
    return Judged()


def _corrected(state: State, fact: f.RoundCorrected, at_ms: int) -> Judged:
    if other := other_decisions(state):
        return _corrected_by_others(state, fact, other)
    recorded = state.recalled(fact.number)
    if recorded is None:
        return Judged(message("verify-no-such-round", round=fact.number))
    if carried(recorded.game, recorded.revision, recorded.options) is None:
        return Judged(None, state.rounds.script)  # said when the round began
    try:
        expected, script = corrected(state, fact.number, fact.edits, at_ms, fact.reason, fact.by)
    except (NotCorrectable, DoesNotFit) as error:
        return Judged(message("verify-not-correctable", round=fact.number, why=error.why))
    after = script if recorded is state.in_play else state.rounds.script
    if _comparable(expected) != _comparable(fact):
        return Judged(message("verify-corrected-otherwise", round=fact.number), after)
    return Judged(None, after)


def _corrected_by_others(state: State, fact: f.RoundCorrected, other: NotCarried) -> Judged:
    """By the game: its rules lead to that round. What edits make of a round, which ones there may
    be, and what becomes of the cards and chips, the table decided.
    """
    recorded = state.recalled(fact.number)
    if recorded is None:
        return Judged(None, state.rounds.script, other)
    game = carried(recorded.game, recorded.revision, recorded.options)
    if game is None:
        return Judged(None, state.rounds.script)  # said when the round began
    answers = ((each.answer, each.at_ms) for each in fact.steps)
    try:
        again = whole_round(fact.number, game, fact.wagers, answers)
    except Misfit as misfit:
        why = message("verify-not-correctable", round=fact.number, why=misfit.why)
        return Judged(why, None, other)
    after = again.script if recorded is state.in_play else state.rounds.script
    same = again.opening == fact.opening and _steps(again.steps) == _steps(fact.steps)
    wrong = None if same else message("verify-corrected-otherwise", round=fact.number)
    return Judged(wrong, after, other)


def _comparable(fact: f.RoundCorrected) -> object:
    """What a correction comes to, hidden cards as their commitments."""
    returned = [seal.digest for seal in fact.shoe.returned]
    shoe = (returned, fact.shoe.gone, sorted(fact.shoe.counts, key=str))
    rest = (fact.number, fact.net, fact.owed, fact.wagers, fact.opening, fact.taken_out)
    return rest, shoe, _steps(fact.steps)


def _steps(steps: tuple[RecordedStep, ...]) -> list[object]:
    return [_step(each) for each in steps]


def _step(step: RecordedStep) -> object:
    return step._replace(sealed=None), step.sealed.digest if step.sealed else None


_OF_ROUNDS: Final[dict[type[f.Fact], Callable[[State, Any, int], Judged]]] = {
    f.BetsClosed: _begun,
    f.DummyBegan: _begun,
    f.RoundEnded: _round_ended,
    f.RoundCorrected: _corrected,
}


# -- decisions of the table alone: what a void gives back, chips, windows, the shoe --


def _voided(state: State, fact: f.RoundVoided | f.SettledRoundVoided) -> Message | None:
    recorded = state.recalled(fact.number)
    if recorded is None or recorded.given_back() != fact.owed:
        return message("verify-voided-otherwise", round=fact.number)
    return None


def _signed(state: State, fact: Any) -> Message | None:
    if state.setup.roles and lacking(Needs.TWO, fact.by) is not None:
        return message("verify-slip-not-signed", slip=fact.slip)
    return None


def _rack_opened(state: State, fact: f.RackOpened) -> Message | None:
    newest = state.money.newest
    closer = newest.closer if newest else None
    if fact.difference != (None if closer is None else less(fact.chips, closer.chips)):
        return message("verify-opener-differs", slip=fact.slip)
    return _signed(state, fact)


def _window_opened(state: State, fact: f.WindowOpened) -> Message | None:
    times = state.setup.windows
    if times is None or times.length_ms(fact.kind) != fact.length_ms:
        return message("verify-window-of-another-length")
    return None


def _pack_loaded(state: State, fact: f.PackLoaded) -> Message | None:
    if fact.scanned and not state.ledger.scans_pack:
        return message("verify-pack-not-read")
    if fact.cards != state.game.pack.size or fact.burns != state.options.burns(dealer_change=False):
        return message("verify-another-shoe", shoe=fact.number)
    return None


def _pack_opened(state: State, fact: f.PackOpened) -> Message | None:
    return message("verify-no-pack-due") if state.must_close else None


def _rest_opened(state: State, fact: f.RestOpened) -> Message | None:
    return None if state.closes else message("verify-shoe-not-over", shoe=state.shoe.number)


def _shoe_reconciled(state: State, fact: f.ShoeReconciled) -> Message | None:
    if not state.closes:
        return message("verify-shoe-not-over", shoe=fact.number)
    if fact.scanned and fact.left != len(state.ledger.rest):
        return message("verify-another-rest", shoe=fact.number)
    return None


def _dealer_changed(state: State, fact: f.DealerChanged) -> Message | None:
    due = state.options.burns(dealer_change=True)
    return None if fact.burns == due else message("verify-burns-due", cards=due)


_OF_THE_TABLE: Final[dict[type[f.Fact], Callable[[State, Any], Message | None]]] = {
    f.RoundVoided: _voided,
    f.SettledRoundVoided: _voided,
    f.WindowOpened: _window_opened,
    f.RackOpened: _rack_opened,
    f.RackClosed: _signed,
    f.SlipSigned: _signed,
    f.ChipsBought: _signed,
    f.DropBoxChanged: _signed,
    f.SoftCounted: _signed,
    f.SlipVoided: _signed,
    f.PackLoaded: _pack_loaded,
    f.PackOpened: _pack_opened,
    f.RestOpened: _rest_opened,
    f.ShoeReconciled: _shoe_reconciled,
    f.DealerChanged: _dealer_changed,
}

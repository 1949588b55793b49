"""What facts of a round change: the round as the record has it, the shoe, the ledger, the pictures.

Facts are applied: no script runs, no rule is asked. The live script goes with the state where the
caller has run it (`decide`), and is dropped where a record is only read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from controller.rules.actions import DEALER_SEAT
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.evolve.shoe import Changes, keeping
from controller.table.growing import changed
from controller.table.recorded.card_pictures import Pictured, pictures_of, turned
from controller.table.recorded.round import RecordedRound
from controller.table.recorded.steps import (
    NotRecorded,
    RecordedStep,
    StepKind,
    felt_after,
    first_felt,
)
from controller.table.shoe.ledger import PlayedRound
from controller.table.state.parts import ROUNDS_KEPT
from controller.table.state.phases import Impossible, next_phase
from controller.table.state.state import State


def step_of(fact: f.RoundFact, at_ms: int) -> RecordedStep:
    """The step that a fact of a round in play records."""
    return _STEPS[type(fact)](fact, at_ms)


def _card_dealt(fact: f.CardDealt, at_ms: int) -> RecordedStep:
    return RecordedStep(
        at_ms, StepKind.DEAL, fact.seat, fact.hand, card=fact.card, why=fact.why,
        forced=fact.forced, felt=fact.felt,
    )  # fmt: skip


def _card_dealt_down(fact: f.CardDealtDown, at_ms: int) -> RecordedStep:
    return RecordedStep(
        at_ms, StepKind.DEAL, fact.seat, fact.hand, sealed=fact.card, why=fact.why,
        forced=fact.forced, felt=fact.felt,
    )  # fmt: skip


def _card_turned(fact: f.CardTurned, at_ms: int) -> RecordedStep:
    return RecordedStep(
        at_ms, StepKind.TURN, fact.seat, fact.hand, card=fact.card, felt=fact.felt
    )  # fmt: skip


def _dealer_peeked(fact: f.DealerPeeked, at_ms: int) -> RecordedStep:
    return RecordedStep(
        at_ms, StepKind.PEEK, DEALER_SEAT, 1, natural=fact.natural, felt=fact.felt
    )  # fmt: skip


def _decided(fact: f.Decided, at_ms: int) -> RecordedStep:
    return RecordedStep(
        at_ms, StepKind.DECIDE, fact.seat, fact.hand, action=fact.action, amount=fact.amount,
        why=fact.why, felt=fact.felt,
    )  # fmt: skip


def _further_wager(fact: f.WagerAdded | f.WagerDeclined, at_ms: int) -> RecordedStep:
    return RecordedStep(
        at_ms, StepKind.WAGER, fact.seat, fact.hand, action=fact.action, amount=fact.amount,
        confirmed=type(fact) is f.WagerAdded, felt=fact.felt,
    )  # fmt: skip


def _hand_settled(fact: f.HandSettled, at_ms: int) -> RecordedStep:
    return RecordedStep(at_ms, StepKind.SETTLE, fact.seat, fact.hand, why=fact.why, felt=fact.felt)


_STEPS: Final[dict[type[f.Fact], Callable[[Any, int], RecordedStep]]] = {
    f.CardDealt: _card_dealt,
    f.CardDealtDown: _card_dealt_down,
    f.CardTurned: _card_turned,
    f.DealerPeeked: _dealer_peeked,
    f.Decided: _decided,
    f.WagerAdded: _further_wager,
    f.WagerDeclined: _further_wager,
    f.HandSettled: _hand_settled,
}


# -- a round begins --


def begun_round(
    fact: f.BetsClosed | f.DummyBegan, at_ms: int, shoe: int = 0, build: str = "", day: str = ""
) -> RecordedRound:
    """The round that a fact begins, before its first step; the rest is what the table knew then."""
    wagers = fact.wagers if isinstance(fact, f.BetsClosed) else ((fact.seat, 0),)
    return RecordedRound(
        number=fact.number, game=fact.game, revision=fact.revision, options=fact.options,
        wagers=wagers, started_ms=at_ms, shoe=shoe, build=build,
        felt=first_felt(wagers, fact.felt), opening=fact.felt, day=day,
    )  # fmt: skip


def _begun(state: State, fact: f.BetsClosed | f.DummyBegan, at_ms: int) -> RecordedRound:
    day = state.day.label if state.day else ""
    return begun_round(fact, at_ms, state.shoe.number, state.run.software, day)


def _bets_closed(state: State, fact: f.BetsClosed, at_ms: int) -> Changes:
    return {
        "phase": next_phase(state.phase, f.BetsClosed, state.shoe),
        "rounds": changed(state.rounds, {"latest": _begun(state, fact, at_ms)}),
        "betting": changed(state.betting, {"wagers": {}, "last_wagers": dict(fact.wagers)}),
    }


def _dummy_began(state: State, fact: f.DummyBegan, at_ms: int) -> Changes:
    """A round without bets: those that are placed lie there for the next one."""
    return {
        "phase": next_phase(state.phase, f.DummyBegan, state.shoe),
        "rounds": changed(state.rounds, {"latest": _begun(state, fact, at_ms)}),
    }


# -- it goes on --


def _in_play(state: State) -> RecordedRound:
    played = state.in_play
    if played is None:
        raise Impossible("no round is in play")
    return played


def _stepped(state: State, fact: f.RoundFact, at_ms: int) -> Changes:
    """The round in play after one more step."""
    return {"rounds": changed(state.rounds, {"latest": _with_step(state, fact, at_ms)})}


def _with_step(state: State, fact: f.RoundFact, at_ms: int) -> RecordedRound:
    try:
        return _in_play(state).with_step(_STEPS[type(fact)](fact, at_ms))
    except NotRecorded as error:
        raise Impossible(str(error)) from error


def _card_dealt_up(state: State, fact: f.CardDealt, at_ms: int) -> Changes:
    latest = _with_step(state, fact, at_ms)
    pictured = Pictured(latest.number, fact.seat, fact.hand, fact.evidence)
    pictures = (*state.rounds.pictures, pictured)
    return {
        "rounds": changed(state.rounds, {"latest": latest, "pictures": pictures}),
        "shoe": state.shoe.without(Sealed(fact.card, fact.serial)),
    }


def _card_laid_down(state: State, fact: f.CardDealtDown, at_ms: int) -> Changes:
    latest = _with_step(state, fact, at_ms)
    place = (latest.number, fact.seat, fact.hand)
    hidden = Pictured(*place, fact.evidence, shown=False, seal=fact.card.digest)
    pictures = (*state.rounds.pictures, hidden)
    return {
        "rounds": changed(state.rounds, {"latest": latest, "pictures": pictures}),
        "shoe": state.shoe.without(fact.card, hidden=True),
    }


def _turned(state: State, fact: f.CardTurned, at_ms: int) -> Changes:
    latest = _with_step(state, fact, at_ms)
    played = _in_play(state)
    hand = played.felt.at(fact.seat, fact.hand)
    assert hand is not None  # the step was made of it
    sealed = hand.face_down[0]
    pictures = turned(state.rounds.pictures, played.number, fact.seat, fact.hand, sealed)
    return {
        "rounds": changed(state.rounds, {"latest": latest, "pictures": pictures}),
        "shoe": state.shoe.turned(fact.card, sealed),
    }


def _made_choice(state: State, fact: f.Decided, at_ms: int) -> Changes:
    latest = _with_step(state, fact, at_ms)
    return {"rounds": changed(state.rounds, {"latest": latest, "decided_at": state.shoe.gone})}


# -- it ends --


def _round_ended(state: State, fact: f.RoundEnded, at_ms: int) -> Changes:
    return _over(state, f.RoundEnded, at_ms, fact.net, void=False)


def _round_voided(state: State, fact: f.RoundVoided, at_ms: int) -> Changes:
    return _over(state, f.RoundVoided, at_ms, 0, void=True)


def _over(state: State, fact: type[f.Fact], at_ms: int, net: int, *, void: bool) -> Changes:
    past = changed(_in_play(state), {"ended_ms": at_ms, "net": net, "void": void})
    ended = (*state.rounds.past[1 - ROUNDS_KEPT :], past)
    rounds = {
        "latest": None if void else past,
        "past": ended,
        "pictures": pictures_of(state.rounds.pictures, (each.number for each in ended)),
    }
    # The deal passes left; a void round is dealt again by the same player.
    button = state.betting.button if void or past.dummy else past.wagers[-1][0]
    played = PlayedRound(
        past.number, past.shoe, past.started_ms, at_ms, past.staked, net, void
    )  # fmt: skip
    return {
        "phase": next_phase(state.phase, fact, state.shoe),
        "ledger": state.ledger.with_round(played),
        "rounds": changed(state.rounds, rounds),
        "counts": changed(state.counts, {"rounds": state.counts.rounds + 1}),
        "betting": changed(state.betting, {"button": button}),
    }


# -- and is put right later --


def _settled_round_voided(state: State, fact: f.SettledRoundVoided, at_ms: int) -> Changes:
    past = next((each for each in state.rounds.past if each.number == fact.number), None)
    if past is None or past.void:
        raise Impossible(f"there is no round {fact.number} to be voided")
    rounds = tuple(
        changed(each, {"void": True, "net": 0}) if each is past else each
        for each in state.rounds.past
    )
    return {
        "rounds": changed(state.rounds, {"past": rounds}),
        "ledger": state.ledger.voided(fact.number),
    }


def _round_corrected(state: State, fact: f.RoundCorrected, at_ms: int) -> Changes:
    recorded = state.recalled(fact.number)
    if recorded is None:
        raise Impossible(f"there is no round {fact.number} to be corrected")
    again = corrected_round(recorded, fact)
    rounds: Changes = {
        "past": tuple(again if each.number == fact.number else each for each in state.rounds.past),
        "decided_at": -1,
    }
    latest = state.rounds.latest
    if latest is not None and latest.number == fact.number:
        rounds["latest"] = again
    return {
        "shoe": state.shoe.corrected(*fact.shoe),
        # They left the shoe before whatever lies ready: what does is dealt first, always.
        **keeping(state, *fact.taken_out, *state.aftermath.kept_cards),
        "rounds": changed(state.rounds, rounds),
        "ledger": state.ledger.corrected(fact.number, again.staked, fact.net),
    }


def corrected_round(recorded: RecordedRound, fact: f.RoundCorrected) -> RecordedRound:
    """A round as a correction puts it in its place."""
    felt = first_felt(fact.wagers, fact.opening)
    try:
        for step in fact.steps:
            felt = felt_after(felt, step)
    except NotRecorded as error:
        raise Impossible(str(error)) from error
    return replace(
        recorded, wagers=fact.wagers, opening=fact.opening, steps=fact.steps, felt=felt,
        net=fact.net if recorded.ended_ms else 0,
    )  # fmt: skip


#: Which function tells what a fact of a round changes.
ROUND_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    f.BetsClosed: _bets_closed,
    f.DummyBegan: _dummy_began,
    f.CardDealt: _card_dealt_up,
    f.CardDealtDown: _card_laid_down,
    f.CardTurned: _turned,
    f.DealerPeeked: _stepped,
    f.Decided: _made_choice,
    f.WagerAdded: _stepped,
    f.WagerDeclined: _stepped,
    f.HandSettled: _stepped,
    f.RoundEnded: _round_ended,
    f.RoundVoided: _round_voided,
    f.SettledRoundVoided: _settled_round_voided,
    f.RoundCorrected: _round_corrected,
}

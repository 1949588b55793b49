"""What follows from an answer by the rules of the round in play: the live script is asked, once.

The difference of the felt before and after goes on record with the fact, so that nobody has to ask
the rules again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from controller.rules.actions import Action, Bid
from controller.rules.cards import Card
from controller.rules.engine.round import Round, Wagers
from controller.rules.game import Game
from controller.rules.games.registry import of_revision
from controller.rules.messages import Message, message
from controller.rules.options import OptionError, plain
from controller.rules.script.felt import Felt, Hand
from controller.rules.script.steps import (
    DONE,
    AddWager,
    Answer,
    Ask,
    Deal,
    Misfit,
    Peek,
    Peeked,
    Reveal,
    Settle,
    Step,
    Vie,
)
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.decide.consequences.felt_change import difference, status_of
from controller.table.evolve.round import step_of
from controller.table.growing import changed
from controller.table.recorded.hands import (
    NO_CHANGE,
    FeltChange,
    RecordedFelt,
    RecordedHand,
)
from controller.table.recorded.round import RecordedOptions, RecordedRound
from controller.table.recorded.steps import RecordedStep, StepKind, felt_after, first_felt
from controller.table.state.state import State


def rules_of(recorded: RecordedRound) -> Game | None:
    """The game by whose rules a round was begun; None where this build does not carry them."""
    return carried(recorded.game, recorded.revision, recorded.options)


def carried(name: str, revision: int, options: RecordedOptions) -> Game | None:
    """That revision of a game with these house options; None where this build has it not."""
    game = of_revision(name, revision)
    return None if game is None else _with(game, options)


@lru_cache(maxsize=16)
def _with(game: Game, options: RecordedOptions) -> Game | None:
    try:
        return game.with_options(dict(options))
    except OptionError:
        return None


def recorded_options(game: Game) -> RecordedOptions:
    """The house options of a game as they stand on record."""
    return tuple(sorted(plain(game.options).items()))


def resumed(state: State) -> State:
    """`state` with the script of the round in play, where this build's rules lead to its record."""
    recorded = state.in_play
    game = rules_of(recorded) if recorded else None
    if recorded is None or game is None:
        return state
    script = Round(recorded.number, game, recorded.wagers, (step.answer for step in recorded.steps))
    try:
        holds = _lies_as_recorded(game, recorded.felt, script.felt)
    except Misfit:
        holds = False
    if not holds:
        return state
    return changed(state, {"rounds": changed(state.rounds, {"script": script})})


def _lies_as_recorded(game: Game, recorded: RecordedFelt, felt: Felt) -> bool:
    lies = [RecordedHand(tuple(hand.lying()), status_of(game, hand)) for hand in felt.hands]
    dealer = RecordedHand(tuple(felt.dealer.lying()), status_of(game, felt.dealer))
    return RecordedFelt(tuple(lies), dealer) == recorded


def begun(
    game: Game, number: int, wagers: Wagers, setup: int, dummy: int = 0
) -> tuple[f.BetsClosed | f.DummyBegan, Round]:
    """The fact that begins a round, and its script; `dummy` is the seat of a round without bets."""
    script = Round(number, game, wagers)
    change = difference(game, first_felt(wagers), script.felt)
    of_rules = (setup, game.name, game.revision, recorded_options(game), change)
    if dummy:
        return f.DummyBegan(number, dummy, *of_rules), script
    return f.BetsClosed(number, wagers, *of_rules), script


def followed(
    script: Round, felt: RecordedFelt, answer: Answer, at_ms: int
) -> tuple[RecordedStep, Round]:
    """The step that `answer` makes, with all that follows from it, and the script after it.

    `felt` is the one before. Raises `Misfit` for what the script did not ask for.
    """
    asked = script.step
    if asked is None:
        raise Misfit(message("round-is-over"))
    step = _step(asked, answer, at_ms)
    after = script.feed(answer)
    change = difference(script.game, felt, after.felt, step, asked.hand)
    return (step if change is NO_CHANGE else step._replace(felt=change)), after


class WholeRound(NamedTuple):
    """A round from its wagers on: its felt as it opens, its steps, its felt and script after."""

    opening: FeltChange
    steps: tuple[RecordedStep, ...]
    felt: RecordedFelt
    script: Round


def whole_round(
    number: int, game: Game, wagers: Wagers, answers: Iterable[tuple[Answer, int]]
) -> WholeRound:
    """What a round comes to by its rules, with these answers, each with its time (ms).

    Raises `Misfit` for the first that the script did not ask for.
    """
    script = Round(number, game, wagers)
    opening = difference(game, first_felt(wagers), script.felt)
    felt = first_felt(wagers, opening)
    steps: list[RecordedStep] = []
    for answer, at_ms in answers:
        step, script = followed(script, felt, answer, at_ms)
        felt = felt_after(felt, step)
        steps.append(step)
    return WholeRound(opening, tuple(steps), felt, script)


def _step(asked: Step, answer: Answer, at_ms: int) -> RecordedStep:
    """The step as far as it is known before the script goes on."""
    place = asked.hand.place
    if isinstance(asked, Deal):
        card = answer if isinstance(answer, Card) else None
        sealed = answer if isinstance(answer, Sealed) else None
        play = asked.play
        why, forced = (None, False) if play is None else (play.why, play.forced is not None)
        return RecordedStep(at_ms, StepKind.DEAL, *place, card, sealed, why=why, forced=forced)
    if isinstance(asked, Ask | Vie):
        action, amount = answer if isinstance(answer, Bid) else (answer, None)
        move = action if isinstance(action, Action) else None
        return RecordedStep(
            at_ms, StepKind.DECIDE, *place, action=move, amount=amount, why=asked.play.why
        )
    if isinstance(asked, AddWager):
        return RecordedStep(
            at_ms, StepKind.WAGER, *place, action=asked.action, amount=asked.amount,
            confirmed=answer is DONE,
        )  # fmt: skip
    if isinstance(asked, Reveal):
        card = answer if isinstance(answer, Card) else None
        return RecordedStep(at_ms, StepKind.TURN, *place, card)
    if isinstance(asked, Peek):
        natural = isinstance(answer, Peeked) and answer.natural
        return RecordedStep(at_ms, StepKind.PEEK, *place, natural=natural)
    result = asked.hand.result
    return RecordedStep(at_ms, StepKind.SETTLE, *place, why=result.why if result else None)


def consequence(
    script: Round, recorded: RecordedRound, fact: f.RoundFact, at_ms: int
) -> tuple[f.RoundFact, Round]:
    """`fact` with all that follows from it, and the script after it.

    Raises `Misfit` for what the script did not ask for.
    """
    asked, step = script.step, step_of(fact, at_ms)
    if asked is None:
        raise Misfit(message("round-is-over"))
    if asked.hand.place != step[2:4]:
        raise Misfit(message("would-be-in-turn", who=asked.hand.place))
    complete = _COMPLETE[type(fact)]
    by_the_rules = _by_the_rules(asked)  # before the script goes on
    after = script.feed(step.answer)
    change = difference(script.game, recorded.felt, after.felt, step, asked.hand)
    return complete(fact, by_the_rules, change), after


class _ByTheRules(NamedTuple):
    """What the rules said when a step was asked for: the reason, and what belongs to its kind."""

    why: Message | None = None
    forced: bool = False
    action: Action | None = None
    amount: int | None = None
    settled: Hand | None = None


def _by_the_rules(asked: Step) -> _ByTheRules:
    kind = type(asked)
    if kind is Deal:
        play = asked.play  # type: ignore[union-attr]
        return _NO_RULE if play is None else _ByTheRules(play.why, play.forced is not None)
    if kind is Settle:
        return _ByTheRules(settled=asked.hand)
    if isinstance(asked, Ask | Vie):
        return _ByTheRules(asked.play.why)
    if isinstance(asked, AddWager):
        return _ByTheRules(action=asked.action, amount=asked.amount)
    return _NO_RULE


_NO_RULE: Final = _ByTheRules()


# Written out: `dataclasses.replace` takes as long as the rules do.
def _card_dealt(fact: f.CardDealt, rules: _ByTheRules, felt: FeltChange) -> f.CardDealt:
    return f.CardDealt(
        fact.card, fact.seat, fact.hand, fact.source, fact.serial, fact.evidence, rules.why,
        rules.forced, felt,
    )  # fmt: skip


def _card_dealt_down(
    fact: f.CardDealtDown, rules: _ByTheRules, felt: FeltChange
) -> f.CardDealtDown:
    return f.CardDealtDown(
        fact.card, fact.seat, fact.hand, fact.source, fact.evidence, rules.why, rules.forced, felt
    )


def _card_turned(fact: f.CardTurned, rules: _ByTheRules, felt: FeltChange) -> f.CardTurned:
    return f.CardTurned(fact.card, fact.seat, fact.hand, fact.nonce, fact.serial, felt)


def _dealer_peeked(fact: f.DealerPeeked, rules: _ByTheRules, felt: FeltChange) -> f.DealerPeeked:
    return f.DealerPeeked(fact.natural, felt)


def _decided(fact: f.Decided, rules: _ByTheRules, felt: FeltChange) -> f.Decided:
    return f.Decided(
        fact.seat, fact.hand, fact.action, fact.by_draw, fact.amount, rules.why, felt
    )  # fmt: skip


def _further_wager(
    fact: f.WagerAdded | f.WagerDeclined, rules: _ByTheRules, felt: FeltChange
) -> f.WagerAdded | f.WagerDeclined:
    action = rules.action or fact.action
    return type(fact)(fact.seat, fact.hand, action, rules.amount, felt)


def _hand_settled(fact: f.HandSettled, rules: _ByTheRules, felt: FeltChange) -> f.HandSettled:
    hand = rules.settled
    assert hand is not None, "the script takes nothing else for a settlement"
    return _settlement(hand, felt)


_COMPLETE: Final[dict[type[Any], Callable[[Any, _ByTheRules, FeltChange], f.RoundFact]]] = {
    f.CardDealt: _card_dealt,
    f.CardDealtDown: _card_dealt_down,
    f.CardTurned: _card_turned,
    f.DealerPeeked: _dealer_peeked,
    f.Decided: _decided,
    f.WagerAdded: _further_wager,
    f.WagerDeclined: _further_wager,
    f.HandSettled: _hand_settled,
}


def settlement(asked: Settle) -> f.HandSettled:
    """The fact that the hand which is to be settled was settled by its result."""
    return _settlement(asked.hand, NO_CHANGE)


def _settlement(hand: Hand, felt: FeltChange) -> f.HandSettled:
    assert hand.result is not None, "a hand is settled by its result"
    return f.HandSettled(
        *hand.place, hand.result.outcome, hand.wager, hand.net, hand.result.why, felt
    )

"""What follows from an answer by the rules of the round in play: the live script is asked, once.

The difference of the felt before and after goes on record with the fact, so that nobody has to ask
the rules again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, TypeVar

from controller.rules.cards import Card
from controller.rules.felt import DEALER_SEAT, Action, Bid, Felt, Hand, Result
from controller.rules.game import Game
from controller.rules.games.registry import of_revision
from controller.rules.messages import message
from controller.rules.options import OptionError, plain
from controller.rules.round import Round, Wagers
from controller.rules.sealed import Sealed
from controller.rules.steps import (
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
from controller.table import facts as f
from controller.table.evolve.round import step_of
from controller.table.growing import changed
from controller.table.recorded import (
    NO_CHANGE,
    FeltChange,
    HandStatus,
    RecordedBonus,
    RecordedFelt,
    RecordedHand,
    RecordedOptions,
    RecordedResult,
    RecordedRound,
    RecordedStep,
    Relaid,
    StepKind,
    first_felt,
    with_own_effect,
)
from controller.table.state import State

RoundFactT = TypeVar("RoundFactT", bound="f.RoundFact")


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
    return changed(state, {"script": script}) if holds else state


def _lies_as_recorded(game: Game, recorded: RecordedFelt, felt: Felt) -> bool:
    hands = (*felt.hands, felt.dealer)
    return [status_of(game, hand) for hand in hands] == [hand.status for hand in recorded.all]


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
    touched = asked.hand if isinstance(answer, Card | Sealed) else None
    change = difference(script.game, with_own_effect(felt, step), after.felt, touched)
    return (step if change is NO_CHANGE else step._replace(felt=change)), after


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


#: What a fact has of its step by the rules, beside what people or readers said.
_BY_THE_RULES: Final[dict[type[Any], tuple[str, ...]]] = {
    f.CardDealt: ("why", "forced", "felt"),
    f.CardDealtDown: ("why", "forced", "felt"),
    f.CardTurned: ("felt",),
    f.DealerPeeked: ("felt",),
    f.Decided: ("why", "felt"),
    f.WagerAdded: ("action", "amount", "felt"),
    f.WagerDeclined: ("action", "amount", "felt"),
    f.HandSettled: ("why", "felt"),
}


def consequence(
    script: Round, recorded: RecordedRound, fact: RoundFactT, at_ms: int
) -> tuple[RoundFactT, Round]:
    """`fact` with all that follows from it, and the script after it.

    Raises `Misfit` for what the script did not ask for.
    """
    asked, step = script.step, step_of(fact, at_ms)
    if asked is not None and asked.hand.place != (step.seat, step.hand):
        raise Misfit(message("would-be-in-turn", who=asked.hand.place))
    given: dict[str, Any] = {}
    if isinstance(asked, Settle):
        given = settlement(asked)
    made, after = followed(script, recorded.felt, step.answer, at_ms)
    for name in _BY_THE_RULES[type(fact)]:
        given[name] = getattr(made, name)
    return replace(fact, **given), after


def settlement(asked: Settle) -> dict[str, Any]:
    """How the hand that is to be settled ended, as `HandSettled` has it."""
    hand = asked.hand
    assert hand.result is not None, "a hand is settled by its result"
    return {
        "outcome": hand.result.outcome, "wager": hand.wager, "net": hand.net,
        "why": hand.result.why,
    }  # fmt: skip


# -- the difference of two felts --


def difference(
    game: Game, before: RecordedFelt, felt: Felt, touched: Hand | None = None
) -> FeltChange:
    """What makes `before` the felt as it lies now; `touched` got a card, or one was turned."""
    relaid: tuple[Relaid, ...] = ()
    known: Sequence[RecordedHand] = before.hands
    if [each.place for each in felt.hands] != [each.status[:2] for each in known]:
        relaid = _relaid(before, felt)
        known = [before.at(*each.place) or _NONE for each in felt.hands]
    others = []
    for hand, old in zip((*felt.hands, felt.dealer), (*known, before.dealer), strict=True):
        status = old.status
        if (
            hand.wager != status.wager
            or not _same(hand.result, status.result)
            or hand.settled is not status.settled
            or hand.ended is not status.ended
            or hand.doubled is not status.doubled
            or hand is touched
            or hand.size != len(old.cards)
        ) and (new := status_of(game, hand)) != status:
            others.append(new)
    return FeltChange(tuple(others), relaid) if others or relaid else NO_CHANGE


#: In place of a hand that was not there before.
_NONE: Final = RecordedHand((), HandStatus(-1, -1))


def status_of(game: Game, hand: Hand) -> HandStatus:
    """How a hand stands by the rules."""
    place = hand.place
    raised = game.raised(hand.cards) if place.seat == DEALER_SEAT else 0
    return HandStatus(
        place.seat, place.hand, total_text(game, hand), hand.wager, hand.ended, hand.doubled,
        hand.settled, raised, _recorded_result(hand), hand.net,
    )  # fmt: skip


def _recorded_result(hand: Hand) -> RecordedResult | None:
    result = hand.result
    if result is None:
        return None
    bonus = None
    if result.bonus is not None:
        amount = None if hand.wager is None else result.bonus.on(hand.wager)
        bonus = RecordedBonus(result.bonus.name, result.bonus.odds, amount)
    return RecordedResult(result.outcome, result.why, result.odds, bonus, result.share)


def _same(result: Result | None, recorded: RecordedResult | None) -> bool:
    """Whether it is at first sight the result that was recorded; the reason is the same object."""
    if result is None or recorded is None:
        return result is None and recorded is None
    return result.why is recorded.why and result.share == recorded.share


def total_text(game: Game, hand: Hand) -> str:
    """What a hand counts, by the cards that lie face up; nothing while that would mislead."""
    if not hand.cards or (hand.down and game.vying):
        return ""
    if hand.place.seat == DEALER_SEAT:
        return game.said(hand.cards)
    return str(game.total(hand.cards))


def _relaid(before: RecordedFelt, felt: Felt) -> tuple[Relaid, ...]:
    """Where the cards of each hand lay; equal ones are found at their own seat first."""
    lay = [(each, hand.status.seat) for hand in before.all for each in hand.cards]
    taken: set[int] = set()

    def where(card: Card | Sealed, seat: int) -> int:
        places = [at for at, (each, _) in enumerate(lay) if each is card and at not in taken]
        at = next((at for at in places if lay[at][1] == seat), places[0])
        taken.add(at)
        return at

    return tuple(
        Relaid(*hand.place, tuple(where(each, hand.place.seat) for each in hand.lying()))
        for hand in felt.hands
    )

"""A round told step by step, from its answers: what happened, why, and the felt as it was."""

from __future__ import annotations

from dataclasses import dataclass

from controller.devices.scene import HandView
from controller.rules.cards import Card
from controller.rules.felt import DEALER_SEAT
from controller.rules.game import Answer, Ask, Deal, Game, Settle, Step
from controller.rules.round import Run
from controller.table.public import current_round
from controller.table.scene import hand_views, one_hand_view
from controller.table.state import PastRound, State
from controller.table.words import ACTION_WORDS, pays_text, wager_text


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One thing that happened in a round, at `at_ms`, and the hands after it."""

    at_ms: int
    text: str
    why: str
    hands: tuple[HandView, ...]
    dealer: HandView


@dataclass(frozen=True, slots=True)
class Replay:
    """A round from its first card to its last chip."""

    number: int
    game: str
    steps: tuple[ReplayStep, ...]


def find_round(state: State, number: int) -> PastRound | None:
    """The round of that number, if it can still be recalled; the one in play included."""
    kept = [*state.past]
    if in_play := current_round(state):
        kept.append(in_play)
    return next((each for each in kept if each.round.number == number), None)


def replay(past: PastRound) -> Replay:
    """The round played again from its answers."""
    game = past.round.game
    run = Run(game, past.round.wagers)
    steps: list[ReplayStep] = []
    for answer, at_ms in zip(past.round.answers, past.times_ms, strict=True):
        step = run.step
        if step is None:
            raise AssertionError("a recorded answer was asked for")
        run.feed(answer)
        steps.append(_told(game, run, step, answer, at_ms))
    return Replay(past.round.number, game.title, tuple(steps))


def _told(game: Game, run: Run, step: Step, answer: Answer, at_ms: int) -> ReplayStep:
    text, why = _text(step, answer)
    return ReplayStep(
        at_ms,
        text,
        why,
        hand_views(game, run.felt, run.step),
        one_hand_view(game, run.felt.dealer, run.step),
    )


def _text(step: Step, answer: Answer) -> tuple[str, str]:
    place = step.hand.place
    who = "the dealer" if place.seat == DEALER_SEAT else f"seat {place.seat}"
    if place.hand > 1:
        who += f", hand {place.hand}"
    if isinstance(step, Deal) and isinstance(answer, Card):
        return f"{answer.label} to {who}", step.play.why if step.play else ""
    if isinstance(step, Ask) and not isinstance(answer, Card | tuple):
        return f"{who.capitalize()}: {ACTION_WORDS[answer].lower()}", step.play.why
    if isinstance(step, Settle) and step.hand.result is not None:
        result = step.hand.result
        moved = pays_text(step.hand) if result.net(1) > 0 else wager_text(step.hand)
        word = {"win": "paid", "lose": "taken", "push": "stays"}[result.outcome.value]
        return f"{who.capitalize()}: {moved} {word}", result.why
    raise AssertionError("a step and its answer belong together")

"""The round engine: a script that runs, and a round that remembers its answers.

`Run` drives a script and is spent as it goes. `Round` is a value: the tuple of answers so far,
from which the run can be made again at any time. The position in the script is the state; the
list of answers is the position. So recovery, audit and undo are replays, and a correction is a
replay with one answer changed: either all still holds, or `Misfit` names the first later answer
that does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from controller.rules.actions import Move
from controller.rules.cards import Card
from controller.rules.game import Game
from controller.rules.messages import message
from controller.rules.script.felt import Felt, Hand, Play
from controller.rules.script.report import own_cards
from controller.rules.script.steps import (
    DONE,
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

Chooser = Callable[[Play[Any, Any], Sequence[Card]], Move]
"""A player: decides by the options, by what led to them, and by the own cards."""

Wagers = tuple[tuple[int, int | None], ...]
"""Seat number and wager (minor units, None where not tracked), in order of play."""


class Run:
    """A script in progress. `step` is the one next thing, None when the round is over."""

    __slots__ = ("_send", "fed", "felt", "step")

    def __init__(self, game: Game, wagers: Wagers) -> None:
        self.felt = Felt(wagers)
        script = game.script(self.felt, game.options)
        self._send = script.send
        self.step: Step | None = next(script, None)
        self.fed = 0

    def feed(self, answer: Answer) -> None:
        """Give the script what it waits for.

        Raises `Misfit`, and stays where it is, if this is not what it waits for.
        """
        step = self.step
        if step is None:
            raise Misfit(message("round-is-over"))
        step.accept(answer)
        self.fed += 1
        try:
            self.step = self._send(answer)
        except StopIteration:
            self.step = None

    def play_out(self, draw: Callable[[], Card], choose: Chooser) -> Felt:
        """Play to the end with cards from `draw` and decisions from `choose`.

        Further wagers are put down as asked; every card is known. Raises `Misfit` for a choice
        that is not allowed.
        """
        step, send, fed = self.step, self._send, self.fed
        known: dict[Hand, Sequence[Card]] = {}  # cards face down are looked at anew after a deal
        # Simulations deal some 80,000 rounds a second this way: `feed`, and `accept` of the most
        # frequent steps, without a call a step.
        try:
            while step is not None:
                answer: Answer
                if type(step) is Deal:
                    if known:
                        known.pop(step.hand, None)
                    answer = draw()
                    if step.down:
                        answer = Sealed(answer)
                        step.accept(answer)
                    else:
                        step.hand.cards.append(answer)
                elif type(step) is Settle:
                    step.hand.settled = True
                    answer = DONE
                else:
                    if type(step) is Ask or type(step) is Vie:
                        hand = step.hand
                        cards: Sequence[Card] = hand.cards
                        if hand.down:
                            cards = known.get(hand) or known.setdefault(hand, own_cards(hand))
                        answer = choose(step.play, cards)
                    else:
                        answer = known_answer(step)
                    step.accept(answer)
                fed += 1
                step = send(answer)
        except StopIteration:
            step = None
        finally:
            self.step, self.fed = step, fed
        return self.felt


def peeked(step: Peek) -> Peeked | None:
    """What a look at the hidden card would show; None where it was not read."""
    hidden = step.hand.down
    kind = hidden[min(hidden)].open() if hidden else None
    return None if kind is None else Peeked(step.natural(kind))


def known_answer(step: Step) -> Answer:
    """The answer to a step that nobody chooses, where the hidden card is known: chips move.

    Raises `Misfit` for a step that waits for a card or a choice.
    """
    if isinstance(step, Reveal):
        kind = step.card.open()
        if kind is not None:
            return kind
        raise Misfit(message("hidden-card-was-not-read"))
    if isinstance(step, Peek):
        if (answer := peeked(step)) is not None:
            return answer
        raise Misfit(message("hidden-card-was-not-read"))
    if isinstance(step, Deal | Ask | Vie):
        raise Misfit(message("card-or-choice-is-next"))
    return DONE


class Round:
    """A round as a value: number, game, wagers and the answers so far.

    Feeding gives a new `Round` and leaves this one as it was. The live run is handed on to the
    newest value, so that a round that only grows is never replayed; an older value replays its
    answers when it is asked again.
    """

    __slots__ = ("_run", "answers", "game", "number", "wagers")

    def __init__(
        self, number: int, game: Game, wagers: Wagers, answers: Iterable[Answer] = ()
    ) -> None:
        self.number = number
        self.game = game
        self.wagers = wagers
        self.answers = tuple(answers)
        self._run: Run | None = None

    def run(self) -> Run:
        """The script after all answers. For reading: answers are given through `feed` alone.

        Raises `Misfit` for the first answer that the rules do not allow.
        """
        run = self._run
        if run is None or run.fed != len(self.answers):
            run = self._run = Run(self.game, self.wagers)
            for answer in self.answers:
                run.feed(answer)
        return run

    @property
    def step(self) -> Step | None:
        """The one next thing; None when the round is over."""
        return self.run().step

    @property
    def dummy(self) -> bool:
        """Whether it is played without bets: cards drawn in error, played out."""
        return all(wager == 0 for _, wager in self.wagers)

    @property
    def felt(self) -> Felt:
        """The felt after all answers."""
        return self.run().felt

    def feed(self, answer: Answer) -> Round:
        """This round with one more answer. Raises `Misfit` if the script does not wait for it."""
        run = self.run()
        run.feed(answer)
        after = Round(self.number, self.game, self.wagers, (*self.answers, answer))
        after._run = run
        return after

    def __repr__(self) -> str:
        return f"<round {self.number} of {self.game.name}, {len(self.answers)} answers>"

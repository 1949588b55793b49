"""A round played to its end at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from controller.rules.actions import Move
from controller.rules.cards import Card
from controller.rules.engine.round import Run, known_answer
from controller.rules.script.felt import Felt, Hand, Play
from controller.rules.script.report import own_cards
from controller.rules.script.steps import DONE, AddWager, Ask, Deal, Settle, Vie
from controller.rules.sealed import Sealed

Chooser = Callable[[Play[Any, Any], Sequence[Card]], Move]
"""A player: decides by the options, by what led to them, and by the own cards."""


def play_out(run: Run, draw: Callable[[], Card], choose: Chooser) -> Felt:
    """Play `run` to its end with cards from `draw` and decisions from `choose`.

    Further wagers are put down as asked; every card is known.
    """
    feed = run.feed
    known: dict[Hand, Sequence[Card]] = {}  # a player looks anew at a hand that has changed
    while (step := run.step) is not None:
        if type(step) is Deal:
            known.pop(step.hand, None)
            feed(Sealed(draw()) if step.down else draw())
        elif type(step) is Ask or type(step) is Vie:
            hand = step.hand
            if (cards := known.get(hand)) is None:
                cards = known[hand] = own_cards(hand)
            feed(choose(step.play, cards))
        elif type(step) is Settle or type(step) is AddWager:
            feed(DONE)
        else:
            feed(known_answer(step))
    return run.felt

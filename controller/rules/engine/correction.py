"""A round that was recorded otherwise than it was played: corrected and played again.

A correction changes the list of a round's answers and runs the script afresh. Every later answer
must still be asked for, by the same kind of step and of the same hand: the cards stay where they
lie. Either all holds, or `DoesNotFit` names the first later answer that no longer does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from controller.rules.actions import DRAWS, Place
from controller.rules.cards import Card
from controller.rules.engine.round import Run, Wagers
from controller.rules.game import Game
from controller.rules.messages import Message, message
from controller.rules.script.steps import Answer, Ask, Misfit, Reveal, Step, Vie
from controller.rules.sealed import Sealed


class Entry(NamedTuple):
    """An answer with what it answered, and when (wall time, ms).

    `kind` and `place` are None for one that is inserted: it goes to whoever is in turn. `place`
    alone is None for one of which only the kind is known. Any choice of a player is an `Ask`.
    """

    answer: Answer
    kind: type[Step] | None
    place: Place | None
    at_ms: int


class DoesNotFit(Misfit):
    """The answer at place `at` of the corrected list is not one that the rules wait for there."""

    def __init__(self, why: Message, at: int) -> None:
        super().__init__(why)
        self.at = at


def refit(game: Game, wagers: Wagers, edited: Sequence[Entry]) -> list[Entry]:
    """The round played again with `wagers` and the `edited` answers: what answered which step.

    A card that is put in implies the hit by which it was drawn. Raises `DoesNotFit`.
    """
    run = Run(game, wagers)
    found: list[Entry] = []
    for at, entry in enumerate(edited):
        drawn = _said_by_drawing(run.step, entry)
        for answer in (drawn, entry.answer) if drawn else (entry.answer,):
            _check(run.step, entry, at, said=answer is drawn)
            step = run.step
            assert step is not None
            try:
                run.feed(answer)
            except Misfit as misfit:
                raise DoesNotFit(misfit.why, at) from misfit
            found.append(Entry(answer, type(step), step.hand.place, entry.at_ms))
    return found


def _said_by_drawing(step: Step | None, entry: Entry) -> Answer | None:
    if entry.kind is None and isinstance(step, Ask) and isinstance(entry.answer, Card | Sealed):
        return next((each for each in step.play.options if each in DRAWS), None)
    return None


def _check(step: Step | None, entry: Entry, at: int, *, said: bool) -> None:
    """Raise `DoesNotFit` where another kind of step, or another hand, is in turn."""
    if step is None:
        raise DoesNotFit(message("round-is-over-before"), at)
    if entry.kind is None or said:
        return
    place = step.hand.place
    if entry.place is not None and place != entry.place:
        raise DoesNotFit(message("would-be-in-turn", who=place), at)
    if type(step) is not entry.kind and not (entry.kind is Ask and type(step) is Vie):
        raise DoesNotFit(message("something-else-comes-first"), at)


def turned_otherwise(edited: Sequence[Entry], at: int, kind: Card) -> list[Entry]:
    """`edited` with another card turned at `at`; what the reader took it for is dropped."""
    changed = list(edited)
    before = changed[at]
    # Cards that lie face down are turned in the order in which they were dealt.
    nth = sum(each.kind is Reveal and each.place == before.place for each in edited[:at])
    dealt = [
        number
        for number, each in enumerate(edited[:at])
        if isinstance(each.answer, Sealed) and each.place == before.place
    ]
    changed[dealt[nth]] = edited[dealt[nth]]._replace(answer=Sealed(None))
    changed[at] = before._replace(answer=kind)
    return changed

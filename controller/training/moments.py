"""The record as a training's report reads it: each fact, what was asked before it, for how long.

Pure: from records and the states before and after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from controller.rules.actions import Place
from controller.rules.cards import Card
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.decide.consequences.round_in_play import resumed
from controller.table.irregularities.holds import Reason
from controller.table.logbook.entries import entry
from controller.table.queries.prompts import prompt
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.english import say
from controller.table.views.logbook import line

#: Facts by which a dealer answers what the display asks. A refusal is none: the question stands.
ANSWERS: Final = (
    f.PackLoaded, f.ShoeCut, f.CardBurned, f.BetsClosed, f.CardDealt, f.CardDealtDown,
    f.CardTurned, f.DealerPeeked, f.Decided, f.WagerAdded, f.WagerDeclined, f.HandSettled,
    f.HoldReleased, f.ResolutionChosen, f.FeltCounted, f.CardNamed, f.RestOpened, f.ShoeReconciled,
    f.KeptCardUsed,
)  # fmt: skip


class PromptShown(NamedTuple):
    """What the display asked: the code of the prompt, what it leads with, and its headline."""

    code: str
    lead: str
    text: str


class Moment(NamedTuple):
    """One record. `round` is the one it is about, 0 between rounds; `text` is its logbook line.

    `asked` is what the display asked before it, and `waited_ms` for how long, where this answers
    it. `reason` is that of the hold it is about. `hands` lie there as a round ends, by its record;
    `betting`: bets are open after it; `dummy`: the round in play has no bets.
    """

    seq: int
    at_ms: int
    fact: f.Fact
    round: int = 0
    text: str = ""
    asked: PromptShown | None = None
    waited_ms: int | None = None
    reason: Reason | None = None
    hands: tuple[tuple[Place, tuple[str, ...]], ...] = ()
    betting: bool = False
    dummy: bool = False


Transition = tuple[State | None, f.Record, State]
"""A record with the states before and after it."""


def moments(transitions: Iterable[Transition], cause: str = "") -> Iterator[Moment]:
    """The moments of those records; `cause` is that of the record before them.

    What one input leads to is one answer: its first record has how long that took.
    """
    for before, record, after in transitions:
        yield _moment(before, record, after, answers=record.cause != cause)
        cause = record.cause


def _moment(before: State | None, record: f.Record, after: State, *, answers: bool) -> Moment:
    fact, state = record.fact, before or after
    said = entry(state, record)
    found = Moment(
        record.seq, record.at_ms, fact, said.round, line(said, state.words).text,
        reason=_reason(state, fact), betting=after.phase is Phase.BETTING,
        dummy=bool(state.in_play and state.in_play.dummy),
    )  # fmt: skip
    if isinstance(fact, f.RoundEnded) and state.in_play is not None:
        felt = state.in_play.felt
        found = found._replace(
            hands=tuple(
                (each.place, tuple(_code(card) for card in each.cards)) for each in felt.all
            )
        )
    if before is None or not answers:
        return found
    shown = prompt(resumed(before))
    asked = PromptShown(
        shown.lead.code, say(shown.lead, before.words), say(shown.headline, before.words)
    )
    if not isinstance(fact, ANSWERS):
        return found._replace(asked=asked)
    waited_ms = max(0, record.at_ms - before.clock.since_ms)
    return found._replace(asked=asked, waited_ms=waited_ms)


def _code(card: Card | Sealed) -> str:
    """The code of a card that lies face up; empty of one that lies face down."""
    return card.code if isinstance(card, Card) else ""


def _reason(state: State, fact: f.Fact) -> Reason | None:
    if isinstance(fact, f.HoldRaised):
        return fact.reason
    if isinstance(fact, f.HoldReleased | f.ResolutionChosen | f.ResolutionUndone):
        hold = state.hold(fact.number)
        if hold is None and state.aftermath.resolved is not None:
            hold = state.aftermath.resolved.hold
        return hold.reason if hold else None
    return None

"""Corrections, judged: what a round comes to once the record says how it was really played.

A correction is an event, never an edit: the facts stay, and `RoundCorrected` carries the whole
round as it was in truth. The script that the round was played by is run again from the corrected
list; the cards stay where they lie. A round whose rules this build does not carry is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from controller.rules.actions import Bid, Place
from controller.rules.cards import Card
from controller.rules.engine.correction import Entry, refit, turned_otherwise
from controller.rules.engine.round import Round, Wagers
from controller.rules.game import Game
from controller.rules.messages import Message, Seat, message
from controller.rules.script.steps import (
    AddWager,
    Answer,
    Ask,
    Deal,
    Misfit,
    Peek,
    Reveal,
    Settle,
    Step,
)
from controller.rules.sealed import Sealed
from controller.table.decide.consequences.round_in_play import rules_of, whole_round
from controller.table.facts import Edit, RoundCorrected, ShoeChange
from controller.table.irregularities.edits import EditKind
from controller.table.recorded.round import RecordedRound, net_of, owed
from controller.table.recorded.steps import StepKind
from controller.table.roles import Person
from controller.table.state.state import State

_STEPS: Final[dict[StepKind, type[Step]]] = {
    StepKind.DEAL: Deal,
    StepKind.TURN: Reveal,
    StepKind.PEEK: Peek,
    StepKind.DECIDE: Ask,
    StepKind.WAGER: AddWager,
    StepKind.SETTLE: Settle,
}


class NotCorrectable(ValueError):
    """An edit that names nothing, or makes no sense; `why` says what to do."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


class Corrected(NamedTuple):
    """A correction as a fact, and the script of the round as it was in truth."""

    fact: RoundCorrected
    script: Round


@dataclass(slots=True)
class _Editing:
    """A round that is being edited: its list, its wagers, and what that says of the shoe."""

    state: State
    recorded: RecordedRound
    game: Game
    at_ms: int
    entries: list[Entry] = field(default_factory=list)
    wagers: Wagers = ()
    counts: Counter[Card] = field(default_factory=Counter)
    gone: int = 0
    returned: list[Sealed] = field(default_factory=list)
    taken_out: list[tuple[int, Card]] = field(default_factory=list)
    """Cards that are kept, each with the entry that it lay before, in the order of the shoe."""
    face_up: Mapping[Card, int] = field(init=False)
    """How often each kind is known to have left the shoe as it was filled for this round."""

    def __post_init__(self) -> None:
        self.wagers = self.recorded.wagers
        self.face_up = self.state.shoe.face_up if self.of_this_shoe else _own_cards(self.recorded)
        self.entries = [
            Entry(each.answer, _STEPS[each.kind], Place(each.seat, each.hand), each.at_ms)
            for each in self.recorded.steps
        ]

    @property
    def of_this_shoe(self) -> bool:
        """Whether the round's cards are gone from the shoe in use: it was neither shuffled since,
        nor did the discards come back into it in a later round.
        """
        shoe = self.state.shoe
        return self.recorded.shoe == shoe.number and self.recorded.number >= shoe.refilled_in


def _own_cards(recorded: RecordedRound) -> Counter[Card]:
    """The cards that lie face up in a round."""
    lying = (each for hand in recorded.felt.all for each in hand.cards)
    return Counter(each for each in lying if isinstance(each, Card))


def corrected(
    state: State,
    number: int,
    edits: Sequence[Edit],
    at_ms: int,
    reason: str = "",
    by: tuple[Person, ...] = (),
) -> Corrected:
    """The round of that number with `edits`, each by the list as the ones before it left it.

    Raises `NotCorrectable`, or `DoesNotFit` for the first later fact that no longer holds.
    """
    editing = _edited(state, number, edits, at_ms)
    again = refit(editing.game, editing.wagers, editing.entries)
    recorded, wagers = editing.recorded, editing.wagers
    answers = ((entry.answer, entry.at_ms) for entry in again)
    opening, steps, felt, script = whole_round(number, editing.game, wagers, answers)
    shoe = ShoeChange()
    if editing.of_this_shoe:
        counts = tuple((kind, by) for kind, by in editing.counts.items() if by)
        shoe = ShoeChange(editing.gone, counts, tuple(editing.returned))
    kept = tuple(card for _, card in editing.taken_out)
    fact = RoundCorrected(
        number, tuple(edits), reason, net_of(felt), owed(felt.hands, recorded.felt.hands), by,
        wagers, opening, steps, shoe, kept, recorded.day,
    )  # fmt: skip
    return Corrected(fact, script)


def recalled(state: State, number: int) -> RecordedRound:
    """The round of that number, in play or past. Raises `NotCorrectable`."""
    found = state.recalled(number)
    if found is None:
        known = tuple(past.number for past in state.rounds.past if not past.void)
        if not known:
            raise NotCorrectable(message("no-round-can-be-corrected", round=number))
        raise NotCorrectable(message("round-cannot-be-corrected", round=number, known=known))
    return found


def _edited(state: State, number: int, edits: Sequence[Edit], at_ms: int) -> _Editing:
    recorded = recalled(state, number)
    game = rules_of(recorded)
    if game is None:
        raise NotCorrectable(
            message(
                "round-of-another-build",
                round=number,
                rules=recorded.rules,
                build=recorded.build,
            )
        )
    editing = _Editing(state, recorded, game, at_ms)
    for edit in edits:
        if edit.do is EditKind.WAGER:
            _wager(editing, edit)
        elif edit.do is EditKind.DEAD:
            _without_spot(editing, edit.at)
        elif edit.do in (EditKind.BURN, EditKind.KEEP):
            _out_of_hand(editing, edit)
        elif edit.do is EditKind.INSERT:
            _insert(editing, edit)
        else:
            _change(editing, edit)
    if editing.taken_out and recorded.ended_ms:
        raise NotCorrectable(message("card-of-round-that-is-over", round=number))
    return editing


def _step_at(editing: _Editing, at: int, *, inserts: bool = False) -> None:
    if not 0 <= at < len(editing.entries) + inserts:
        raise NotCorrectable(message("no-such-step", step=at + 1, steps=len(editing.entries)))


def _insert(editing: _Editing, edit: Edit) -> None:
    _step_at(editing, edit.at, inserts=True)
    answer = _answer(edit)
    editing.entries.insert(edit.at, Entry(answer, None, None, editing.at_ms))
    if isinstance(answer, Card):
        editing.gone += 1
        _counted(editing, answer, 1)


def _change(editing: _Editing, edit: Edit) -> None:
    """A step is replaced, or removed."""
    _step_at(editing, edit.at)
    before = editing.entries[edit.at]
    if not isinstance(before.answer, Card | Sealed) and edit.card is not None:
        raise NotCorrectable(message("step-is-no-card", step=edit.at + 1))
    if edit.do is EditKind.REMOVE:
        if before.kind is Reveal:
            raise NotCorrectable(message("turned-card-stays"))
        del editing.entries[edit.at]
        if isinstance(before.answer, Card):
            editing.gone -= 1
            _counted(editing, before.answer, -1)
        elif isinstance(before.answer, Sealed):
            editing.returned.append(before.answer)
        return
    answer = _answer(edit)
    if isinstance(before.answer, Card) is not isinstance(answer, Card):
        raise NotCorrectable(message("step-of-another-kind", step=edit.at + 1))
    if before.kind is Reveal and isinstance(answer, Card):
        editing.entries = turned_otherwise(editing.entries, edit.at, answer)
    else:
        editing.entries[edit.at] = before._replace(answer=answer)
    if isinstance(before.answer, Card) and isinstance(answer, Card):
        _counted(editing, before.answer, -1)
        _counted(editing, answer, 1)


def _without_spot(editing: _Editing, seat: int) -> None:
    """A spot that got no card is out of the round: each card lies one spot further."""
    if seat not in dict(editing.wagers):
        raise NotCorrectable(message("seat-had-no-bet", who=Seat(seat)))
    left = tuple(each for each in editing.wagers if each[0] != seat)
    if editing.game.vying or not left:
        raise NotCorrectable(message("round-needs-this-hand"))
    editing.wagers = left
    editing.entries = [
        each._replace(place=None) if each.kind is Deal else each
        for each in editing.entries
        if not (each.kind is Settle and each.place is not None and each.place.seat == seat)
    ]


def _out_of_hand(editing: _Editing, edit: Edit) -> None:
    """An open card leaves its hand, and has left the shoe all the same."""
    at = edit.at
    entry = editing.entries[at] if 0 <= at < len(editing.entries) else None
    if entry is None or entry.kind is not Deal or not isinstance(entry.answer, Card):
        raise NotCorrectable(message("step-is-no-open-card", step=at + 1))
    del editing.entries[at]
    # Places are those of the list as it is now: what lay behind this entry lies one place earlier.
    before = sum(lay <= at for lay, _ in editing.taken_out)
    editing.taken_out = [(lay - (lay > at), card) for lay, card in editing.taken_out]
    if edit.do is EditKind.KEEP:
        editing.taken_out.insert(before, (at, entry.answer))


def _wager(editing: _Editing, edit: Edit) -> None:
    if edit.at not in dict(editing.wagers):
        raise NotCorrectable(message("seat-had-no-bet", who=Seat(edit.at)))
    if problem := editing.game.wager_problem(edit.amount):
        raise NotCorrectable(problem)
    editing.wagers = tuple(
        (seat, edit.amount if seat == edit.at else each) for seat, each in editing.wagers
    )


def _answer(edit: Edit) -> Answer:
    if edit.card is not None:
        return edit.card
    if edit.action is None:
        raise NotCorrectable(message("say-which-card-or-decision"))
    return edit.action if edit.amount is None else Bid(edit.action, edit.amount)


def _counted(editing: _Editing, kind: Card, by: int) -> None:
    """Count further cards of a kind as seen. Raises `NotCorrectable` for an impossible number.

    Of a shoe that was shuffled since, only the cards of the round itself are known.
    """
    editing.counts[kind] += by
    pack = editing.game.pack
    if editing.face_up.get(kind, 0) + editing.counts[kind] > pack.times(kind):
        raise NotCorrectable(message("corrected-kind-is-gone", card=kind))


def likely(state: State, number: int, at: int, at_ms: int = 0) -> list[Card]:
    """The cards that step `at` could have been instead, the likeliest first.

    Those that its shoe can have held and with which everything later still fits: first of the same
    suit and a neighbouring index, then of the same rank, then the rest.
    """
    recorded = recalled(state, number)
    game = rules_of(recorded) or state.game
    read = recorded.steps[at].card if at < len(recorded.steps) else None
    if read is None:
        raise NotCorrectable(message("step-is-no-open-card", step=at + 1))
    found = []
    for kind in game.pack.kinds():
        if kind is not read:
            try:
                editing = _edited(state, number, (Edit(at, EditKind.REPLACE, kind),), at_ms)
                refit(editing.game, editing.wagers, editing.entries)
            except (NotCorrectable, Misfit):
                continue
            found.append(kind)
    return sorted(found, key=lambda kind: _unlike(read, kind))


def _unlike(read: Card, kind: Card) -> tuple[int, int]:
    apart = abs(int(kind.rank) - int(read.rank))
    if kind.rank is read.rank:
        return 0, 0
    return (1, apart) if kind.suit is read.suit else (2, apart)

"""Corrections: what a round comes to once the record says how it was really played.

A correction is an event, never an edit: the facts stay, and `RoundCorrected` says what was
otherwise. The round is played again from the corrected list; the cards stay where they lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from controller.rules.cards import Card
from controller.rules.correction import Entry, differences, entries, refit, turned_otherwise
from controller.rules.english import ENGLISH
from controller.rules.felt import Bid
from controller.rules.round import Round, Wagers
from controller.rules.sealed import Sealed
from controller.rules.steps import Answer, Deal, Misfit, Reveal, Settle
from controller.table.facts import Edit
from controller.table.irregularities.edits import EditKind
from controller.table.phases import Phase
from controller.table.shoe.shoe import Shoe
from controller.table.state import PastRound, State


class NotCorrectable(ValueError):
    """An edit that names nothing, or makes no sense; the text says what to do."""


class Corrected(NamedTuple):
    """A round as it really was, when its answers were, the shoe, and who is owed what.

    `owed` maps a seat to what it is still to be paid (below zero: to give back), in minor units.
    `kept` are cards taken out of their hands, to be the next that are dealt.
    """

    round: Round
    times_ms: tuple[int, ...]
    shoe: Shoe
    owed: dict[int, int]
    kept: tuple[Card, ...] = ()

    @property
    def net(self) -> int:
        """The players' gain in all; wagers that are not tracked are left out."""
        return sum(
            hand.result.net(hand.wager)
            for hand in self.round.felt.hands
            if hand.result is not None and hand.wager is not None
        )


def corrected(state: State, number: int, edits: Sequence[Edit], at_ms: int) -> Corrected:
    """The round of that number with `edits`, each by the list as the ones before it left it.

    Raises `NotCorrectable`, or `DoesNotFit` for the first later fact that no longer holds.
    """
    past = recalled(state, number)
    told, wagers = entries(past.round, past.times_ms), past.round.wagers
    shoe, kept = state.shoe, tuple[Card, ...]()
    for edit in edits:
        if edit.do is EditKind.WAGER:
            wagers = _with_wager(state, wagers, edit)
        elif edit.do is EditKind.DEAD:
            told, wagers = _without_spot(state, told, wagers, edit.at)
        elif edit.do in (EditKind.BURN, EditKind.KEEP):
            told, card = _out_of_hand(told, edit.at)
            kept += (card,) if edit.do is EditKind.KEEP else ()
        else:
            told, shoe = _edited(told, shoe, edit, at_ms)
    if kept and past.ended_ms:
        raise NotCorrectable(f"Round {number} is over: a card of it is not dealt again")
    again, times_ms = refit(past.round, wagers, told)
    owed = differences(past.round, again)
    ours = past.shoe == state.shoe.number
    return Corrected(again, times_ms, shoe if ours else state.shoe, owed, kept)


def recalled(state: State, number: int) -> PastRound:
    """The round of that number, in play or past. Raises `NotCorrectable`."""
    if state.round is not None and state.phase is Phase.ROUND and state.round.number == number:
        return PastRound(state.round, state.times_ms, state.started_ms, 0, state.shoe.number, 0)
    for past in state.past:
        if past.round.number == number and not past.void:
            return past
    kept = ", ".join(str(past.round.number) for past in state.past if not past.void)
    raise NotCorrectable(f"Round {number} cannot be corrected: those that can are {kept or 'none'}")


def _edited(told: list[Entry], shoe: Shoe, edit: Edit, at_ms: int) -> tuple[list[Entry], Shoe]:
    """The list and the shoe after one edit."""
    inserts = edit.do is EditKind.INSERT
    if not 0 <= edit.at < len(told) + inserts:
        raise NotCorrectable(f"There is no step {edit.at + 1}: the round has {len(told)}")
    if inserts:
        answer = _answer(edit)
        entry = Entry(answer, None, None, at_ms)
        return [*told[: edit.at], entry, *told[edit.at :]], _left(shoe, answer)
    before = told[edit.at]
    if not isinstance(before.answer, Card | Sealed) and edit.card is not None:
        raise NotCorrectable(f"Step {edit.at + 1} is no card")
    if edit.do is EditKind.REMOVE:
        if before.kind is Reveal:
            raise NotCorrectable("A card that was turned cannot be taken out: replace it")
        return [*told[: edit.at], *told[edit.at + 1 :]], _never_left(shoe, before.answer)
    answer = _answer(edit)
    if isinstance(before.answer, Card) is not isinstance(answer, Card):
        raise NotCorrectable(f"Step {edit.at + 1} can only be replaced by another of its kind")
    if before.kind is Reveal and isinstance(answer, Card):
        told = turned_otherwise(told, edit.at, answer)
    else:
        told = [*told[: edit.at], before._replace(answer=answer), *told[edit.at + 1 :]]
    return told, _seen_otherwise(shoe, before.answer, answer)


def _without_spot(
    state: State, told: list[Entry], wagers: Wagers, seat: int
) -> tuple[list[Entry], Wagers]:
    """The list and the wagers without a spot that got no card: each card lies one spot further."""
    if seat not in dict(wagers):
        raise NotCorrectable(f"Seat {seat} had no bet in this round")
    left = tuple(each for each in wagers if each[0] != seat)
    if state.game.vying or not left:
        raise NotCorrectable("The round cannot go on without this hand: void it")
    kept = [
        each._replace(place=None) if each.kind is Deal else each
        for each in told
        if not (each.kind is Settle and each.place is not None and each.place.seat == seat)
    ]
    return kept, left


def _out_of_hand(told: list[Entry], at: int) -> tuple[list[Entry], Card]:
    """The list without an open card that left the shoe all the same, and the card."""
    entry = told[at] if 0 <= at < len(told) else None
    if entry is None or entry.kind is not Deal or not isinstance(entry.answer, Card):
        raise NotCorrectable(f"Step {at + 1} is no card that lies open")
    return [*told[:at], *told[at + 1 :]], entry.answer


def given_back(played: Round) -> tuple[tuple[int, int], ...]:
    """What seats are to be paid (below zero: to give back) if a round is void.

    Of the hands that were settled; the bets of the others still lie there.
    """
    found: dict[int, int] = {}
    for hand in played.felt.hands:
        if hand.settled and hand.result is not None and hand.wager is not None:
            seat = hand.place.seat
            found[seat] = found.get(seat, 0) - hand.result.net(hand.wager)
    return tuple(sorted((seat, amount) for seat, amount in found.items() if amount))


def _answer(edit: Edit) -> Answer:
    if edit.card is not None:
        return edit.card
    if edit.action is None:
        raise NotCorrectable("Say which card it was, or which decision")
    return edit.action if edit.amount is None else Bid(edit.action, edit.amount)


def _with_wager(state: State, wagers: Wagers, edit: Edit) -> Wagers:
    if edit.at not in dict(wagers):
        raise NotCorrectable(f"Seat {edit.at} had no bet in this round")
    if problem := state.game.wager_problem(edit.amount):
        said = ENGLISH.say(problem, state.game.words)
        raise NotCorrectable(said[0].upper() + said[1:])
    return tuple((seat, edit.amount if seat == edit.at else each) for seat, each in wagers)


def _counted(shoe: Shoe, changes: Iterable[tuple[Card, int]], gone: int = 0) -> Shoe:
    """The shoe with other counts of seen cards. Raises `NotCorrectable` for an impossible one."""
    seen = dict(shoe.seen)
    for kind, by in changes:
        seen[kind] = seen.get(kind, 0) + by
        if seen[kind] > shoe.pack.times(kind):
            raise NotCorrectable(f"{kind.name}: all of the pack are gone already")
    return replace(shoe, seen=seen, gone=shoe.gone + gone)


def _seen_otherwise(shoe: Shoe, before: Answer, after: Answer) -> Shoe:
    if isinstance(before, Card) and isinstance(after, Card):
        return _counted(shoe, ((before, -1), (after, 1)))
    return shoe


def _left(shoe: Shoe, answer: Answer) -> Shoe:
    return _counted(shoe, ((answer, 1),), 1) if isinstance(answer, Card) else shoe


def _never_left(shoe: Shoe, answer: Answer) -> Shoe:
    if isinstance(answer, Card):
        return _counted(shoe, ((answer, -1),), -1)
    return shoe.never_left(answer) if isinstance(answer, Sealed) else shoe


def likely(state: State, number: int, at: int, at_ms: int = 0) -> list[Card]:
    """The cards that step `at` could have been instead, the likeliest first.

    Those that the shoe still holds and with which everything later still fits: first of the same
    suit and a neighbouring index, then of the same rank, then the rest.
    """
    told = entries(recalled(state, number).round, recalled(state, number).times_ms)
    read = told[at].answer if at < len(told) else None
    if not isinstance(read, Card) or told[at].kind not in (Deal, Reveal):
        raise NotCorrectable(f"Step {at + 1} is no card that lies open")
    found = []
    for kind in state.shoe.pack.kinds():
        if kind is not read:
            try:
                corrected(state, number, (Edit(at, EditKind.REPLACE, kind),), at_ms)
            except (NotCorrectable, Misfit):
                continue
            found.append(kind)
    return sorted(found, key=lambda kind: _unlike(read, kind))


def _unlike(read: Card, kind: Card) -> tuple[int, int]:
    apart = abs(int(kind.rank) - int(read.rank))
    if kind.rank is read.rank:
        return 0, 0
    return (1, apart) if kind.suit is read.suit else (2, apart)

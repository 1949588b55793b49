"""A round from its first bet to its last chip: what it adds to tallies and index. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from controller.odds.live.held import HeldRound, Holder
from controller.pit.archive.books.fold_state import FoldState, Rows, TallyKey, Values
from controller.pit.archive.hand_results import HandResult, hand_results
from controller.rules.actions import Bid
from controller.rules.engine.round import Run, Wagers
from controller.rules.script.steps import DECLINED, DONE, Answer, Misfit, Peeked
from controller.table.facts import (
    BetsClosed,
    CardDealt,
    CardDealtDown,
    CardTurned,
    DealerPeeked,
    Decided,
    DummyBegan,
    HandSettled,
    RoundCorrected,
    WagerAdded,
    WagerDeclined,
)
from controller.table.facts.round import ENTERED_BY_HAND
from controller.table.recorded.round import RecordedOptions

#: After a longer time without a round the table stood idle: that is not played.
IDLE_MS: Final = 300_000
#: Of an expectation, in minor units.
THOUSANDTHS: Final = 1_000


class HolderFinder(Protocol):
    """Who holds a round against its expectation."""

    def holder(self, game: str, rules: str, options: RecordedOptions) -> Holder | None:
        """By a game, its revision (`blackjack/2`) and options; None where there is none."""


@dataclass(slots=True)
class RoundPlay:
    """A round in play. `key` is the row of tallies that it belongs to, `answers` its steps."""

    seq: int
    number: int
    began_ms: int
    key: TallyKey
    dummy: bool
    wagers: Wagers
    game: str
    rules: str
    options: RecordedOptions
    seats: int
    buy_ins: bool
    answers: list[Answer] = field(default_factory=list)
    hands: list[HandResult] = field(default_factory=list)
    untracked: bool = False

    @classmethod
    def begun(
        cls, seq: int, at_ms: int, fact: BetsClosed | DummyBegan, state: FoldState
    ) -> RoundPlay:
        """The round that a fact begins."""
        wagers = fact.wagers if isinstance(fact, BetsClosed) else ((fact.seat, 0),)
        return cls(
            seq, fact.number, at_ms, state.key(at_ms)._replace(game=fact.game),
            isinstance(fact, DummyBegan), wagers, fact.game, f"{fact.game}/{fact.revision}",
            fact.options, state.seats, state.buy_ins,
            untracked=any(amount is None for _, amount in wagers),
        )  # fmt: skip

    def step(self, fact: Any, rows: Rows) -> None:
        """Take a step of it."""
        self.answers.append(_ANSWERS[type(fact)](fact))
        self.hands += hand_results(fact)
        if isinstance(fact, CardDealt | CardTurned):
            rows.cards.add((fact.card.code, self.began_ms, self.seq, fact.seat))
        if isinstance(fact, CardDealt | CardDealtDown):
            tally = rows.tally(self.key)
            tally["cards"] += 1
            tally["by_hand"] += fact.source == ENTERED_BY_HAND
        elif isinstance(fact, WagerAdded) and fact.amount is None:
            self.untracked = True

    def corrected(self, fact: RoundCorrected, rows: Rows) -> None:
        """What was played so far was played otherwise."""
        self.wagers = fact.wagers
        self.untracked = any(amount is None for _, amount in fact.wagers)
        self.answers = [each.answer for each in fact.steps]
        for each in fact.steps:
            if each.card is not None:
                rows.cards.add((each.card.code, self.began_ms, self.seq, each.seat))

    def ended(
        self, at_ms: int, net: int, state: FoldState, rows: Rows, holders: HolderFinder
    ) -> None:
        """It is over: add it up, and hold it against its expectation."""
        tally = rows.tally(self.key)
        tally["played_ms"] += played_ms(self.began_ms, at_ms, state.ended_ms)
        if self.dummy:
            tally["dummies"] += 1
            return
        tally["rounds"] += 1
        tally["bought_rounds"] += self.buy_ins
        tally["seats"] += len(self.wagers)
        tally["places"] += max(self.seats, len(self.wagers))
        tally["hands"] += len(self.hands)
        tally["net"] += net
        self._index(rows)
        held = self._held(net, holders)
        for name, figure in self._worth(held).items():
            tally[name] += figure
        if held is not None:
            state.watch = state.watch.after(held, self.key.dealer)

    def worth(self, net: int, holders: HolderFinder) -> Values:
        """What it adds to the figures of wagers and theory, once it is over with that net."""
        return {} if self.dummy else self._worth(self._held(net, holders))

    def _worth(self, held: HeldRound | None) -> Values:
        found = {
            "untracked": int(self.untracked),
            "wagered": sum(amount or 0 for _, amount in self.wagers),
        }
        if held is not None:
            found |= {
                "held_rounds": 1, "held_wagered": held.wagered, "held_net": held.net,
                "mistakes": round(held.cost * THOUSANDTHS),
                "theory": round(-(held.expected + held.cost) * THOUSANDTHS),
            }  # fmt: skip
        return found

    def voided(self, at_ms: int, state: FoldState, rows: Rows) -> None:
        """It is void."""
        tally = rows.tally(self.key)
        tally["void"] += 1
        tally["played_ms"] += played_ms(self.began_ms, at_ms, state.ended_ms)
        self._index(rows)

    def _index(self, rows: Rows) -> None:
        """Note its amounts, by which people look for it."""
        of_seat: dict[int, int] = {}
        for hand in self.hands:
            for amount in (hand.wager, hand.net):
                self._amount(rows, hand.seat, amount)
            of_seat[hand.seat] = of_seat.get(hand.seat, 0) + (hand.net or 0)
        for seat, amount in (*self.wagers, *of_seat.items()):
            self._amount(rows, seat, amount)

    def _amount(self, rows: Rows, seat: int, amount: int | None) -> None:
        if amount:
            rows.amounts.add((abs(amount), self.began_ms, self.seq, seat))

    def _held(self, net: int, holders: HolderFinder) -> HeldRound | None:
        """The round against its expectation; None where there is none."""
        if self.untracked:
            return None  # its net lacks what nobody entered
        holder = holders.holder(self.game, self.rules, self.options)
        if holder is None:
            return None
        run = Run(holder.game, self.wagers)
        try:
            for answer in self.answers:
                run.feed(answer)
        except Misfit:
            return None  # `tablectl verify` says so of a record
        return holder.held(run, self.wagers, net)


def played_ms(began_ms: int, ended_ms: int, before_ms: int) -> int:
    """From the end of the round before; where that was long ago, the round alone."""
    since_ms = before_ms if began_ms - before_ms <= IDLE_MS else began_ms
    # A clock that was put back makes no time below zero.
    return max(0, ended_ms - since_ms)


def _decided(fact: Decided) -> Answer:
    return fact.action if fact.amount is None else Bid(fact.action, fact.amount)


def _card(fact: CardDealt | CardDealtDown | CardTurned) -> Answer:
    return fact.card


_ANSWERS: Final[dict[type, Callable[[Any], Answer]]] = {
    CardDealt: _card, CardDealtDown: _card, CardTurned: _card, Decided: _decided,
    DealerPeeked: lambda fact: Peeked(fact.natural), WagerAdded: lambda _: DONE,
    WagerDeclined: lambda _: DECLINED, HandSettled: lambda _: DONE,
}  # fmt: skip

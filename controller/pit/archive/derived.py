"""What follows from records: rounds, hands, holds, money, people. Pure; never a table's state.

Facts carry all their consequences, so that no rule is applied here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from controller.pit.archive.hand_results import STEPS, hand_results
from controller.table.facts import (
    BetsClosed,
    DayOpened,
    DealerChanged,
    DirectoryInstalled,
    DummyBegan,
    HoldRaised,
    HoldReleased,
    Record,
    RoundCorrected,
    RoundEnded,
    RoundVoided,
    ServiceStarted,
    SettledRoundVoided,
    TableOpened,
)
from controller.table.roles import Person

Values = dict[str, Any]
"""The columns of a row."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the next record is read with: the day, dealer, game and round that it belongs to."""

    software: str = ""
    game: str = ""
    day: str = ""
    dealer: str = ""
    round: int = 0


@dataclass(slots=True)
class Derived:
    """Rows that records of one table add, by the table of the archive, and changes to rows.

    `rounds` and `holds` are by their number; a change is of a row that an earlier commit wrote.
    """

    context: Context
    rounds: dict[int, Values] = field(default_factory=dict)
    holds: dict[int, Values] = field(default_factory=dict)
    round_changes: list[tuple[int, Values]] = field(default_factory=list)
    hold_changes: list[tuple[int, Values]] = field(default_factory=list)
    hands: list[Values] = field(default_factory=list)
    money: list[Values] = field(default_factory=list)
    people: list[Values] = field(default_factory=list)
    directories: list[Values] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Take the next record."""
        apply = _APPLY.get(type(record.fact))
        if apply is not None:
            apply(self, record, record.fact)
        by: tuple[Person, ...] = getattr(record.fact, "by", ())
        for place, person in enumerate(by):
            self._did(record, place, person.id, person.role.value)

    def _did(self, record: Record, place: int, person: str, role: str) -> None:
        act = type(record.fact).__name__
        self.people.append(
            {"seq": record.seq, "place": place, "person": person, "role": role, "act": act,
             "at_ms": record.at_ms}
        )  # fmt: skip

    def _pay(self, record: Record, round_: int, kind: str, paid: list[tuple[int, int]]) -> None:
        for place, (seat, amount) in enumerate(paid):
            self.money.append(
                {"seq": record.seq, "place": place, "round": round_, "day": self.context.day,
                 "seat": seat, "kind": kind, "amount": amount}
            )  # fmt: skip

    def _change_round(self, number: int, values: Values) -> None:
        if number in self.rounds:
            self.rounds[number].update(values)
        else:
            self.round_changes.append((number, values))

    def opened(self, _record: Record, fact: TableOpened) -> None:
        """The table runs by a setup."""
        self.context = replace(self.context, game=fact.setup.game)

    def started(self, _record: Record, fact: ServiceStarted) -> None:
        """A build of the software came up."""
        self.context = replace(self.context, software=fact.software)

    def day_opened(self, _record: Record, fact: DayOpened) -> None:
        """A gaming day begins."""
        self.context = replace(self.context, day=fact.label)

    def dealer(self, record: Record, fact: DealerChanged) -> None:
        """Another dealer took over."""
        self.context = replace(self.context, dealer=fact.person)
        if fact.person:
            self._did(record, 0, fact.person, "dealer")

    def directory(self, record: Record, fact: DirectoryInstalled) -> None:
        """Another directory says who may act."""
        self.directories.append(
            {"seq": record.seq, "serial": fact.serial, "digest": fact.digest,
             "roster": fact.roster, "people": fact.people, "good_until_ms": fact.good_until_ms,
             "at_ms": record.at_ms}
        )  # fmt: skip

    def begins(self, record: Record, fact: BetsClosed | DummyBegan) -> None:
        """A round begins."""
        wagers = fact.wagers if isinstance(fact, BetsClosed) else ()
        self.context = replace(self.context, round=fact.number)
        self.rounds[fact.number] = {
            "seq": record.seq, "number": fact.number, "day": self.context.day, "game": fact.game,
            "dealer": self.context.dealer, "began_ms": record.at_ms, "ended_ms": None,
            "dummy": isinstance(fact, DummyBegan), "void": False, "corrections": 0,
            "wagered": sum(amount or 0 for _, amount in wagers), "net": None,
        }  # fmt: skip

    def stepped(self, record: Record, fact: Any) -> None:
        """A step of a round, by which hands may have come out."""
        results = hand_results(fact)
        self.hands += (
            {"seq": record.seq, "round": self.context.round, "seat": each.seat, "hand": each.hand,
             "outcome": each.outcome.value, "wager": each.wager, "net": each.net}
            for each in results
        )  # fmt: skip
        paid = [(each.seat, each.net) for each in results if each.net is not None]
        self._pay(record, self.context.round, "settled", paid)

    def ended(self, record: Record, fact: RoundEnded) -> None:
        """A round is over."""
        self._change_round(fact.number, {"ended_ms": record.at_ms, "net": fact.net})

    def voided(self, record: Record, fact: RoundVoided) -> None:
        """The round in play is void."""
        self._change_round(fact.number, {"ended_ms": record.at_ms, "net": 0, "void": True})
        self._pay(record, fact.number, "void", list(fact.owed))

    def voided_later(self, record: Record, fact: SettledRoundVoided) -> None:
        """A round that was over is void."""
        self._change_round(fact.number, {"net": 0, "void": True})
        self._pay(record, fact.number, "void", list(fact.owed))

    def corrected(self, record: Record, fact: RoundCorrected) -> None:
        """A round was played otherwise."""
        known = self.rounds.get(fact.number)
        values: Values = {"net": fact.net, "wagered": sum(each[1] or 0 for each in fact.wagers)}
        if known is not None:
            known.update(values, corrections=known["corrections"] + 1)
        else:
            self.round_changes.append((fact.number, {**values, "corrections": 1}))
        self._pay(record, fact.number, "correction", list(fact.owed))

    def raised(self, record: Record, fact: HoldRaised) -> None:
        """The table stops."""
        self.holds[fact.number] = {
            "seq": record.seq, "number": fact.number, "reason": fact.reason.value,
            "round": fact.round, "began_ms": record.at_ms, "released_ms": None, "resolution": "",
        }  # fmt: skip

    def released(self, record: Record, fact: HoldReleased) -> None:
        """A hold was settled."""
        values = {"released_ms": record.at_ms, "resolution": fact.resolution.value}
        if fact.number in self.holds:
            self.holds[fact.number].update(values)
        else:
            self.hold_changes.append((fact.number, values))


_APPLY: Final[dict[type, Any]] = {
    **dict.fromkeys(STEPS, Derived.stepped),
    TableOpened: Derived.opened, ServiceStarted: Derived.started, DayOpened: Derived.day_opened,
    DealerChanged: Derived.dealer, BetsClosed: Derived.begins, DummyBegan: Derived.begins,
    RoundEnded: Derived.ended, RoundVoided: Derived.voided,
    SettledRoundVoided: Derived.voided_later, RoundCorrected: Derived.corrected,
    DirectoryInstalled: Derived.directory,
    HoldRaised: Derived.raised, HoldReleased: Derived.released,
}  # fmt: skip

"""What was found out of a span of days."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.record.files.head_anchor import NOTHING, Position
from controller.table.decide.judge import NotCarried


@dataclass(slots=True)
class Audit:
    """What was found out of a span of days: how far it is whole, and what is wrong, in words.

    `days` are the labels of those that were read, `after` is the last record before the first of
    them (number 0: the table's first day), `head` the last whole one. `rounds` is how many rounds
    were played in them. `signed` are the closed days whose signature holds, `unsigned` those that
    have none yet. `opened` are the days whose openings were checked, `lost` is how many of
    these are known to be lost. `anchored`: the head anchor says that nothing comes after it.
    `not_judged` are the revisions of rules that this build does not carry: their records hold by
    the chain, and were not judged. `missing_before`: days before the first are not here, nobody
    asked for a later beginning, and no record says that they were removed. `doubts` are those of
    the `problems` that are about what stands in a whole chain: nothing is damaged by them.
    """

    days: list[str] = field(default_factory=list)
    after: Position = NOTHING.mark
    head: Position = NOTHING.mark
    rounds: int = 0
    signed: list[str] = field(default_factory=list)
    unsigned: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    lost: int = 0
    anchored: bool = False
    problems: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    not_judged: tuple[NotCarried, ...] = ()
    missing_before: bool = False

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    @property
    def damaged(self) -> str:
        """The first problem that is damage; empty if none is."""
        return next((each for each in self.problems if each not in self.doubts), "")

    def doubt(self, text: str) -> None:
        """Note what stands in a whole chain, and does not follow."""
        self.problems.append(text)
        self.doubts.append(text)

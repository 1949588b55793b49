"""Who deals at a table when: the rota of a few tables with one dealer more than tables (pure).

At every step one table is relieved, the next one in turn, by whoever was relieved at the table
before: everybody deals at each table in turn, and has a break of a step before the next one. All
tables of a machine read the same clock, so that nobody deals at two of them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rota:
    """This table's place (`table`, from 0) among `tables` that share their dealers, and how long a
    step takes, in seconds of the clock on the wall.
    """

    table: int
    tables: int
    step_s: float

    def dealer(self, now_s: float) -> int:
        """Which of the `tables` + 1 dealers deals here at that time, from 0."""
        step = int(now_s // self.step_s)
        relieved = step - (step - self.table) % self.tables
        return (relieved - 1) % (self.tables + 1)

    @property
    def shift_s(self) -> float:
        """How long a dealer is at one table, in seconds."""
        return self.step_s * self.tables

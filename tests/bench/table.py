"""Samples, and how they are printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BenchLine:
    """One row of the table: what was measured, the figures, and the figure to reach."""

    what: str
    median: str
    p99: str = ""
    goal: str = ""
    reached: bool | None = None


def quantile(samples: Sequence[float], share: float) -> float:
    """The value below which `share` of the samples lie."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def microseconds(seconds: float) -> str:
    """A duration for the table."""
    return f"{seconds * 1e6:,.0f} µs"


def print_table(lines: Sequence[BenchLine]) -> None:
    """Print the rows in columns."""
    head = BenchLine("measured", "median", "p99", "figure to reach")
    columns = [
        (each.what, each.median, each.p99, each.goal, _mark(each)) for each in (head, *lines)
    ]
    widths = [max(len(row[at]) for row in columns) for at in range(4)]
    for number, row in enumerate(columns):
        cells = [row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].rjust(widths[2])]
        print("  ".join([*cells, row[3].ljust(widths[3]), row[4]]).rstrip())
        if number == 0:
            print("-" * (sum(widths) + 6))


def _mark(line: BenchLine) -> str:
    return "" if line.reached is None else "reached" if line.reached else "NOT reached"

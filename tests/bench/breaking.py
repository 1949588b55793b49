"""How fast virtual time goes in the breaking world."""

from __future__ import annotations

from tests.bench.table import BenchLine
from tests.endurance.breaking.order import RunOrder
from tests.endurance.breaking.run import run

GOAL_TIMES = 1_000
HOURS = 1.0


def lines() -> list[BenchLine]:
    """Times real time by the processor's clock, calm and with everything that breaks."""
    return [
        _line("21-24-27, nothing goes wrong", RunOrder(1, "21-24-27", HOURS, calm=True)),
        _line("21-24-27, faults and kills", RunOrder(1, "21-24-27", HOURS, crashes=True)),
    ]


def _line(what: str, order: RunOrder) -> BenchLine:
    outcome = run(order)
    assert not outcome.problem, outcome.problem
    return BenchLine(
        f"breaking world, {what}",
        f"{outcome.times_real:,.0f} times real time",
        goal=f"{GOAL_TIMES:,} times",
        reached=outcome.times_real >= GOAL_TIMES,
    )

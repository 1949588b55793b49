"""Figures of the same kind side by side: a row for each game, scanner and kind of lights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from tests.hil.results.measure import DeclaredMeasurement, MeasurementVerdict, number
from tests.hil.results.run_record import TestRecord

#: Units of time: their figures have a table of their own, beside those that are counted.
TIMES: Final = ("ms", "s")


def glance(suite: str, tests: Iterable[TestRecord]) -> str:
    """The tables of a suite whose figures say of what they are; nothing where none does."""
    figures = [each for test in tests for each in test.measure.declared if each.of]
    counts = [each for each in figures if each.unit not in TIMES]
    times = [each for each in figures if each.unit in TIMES]
    return "".join(
        _table(f"{suite.capitalize()}, {name}", each)
        for name, each in (("counted", counts), ("times", times))
        if each
    )


def _table(title: str, figures: Sequence[DeclaredMeasurement]) -> str:
    kinds = list(dict.fromkeys(each.kind for each in figures))
    found = {(each.of, each.kind): each for each in figures}
    limits = {kind: {each.limits for each in figures if each.kind == kind} for kind in kinds}
    units = {each.kind: each.unit for each in figures}
    heads = "".join(
        f'<th class="n">{escape(kind)}{_small(_limit(units[kind], limits[kind]))}</th>'
        for kind in kinds
    )
    rows = "".join(
        f"<tr><td>{escape(of)}</td>"
        + "".join(_cell(found.get((of, kind)), len(limits[kind]) > 1) for kind in kinds)
        + "</tr>"
        for of in dict.fromkeys(each.of for each in figures)
    )
    return (
        f'<div class="glance"><table><caption>{escape(title)}</caption>'
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _limit(unit: str, limits: set[str]) -> str:
    """A head's second line: the unit where it is one of time, and the limit that all have."""
    said = next(iter(limits)) if len(limits) == 1 else ""
    return " ".join(filter(None, (unit if unit in TIMES else "", said)))


def _cell(one: DeclaredMeasurement | None, own_limit: bool) -> str:
    if one is None:
        return '<td class="n"></td>'
    value = "" if one.value is None else number(one.value)
    limit = _small(one.limits) if own_limit else ""
    if one.verdict is MeasurementVerdict.WITHIN:
        return f'<td class="n">{value}{limit}</td>'
    tone = "bad" if one.verdict is MeasurementVerdict.OUTSIDE else "wait"
    return f'<td class="n {tone}"><b>{value}</b>{_small(one.verdict.value)}{limit}</td>'


def _small(text: str) -> str:
    return f"<small>{escape(text)}</small>" if text else ""

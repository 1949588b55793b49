"""The report of a run as one HTML file that needs nothing else: figures, pin traces, pictures."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from datetime import datetime
from html import escape
from typing import Any, Final

from tests.hil.results.glance import glance
from tests.hil.results.measure import DeclaredMeasurement, MeasurementVerdict, number
from tests.hil.results.run_record import Picture, RunRecord, TestRecord, Trace, verdict_of

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1c2024; --dim: #5c6670; --line: #d5dae0; --paper: #fff;
  --sheet: #f5f7f9; --good: #156b3a; --bad: #b3261e; --wait: #8a5a00; --high: #1f5fbf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --dim: #9aa4ae; --line: #39424b;
  --paper: #14181c; --sheet: #1c2227; --good: #6fcf97; --bad: #ff8a80; --wait: #f2c14e;
  --high: #7fb0ff; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: var(--ink);
  background: var(--paper); }
main { max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; font-weight: 600; }
.verdict { font-size: 1.1rem; font-weight: 600; margin: .25rem 0 1.25rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .wait { color: var(--wait); }
.dim { color: var(--dim); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; } th { font-weight: 600; color: var(--dim); font-size: .85rem; }
.about td:last-child { overflow-wrap: anywhere; }
td.n { text-align: right; white-space: nowrap; } th.n { text-align: right; }
section.test { border: 1px solid var(--line); border-radius: .5rem; padding: .9rem 1rem;
  margin: .75rem 0; background: var(--sheet); overflow-x: auto; }
section.test header { display: flex; gap: 1rem; align-items: baseline; margin-bottom: .4rem; }
section.test header span:last-child { margin-left: auto; white-space: nowrap; }
.glance { overflow-x: auto; margin: 1.25rem 0; }
.glance caption { text-align: left; font-weight: 600; }
.glance th { vertical-align: bottom; min-width: 4.5rem; } .glance td.n { white-space: nowrap; }
.glance th:first-child { min-width: 17rem; }
.glance small { display: block; font-weight: 400; color: var(--dim); }
.bad small, .wait small { color: inherit; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; margin: .5rem 0;
  max-height: 24rem; overflow-y: auto; }
figure { margin: 1rem 0 0; } figcaption { font-size: .9rem; color: var(--dim); }
img { max-width: 100%; border: 1px solid var(--line); }
svg text { fill: var(--ink); font: 12px "DejaVu Sans", sans-serif; }
svg .axis { stroke: var(--line); }
svg .level { stroke: var(--high); stroke-width: 1.5; fill: none; }
svg .mark { stroke: var(--bad); stroke-dasharray: 4 3; } svg .markname { fill: var(--bad); }
svg .tick { fill: var(--dim); }
details > summary { cursor: pointer; color: var(--dim); }
figure.trace { overflow-x: auto; } figure.trace svg { min-width: 40rem; }
@media (max-width: 44rem) { .figures thead { display: none; }
  .figures tr { display: flex; flex-wrap: wrap; gap: 0 .6rem; padding: .4rem 0;
    border-bottom: 1px solid var(--line); } .figures td { border: 0; padding: 0; }
  .figures td.what { flex-basis: 100%; font-weight: 600; } .figures td.n { text-align: left; }
  section.test header { flex-wrap: wrap; gap: 0 1rem; }
  .glance th:first-child { min-width: 8rem; } }
@media print { section.test { break-inside: avoid; } }
"""
_TONES: Final = {
    "passed": "good", "failed": "bad", "skipped": "dim", "not measured": "wait", "not run": "wait",
}  # fmt: skip
#: How a verdict is called, where its own name is pytest's.
_CALLED: Final = {"skipped": "not shown"}
_ROW, _HIGH, _LEFT, _WIDE, _TOP = 26, 14, 130, 980, 34


def html(run: RunRecord) -> str:
    """The whole report."""
    tests = "".join(_suite(name, run.tests) for name in dict.fromkeys(t.suite for t in run.tests))
    title = f"Bench {run.bench}, {_moment(run.began)}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        f'</title><meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body><main><h1>{escape(title)}</h1>{_verdict(run)}{_summary(run)}{tests}"
        f"<h2>The bench</h2>{_about(run.about)}</main></body></html>\n"
    )


def _moment(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M UTC")


def _verdict(run: RunRecord) -> str:
    counts = [verdict_of(each) for each in run.tests]
    said = ", ".join(
        f"{counts.count(each)} {_CALLED.get(each, each)}" for each in _TONES if each in counts
    )
    wrong = "".join(
        f'<li>{escape(each.suite)}: <a href="#{_anchor(each)}">{escape(each.name)}</a>'
        f"{''.join(f'<br>{escape(str(bad))}' for bad in each.measure.bad)}</li>"
        for each, verdict in zip(run.tests, counts, strict=True)
        if verdict not in ("passed", "skipped") or each.measure.bad
    )
    wrong += "".join(f"<li>the table: {escape(each)}</li>" for each in run.not_recorded)
    tone, word = ("good", "Everything that was measured is within its limits") if run.good else (
        "bad", "Not everything is as it should be")  # fmt: skip
    how = "simulated: no hardware was measured" if run.simulated else "on hardware"
    return (
        f'<p class="verdict {tone}">{word}.</p>{f"<ul>{wrong}</ul>" if wrong else ""}'
        f'<p class="dim">{escape(said)}; {how}.'
        " A figure that was declared and not taken counts as not measured, never as fine.</p>"
    )


def _summary(run: RunRecord) -> str:
    """All figures: what is wrong first, then side by side what is of the same kind."""
    declared = [(test, each) for test in run.tests for each in test.measure.declared]
    wrong = [one for one in declared if one[1].verdict is not MeasurementVerdict.WITHIN]
    alone = [one for one in declared if not one[1].of and one not in wrong]
    tables = "".join(
        _figures(
            "".join(f"<tr><td>{escape(test.suite)}</td>{_cells(each)}</tr>" for test, each in some),
            first="<th>Suite</th>",
        )
        for some in (wrong, alone)
        if some
    )
    suites = dict.fromkeys(each.suite for each in run.tests)
    beside = "".join(
        glance(suite, [each for each in run.tests if each.suite == suite]) for suite in suites
    )
    return f"<h2>All figures</h2>{tables}{beside}" if declared else ""


def _figures(rows: str, first: str = "") -> str:
    head = f'<tr>{first}<th>Figure</th><th class="n">Value</th><th>Unit</th><th>Limit</th><th></th>'
    return f"<table class='figures'><thead>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(one: DeclaredMeasurement) -> str:
    tone = {MeasurementVerdict.WITHIN: "good", MeasurementVerdict.OUTSIDE: "bad"}.get(
        one.verdict, "wait"
    )
    value = "-" if one.value is None else number(one.value)
    return (
        f'<td class="what">{escape(one.name)}</td><td class="n">{value}</td>'
        f"<td>{escape(one.unit)}</td><td>{escape(one.limits)}</td>"
        f'<td class="{tone}">{one.verdict.value}</td>'
    )


def _suite(name: str, tests: Iterable[TestRecord]) -> str:
    ours = [each for each in tests if each.suite == name]
    plain = [each for each in ours if not _has_more(each) and each.outcome != "skipped"]
    rows = "".join(_alike(what, alike) for what, alike in _by_what(plain).items())
    table = f"<table><tbody>{rows}</tbody></table>" if rows else ""
    return (
        f"<h2>{escape(name.capitalize())}</h2>{''.join(map(_test, filter(_has_more, ours)))}{table}"
        f"{_not_shown(ours)}"
    )


def _by_what(tests: Iterable[TestRecord]) -> dict[tuple[str, str], list[TestRecord]]:
    """Tests that show the same of several devices, and came to the same."""
    found: dict[tuple[str, str], list[TestRecord]] = {}
    for each in tests:
        found.setdefault((each.name.partition(", ")[0], verdict_of(each)), []).append(each)
    return found


def _alike(what: tuple[str, str], tests: list[TestRecord]) -> str:
    """A row for them, with of what they show it folded away."""
    of = [each.name.partition(", ")[2] for each in tests]
    named = escape(what[0])
    if len(tests) > 1 or of[0]:
        listed = "".join(f"<li>{escape(each)}</li>" for each in of)
        named += f"<details><summary>of {len(tests)}</summary><ul>{listed}</ul></details>"
    took_s = sum(each.seconds for each in tests)
    return f'<tr><td>{named}</td><td>{_word(tests[0])}</td><td class="n">{took_s:.1f} s</td></tr>'


def _not_shown(tests: Iterable[TestRecord]) -> str:
    """What this bench could not show, by why: a row each, its tests folded away."""
    by_reason: dict[str, list[str]] = {}
    for each in tests:
        if each.outcome == "skipped" and not _has_more(each):
            by_reason.setdefault(each.why, []).append(each.name)
    rows = "".join(
        f"<details><summary>not shown: {escape(why)} ({len(names)})</summary>"
        f"<ul>{''.join(f'<li>{escape(name)}</li>' for name in names)}</ul></details>"
        for why, names in by_reason.items()
    )
    return f'<p class="dim">What this bench has no hands for:</p>{rows}' if rows else ""


def _anchor(test: TestRecord) -> str:
    return escape(f"{test.suite} {test.name}".replace(" ", "-"), quote=True)


def _has_more(test: TestRecord) -> bool:
    shown = test.measure.declared or test.traces or test.pictures or test.notes
    return bool(shown) or test.outcome == "failed"


def _word(test: TestRecord) -> str:
    word = verdict_of(test)
    return f'<span class="{_TONES[word]}">{_CALLED.get(word, word)}</span>'


def _test(test: TestRecord) -> str:
    took = f'<span class="dim">{test.seconds:.1f} s</span>'
    parts = [f"<header><h3>{escape(test.name)}</h3>{_word(test)}{took}</header>"]
    parts += [f"<p>{escape(each)}</p>" for each in test.notes]
    if test.measure.declared:
        parts.append(_figures("".join(f"<tr>{_cells(e)}</tr>" for e in test.measure.declared)))
    if test.why:
        parts.append(f"<pre>{escape(test.why)}</pre>")
    parts += map(_trace, test.traces)
    parts += map(_picture, test.pictures)
    return f'<section class="test" id="{_anchor(test)}">{"".join(parts)}</section>'


def _picture(picture: Picture) -> str:
    data = base64.b64encode(picture.png).decode()
    return (
        f'<figure><img alt="{escape(picture.title)}" src="data:image/png;base64,{data}">'
        f"<figcaption>{escape(picture.title)}</figcaption></figure>"
    )


def _trace(trace: Trace) -> str:
    """Levels over time, a row for each line; a name and a dashed line for each mark."""
    times = [each.at_ns for each in trace.edges] + [at for at, _ in trace.marks]
    if not times:
        return f"<figure><figcaption>{escape(trace.title)}: no edge</figcaption></figure>"
    first, last = min(times), max(times)
    margin = max((last - first) // 20, 1_000)
    first, last = first - margin, last + margin
    high = _TOP + _ROW * len(trace.lines) + 24

    def x(at_ns: int) -> float:
        return _LEFT + (_WIDE - _LEFT - 10) * (at_ns - first) / (last - first)

    drawn = [
        *_rows(trace, x, last),
        *_marks(trace, x, high),
        *_ticks(first + margin, last - margin, x, high),
    ]
    title = escape(trace.title)
    return (
        f'<figure class="trace"><svg viewBox="0 0 {_WIDE} {high}" width="100%" role="img"'
        f' aria-label="{title}">'
        f"{''.join(drawn)}</svg><figcaption>{title}</figcaption></figure>"
    )


def _rows(trace: Trace, x: Any, last: int) -> Iterator[str]:
    for at, line in enumerate(trace.lines):
        low = _TOP + _ROW * (at + 1) - 6
        edges = [each for each in trace.edges if each.line == line]
        level = 1 - edges[0].level if edges else 0
        path = [f"M{_LEFT} {low - _HIGH * level}"]
        for each in edges:
            path.append(f"H{x(each.at_ns):.1f}V{low - _HIGH * each.level}")
        path.append(f"H{x(last):.1f}")
        yield f'<text x="{_LEFT - 10}" y="{low - 2}" text-anchor="end">{escape(line)}</text>'
        yield f'<line class="axis" x1="{_LEFT}" x2="{_WIDE - 10}" y1="{low + 3}" y2="{low + 3}"/>'
        yield f'<path class="level" d="{"".join(path)}"/>'


def _marks(trace: Trace, x: Any, high: int) -> Iterator[str]:
    for at, (at_ns, name) in enumerate(sorted(trace.marks)):
        where, side = x(at_ns), "start" if x(at_ns) < _WIDE - 200 else "end"
        yield f'<line class="mark" x1="{where:.1f}" x2="{where:.1f}" y1="8" y2="{high - 22}"/>'
        shift = 5 if side == "start" else -5
        yield (
            f'<text class="markname" x="{where + shift:.1f}" y="{14 + 13 * (at % 2)}"'
            f' text-anchor="{side}">{escape(name)}</text>'
        )


def _ticks(first: int, last: int, x: Any, high: int) -> Iterator[str]:
    unit, name = next(
        (each for each in ((1_000_000_000, "s"), (1_000_000, "ms")) if last - first >= each[0]),
        (1_000, "µs"),
    )
    for share in range(5):
        at = first + (last - first) * share // 4
        anchor = "start" if share == 0 else "end" if share == 4 else "middle"
        yield (
            f'<text class="tick" x="{x(at):.1f}" y="{high - 6}" text-anchor="{anchor}">'
            f"{number(round((at - first) / unit, 2))} {name}</text>"
        )


def _about(about: dict[str, Any]) -> str:
    rows = []
    for part, said in about.items():
        for at, (name, value) in enumerate(said.items()):
            shown = escape(str(value))
            if "\n" in shown:
                lines = shown.count("\n") + 1
                shown = f"<details><summary>{lines} lines</summary><pre>{shown}</pre></details>"
            once = "" if at else escape(part)
            rows.append(f"<tr><td>{once}</td><td>{escape(name)}</td><td>{shown}</td></tr>")
    return f'<table class="about"><tbody>{"".join(rows)}</tbody></table>'

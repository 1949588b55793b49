"""What a run leaves behind, and that no bad figure looks fine in it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.hil.results.measure import MeasurementVerdict
from tests.hil.results.report import html
from tests.hil.results.run_record import RunRecord, TestRecord
from tests.hil.rig.rig_client import RigEdge
from tests.pages.conftest import ARGS, browser_path

TOLD = {
    "build": (0, "0.3.1+4f2c9a01"), "devices": (0, "a scanner"), "firmware": (0, "2026-11-01"),
    "temperature": (0, "51.1'C"), "dmesg": (0, "one\ntwo <b>"),
}  # fmt: skip
PNG = b"\x89PNG\r\n\x1a\n picture"


@pytest.fixture
def run() -> RunRecord:
    made = RunRecord("bench-1", False, datetime(2026, 11, 22, 12, tzinfo=UTC))
    made.tell_of_table(TOLD)
    test = TestRecord("latency", "cards are answered", "passed", seconds=3.2)
    test.measure("scan to lamp", unit="ms", at_most=20).take(4.25)
    ms = 1_000_000
    edges = [
        RigEdge(0, "lamp1_red", 1),
        RigEdge(ms, "lamp1_red", 0),
        RigEdge(2 * ms, "lamp2_red", 1),
    ]
    test.trace("A card", ["lamp1_red", "lamp2_red"], edges, [(ms, "last bit")])
    test.picture("As grabbed", PNG)
    made.tests.append(test)
    return made


def test_a_run_whose_figures_are_all_within_limits_is_good(run: RunRecord) -> None:
    assert run.good
    shown = html(run)
    assert "Everything that was measured is within its limits." in shown
    assert "on hardware" in shown


@pytest.mark.parametrize("bad", ["outside", "not measured", "failed", "nothing"])
def test_a_run_with_anything_else_is_not(run: RunRecord, bad: str) -> None:
    if bad == "outside":
        run.tests[0].measure("dark cards", unit="cards", at_most=0).take(1)
    elif bad == "not measured":
        run.tests[0].measure("dark cards", unit="cards", at_most=0)
    elif bad == "failed":
        run.tests[0].outcome = "failed"
    else:
        run.tests.clear()
    assert not run.good
    shown = html(run)
    assert "Everything" not in shown
    assert "Not everything is as it should be." in shown


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({}, "nobody asked"),
        ({"temperature": (0, " \n")}, "its command said nothing"),
        ({"temperature": (255, "VCHI initialization failed")}, "its command ended with 255"),
    ],
)
def test_a_run_of_which_nobody_can_say_what_was_measured_is_not_good(
    run: RunRecord, tmp_path: Path, told: dict[str, tuple[int, str]], why: str
) -> None:
    run.tell_of_table({**{k: v for k, v in TOLD.items() if k != "temperature"}, **told})
    assert not run.good
    assert run.not_recorded == [f"temperature not recorded: {why}"]
    shown = html(run)
    assert "Not everything is as it should be." in shown
    assert f"the table: temperature not recorded: {why}" in shown
    run.write(tmp_path)
    record = json.loads((tmp_path / "record.json").read_text())
    assert (record["good"], record["not_recorded"]) == (False, run.not_recorded)


def test_a_figure_that_was_not_taken_says_so_where_its_test_passed(run: RunRecord) -> None:
    run.tests[0].measure("dark cards", unit="cards", at_most=0)
    shown = html(run)
    assert shown.count(MeasurementVerdict.NOT_MEASURED.value) >= 3  # summary, figure, test
    assert "0 passed" not in shown


def test_what_is_wrong_is_read_first_and_with_its_figure(run: RunRecord) -> None:
    run.tests[0].measure("dark cards", unit="cards", at_most=0).take(3)
    shown = html(run)
    verdict, _, figures = shown.partition("All figures")
    assert "dark cards: 3 cards outside limits (at most 0 cards)" in verdict
    assert figures.index("dark cards") < figures.index("scan to lamp")


def test_what_is_shown_of_every_device_is_one_row(run: RunRecord) -> None:
    for device in ("scanner", "camera"):
        run.tests.append(TestRecord("contracts", f"it closes, {device}", "passed", seconds=1.5))
    run.tests.append(TestRecord("contracts", "it closes, pedal", "not run"))
    run.tests.append(TestRecord("contracts", "alone", "passed", seconds=0.5))
    contracts = html(run).partition("<h2>Contracts</h2>")[2].partition("<h2>")[0]
    rows = re.findall(r"<tr>.*?</tr>", contracts)
    assert len(rows) == 3
    assert "of 2</summary><ul><li>scanner</li><li>camera</li></ul>" in rows[0]
    assert '<td class="n">3.0 s</td>' in rows[0]
    assert "not run" in rows[1]
    assert "<details" not in rows[2]


def test_what_is_of_the_same_kind_stands_side_by_side(run: RunRecord) -> None:
    """Of three hundred figures one below the other nobody sees that one scanner is slow."""
    for game, ms, most in (("blackjack", 4.5, 20), ("finnish-27", 31.0, 40)):
        test = TestRecord("table", f"rounds, {game}", "passed")
        test.measure("rounds that agree", of=game, unit="rounds", at_least=20).take(20)
        test.measure("scan to lamp, p50", of=game, unit="ms", at_most=most).take(ms)
        test.measure("call to the last spot", of=game, unit="ms", at_most=50).take(7)
        run.tests.append(test)
    run.tests[-1].measure("stands by the button", of="finnish-27", unit="stands", at_least=1)
    shown = html(run).partition("All figures")[2].partition("<h2>")[0]
    counts, times = re.findall(r'<div class="glance">.*?</div>', shown)
    rows = re.findall(r"<tr>.*?</tr>", counts)
    assert [re.sub("<[^>]+>", "|", each).count("20") for each in rows] == [1, 1, 1]
    assert "rounds that agree<small>at least 20</small>" in rows[0]
    assert rows[1].endswith('<td class="n"></td></tr>'), "nobody asked for its stands"
    assert 'wait"><b></b><small>not measured</small>' in rows[2]
    # A limit that differs stands with its figure, one that all have in the head.
    assert "scan to lamp, p50<small>ms</small>" in times
    assert "call to the last spot<small>ms at most 50</small>" in times
    assert '<td>blackjack</td><td class="n">4.5<small>at most 20</small></td>' in times
    assert "31<small>at most 40</small>" in times
    run.tests[-1].measure("press to lamp, p50", of="finnish-27", unit="ms", at_most=5).take(6)
    assert 'bad"><b>6</b><small>outside limits</small>' in html(run)


def test_the_report_needs_nothing_but_itself(run: RunRecord) -> None:
    shown = html(run)
    assert not re.search(r'(src|href)="(?!data:)', shown)
    assert "@import" not in shown
    assert "<script" not in shown
    assert 'src="data:image/png;base64,' in shown
    assert "two &lt;b&gt;" in shown


@pytest.mark.long
def test_on_a_telephone_nothing_of_it_is_wider_than_the_screen(
    run: RunRecord, tmp_path: Path
) -> None:
    for nth in range(12):
        run.tests[0].measure(f"kind {nth} of figures", of="a game", unit="s", at_most=1).take(nth)
    run.about["wires are"] = {"pins": f"/sys/kernel/config/{'gpio_sim' * 12} is not there"}
    (tmp_path / "report.html").write_text(html(run))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        try:
            page = browser.new_page(viewport={"width": 390, "height": 844})
            page.goto((tmp_path / "report.html").as_uri())
            wide = page.evaluate("document.documentElement.scrollWidth")
        finally:
            browser.close()
    assert wide == 390


def test_the_trace_is_drawn_with_its_levels_marks_and_time(run: RunRecord) -> None:
    (svg,) = re.findall(r"<svg.*?</svg>", html(run))
    assert svg.count('class="level"') == 2
    assert "last bit" in svg
    assert ">2 ms<" in svg
    # seat 1 goes up and down again: its row has one step up and one down after the start.
    first = re.findall(r'd="(M[^"]*)"', svg)[0]
    assert len(re.findall("V", first)) == 2


def test_the_record_has_every_value_limit_and_edge(run: RunRecord, tmp_path: Path) -> None:
    run.write(tmp_path)
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["good"]
    assert record["about"]["table"]["build"] == "0.3.1+4f2c9a01"
    (test,) = record["tests"]
    assert test["measurements"] == [
        {
            "name": "scan to lamp", "unit": "ms", "at_least": None, "at_most": 20, "value": 4.25,
            "verdict": "within limits",
        }
    ]  # fmt: skip
    assert test["traces"][0]["edges"] == [
        [0, "lamp1_red", 1], [1000, "lamp1_red", 0], [2000, "lamp2_red", 1],
    ]  # fmt: skip

"""The pit's figures for Prometheus, and the dashboard that is made of them."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from types import ModuleType

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy.exc import OperationalError

from controller import pit
from controller.pit import metrics as pit_metrics
from controller.pit.archive.findings.finding_rows import FindingRow
from controller.pit.archive.overview import ArchivedTable, Overview
from controller.pit.metrics import PitMetrics
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.tile import RecordFinding
from controller.pit.wall.wall import Wall
from controller.web import metrics as table_metrics
from controller.web.events import Viewers
from controller.web.metrics import Metrics
from controller.web.server.connections import Connections
from tests.web.desk import PlayedDesk

TABLE = ArchivedTable("T1", "blackjack", "2026-11-23", 7, 120, "ab", 1_000, 2_500, "0.1", 1)
GAP = FindingRow(1, "T1", "gap", 121, "records did not come", 1_000, 1_000, 1, None)
SETTLED = FindingRow(1, "T1", "clock", 0, "was off", 1_000, 1_000, 1, 2_000)


def figures(metrics: PitMetrics | Metrics) -> dict[tuple[str, ...], float]:
    """Every sample: its name and the values of its labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(metrics.text().decode())
        for sample in family.samples
    }


@pytest.fixture
def wall() -> Wall:
    made = Wall(WallSettings(), lambda: 5_000)
    made.expect(["T1", "T2"])
    made.find("T1", RecordFinding("a gap", 1_000))
    made.draw()
    return made


def test_they_say_what_tables_need_and_how_far_the_archive_is(wall: Wall) -> None:
    found = figures(PitMetrics(wall, lambda: Overview(3_000, "", True, (TABLE,), (GAP, SETTLED))))
    assert found["tablectl_pit_tables", "record"] == 1
    assert found["tablectl_pit_tables", "held"] == 0
    assert found["tablectl_pit_table_needs", "record", "T1"] == 1
    assert found["tablectl_pit_last_record", "T1"] == 120
    assert found["tablectl_pit_archived_seconds", "T1"] == 2.5
    assert found["tablectl_pit_findings_open", "gap"] == 1
    assert found["tablectl_pit_findings_open", "clock"] == 0
    up = [found["tablectl_pit_" + each,] for each in ("bus_up", "archives", "database_up")]
    assert up == [1, 1, 1]


def test_without_bus_or_database_they_say_so(wall: Wall) -> None:
    def away() -> Overview:
        raise OperationalError("select", {}, Exception("gone"))

    lost = figures(PitMetrics(wall, lambda: Overview(0, "the connection is lost", False, (), ())))
    assert lost["tablectl_pit_bus_up",] == 0
    assert lost["tablectl_pit_archives",] == 0
    gone = figures(PitMetrics(wall, away))
    assert gone["tablectl_pit_database_up",] == 0
    assert gone["tablectl_pit_tables", "record"] == 1
    assert ("tablectl_pit_bus_up",) not in gone


def test_the_dashboard_asks_for_figures_that_there_are(wall: Wall) -> None:
    """Of a pit, and of the tables that Prometheus reads beside it."""
    shown = PitMetrics(wall, lambda: Overview(0, "", True, (TABLE,), ()))
    tables = Metrics(PlayedDesk(), Viewers(10), Connections(10))
    known = {name for each in (shown, tables) for name, *_ in figures(each)}
    made = {each for each in known if each.startswith("tablectl_")}
    # Some are made now and then: of a house without people, say, there are none of PINs.
    known = declared(pit_metrics, "tablectl_pit_") | declared(table_metrics, "tablectl_")
    assert made <= known
    board = json.loads((Path(pit.__file__).parent / "grafana.json").read_text())
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    names = {name for each in asked for name in re.findall(r"\btablectl_\w+", each)}
    assert len(names) >= 8
    assert names <= known
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


#: Figures that no panel shows, and why.
LEFT_OUT = {
    "tablectl_simulated": "a table on simulated devices is no table of a pit",
    "tablectl_table_info": "names of tables: the wall has them, and Prometheus's own labels",
    "tablectl_phase": "what a table is at changes every few seconds: the wall shows it",
    "tablectl_waiting_since_seconds": "how long a table waits is on the wall, judged by its phase",
    "tablectl_last_record": "the archive's own number of it is shown",
    "tablectl_inputs_total": "rounds an hour say how much is played",
    "tablectl_start_time_seconds": "a table that started anew shows as offline, then not",
    "tablectl_viewers": "who looks at a table's pages is that table's matter",
    "tablectl_alarms": "those that nobody has acknowledged are shown, and since when all are",
    "tablectl_shoe_number": "the shoe is on the table's own page",
    "tablectl_shoe_cards": "the shoe is on the table's own page",
    "tablectl_shoe_cards_gone": "the shoe is on the table's own page",
    "tablectl_shoe_cards_cut": "the shoe is on the table's own page",
    "tablectl_shuffle_due": "the wall says it of each table",
    "tablectl_people_directory": "its number says nothing: until when it is good is shown",
    "tablectl_people_directories_taken_total": "what was refused is shown",
    "tablectl_day_wagered": "money is on /reports, where who may see it is asked",
}


def test_every_figure_is_on_a_panel_or_left_out_for_a_reason() -> None:
    of_pit, of_tables = declared(pit_metrics, "tablectl_pit_"), declared(table_metrics, "tablectl_")
    assert len(of_pit) >= 11
    assert len(of_tables) >= 40
    board = (Path(pit.__file__).parent / "grafana.json").read_text()
    shown = set(re.findall(r"\btablectl_\w+", board))
    missing = {each for each in of_pit | of_tables if each not in shown and each not in LEFT_OUT}
    assert missing == set(), "put it on a panel of grafana.json, or say why not in LEFT_OUT"
    assert set(LEFT_OUT) <= of_tables - shown


def declared(module: ModuleType, prefix: str) -> set[str]:
    """The names of all figures that a module makes, also of those that it makes now and then."""
    ends = {
        "_counter": "_total", "_gauge": "", "CounterMetricFamily": "_total",
        "GaugeMetricFamily": "", "InfoMetricFamily": "_info", "StateSetMetricFamily": "",
    }  # fmt: skip
    found = set()
    for call in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ends:
            name = call.args[0]
            if isinstance(name, ast.Constant):
                text = str(name.value)
                whole = text if text.startswith("tablectl_") else prefix + text
                found.add(whole + ends[call.func.id])
    return found

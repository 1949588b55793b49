"""The pit's figures for Prometheus, and the dashboard that is made of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy.exc import OperationalError

from controller import pit
from controller.pit.archive.finding_rows import FindingRow
from controller.pit.archive.overview import ArchivedTable, Overview
from controller.pit.metrics import PitMetrics
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.tile import RecordFinding
from controller.pit.wall.wall import Wall
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
    board = json.loads((Path(pit.__file__).parent / "grafana.json").read_text())
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    names = {name for each in asked for name in re.findall(r"\btablectl_\w+", each)}
    assert len(names) >= 8
    assert names <= known
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])

"""Health and figures: what a watchman and Prometheus read."""

from __future__ import annotations

from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from controller.table.inputs import Acknowledge
from tests.web.desk import PlayedDesk

pytestmark = pytest.mark.anyio

Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def figures(web: Any) -> Figures:
    """Every figure by its name and labels."""
    answer = await web.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        (sample.name.removeprefix("tablectl_"), tuple(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


async def test_a_table_on_record_is_well(desk: PlayedDesk, web: Any) -> None:
    answer = await web.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "seq": desk.pit.state.seq})


async def test_a_table_without_its_record_is_not(desk: PlayedDesk, web: Any) -> None:
    desk.stop()
    answer = await web.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {
        "ok": False, "why": "Table stopped: record not available: look at the service's log",
    }  # fmt: skip


async def test_a_lost_device_is_no_ill_health(desk: PlayedDesk, web: Any) -> None:
    desk.pit.scanner_down()
    assert (await web.get("/healthz")).status_code == 200


async def test_the_figures_are_the_tables(desk: PlayedDesk, web: Any) -> None:
    desk.pit.shuffle()
    desk.pit.bet(1)
    desk.pit.no_more_bets()
    desk.pit.deal("Kh 9c")
    found = await figures(web)
    assert found["records_total", ()] == len(desk.pit.records)
    assert found["last_record", ()] == desk.pit.state.seq
    assert found["inputs_total", ()] == 40
    assert found["refusals_total", ()] == 2
    assert found["commit_seconds_total", ()] == 0.5
    assert found["commit_seconds_max", ()] == 0.02
    assert found["shoe_cards", ()] == 324
    assert found["shoe_cards_gone", ()] == 3
    assert found["shoe_cards_cut", ()] == 243
    assert found["phase", (("tablectl_phase", "round"),)] == 1
    assert found["phase", (("tablectl_phase", "betting"),)] == 0
    assert found["device_up", (("device", "scanner"),)] == 1
    assert found["device_failures_total", (("device", "scanner"),)] == 3
    assert found["record_available", ()] == 1
    assert found["simulated", ()] == 1
    assert found["process_resident_memory_bytes", ()] > 1e6


async def test_holds_are_counted_by_their_reason(desk: PlayedDesk, web: Any) -> None:
    desk.pit.shuffle()
    desk.pit.scanner_down()
    found = await figures(web)
    assert found["holds_open", (("reason", "recount"),)] == 1
    assert found["holds_open", (("reason", "twin"),)] == 0
    assert found["device_up", (("device", "scanner"),)] == 0


async def test_alarms_are_counted_by_whom_they_call(desk: PlayedDesk, web: Any) -> None:
    desk.pit.shuffle()
    desk.pit.scanner_down()
    desk.pit.wait(61)
    desk.pit.press("call")
    found = await figures(web)
    floor, raised = (("level", "floor"),), (("level", "raised"),)
    assert (found["alarms", floor], found["alarms", raised]) == (2, 1)
    assert found["alarms_unacknowledged", floor] == 2
    first_ms = desk.pit.state.alarms[0].since_ms
    assert found["alarm_since_seconds", floor] == first_ms / 1_000
    assert ("alarm_since_seconds", (("level", "pit"),)) not in found
    desk.pit.give(Acknowledge(2))
    assert (await figures(web))["alarms_unacknowledged", floor] == 0


async def test_a_stopped_table_gives_only_how_the_service_runs(desk: PlayedDesk, web: Any) -> None:
    desk.stop()
    found = await figures(web)
    assert found["record_available", ()] == 0
    assert found["inputs_total", ()] == 40
    assert not any(name.startswith("shoe") for name, _ in found)

"""Who deals at a table when, and how a dealer takes over: by name and PIN, between rounds."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from sim_hw.devices.faults import Faults
from sim_hw.people.page_link import Link
from sim_hw.people.shift_change import AGAIN_S, ShiftChange
from sim_hw.rota import Rota
from sim_hw.settings import WorldError, parse_settings
from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import Display, read_display
from sim_hw.table.world import World
from tests.sim_hw.test_settings import settings_data
from tests.support.pictures import hold, picture

pytestmark = pytest.mark.anyio
PEOPLE = [
    {"name": "Eino", "role": "floor", "pin": "471108"},
    {"name": "Aino", "role": "dealer", "pin": "471109", "id": "0a000001"},
    {"name": "Olli", "role": "dealer", "pin": "471110", "id": "0a000002"},
    {"name": "Ulla", "role": "dealer", "pin": "471111", "id": "0a000003"},
]


@pytest.mark.parametrize("tables", [1, 2, 3, 4])
def test_nobody_deals_at_two_tables_and_everybody_has_a_break(tables: int) -> None:
    rotas = [Rota(table, tables, 60.0) for table in range(tables)]
    deals = [[each.dealer(60.0 * step + 1) for each in rotas] for step in range(1_000, 1_040)]
    assert all(len(set(each)) == tables for each in deals)
    breaks = [({*range(tables + 1)} - {*each}).pop() for each in deals]
    assert {*breaks} == {*range(tables + 1)}
    # One table at a time is relieved: by whoever had the break.
    for before, after, rested in zip(deals, deals[1:], breaks, strict=False):
        changed = [table for table in range(tables) if before[table] != after[table]]
        assert [after[table] for table in changed] == [rested]


def test_a_dealer_stays_for_a_shift() -> None:
    rota = Rota(1, 3, 60.0)
    assert rota.shift_s == 180.0
    seen = [rota.dealer(second) for second in range(10_000, 14_000)]
    changes = [at for at in range(1, len(seen)) if seen[at] != seen[at - 1]]
    assert {after - at for at, after in pairwise(changes)} == {180}


@pytest.mark.parametrize(
    ("rota", "says"),
    [
        ({"table": 2, "tables": 2, "step_s": 60}, "'table' must be 0 to 1"),
        ({"table": 0, "tables": 3, "step_s": 60}, "one dealer more"),
        ({"table": 0, "tables": 2, "step_s": 0}, "'step_s' must be 1 to"),
    ],
)
def test_a_rota_that_cannot_be_is_refused(rota: dict[str, Any], says: str) -> None:
    with pytest.raises(WorldError, match=says):
        parse_settings(settings_data(people=PEOPLE, rota=rota))


class ShiftAtTable:
    """A simulated table's shift change before a stand-in of the service."""

    def __init__(self, folder: Path) -> None:
        changes = Changes()
        data = settings_data(
            people=PEOPLE, rota={"table": 0, "tables": 2, "step_s": 60}, speed=10_000,
            rundir=str(folder),
        )  # fmt: skip
        self.world = World(parse_settings(data), Faults(), changes)
        self.link = Link("http://127.0.0.1:9", "token", changes)
        self.now_s = 60_000.0
        self.steady_s = 500.0
        self.shift = ShiftChange(
            self.world, self.link, changes, lambda: self.now_s, lambda: self.steady_s
        )
        self.asked: list[dict[str, Any]] = []
        self.status = 200
        self.seq = 40

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(httpx.Response(200, content=request.content).json())
        self.seq += 1
        self.shows()
        accepted = {"accepted": True, "seq": self.seq}
        return httpx.Response(self.status, json=accepted if self.status == 200 else {})

    def shows(self, phase: str = "betting", **more: Any) -> Display:
        self.link.display = read_display(picture(phase, seq=self.seq, **more))
        return self.link.display

    async def look(self, phase: str = "betting", **more: Any) -> bool:
        return await self.shift.look(self.shows(phase, **more))

    @property
    def seated(self) -> list[str]:
        return [each["person"] for each in self.asked]


@pytest.fixture
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ShiftAtTable:
    client = httpx.AsyncClient

    def answer(request: httpx.Request) -> httpx.Response:
        return made.answer(request)

    transport = httpx.MockTransport(answer)
    monkeypatch.setattr(httpx, "AsyncClient", lambda **known: client(transport=transport, **known))
    made = ShiftAtTable(tmp_path)
    return made


async def test_whoever_takes_over_proves_who_they_are_once_a_shift(table: ShiftAtTable) -> None:
    assert await table.look()
    first = table.world.settings.dealers[Rota(0, 2, 60).dealer(table.now_s)]
    assert table.asked == [
        {"do": "change_dealer", "person": first.id,
         "people": [{"name": first.name, "pin": first.pin}]}
    ]  # fmt: skip
    assert not await table.look()
    table.now_s += 120
    assert await table.look()
    assert len({*table.seated}) == 2
    assert "deals now" in table.world.log[-1]


async def test_dealers_change_between_rounds_alone(table: ShiftAtTable) -> None:
    assert not await table.look("round")
    assert not await table.look(holds=[hold("release")])
    assert table.asked == []


async def test_a_pin_that_is_not_taken_is_tried_again_later(table: ShiftAtTable) -> None:
    table.status = 403
    assert await table.look()
    assert not await table.look()
    assert "cannot take over" in table.world.log[-1]
    table.now_s -= 3_600  # the clock on the wall was wrong
    table.steady_s += AGAIN_S
    table.status = 200
    assert await table.look()
    assert len(table.asked) == 2
    assert not await table.look()

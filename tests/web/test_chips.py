"""The chips of a table over HTTP: slips are signed by two PINs, and what a shift won is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.access.staff import Staff
from controller.manual.manual import manual
from controller.table.alarms import AlarmTimes
from controller.table.roles import Role
from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.support.people import add_person
from tests.table.money.cage import DENOMINATIONS, lost_round, rack_table
from tests.web.conftest import PORT, TOKEN, WRITER
from tests.web.desk import PlayedDesk

pytestmark = pytest.mark.anyio

FLOOR, DEALER = {"name": "Fia", "pin": "4711"}, {"name": "Aino", "pin": "1234"}


def counted(*pieces: int) -> list[dict[str, int]]:
    return [
        {"chip": chip, "pieces": many} for chip, many in zip(DENOMINATIONS, pieces, strict=True)
    ]


async def test_a_shift_is_opened_filled_closed_and_added_up(tmp_path: Path) -> None:
    file = tmp_path / "people.toml"
    add_person(file, "Fia", Role.FLOOR, "4711")
    add_person(file, "Aino", Role.DEALER, "1234")
    desk, staff = PlayedDesk(), Staff(file)
    desk.pit, desk.names = rack_table(), staff.names
    app = httpx.ASGITransport(create_app(desk, WebSettings(token=TOKEN, people=staff)))
    url = f"http://127.0.0.1:{PORT}"
    async with httpx.AsyncClient(transport=app, base_url=url, headers=WRITER) as web:

        async def sign(do: str, *people: dict[str, str], **values: Any) -> httpx.Response:
            body = {"do": do, "people": list(people or (FLOOR, DEALER)), **values}
            return await web.post("/api/v1/commands", json=body)

        assert (await web.get("/api/v1/chips", headers={"Authorization": ""})).status_code == 401
        alone = await sign("open_rack", FLOOR, chips=counted(30, 30, 30))
        assert (alone.status_code, alone.json()["code"]) == (409, "needs-a-second-person")
        twice = await sign("open_rack", FLOOR, FLOOR, chips=counted(30, 30, 30))
        assert twice.status_code in (403, 409)
        assert (await sign("open_rack", chips=counted(30, 30, 30))).status_code == 200
        odd = await sign("sign_slip", kind="fill", amount=550, chips=[{"chip": 500, "pieces": 1}])
        assert odd.json()["code"] == "amount-not-in-chips"
        fill = {"kind": "fill", "amount": 2_000, "chips": [{"chip": 500, "pieces": 4}]}
        assert (await sign("sign_slip", **fill)).status_code == 200
        lost_round(desk.pit)
        assert (await sign("close_rack", chips=counted(30, 35, 30))).status_code == 200
        found = (await web.get("/api/v1/chips")).json()
    assert found["denominations"] == list(DENOMINATIONS)
    assert found["open"] is False
    shift = found["shifts"][0]
    assert [each["kind"] for each in shift["slips"]] == ["opener", "fill", "closer"]
    assert shift["slips"][1]["by"] == ["Fia", "Aino"]
    assert shift["slips"][2]["may_void"]
    win = shift["win"]
    # A five is missing: the round was lost for ten, the rack has but five more.
    assert (win["chips"], win["rounds"], win["difference"]) == (500, 1_000, -500)
    assert (win["first_round"], win["last_round"], win["missing"]) == (1, 1, [])


async def test_the_manual_tells_the_floor_of_chips_where_they_are_counted() -> None:
    for setup, counts_chips in ((rack_table().setup, True), (PlayedDesk().setup, False)):
        parts = {
            each.name: [section.title for section in each.sections]
            for each in manual(setup, AlarmTimes()).parts
        }
        assert ("Chips" in parts["floor"]) is counts_chips
        assert "Chips" not in parts["dealer"]

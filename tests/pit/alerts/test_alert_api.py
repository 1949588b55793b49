"""Who asks for alerts by the API sees what is open; whoever answers is named there and audited."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from controller.pit.accounts.audit.log import newest_rows
from controller.pit.accounts.roles import PitRole
from controller.pit.alerts.store import alerts
from controller.pit.api.client import PitProblem
from controller.pit.archive.books.schema import ASKED
from controller.pit.archive.storage.schema import TABLES
from tests.pit.accounts.known import KnownAccounts, known_in
from tests.pit.alerts.alerting import Alerting
from tests.pit.sign_in.pages_of import Browser, app_of
from tests.pit.wall.statuses import hold

pytestmark = pytest.mark.anyio
TABLE = {"id": 1, "name": "T1", "identity": b"", "seq": 9, "hash": b"", "at_ms": 0,
         "archived_ms": 0, "software": "", "game": "", "day": "", "dealer": "",
         "round": 1}  # fmt: skip
ANSWER = "/api/v1/alerts/1/answer"


@pytest.fixture
def known(tmp_path: Path) -> Iterator[KnownAccounts]:
    found = known_in(tmp_path)
    yield found
    found.engine.dispose()


async def test_somebody_answers_and_all_see_who(known: KnownAccounts, tmp_path: Path) -> None:
    pit = Alerting(known.engine, tmp_path, known.clock.now_ms)
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    await pit.after(0)
    app = app_of(known)
    floor = Browser(app, known.enters(known.add("Aino", PitRole.FLOOR)).session)
    viewer = Browser(app, known.enters(known.add("Eero", PitRole.VIEWER)).session)
    assert (await floor.http.post(ANSWER, headers={"Origin": "https://x"})).status_code == 403
    for browser, number, status in ((viewer, 1, 403), (floor, 2, 404), (floor, 2**40, 404)):
        with pytest.raises(PitProblem) as refused:
            await browser.api.answer_alert(number)
        assert refused.value.status == status
    assert (await floor.api.answer_alert(1)).answered_by == "Aino"
    assert [each.answered_by for each in (await viewer.api.alerts()).open] == ["Aino"]
    pit.hear("T1")
    await pit.after(0)
    found = await viewer.api.alerts()
    assert (found.open, [each.table for each in found.ended]) == ((), ["T1"])
    with known.engine.connect() as connection:
        newest = newest_rows(connection, 1)[0]
    assert (newest.who, newest.act, newest.about) == ("Aino", "answered_alert", "alert 1, held T1")


async def test_the_cage_has_fills_in_hand_and_nothing_else(
    known: KnownAccounts, tmp_path: Path
) -> None:
    pit = Alerting(known.engine, tmp_path, known.clock.now_ms)
    cage = Browser(app_of(known), known.enters(known.add("Urho", PitRole.CAGE)).session)
    with known.engine.begin() as connection:
        connection.execute(insert(TABLES).values(TABLE))
        row = {"table_id": 1, "seq": 9, "kind": "fill", "day": "", "at_ms": pit.now_ms, "who": "",
               "amount": 50_000, "text": "", "slip": 0, "brought": 0, "became": ""}  # fmt: skip
        connection.execute(insert(ASKED).values(row))
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    assert await pit.after(0) == ["held:T1", "fill:T1:9"]
    found = {each.kind: each for each in (await cage.api.alerts()).open}
    assert found["fill"].text == "A fill of 500.00 is waited for: it comes with its slip"
    assert (found["fill"].who, found["fill"].since_ms) == ("cage", pit.now_ms)
    page = (await cage.get("/alerts")).text
    assert "I have it in hand: T1, A fill of 500.00" in page
    assert "I have it in hand: T1, A card" not in page
    number = found["held"].number
    with pytest.raises(PitProblem) as refused:
        await cage.api.answer_alert(number)
    assert refused.value.status == 403
    assert (await cage.post("/alerts/answer", alert=str(number))).status_code == 403
    # It does not come, whoever has it in hand: it is the pit boss's after a while.
    assert (await cage.post("/alerts/answer", alert=str(found["fill"].number))).status_code == 303
    for wait_s, who, by in ((0, "cage", "Urho"), (900, "cage", ""), (180, "pit boss", "")):
        pit.now_ms += wait_s * 1_000
        pit.hear("T1")
        await pit.after(0)
        known.clock.now_ms = pit.now_ms
        with known.engine.connect() as connection:
            (fill,) = alerts(connection, pit.settings)
        assert (fill.who, fill.answered_by) == (who, by)
    with known.engine.begin() as connection:
        connection.execute(update(ASKED).values(ended_ms=pit.now_ms, became="came"))
    assert await pit.after(5) == []

"""Who asks for alerts by the API sees what is open; whoever answers is named there and audited."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.pit.accounts import audit
from controller.pit.accounts.roles import PitRole
from controller.pit.api.client import PitProblem
from tests.pit.accounts.known import KnownAccounts, known_in
from tests.pit.alerts.alerting import Alerting
from tests.pit.sign_in.pages_of import Browser, app_of
from tests.pit.wall.statuses import hold

pytestmark = pytest.mark.anyio
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
        newest = audit.newest(connection, 1)[0]
    assert (newest.who, newest.act, newest.about) == ("Aino", "answered_alert", "alert 1, held T1")

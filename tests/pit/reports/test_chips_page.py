"""The chips of a table on its page of the pit and for machines."""

from __future__ import annotations

import pytest

from controller.pit.accounts.roles import PitRole
from controller.pit.api.client import PitProblem
from controller.rules.money import amount_text
from controller.table.queries.win import win_of
from controller.table.views.english import say
from tests.pit.reports.conftest import PlayedPit
from tests.pit.sign_in.pages_of import machine_of

pytestmark = pytest.mark.anyio


async def test_the_page_says_what_a_shift_won_and_every_slip(pit: PlayedPit) -> None:
    cage = pit.enters("Cia", PitRole.CAGE)
    page = (await cage.get("/tables/T1/chips")).text
    money = pit.table.state.money
    first = win_of(money, money.shifts[:1], pit.table.state.counts.rounds, say)
    assert first.difference is not None
    for amount in (first.opener, first.drop, first.chips, first.rounds, first.difference):
        assert amount is not None
        assert f"<dd>{amount_text(amount)}</dd>" in page
    assert "Void: never came" in page
    assert "the rack is open" in page
    assert page.count('<th scope="row">') == money.slips
    # Between which rounds the difference lies.
    assert f">rounds {first.first_round} to {first.last_round}</a>" in page


async def test_machines_are_told_the_same(pit: PlayedPit) -> None:
    machine = machine_of(pit.app, pit.known.machine())
    shifts = (await machine.chips("T1")).shifts
    assert [each.number for each in shifts] == [2, 1]
    assert shifts[0].win.chips is None
    assert shifts[0].win.missing
    with pytest.raises(PitProblem) as unknown:
        await machine.chips("T9")
    assert unknown.value.status == 404


async def test_a_table_that_nobody_knows_is_said_to_be_none(pit: PlayedPit) -> None:
    page = await pit.enters("Aino", PitRole.PIT_BOSS).get("/tables/T9/chips")
    assert page.status_code == 404
    assert "The pit has never heard this table" in page.text
    assert "in the books yet" not in page.text

"""What the world's floor and dealer sign of the chips, before a real table that judges it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from pydantic import TypeAdapter

from controller.rules.actions import Place
from controller.table import inputs as i
from controller.table.inputs.pit import PIT_ACTS
from controller.table.queries.win import win_of
from controller.table.views.chips_view import chips_view
from controller.web.json_views import encode
from sim_hw.devices.faults import Faults
from sim_hw.people.page_link import Link
from sim_hw.people.rack_work import FILL_S, NEVER, SHIFT_S, SHORT, RackWork, amount_in
from sim_hw.people.shift_change import ShiftChange
from sim_hw.settings import WorldError, parse_settings
from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import read_display
from sim_hw.table.felt import BANK
from sim_hw.table.rack import pieces_of
from sim_hw.table.world import FLOAT_BANKS, World
from tests.sim_hw.test_settings import settings_data
from tests.support.pictures import key, picture
from tests.support.pit import Pit, setup
from tests.table.decide.test_from_pit import ask
from tests.table.money.cage import AINO, DENOMINATIONS, FIA, code_of

pytestmark = pytest.mark.anyio
PEOPLE = [
    {"name": "Fia", "role": "floor", "pin": "471108", "id": FIA.id},
    {"name": "Aino", "role": "dealer", "pin": "471109", "id": AINO.id},
]
COMMAND: TypeAdapter[Any] = TypeAdapter(i.Command)


class Chance:
    """What chance says from now on."""

    def __init__(self, says: float) -> None:
        self.says = says

    def random(self) -> float:
        return self.says

    def randrange(self, low: int, _: int) -> int:
        return low


class RackAtTable:
    """The world's people before the core of a table with chips."""

    def __init__(self, folder: Path) -> None:
        self.pit = Pit(
            replace(
                setup(2), pit_acts=PIT_ACTS, roles=True, chips=DENOMINATIONS, buy_ins=True
            )
        )  # fmt: skip
        self.pit.shuffle()
        data = settings_data(
            people=PEOPLE, chips=list(DENOMINATIONS), speed=10_000, rundir=str(folder)
        )
        changes = Changes()
        self.world = World(parse_settings(data), Faults(), changes)
        self.link = Link("http://127.0.0.1:9", "token", changes)
        self.steady_s = 500.0
        shift = ShiftChange(self.world, self.link, changes)
        shift.seated = self.world.settings.people[1]
        self.work = RackWork(self.world, self.link, shift, lambda: self.steady_s)
        self.chance = Chance(0.99)
        self.work._chance = self.chance  # type: ignore[assignment]

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.headers["Authorization"] != "Bearer token":
            return httpx.Response(401)
        if request.method == "GET":
            return httpx.Response(200, content=encode(chips_view(self.pit.state, {})))
        asked = msgspec.json.decode(request.content)
        named = {each["name"] for each in asked.pop("people", [])}
        by = (FIA, AINO) if named == {"Fia", "Aino"} else ()
        given = self.pit.give(COMMAND.validate_python(asked), by=by)
        return httpx.Response(200, json={"accepted": not given.refused, "refused": given.refused})

    def passes(self, seconds: float) -> None:
        """Of people's time."""
        self.steady_s += seconds / self.world.speed

    async def look(self, phase: str = "betting", **more: Any) -> bool:
        """They look at the display, and at the page of chips, ten seconds after the last time."""
        self.passes(10)
        notes = self.pit.state.pit.notes
        keys = [key("read_note", note=each.seq) for each in notes[:1]]
        note = self.pit.display.note
        display = read_display(picture(phase, keys=keys, note=note, **more))
        return await self.work.look(display)

    async def settle_in(self) -> None:
        """Until nothing waits; at most a few things do."""
        for _ in range(12):
            if not await self.look():
                return
        raise AssertionError(self.world.log)

    @property
    def slips(self) -> list[str]:
        shifts = self.pit.state.money.shifts
        return [slip.kind.value for shift in shifts for slip in shift.slips]

    @property
    def difference(self) -> int | None:
        """What the chips say more than the rounds, of the newest shift that is over."""
        money = self.pit.state.money
        over = [each for each in money.shifts if each.closer is not None][-1:]
        return win_of(money, over, self.pit.state.counts.rounds, code_of).difference


@pytest.fixture
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RackAtTable:
    client = httpx.AsyncClient

    def answer(request: httpx.Request) -> httpx.Response:
        return made.answer(request)

    transport = httpx.MockTransport(answer)
    monkeypatch.setattr(httpx, "AsyncClient", lambda **known: client(transport=transport, **known))
    made = RackAtTable(tmp_path)
    return made


async def test_a_rack_is_opened_gets_a_box_and_is_rolled_after_a_shift(table: RackAtTable) -> None:
    assert not await table.look("round"), "it is counted between rounds"
    await table.settle_in()
    assert table.slips == ["opener", "box"]
    table.world.felt.players[1].bank = 0
    table.world.place_bets({1: 1_000})
    await table.settle_in()
    assert table.slips[-1] == "buy_in"
    table.passes(SHIFT_S)
    await table.settle_in()
    assert table.slips == ["opener", "box", "buy_in", "closer", "box", "count", "opener"]
    assert table.difference == 0, "the cash of the box is what was bought"


@pytest.mark.parametrize(("chance", "differs"), [(0.99, 0), (SHORT - 0.01, -500)])
async def test_a_fill_that_was_asked_for_comes_and_maybe_a_chip_is_missing(
    table: RackAtTable, chance: float, differs: int
) -> None:
    await table.settle_in()
    table.chance.says = chance
    assert not ask(table.pit, i.AskFill(5_000)).refused
    before = table.world.rack.worth if table.world.rack else 0
    assert await table.look(), "the dealer reads of it"
    assert not table.pit.state.pit.notes
    table.passes(FILL_S)
    await table.settle_in()
    assert table.slips[-1] == "fill"
    assert table.world.rack is not None
    assert table.world.rack.worth - before == 5_000 + differs
    table.passes(SHIFT_S)
    await table.settle_in()
    assert table.difference == differs


async def test_a_fill_that_never_comes_is_signed_by_nobody(table: RackAtTable) -> None:
    await table.settle_in()
    table.chance.says = NEVER - 0.01
    ask(table.pit, i.AskFill(5_000))
    assert await table.look()
    table.passes(FILL_S)
    await table.settle_in()
    assert table.slips == ["opener", "box"]


async def test_a_rack_that_runs_low_is_filled_and_one_that_is_full_sends_some_back(
    table: RackAtTable,
) -> None:
    await table.settle_in()
    for _ in range(FLOAT_BANKS - 4):
        table.world.settle(Place(1, 1), BANK)
    await table.settle_in()
    table.passes(FILL_S)
    await table.settle_in()
    assert table.slips[-1] == "fill"
    for _ in range(2 * FLOAT_BANKS):
        table.world.settle(Place(1, 1), -BANK)
    await table.settle_in()
    assert "credit" in table.slips


@pytest.mark.parametrize("chips", [[500, 100], [100], [0, 5], [100, 100], ["a", "b"]])
def test_chips_that_are_none_are_refused(chips: list[Any]) -> None:
    with pytest.raises(WorldError, match="chips: name"):
        parse_settings(settings_data(chips=chips))


def test_a_count_is_worth_what_lies_there_and_a_note_says_how_much_comes() -> None:
    found = pieces_of(1_000_000, DENOMINATIONS, 40)
    assert sum(each["chip"] * each["pieces"] for each in found) == 1_000_000
    assert [each["pieces"] for each in found] == [40, 42, 390]
    assert amount_in("a fill of 1,250.00 was asked for: it is on its way.") == 125_000
    assert amount_in("Seat 3 asks for the manager.") == 0

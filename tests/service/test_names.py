"""People's names are shown from the directory, and stand in no record, figure or log."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.__main__ import main
from controller.access.read_directory import read_directory
from controller.access.staff import Staff
from controller.access.write_directory import write_directory
from controller.devices.inputs import Button, Condition, Health
from controller.rules.actions import Action
from controller.service.loop import Service
from controller.table import inputs as i
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Resolution
from controller.table.roles import Role
from controller.table.views.scene import scene
from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.service.test_loop import ask, deal_to_the_first_choice, draw
from tests.support.people import DAY, add_person
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio

NAME, PIN = "Zacharias", "4711"
TOKEN = "a-token-for-tests-0123456789"
PROOF = [{"name": NAME, "pin": PIN}]


class TableWithStaff:
    """A service at a table with people, and a browser that writes with the table's token."""

    def __init__(self, service: Service, web: httpx.AsyncClient) -> None:
        self.service = service
        self.web = web

    async def do(self, **command: Any) -> None:
        answer = await self.web.post("/api/v1/commands", json={**command, "people": PROOF})
        assert answer.status_code == 200, answer.text

    async def get(self, path: str) -> str:
        return (await self.web.get(path)).text


@asynccontextmanager
async def table(record: Path, people: Path) -> AsyncIterator[TableWithStaff]:
    staff = Staff(people)
    start = i.Start(replace(setup(3), roles=True), "0.0-test", (SCANNER,))
    service = Service(start, record, names=lambda: staff.names)
    await service.recover()
    loop = asyncio.create_task(service.run())
    app = create_app(service, WebSettings(token=TOKEN, people=staff))
    try:
        await service.offer(Health(SCANNER, Condition.UP))
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8027",
            headers={"Authorization": f"Bearer {TOKEN}"},
        ) as web:  # fmt: skip
            yield TableWithStaff(service, web)
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        service.close()


async def stopped_and_seen(at: TableWithStaff) -> None:
    """A round in which the floor is called, and says that it has seen the alarm."""
    await deal_to_the_first_choice(at.service)
    await ask(at.service, i.CallFloor())
    await at.do(do="acknowledge", upto=99, pit=True)


async def released_and_corrected(at: TableWithStaff) -> None:
    """The floor lets the round go on, and corrects it when it is over."""
    state = at.service.state
    assert state is not None
    await at.do(
        do="resolve", hold=state.holds[0].number, resolution=Resolution.RELEASE.value,
        reason="a drink was spilt",
    )  # fmt: skip
    await ask(at.service, i.Decide(1, Action.STAND, 1, None))
    await draw(at.service, "9h")
    while at.service.state and at.service.state.in_play:
        assert await ask(at.service, i.PressButton(Button.NEXT)) == ""
    edits = [{"at": 0, "do": EditKind.REPLACE.value, "card": "Qh"}]
    await at.do(do="correct", round=1, edits=edits, reason="it was the queen")


async def test_a_name_is_shown_and_nothing_that_is_written_has_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    record, people = tmp_path / "record", tmp_path / "people.toml"
    person = add_person(people, NAME, Role.FLOOR, PIN)
    async with table(record, people) as at:
        await stopped_and_seen(at)
        assert f"Seen by {NAME}, not settled yet" in await at.get("/api/v1/table")
        state = at.service.state
        assert state is not None
        assert NAME not in repr(scene(state).dealer)
        await released_and_corrected(at)
        assert NAME not in await at.get("/metrics")
        assert NAME not in caplog.text
    files = [each for each in record.rglob("*") if each.is_file()]
    assert files
    assert all(NAME.encode() not in each.read_bytes() for each in files)

    assert main(["export", str(record)]) == 0
    exported = capsys.readouterr().out
    assert person in exported
    assert NAME not in exported

    one = ["replay", str(record), "--round", "1"]
    assert main([*one, "--people", str(people)]) == 0
    shown = capsys.readouterr().out
    assert f": go on, by {NAME} (floor) (a drink was spilt)" in shown
    assert f", by {NAME} (floor) (it was the queen)" in shown
    assert main(one) == 0
    assert f", by person {person} (floor) (it was the queen)" in capsys.readouterr().out


async def test_an_erased_person_is_shown_by_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, people = tmp_path / "record", tmp_path / "people.toml"
    person = add_person(people, NAME, Role.FLOOR, PIN)
    add_person(people, "Eino", Role.FLOOR, "1147")
    async with table(record, people) as at:
        await stopped_and_seen(at)
        await released_and_corrected(at)
        await ask(at.service, i.CallFloor())
        await at.do(do="acknowledge", upto=99, pit=True)
    directory = read_directory(people)
    directory.erase(NAME, DAY)
    write_directory(people, directory)
    async with table(record, people) as at:
        alarms = json.loads(await at.get("/api/v1/table"))["alarms"]
        assert f"Seen by person {person}, not settled yet" in [each["text"] for each in alarms]
    assert main(["replay", str(record), "--round", "1", "--people", str(people)]) == 0
    shown = capsys.readouterr().out
    assert f", by person {person} (floor) (it was the queen)" in shown


async def test_a_directory_that_cannot_be_read_is_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(tmp_path / "people.toml")
    assert main(["replay", str(tmp_path), "--round", "1", "--people", missing]) == 2
    assert "tablectl person add" in capsys.readouterr().err

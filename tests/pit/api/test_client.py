"""The typed client says what the pit's own description says, and whatever goes wrong has a type."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import httpx
import pytest
from fastapi import FastAPI

from controller.pit.accounts.roles import PitRole
from controller.pit.api.answers import ANSWERS
from controller.pit.api.client import NotAPit, PitAway, PitClient, PitProblem, SearchedRounds
from controller.pit.server.app import create_pit_app
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from tests.pit.accounts.known import KnownAccounts
from tests.pit.reports.conftest import PlayedPit
from tests.pit.sign_in.conftest import app, known
from tests.pit.sign_in.pages_of import NOTHING, Browser, machine_of
from tests.pit.wall.statuses import hold, news
from tests.support.patience import PATIENCE_S
from tests.web.server import Served

__all__ = ["app", "known"]
pytestmark = pytest.mark.anyio

#: The method of the client for each route that the document has, and what its fields are called
#: where Python has another word.
METHODS: dict[str, Callable[..., Any]] = {
    "GET /healthz": PitClient.health,
    "GET /api/v1/me": PitClient.me,
    "GET /api/v1/records": PitClient.records,
    "GET /api/v1/alerts": PitClient.alerts,
    "POST /api/v1/alerts/undelivered/{number}/send": PitClient.send_alert_again,
    "POST /api/v1/alerts/{number}/answer": PitClient.answer_alert,
    "GET /api/v1/tables/{table}/chips": PitClient.chips,
    "GET /api/v1/rounds": PitClient.rounds,
    "GET /api/v1/rounds/{table}/{number}": PitClient.round,
    "GET /api/v1/rounds/{table}/{number}/pictures": PitClient.pictures,
    "GET /api/v1/reports/{part}": PitClient.report,
}
#: What says more than its body does.
BESIDE = {"GET /api/v1/rounds": SearchedRounds}
WORDS = {
    "GET /api/v1/rounds": {"round_": "round", "since": "from", "until": "to"},
    "GET /api/v1/reports/{part}": {"first": "from", "last": "to"},
}


def operations(app: FastAPI) -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": about
        for path, methods in app.openapi()["paths"].items()
        for method, about in methods.items()
    }


def test_every_route_of_the_document_has_its_typed_method(app: FastAPI) -> None:
    described = operations(app)
    assert set(described) == set(ANSWERS) == set(METHODS)
    for name, about in described.items():
        method = METHODS[name]
        assert get_type_hints(method)["return"] == BESIDE.get(name, ANSWERS[name].answer), name
        words = WORDS.get(name, {})
        taken = {words.get(each, each) for each in inspect.signature(method).parameters} - {"self"}
        assert taken == {each["name"] for each in about.get("parameters", ())}, name
        schema = about["responses"]["200"]["content"]["application/json"]["schema"]
        assert schema.get("$ref") or schema["items"]["$ref"], name


async def test_a_machine_asks_for_all_that_it_may(pit: PlayedPit) -> None:
    api = machine_of(pit.app, pit.known.machine("reports"))
    me = await api.me()
    assert (me.name, me.roles, me.asks_tables) == ("reports", ("machine",), False)
    assert [each.path for each in me.pages] == ["/records", "/reports", "/rounds"]
    assert (await api.health()).ok
    assert (await api.records()).archives
    assert (await api.alerts()).open == ()
    found = await api.rounds(table="T1", round_=2)
    assert ([each.number for each in found.rounds], found.back_to, found.older) == ([2], "", "")
    one = await api.round("T1", 2)
    assert one.felt is not None
    assert one.corrections == 2
    assert one.felt.felts[-1].seq == one.later[-1].seq
    assert len((await api.rounds(since="2023-11-14", until="2024-01-01", seat=1)).rounds) > 1
    assert [each.number for each in (await api.chips("T1")).shifts] == [2, 1]
    money = await api.report("money", first="2023-11-14", last="2023-11-15", by="table")
    assert money.part == "money"
    assert set(money.rows[0]) == {each.name for each in money.columns}


async def test_a_refusal_is_an_error_with_the_pits_own_words(pit: PlayedPit) -> None:
    api = machine_of(pit.app, pit.known.machine())
    with pytest.raises(PitProblem, match="Nothing of this table is in the books") as none:
        await api.chips("T9")
    assert none.value.status == 404
    for number in (999, 10**30, -(10**30)):
        with pytest.raises(PitProblem, match="no such round"):
            await api.round("T1", number)
    with pytest.raises(PitProblem, match="is no card") as unclear:
        await api.rounds(card="zz")
    assert unclear.value.status == 422
    with pytest.raises(PitProblem) as refused:
        await api.answer_alert(1)
    assert refused.value.status == 403
    with pytest.raises(PitProblem) as stranger:
        await machine_of(pit.app, "no-such-token").records()
    assert stranger.value.status == 401
    assert stranger.value.retry_after_s is None


async def test_a_pit_that_is_away_or_none_at_all_is_told_apart() -> None:
    def answering(status: int, body: bytes, **headers: str) -> PitClient:
        answer = httpx.Response(status, content=body, headers=headers)
        transport = httpx.MockTransport(lambda _: answer)
        return PitClient(httpx.AsyncClient(transport=transport, base_url="http://pit.example"))

    searched = answering(200, b"[]", **{"Searched-Back-To": "2026-11-26T21:30"})
    assert await searched.rounds() == ([], "2026-11-26T21:30", "")
    with pytest.raises(NotAPit, match="/healthz answers what is no PitHealth"):
        await answering(200, b'{"ok": 1}').health()
    with pytest.raises(NotAPit):
        await answering(200, b"\xff\xfe").records()
    with pytest.raises(PitProblem, match="answers 502 without words of a pit"):
        await answering(502, b"<html>Bad Gateway</html>").health()
    busy = answering(503, b'{"detail": "It does not answer"}', **{"Retry-After": "2"})
    with pytest.raises(PitProblem, match="does not answer") as away:
        await busy.records()
    assert away.value.retry_after_s == 2.0
    async with PitClient.at("http://127.0.0.1:9", "token") as nobody:
        with pytest.raises(PitAway):
            await nobody.health()


async def test_the_wall_is_followed(known: KnownAccounts, tmp_path: Path) -> None:
    wall = Wall(WallSettings(), known.clock)
    app = create_pit_app(wall, lambda: NOTHING, known.accounts, 10)
    server = Served(app)
    serving = asyncio.ensure_future(server.serve([server.listening]))
    drawing = asyncio.ensure_future(wall.run())
    await server.up.wait()
    wall.hear(news("T1", at_ms=known.clock(), since_ms=known.clock() - 2_000))
    async with asyncio.timeout(PATIENCE_S), PitClient.at(server.url, known.machine()) as api:
        needs = []
        async for change in api.wall():
            needs += [(each.table, each.need) for each in change.tiles]
            if ("T1", "playing") in needs and ("T1", "held") not in needs:
                wall.hear(
                    news("T1", seq=9, at_ms=known.clock(), holds=[hold(since_ms=known.clock())])
                )
            if ("T1", "held") in needs:
                break
    async with PitClient.at(server.url, "wrong") as other:
        with pytest.raises(PitProblem) as stranger:
            await anext(other.wall())
    assert stranger.value.status == 401
    drawing.cancel()
    await asyncio.gather(drawing, return_exceptions=True)
    server.should_exit = True
    await serving


async def test_people_ask_as_machines_do(known: KnownAccounts, app: FastAPI) -> None:
    floor = Browser(app, known.enters(known.add("Aino", PitRole.FLOOR)).session)
    me = await floor.api.me()
    assert (me.name, me.roles, me.asks_tables) == ("Aino", ("floor",), True)
    for each in me.pages:
        page = await floor.get(each.path)
        assert page.status_code == 200, each
    assert "/users" not in {each.path for each in me.pages}

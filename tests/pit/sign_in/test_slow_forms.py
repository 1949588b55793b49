"""Whoever sends a form slowly, or never to its end, keeps nobody out and leaves nothing behind."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi import FastAPI

from controller.pit.accounts.roles import PitRole
from controller.pit.server.app import create_pit_app
from controller.pit.sign_in.gate import MAX_BODY_BYTES
from controller.pit.wall.settings import WallSettings
from controller.pit.wall.wall import Wall
from tests.pit.accounts.known import PASSWORD, KnownAccounts
from tests.pit.sign_in.pages_of import NOTHING, ORIGIN, OWN, Browser
from tests.web.server import Served

pytestmark = pytest.mark.anyio
FORM = "application/x-www-form-urlencoded"


async def test_forms_that_never_end_keep_no_stranger_out(
    known: KnownAccounts, caplog: pytest.LogCaptureFixture
) -> None:
    """Over real connections: the server ends such a form after ten seconds, not before."""
    caplog.set_level(logging.ERROR)
    known.add("Olli", PitRole.FLOOR)
    app = create_pit_app(Wall(WallSettings(), known.clock), lambda: NOTHING, known.accounts, 10)
    server = Served(app)
    host = urlsplit(server.url).netloc
    head = (
        f"POST /sign-in HTTP/1.1\r\nHost: {host}\r\nOrigin: {server.url}\r\nContent-Type: {FORM}"
        "\r\nContent-Length: 100\r\n\r\nname="
    )
    serving = asyncio.ensure_future(server.serve([server.listening]))
    await server.up.wait()
    slow = [socket.create_connection(("127.0.0.1", urlsplit(server.url).port)) for _ in range(3)]
    try:
        for each in slow:
            each.sendall(head.encode())
        await asyncio.sleep(0)
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as stranger:
            answer = await stranger.post(
                "/sign-in", data={"name": "Olli", "password": PASSWORD, "next": "/alerts"},
                headers={"Origin": server.url},
            )  # fmt: skip
        assert (answer.status_code, answer.headers["location"]) == (303, "/alerts")
        for each in slow:
            each.setblocking(False)
            with pytest.raises(BlockingIOError):
                each.recv(1)  # it is waited for still
    finally:
        for each in slow:
            each.close()
        server.should_exit = True
        await serving
    assert [each for each in caplog.records if each.exc_info] == []


@pytest.mark.parametrize("signed_in", [False, True])
async def test_a_form_that_is_too_long_is_refused_before_it_has_come(
    known: KnownAccounts, app: FastAPI, signed_in: bool
) -> None:
    session = known.enters(known.add("Aino", PitRole.VIEWER)).session if signed_in else ""
    browser = Browser(app, session)
    asked = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal asked
        while True:
            asked += 1
            yield b"x" * 1_024

    answer = await browser.http.post(
        "/sign-in", headers={**OWN, "Content-Type": FORM}, content=endless()
    )
    assert answer.status_code == 413
    assert asked <= MAX_BODY_BYTES // 1_024 + 2
    assert answer.headers["x-frame-options"] == "DENY"


async def test_a_plain_page_of_the_pits_own_name_writes_nothing(
    known: KnownAccounts, app: FastAPI
) -> None:
    """Behind a proxy the pit itself is asked without TLS."""
    known.add("Olli", PitRole.FLOOR)
    plain = httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app), base_url=ORIGIN.replace("https", "http")
    )
    form = {"name": "Olli", "password": PASSWORD}
    for origin, status in ((ORIGIN.replace("https", "http"), 403), (ORIGIN, 303)):
        answer = await plain.post("/sign-in", data=form, headers={"Origin": origin})
        assert answer.status_code == status

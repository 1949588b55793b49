"""A table behind the web: asked in the same process, or over a real socket."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.applications import Starlette

from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.support.quick_pins import quick_pins
from tests.web.desk import PlayedDesk

PORT = 8027
TOKEN = "a-token-for-tests-0123456789"
WRITER = {"Authorization": f"Bearer {TOKEN}"}


__all__ = ["quick_pins"]


@pytest.fixture(scope="module")
def settings() -> WebSettings:
    return WebSettings(token=TOKEN)


@pytest.fixture(scope="module")
def counter(settings: WebSettings) -> tuple[PlayedDesk, Starlette]:
    """A desk and its web: making the web takes longer than most tests."""
    desk = PlayedDesk()
    return desk, create_app(desk, settings)


@pytest.fixture
def desk(counter: tuple[PlayedDesk, Starlette]) -> PlayedDesk:
    """The desk of a table whose shoe waits to be loaded."""
    counter[0].open_anew()
    return counter[0]


@pytest.fixture
async def web(
    desk: PlayedDesk, counter: tuple[PlayedDesk, Starlette]
) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody who has the token and asks the table by its own name."""
    app = httpx.ASGITransport(counter[1])
    url = f"http://127.0.0.1:{PORT}"
    async with httpx.AsyncClient(transport=app, base_url=url, headers=WRITER) as client:
        yield client

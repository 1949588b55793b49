"""A configuration whose reading fails by a defect: the page says so, and the next one is read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from controller.assembly import reload
from controller.config.problems import ConfigError
from controller.service.ports import Beside, ConfigNotice

pytestmark = pytest.mark.anyio


class Noticing:
    """As much of a service as is asked before a configuration is read."""

    def __init__(self) -> None:
        self.notices: asyncio.Queue[ConfigNotice | None] = asyncio.Queue()
        self.beside = Beside()

    def show_beside(self, beside: Beside) -> None:
        self.beside = beside
        self.notices.put_nowait(beside.notice)


async def test_a_defect_is_said_on_the_page_and_the_next_configuration_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    errors: list[Exception] = [KeyError("qh"), ConfigError("web.port: no")]

    def load(path: Path) -> Any:
        raise errors.pop(0)

    monkeypatch.setattr(reload, "load", load)
    service = Noticing()
    reloader = reload.Reloader(tmp_path, cast(Any, None), cast(Any, service), cast(Any, None))
    running = asyncio.ensure_future(reloader.run())
    try:
        reloader.asked.set()
        first = await service.notices.get()
        reloader.asked.set()
        second = await service.notices.get()
    finally:
        running.cancel()
        await asyncio.wait((running,))
    assert first is not None
    assert first.said == reload.REFUSED
    assert "KeyError" in first.detail
    assert "qh" not in first.detail
    assert second is not None
    assert "web" in second.detail

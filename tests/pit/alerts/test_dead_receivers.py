"""A receiver of alerts that never answers holds up neither other receivers nor the pit."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import Engine

from controller.pit.alerts.deliveries import Delivery
from controller.pit.alerts.sender import Sender
from controller.pit.alerts.settings import MOST_RECEIVERS, AlertSettings, AppriseService, Webhook
from controller.pit.archive.storage.database import open_database
from drivers.settings.checks import SettingsError
from tests.pit.alerts.alerting import Alerting
from tests.pit.wall.statuses import hold
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio


@dataclass
class Receiver:
    """Takes what it is sent once `lets_go` is set."""

    name: str
    lets_go: threading.Event
    asked: threading.Event = field(default_factory=threading.Event)

    def send(self, delivery: Delivery, at_ms: int) -> str:
        self.asked.set()
        return "" if self.lets_go.wait(PATIENCE_S) else "nobody let go of it"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = open_database(f"sqlite:///{tmp_path / 'pit.db'}")
    yield made
    made.dispose()


async def test_whatever_else_blocks_waits_for_none(tmp_path: Path, engine: Engine) -> None:
    # As on a small machine: whoever signs in, the duty to archive and alerts share these.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    names = ("dead", "dead-too", "pager")
    hooks = tuple(Webhook(each, "https://h.example/in", Path("secret")) for each in names)
    pit = Alerting(engine, tmp_path, webhooks=hooks)
    pit.hear("T1", holds=[hold(since_ms=pit.now_ms - 121_000)])
    await pit.after(0)
    over, now = threading.Event(), threading.Event()
    now.set()
    receivers = [Receiver(each, now if each == "pager" else over) for each in names]
    sending = asyncio.ensure_future(Sender(engine, receivers, pit.clock).run(lambda: True))
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not all(each.asked.is_set() for each in receivers):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert await asyncio.to_thread(lambda: "signed in") == "signed in"
    finally:
        sending.cancel()
        over.set()
        await asyncio.wait((sending,))
        for each in threading.enumerate():
            if each.name.startswith("tablectl-alerts"):
                each.join()


def test_each_receiver_has_a_thread_so_that_there_are_not_too_many() -> None:
    hooks = tuple(
        Webhook(f"hook-{each}", "https://h.example/in", Path("secret"))
        for each in range(MOST_RECEIVERS)
    )
    assert len(AlertSettings(webhooks=hooks).receivers) == MOST_RECEIVERS
    with pytest.raises(SettingsError, match="20 receivers at most"):
        AlertSettings(webhooks=hooks, apprise=(AppriseService("chat", Path("address")),))

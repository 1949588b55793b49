"""A table that deals while somebody attacks its web: cards go on, and nothing is left of it."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from controller.web.server.server import ACCEPT_AT_ONCE
from controller.web.settings import WebSettings
from tests.support.patience import PATIENCE_S, Stopwatch
from tests.support.processes.attackers import STREAM, WHOLE, attacked
from tests.support.processes.real_table import RealTable, standing

pytestmark = pytest.mark.anyio

#: More than the descriptors that the service has.
ATTACKERS = 1_200
VIEWERS = 200
#: From the shoe to the display, whatever anybody sends.
CARD_WITHIN_S = 1.0
LOG_BYTES_MAX = 50_000
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
HALF_A_BODY = (
    b"POST /api/v1/commands HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b'Content-Length: 500\r\n\r\n{"do":'
)
MANY = WHOLE * 50


@pytest.fixture(autouse=True)
def descriptors() -> Iterator[None]:
    """Enough descriptors for the attackers, who are in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * ATTACKERS)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def draw(table: RealTable, card: str) -> float:
    """Draw a card; the seconds until the table has it on record."""
    before = (await table.scene())["seq"]
    began = Stopwatch()
    await table.draw(card)
    await table.until_scene(lambda scene: scene["seq"] > before)
    return began.passed_s()


def open_descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


@pytest.mark.parametrize(
    "sends",
    [
        pytest.param(b"", marks=pytest.mark.long, id="idle"),
        pytest.param(HALF_A_HEAD, id="half a head"),
        pytest.param(HALF_A_BODY, marks=pytest.mark.long, id="half a body"),
        pytest.param(STREAM, marks=pytest.mark.long, id="never reading"),
        pytest.param(MANY, marks=pytest.mark.long, id="requests without end"),
    ],
)
async def test_cards_go_on_while_thousands_connect(tmp_path: Path, sends: bytes) -> None:
    """Whoever connects, and says nothing or never ends, takes no place that the table needs."""
    table = RealTable(tmp_path)
    async with standing(table):
        service = await table.start_service()
        # With the limit that a process gets where nobody says otherwise.
        resource.prlimit(service.pid, resource.RLIMIT_NOFILE, (1_024, 1_024))
        await table.open_bets()
        await table.ask("place_wager", seat=1, amount=1_000)
        await table.ask("close_bets")
        quiet = open_descriptors(service.pid)
        async with attacked(table.port) as attacker:
            for card in ("KS", "9D"):
                attacker.connect(ATTACKERS // 2, sends)
                assert await draw(table, card) < CARD_WITHIN_S
            # Whoever loses their place is let go of in the loop's next turn.
            most = WebSettings(token="x" * 24).max_connections + ACCEPT_AT_ONCE
            assert open_descriptors(service.pid) <= quiet + most
        assert await draw(table, "9C") < CARD_WITHIN_S
        await table.until(lambda: open_descriptors(service.pid) <= quiet + 2)
        assert len(table.log()) < LOG_BYTES_MAX


@pytest.mark.long
async def test_viewers_who_never_read_keep_no_display_out(tmp_path: Path) -> None:
    """The display that shows the token has a place beyond those of strangers."""
    table = RealTable(tmp_path)
    async with standing(table):
        await table.start_service()
        await table.open_bets()
        at = f"http://127.0.0.1:{table.port}"
        async with (
            attacked(table.port) as attacker,
            httpx.AsyncClient(
                base_url=at, trust_env=False, verify=False, timeout=PATIENCE_S
            ) as stranger,
        ):
            attacker.connect(VIEWERS, STREAM)
            await attacker.connected()
            looking = f'tablectl_viewers{{page="players"}} {VIEWERS}.0'
            while looking not in (await stranger.get("/metrics")).text:
                pass
            assert (await stranger.get("/events/dealer")).status_code == 503
            async with table.web.stream("GET", f"{at}/events/dealer") as display:
                assert display.status_code == 200

"""systemd is given signs of life of a pit that is alive, and none of one that should end."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine

from controller.config.bus_section import BusSection
from controller.pit.archive.storage.database import open_database
from controller.pit.server.alive import TURN_S, give_signs_of_life
from controller.pit.server.running import RunningPit
from controller.pit.server.settings import ArchiveSection, PitConfig, PitWebSection
from controller.pit.wall.settings import WallSettings
from tests.bus.nats_server import NatsServer, free_port
from tests.pit.archive.pit_process import PitProcess, write_config
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
WATCHDOG_US = 900_000


@pytest.fixture
def notices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Where systemd hears of it."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", str(WATCHDOG_US))
        yield heard


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = open_database(f"sqlite:///{tmp_path / 'pit.db'}")
    yield made
    made.dispose()


async def until_alive(notices: socket.socket) -> None:
    """Until one sign of life more has come."""
    async with asyncio.timeout(PATIENCE_S):
        while await asyncio.get_running_loop().sock_recv(notices, 100) != b"WATCHDOG=1":
            pass


def quiet(notices: socket.socket) -> bool:
    """Whether nothing more was said."""
    try:
        notices.recv(100)
    except BlockingIOError:
        return True
    return False


async def test_none_is_given_while_there_is_a_reason(
    notices: socket.socket, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "30000")
    why = ["", "the archive stands", "the archive stands", ""]
    asked = asyncio.Event()

    def why_dead() -> str:
        if not why:
            asked.set()
            return "it is over"
        return why.pop(0)

    giving = asyncio.ensure_future(give_signs_of_life(why_dead))
    async with asyncio.timeout(PATIENCE_S):
        await asked.wait()
    giving.cancel()
    await asyncio.wait((giving,))
    for _ in range(2):
        assert notices.recv(100) == b"WATCHDOG=1"
    assert quiet(notices)
    assert caplog.text.count("no sign of life: the archive stands") == 2
    monkeypatch.delenv("WATCHDOG_USEC")
    await give_signs_of_life(why_dead)  # it ends: nobody wants any


async def test_the_archives_part_goes_on_or_waits_for_a_database(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "password").write_text("nobody-listens")
    bus = BusSection((f"nats://127.0.0.1:{free_port()}",), "pit", tmp_path / "password")
    pit = RunningPit(
        PitConfig(bus, ArchiveSection(), PitWebSection(), WallSettings(), tmp_path), engine
    )
    now_s = asyncio.get_running_loop().time()
    monkeypatch.setattr("controller.pit.server.running.monotonic", lambda: now_s)
    pit.archive.turned_s = now_s
    assert pit.why_dead() == ""
    now_s += TURN_S - 1
    assert pit.why_dead() == ""
    now_s += 1
    assert "has stood for 60 s" in pit.why_dead()
    monkeypatch.setattr(type(pit.archive), "waits_since_s", now_s - 9)
    assert pit.why_dead() == "", "the wall says so: another start mends no database"


@pytest.mark.long
async def test_a_pit_that_hangs_is_silent(tmp_path: Path, notices: socket.socket) -> None:
    with NatsServer(tmp_path / "nats") as broker:
        pit = PitProcess(write_config(tmp_path, broker))
        try:
            pit.start()
            await until_alive(notices)
            await until_alive(notices)
            pit.signal(signal.SIGSTOP)
            await asyncio.sleep(0.2)  # what it said before
            while not quiet(notices):
                pass
            await asyncio.sleep(WATCHDOG_US / 1e6)
            assert quiet(notices), "systemd would have started another by now"
            pit.signal(signal.SIGCONT)
            await until_alive(notices)
        finally:
            pit.end()

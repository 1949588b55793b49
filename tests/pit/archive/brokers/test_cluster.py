"""A broker of three nodes, whose leader is killed under load: no gap, no fork, nothing double."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import APIError

from controller.bus.messages import STREAM
from controller.bus.server_conf import PIT, ServerFiles, inbox, server_conf
from controller.config.bus_section import BusSection
from controller.pit.archive.storage.database import open_database
from controller.pit.server.running import RunningPit
from controller.pit.server.settings import ArchiveSection, PitConfig, PitWebSection
from controller.pit.wall.settings import WallSettings
from tests.bus import test_forwarder
from tests.bus.nats_server import PASSWORDS, NatsServer, free_port
from tests.bus.test_forwarder import ForwardedTable, forwarding
from tests.pit.archive.test_pit import archived, running, until, verified

pytestmark = [pytest.mark.anyio, pytest.mark.long]

KILLS = 3
EVERY_S = 20.0
#: Of each table, so many records are committed so often.
A_COMMIT = 2
COMMIT_S = 0.2
COMMITS = round(EVERY_S / COMMIT_S)


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[dict[str, NatsServer]]:
    """Three servers of one cluster, by their names."""
    names = ["one", "two", "three"]
    lines = {each: free_port() for each in names}
    routes = [f"nats://127.0.0.1:{each}" for each in lines.values()]
    made: dict[str, NatsServer] = {}
    for name in names:
        folder, port = tmp_path / name, free_port()
        folder.mkdir()
        conf = folder / "cluster.conf"
        conf.write_text(
            f"server_name: {name}\ncluster {{\n  name: pit\n  listen: 127.0.0.1:{lines[name]}\n"
            f"  routes: {routes}\n}}\n".replace("'", '"')
            + server_conf(f"127.0.0.1:{port}", ServerFiles(str(folder / "jetstream")), PASSWORDS)
        )
        made[name] = NatsServer(folder, port=port, conf=conf)
    with ExitStack() as stack:
        for each in made.values():
            stack.enter_context(each)
        yield made


async def leader(nodes: dict[str, NatsServer]) -> str:
    """Who leads the buffer of records now; empty where nobody says."""
    client = Client()
    urls = [each.url for each in nodes.values()]
    try:
        await client.connect(
            urls, user=PIT, password=PASSWORDS[PIT], inbox_prefix=inbox(PIT),
            max_reconnect_attempts=3,
        )  # fmt: skip
        info = await client.jetstream(timeout=2).stream_info(STREAM)
    except (NatsError, APIError, OSError, TimeoutError):
        return ""
    finally:
        await client.close()
    return info.cluster.leader or "" if info.cluster is not None else ""


async def test_the_leader_is_killed_under_load(
    tmp_path: Path, nodes: dict[str, NatsServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_forwarder, "COUNT", 3 + A_COMMIT * KILLS * COMMITS)
    urls = tuple(each.url for each in nodes.values())
    tables = [ForwardedTable(tmp_path, nodes["one"], user=name, name=name) for name in ("T1", "T2")]
    for name, table in zip(("T1", "T2"), tables, strict=True):
        table._section = BusSection(urls, name, tmp_path / f"{name}.password")
        table.line = table.new_line()
    (tmp_path / "pit.password").write_text(PASSWORDS[PIT])
    bus = BusSection(urls, PIT, tmp_path / "pit.password")
    config = PitConfig(bus, ArchiveSection(), PitWebSection(), WallSettings(), tmp_path)
    engine = open_database(f"sqlite:///{tmp_path / 'archive.db'}")
    killed: list[str] = []
    async with running(RunningPit(config, engine, lambda: 1_000)) as pit, forwarding(*tables):
        await until(pit, verified(3))
        for turn in range(KILLS):
            for at in range(COMMITS):
                if at == COMMITS // 2:
                    name = await leader(nodes) or list(nodes)[turn % len(nodes)]
                    nodes[name].kill()
                    killed.append(name)
                for table in tables:
                    table.commit(A_COMMIT)
                await asyncio.sleep(COMMIT_S)
            nodes[killed[-1]].start()
        for name, table in zip(("T1", "T2"), tables, strict=True):
            await until(pit, verified(table.seq, name))
        assert (await until(pit, lambda it: it.archives)).findings == ()
    for name, table in zip(("T1", "T2"), tables, strict=True):
        assert table.seq == 3 + A_COMMIT * KILLS * COMMITS
        assert archived(engine, name) == [tuple(each) for each in table.rows()]
    assert len(killed) == KILLS
    engine.dispose()

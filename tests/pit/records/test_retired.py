"""A table that is gone for good is out of service: it has no place, calls nobody, and is
back by itself if it is ever heard again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert

from controller.config.bus_section import BusSection
from controller.pit.accounts.audit.log import newest_rows
from controller.pit.accounts.roles import PitRole
from controller.pit.archive.overview import overview
from controller.pit.archive.retired import retire, retired
from controller.pit.archive.storage.schema import RETIRED
from controller.pit.archive.store import Store
from controller.pit.records import retired_routes
from controller.pit.records.renaming import rename
from controller.pit.server import running
from controller.pit.server.app import create_pit_app
from controller.pit.server.running import RunningPit
from controller.pit.server.settings import ArchiveSection, PitConfig, PitWebSection
from controller.pit.wall.settings import FloorSection, WallSettings
from tests.pit.accounts.known import KnownAccounts
from tests.pit.archive.messages import message, rows
from tests.pit.records.test_renaming import JOURNAL, say_as
from tests.pit.sign_in.pages_of import ORIGIN, Browser, records_for
from tests.pit.wall.statuses import news
from tests.support.patience import PATIENCE_S

#: The pit's configuration names it; the others are known from the archive.
NAMED = WallSettings(sections=(FloorSection("Main", "Aino", ("T2", "T3")),))


class GoingPit:
    """A pit that runs without a bus, with T1 in its archive; its clock is in the test's hand."""

    def __init__(self, known: KnownAccounts, folder: Path) -> None:
        self.known = known
        Store(known.engine, known.clock).take([("T1", message(rows(7, 30), 1, 30))])
        bus = BusSection(("nats://127.0.0.1:1",), "pit", folder / "password")
        config = PitConfig(bus, ArchiveSection(), PitWebSection(), NAMED, folder)
        self.pit = RunningPit(config, known.engine, known.clock)
        self.app = create_pit_app(
            self.pit.wall, self.pit.overview, known.accounts, 10, ORIGIN
        )  # fmt: skip

    def hear(self, *tables: str) -> None:
        for each in tables:
            self.pit.wall.hear(news(each, at_ms=self.known.clock()))

    def places(self) -> dict[str, str]:
        """What each table on the wall needs."""
        return self.pit.wall.needs

    async def until(self, seen: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not seen():  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    def audited(self) -> tuple[str, str, str]:
        with self.known.engine.connect() as connection:
            row = newest_rows(connection, 1)[0]
        return row.who, row.act, row.about


@pytest.fixture
async def going(
    known: KnownAccounts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[GoingPit]:
    (tmp_path / "password").write_text("nobody-listens")
    monkeypatch.setattr(running, "steady_ms", known.clock)
    going = GoingPit(known, tmp_path)
    runs = asyncio.ensure_future(going.pit.run())
    yield going
    runs.cancel()
    await asyncio.wait((runs,))


@pytest.mark.anyio
async def test_it_leaves_the_wall_and_comes_back_when_it_is_heard(going: GoingPit) -> None:
    known = going.known
    boss = Browser(going.app, known.enters(known.add("Bo", PitRole.PIT_BOSS)).session)
    going.hear("T1", "T2", "T3")
    await going.until(lambda: set(going.places()) == {"T1", "T2", "T3"})
    # One that speaks is in service, whatever is said of it.
    page = (await boss.get("/tables/T1/service")).text
    assert "It is heard still" in page
    assert "Out of service</button>" not in page
    assert (await boss.post("/tables/T1/service", reason="sold")).status_code == 422

    known.clock.now_ms += 60_000
    going.hear("T3")
    await going.until(lambda: going.places()["T2"] == "offline")
    assert "configuration names it" in (await boss.get("/tables/T2/service")).text
    for nothing in ("", "  ", "x" * 121):
        assert (await boss.post("/tables/T2/service", reason=nothing)).status_code == 422
    for table in ("T1", "T2"):
        answer = await boss.post(f"/tables/{table}/service", reason=f"{table} was sold")
        assert answer.headers["location"] == "/records"
    assert going.audited() == ("Bo", "retired_table", "T2: T2 was sold")
    await going.until(lambda: set(going.places()) == {"T3"})
    assert going.pit.wall.named == {"T3"}
    assert (await boss.post("/tables/T1/service", reason="again")).status_code == 422
    shown = going.pit.overview()
    assert [each.retired and each.retired.reason for each in shown.tables] == ["T1 was sold"]
    assert "by Bo: T1 was sold" in records_for(PitRole.AUDITOR, shown)
    assert "Put back" not in records_for(PitRole.AUDITOR, shown)

    assert (await boss.post("/tables/T1/service/back")).headers["location"] == "/records"
    assert going.audited() == ("Bo", "put_back_table", "T1")
    assert (await boss.post("/tables/T1/service/back")).status_code == 404
    going.hear("T2")
    await going.until(lambda: going.audited() == ("the pit", "put_back_table", "T2: heard"))
    await going.until(lambda: going.places().get("T2") == "playing")
    with known.engine.connect() as connection:
        assert retired(connection) == {}
    assert (await boss.get("/tables/T9/service")).status_code == 404


def test_a_table_that_was_renamed_is_none_that_is_gone(known: KnownAccounts) -> None:
    Store(known.engine, lambda: 5_000).take([("T1", message(JOURNAL, 1, 30))])
    with known.engine.begin() as connection:
        assert retire(connection, "T1", "Bo", "sold", 5_000)
        assert not retire(connection, "T1", "Aino", "sold twice", 5_000)
    say_as(known, "T9")
    rename(known.engine, "T1", "T9", "Aino", 6_000)
    (table,) = overview(known.engine, 7_000, "", archives=True).tables
    assert (table.table, table.retired) == ("T9", None)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("who", "status", "said"),
    [
        ("Aino", 409, "Somebody else did the same in the same moment: look at it anew"),
        (None, 503, "database does not answer"),
    ],
    ids=["a row that is there by now", "a row that may not be"],
)
async def test_what_somebody_else_has_just_written_is_said_and_is_no_trouble_of_the_database(
    known: KnownAccounts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    who: str | None, status: int, said: str,
) -> None:  # fmt: skip
    """As of two on a PostgreSQL, wherever no place of its own says it."""

    def written(connection: Connection, table: str, *_more: object) -> bool:
        row = {"name": table, "at_ms": 1, "who": who, "reason": "sold"}
        for _ in range(2):
            connection.execute(insert(RETIRED).values(row))
        return True

    (tmp_path / "password").write_text("nobody-listens")
    app = GoingPit(known, tmp_path).app
    boss = Browser(app, known.enters(known.add("Bo", PitRole.PIT_BOSS)).session)
    monkeypatch.setattr(retired_routes, "retire", written)
    answer = await boss.post("/tables/T1/service", reason="sold")
    assert (answer.status_code, said in answer.text) == (status, True)

"""The pit's own server, with a wall that a test talks to; its loop has a thread of its own."""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Page

from controller.bus.command_desk import CommandDesk
from controller.bus.commands import public_key
from controller.pit.accounts.codes import Purpose
from controller.pit.accounts.factors.one_time import AppSecrets
from controller.pit.accounts.roles import PitRole
from controller.pit.acts.commander import Commander
from controller.pit.alerts.settings import AlertSettings
from controller.pit.archive.overview import Overview, overview
from controller.pit.directories.keeper import DirectoryKeeper
from controller.pit.directories.settings import PeopleSettings
from controller.pit.house_time import UTC_HOUSE, HouseTime
from controller.pit.line.questions import NobodyThere
from controller.pit.reports.search.pictures import TablePictures
from controller.pit.server.app import create_pit_app
from controller.pit.sign_in.oidc.provider import Provider
from controller.pit.wall.settings import FloorSection, WallSettings
from controller.pit.wall.tile import RecordFinding
from controller.pit.wall.wall import Wall
from controller.table.inputs import CutShoe, LoadPack, RemoveWager, Setup
from controller.table.inputs.pit import PIT_ACTS
from controller.table.state.state import State
from tests.pit.accounts.known import known_in
from tests.pit.wall.statuses import alarm, hold, news
from tests.service.test_loop import ask, draw, running
from tests.support.patience import PATIENCE_S
from tests.web.server import Served


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class PitServer:
    """The pit's pages over a real socket. `do` runs something on its wall.

    `provider`: by whom people sign in besides; `alerts`: who is told of what; `house`: in whose
    time; `pictures` asks tables for those of cards. With `table` T1 is a table that runs, in the
    same loop, and answers what the pit asks.
    """

    def __init__(
        self, settings: WallSettings, table: Setup | None = None,
        provider: Provider | None = None, alerts: AlertSettings | None = None,
        people: PeopleSettings | None = None, house: HouseTime = UTC_HOUSE,
        pictures: TablePictures | None = None,
    ) -> None:  # fmt: skip
        self._up = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._run(settings)), daemon=True
        )
        self._folder = tempfile.TemporaryDirectory()
        self.known = known_in(Path(self._folder.name), now_ms)
        self.user = self.known.add("Aino", PitRole.PIT_BOSS, PitRole.ENGINEER)
        self._table = table
        self._provider = provider
        self._alerts = alerts
        self._house = house
        self._pictures = pictures
        self.known.accounts.provider = None if provider is None else provider.section.rules
        self._desk: CommandDesk | None = None
        self._key = Ed25519PrivateKey.generate()
        #: Under which PINs for tables are kept.
        self.pins = AppSecrets(os.urandom(32))
        self.directories = DirectoryKeeper(
            self.known.engine, people or PeopleSettings(), self._key, self.pins, now_ms
        )
        self._commander = Commander(self._key, self._request, now_ms)
        self.url = ""

    @property
    def directory_keys(self) -> tuple[str, ...]:
        """By which tables know its directories of people."""
        return (public_key(self._key),)

    def link(self) -> str:
        """An address whose button signs a browser in, and leads to the wall."""
        code = self.known.people.link(self.user, Purpose.SIGN_IN)
        return f"{self.url}/enter/{code}"

    def sign_in(self, page: Page, host: str = "127.0.0.1") -> None:
        """Sign a browser in by a link of its own; it is at the wall then."""
        page.goto(self.link().replace("127.0.0.1", host))
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.wait_for_url(self.url.replace("127.0.0.1", host) + "/")

    def do(self, what: Callable[[Wall], None]) -> None:
        """Run `what` in the loop of the wall; returns when it is done and drawn."""
        done = threading.Event()

        def work() -> None:
            what(self._wall)
            self._wall.draw()
            done.set()

        self._loop.call_soon_threadsafe(work)
        assert done.wait(PATIENCE_S)

    @contextmanager
    def silent(self) -> Iterator[None]:
        """The pit is there and says nothing: its loop stands still."""
        still, go_on = threading.Event(), threading.Event()

        def stand() -> None:
            still.set()
            go_on.wait(PATIENCE_S)

        self._loop.call_soon_threadsafe(stand)
        assert still.wait(PATIENCE_S)
        try:
            yield
        finally:
            go_on.set()

    async def _request(self, table: str, body: bytes, _: float) -> bytes:
        """There is no broker here: only the table that runs beside it hears what it is asked."""
        if table != "T1" or self._desk is None:
            raise NobodyThere
        answer = await self._desk.answer(body)
        assert answer is not None
        return answer

    def table_state(self) -> State:
        """The table that runs."""
        assert self._desk is not None
        state = self._service.state
        assert state is not None
        return state

    async def _run(self, settings: WallSettings) -> None:
        if self._table is None:
            await self._serve(settings)
            return
        async with running(Path(self._folder.name) / "record", self._table) as (service, _):
            for command in (LoadPack(), CutShoe()):
                assert await ask(service, command) == ""
            await draw(service, "2c")
            # Once this is answered, the burned card is on record too, and bets are open.
            await service.submit(RemoveWager(1), None, None)
            self._service = service
            sign = Ed25519PrivateKey.generate().sign
            self._desk = CommandDesk("T1", (public_key(self._key),), service, sign)
            await self._serve(settings)

    def _overview(self) -> Overview:
        return overview(self.known.engine, now_ms(), "", archives=True)

    async def _serve(self, settings: WallSettings) -> None:
        self._loop = asyncio.get_running_loop()
        self._wall = Wall(settings, now_ms)
        app = create_pit_app(
            self._wall,
            self._overview,
            self.known.accounts,
            max_viewers=200,
            commander=self._commander,
            directories=self.directories,
            secret_key=self.pins,
            provider=self._provider,
            alerts=self._alerts,
            house=self._house,
            pictures=self._pictures,
        )
        server = Served(app)
        self.url = server.url
        self._over = asyncio.Event()
        drawing = asyncio.ensure_future(self._wall.run())
        serving = asyncio.ensure_future(server.serve([server.listening]))
        await server.up.wait()
        self._up.set()
        await self._over.wait()
        drawing.cancel()
        await asyncio.gather(drawing, return_exceptions=True)
        server.should_exit = True
        await serving

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._up.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()
        self.known.engine.dispose()
        self._folder.cleanup()


TABLES = 40
GAMES = ("Finnish 27", "21-24-27", "Casino 7-27", "Seven Twenty-Seven", "Blackjack")
NAMES = tuple(f"T{number}" for number in range(1, TABLES + 1))
SETTINGS = WallSettings(
    offline_s=3_600,
    target=dict.fromkeys(GAMES, 60.0),
    pages={"T1": "http://127.0.0.1:8027/"},
    sections=tuple(
        FloorSection("Main" if at < 18 else "High limits", f"Floor {at // 6}", NAMES[at : at + 6])
        for at in range(0, TABLES, 6)
    ),
)


def in_play(wall: Wall, names: tuple[str, ...] = NAMES) -> None:
    """Every table deals, and nothing is wrong."""
    for number, name in enumerate(names):
        now = now_ms()
        wall.hear(news(name, at_ms=now, since_ms=now - 2_000, game=GAMES[number % len(GAMES)]))


def asked_of(wall: Wall) -> None:
    """T1 waits for bets and lets the pit do all that a pit may."""
    options = [["max_bet", "50000"], ["min_bet", "500"]]
    wall.hear(news(
        "T1", seq=9, at_ms=now_ms(), game=GAMES[1], phase="betting", waiting_for="Place your bets",
        who="players", pit_acts=PIT_ACTS, options=options, hands=[], since_ms=now_ms() - 4_000,
    ))  # fmt: skip


def troubled(wall: Wall) -> None:
    """One table of each trouble, by their order on the wall: T9, T7, T30, T12, T3."""
    in_play(wall)
    now = now_ms()
    wall.hear(
        news("T9", seq=8, at_ms=now, tone="safe", since_ms=0, who="floor", waiting_for="STOP")
    )
    held = {
        "since_ms": now - 125_000,
        "who": "floor",
        "waiting_for": "Hold 1: a card was read twice",
    }
    wall.hear(news("T7", seq=8, at_ms=now, holds=[hold(since_ms=now - 125_000)], **held))
    wall.find("T30", RecordFinding("Records 4 to 6 are missing", now - 5_000))
    wall.hear(news("T12", seq=8, at_ms=now, alarms=[alarm(since_ms=now - 41_000)]))
    wall.hear(news("T3", seq=8, at_ms=now, since_ms=now - 90_000))
    dead = {
        "phase": "betting",
        "waiting_for": "Place your bets",
        "who": "players",
        "hands": [],
        "since_ms": now - 900_000,
    }
    wall.hear(news("T20", seq=8, at_ms=now, **dead))

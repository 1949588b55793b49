"""Devices that babble, by bytes on a real line and edges on pins: bounded, said, and on record."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import sys
import time
import tty
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.access.token import write_token
from controller.commands.demo.wiring import NEXT
from controller.record.journal import Journal
from controller.rules.cards import card
from controller.table.facts import DeviceDown, DeviceUp, Fact, HoldRaised
from controller.table.irregularities.holds import MAX_HOLDS
from drivers.code_book import check_character
from sim_hw.devices.pins.pin_world import PanelButton, PinWorld
from tests.drivers.outside import BREAK_S
from tests.support.patience import PATIENCE_S, Stopwatch
from tests.support.processes.real_table import RealTable, down, standing

pytestmark = pytest.mark.anyio

CODES = 40_000
#: The next card after all of them.
CARD_WITHIN_S = 1.0
RECORDS_MAX = 60
RANDOM_PARTS = 10
#: Six decks of 54.
PACK = 324
CONFIG = """\
[table]
name = "T1"
game = "21-24-27"
seats = 3
[record]
folder = "record"
trust_clock = true
[web]
port = 0
token_file = "token"
[scanner]
port = "{port}"
"""


def code(printed: str) -> bytes:
    return f"{printed}{check_character(printed)}\r".encode()


class BabbledService:
    """A service whose scanner is a terminal of ours, without a beam."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.line, self.slave = os.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.line, False)
        token = write_token(folder / "token")
        self.headers = {"Authorization": f"Bearer {token}"}
        (folder / "table.toml").write_text(CONFIG.format(port=os.ttyname(self.slave)))

    async def start(self) -> None:
        command = (sys.executable, "-m", "controller", "run", str(self.folder / "table.toml"))
        self.service = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        assert self.service.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            url = (await self.service.stdout.readline()).decode().split()[1]
        self.web = httpx.AsyncClient(
            base_url=f"{url}api/v1",
            headers=self.headers,
            timeout=PATIENCE_S,
            trust_env=False,
            verify=False,
        )

    async def ask(self, do: str, **values: object) -> None:
        answer = await self.web.post("/commands", json={"do": do, **values})
        assert answer.json().get("accepted"), answer.text

    async def say(self, data: bytes) -> None:
        """Send to the line what it takes, as it takes it."""
        loop = asyncio.get_running_loop()
        while data:
            try:
                data = data[os.write(self.line, data) :]
            except BlockingIOError:
                room = loop.create_future()
                loop.add_writer(self.line, room.set_result, None)
                await room
                loop.remove_writer(self.line)

    async def view(self) -> dict[str, Any]:
        """The status page's view."""
        found: dict[str, Any] = (await self.web.get("/table")).json()
        return found

    async def until(self, **expected: object) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                view = await self.view()
                if all(view[name] == value for name, value in expected.items()):
                    return

    async def stop(self) -> None:
        self.service.terminate()
        async with asyncio.timeout(PATIENCE_S):
            await self.service.wait()

    def facts(self) -> list[Fact]:
        journal = Journal(self.folder / "record")
        try:
            journal.recover()
            return [each.fact for each in journal.newest_day.records()]
        finally:
            journal.close()


@contextlib.asynccontextmanager
async def dealt(folder: Path) -> AsyncIterator[BabbledService]:
    desk = BabbledService(folder)
    await desk.start()
    try:
        yield desk
    finally:
        if desk.service.returncode is None:
            desk.service.kill()
            await desk.service.wait()
        await desk.web.aclose()
        os.close(desk.line)
        os.close(desk.slave)


@pytest.mark.long
async def test_a_scanner_that_repeats_itself_keeps_no_card_back(tmp_path: Path) -> None:
    """The next card is there within a second; the record says what happened in a few rows."""
    async with dealt(tmp_path) as desk:
        await desk.ask("load_pack")
        await desk.ask("cut")
        await desk.say(code("KH"))
        await desk.until(phase="betting")
        await desk.ask("place_wager", seat=1, amount=1_000)
        await desk.ask("close_bets")
        for _ in range(10):
            await desk.say(code("KS") * (CODES // 10))
            await asyncio.sleep(0)
        sent, view = CODES, await desk.view()
        async with asyncio.timeout(PATIENCE_S):  # a busy machine takes it late, or looks late
            while all(each["up"] for each in view["devices"]):
                await desk.say(code("KS"))
                sent, view = sent + 1, await desk.view()
        assert [each["name"] for each in view["devices"] if not each["up"]] == ["scanner"]
        assert "scanner" in [each["about"] for each in view["alarms"]]
        began = Stopwatch()
        await desk.say(code("9D"))
        async with asyncio.timeout(PATIENCE_S):
            while len((await desk.view())["holds"]) == len(view["holds"]):
                pass
        assert began.passed_s() < CARD_WITHIN_S
        async with asyncio.timeout(PATIENCE_S):
            while not all(each["up"] for each in (await desk.view())["devices"]):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        await desk.stop()
        facts = desk.facts()
    assert len(facts) < RECORDS_MAX
    held = [each.card.open() for each in facts if isinstance(each, HoldRaised) and each.card]
    assert card("9d") in held
    said = [each.why for each in facts if isinstance(each, DeviceDown) and each.device == "scanner"]
    assert [each.code for each in said] == ["device-babbles", "device-babbled"]
    counted = said[1]["count"]
    assert isinstance(counted, int)
    assert sent - 20 < counted < sent
    ups = [each for each in facts if isinstance(each, DeviceUp) and each.device == "scanner"]
    assert len(ups) == 2, "at the start, and once it was quiet"


async def test_random_codes_without_an_end_are_bounded_on_record(tmp_path: Path) -> None:
    """Without a beam they were refused one by one, 56 records a second, for as long as it went."""
    sent = random.Random(12)
    ranks, suits = (
        ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"],
        ["C", "D", "H", "S"],
    )
    async with dealt(tmp_path) as desk:
        await desk.ask("load_pack")
        await desk.ask("cut")
        began_s = time.monotonic()
        for _ in range(RANDOM_PARTS):
            cards = [code(sent.choice(ranks) + sent.choice(suits)) for _ in range(1_000)]
            noise = [sent.randbytes(20) + b"\r" for _ in range(100)]
            await desk.say(b"".join(sent.sample([*cards, *noise], 1_100)))
        async with asyncio.timeout(PATIENCE_S):
            while all(each["up"] for each in (await desk.view())["devices"]):
                await desk.say(code("9D") + code("KH"))
        async with asyncio.timeout(PATIENCE_S):
            while not all(each["up"] for each in (await desk.view())["devices"]):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        await desk.stop()
        took_s = time.monotonic() - began_s
        facts = desk.facts()
    assert sum(isinstance(each, HoldRaised) for each in facts) <= MAX_HOLDS + 1
    # What comes slowly, as on a busy machine, is no babble: it counts as cards that left, up to the
    # pack, and is refused once a second from there on.
    kinds = Counter(type(each).__name__ for each in facts)
    assert kinds["CardLeftUnread"] <= PACK, kinds
    assert kinds["Refused"] <= took_s + 10, kinds
    counts = [
        each.why["count"]
        for each in facts
        if isinstance(each, DeviceDown) and each.why.code == "device-babbled"
    ]
    assert counts, "how many were left out is on record"
    left_out = sum(each for each in counts if isinstance(each, int))
    assert left_out > RANDOM_PARTS * 400


@pytest.mark.long
async def test_a_button_that_chatters_is_a_device_in_trouble(tmp_path: Path) -> None:
    """Edges on its pin, each long enough for a press, faster than any finger."""
    table = RealTable(tmp_path)
    quick = re.sub(r"(\[buttons\][^\[]*debounce_ms = )\d+", r"\g<1>2", table.config.read_text())
    table.config.write_text(quick)
    table.board = PinWorld(
        replace(table.board.wiring, buttons={PanelButton.NEXT: NEXT}, debounce_ms=2),
        table.changes.notify,
    )
    async with standing(table):
        service = await table.start_service()
        await table.open_bets()
        async with asyncio.timeout(PATIENCE_S):
            presses = 0
            while "buttons" not in down(await table.scene()):
                for _ in range(10):
                    await table.board.press(PanelButton.NEXT)
                    presses += 1
        for _ in range(100):
            await table.board.press(PanelButton.NEXT)
        assert "buttons" in down(await table.scene())
        assert await table.stop(service) == 0
        journal = Journal(table.record)
        try:
            journal.recover()
            assert len(list(journal.newest_day.records())) < presses + RECORDS_MAX
        finally:
            journal.close()


@pytest.mark.long
async def test_a_beam_that_flaps_is_a_device_in_trouble(tmp_path: Path) -> None:
    table = RealTable(tmp_path)
    async with standing(table):
        service = await table.start_service()
        await table.open_bets()
        for _ in range(100):
            table.board.beam(broken=True)
            await asyncio.sleep(BREAK_S)
            table.board.beam(broken=False)
            await asyncio.sleep(BREAK_S)
        down = await table.until_scene(
            lambda scene: any(not each["up"] for each in scene["devices"])
        )
        assert down["holds"]
        assert await table.stop(service) == 0
        journal = Journal(table.record)
        try:
            journal.recover()
            assert len(list(journal.newest_day.records())) < RECORDS_MAX
        finally:
            journal.close()

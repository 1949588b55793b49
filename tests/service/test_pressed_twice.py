"""A button that is pressed twice: the second press was for the picture before, which is gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.devices.contracts import Input
from controller.devices.inputs import Button, Condition, Health, Press, Reading
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.service import shown_pictures
from controller.service.loop import Service
from controller.service.ports import Clock
from controller.service.shown_pictures import UNSEEN_NS, ShownPictures
from controller.table import inputs as i
from drivers.panel import stream_deck
from tests.support.patience import PATIENCE_S
from tests.support.pit import SCANNER, setup

pytestmark = pytest.mark.anyio

MS = 1_000_000


def test_buttons_a_deck_and_displays_mean_the_same_time_in_which_nobody_can_have_seen_it() -> None:
    aim = Path(shown_pictures.__file__).parents[1] / "web" / "static" / "parts" / "aim.js"
    assert UNSEEN_NS == stream_deck.UNSEEN_NS
    assert f"const REACTION_MS = {UNSEEN_NS // MS};" in aim.read_text(encoding="utf-8")


class PressedTable:
    """A table whose clock stands until a test moves it, as quick as its dealer's fingers."""

    def __init__(self, path: Path) -> None:
        self.now_ns = 10**12
        clock = Clock(mono_ns=lambda: self.now_ns)
        start = i.Start(setup(3), "0.0-test", (SCANNER,))
        self.service = Service(start, path, clock=clock, unseen_ns=UNSEEN_NS)

    async def ask(self, *commands: i.Command) -> None:
        for each in commands:
            self.now_ns += 1_000 * MS
            reply = await self.service.submit(each, None, None)
            assert reply.refused is None

    async def deal(self, codes: str) -> None:
        for code in codes.split():
            self.now_ns += 1_000 * MS
            await self.tell(Reading(SCANNER, Sealed(card(code)), apart=True))

    async def tell(self, event: Input) -> None:
        """A device's input; what it leads to is on record and shown when this returns."""
        seq = self.service.scene.dealer.seq
        await self.service.offer(event)
        async with asyncio.timeout(PATIENCE_S):
            async for _ in self.service.changes():
                if self.service.scene.dealer.seq > seq:
                    return

    async def press(self, button: Button, after_ms: int) -> str:
        """What the display says after a press."""
        self.now_ns += after_ms * MS
        await self.tell(Press("buttons", button))
        return self.service.scene.dealer.headline


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[PressedTable]:
    """Seats 1 and 2 have two cards each, and seat 1 is asked."""
    made = PressedTable(tmp_path / "record")
    await made.service.recover()
    loop = asyncio.create_task(made.service.run())
    try:
        await made.tell(Health(SCANNER, Condition.UP))
        await made.ask(i.LoadPack(), i.CutShoe())
        await made.deal("2c")
        await made.ask(i.PlaceWager(1, 1_000), i.PlaceWager(2, 1_000), i.CloseBets())
        await made.deal("6h Th 9c 9d 9s 7s")
        made.now_ns += 1_000 * MS
        yield made
    finally:
        loop.cancel()
        await asyncio.gather(loop, return_exceptions=True)
        made.service.close()


async def test_stand_that_is_pressed_twice_is_one_players_word(table: PressedTable) -> None:
    """It was the next player's word too: nobody had asked that player anything."""
    assert table.service.scene.dealer.headline == "Seat 1: stand or hit?"
    assert await table.press(Button.STAND, 0) == "Seat 2: stand or hit?"
    assert await table.press(Button.STAND, 120) == "Seat 2: stand or hit?"
    assert "the table has moved on" in table.service.scene.dealer.refusal.lower()
    assert await table.press(Button.STAND, 200) == "Dealer draws: hard 16 is under 21"


async def test_next_that_is_pressed_twice_pays_once(table: PressedTable) -> None:
    await table.press(Button.STAND, 0)
    await table.press(Button.STAND, 500)
    await table.deal("2d 3h")
    paid = table.service.scene.dealer.headline
    following = await table.press(Button.NEXT, 1_000)
    assert following != paid
    assert await table.press(Button.NEXT, 149) == following
    assert await table.press(Button.NEXT, 1) != following


async def test_the_floor_is_called_however_soon(table: PressedTable) -> None:
    await table.press(Button.STAND, 0)
    assert (await table.press(Button.CALL, 1)).startswith("Floor called")


def test_a_press_answers_the_picture_that_stood_long_enough() -> None:
    shown = ShownPictures(100)
    assert shown.by(1_000) == -1
    shown.show(7, 1_000)
    assert [shown.by(at) for at in (1_099, 1_100)] == [-1, 7]
    shown.show(7, 1_150)  # a refusal, or a device: there is nothing else to do
    shown.show(8, 1_200)
    shown.show(9, 1_250)
    assert [shown.by(at) for at in (1_299, 1_300, 1_349, 1_350)] == [7, 8, 8, 9]
    assert ShownPictures(0).by(5) == -1

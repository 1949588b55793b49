"""Devices of others on a thread of their own: one that blocks holds up nothing but itself."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable
from typing import cast

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.contracts import DeviceError, DeviceLost, InputDevice
from controller.devices.inputs import Button, Condition, Doubt, Press, Reading
from controller.devices.lights import LOOKS
from controller.devices.scene import Light, Scene
from controller.rules.cards import card
from controller.rules.messages import message
from controller.rules.sealed import Sealed
from drivers.supervision import supervise
from drivers.supervision.apart import ApartInput, ApartOutput
from tests.drivers.outside import ScannerLine, level, picture, until
from tests.drivers.test_supervise import SECRET, SPOT, TableStub, lights, running, scanner
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
UP, DOWN = Condition.UP, Condition.DOWN
DOES_NOT_ANSWER = "does not answer: its driver is still at it"


@pytest.fixture
def table() -> TableStub:
    return TableStub()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long it waits between two tries is not tested here."""
    monkeypatch.setattr(supervise, "BACKOFF_FIRST_S", 0.005)
    monkeypatch.setattr(supervise, "BACKOFF_MOST_S", 0.02)


class Acme:
    """A reader of others. It waits in the middle of a call, and reads a card as that call ends.

    `blocks` says in which; `waits` is set while it does, and `goes_on` lets it.
    """

    name = "acme"

    def __init__(self, blocks: str = "") -> None:
        self.blocks = blocks
        self.waits, self.goes_on = threading.Event(), threading.Event()
        self.cards: asyncio.Queue[str] = asyncio.Queue()
        self.opened = self.closed = 0
        self.given: list[str] = []
        self.threads: set[int] = set()
        self.on_card_coming: Callable[[], None] | None = None

    def _wait(self, where: str) -> bool:
        self.threads.add(threading.get_ident())
        if self.blocks != where:
            return False
        self.blocks = ""
        self.waits.set()
        assert self.goes_on.wait(PATIENCE_S)
        return True

    async def open(self) -> None:
        self._wait("open")
        self.opened += 1

    async def inputs(self) -> AsyncGenerator[Reading | Press]:
        while True:
            if self._wait("read"):
                yield self._read("2c")
            if self.blocks == "close":
                raise DeviceLost(message("device-stopped", device=self.name))
            yield self._read(await self.cards.get())

    def _read(self, code: str) -> Reading:
        if self.on_card_coming is not None:
            self.on_card_coming()
        self.given.append(code)
        return Reading(self.name, Sealed(card(code)), apart=True)

    async def close(self) -> None:
        self._wait("close")
        await asyncio.sleep(0)  # what is cancelled there ends here, and lets nothing go
        self.closed += 1


def whys(table: TableStub, device: str) -> list[str]:
    return [why for condition, why in table.health(device) if condition is DOWN]


@pytest.mark.parametrize("blocks", ["open", "read", "close"])
async def test_a_reader_that_blocks_is_down_and_the_table_and_others_go_on(
    blocks: str, table: TableStub, line: ScannerLine
) -> None:
    """What it read meanwhile is nobody's card: nobody knows when it was."""
    acme = Acme(blocks)
    there = ApartInput(acme)
    async with running(table, (there, scanner(line))) as supervisor:
        await until(acme.waits.is_set)
        line.say(b"THX\r")
        await until(lambda: table.cards() == ["Th"])
        await until(lambda: DOES_NOT_ANSWER in "".join(whys(table, "acme")))
        failed = supervisor.failures()["acme"]
        line.say(b"9CE\r")
        await until(lambda: table.cards() == ["Th", "9c"])
        acme.goes_on.set()
        await until(lambda: table.conditions("acme")[-1] is UP)
        assert table.cards() == ["Th", "9c"]
        there._thread.call(lambda: acme.cards.put_nowait("7d"))
        await until(lambda: table.cards() == ["Th", "9c", "7d"])
        assert supervisor.failures()["acme"] == failed >= 1
        assert len(whys(table, "acme")) <= 2, "it was told once"
    assert acme.given == (["2c", "7d"] if blocks == "read" else ["7d"])
    assert acme.closed == acme.opened, "it was closed each time, also at the end"
    assert len(acme.threads) == 1
    assert threading.get_ident() not in acme.threads


async def test_its_cards_come_in_order_and_it_is_asked_for_the_next_when_one_was_taken(
    table: TableStub,
) -> None:
    acme = Acme()
    there = ApartInput(acme)
    async with running(table, (there,)):
        await until(lambda: table.conditions("acme") == [UP])
        table.may_take.clear()
        codes = [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789T"]
        for code in codes:
            there._thread.call(lambda code=code: acme.cards.put_nowait(code))  # type: ignore[misc]
        await until(lambda: len(acme.given) > 0)
        await there._thread.wait(there._thread.begin(_turns))
        assert len(acme.given) == 1, "what the table has not taken is not read on"
        table.may_take.set()
        await until(lambda: len(table.cards()) == len(codes))
        assert table.cards() == codes


async def _turns() -> None:
    """Turns of the loop there, in which more would be read."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_card_that_comes_is_announced_at_home(table: TableStub) -> None:
    told: list[int] = []
    acme = Acme()
    there = ApartInput(acme)
    supervisor = supervise.Supervisor(
        table.offer, (there,), card_coming=lambda: told.append(threading.get_ident())
    )
    task = asyncio.create_task(supervisor.run())
    await until(lambda: table.conditions("acme") == [UP])
    there._thread.call(lambda: acme.cards.put_nowait("7d"))
    await until(lambda: table.cards() == ["7d"])
    assert told == [threading.get_ident()]
    task.cancel()
    await asyncio.wait([task])


async def test_a_table_stops_while_a_reader_hangs_which_is_closed_when_it_comes_back(
    table: TableStub,
) -> None:
    acme = Acme("read")
    async with running(table, (ApartInput(acme),)):
        await until(acme.waits.is_set)
    assert not acme.closed
    acme.goes_on.set()
    await until(lambda: acme.closed == 1)
    assert table.cards() == []


class OthersWall:
    """A display of others, which waits in the middle of showing a scene, once."""

    name = "wall"

    def __init__(self, waits_at: Light) -> None:
        self._waits_at: Light | None = waits_at
        self.waits, self.goes_on = threading.Event(), threading.Event()
        self.shown: list[Light] = []
        self.dark: list[bool] = []

    async def open(self) -> None:
        """Always works."""

    def show(self, scene: Scene) -> None:
        if scene.lights[0] is self._waits_at:
            self._waits_at = None
            self.waits.set()
            assert self.goes_on.wait(PATIENCE_S)
        assert scene.dealer.headline, "words are drawn there, too"
        self.shown.append(scene.lights[0])

    def darken(self, dark: bool) -> None:
        self.dark.append(dark)

    async def run(self) -> None:
        """It has no pattern, and says so in its own way."""

    async def close(self) -> None:
        """Always works."""


async def test_a_display_that_blocks_is_down_and_shows_the_newest_scene_when_it_is_back(
    table: TableStub, pins: MockFactory
) -> None:
    wall = OthersWall(waits_at=Light.WON)
    async with running(table, outputs=(ApartOutput(wall), lights(pins))) as supervisor:
        supervisor.show(picture((Light.BET,)))
        supervisor.darken(True)
        await until(lambda: table.conditions("wall") == [UP])
        supervisor.darken(True)
        supervisor.darken(False)
        await until(lambda: wall.shown == [Light.BET])
        supervisor.show(picture((Light.WON,)))
        await until(wall.waits.is_set)
        for light in (Light.LOST, Light.STANDING):
            supervisor.show(picture((light,)))
            assert [level(pins, number) for number in SPOT] == list(LOOKS[light].colour)
        await until(lambda: table.conditions("wall") == [UP, DOWN])
        (why,) = whys(table, "wall")
        assert DOES_NOT_ANSWER in why
        wall.goes_on.set()
        await until(lambda: table.conditions("wall")[-1] is UP)
        await until(lambda: wall.shown[-1] is Light.STANDING)
        assert Light.LOST not in wall.shown, "of what waited the newest alone"
        assert supervisor.failures() == {"wall": 1, "leds": 0}


class OthersDeck:
    """Keys of others, with pictures of what may be pressed."""

    name = "deck"

    def __init__(self) -> None:
        self.shown: list[Light] = []
        self.pressed: asyncio.Queue[Button] = asyncio.Queue()

    async def open(self) -> None:
        """Always works."""

    async def inputs(self) -> AsyncGenerator[Reading | Press]:
        while True:
            yield Press(self.name, await self.pressed.get())

    def show(self, scene: Scene) -> None:
        self.shown.append(scene.lights[0])
        if scene.lights[0] is Light.LOST:
            raise LookupError(SECRET)

    async def close(self) -> None:
        """Always works."""


async def test_keys_show_the_newest_scene_and_are_pressed(
    table: TableStub, caplog: pytest.LogCaptureFixture
) -> None:
    """What fails in showing them is logged without its text, and ends nothing."""
    deck = OthersDeck()
    there = ApartInput(deck)
    async with running(table, (there,)) as supervisor:
        supervisor.show(picture((Light.BET,)))
        await until(lambda: deck.shown == [Light.BET])
        supervisor.show(picture((Light.LOST,)))
        await until(lambda: deck.shown[-1] is Light.LOST)
        supervisor.show(picture((Light.WON,)))
        await until(lambda: deck.shown[-1] is Light.WON)
        there._thread.call(lambda: deck.pressed.put_nowait(Button.NEXT))
        await until(lambda: Press("deck", Button.NEXT) in table.inputs)
        assert table.conditions("deck") == [UP]
    assert "deck failed unexpectedly: LookupError" in caplog.text
    assert SECRET not in caplog.text


class Raises:
    """A reader of others that ends as nobody could foresee, with a card's code in its text."""

    name = "acme"

    def __init__(self, error: BaseException | None) -> None:
        self._error = error
        self.opened = 0

    async def open(self) -> None:
        self.opened += 1

    async def inputs(self) -> AsyncGenerator[Reading | Press]:
        yield Reading(self.name, None, Doubt.NO_CODE)
        if self._error is not None:
            raise self._error

    async def close(self) -> None:
        """Always works."""


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (LookupError(SECRET), "failed unexpectedly (LookupError)"),
        (SystemExit(SECRET), "failed unexpectedly (RuntimeError)"),
        (asyncio.CancelledError(SECRET), "failed unexpectedly (RuntimeError)"),
        (DeviceError(message("device-stopped", device="acme")), "stopped by itself"),
        (None, "failed unexpectedly (StopAsyncIteration)"),
    ],
)
async def test_whatever_it_raises_ends_that_device_alone_and_tells_no_code(
    error: BaseException | None, says: str, table: TableStub, caplog: pytest.LogCaptureFixture
) -> None:
    acme = Raises(error)
    with caplog.at_level(logging.INFO):
        async with running(table, (cast(InputDevice, ApartInput(acme)),)):
            await until(lambda: acme.opened >= 3)
    assert says in whys(table, "acme")[0]
    assert SECRET not in caplog.text + "".join(whys(table, "acme"))
    # What was read before is told before why it ended.
    assert table.inputs[1] == Reading("acme", None, Doubt.NO_CODE)


class Slow(Acme):
    """A reader whose opening blocks for longer than anybody waits, and then is well."""

    async def open(self) -> None:
        await super().open()
        self.blocks = "open"


async def test_a_device_whose_opening_takes_its_time_is_opened_once(table: TableStub) -> None:
    acme = Slow("open")
    async with running(table, (ApartInput(acme),)):
        await until(lambda: DOES_NOT_ANSWER in "".join(whys(table, "acme")))
        acme.goes_on.set()
        await until(lambda: table.conditions("acme")[-1] is UP)
        assert acme.opened == 1
    assert acme.closed == 1

"""Last wire byte to lamp, through pty, rules, durable journal and pins, against the bare floor.

Three paths are taken in turns, card by card, so that the machine's mood is the same for all, a code
in one packet (USB) and byte by byte (a serial line) by turns:
the table as it runs; the same with a journal that writes nothing; and the floor, a reader of the
same kind of pty that makes the same bytes durable in its own loop and sets one pin.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import gpiozero
from gpiozero.pins.mock import MockFactory

from controller.devices.scene import Scene
from controller.record.commit import Commit
from controller.record.journal import Journal
from controller.rules.actions import Action
from controller.rules.cards import Card
from controller.rules.games.registry import game
from controller.rules.script.steps import Ask, Settle
from controller.service.loop import Service
from controller.table import inputs as i
from controller.table.facts import Record
from drivers.code_book import check_character, code_book
from drivers.panel.lights.leds import PinLamps, SpotLights
from drivers.settings.panel import DEFAULT_SPOTS, LedSettings
from drivers.settings.scanner import ScannerSettings
from drivers.shoe.serial_shoe import SerialShoe
from drivers.supervision.babble import CARDS as CARDS_READ
from drivers.supervision.supervise import Supervisor
from tests.bench.far_end import CodeWire
from tests.bench.table import BenchLine, microseconds, quantile

GAME = game("21-24-27")
SEATS = 7
CARDS = 300
WARM = 50
#: No faster than the guard against babbling readers allows when a pack is run through.
PAUSE_S = 1 / CARDS_READ.per_s / 3


#: What a card's record looks like; the floor writes as many bytes as the table.
BODY = (
    b'["CardDealt/1",1795361538088,26340579959303,"scanner:3408ed8e:221",'
    b'{"card":"4h","seat":2,"hand":1,"source":"scanner","serial":"000124","evidence":"",'
    b'"why":null,"forced":false,"felt":[[[2,1,[["hard",15]],1000,null,false,false,0,null,null]],'
    b"[]]}]"
)


def printed(card: Card, serial: int) -> str:
    """The printed code of a card with a serial number."""
    text = f"{card.code.upper()}{serial % 1_000_000:06d}"
    return text + check_character(text)


class Silent(Journal):
    """A journal that believes at once: what is left is the software."""

    def begin(self, records: Sequence[Record]) -> Commit:
        """Nothing is written."""
        commit = Commit(records, asyncio.get_running_loop())
        commit.notify(None)
        return commit


class BenchTable:
    """A whole table on its own pty and pins; `lit` is set when the lamps show a new picture."""

    def __init__(self, folder: Path, name: str, journal: type[Journal]) -> None:
        self.wire = CodeWire()
        self.at_once = True
        self.lit = asyncio.Event()
        self.lit_at = 0.0
        self.shoe: list[Card] = []
        self.random = random.Random(name)
        self.serial = 0
        setup = i.Setup(name, GAME.name, SEATS, (), draw_means_hit=True)
        self.service = Service(i.Start(setup, "bench", ("scanner",)), folder / name)
        self._journal = journal
        settings = ScannerSettings(port=self.wire.path, baud=115_200)
        shoe = SerialShoe(settings, code_book("tablectl-1", GAME.pack), None, None, "scanner")
        lamps = SpotLights(PinLamps(LedSettings(DEFAULT_SPOTS), MockFactory()))
        self.supervisor = Supervisor(
            self.service.offer, [shoe], [lamps], card_coming=self.service.card_coming
        )
        self.service.outputs.extend((self.supervisor, self))

    def show(self, scene: Scene) -> None:
        self.lit_at = time.perf_counter()
        self.lit.set()

    async def open(self, stack: AsyncExitStack) -> None:
        stack.callback(self.wire.close)
        await self.service.recover()
        if self._journal is Silent:
            assert self.service.recorder.journal is not None
            self.service.recorder.journal.__class__ = Silent
        stack.callback(self.service.close)
        tasks = [
            asyncio.create_task(self.service.run()),
            asyncio.create_task(self.supervisor.run()),
        ]
        stack.push_async_callback(stop_all, tasks)
        async for _ in self.service.changes():
            state = self.service.state
            if state and state.run.devices.get("scanner", state) is None:
                return

    async def ask(self, command: i.Command) -> None:
        reply = await self.service.submit(command, None, None)
        assert reply.accepted, reply.refused

    def draw(self) -> str:
        self.serial += 1
        if not self.shoe:
            self.shoe = GAME.pack.cards()
            self.random.shuffle(self.shoe)
        return printed(self.shoe.pop(), self.serial)

    async def card(self) -> float:
        """One card: seconds from its last byte to the lamps."""
        self.lit.clear()
        self.wire.send(self.draw(), self.at_once)
        await self.lit.wait()
        return self.lit_at - self.wire.sent_at()

    async def until_a_card_is_dealt_round(self) -> None:
        """Bets, decisions and chips, untimed, until the next card goes round the table."""
        state = self.service.state
        assert state is not None
        if state.phase.value == "shuffle":
            self.shoe = []
            await self.ask(i.LoadPack())
            await self.ask(i.CutShoe())
            await self.card()
        elif state.phase.value == "betting":
            for seat in range(1, SEATS + 1):
                await self.ask(i.PlaceWager(seat, 1_000))
            await self.ask(i.CloseBets())
        elif isinstance(state.step, Ask):
            place = state.step.hand.place
            hand = state.step.hand
            said = GAME.advise(state.step.play, hand.cards)
            assert isinstance(said, Action)
            await self.ask(i.Decide(place.seat, said, place.hand))
        elif isinstance(state.step, Settle):
            place = state.step.hand.place
            await self.ask(i.ConfirmSettled(place.seat, place.hand))

    async def next_card(self) -> float | None:
        """Seconds of the next card if it goes round the table (the lamps move), else None."""
        while True:
            state = self.service.state
            assert state is not None
            step = state.step
            if step is not None and not isinstance(step, Ask | Settle):
                took = await self.card()
                return took if getattr(step, "play", None) is None else None
            await self.until_a_card_is_dealt_round()


async def stop_all(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class Floor:
    """The least that can be: read a line, make the same bytes durable, set one pin."""

    def __init__(self, folder: Path) -> None:
        self.wire = CodeWire()
        self.base = sqlite3.connect(folder / "floor.db", isolation_level=None)
        self.base.execute("PRAGMA page_size=1024")
        self.base.execute("PRAGMA journal_mode=WAL")
        self.base.execute("PRAGMA synchronous=FULL")
        self.base.execute(
            "CREATE TABLE records (seq INTEGER PRIMARY KEY, version INTEGER, body BLOB, hash BLOB)"
        )
        self.pin = gpiozero.DigitalOutputDevice(4, pin_factory=MockFactory())
        self.received = b""
        self.lit = asyncio.Event()
        self.lit_at = 0.0
        self.seq = 0
        os.set_blocking(self.wire.slave, False)
        asyncio.get_running_loop().add_reader(self.wire.slave, self._readable)

    def _readable(self) -> None:
        self.received += os.read(self.wire.slave, 256)
        if not self.received.endswith(b"\r"):
            return
        self.received = b""
        self.seq += 1
        self.base.execute("BEGIN IMMEDIATE")
        self.base.execute("INSERT INTO records VALUES (?, 1, ?, ?)", (self.seq, BODY, bytes(32)))
        self.base.execute("COMMIT")
        self.pin.value = not self.pin.value
        self.lit_at = time.perf_counter()
        self.lit.set()

    async def card(self, at_once: bool) -> float:
        self.lit.clear()
        self.wire.send("KH000123X", at_once)
        await self.lit.wait()
        return self.lit_at - self.wire.sent_at()

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self.wire.slave)
        self.wire.close()
        self.base.close()
        self.pin.close()


Samples = dict[bool, tuple[list[float], list[float], list[float]]]


async def measure() -> Samples:
    """Samples in seconds: the table, the table without its journal, the floor.

    By whether a code comes at once: of each two cards one does.
    """
    samples: Samples = {True: ([], [], []), False: ([], [], [])}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablectl-bench-")))
        one, two = BenchTable(folder, "full", Journal), BenchTable(folder, "silent", Silent)
        await one.open(stack)
        await two.open(stack)
        bare = Floor(folder)
        stack.callback(bare.close)
        at_once = True
        while len(samples[False][0]) < CARDS + WARM:
            one.at_once = two.at_once = at_once
            # A pause before each: who comes first after one finds a cold processor and disk.
            took = await one.next_card()
            await asyncio.sleep(PAUSE_S)
            without = await two.next_card()
            await asyncio.sleep(PAUSE_S)
            least = await bare.card(at_once)
            await asyncio.sleep(PAUSE_S)
            if took is not None and without is not None:
                for taken, each in zip(samples[at_once], (took, without, least), strict=True):
                    taken.append(each)
                at_once = not at_once
    return samples


def lines() -> list[BenchLine]:
    """The rows of this part."""
    samples = asyncio.run(measure())
    return [*_rows("one packet", samples[True]), *_rows("byte by byte", samples[False])]


def _rows(manner: str, samples: tuple[list[float], list[float], list[float]]) -> list[BenchLine]:
    table, silent, floor = (each[WARM:] for each in samples)
    p50, p99 = (quantile(table, at) / quantile(floor, at) for at in (0.5, 0.99))
    return [
        _row(f"wire byte to lamp, seven seats, durable; {manner}", table),
        _row("the bare floor: same pty, same write, one pin", floor),
        BenchLine(
            "  ratio to the floor", f"{p50:.2f}", f"{p99:.2f}", "1.5 and 2.0",
            p50 <= 1.5 and p99 <= 2.0,
        ),
        _row(
            "the same without the journal", silent, "at most 150 µs",
            quantile(silent, 0.5) <= 150e-6,
        ),
    ]  # fmt: skip


def _row(
    what: str, samples: Sequence[float], goal: str = "", reached: bool | None = None
) -> BenchLine:
    median, p99 = (microseconds(quantile(samples, at)) for at in (0.5, 0.99))
    return BenchLine(what, median, p99, goal, reached)

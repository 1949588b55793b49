"""A loop that is busy while cards pass finds bytes and edges together: no card is told wrong.

Bytes do not say when they came. Taken before or after the edges they came with, one late moment
would give every later card the code of the one before it, in silence.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
import tty
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import card
from controller.rules.games.registry import game
from drivers.code_book import check_character, code_book
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
from drivers.shoe.arrivals import NO_NEXT_CODE_NS
from drivers.shoe.serial_shoe import SerialShoe
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio

BEAM = 5
STEP_S = 0.006


class ScannerExit:
    """The exit of a shoe: a scanner's line and a beam, as a card meets them."""

    def __init__(self) -> None:
        self.ours, self.theirs = os.openpty()
        tty.setraw(self.theirs)
        self.path = Path(os.ttyname(self.theirs))
        self.factory = MockFactory()
        self.pin = self.factory.pin(BEAM)
        self._cleared_s = 0.0
        self.was_slow = False
        """Whether a loop was busy for so long after a card that another one may have been read."""

    def found(self) -> None:
        """The loop has found what there was."""
        self.was_slow |= time.monotonic() - self._cleared_s > NO_NEXT_CODE_NS / 1e9

    def pass_cards(self, codes: str, *, late: bool = False) -> None:
        """Cards slide out, one after the other; `late`: the scanner speaks after each has gone."""
        for code in codes.split():
            text = code.upper().strip("?")
            line = f"{text}{check_character(text)}\r".encode() if "?" not in code else b""
            if not late:
                os.write(self.ours, line)
            time.sleep(STEP_S)
            self.pin.drive_low()
            time.sleep(2 * STEP_S)
            self.pin.drive_high()
            self._cleared_s = time.monotonic()
            time.sleep(STEP_S)
            if late:
                os.write(self.ours, line)
            time.sleep(STEP_S)

    def close(self) -> None:
        os.close(self.ours)
        os.close(self.theirs)


@pytest.fixture
def way_out() -> Iterator[ScannerExit]:
    built = ScannerExit()
    yield built
    built.close()


async def told_by(
    way_out: ScannerExit, rounds: list[str], late_code_ms: int, late: bool
) -> list[str]:
    """What the shoe tells when the loop is busy through each of `rounds`, a round at a time."""
    shoe = SerialShoe(
        ScannerSettings(way_out.path, baud=115_200),
        code_book("tablectl-1", game("21-24-27").pack),
        BeamSettings(BEAM, late_code_ms=late_code_ms),
        way_out.factory,
    )
    await shoe.open()
    way_out.pin.drive_high()
    readings: list[str] = []
    try:
        inputs = shoe.inputs()
        for codes in rounds:
            hand = threading.Thread(
                target=way_out.pass_cards, args=(codes,), kwargs={"late": late}, daemon=True
            )
            hand.start()
            hand.join()  # the loop does nothing meanwhile: this is the fault
            for _ in codes.split():
                async with asyncio.timeout(PATIENCE_S):
                    event = await anext(inputs)
                way_out.found()
                assert isinstance(event, Reading)
                readings.append(str(event.card.open()) if event.card else str(event.doubt))
        await inputs.aclose()
    finally:
        await shoe.close()
    return readings


def is_told(said: str, physical: str) -> bool:
    """Whether that is said of this card, or that it could not be told."""
    return said in (physical, *map(str, Doubt))


@pytest.mark.parametrize("late_code_ms", [0, 20, 120])
async def test_one_card_in_each_busy_time_is_told_right(
    way_out: ScannerExit, late_code_ms: int
) -> None:
    cards = ["Th", "9c", "Kd", "2s"]
    read = await told_by(way_out, cards, late_code_ms, late=False)
    assert read == cards or (way_out.was_slow and all(map(is_told, read, cards)))


async def test_a_scanner_that_speaks_last_is_told_right(way_out: ScannerExit) -> None:
    cards = ["Th", "9c", "Kd"]
    read = await told_by(way_out, cards, 120, late=True)
    assert read == cards or (way_out.was_slow and all(map(is_told, read, cards)))


@pytest.mark.parametrize("late_code_ms", [0, 20, 120])
@pytest.mark.parametrize("codes", ["Th 9c", "?Th 9c", "Th ?9c", "Th 9c Kd", "?Th 9c Kd"])
async def test_of_several_cards_in_one_busy_time_none_is_guessed(
    way_out: ScannerExit, codes: str, late_code_ms: int
) -> None:
    """`?` is a card whose code was missed: the code that came must not go to it."""
    read = await told_by(way_out, [codes, "2s"], late_code_ms, late=False)
    for physical, said in zip(codes.split(), read, strict=False):
        assert is_told(said, physical), f"{physical} was told as {said}"
    last = str(card("2s"))
    assert read[-1] == last or (way_out.was_slow and is_told(read[-1], last))


@asynccontextmanager
async def at_the_exit(way_out: ScannerExit) -> AsyncIterator[list[str]]:
    """The shoe is open, its scanner may speak 20 ms after a card; what it tells, as it tells it."""
    shoe = SerialShoe(
        ScannerSettings(way_out.path, baud=115_200),
        code_book("tablectl-1", game("21-24-27").pack),
        BeamSettings(BEAM, late_code_ms=20), way_out.factory,
    )  # fmt: skip
    way_out.pin.drive_high()
    await shoe.open()
    read = list[str]()

    async def listen() -> None:
        async with aclosing(shoe.inputs()) as inputs:
            async for each in inputs:
                assert isinstance(each, Reading)
                read.append(str(each.card.open()) if each.card else str(each.doubt))

    listening = asyncio.create_task(listen())
    try:
        yield read
    finally:
        listening.cancel()
        await asyncio.wait([listening])
        await shoe.close()


def says(way_out: ScannerExit, code: str) -> None:
    os.write(way_out.ours, f"{code}{check_character(code)}\r".encode())


def busy(seconds: float) -> None:
    """The loop does nothing meanwhile: this is the fault."""
    time.sleep(seconds)


async def passes(way_out: ScannerExit, code: str = "") -> None:
    """A card, read before it comes into the beam; the loop is awake."""
    if code:
        says(way_out, code)
        await asyncio.sleep(STEP_S)
    way_out.pin.drive_low()
    await asyncio.sleep(3 * STEP_S)
    way_out.pin.drive_high()


async def told(read: list[str], count: int) -> list[str]:
    async with asyncio.timeout(PATIENCE_S):
        while len(read) < count:  # noqa: ASYNC110  (it tells nobody)
            await asyncio.sleep(STEP_S)
    return read


NINE = str(card("9c"))


async def test_the_next_cards_code_read_in_the_same_busy_time_is_not_the_gone_ones(
    way_out: ScannerExit,
) -> None:
    async with at_the_exit(way_out) as read:
        way_out.pin.drive_low()  # a ten whose code is missed
        await asyncio.sleep(3 * STEP_S)
        way_out.pin.drive_high()
        busy(0.2)
        says(way_out, "9C")  # it lies in the exit, and has not come into the beam
        await told(read, 1)
        assert read[0] != NINE
        await passes(way_out)
        assert (await told(read, 2))[0] != NINE


async def test_a_late_code_that_was_found_too_late_is_not_the_next_cards(
    way_out: ScannerExit,
) -> None:
    async with at_the_exit(way_out) as read:
        for next_comes in (True, False):
            way_out.pin.drive_low()
            await asyncio.sleep(3 * STEP_S)
            way_out.pin.drive_high()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            says(way_out, "9C")  # of the card that has just gone
            busy(0.2)
            if next_comes:
                way_out.pin.drive_low()
                await asyncio.sleep(3 * STEP_S)
                way_out.pin.drive_high()
            else:
                await asyncio.sleep(3 * STEP_S)
                await passes(way_out)
            gone, following = (await told(read, 2))[:2]
            assert following != NINE, "it was the code of the card before it"
            assert gone in (NINE, *map(str, Doubt))
            read.clear()

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
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import card
from controller.rules.games.registry import game
from drivers.code_book import check_character, code_book
from drivers.settings.scanner import ScannerSettings
from drivers.settings.shoe import BeamSettings
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
                assert isinstance(event, Reading)
                readings.append(str(event.card.open()) if event.card else str(event.doubt))
        await inputs.aclose()
    finally:
        await shoe.close()
    return readings


@pytest.mark.parametrize("late_code_ms", [0, 20, 120])
async def test_one_card_in_each_busy_time_is_told_right(
    way_out: ScannerExit, late_code_ms: int
) -> None:
    read = await told_by(way_out, ["Th", "9c", "Kd", "2s"], late_code_ms, late=False)
    assert read == ["Th", "9c", "Kd", "2s"]


async def test_a_scanner_that_speaks_last_is_told_right(way_out: ScannerExit) -> None:
    read = await told_by(way_out, ["Th", "9c", "Kd"], 120, late=True)
    assert read == ["Th", "9c", "Kd"]


@pytest.mark.parametrize("late_code_ms", [0, 20, 120])
@pytest.mark.parametrize("codes", ["Th 9c", "?Th 9c", "Th ?9c", "Th 9c Kd", "?Th 9c Kd"])
async def test_of_several_cards_in_one_busy_time_none_is_guessed(
    way_out: ScannerExit, codes: str, late_code_ms: int
) -> None:
    """`?` is a card whose code was missed: the code that came must not go to it."""
    read = await told_by(way_out, [codes, "2s"], late_code_ms, late=False)
    for physical, said in zip(codes.split(), read, strict=False):
        assert said in (physical, *map(str, Doubt)), f"{physical} was told as {said}"
    assert read[-1] == str(card("2s"))

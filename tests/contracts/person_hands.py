"""A person who is asked at a terminal to press, scan and look."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager

from controller.devices.contracts import OutputDevice
from controller.devices.lights import LOOKS
from controller.devices.scene import Scene
from controller.rules.cards import Card
from drivers.panel.buzzer import SOUNDS


class TerminalPerson:
    """Somebody at the table who does what the terminal says."""

    patience_s = 120.0

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal

    async def act(self, device: str, *, unseen: bool = False) -> Card | None:
        what = (
            "Press one button, and let it go."
            if device in ("buttons", "i2c_buttons", "keypad", "pedal", "stream_deck")
            else "Pull ONE card out of the shoe."
        )
        if unseen:
            await self._ask(f"{what} Done?")
        else:
            self._say(what)
        return None

    async def lay(self, chips: bool) -> None:
        what = "Put chips with a tag on" if chips else "Take all chips from"
        await self._ask(f"{what} every bet spot that has a sensor. Done?")

    async def pull_plug(self, device: str) -> None:
        await self._ask(f"Pull the {_reader(device)}'s plug. Done?")

    async def push_plug(self, device: str) -> None:
        await self._ask(f"Put the {_reader(device)}'s plug back and wait until it is ready. Done?")

    async def check(self, device: OutputDevice, scene: Scene) -> None:
        if scene.lights and device.name in ("leds", "strip", "i2c_leds", "sacn", "dmx"):
            looks = {seat: LOOKS[light] for seat, light in enumerate(scene.lights, start=1)}
            lines = "; ".join(
                f"seat {seat}: {_colour_name(look.colour)}, {look.pattern.name.lower()}"
                for seat, look in looks.items()
            )
            await self._ask(f"Do the lights show this? {lines}")
        elif device.name == "oled":
            await self._ask(f"Does the small display say: {scene.dealer.headline}?")
        elif device.name == "pole_display":
            await self._ask(f"Does the display say: {scene.players.notice}?")
        else:
            times = (len(SOUNDS[scene.sound]) + 1) // 2
            await self._ask(f"Did the buzzer sound {times} times?")

    async def check_dark(self, device: str) -> None:
        await self._ask(f"Are the {device} dark and silent?")

    def _say(self, text: str) -> None:
        os.write(self._terminal, f"\r\n  >> {text} ".encode())

    async def _ask(self, text: str) -> None:
        self._say(f"{text} [y/n]")
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[bytes] = loop.create_future()
        loop.add_reader(self._terminal, lambda: answered.set_result(os.read(self._terminal, 100)))
        try:
            async with asyncio.timeout(self.patience_s):
                answer = await answered
        finally:
            loop.remove_reader(self._terminal)
        assert answer.strip().lower() in {b"y", b"yes"}, f"the answer to {text!r} was no"


def _reader(device: str) -> str:
    named = {"bet_spots": "bet spots' reader", "shoe": "scanner", "stream_deck": "Stream Deck"}
    return named.get(device, "I2C bus" if device.startswith("i2c") else device)


def _colour_name(colour: tuple[bool, bool, bool]) -> str:
    names = [name for name, on in zip(("red", "green", "blue"), colour, strict=True) if on]
    return "+".join(names) or "dark"


@contextmanager
def terminal() -> Iterator[int]:
    """The terminal that the person sits at, whatever pytest does with its own streams."""
    opened = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    try:
        yield opened
    finally:
        os.close(opened)

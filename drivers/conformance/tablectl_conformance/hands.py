"""Who handles the device: somebody at the terminal, or a class of the driver's maker."""

from __future__ import annotations

import asyncio
import os
from typing import Final, Protocol

from controller.devices.lights import LOOKS
from controller.devices.scene import Scene
from controller.rules.cards import Card

#: What hands have: the names of `Hands`.
HANDS_DO: Final = (
    "patience_s", "act", "lay", "pull_plug", "push_plug", "check", "check_dark", "close",
)  # fmt: skip


class Hands(Protocol):
    """What can be done to a device from outside. Made as `Class(settings, keys_of_hands)`.

    What cannot be done raises `NotImplementedError`: the contract counts as not shown.
    """

    patience_s: float
    """How long a device may take to tell what was done."""

    async def act(self) -> Card | None:
        """Let one card leave the shoe, or press and release one button; done when it returns.

        The card, where the hands know it.
        """
        ...

    async def lay(self, chips: bool) -> None:
        """Put chips on the sensed bet spot, or take all away; done when it returns."""
        ...

    async def pull_plug(self) -> None:
        """Take the device away, as a plug that is pulled."""
        ...

    async def push_plug(self) -> None:
        """Put it back."""
        ...

    async def check(self, scene: Scene) -> None:
        """Wait until the device shows the scene; `AssertionError` where it does not."""
        ...

    async def check_dark(self) -> None:
        """Wait until it is dark and silent; `AssertionError` where it is not."""
        ...

    async def close(self) -> None:
        """Release everything."""
        ...


class TerminalHands:
    """Somebody who does what the terminal says. `words`: the device shows those, not lights."""

    patience_s = 120.0

    def __init__(self, device: str, *, words: bool) -> None:
        self._device = device
        self._words = words
        self._terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)

    async def act(self) -> Card | None:
        """Ask for one card, or one press."""
        await self._ask("Let ONE card leave the shoe, or press and release ONE button. Done?")
        return None

    async def lay(self, chips: bool) -> None:
        """Ask for chips."""
        what = "Put chips on" if chips else "Take all chips from"
        await self._ask(f"{what} the ONE bet spot that has a sensor. Done?")

    async def pull_plug(self) -> None:
        """Ask for the plug."""
        await self._ask(f"Pull the plug of {self._device}. Done?")

    async def push_plug(self) -> None:
        """Ask for the plug."""
        await self._ask(f"Put the plug of {self._device} back, wait until it is ready. Done?")

    async def check(self, scene: Scene) -> None:
        """Ask what it shows."""
        looks = [LOOKS[light] for light in scene.lights]
        lines = "; ".join(
            f"seat {seat}: red {look.colour.red}, green {look.colour.green}, blue"
            f" {look.colour.blue}, {look.pattern.name.lower()}"
            for seat, look in enumerate(looks, start=1)
        )
        if self._words:
            lines = f"of {scene.dealer.headline!r} and {scene.players.notice!r} what is for it"
        await self._ask(f"Does {self._device} show this, with the sound {scene.sound}? {lines}")

    async def check_dark(self) -> None:
        """Ask whether it is dark."""
        await self._ask(f"Is {self._device} dark and silent?")

    async def close(self) -> None:
        """Release the terminal."""
        os.close(self._terminal)

    async def _ask(self, text: str) -> None:
        os.write(self._terminal, f"\r\n  >> {text} [y/n] ".encode())
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[bytes] = loop.create_future()
        loop.add_reader(self._terminal, lambda: answered.set_result(os.read(self._terminal, 100)))
        try:
            async with asyncio.timeout(self.patience_s):
                answer = await answered
        finally:
            loop.remove_reader(self._terminal)
        assert answer.strip().lower() in {b"y", b"yes"}, f"the answer to {text!r} was no"

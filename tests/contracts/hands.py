"""Who handles the devices in the contract suites: a simulated pair of hands, or a person.

Both do the same few things: let a card leave the shoe, press a button, pull the plug, look at the
lights. The suites ask for them and know nothing else.
"""

from __future__ import annotations

from typing import Protocol

from controller.devices.contracts import OutputDevice
from controller.devices.scene import Scene
from controller.rules.cards import Card


class TableHands(Protocol):
    """What can be done to the devices of a table from outside."""

    patience_s: float
    """How long a device may take to tell what was done."""

    async def act(self, device: str, *, unseen: bool = False) -> Card | None:
        """Let one card leave the shoe, or press and release one button.

        `unseen`: wait until it is done, since no device will tell. Returns the card, None where
        only the person knows it, or where a button was pressed.
        """

    async def lay(self, chips: bool) -> None:
        """Put tagged chips on the sensed bet spot, or take all away."""

    async def pull_plug(self, device: str) -> None:
        """Unplug what reads the cards; of two readers, the scanner."""

    async def push_plug(self, device: str) -> None:
        """Plug it in again."""

    async def check(self, device: OutputDevice, scene: Scene) -> None:
        """Look whether the device shows the scene; an assertion fails if not."""

    async def check_dark(self, device: str) -> None:
        """Look whether the device is dark and silent."""


class Plug(Protocol):
    """What can be plugged in and out."""

    def plug(self) -> None:
        """It is there."""

    def unplug(self) -> None:
        """It is away."""

"""Acme's own hands for the conformance kit: the far ends of its lines."""

from __future__ import annotations

import os
import tty
from itertools import cycle
from pathlib import Path
from typing import Any

from controller.devices.lights import LOOKS
from controller.devices.scene import Scene
from controller.rules.cards import Card, card

from .devices import AcmeShoeSettings, LampSettings
from .spots import MatSettings

#: Cards and what is printed on them.
PRINTED = ((card("Th"), b"TH000123I\n"), (card("As"), b"AS004217T\n"))


class MatHands:
    """Chips on a mat, which can be taken away."""

    patience_s = 10.0

    def __init__(self, settings: MatSettings, _: Any) -> None:
        self._file = Path(settings.file)
        self._file.write_text("0")

    async def act(self) -> Card | None:
        """A mat is not pressed."""
        raise NotImplementedError("a mat is not pressed")

    async def lay(self, chips: bool) -> None:
        """Chips lie there, or none."""
        self._file.write_text(str(int(chips)))

    async def pull_plug(self) -> None:
        """The mat is away."""
        self._file.unlink()

    async def push_plug(self) -> None:
        """It is back, with nothing on it."""
        self._file.write_text("0")

    async def check(self, scene: Scene) -> None:
        """A mat shows nothing."""
        raise NotImplementedError("a mat shows nothing")

    async def check_dark(self) -> None:
        """A mat shows nothing."""
        raise NotImplementedError("a mat shows nothing")

    async def close(self) -> None:
        """Nothing is open."""


class LampHands:
    """Eyes on the lamps."""

    patience_s = 10.0

    def __init__(self, settings: LampSettings, _: Any) -> None:
        self._file = Path(settings.file)
        self._file.touch()

    def _shown(self) -> str:
        return (self._file.read_text().splitlines() or ["-"])[-1]

    async def act(self) -> Card | None:
        """Lamps are not pressed."""
        raise NotImplementedError("lamps are not pressed")

    async def lay(self, chips: bool) -> None:
        """Lamps feel no chips."""
        raise NotImplementedError("lamps feel no chips")

    async def pull_plug(self) -> None:
        """A file has no plug."""
        raise NotImplementedError("a file has no plug")

    push_plug = pull_plug

    async def check(self, scene: Scene) -> None:
        """The last line has the colours."""
        colours = [LOOKS[light].colour for light in scene.lights]
        says = ["".join("RGB"[n] for n, on in enumerate(each) if on) or "-" for each in colours]
        assert self._shown() == " ".join(says)

    async def check_dark(self) -> None:
        """The last line has none."""
        assert self._shown() == "-"

    async def close(self) -> None:
        """Nothing is open."""


class ShoeHands:
    """Cards on a pty that can be taken away."""

    patience_s = 10.0

    def __init__(self, settings: AcmeShoeSettings, _: Any) -> None:
        self._link = Path(settings.line)
        self._cards = cycle(PRINTED)
        self._ends: tuple[int, int] | None = None
        self._plug()

    def _plug(self) -> None:
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(os.ttyname(theirs))
        self._ends = ours, theirs

    async def act(self) -> Card | None:
        """A card leaves the shoe."""
        assert self._ends is not None
        kind, code = next(self._cards)
        os.write(self._ends[0], code)
        return kind

    async def lay(self, chips: bool) -> None:
        """A reader feels no chips."""
        raise NotImplementedError("a reader feels no chips")

    async def pull_plug(self) -> None:
        """The line hangs up and its name is gone."""
        if self._ends is not None:
            self._link.unlink()
            for end in self._ends:
                os.close(end)
            self._ends = None

    async def push_plug(self) -> None:
        """It is back."""
        self._plug()

    async def check(self, scene: Scene) -> None:
        """A reader shows nothing."""
        raise NotImplementedError("a reader shows nothing")

    async def check_dark(self) -> None:
        """A reader shows nothing."""
        raise NotImplementedError("a reader shows nothing")

    async def close(self) -> None:
        """Take the line away."""
        await self.pull_plug()

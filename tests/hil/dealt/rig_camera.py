"""The cards before a table's camera, on a panel of a rig's: each as it lies and slides, drawn here.

A card lies on the panel at rest, is seen a little further while it covers the beam, and the exit is
empty once it has gone: as in a shoe, whose next card comes to rest after that. The photodiode at
the panel's corner says when each was to be seen: what the panel, its cable and its light take is
none of the table's time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import numpy as np

from controller.rules.cards import IndexStyle
from sim_hw.devices.camera import Camera
from sim_hw.devices.faults import AnyFault, CameraFault
from sim_hw.devices.glyphs import Picture
from sim_hw.devices.shoe import PhysicalCard
from tests.hil.rig.rig_client import RigClient, RigEdge, RigRefused

#: How far a card has gone, as a share of its way, where it is seen as it passes.
PASSING_AT: Final = 0.15
#: A hand that slows down stays no longer than that before the camera: after 3 s a card is stuck.
LONGEST_S: Final = 2.0
#: The upper left corner of a picture is the photodiode's, a square of this share of its width: on a
#: panel of seven inches as large as the photodiode.
CORNER: Final = 1 / 20
#: So much darker is a picture without the light of the shoe.
DARK: Final = 64
PHOTODIODE: Final = "photodiode"
PANEL: Final = "panel"
#: The names of the pictures that the rig keeps: a name is used again for each card.
EXIT: Final = "exit"
CARD: Final = "card"
PASSING: Final = "passing"
#: The decks that the simulated cards are of, by how they print a rank.
DECK: Final[Mapping[IndexStyle, str]] = {
    IndexStyle.FINNISH: "kotka", IndexStyle.ANGLO: "bristol",
}  # fmt: skip


class PanelHands(Protocol):
    """Who asks the rig, and is told when a card was seen and when it had gone."""

    @property
    def rig(self) -> RigClient:
        """The rig."""
        ...

    def post(self, verb: str, *words: object) -> asyncio.Future[Any]:
        """Ask the rig without waiting."""
        ...

    def heed(self, answer: asyncio.Future[Any]) -> None:
        """What came of something that nobody waits for: a refusal ends the play."""
        ...

    def said(self, at_ns: int) -> None:
        """Something of a card happened, by the rig's clock."""
        ...


class RigCamera(Camera):
    """What a table's camera sees of a rig's panel. `passing_s`: so long does a card pass it.

    `seen_ms` has for each picture how long it took from the panel's memory to the photodiode, in
    ms.
    """

    def __init__(self, hands: PanelHands, deck: str, seed: int, passing_s: float) -> None:
        super().__init__(0, deck, seed)
        self.seen_ms: list[float] = []
        self._hands = hands
        self.passing_s = passing_s
        self._passing_kept = False
        self._drawing = asyncio.Lock()
        self._laying: set[asyncio.Task[None]] = set()

    async def ready(self) -> None:
        """The exit is empty, as it is before the first card. Raises `RigRefused`, `RigGone`."""
        missing = {PHOTODIODE, PANEL} - self._hands.rig.lines.keys()
        if missing:
            raise RigRefused(f"cards before a camera need a rig with a {min(missing)}: rig.toml")
        await self._keep(EXIT, None)
        await self._show(EXIT)

    async def close(self) -> None:
        """Nothing is laid or told any more."""
        for timer in self._timers.values():
            timer.cancel()
        for task in self._laying:
            task.cancel()
        await asyncio.gather(*self._laying, return_exceptions=True)

    @property
    def plugged(self) -> bool:
        """Whether its plug is in."""
        return not self._out

    def unplug(self) -> None:
        """Cut it by relay; whoever pulls it last says when it is put back."""
        self._out = True
        if (back := self._timers.pop(CameraFault.BLINK, None)) is not None:
            back.cancel()
        self._hands.post("plug", "camera", "out")

    def plug(self) -> None:
        """Connect it by relay."""
        self._out = False
        self._hands.post("plug", "camera", "in")

    def lay(self, card: PhysicalCard | None) -> None:
        """The next card comes to rest before the lens, soon; None: nothing does."""
        super().lay(card)
        self._passing_kept = False
        self._look_again()

    def lay_as(self, number: int, card: PhysicalCard) -> None:
        """The same of a card that is the n-th of its shoe: each lies in another way."""
        self._cards = number
        self.lay(card)

    async def come(
        self, card: PhysicalCard, follows: PhysicalCard | None, faults: Mapping[AnyFault, float],
        say: Callable[[str], None],
    ) -> None:  # fmt: skip
        """A hand is at the card that was laid, with what goes wrong, before it is in the beam: what
        is seen of it from there on is to be seen now.
        """
        await self.rested()
        super().pull(card, follows, faults, say)
        if CameraFault.DARK in faults:
            # Light comes back on whatever is to be seen then.
            later = asyncio.get_running_loop().call_later
            self._timers[CameraFault.DARK].cancel()
            self._timers[CameraFault.DARK] = later(faults[CameraFault.DARK], self._light)
        async with self._drawing:
            if not self._passing_kept or any(isinstance(each, CameraFault) for each in faults):
                await self._keep(PASSING, PASSING_AT)
                await self._show(PASSING)

    def pull(
        self, card: PhysicalCard, follows: PhysicalCard | None, faults: Mapping[AnyFault, float],
        say: Callable[[str], None],
    ) -> None:  # fmt: skip
        """It is in the beam: it has come already, with all that goes wrong."""

    async def rested(self) -> None:
        """Returns when what was laid lies there."""
        await asyncio.gather(*self._laying)

    async def slid(self) -> None:
        """The card passes: returns when the photodiode has seen the empty exit."""
        async with self._drawing:
            await self._show(PASSING)
            await asyncio.sleep(self.passing_s)
            super().lay(None)
            self._hands.said(await self._show(EXIT))

    def slow_down(self) -> None:
        """Cards pass half as fast from now on: of the last one too little was seen."""
        self.passing_s = max(self.passing_s, min(LONGEST_S, 2 * self.passing_s))

    def _light(self) -> None:
        self._lasting.discard(CameraFault.DARK)
        self._passing_kept = False
        self._look_again()

    def _look_again(self) -> None:
        task = asyncio.create_task(self._at_rest())
        self._laying.add(task)
        task.add_done_callback(self._laying.discard)
        task.add_done_callback(self._hands.heed)

    async def _at_rest(self) -> None:
        async with self._drawing:
            if self._scene.slides:
                return  # it is being pulled already
            if self._scene.card is None:
                await self._show(EXIT)
                return
            await self._keep(CARD, 0.0)
            await self._show(CARD)
            # While it covers the beam nobody waits for a picture to be drawn and sent.
            await self._keep(PASSING, PASSING_AT)
            self._passing_kept = True

    async def _keep(self, name: str, share: float | None) -> None:
        """Send the rig what is to be seen: a card that has gone `share` of its way, or the exit."""
        scene, rig = self._scene, self._hands.rig
        card, second = (None, None) if share is None else (scene.card, scene.second)
        at_s = time.monotonic()
        frame = self._lens.picture(at_s, card, scene.how, share or 0.0, second)
        if CameraFault.DARK in self._lasting:
            frame //= DARK
        width, height = map(int, rig.lines[PANEL].value.split("x"))
        rgb = fitted(frame[:, :, ::-1], width, height)
        mark_corner(rgb, lit=name != EXIT)
        raw = rgb.tobytes()
        await rig.do("picture", name, len(raw), raw=raw)

    async def _show(self, name: str) -> int:
        """Show a picture; when the photodiode saw it, where it has another corner than the last."""
        rig, lit = self._hands.rig, name != EXIT
        if bool(rig.levels[PHOTODIODE]) is lit:
            return await rig.at("show", name)
        seen_ns: list[int] = []

        def saw(edge: RigEdge) -> None:
            if edge.line == PHOTODIODE and bool(edge.level) is lit:
                seen_ns.append(edge.at_ns)

        rig.watch(saw)
        try:
            shown_ns = await rig.at("show", name)
            await rig.until(lambda: bool(seen_ns))
        finally:
            rig.unwatch(saw)
        self.seen_ms.append((seen_ns[0] - shown_ns) / 1e6)
        return seen_ns[0]


def fitted(picture: Picture, width: int, height: int) -> Picture:
    """A picture in the pixels of a panel: each is the one that lies there."""
    rows = np.arange(height) * picture.shape[0] // height
    columns = np.arange(width) * picture.shape[1] // width
    return np.ascontiguousarray(picture[rows][:, columns]).copy()


def mark_corner(rgb: Picture, *, lit: bool) -> None:
    """Show the photodiode in its corner of a picture that a card is to be seen, or none."""
    side = round(CORNER * rgb.shape[1])
    rgb[:side, :side] = 255 if lit else 0

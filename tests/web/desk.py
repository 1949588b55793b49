"""A desk over a table that is played in the pit's words: real states, no journal, no service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping

from controller.devices.safe import safe_scene
from controller.devices.scene import Scene
from controller.service.ports import Beside, Figures, Reply, TableStopped
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Command, PinReport, Setup
from controller.table.roles import Person, PersonId
from controller.table.state.state import State
from controller.table.views.scene import scene
from tests.support.patience import PATIENCE_S
from tests.support.pit import Pit, setup


class PlayedDesk:
    """What the web sees of a table; `pit` plays it, `tell` says that it has been played on.

    `stopped` is why the record is not available. While `hesitating`, a commit takes so long that
    the SAFE picture is shown. No answer is given before `answering` is set.
    """

    def __init__(self, seats: int = 5) -> None:
        self.open_anew(seats)

    def open_anew(self, seats: int = 5, name: str = "21-24-27") -> None:
        """Another table at the same desk."""
        self.pit = Pit(setup(seats, name))
        self.stopped = ""
        self.pictures: dict[str, bytes] = {}
        self.names: Mapping[PersonId, str] = {}
        self.hesitating = False
        self.simulated = True
        self.beside = Beside()
        self.alarms = AlarmTimes()
        self.failures = {"scanner": 3, "lights": 0}
        self.watching: set[asyncio.Event] = set()
        self.asked: list[tuple[Command, str | None, int | None]] = []
        self.answering = asyncio.Event()
        self.answering.set()
        self._left = asyncio.Event()
        self._closed = False
        self._drawn: tuple[object, Scene] = (None, safe_scene(seats))

    @property
    def setup(self) -> Setup:
        return self.pit.setup

    @property
    def state(self) -> State | None:
        return None if self.stopped else self.pit.state

    @property
    def scene(self) -> Scene:
        state = None if self.hesitating else self.state
        if state is not self._drawn[0]:
            shown = safe_scene(self.pit.setup.seats) if state is None else scene(state, self.names)
            self._drawn = (state, shown)
        return self._drawn[1]

    def show_beside(self, beside: Beside) -> None:
        self.beside = beside
        self.tell()

    async def changes(self) -> AsyncIterator[None]:
        changed = asyncio.Event()
        self.watching.add(changed)
        try:
            while not self._closed:
                changed.clear()
                yield
                await changed.wait()
        finally:
            self.watching.discard(changed)
            self._left.set()

    async def submit(
        self, command: Command, key: str | None, view_seq: int | None, by: tuple[Person, ...] = (),
        arrived_ns: int = 0, player: str = "",
    ) -> Reply:  # fmt: skip
        self.asked.append((command, key, view_seq))
        await self.answering.wait()
        if self.stopped:
            raise TableStopped(self.stopped)
        decision = self.pit.give(command, key=key or "", view_seq=view_seq, by=by)
        self.tell()
        return Reply(decision.seq, decision.why)

    async def note(self, report: PinReport) -> bool:
        self.pit.give(report)
        return True

    async def picture(self, name: str) -> bytes | None:
        return self.pictures.get(name)

    def figures(self) -> Figures:
        return Figures(
            records=len(self.pit.records), inputs=40, refused=2, commit_s_sum=0.5,
            commit_s_max=0.02, device_failures=self.failures, started_at_s=1_700_000_000.0,
        )  # fmt: skip

    def tell(self) -> None:
        for each in self.watching:
            each.set()

    def stop(self, why: str = "the disk is full: make room, then start the service again") -> None:
        self.stopped = why
        self.tell()

    def close(self) -> None:
        self._closed = True
        self.tell()

    async def nobody_watches(self) -> None:
        """Returns once no stream is left."""
        async with asyncio.timeout(PATIENCE_S):
            while self.watching:
                self._left.clear()
                await self._left.wait()

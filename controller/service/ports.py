"""The ports of the service: the clock, outputs, and the table as the web sees it."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import field
from typing import Protocol

from controller.devices.scene import Scene
from controller.rules.frozen import frozen
from controller.rules.messages import Message
from controller.service.house_edges import HouseEdges
from controller.table.alarms import AlarmTimes
from controller.table.inputs import Command, PinReport, Setup
from controller.table.roles import Person, PersonId
from controller.table.state.state import State
from controller.table.views.english import say


@frozen
class Clock:
    """Where time and identity come from."""

    wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    mono_ns: Callable[[], int] = time.monotonic_ns
    nonce: Callable[[], bytes] = lambda: os.urandom(16)


class Output(Protocol):
    """Takes the newest scene, without waiting for the device."""

    def show(self, scene: Scene) -> None:
        """Bring the device to `scene`."""
        ...


@frozen
class Reply:
    """The answer to a command: `seq` is the last record that it led to, `refused` why it is not
    taken, None where it was accepted.
    """

    seq: int
    refused: Message | None = None

    @property
    def accepted(self) -> bool:
        """Whether the table took the command."""
        return self.refused is None


class TableStopped(Exception):
    """The record is not available: no command is taken. What it says is for the sender.

    A text is what the record itself says, for whoever mends it.
    """

    def __init__(self, why: Message | str) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        """It in the language of the sender."""
        return say(self.why) if isinstance(self.why, Message) else self.why


@frozen
class ConfigNotice:
    """What the technician has to know of the configuration; the `detail` line by line."""

    said: Message
    detail: str = ""


@frozen
class DirectoryView:
    """The pit's directory of people by which PINs are judged here. Wall times in ms.

    `people` is how many it has, `by` how the key begins by which a pit has signed it. While the
    line to that pit is down nobody who is taken out there is out here: `away_since_ms` says since
    when, null while it is up. `by_file`: there is no such line, it is brought.
    """

    serial: int
    issued_ms: int
    good_until_ms: int
    people: int
    by: str
    away_since_ms: int | None = None
    by_file: bool = False


@frozen
class Figures:
    """Running figures of the service, for `/metrics`; times in seconds."""

    records: int
    inputs: int
    refused: int
    commit_s_sum: float
    commit_s_max: float
    device_failures: dict[str, int]
    started_at_s: float


@frozen
class Beside:
    """What pages say beside the table, which is on no record.

    `notice`: what the technician has to know of the configuration, None where it is in force.
    `directory`: the pit's directory of people that is in force, None where people are the table's
    own. `edges`: house edges that were computed for the options of this table.
    """

    notice: ConfigNotice | None = None
    directory: DirectoryView | None = None
    edges: HouseEdges = field(default_factory=HouseEdges)


class Desk(Protocol):
    """The service as the web sees it. `state` and `scene` are what is written down, no more."""

    @property
    def state(self) -> State | None:
        """The newest state; None while the record is not available."""
        ...

    @property
    def scene(self) -> Scene:
        """The newest picture; the SAFE picture while the record is not available."""
        ...

    @property
    def setup(self) -> Setup:
        """What the table is; known while no record is available, too."""
        ...

    @property
    def names(self) -> Mapping[PersonId, str]:
        """The names of people, which no record holds; whoever is missing is shown by id."""
        ...

    @property
    def simulated(self) -> bool:
        """Whether the pins are simulated: such a table is marked on every page."""
        ...

    @property
    def alarms(self) -> AlarmTimes:
        """When an alarm calls whom."""
        ...

    @property
    def beside(self) -> Beside:
        """What is known beside the table."""
        ...

    def show_beside(self, beside: Beside) -> None:
        """Show that on the pages from now on."""
        ...

    def changes(self) -> AsyncIterator[None]:
        """Yields at once, then after each change; changes that come too fast are folded."""
        ...

    async def submit(
        self, command: Command, key: str | None, view_seq: int | None, by: tuple[Person, ...] = (),
        arrived_ns: int = 0, player: str = "",
    ) -> Reply:  # fmt: skip
        """Ask the table. `key` is the sender's idempotency key, `by` who stands for it; it reached
        this machine at `arrived_ns` of the monotonic clock (0: now). `player` is for whom it is, by
        the id of a game server.

        Raises `TableStopped` while the record is not available.
        """
        ...

    async def note(self, report: PinReport) -> bool:
        """Put on record what the web noticed. True once it is there, False where it cannot be."""
        ...

    async def picture(self, name: str) -> bytes | None:
        """The picture of a card by its name, a JPEG; None if it is not kept."""
        ...

    def figures(self) -> Figures:
        """The running figures."""
        ...

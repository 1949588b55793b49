"""The inputs that wait for the loop: who asked, by what cause, and who waits for the answer.

They are taken in the order in which they reached the table, whatever way each came.
"""

from __future__ import annotations

import asyncio
from collections.abc import Container
from dataclasses import dataclass
from typing import Final

from controller.devices.scene import Scene
from controller.record.commit import Commit
from controller.rules.messages import message
from controller.service.ports import Reply, TableStopped
from controller.table.decide.decide import Decision
from controller.table.inputs import Stamp, TableInput
from controller.table.roles import Person
from controller.table.state.state import State

#: Inputs that may wait; a device that finds the queue full waits, and loses nothing.
QUEUE_INPUTS: Final = 256
#: A request that the kernel has is an input after fewer turns of the event loop than this.
TURNS: Final = 12
#: At most this many inputs are decided and written as one.
TOGETHER: Final = 64

STOPPING: Final = message("service-is-stopping")


@dataclass(slots=True)
class QueuedInput:
    """An input; once it is decided, what it leads to, and the commit that this waits for.

    `arrived_ns` is when it reached the table, by the monotonic clock; `number` counts inputs as
    they were put here. `before` and `stamp` are what it was decided from.
    """

    input: TableInput
    cause: str
    arrived_ns: int = 0
    view_seq: int | None = None
    reply: asyncio.Future[Reply] | None = None
    by: tuple[Person, ...] = ()
    decision: Decision | None = None
    commit: Commit | None = None
    scene: Scene | None = None
    before: State | None = None
    stamp: Stamp | None = None
    player: str = ""
    number: int = 0

    def fail(self, error: TableStopped) -> None:
        """Whoever waits for the answer gets this one."""
        if self.reply is not None and not self.reply.done():
            self.reply.set_exception(error)

    def answer(self) -> None:
        """Whoever waits for the answer gets the decision's."""
        assert self.decision is not None
        if self.reply is not None and not self.reply.done():
            self.reply.set_result(Reply(self.decision.seq, self.decision.refused))


_Place = tuple[int, int, QueuedInput | None]


class _InOrder(asyncio.PriorityQueue[_Place]):
    """A queue whose first entry is the one that arrived first; None and what is decided already
    come before all.

    Of two that arrived at once the first that was put is the first: entries are not compared.
    """

    #: asyncio's own heap: nothing else tells what is first without taking it.
    _queue: list[_Place]

    def take_back(self, place: _Place) -> None:
        """Take an entry back that was got a moment ago, also where the queue is full by now.

        Whoever gets entries does this: nobody waits to be woken, and could only wait for itself.
        """
        self._put(place)

    @property
    def first(self) -> QueuedInput | None:
        """The one that is next; None: it is no input, or nothing waits."""
        return self._queue[0][2] if self._queue else None


class InputQueue:
    """The queue of the loop. `run_id` names this run of the service in the causes that it gives."""

    def __init__(self, run_id: str) -> None:
        #: None: nothing is asked, but what the table waits for may have changed.
        self._entries = _InOrder(QUEUE_INPUTS)
        self._run_id = run_id
        self._causes = 0
        self._put = 0

    @property
    def empty(self) -> bool:
        """Whether nothing waits."""
        return self._entries.empty()

    def cause(self, source: str) -> str:
        """A name for the next input of `source`, which no other input has."""
        self._causes += 1
        return f"{source}:{self._run_id}:{self._causes}"

    async def put(self, entry: QueuedInput) -> None:
        """Take an input; waits while the queue is full."""
        await self._entries.put(self._place(entry))

    def put_nowait(self, entry: QueuedInput | None) -> None:
        """Take an input, or None so that the loop asks anew what is due; the queue is empty."""
        self._entries.put_nowait(self._place(entry))

    async def ask(self, entry: QueuedInput) -> Reply:
        """Take an input and return its answer. Raises what `QueuedInput.fail` was called with."""
        entry.reply = asyncio.get_running_loop().create_future()
        await self.put(entry)
        return await entry.reply

    async def get(self) -> QueuedInput | None:
        """The next input; None: look again what is due."""
        return (await self._entries.get())[2]

    def take_back(self, entry: QueuedInput) -> None:
        """Take back an input that was got a moment ago, for one that arrived before it."""
        self._entries.take_back(self._place(entry))

    def _place(self, entry: QueuedInput | None) -> _Place:
        self._put += 1
        number = self._put
        if entry is not None:
            # Taken back, it is where it was.
            entry.number = number = entry.number or number
        # What is decided is only to be finished: the table that it leads to is the next one's.
        at_once = entry is None or entry.decision is not None
        return (0 if at_once else entry.arrived_ns, number, entry)  # type: ignore[union-attr]

    async def arrived_by(self, instant_ns: int) -> QueuedInput | None:
        """The first input that arrived until then, also if it is on its way here still; or None.

        What the kernel took before that instant is read, parsed and put here within some turns of
        the event loop, however late that was at them.
        """
        for _ in range(TURNS):
            await asyncio.sleep(0)
            first = self._entries.first
            if first is not None and first.arrived_ns <= instant_ns:
                return self._entries.get_nowait()[2]
        return None

    def more(self, kinds: Container[type]) -> list[QueuedInput]:
        """Inputs of these kinds that wait already, up to the first that is none of them."""
        found: list[QueuedInput] = []
        while len(found) < TOGETHER - 1:
            first = self._entries.first
            if first is None or type(first.input) not in kinds:
                break
            self._entries.get_nowait()
            found.append(first)
        return found

    def fail_all(self, error: TableStopped) -> None:
        """Empty the queue; whoever waits for an answer gets this one."""
        while not self._entries.empty():
            if entry := self._entries.get_nowait()[2]:
                entry.fail(error)

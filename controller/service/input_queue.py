"""The inputs that wait for the loop: who asked, by what cause, and who waits for the answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from controller.devices.scene import Scene
from controller.record.commit import Commit
from controller.rules.messages import message
from controller.service.ports import Reply, TableStopped
from controller.table.decide.decide import Decision
from controller.table.inputs import TableInput
from controller.table.roles import Person
from controller.table.views.english import say

#: Inputs that may wait; a device that finds the queue full waits, and loses nothing.
QUEUE_INPUTS: Final = 256

STOPPING: Final = say(message("service-is-stopping"))


@dataclass(slots=True)
class QueuedInput:
    """An input; once it is decided, what it leads to, and the commit that this waits for."""

    input: TableInput
    cause: str
    view_seq: int | None = None
    reply: asyncio.Future[Reply] | None = None
    by: tuple[Person, ...] = ()
    decision: Decision | None = None
    commit: Commit | None = None
    scene: Scene | None = None

    def fail(self, error: TableStopped) -> None:
        """Whoever waits for the answer gets this one."""
        if self.reply is not None and not self.reply.done():
            self.reply.set_exception(error)

    def answer(self) -> None:
        """Whoever waits for the answer gets the decision's."""
        assert self.decision is not None
        if self.reply is not None and not self.reply.done():
            self.reply.set_result(Reply(self.decision.seq, self.decision.refused))


class InputQueue:
    """The queue of the loop. `run_id` names this run of the service in the causes that it gives."""

    def __init__(self, run_id: str) -> None:
        #: None: nothing is asked, but what the table waits for may have changed.
        self._entries: asyncio.Queue[QueuedInput | None] = asyncio.Queue(QUEUE_INPUTS)
        self._run_id = run_id
        self._causes = 0

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
        await self._entries.put(entry)

    def put_nowait(self, entry: QueuedInput | None) -> None:
        """Take an input, or None so that the loop asks anew what is due; the queue is empty."""
        self._entries.put_nowait(entry)

    async def ask(self, entry: QueuedInput) -> Reply:
        """Take an input and return its answer. Raises what `QueuedInput.fail` was called with."""
        entry.reply = asyncio.get_running_loop().create_future()
        await self._entries.put(entry)
        return await entry.reply

    async def get(self) -> QueuedInput | None:
        """The next input; None: look again what is due."""
        return await self._entries.get()

    def fail_all(self, error: TableStopped) -> None:
        """Empty the queue; whoever waits for an answer gets this one."""
        while not self._entries.empty():
            if entry := self._entries.get_nowait():
                entry.fail(error)

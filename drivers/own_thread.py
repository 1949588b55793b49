"""A thread with an event loop of its own, for calls that may block where they must not.

A driver that we did not write may wait for its device in the middle of a call; who writes to a bus
that hangs waits for it. Whoever asked goes on here, and is told that no answer comes. It helps
against nothing that keeps Python's own lock: C code that never lets go of it stops the program.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, Generic, TypeVar

from controller.devices.contracts import DeviceError
from controller.rules.messages import message

log: Final = logging.getLogger(__name__)

#: This often a thread that is waited for is asked for a sign of life ...
BEAT_S: Final = 0.5
#: ... and so many times without one, it hangs: counted, since a program that was suspended, or had
#: no time for this itself, is no fault of the thread's.
SILENT_BEATS: Final = 4
#: What was cancelled and does not block has ended in less than that.
ENDS_S: Final = 1.0

T = TypeVar("T")


class DeviceSilent(DeviceError):
    """A device's driver has not come back from a call: it hangs."""


def log_unforeseen(name: str, error: BaseException) -> None:
    """Log what a device raised and nobody foresaw: where, and never its text.

    That could hold a card's code: type and traceback say where to look.
    """
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error(
        "%s failed unexpectedly: %s at\n%s", name, type(error).__name__, where,
        extra={"device": name},
    )  # fmt: skip


class Work(Generic[T]):
    """Something that is done on a thread of its own. `over` has its task once that has ended."""

    __slots__ = ("over", "task")

    def __init__(self, over: asyncio.Future[asyncio.Task[T]]) -> None:
        self.over = over
        self.task: asyncio.Task[T] | None = None

    def end(self, task: asyncio.Task[T]) -> None:
        """It has ended, well or not."""
        if not self.over.done():
            self.over.set_result(task)

    def cancel(self) -> None:
        """Cancel it, on its own thread."""
        if self.task is not None:
            self.task.cancel()


class OwnThread:
    """Does one device's work, in the order in which it was begun. `name` is the device's.

    It is made and told by whoever uses it, on one loop ("home"), and begins with the first work.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._home: asyncio.AbstractEventLoop | None = None
        self._there: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._ends = self._gone = asyncio.Event()  # until it begins: each begins with new ones
        self._last: Callable[[], Awaitable[None]] | None = None
        self._left: set[asyncio.Future[Any]] = set()
        # The number of the newest question, and of the newest that was answered there.
        self._asked = self._answered = 0

    @property
    def stays(self) -> bool:
        """Whether something that nobody waits for any more has not ended yet."""
        return bool(self._left)

    def begin(self, work: Callable[[], Awaitable[T]]) -> Work[T]:
        """Begin `work` there, after everything that was begun before."""
        there = self._begun()
        home = self._home
        assert home is not None
        begun = Work[T](home.create_future())

        async def done_there() -> T:
            return await work()

        def ended(task: asyncio.Task[T]) -> None:
            if not task.cancelled():
                task.exception()  # somebody has looked: asyncio tells nobody its text
            self.at_home(begun.end, task)

        def start() -> None:
            begun.task = there.create_task(done_there(), name=self._name)
            begun.task.add_done_callback(ended)

        there.call_soon_threadsafe(start)
        return begun

    async def wait(
        self, work: Work[T], *, keep: bool = False, patient: bool = False, cancels: bool = True
    ) -> T:
        """What `work` comes to. Raises what it raised, and `DeviceSilent` where the thread hangs.

        It is left then, unless `keep`: it may be waited for again. What is left is cancelled there,
        if `cancels`; else it goes on to its end. `patient`: it may hang for as long as it likes.
        """
        try:
            if not await self._over(work.over, patient):
                if not keep:
                    self._leave(work, cancels)
                raise self.silent
        except asyncio.CancelledError:
            self._leave(work, cancels)
            await asyncio.wait([work.over], timeout=ENDS_S)
            raise
        task = work.over.result()
        if task.cancelled():
            raise RuntimeError("it was cancelled by itself")
        error = task.exception()
        if error is not None and not isinstance(error, Exception):
            raise RuntimeError(type(error).__name__)  # it ends nothing but itself
        return task.result()

    async def rest(self) -> None:
        """Wait until nothing is done there any more that was left."""
        while self._left:
            await asyncio.wait(self._left)

    @property
    def silent(self) -> DeviceSilent:
        """What is said of a thread that hangs."""
        return DeviceSilent(message("driver-does-not-answer", device=self._name))

    def call(self, what: Callable[[], None]) -> None:
        """Call `what` there, as soon as it can; nothing happens before the first work."""
        if self._there is not None:
            with suppress(RuntimeError):  # it has ended
                self._there.call_soon_threadsafe(what)

    def at_home(self, what: Callable[..., object], *given: Any) -> None:
        """Call `what` on the loop of whoever uses this, from any thread."""
        if self._home is not None:
            with suppress(RuntimeError):  # that program has ended
                self._home.call_soon_threadsafe(partial(what, *given))

    async def end(self, last: Callable[[], Awaitable[None]]) -> None:
        """End it: what is done there is cancelled, then `last` is done.

        One that hangs is left to do so when it comes back, and holds up no program that ends. What
        hangs in a thread of `asyncio.to_thread` does: Python waits for those at its end, for ever.
        """
        if self._thread is None:
            return
        self._last = last
        self.call(self._ends.set)
        try:
            async with asyncio.timeout(ENDS_S):
                await self._gone.wait()
        except TimeoutError:
            log.warning("%s does not let go", self._name, extra={"device": self._name})
            return
        self._thread.join(ENDS_S)
        self._thread = self._there = None

    async def _over(self, over: asyncio.Future[Any], patient: bool) -> bool:
        """Wait until it is over; false once the thread hangs."""
        asked, beats = self._ask(), 0
        while not over.done():
            await asyncio.wait([over], timeout=BEAT_S)
            if self._answered >= asked:
                asked, beats = self._ask(), 0
                continue
            beats += 1
            if beats >= SILENT_BEATS and not patient:
                return over.done()
        return True

    def _ask(self) -> int:
        self._asked = asked = self._asked + 1
        self.call(lambda: self._answer(asked))
        return asked

    def _leave(self, work: Work[Any], cancels: bool) -> None:
        over = work.over
        if not over.done():
            self._left.add(over)
            over.add_done_callback(self._left.discard)
            if cancels:
                self.call(work.cancel)

    def _begun(self) -> asyncio.AbstractEventLoop:
        if self._there is None:
            self._home, self._there = asyncio.get_running_loop(), asyncio.new_event_loop()
            self._there.set_exception_handler(self._unforeseen)
            self._ends, self._gone = asyncio.Event(), asyncio.Event()
            self._thread = threading.Thread(
                target=self._run, args=(self._there, self._ends, self._gone),
                name=f"device {self._name}", daemon=True,
            )  # fmt: skip
            self._thread.start()
        return self._there

    # On the thread

    def _run(
        self, there: asyncio.AbstractEventLoop, ends: asyncio.Event, gone: asyncio.Event
    ) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: there) as runner:
                ending = runner.get_loop().create_task(self._until_ended(ends))
                while not ending.done():
                    with suppress(SystemExit, KeyboardInterrupt):  # a driver ends no program
                        there.run_until_complete(ending)
        finally:
            self.at_home(gone.set)

    async def _until_ended(self, ends: asyncio.Event) -> None:
        await ends.wait()
        working = asyncio.all_tasks() - {asyncio.current_task()}
        for each in working:
            each.cancel()
        await asyncio.gather(*working, return_exceptions=True)
        if self._last is not None:
            (error,) = await asyncio.gather(self._last(), return_exceptions=True)
            if error is not None:
                log_unforeseen(self._name, error)

    def _answer(self, asked: int) -> None:
        self._answered = max(self._answered, asked)

    def _unforeseen(self, _: asyncio.AbstractEventLoop, what: dict[str, Any]) -> None:
        """What no task of ours waits for; asyncio would log its text."""
        error = what.get("exception")
        if error is None:
            log.error("%s: %s", self._name, what["message"], extra={"device": self._name})
        else:
            log_unforeseen(self._name, error)

"""Virtual time: an event loop that jumps to the next timer, and processes in it that may be killed.

There are no threads and nothing is waited for. What a process does is found by the context in
which a handle was made, so that all of it can be dropped at once, as `kill -9` does, or stand
still, as `SIGSTOP` does.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import Context, ContextVar, copy_context
from math import ceil
from typing import Any, Final, Protocol, TypeVar, TypeVarTuple, Unpack
from unittest.mock import patch

from controller.service.ports import TableStopped

#: Where both clocks stand at first: some minutes after the machine was started.
START_MONO_NS: Final = 1_000 * 10**9
START_WALL_MS: Final = 1_760_000_000_000
#: More steps than this without time going on, and something spins.
SPIN_MAX: Final = 200_000
_UNWINDS_MAX: Final = 50

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_PROCESS: Final[ContextVar[LoopProcess | None]] = ContextVar("process", default=None)


class Dead(BaseException):
    """The process that runs this was killed: nothing of it may happen any more."""


class NothingLeft(Exception):
    """Nothing will ever happen again: everybody waits for somebody else."""


class Spins(Exception):
    """Something goes round without time going on."""


class VirtualClock:
    """The monotonic clock, which only goes on, and the wall clock, which people may set."""

    def __init__(self) -> None:
        self.now_ns = START_MONO_NS
        self._wall_off_ms = START_WALL_MS - START_MONO_NS // 1_000_000

    def mono_ns(self) -> int:
        """Nanoseconds since the machine was started."""
        return self.now_ns

    def wall_ms(self) -> int:
        """Milliseconds since the epoch, as the wall clock is set."""
        return self.now_ns // 1_000_000 + self._wall_off_ms

    def step_wall(self, by_ms: int) -> None:
        """Set the wall clock forward, or back."""
        self._wall_off_ms += by_ms

    @contextmanager
    def as_the_systems(self) -> Iterator[None]:
        """While this lasts the `time` module tells this clock."""
        clocks: dict[str, Callable[[], float]] = {
            "monotonic_ns": self.mono_ns,
            "monotonic": lambda: self.now_ns / 1e9,
            "perf_counter": lambda: self.now_ns / 1e9,
            "time": lambda: self.wall_ms() / 1e3,
            "time_ns": lambda: self.wall_ms() * 1_000_000,
        }
        with ExitStack() as stack:
            for name, tell in clocks.items():
                stack.enter_context(patch.object(time, name, tell))
            yield


class ByteSource(Protocol):
    """Something with a descriptor that may have bytes to read."""

    @property
    def readable(self) -> bool:
        """Whether a read would tell something."""
        ...


class LoopProcess:
    """What is killed or stopped as one: `alive` until it is killed, `frozen` while stopped."""

    def __init__(self, loop: VirtualLoop, name: str) -> None:
        self.name = name
        self.alive = True
        self.frozen = False
        self._loop = loop
        self._context = copy_context()
        self._context.run(_PROCESS.set, self)
        self._tasks: list[asyncio.Task[Any]] = []
        self._parked: list[asyncio.Handle] = []

    def run(self, do: Callable[..., Any], *arguments: Any) -> Any:
        """Do it as this process: what it brings about belongs to the process."""
        return self._context.copy().run(do, *arguments)

    def task(self, doing: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Begin a task of this process."""
        return self._loop.create_task(doing, name=name, context=self._context.copy())

    def own(self, task: asyncio.Task[Any]) -> None:
        """Remember a task that was begun by this process."""
        if len(self._tasks) > 32:
            self._tasks = [each for each in self._tasks if not each.done()]
        self._tasks.append(task)

    def park(self, handle: asyncio.Handle) -> None:
        """Keep a handle until the process goes on."""
        self._parked.append(handle)

    def freeze(self) -> None:
        """Stop it where it is, as `SIGSTOP` does."""
        self.frozen = True
        self._loop.take_out(self, self._parked.append)

    def thaw(self) -> None:
        """Let it go on; whatever came meanwhile is there at once."""
        self.frozen = False
        parked, self._parked = self._parked, []
        for handle in parked:
            self._loop.put_back(handle)

    def kill(self) -> None:
        """End it as `kill -9` does: nothing of it runs any more, no `finally` reaches anything."""
        if not self.alive:
            return
        self.alive, self.frozen = False, False
        self._loop.take_out(self, asyncio.Handle.cancel)
        self._parked.clear()

    def bury(self) -> None:
        """Take apart what is left of a killed process. Not from within it."""
        for task in self._tasks:
            if not task.done():
                # No word about it: it is meant to be left where it was.
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                _close(task.get_coro())
        self._tasks.clear()


def _close(left: Any) -> None:
    """Unwind a coroutine that will never go on; where it waits while it unwinds, unwind that."""
    for _ in range(_UNWINDS_MAX):
        try:
            left.close()
        except BaseException:  # noqa: BLE001  (a killed process has nobody to tell)
            continue
        return
    raise AssertionError("a coroutine does not end")


def owner(handle: asyncio.Handle) -> LoopProcess | None:
    """The process that a handle belongs to."""
    context: Context = handle._context  # type: ignore[attr-defined]
    return context.get(_PROCESS)


class _Selector:
    """Where asyncio waits for the outside: here time goes on instead."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self._turns = 0

    def select(self, timeout: float | None) -> list[asyncio.Handle]:
        found = self._loop.readable()
        if found or timeout == 0:
            self._turns += 1
            if self._turns > SPIN_MAX:
                raise Spins(f"{SPIN_MAX} turns of the loop at one time: {self._loop.ready()}")
            return found
        if timeout is None:
            raise NothingLeft("nothing is ready, and no timer is set")
        self._turns = 0
        self._loop.clock.now_ns += ceil(timeout * 1e9)
        return []

    def close(self) -> None:
        """Nothing is held."""


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop whose time is the clock's. `on_error` is told of errors that nobody caught.

    `each_turn` is called at the beginning of each turn in which something is ready. `bytes_came` is
    set by sources that became readable.
    """

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__()
        self.clock = clock
        self.on_error: Callable[[str], None] = lambda _: None
        self.each_turn: Callable[[], None] | None = None
        self.bytes_came = False
        self._selector = _Selector(self)
        self._readers: dict[int, tuple[ByteSource, asyncio.Handle]] = {}
        self._sources: dict[int, ByteSource] = {}
        self.set_exception_handler(self._note_error)

    def time(self) -> float:
        """The monotonic clock, in seconds."""
        return self.clock.now_ns / 1e9

    def _process_events(self, event_list: list[asyncio.Handle]) -> None:
        self._ready.extend(event_list)  # type: ignore[attr-defined]
        if self.each_turn and self._ready:  # type: ignore[attr-defined]
            self.each_turn()

    def _write_to_self(self) -> None:
        """There is no other thread that would have to wake this one."""

    def ready(self) -> list[asyncio.Handle]:
        """The handles that are about to run."""
        return list(self._ready)  # type: ignore[attr-defined]

    # Handles, and whose they are

    def call_soon(
        self,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """As of any loop; of a process that was killed or stands still, not now."""
        handle = super().call_soon(callback, *args, context=context)
        process = owner(handle)
        if process is not None and not process.alive:
            handle.cancel()
        elif process is not None and process.frozen:
            self._ready.remove(handle)  # type: ignore[attr-defined]
            process.park(handle)
        return handle

    def call_soon_threadsafe(
        self,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """There is one thread."""
        return self.call_soon(callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """As of any loop; of a process that was killed, never."""
        handle = super().call_at(when, callback, *args, context=context)
        process = owner(handle)
        if process is not None and not process.alive:
            handle.cancel()
        return handle

    def take_out(self, process: LoopProcess, do: Callable[[asyncio.Handle], object]) -> None:
        """Take every handle of a process out of the loop, in order, and do that with it."""
        ready, scheduled = self._ready, self._scheduled  # type: ignore[attr-defined]
        for handle in [each for each in ready if owner(each) is process]:
            ready.remove(handle)
            do(handle)
        mine = [each for each in scheduled if owner(each) is process and not each.cancelled()]
        for handle in sorted(mine):
            if do is not asyncio.Handle.cancel:
                scheduled.remove(handle)
            do(handle)
        heapq.heapify(scheduled)

    def put_back(self, handle: asyncio.Handle) -> None:
        """Let a handle that was taken out run when it is due."""
        if handle.cancelled():
            return
        if isinstance(handle, asyncio.TimerHandle):
            heapq.heappush(self._scheduled, handle)  # type: ignore[attr-defined]
        else:
            self._ready.append(handle)  # type: ignore[attr-defined]

    def create_task(  # type: ignore[override]
        self, coro: Any, *, name: str | None = None, context: Context | None = None
    ) -> asyncio.Task[Any]:
        """As of any loop; its process remembers it."""
        task = super().create_task(coro, name=name, context=context)
        # An empty context is one too, and false.
        process = (copy_context() if context is None else context).get(_PROCESS)
        if process is not None:
            process.own(task)
        return task

    # Descriptors

    def connect(self, fd: int, source: ByteSource | None) -> None:
        """There is a descriptor `fd` of ours, or (None) no longer."""
        if source is None:
            self._sources.pop(fd, None)
            self._readers.pop(fd, None)
        else:
            self._sources[fd] = source

    def add_reader(self, fd: Any, callback: Callable[[Unpack[Ts]], Any], *args: *Ts) -> None:
        """As of any loop, for descriptors that were connected."""
        handle = asyncio.Handle(callback, args, self, None)
        self._readers[fd] = (self._sources[fd], handle)

    def remove_reader(self, fd: Any) -> bool:
        """As of any loop."""
        return self._readers.pop(fd, None) is not None

    def readable(self) -> list[asyncio.Handle]:
        """What is to be called for descriptors that can be read."""
        if not self.bytes_came:
            return []
        found, self.bytes_came = [], any(each.readable for each in self._sources.values())
        for source, handle in self._readers.values():
            process = owner(handle)
            if source.readable and (process is None or (process.alive and not process.frozen)):
                found.append(handle)
        return found

    # What would be done elsewhere

    def run_in_executor(
        self, executor: Any, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Done at once: there are no threads."""
        done: asyncio.Future[T] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # noqa: BLE001  (whoever waits gets it, as of any executor)
            done.set_exception(error)
        return done

    def _asyncgen_finalizer_hook(self, agen: Any) -> None:
        """The collector's pace is no part of the seed: what it finds is left alone."""

    def _note_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        # Whoever asked a service that was killed is gone with it: nobody retrieves the answer.
        if isinstance(error, Dead | TableStopped) or context.get("task") is not None:
            return
        self.on_error(f"{context.get('message')}: {type(error).__name__}: {error}")
